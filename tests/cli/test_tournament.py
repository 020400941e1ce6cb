"""`analyzer tournament`."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

from analyzer import registry, runs
from analyzer.engines.local import LocalEngine
from analyzer.errors import Interrupted
from analyzer.tournament import Totals, Tournament, run
from tests.test_runs import StoppingEngine

WORDS = ("tournament", "aa", "--seats", 2, "-n", 640)
FIELD = ("--strategies", "random,light,greedy")


def document_of(cli, *words):
    done = cli(*words, "--json", "-q")
    assert done.code == 0, done.err
    return json.loads(done.out)


def test_the_best_strategy_is_first_and_every_cell_is_that_of_simulate(cli):
    document = document_of(cli, *WORDS, *FIELD)
    assert document["lineups"] == 9
    assert document["ranking"][0]["strategy"] == "greedy"
    assert document["ranking"][0]["nash"] == pytest.approx(1.0)
    assert document["ranking"][0]["alpha_rank"] == pytest.approx(1.0)
    cell = next(
        one
        for one in document["payoff"]
        if (one["strategy"], one["against"]) == ("light", "random")
    )
    rates = [
        json.loads(cli("simulate", "aa", "--players", players, "-n", 640, "--json").out)["seats"][
            seat
        ]["win_rate"]
        for seat, players in enumerate(("light,random", "random,light"))
    ]
    assert cell["win_rate"] == pytest.approx(sum(rates) / 2)
    assert cell["n"] == 1280


def test_a_strategy_among_its_own_wins_an_equal_share(cli):
    document = document_of(cli, "tournament", "aa", "--seats", 3, "-n", 320, *FIELD)
    assert document["design"] == "all"
    for one in document["payoff"]:
        if one["strategy"] == one["against"]:
            assert one["win_rate"] == pytest.approx(1 / 3)
            assert one["p"] is None


def test_pairs_play_one_seat_against_a_table(cli):
    document = document_of(
        cli, "tournament", "aa", "--seats", 4, "-n", 128, *FIELD, "--design", "pairs"
    )
    assert document["lineups"] == 3 + 3 * 2 * 4
    assert document["ranking"][0]["strategy"] == "greedy"
    assert sum(one["nash"] for one in document["ranking"]) == pytest.approx(1)


def test_threads_change_nothing(cli):
    words = (*WORDS, *FIELD, "--json")
    assert cli(*words, "-j", 1).out == cli(*words, "-j", 3).out


def test_the_command_that_is_printed_gives_the_same_result(cli):
    first = cli(*WORDS, *FIELD, "--rule", "effects=off", "--json")
    command = json.loads(first.out)["commands"]["again"]
    assert cli(*shlex.split(command)[1:], "--json").out == first.out


def test_strategies_of_users_take_part(cli, tmp_path):
    (tmp_path / "mine.py").write_text(
        "from kernels.boats import view as see\n"
        "def first(view, legal, stream):\n    return see.first_move(legal)\n"
    )
    mine = f"{tmp_path}/mine.py:first"
    document = document_of(cli, *WORDS, "--strategies", f"greedy,{mine}")
    assert [one["strategy"] for one in document["ranking"]] == ["greedy", mine]


def test_what_is_printed_has_everything(cli):
    text = cli(*WORDS, *FIELD).out
    for words in ("Ranking", "alpha-Rank", "Nash", "Win rate of one seat", "stable", "cyclic"):
        assert words in text


def test_a_tournament_is_kept_and_not_played_again(cli, tmp_path):
    words = (*WORDS, *FIELD, "-o", tmp_path / "t")
    first = cli(*words, "--json")
    before = sorted(path.stat().st_mtime_ns for path in tmp_path.rglob("blocks.parquet"))
    assert cli(*words, "--json").out == first.out
    assert cli("tournament", "--resume", tmp_path / "t", "--json").out == first.out
    assert sorted(path.stat().st_mtime_ns for path in tmp_path.rglob("blocks.parquet")) == before
    assert cli(*WORDS, *FIELD, "--json").out == first.out


def test_another_tournament_is_refused(cli, tmp_path):
    cli(*WORDS, *FIELD, "-o", tmp_path / "t")
    done = cli(*WORDS, *FIELD, "-o", tmp_path / "t", "--seed", 9)
    assert done.code == 2
    assert "holds another tournament: analyzer tournament" in done.err
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "thesis.txt").write_text("mine")
    assert (
        "not a tournament (it holds 'thesis.txt')"
        in cli(*WORDS, *FIELD, "-o", tmp_path / "strange").err
    )
    assert "is not a tournament: it has no" in cli("tournament", "--resume", tmp_path).err
    assert "leave out the rest" in cli("tournament", "aa", "--resume", tmp_path / "t").err


def small(games=320):
    from analyzer.scenario import Settings, build

    base = build(Settings({"game": "aa"}), Settings({"games": games}))
    return Tournament(base, ("random", "light"), 2, "all")


def test_an_interrupted_tournament_goes_on(tmp_path):
    class SecondLineupStops:
        def play(self, job, blocks, sink):
            stops = job.players == ("random", "light")
            (StoppingEngine(30) if stops else LocalEngine(2)).play(job, blocks, sink)

    with pytest.raises(Interrupted, match="analyzer tournament --resume"):
        run(small(), SecondLineupStops(), folder=tmp_path / "t")
    finished = [
        path for path in (tmp_path / "t").rglob("manifest.json") if '"complete"' in path.read_text()
    ]
    assert len(finished) == 1
    gone_on = run(small(), LocalEngine(2), folder=tmp_path / "t").document(20)
    assert gone_on == run(small(), LocalEngine(1)).document(20)
    assert runs.RunFolder(tmp_path / "t/lineups/00000").exists()


def test_weights_of_one_are_the_whole_tournament():
    totals = Totals(run(small(), LocalEngine(2)))
    wins = totals.wins(np.ones((1, totals.blocks)))[0]
    # Every game of the two mixed lineups has a winner; the mirrors say nothing.
    assert wins.sum() == pytest.approx(640)
    assert wins[0, 0] == wins[1, 1] == 0.0
    one, others = totals.rates(np.ones((2, totals.blocks)))
    assert one[0] + others[0] == pytest.approx(np.ones((2, 2)))
    assert np.array_equal(one[0], one[1])


ERRORS = [
    (("--strategies", "greedy"), "takes two strategies or more, each once, not greedy"),
    (("--strategies", "greedy,greedy"), "each once, not greedy, greedy"),
    (("--strategies", "greedy,gredy"), "Unknown strategy 'gredy' for all-aboard"),
    (("--strategies", "greedy,light*2"), "takes each strategy once, without a number: 'light*2'"),
    ((*FIELD, "--design", "al"), "Unknown design 'al'. Did you mean 'all'"),
    ((*FIELD, "--seats", 9), "seats must be 2 to 5"),
]


@pytest.mark.parametrize(("words", "message"), ERRORS, ids=range(len(ERRORS)))
def test_bad_tournaments(cli, words, message):
    done = cli("tournament", "aa", *words)
    assert message in done.err
    assert (done.code, done.out) == (2, "")


def test_every_game_holds_a_tournament_of_all_that_play(cli):
    for name in registry.names():
        spec = registry.load(name)
        players = spec.players[0]
        document = document_of(cli, "tournament", name, "--seats", players, "-n", 64,
                               "--strategies", "random," + spec.strategies[1])  # fmt: skip
        assert len(document["ranking"]) == 2
