"""`analyzer sweep`: which variants, on the same deals, compared with the right one, resumable."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from analyzer import sweep
from analyzer.engines.local import LocalEngine
from analyzer.errors import UsageError
from analyzer.scenario import Settings, build


def scenario(**values):
    defaults = {"players": "greedy", "seats": 3, "games": 320, "seed": 5}
    return build(Settings({"game": "all-aboard"}), Settings({**defaults, **values}))


def labels(*texts, one_at_a_time=False, base=None):
    base = base or scenario()
    axes = [sweep.parse_axis(text, base) for text in texts]
    found = sweep.variants(base, axes, one_at_a_time=one_at_a_time)
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
    axis = sweep.parse_axis(f"tile_deck={file}", base)
    assert [value.label for value in axis.values] == ["light", "heavy"]
    found = sweep.variants(base, [axis], one_at_a_time=True)
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
    axes = [sweep.parse_axis("monkey_love=*", base)]
    document = sweep.play(base, axes, LocalEngine(1)).document()
    digests = {variant["digest"] for variant in document["variants"]}
    assert len(digests) == 1
    for variant in document["variants"][1:]:
        assert {change["value"] for change in variant["changes"].values()} == {0.0}
        assert {change["p"] for change in variant["changes"].values()} == {1.0}


def test_changes_are_differences_and_tighter_than_their_parts():
    axes = [sweep.parse_axis("rule.replaced_boat=*", scenario(games=3200))]
    document = sweep.play(scenario(games=3200), axes, LocalEngine(1)).document()
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


def test_a_sweep_goes_on_where_it_was_stopped(tmp_path):
    class StopsInTheSecond:
        def __init__(self):
            self.runs = 0

        def play(self, job, blocks, sink):
            self.runs += 1
            if self.runs == 2:
                raise KeyboardInterrupt
            LocalEngine(1).play(job, blocks, sink)

    base = scenario()
    axes = [sweep.parse_axis("lion_love=*", base)]
    from analyzer.errors import Interrupted

    with pytest.raises(Interrupted):
        sweep.play(base, axes, StopsInTheSecond(), folder=tmp_path)
    engine = StopsInTheSecond()
    engine.runs = 2
    resumed = sweep.play(base, axes, engine, folder=tmp_path)
    assert engine.runs == 3  # one of the two variants was there already
    assert resumed.document() == sweep.play(base, axes, LocalEngine(1)).document()


def test_the_command_prints_a_table_and_keeps_everything(cli, tmp_path):
    words = ("sweep", "aa", "--players", "greedy", "-n", "320", "--vary", "rule.lion_love=*")
    outcome = cli(*words, "--metric", "eaten_per_game", "-o", tmp_path / "out")
    assert outcome.code == 0
    assert "eaten_per_game" in outcome.out
    assert "fights_per_game" not in outcome.out
    frame = pd.read_csv(tmp_path / "out" / "sweep.csv")
    assert set(frame["lion_love"]) == {"target_blocks", "ignore_lovers"}
    document = json.loads((tmp_path / "out" / "sweep.json").read_text())
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
    swept = sweep.play(scenario(), [sweep.parse_axis("lion_love=*", scenario())], LocalEngine(1))
    with pytest.raises(UsageError, match="Cannot write to .*file: .*Choose another folder with -o"):
        sweep.write(swept, tmp_path / "file", ["margin"])


def test_every_value_of_a_parameter_with_a_billion_is_refused_before_they_are_listed(cli):
    refused = cli("sweep", "planke", "--vary", "turn_cap=*")
    assert refused.code == 2
    assert "--vary turn_cap has 1000000000 values; at most 200 are taken." in refused.err
