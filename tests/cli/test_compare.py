"""`analyzer compare`, and `--precision`."""

from __future__ import annotations

import itertools
import json
import shlex

import pytest

from analyzer import growing
from analyzer.compare import Comparison, compare
from analyzer.compare import of_folder as compare_folder
from analyzer.engines.local import LocalEngine
from analyzer.errors import Interrupted
from analyzer.plan import Plan
from analyzer.scenario import Settings, build
from reports.sequential import SequentialTest

COMPARE = ("compare", "aa")


def compared(cli, *words):
    done = cli(*COMPARE, *words, "--json", "-q")
    assert done.code == 0, done.err
    return json.loads(done.out)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_mirror_match_differs_by_exactly_zero(cli, players):
    document = compared(cli, "greedy", "greedy", "-n", 500, "--seats", players)
    for difference in (document["win_rate_difference"], document["score_difference"]):
        assert difference["value"] == 0.0
        assert difference["ci"] == [0.0, 0.0]
        assert difference["p"] == 1.0
    assert document["lineups"] == 1


def test_two_strategies_of_two_files_with_the_same_moves_differ_by_exactly_zero(cli, tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(
            "from kernels.boats.aa_strategies import greedy\n"
            "greedy_move = greedy.move\n"
            "def f(view, legal, stream):\n    return greedy_move(view, legal, stream)\n"
        )
    one, two = (f"{tmp_path}/{name}.py:f" for name in ("one", "two"))
    document = compared(cli, one, two, "-n", 300, "--seats", 3, "--field", "random")
    assert document["win_rate_difference"]["value"] == 0.0
    assert document["win_rate_difference"]["ci"][0] < 0.0 < document["win_rate_difference"]["ci"][1]
    assert document["win_rate_difference"]["p"] == 1.0
    built_in = compared(cli, one, "greedy", "-n", 300, "--seats", 3, "--field", "random")
    assert built_in["win_rate_difference"]["value"] == 0.0


def test_swapping_the_strategies_turns_the_sign(cli):
    words = ("-n", 2000, "--field", "random*2")
    there = compared(cli, "heavy", "light", *words)["win_rate_difference"]
    back = compared(cli, "light", "heavy", *words)["win_rate_difference"]
    assert there["value"] == -back["value"]
    assert there["ci"] == [-back["ci"][1], -back["ci"][0]]
    assert there["p"] == back["p"]
    assert there["games_saved"] == back["games_saved"]


def test_the_sides_are_those_of_simulate(cli):
    """The mean over the seats of what `simulate` gives each lineup."""
    document = compared(cli, "heavy", "light", "-n", 640, "--seats", 2)
    rates = []
    for seat, players in enumerate(("heavy,light", "light,heavy")):
        run = json.loads(cli("simulate", "aa", "--players", players, "-n", 640, "--json").out)
        rates.append(run["seats"][seat]["win_rate"])
    assert document["sides"][0]["win_rate"] == pytest.approx(sum(rates) / 2)
    assert document["win_rate_difference"]["value"] == pytest.approx(sum(rates) - 1)


def test_threads_change_nothing(cli):
    words = (*COMPARE, "greedy", "cupid", "-n", 4000, "--field", "random*2", "--json")
    assert cli(*words, "-j", 1).out == cli(*words, "-j", 3).out


def test_one_name_fills_the_field(cli):
    document = compared(cli, "heavy", "light", "-n", 64, "--field", "cupid", "--seats", 5)
    assert document["field"] == ["cupid"] * 4
    assert document["lineups"] == 10
    assert compared(cli, "heavy", "light", "-n", 64)["field"] is None


def test_the_command_that_is_printed_gives_the_same_result(cli):
    for words in (("-n", 1000, "--rule", "effects=off"), ("--precision", "2%"), ("--sprt", "0,5%")):
        done = cli(*COMPARE, "heavy", "light", "--field", "random", *words, "--json")
        document = json.loads(done.out)
        again = cli(*shlex.split(document["commands"]["again"])[1:], "--json")
        repeated = json.loads(again.out)
        document.pop("precision", None)
        assert repeated == document


def test_what_is_printed_has_everything(cli):
    text = cli(*COMPARE, "heavy", "light", "-n", 640, "--seats", 2).out
    for words in ("heavy minus light", "games that pairing saved", "again    analyzer compare"):
        assert words in text
    assert "game 0   analyzer replay all-aboard --players heavy,light" in text


# --- sequential


def test_a_lopsided_match_is_decided_at_once(cli):
    document = compared(cli, "greedy", "random", "--seats", 2, "--sprt", "0,1%")
    assert document["sprt"]["accepted"] == "d1"
    assert document["blocks"]["count"] < 100
    assert document["win_rate_difference"]["p"] is not None
    back = compared(cli, "random", "greedy", "--seats", 2, "--sprt", "0,1%")
    assert back["sprt"]["accepted"] == "d0"


def test_a_sequential_test_stops_at_the_same_game_on_any_number_of_threads(cli):
    words = (*COMPARE, "heavy", "cupid", "--seats", 2, "--sprt", "-6%,-4%", "--json")
    outcomes = {cli(*words, "-j", threads).out for threads in (1, 2, 3)}
    assert len(outcomes) == 1


def test_a_test_that_is_not_decided_is_exit_3(cli):
    done = cli(*COMPARE, "light", "light", "--seats", 2, "--sprt", "-0.01%,0.01%", "-n", 2000)
    assert done.code == 3
    assert "not decided: neither bound was met" in done.out


# --- precision


def test_stages_grow_by_a_quarter_at_most_and_fill_whole_blocks():
    found = list(growing.stages(10**7 + 1))
    assert found[0] == growing.FIRST_STAGE
    assert found[-1] == 10**7 + 1
    for smaller, larger in itertools.pairwise(found):
        assert smaller < larger <= smaller * 1.25 + 1
        assert smaller % Plan.of(larger).size == 0
        assert Plan.of(larger).size % Plan.of(smaller).size == 0
    assert list(growing.stages(100)) == [100]


def test_a_precise_run_is_the_run_of_so_many_games(cli):
    precise = cli("simulate", "aa", "--precision", "1%", "--json")
    document = json.loads(precise.out)
    for seat in document["seats"]:
        low, high = seat["win_rate_ci"]
        assert (high - low) / 2 <= 0.01
    assert cli("simulate", "aa", "-n", document["games"], "--json").out == precise.out
    assert cli("simulate", "aa", "--precision", "1%", "--json", "-j", 3).out == precise.out


def test_a_precise_run_is_kept_like_any_other(cli, tmp_path):
    done = cli("simulate", "aa", "--precision", "1%", "--json", "-o", tmp_path / "a")
    games = json.loads(done.out)["games"]
    cli("simulate", "aa", "-n", games, "-o", tmp_path / "b")
    for name in ("manifest.json", "blocks.parquet"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    again = cli("simulate", "aa", "--precision", "1%", "-o", tmp_path / "a")
    assert again.code == 2
    assert "is not empty and not a run to a precision" in again.err


def test_games_that_do_not_suffice_are_exit_3(cli):
    done = cli("simulate", "aa", "--precision", "0.1%", "-n", 9000)
    assert done.code == 3
    assert "9,000 games do not make every win rate known within ±0.1 %" in done.err
    done = cli(*COMPARE, "heavy", "light", "--precision", "0.1%", "-n", 9000, "--seats", 2)
    assert done.code == 3
    assert "wanted   ±0.1 %" in done.out


ERRORS = [
    (("greedi", "light"), "Unknown strategy 'greedi' for all-aboard"),
    (("greedy", "light", "--field", "randm"), "Unknown strategy 'randm' for all-aboard"),
    (("greedy", "light", "--field", "random*5"), "all-aboard takes 2 to 5 players, not 6"),
    (("greedy", "light", "--field", "random*2", "--seats", 4), "3 strategies for 4 seats"),
    (("greedy", "light", "--seats", 9), "seats must be 2 to 5, not 9"),
    (("greedy", "light", "--precision", "0"), "precision (--precision) must be between 0% and 50%"),
    (("greedy", "light", "--precision", "x"), "precision (--precision) must be between 0% and 50%"),
    (("greedy", "light", "--sprt", "1%"), "--sprt takes two differences, as in 0,1%"),
    (("greedy", "light", "--sprt", "1%,0"), "--sprt takes the smaller difference first"),
    (("greedy", "light", "--sprt", "0,1%", "--alpha", "60%"), "an error rate (--alpha)"),
    (("greedy", "light", "--alpha", "1%"), "say which, with --sprt"),
    (("greedy", "light", "--sprt", "0,1%", "--precision", "1%"), "choose one"),
    (("greedy", "light", "--rule", "x=y"), "Unknown ruling 'x' for all-aboard"),
]


@pytest.mark.parametrize(("words", "message"), ERRORS, ids=range(len(ERRORS)))
def test_bad_comparisons(cli, words, message):
    done = cli(*COMPARE, *words)
    assert message in done.err
    assert (done.code, done.out) == (2, "")


# --- kept in a folder


class StopsAfter:
    """An engine that is stopped by Ctrl-C after so many calls."""

    def __init__(self, calls):
        self.calls = calls

    def play(self, job, blocks, sink):
        if self.calls == 0:
            raise KeyboardInterrupt
        self.calls -= 1
        LocalEngine(2).play(job, blocks, sink)


def comparison(**more):
    base = build(Settings({"game": "aa"}), Settings({"games": 20_000}))
    return Comparison(base, ("heavy", "light"), None, 2, **more)


HOW = {
    "fixed": {},
    "precise": {"precision": 0.006},
    "sequential": {"sprt": SequentialTest(0.0, 0.05, 0.05, 0.05)},
}


@pytest.mark.parametrize("how", HOW)
def test_a_stopped_comparison_goes_on_to_the_same_end(tmp_path, monkeypatch, how):
    monkeypatch.setattr(growing, "SECONDS_AT_RISK", 0.0)
    wanted = comparison(**HOW[how])
    whole = compare(wanted, LocalEngine(2)).document()
    kept = compare(wanted, LocalEngine(2), folder=tmp_path / "whole").document()
    assert kept == whole
    assert json.loads((tmp_path / "whole" / "result.json").read_text()) == whole
    folder = tmp_path / "stopped"
    for _ in range(3):
        with pytest.raises(Interrupted, match=f"Go on with: analyzer compare --resume {folder}"):
            compare(wanted, StopsAfter(1), folder=folder)
        assert compare_folder(folder) == wanted
    assert compare(wanted, LocalEngine(1), folder=folder).document() == whole
    assert sorted(path.name for path in folder.iterdir()) == [
        "compare.json",
        "lineups",
        "result.json",
    ]


def test_a_kept_comparison_is_not_played_again_and_no_other_takes_its_place(cli, tmp_path):
    words = (*COMPARE, "heavy", "light", "--seats", 2, "-n", 9000)
    first = cli(*words, "-o", tmp_path / "c", "--json")
    assert first.code == 0
    resumed = cli("compare", "--resume", tmp_path / "c", "--json")
    assert resumed.out == first.out
    assert "18,000 games were there already" in resumed.err
    assert f"kept in  {tmp_path / 'c'}" in cli("compare", "--resume", tmp_path / "c").out
    other = cli(*words, "--seed", 9, "-o", tmp_path / "c")
    assert other.code == 2
    assert "holds another comparison: analyzer compare all-aboard heavy light" in other.err
    assert "is not a comparison: it has no compare.json" in cli("compare", "--resume", tmp_path).err
    assert "leave out the rest" in cli("compare", "aa", "--resume", tmp_path / "c").err
    assert "Name a game and two strategies" in cli("compare", "aa", "heavy").err


def test_a_changed_strategy_does_not_go_on_with_the_old_games(cli, tmp_path):
    mine = tmp_path / "mine.py"
    text = "from kernels.boats import view as see\nfirst_move = see.first_move\n"
    text += "def first(view, legal, stream):\n    return first_move(legal)\n"
    mine.write_text(text)
    words = (*COMPARE, f"{mine}:first", "light", "--seats", 2, "-n", 300, "-o", tmp_path / "c")
    assert cli(*words).code == 0
    mine.write_text(text + "\n# as it was, but for this line\n")
    done = cli(*words)
    assert done.code == 2
    assert "its source of a user's strategy differs" in done.err


def test_a_precise_run_goes_on_to_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(growing, "SECONDS_AT_RISK", 0.0)
    scenario = build(Settings({"game": "aa"}), Settings({"games": 10**6}))
    growing.play_until(scenario, 0.006, LocalEngine(2), out=tmp_path / "whole")
    folder = tmp_path / "stopped"
    with pytest.raises(Interrupted, match="8,192 games are safe in .*simulate --resume"):
        growing.play_until(scenario, 0.006, StopsAfter(1), out=folder)
    assert growing.of_folder(folder) == (scenario, 0.006)
    assert growing.last_stage(folder).plan.games == 8192
    # Killed while the next stage was being written.
    (folder / "stages" / "00000" / "10240").mkdir()
    growing.play_until(scenario, 0.006, LocalEngine(1), out=folder)
    for name in ("manifest.json", "blocks.parquet", "result.json"):
        assert (folder / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert {path.name for path in folder.iterdir()} == {
        "manifest.json",
        "blocks.parquet",
        "result.json",
    }
