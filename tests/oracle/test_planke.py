"""The referee of Gezanke auf der Planke! against the vectors, every ruling, and itself."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.oracle import planke
from tests.oracle.planke import Move, PositionError

VECTORS = json.loads(
    (Path(__file__).parent.parent / "vectors" / f"{planke.GAME}.json").read_text(encoding="utf-8")
)["vectors"]
START_17 = "YRGBYRGBYRGBYRGB."
SKULLS = ["skull", "skull"]


def cases():
    for vector in VECTORS:
        yield pytest.param(vector["position"], vector["expect"], id=vector["name"])
        for variant in vector.get("variants", []):
            rulings = variant["rulings"]
            name = ",".join(f"{key}={value}" for key, value in rulings.items())
            position = vector["position"] | {"rulings": rulings}
            yield pytest.param(position, variant["expect"], id=f"{vector['name']}[{name}]")


@pytest.mark.parametrize(("position", "expect"), list(cases()))
def test_vector(position, expect):
    outcome = planke.resolve(position)
    assert {key: outcome[key] for key in expect} == expect
    assert len(outcome["plank"]) == len(outcome["after_choice"]) == len(position["plank"])


def turn(plank, symbols, choice, rulings=None, **rest):
    return planke.resolve(
        {"plank": plank, "symbols": symbols, "choice": choice, "rulings": rulings or {}, **rest}
    )


def state(plank, symbols, **rulings):
    return {"plank": plank, "symbols": symbols, "rulings": rulings}


def targets(plank, **rulings):
    full = planke.check_rulings(rulings)
    names = [planke.move1_targets(list(plank), i, full) for i in planke.pirates(list(plank))]
    return {name for each in names for name in each}


# ------------------------------------------------------------ vectors that are not positions


def test_gp_t01_setup_has_yellow_at_the_ship_and_one_free_cell_at_the_shark():
    cells = planke.start_plank(17)
    assert "".join(cells) == START_17
    assert planke.rows(cells) == [0]
    assert targets(START_17) == {"foremost"}
    assert "".join(reversed(cells)).startswith(".BGRYBGRY")


def test_gp_t05_only_the_last_pirates_of_rows_can_be_pushed():
    assert planke.rows(list("YR.GB..Y")) == [0, 3, 7]
    for row in (1, 2, 4, 5, 6, 8, -1, None, True, "0"):
        with pytest.raises(PositionError, match=r"^row: .*choices: \[0, 3, 7\]"):
            turn("YR.GB..Y", SKULLS, "skull", row=row)


@pytest.mark.parametrize(("at", "after"), [(2, "...RG"), (3, "..R.G"), (4, "..RG.")])
def test_gp_t07_the_foremost_of_the_block_falls_whoever_is_pushed(at, after):
    assert planke.push_from(list("..RGB"), at) == (list(after), "B")


@pytest.mark.parametrize(
    ("plank", "ends"),
    [
        ("YRGBYRGBYRGBYRGB.", {"foremost"}),
        (".YRGBYRGBYRGBYRGB", {"last"}),
        ("..YRGBYRGBYRGBYRG", {"last"}),
        ("Y...B", set()),
        (".R.G.", {"last", "foremost"}),
        ("R....", {"foremost"}),
        ("..RGB", {"last"}),
    ],
)
def test_gp_t09_open_end_positions(plank, ends):
    assert targets(plank) == ends


def test_gp_t11_swap_needs_two_pirates():
    with pytest.raises(PositionError, match="^at: no pirate stands on 3"):
        turn("BYR.G..R", ["swap", "skull"], "swap", at=[0, 3], row=0)


def test_gp_t12_the_row_before_the_wind_rose_action_is_not_a_legal_row_any_more():
    assert turn("BYR.G..R", ["push1", "skull"], "push1", at=1, row=0)["plank"] == ".BYRG..R"
    with pytest.raises(PositionError, match=r"^row: 4 .*choices: \[0, 2, 7\]"):
        turn("BYR.G..R", ["push1", "skull"], "push1", at=1, row=4)


def test_gp_t13_a_given_row_is_ignored_when_the_choice_ends_the_game():
    assert turn("....RY", ["push1", "push1"], "push1", at=4, row=99)["plank"] == ".....R"


def test_gp_t17_no_pirate_can_be_lifted_and_put_back():
    for at, to in ((0, "last"), (4, "foremost"), (4, "last"), (0, None)):
        with pytest.raises(PositionError, match="^at: move1, impossible here"):
            turn("Y...B", ["move1", "move1"], "move1", at=at, to=to, row=4)


# ------------------------------------------------------------ rulings of a turn


def test_move_targets_adjacent_to_group_uses_the_cells_beside_the_group():
    adjacent = {"move_targets": "adjacent_to_group"}
    move = {"symbols": ["move1", "move1"], "choice": "move1", "at": 3}
    outcome = turn("..YR.G..", rulings=adjacent, to="last", row=5, **move)
    assert outcome["after_choice"] == ".RY..G.."
    outcome = turn("..YR.G..", rulings=adjacent, to="foremost", row=2, **move)
    assert outcome["after_choice"] == "..Y..GR."
    assert turn("..YR.G..", to="last", row=5, **move)["after_choice"] == "R.Y..G.."
    assert turn("..YR.G..", to="foremost", row=2, **move)["after_choice"] == "..Y..G.R"
    assert targets("Y..R.", **adjacent) == {"foremost"}
    assert targets(".Y..R", **adjacent) == {"last"}


def test_move_targets_are_taken_before_the_pirate_is_lifted():
    """The foremost pirate moves ahead of himself, he does not count as gone."""
    move = {"at": 5, "to": "foremost", "row": 2, "rulings": {"move_targets": "adjacent_to_group"}}
    outcome = turn("..YR.G..", ["move1", "skull"], "move1", **move)
    assert outcome["after_choice"] == "..YR..G."


def test_null_move_yes_lets_an_end_pirate_be_put_back():
    rulings = {"null_move": "yes"}
    outcome = turn("Y...B", ["move1", "skull"], "move1", rulings, at=4, to="foremost", row=0)
    assert (outcome["after_choice"], outcome["plank"]) == ("Y...B", ".Y..B")
    with pytest.raises(PositionError, match="^to: the last position is not free"):
        turn("Y...B", ["move1", "skull"], "move1", rulings, at=4, to="last", row=0)
    with pytest.raises(PositionError, match="^at: None"):  # possible now: it cannot lapse
        turn("Y...B", ["move1", "skull"], "move1", rulings, to="last", row=0)
    assert targets("Y...B") == set()
    both = {"null_move": "yes", "move_targets": "adjacent_to_group"}
    assert targets("Y...B", **both) == set()


def test_impossible_symbol_must_take_other():
    rulings = {"impossible_symbol": "must_take_other"}
    for other in ("swap", "push1", "skull"):
        with pytest.raises(PositionError, match="^choice: 'move1' may not be taken"):
            turn("Y...B", ["move1", other], "move1", rulings, row=0)
        assert turn("Y...B", ["move1", other], "move1", row=0)["plank"] == ".Y..B"
    assert turn("Y...B", ["move1", "skull"], "skull", rulings, row=0)["plank"] == ".Y..B"
    both = rulings | {"swap_same_colour": "no"}  # move1 and swap impossible: either lapses
    for choice in ("move1", "swap"):
        assert turn("Y...Y", ["move1", "swap"], choice, both, row=0)["plank"] == ".Y..Y"


def test_swap_same_colour_no_forbids_equal_colours():
    rulings = {"swap_same_colour": "no"}
    with pytest.raises(PositionError, match="^at: the two pirates have the same colour"):
        turn("BYR.G..R", ["swap", "skull"], "swap", rulings, at=[2, 7], row=4)
    assert turn("BYR.G..R", ["swap", "skull"], "swap", rulings, at=[7, 0], row=4)
    with pytest.raises(PositionError, match="^at: swap, impossible here"):
        turn("...RR.", ["swap", "skull"], "swap", rulings, at=[3, 4], row=3)
    assert turn("...RR.", ["swap", "skull"], "swap", rulings, row=3)["plank"] == "....RR"


def test_skull_choice_no_forces_the_action():
    rulings = {"skull_choice": "no"}
    with pytest.raises(PositionError, match="^choice: 'skull' may not be taken"):
        turn("..R..Y", ["skull", "swap"], "skull", rulings, row=5)
    assert turn("..R..Y", ["skull", "swap"], "skull", row=5)["survivor"] == "R"


def test_an_impossible_action_beside_a_skull_under_both_rulings():
    def choices(**rulings):
        return {m.choice for m in planke.legal_moves(state("Y...B", ["skull", "move1"], **rulings))}

    assert choices() == {"skull", "move1"}
    assert choices(skull_choice="no") == {"move1"}
    assert choices(impossible_symbol="must_take_other") == {"skull"}
    assert choices(skull_choice="no", impossible_symbol="must_take_other") == {"skull"}


def test_end_one_colour_left_stops_before_the_row_push():
    rulings = {"end": "one_colour_left"}
    move = {"symbols": ["push1", "skull"], "choice": "push1", "at": 4}
    early = turn(".R.RY", rulings=rulings, **move)
    assert (early["plank"], early["survivor"], early["row_skipped"]) == (".R.R.", "R", True)
    late = turn(".R.RY", row=1, **move)
    assert (late["plank"], late["over"]) == ("..RR.", False)


# ------------------------------------------------------------ random and legal moves


def test_random_law_pointer_then_execution_then_row():
    law = planke.random_distribution(state("YR.GB..Y", ["swap", "push1"]))
    assert law[Move("swap", (0, 1), None, 0)] == Fraction(1, 2) / 10 / 3
    assert law[Move("push1", 0, None, 7)] == Fraction(1, 2) / 5 / 2  # .YRGB..Y has two rows
    assert law[Move("push1", 4, None, 5)] == Fraction(1, 2) / 5 / 4
    twice = planke.random_distribution(state("YR.GB..Y", ["swap", "swap"]))
    assert twice[Move("swap", (0, 1), None, 0)] == Fraction(1, 10) / 3
    ending = planke.random_distribution(state("....RY", ["push1", "skull"]))
    assert ending == {
        Move("push1", 4): Fraction(1, 4),
        Move("push1", 5): Fraction(1, 4),
        Move("skull", row=4): Fraction(1, 2),
    }


def test_random_takes_an_impossible_move1_and_a_skull():
    symbols, quarter, half = ["move1", "skull"], Fraction(1, 4), Fraction(1, 2)
    law = planke.random_distribution(state("Y...B", symbols))
    assert law == {Move(c, row=r): quarter for c in symbols for r in (0, 4)}
    law = planke.random_distribution(state("Y...B", symbols, skull_choice="no"))
    assert law == {Move("move1", row=r): half for r in (0, 4)}
    law = planke.random_distribution(state("Y...B", symbols, impossible_symbol="must_take_other"))
    assert law == {Move("skull", row=r): half for r in (0, 4)}


def as_json(move):
    return {key: value for key, value in move._asdict().items() if value is not None}


@pytest.mark.parametrize(
    "rulings",
    [
        {},
        {"null_move": "yes", "swap_same_colour": "no", "skull_choice": "no"},
        {"move_targets": "adjacent_to_group", "impossible_symbol": "must_take_other"},
        {"end": "one_colour_left", "swap_same_colour": "no"},
    ],
)
def test_legal_moves_are_exactly_what_resolve_accepts(rulings):
    """Every conceivable answer on every plank of three cells and two colours."""
    ats = [None, 0, 1, 2, (0, 1), (0, 2), (1, 2), (1, 1)]
    answers = list(
        itertools.starmap(
            Move,
            itertools.product(planke.SYMBOLS, ats, (None, "last", "foremost"), (None, 0, 1, 2)),
        )
    )
    for cells in itertools.product(".YR", repeat=3):
        if cells.count(".") > 1:
            continue
        for symbols in (["swap", "skull"], ["push1", "move1"], ["move1", "skull"]):
            here = state("".join(cells), symbols, **rulings)
            accepted = set()
            for answer in answers:
                try:
                    outcome = planke.resolve(here | as_json(answer))
                except PositionError:
                    continue
                accepted.add(answer._replace(row=None) if outcome["row_skipped"] else answer)
            legal = planke.legal_moves(here)
            assert len(legal) == len(set(legal))
            assert set(legal) == accepted == set(planke.random_distribution(here))


# ------------------------------------------------------------ errors of positions


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"plank": "Y...."}, "^plank: fewer than two"),
        ({"plank": "YX..."}, "^plank: "),
        ({"plank": ["Y", "R"]}, "^plank: "),
        ({"plank": None}, "^plank: "),
        ({"symbols": ["push1"]}, "^symbols: "),
        ({"symbols": ["push1", "push2"]}, "^symbols: "),
        ({"choice": "push"}, "^choice: "),
        ({"choice": "swap"}, "^choice: the wind rose shows"),
        ({"at": None}, "^at: None is not"),
        ({"at": True}, "^at: True is not"),
        ({"at": 9}, "^at: 9 is off"),
        ({"at": -1}, "^at: -1 is off"),
        ({"at": 2}, "^at: no pirate"),
        ({"to": "last"}, "^to: push1 takes none"),
        ({"symbols": ["swap", "skull"], "choice": "swap"}, "^at: swap takes two cells"),
        ({"symbols": ["swap", "skull"], "choice": "swap", "at": [0, 0]}, "^at: .*different"),
        ({"symbols": ["move1", "skull"], "choice": "move1"}, "^to: None; choices"),
        ({"symbols": ["move1", "skull"], "choice": "move1", "to": "last"}, "^to: the last pos"),
        ({"choice": "skull"}, "^at: a skull takes neither"),
        ({"colour": "Y"}, "^colour: unknown field"),
        ({"rulings": []}, "^rulings: "),
        ({"rulings": {"rows": 1}}, r"^rulings\.rows: unknown ruling"),
        ({"rulings": {"end": "never"}}, r"^rulings\.end: .*one_colour_left"),
        ({"rulings": {"plank_length": 16}}, r"^rulings\.plank_length: 16"),
        ({"rulings": {"plank_length": 41}}, r"^rulings\.plank_length: 41"),
        ({"rulings": {"rounds": 0}}, r"^rulings\.rounds: 0"),
        ({"rulings": {"turn_cap": True}}, r"^rulings\.turn_cap: True"),
        ({"rulings": {"rose": "biased"}}, r"^rulings\.rose: 'biased'"),
    ],
)
def test_bad_position(change, message):
    good = {"plank": "YR...", "symbols": ["push1", "skull"], "choice": "push1", "at": 1, "row": 0}
    assert planke.resolve(good)["plank"] == ".YR.."
    with pytest.raises(PositionError, match=message):
        planke.resolve(good | change)


def test_a_position_must_be_an_object():
    with pytest.raises(PositionError, match="^position: "):
        planke.resolve([])
