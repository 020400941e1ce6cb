"""`analyzer sweep`: which variants, on the same deals, compared with the right one, resumable."""

from __future__ import annotations

import json
import shlex

import pandas as pd
import pytest

from analyzer import sweep
from analyzer.engines.local import LocalEngine
from analyzer.errors import Interrupted, UsageError
from analyzer.scenario import Settings, build


def scenario(**values):
    defaults = {"players": "greedy", "seats": 3, "games": 320, "seed": 5}
    return build(Settings({"game": "all-aboard"}), Settings({**defaults, **values}))


def swept_over(*texts, one_at_a_time=False, base=None):
    base = base or scenario()
    axes = tuple(sweep.parse_axis(text, base) for text in texts)
    return sweep.Sweep(base, axes, one_at_a_time)


def labels(*texts, one_at_a_time=False, base=None):
    found = swept_over(*texts, one_at_a_time=one_at_a_time, base=base).variants()
    return [tuple(one.labels.values()) for one in found]


def test_a_star_stands_for_every_value_and_the_scenarios_own_comes_first():
    base = scenario(rulings={"monkey_love": "ignore_lovers"})
    found = labels("rule.monkey_love=*", base=base)
    assert found == [("ignore_lovers",), ("target_blocks",), ("distinct_rank",)]


def test_a_grid_has_every_combination_and_one_at_a_time_changes_one():
    grid = labels("lion_love=*", "fox_trio=*")
    assert len(grid) == 4
    assert grid[0] == ("target_blocks", "discard")
    alone = labels("lion_love=*", "fox_trio=*", one_at_a_time=True)
    assert alone == [
        ("target_blocks", "discard"),
        ("ignore_lovers", "discard"),
        ("target_blocks", "jump"),
    ]


def test_players_may_be_numbers_or_lineups():
    for numbers in ("2..4", "2,3,4", "2;3;4", "2,3..4"):
        assert labels(f"players={numbers}") == [("greedy*3",), ("greedy*2",), ("greedy*4",)]
    assert labels("players=greedy,random*2;light*3")[1] == ("light*3",)


def test_named_decks_come_from_a_file(tmp_path):
    file = tmp_path / "decks.toml"
    file.write_text('light = "10:30"\nheavy = "20:15,19:15"\n')
    base = scenario()
    named = swept_over(f"tile_deck={file}", base=base, one_at_a_time=True)
    assert [value.label for value in named.axes[0].values] == ["light", "heavy"]
    found = named.variants()
    assert found[1].scenario.rulings["tile_deck"] == "10:30"
    assert labels("set.tile_deck=10:30;12:30", base=base) == [("10:30",), ("12:30",)]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["monkey"], "--vary takes KEY=VALUES"),
        (["monky_love=*"], "Did you mean 'monkey_love'"),
        (["tile_deck=*"], "write them out"),
        (["monkey_love=target_block"], "Did you mean 'target_blocks'"),
        (["players=3..2"], "a range goes upwards"),
        (["players=7"], "takes 2 to 5 players"),
        (["players=2..1e9"], "--vary 2..1e9: a range goes from one whole number to another"),
        (["players=2,3..1e9"], "--vary 2,3..1e9: a range goes from one whole number to another"),
        (["players=2..1000000000"], "over at most 200 values"),
        (["turns=2..five"], "Unknown parameter 'turns'"),
        (["players=two..5"], "--vary two..5: a range goes from"),
        (["lion_love=*", "rule.lion_love=*"], "given twice"),
        (["tile_deck=nowhere.toml"], "Cannot read nowhere.toml"),
        (["lion_love=;"], "has no values"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(texts, message):
    with pytest.raises(UsageError, match=message):
        labels(*texts)


def test_numbers_of_players_need_one_strategy():
    with pytest.raises(UsageError, match="Write the lineups out"):
        labels("players=2..4", base=scenario(players="greedy,random*2"))


def test_a_file_of_values_that_is_damaged_is_named(tmp_path):
    file = tmp_path / "decks.toml"
    file.write_text("light = ")
    with pytest.raises(UsageError, match="is not valid TOML"):
        labels(f"tile_deck={file}")
    file.write_text('light = "10:29"')
    with pytest.raises(UsageError, match="It needs 30 boats, not 29"):
        labels(f"tile_deck={file}")


def test_a_variant_that_changes_no_game_has_no_change_at_all():
    base = scenario(rulings={"effects": "off"})
    document = sweep.play(swept_over("monkey_love=*", base=base), LocalEngine(1)).document()
    digests = {variant["digest"] for variant in document["variants"]}
    assert len(digests) == 1
    for variant in document["variants"][1:]:
        assert {change["value"] for change in variant["changes"].values()} == {0.0}
        assert {change["p"] for change in variant["changes"].values()} == {1.0}


def test_changes_are_differences_and_tighter_than_their_parts():
    wanted = swept_over("rule.replaced_boat=*", base=scenario(games=3200))
    document = sweep.play(wanted, LocalEngine(1)).document()
    first, second = document["variants"]
    name = "win_rate.seat0"
    change = second["changes"][name]
    assert change["value"] == pytest.approx(
        second["quantities"][name]["value"] - first["quantities"][name]["value"]
    )
    width = change["ci"][1] - change["ci"][0]
    alone = first["quantities"][name]["ci"]
    assert width < (alone[1] - alone[0]) / 2
    assert change["ci"][0] <= change["value"] <= change["ci"][1]


# --- kept in a folder


class StopsAfter:
    """An engine that is stopped by Ctrl-C after so many runs, in the middle of the next one."""

    def __init__(self, runs):
        self.runs = runs
        self.played = 0

    def play(self, job, blocks, sink):
        if self.played == self.runs:
            LocalEngine(1).play(job, list(blocks)[:7], sink)
            raise KeyboardInterrupt
        self.played += 1
        LocalEngine(1).play(job, blocks, sink)


def contents(folder):
    """Return every file below a folder with its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def decks(folder):
    file = folder / "decks.toml"
    file.write_text('light = "10:30"\nheavy = "20:15,19:15"\n')
    return f"tile_deck={file}"


def test_a_sweep_goes_on_where_it_was_stopped_to_the_same_bytes(tmp_path):
    wanted = swept_over("lion_love=*", "players=2..3")
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    sweep.write(sweep.play(wanted, LocalEngine(2), folder=whole), whole, ["margin"])
    with pytest.raises(Interrupted) as told:
        sweep.play(wanted, StopsAfter(1), folder=stopped)
    assert str(told.value).startswith("Interrupted. 7 of 80 blocks are safe in")
    assert str(told.value).endswith(f"Go on with: analyzer sweep --resume {stopped}")
    assert sweep.of_folder(stopped) == wanted
    engine = StopsAfter(9)
    swept = sweep.play(sweep.of_folder(stopped), engine, folder=stopped)
    assert engine.played == 3  # one of the four variants was there already
    assert swept.document() == sweep.play(wanted, LocalEngine(1)).document()
    sweep.write(swept, stopped, ["margin"])
    assert contents(stopped) == contents(whole)
    assert sorted(path.name for path in stopped.iterdir()) == [
        "result.json",
        "runs",
        "sweep.csv",
        "sweep.json",
        "sweep.png",
        "sweep.svg",
    ]


def test_a_folder_is_claimed_before_anything_is_played_and_says_what_it_is_to_hold(tmp_path):
    wanted = swept_over(
        decks(tmp_path), "players=2..3", one_at_a_time=True, base=scenario(confidence=0.9)
    )
    with pytest.raises(Interrupted):
        sweep.play(wanted, StopsAfter(0), folder=tmp_path / "s")
    found = json.loads((tmp_path / "s" / "sweep.json").read_text())
    assert found["format"] == "tabletop-analyzer sweep/1"
    assert found["scenario"]["players"] == ["greedy"] * 3
    assert found["one_at_a_time"] is True
    boxes, players = found["axes"]
    assert (boxes["key"], boxes["file"]) == ("tile_deck", str(tmp_path / "decks.toml"))
    assert boxes["values"] == [
        {"label": "light", "setting": "10:30"},
        {"label": "heavy", "setting": "19:15,20:15"},
    ]
    assert players["values"][0] == {"label": "greedy*2", "setting": ["greedy", "greedy"]}
    # The file of the values is not needed any more.
    (tmp_path / "decks.toml").unlink()
    assert sweep.of_folder(tmp_path / "s") == wanted


@pytest.mark.parametrize(
    "texts",
    [
        ("lion_love=*",),
        ("players=2,3..4", "tile_deck=10:30;12:30"),
        ("players=greedy,random*2;light*3", "effects=*"),
    ],
)
def test_the_command_of_a_sweep_is_the_same_sweep(cli, texts, monkeypatch):
    asked = swept_over(*texts, one_at_a_time=True, base=scenario(confidence=0.9))
    found = []

    def play(wanted, *_, **__):
        found.append(wanted)
        raise Interrupted("Asked for.")

    monkeypatch.setattr(sweep, "play", play)
    assert cli(*shlex.split(asked.command())[1:]).err == "Asked for.\n"
    assert found == [asked]


def test_a_kept_sweep_is_not_played_again_and_only_resumed_by_itself(cli, tmp_path):
    words = ("sweep", "aa", "--players", "greedy", "-n", "320", "--vary", "lion_love=*")
    folder = tmp_path / "s"
    first = cli(*words, "-o", folder, "--json")
    assert first.code == 0
    kept = contents(folder)
    assert kept["result.json"].decode() == first.out
    again = cli(*words, "-o", folder, "--json")
    resumed = cli("sweep", "--resume", folder, "--json", "-q", "-j", "1")
    assert (again.out, resumed.out, resumed.err) == (first.out, first.out, "")
    assert contents(folder) == kept
    shown = cli("sweep", "--resume", folder, "--metric", "margin")
    assert "margin" in shown.out
    assert "fights_per_game" not in shown.out
    for more in (["aa"], ["--vary", "fox_trio=*"], ["-n", "640"], ["--one-at-a-time"], ["-o", "x"],
                 ["--seed", "2"], ["--confidence", "90%"], ["--rule", "effects=off"]):  # fmt: skip
        refused = cli("sweep", "--resume", folder, *more)
        assert refused.code == 2
        assert "leave out the rest, but for --metric" in refused.err


def test_another_sweep_or_another_folder_is_refused_and_nothing_is_changed(cli, tmp_path):
    sweeping = ("sweep", "aa", "--players", "greedy", "-n", "64", "--vary")
    made = {
        "s": (*sweeping, "lion_love=*"),
        "run": ("simulate", "aa", "-n", "64"),
        "t": ("tournament", "aa", "--seats", "2", "-n", "64", "--strategies", "random,light"),
        "c": ("compare", "aa", "random", "light", "--seats", "2", "-n", "64"),
    }
    for name, words in made.items():
        assert cli(*words, "-q", "-o", tmp_path / name).code == 0
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "thesis.txt").write_text("mine")
    before = contents(tmp_path)
    told = {
        "s": "holds another sweep: analyzer sweep all-aboard --players 'greedy*4' --seed 1 -n 64 "
        "--vary 'lion_love=target_blocks;ignore_lovers'. Nothing was changed. Choose another",
        "run": "is not empty and not a sweep (it holds 'blocks.parquet'). Nothing was changed.",
        "t": "is not empty and not a sweep (it holds 'lineups')",
        "c": "is not empty and not a sweep (it holds 'compare.json')",
        "strange": "is not empty and not a sweep (it holds 'thesis.txt')",
    }
    for name, message in told.items():
        done = cli(*sweeping, "fox_trio=*", "-o", tmp_path / name)
        assert (done.code, done.out) == (2, "")
        assert message in done.err
    assert "holds another sweep" in cli(*made["s"], "--seed", "9", "-o", tmp_path / "s").err
    for words in (made["run"], made["t"], made["c"]):
        done = cli(*words, "-o", tmp_path / "s")
        assert done.code == 2
        assert "(it holds 'result.json')" in done.err
    assert contents(tmp_path) == before


def test_a_folder_that_is_no_sweep_or_damaged_is_not_gone_on_with(cli, tmp_path):
    assert "is not a sweep: it has no sweep.json" in cli("sweep", "--resume", tmp_path).err
    file = tmp_path / "sweep.json"
    sweep.SWEEP.claim(tmp_path, swept_over("lion_love=*").manifest())
    found = json.loads(file.read_text())
    for change, message in (
        ({"format": "tabletop-analyzer sweep/0"}, "is not of this version"),
        ({"axes": [{}]}, "is damaged: 'key'"),
        ({"axes": [{**found["axes"][0], "key": "lion_lov"}]}, "Unknown ruling 'lion_lov'"),
        ({"axes": 3}, "is damaged"),
        ({"scenario": {}}, "is damaged"),
    ):
        file.write_text(json.dumps({**found, **change}))
        done = cli("sweep", "--resume", tmp_path)
        assert done.code == 2
        assert message in done.err
        assert "Traceback" not in done.err


def test_the_command_prints_a_table_and_keeps_everything(cli, tmp_path):
    words = ("sweep", "aa", "--players", "greedy", "-n", "320", "--vary", "rule.lion_love=*")
    outcome = cli(*words, "--metric", "eaten_per_game", "-o", tmp_path / "out")
    assert outcome.code == 0
    assert "eaten_per_game" in outcome.out
    assert "fights_per_game" not in outcome.out
    frame = pd.read_csv(tmp_path / "out" / "sweep.csv")
    assert set(frame["lion_love"]) == {"target_blocks", "ignore_lovers"}
    document = json.loads((tmp_path / "out" / "result.json").read_text())
    eaten = frame[frame["quantity"] == "eaten_per_game"]["value"]
    expected = [one["quantities"]["eaten_per_game"]["value"] for one in document["variants"]]
    assert eaten.tolist() == pytest.approx(expected)
    picture = (tmp_path / "out" / "sweep.svg").read_text()
    assert picture.count("<svg") == 1
    assert "eaten_per_game" in picture
    assert "fights_per_game" not in picture
    assert (tmp_path / "out" / "sweep.png").read_bytes()[:4] == b"\x89PNG"
    again = cli(*words, "--json", "-o", tmp_path / "out")
    assert json.loads(again.out) == document


def test_errors_of_the_command_have_exit_code_two(cli):
    assert cli("sweep", "aa").code == 2
    assert cli("sweep", "aa", "--vary", "x=1").code == 2
    assert cli("sweep", "aa", "--vary", "lion_love=*", "--metric", "nothing").code == 2


def test_a_folder_that_cannot_be_written_to_is_said_in_a_sentence(tmp_path):
    (tmp_path / "file").touch()
    swept = sweep.play(swept_over("lion_love=*"), LocalEngine(1))
    with pytest.raises(UsageError, match="Cannot write to .*file: .*Choose another folder with -o"):
        sweep.write(swept, tmp_path / "file", ["margin"])


def test_every_value_of_a_parameter_with_a_billion_is_refused_before_they_are_listed(cli):
    refused = cli("sweep", "planke", "--vary", "turn_cap=*")
    assert refused.code == 2
    assert "--vary turn_cap has 1000000000 values; at most 200 are taken." in refused.err
