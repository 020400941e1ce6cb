"""Scenarios: from flags, from files, and back."""

from __future__ import annotations

import pytest

from analyzer.errors import UsageError
from analyzer.plan import Plan, block_size
from analyzer.quantities import parse_confidence, parse_games, parse_seed
from analyzer.scenario import Settings, build, read


def scenario(**values):
    return build(Settings({"game": "all-aboard"}), Settings(values))


@pytest.mark.parametrize("text", ["1000000", "1_000_000", "1e6", "1E6", "1M", "1000k", 1_000_000])
def test_a_million_can_be_written_in_many_ways(text):
    assert parse_games(text) == 1_000_000


@pytest.mark.parametrize("text", ["", "x", "1.5", "-1", "0", "1e999999999", "nan", "inf", True])
def test_what_is_no_number_of_games_is_refused(text):
    with pytest.raises(UsageError, match=r"games \(-n\) must be"):
        parse_games(text)


def test_seeds_fill_64_bits():
    assert parse_seed("0xffffffffffffffff") == 2**64 - 1
    with pytest.raises(UsageError, match="seed must be 0 to"):
        parse_seed(2**64)


@pytest.mark.parametrize("text", ["95%", "95", "0.95", 0.95, 95])
def test_confidence_can_be_written_in_many_ways(text):
    assert parse_confidence(text) == 0.95


@pytest.mark.parametrize("text", ["100%", "1", "49%", "x", "0", "-5", "nan", "1e300"])
def test_what_is_no_confidence_is_refused(text):
    with pytest.raises(UsageError, match="confidence must be"):
        parse_confidence(text)


@pytest.mark.parametrize(
    ("players", "names"),
    [
        (None, ["random"] * 4),
        ("5", ["random"] * 5),
        (3, ["random"] * 3),
        ("greedy", ["greedy"] * 4),
        ("greedy,random*2", ["greedy", "random", "random"]),
        (" heavy , light*1 ", ["heavy", "light"]),
        (["greedy*2", "random"], ["greedy", "greedy", "random"]),
    ],
)
def test_lineups(players, names):
    assert scenario(players=players).players == tuple(names)


def test_one_name_fills_the_seats_that_are_asked_for():
    assert scenario(players="light", seats="2").players == ("light", "light")


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (
            "gredy,random",
            r"Unknown strategy 'gredy' for all-aboard \(seat 0\)\. Did you mean 'greedy'",
        ),
        ("random,,random", "name is empty"),
        ("random*0", r"after '\*' comes a number from 1 to 5"),
        ("random*6", r"after '\*' comes a number from 1 to 5"),
        ("random*3,random*3", "takes 2 to 5 players, not 6"),
        ("1", "takes 2 to 5 players, not 1"),
        ("random*1", "takes 2 to 5 players, not 1"),
        (2.5, "players must be"),
    ],
)
def test_lineups_that_cannot_be(players, message):
    with pytest.raises(UsageError, match=message):
        scenario(players=players)


def test_a_scenario_survives_its_file(tmp_path):
    before = build(
        Settings({"game": "aa", "title": 'A "title"\n\\ with everything', "description": "d"}),
        Settings(
            {
                "players": "greedy,random*2",
                "games": "2e5",
                "seed": 2**64 - 1,
                "confidence": "99%",
                "rulings": {"monkey_love": "distinct_rank", "effects": "off"},
                "components": {"tile_deck": "9:10,20:20"},
            }
        ),
    )
    file = tmp_path / "one.toml"
    file.write_text(before.to_toml(), encoding="utf-8")
    assert build(read(file), Settings()) == before


def test_flags_go_over_the_file(tmp_path):
    file = tmp_path / "one.toml"
    file.write_text('game = "aa"\nplayers = "random*3"\ngames = 5\n[rulings]\neffects = "off"\n')
    flags = Settings({"players": "greedy", "games": 7, "rulings": {"fox_trio": "jump"}})
    result = build(read(file), flags)
    assert result.players == ("greedy",) * 3
    assert result.games == 7
    assert result.spec.changed(result.rulings) == {"fox_trio": "jump", "effects": "off"}
    assert build(read(file), Settings({"players": "light,heavy"})).players == ("light", "heavy")


@pytest.mark.parametrize(
    "deck", [[10] * 15 + [20] * 15, "20:15,10:15", ["10:15", "20:15"], {"10": 15, "20": 15}]
)
def test_a_boat_deck_can_be_written_in_many_ways(deck):
    assert scenario(components={"tile_deck": deck}).rulings["tile_deck"] == "10:15,20:15"


@pytest.mark.parametrize(
    ("games", "size"),
    [(1, 1), (63, 1), (64, 1), (127, 1), (128, 2), (1000, 8), (10**6, 8192), (10**9, 65_536)],
)
def test_block_sizes_are_powers_of_two_that_give_64_blocks_or_more(games, size):
    assert block_size(games) == size
    plan = Plan.of(games)
    spans = [plan.block(index) for index in range(min(plan.blocks, 200))]
    assert plan.blocks >= min(games, 64)
    if plan.blocks <= 200:
        assert sum(count for _, count in spans) == games
        assert plan.blocks < 128 or size == 65_536


@pytest.mark.parametrize("rows", [False, True])
@pytest.mark.parametrize("games", [1, 100, 10**6, 10**8])
def test_parts_cover_every_block_once(games, rows):
    plan = Plan.of(games)
    blocks = [block for part in plan.parts(rows) for block in part]
    assert blocks == list(range(plan.blocks))
