"""The referee of Einer geht noch! against the vectors, every ruling, and whole games."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from tests.oracle import einer_geht_noch as egn

VECTORS = json.loads(
    (Path(__file__).parents[1] / "vectors" / "einer-geht-noch.json").read_text(encoding="utf-8")
)["vectors"]
POSITIONS = {vector["name"]: vector["position"] for vector in VECTORS}


def vector_cases():
    """Each vector under the default rulings and under each of its variants."""
    for vector in VECTORS:
        yield pytest.param(vector["position"], {}, vector["expect"], id=vector["name"])
        for variant in vector["variants"]:
            rulings = variant["rulings"]
            label = ",".join(f"{name}={value}" for name, value in rulings.items())
            yield pytest.param(
                vector["position"], rulings, variant["expect"], id=f"{vector['name']}-{label}"
            )


@pytest.mark.parametrize(("position", "rulings", "expect"), list(vector_cases()))
def test_vector(position, rulings, expect):
    outcome = egn.resolve({**position, "rulings": rulings})
    assert {key: outcome[key] for key in expect} == expect


def place(boats, caps, rulings=None, **more):
    """Position JSON from ``"fox:A bear:B | mouse:C"`` and the capacities."""
    loads = [[card.split(":") for card in boat.split()] for boat in boats.split("|")]
    owners = {owner for load in loads for _, owner in load} | {"A", "B"}
    return {
        "players": sorted(owners),
        "boats": [
            {"capacity": cap, "animals": load} for cap, load in zip(caps, loads, strict=True)
        ],
        "rulings": rulings or {},
        **more,
    }


def scores(position, **rulings):
    merged = {**position.get("rulings", {}), **rulings}
    return tuple(egn.resolve({**position, "rulings": merged})["score"].values())


# -- every value of every ruling: position, value -> score of each player ---------------------

LION_MEETS_A_THIRD_ZEBRA = place("monkey:A elephant:B zebra:C | lion:A zebra:A zebra:B", [15, 30])
FOX_MEETS_A_THIRD_GIRAFFE = place(
    "monkey:A elephant:B giraffe:C | fox:A giraffe:A giraffe:B", [15, 20]
)
HEAVY_PEACOCK = place("lion:C peacock:B squid:A", [12], {"peacock_weight": 3})
TWO_SINGLE_ZEBRAS = place(
    "monkey:A elephant:B zebra:C | lion:A zebra:B", [15, 30], {"love_timing": "reveal_only"}
)
SPLITS = {
    "cupid_supply": [
        (place("zebra:A zebra:B", [20], cupids_left=1), {"finite": (7, 7), "unlimited": (9, 9)})
    ],
    "peacock_weight": [
        (place("peacock:A sloth:B", [7]), {0: (0, 5), 1: (1, 5), 2: (2, 5), 3: (0, 0)})
    ],
    "love_timing": [
        (
            POSITIONS["EGN-T25"],
            {"dynamic": (11, 21, 15), "boat_start": (9, 19, 15), "reveal_only": (11, 21, 15)},
        ),
        (
            POSITIONS["EGN-T26"],
            {"dynamic": (16, 12), "boat_start": (16, 12), "reveal_only": (14, 1)},
        ),
    ],
    "third_arrival": [
        (
            LION_MEETS_A_THIRD_ZEBRA,
            {"love_sticks": (22, 20, 0), "love_breaks": (15, 20, 7), "remove_three": (15, 13, 0)},
        )
    ],
    "fox_love": [
        (
            place("fox:A sloth:A sloth:B", [12]),
            {
                "any_pair_blocks": (9, 7),
                "true_heaviest_blocks": (9, 7),
                "target_blocks": (9, 7),
                "target_blocks_success_only": (7, 7),
                "ignore_lovers": (7, 7),
            },
        ),
        (
            place("fox:A sloth:A sloth:B", [11]),
            {
                "any_pair_blocks": (2, 2),
                "true_heaviest_blocks": (2, 2),
                "target_blocks": (2, 2),
                "target_blocks_success_only": (2, 2),
                "ignore_lovers": (7, 7),
            },
        ),
        (
            place("fox:A mouse:A mouse:B", [12]),
            {
                "any_pair_blocks": (4, 2),
                "true_heaviest_blocks": (2, 2),
                "target_blocks": (2, 2),
                "target_blocks_success_only": (2, 2),
                "ignore_lovers": (2, 2),
            },
        ),
        (
            FOX_MEETS_A_THIRD_GIRAFFE,
            {
                "any_pair_blocks": (6, 13, 0),
                "true_heaviest_blocks": (6, 13, 0),
                "target_blocks": (16, 21, 0),
                "target_blocks_success_only": (16, 21, 0),
                "ignore_lovers": (16, 21, 0),
            },
        ),
        (
            place("fox:A sloth:A sloth:B bear:C", [12]),
            {
                "any_pair_blocks": (2, 2, 0),
                "true_heaviest_blocks": (9, 7, 0),
                "target_blocks": (9, 7, 0),
                "target_blocks_success_only": (9, 7, 0),
                "ignore_lovers": (9, 7, 0),
            },
        ),
    ],
    "fox_self_target": [(place("fox:A | bear:B", [1, 11]), {"yes": (2, 0), "no": (0, 10)})],
    "monkey_love": [
        (
            place("monkey:A peacock:B mouse:A mouse:B", [10]),
            {"any_pair_blocks": (6, 3), "target_blocks": (2, 3), "ignore_lovers": (6, 3)},
        ),
        (
            place("monkey:A elephant:B bear:C sloth:A sloth:B", [25]),
            {
                "any_pair_blocks": (2, 2, 0),
                "target_blocks": (11, 18, 0),
                "ignore_lovers": (11, 18, 0),
            },
        ),
        (
            POSITIONS["EGN-T30"],
            {
                "any_pair_blocks": (6, 8, 14),
                "target_blocks": (6, 8, 14),
                "ignore_lovers": (13, 19, 19),
            },
        ),
    ],
    "monkey_min3_peacock": [
        (place("monkey:A peacock:B", [10]), {"nothing": (4, 1), "peacock_throws": (0, 1)})
    ],
    "lion_love": [
        (POSITIONS["EGN-T03"], {"target_blocks": (9, 18, 14), "ignore_lovers": (9, 18, 9)})
    ],
    "tie_break": [
        (
            HEAVY_PEACOCK,
            {
                "unloved_first_boarded": (0, 0, 9),
                "last_boarded": (0, 3, 9),
                "lowest_seat": (0, 3, 9),
                "blocked": (3, 0, 0),
            },
        ),
        (
            TWO_SINGLE_ZEBRAS,
            {
                "unloved_first_boarded": (13, 11, 7),
                "last_boarded": (13, 18, 0),
                "lowest_seat": (13, 11, 7),
                "blocked": (13, 18, 7),
            },
        ),
    ],
    "eaten_squid": [
        (place("lion:A squid:B mouse:C", [20]), {"removed": (9, 0, 0), "swims": (9, 3, 0)})
    ],
    "loved_squid": [
        (place("squid:A squid:B bear:A", [15]), {"swims": (5, 5), "land_animal": (2, 2)}),
        (place("squid:A squid:B bear:A", [16]), {"swims": (12, 2), "land_animal": (15, 5)}),
    ],
    "loved_mouse_score": [(place("mouse:A mouse:B", [5]), {0: (2, 2), 0.5: (2.5, 2.5)})],
}
ONLY_IN_WHOLE_GAMES = {"start_player", "tile_replace", "final_tie"}  # tested further down


def split_cases():
    for name, cases in SPLITS.items():
        for number, (position, expected) in enumerate(cases):
            for value, score in expected.items():
                yield pytest.param(position, name, value, score, id=f"{name}={value}-{number}")


@pytest.mark.parametrize(("position", "name", "value", "score"), list(split_cases()))
def test_ruling(position, name, value, score):
    assert scores(position, **{name: value}) == score


@pytest.mark.parametrize("name", SPLITS)
def test_any_two_values_of_a_ruling_differ_in_some_position(name):
    for one, other in itertools.combinations(egn.RULINGS[name], 2):
        assert any(expected[one] != expected[other] for _, expected in SPLITS[name])


def test_every_ruling_has_its_test():
    assert set(egn.RULINGS) == set(SPLITS) | ONLY_IN_WHOLE_GAMES


# -- single rules ------------------------------------------------------------------------------


def test_short_cupids_go_to_the_first_boat():
    position = place("zebra:A zebra:B | deer:C deer:D", [20, 20], cupids_left=3)
    assert scores(position) == (9, 9, 6, 6)


def test_short_cupids_go_to_the_lighter_pair_of_a_boat():
    position = place("zebra:A zebra:B sloth:A sloth:C", [30], cupids_left=2)
    assert scores(position) == (14, 7, 7)


@pytest.mark.parametrize(("timing", "paid"), [("dynamic", "AB"), ("boat_start", "AC")])
def test_short_cupids_go_to_whoever_fell_in_love_first(timing, paid):
    position = place("monkey:A elephant:B zebra:C | zebra:A | sloth:A sloth:B", [15, 30, 30])
    outcome = egn.resolve({**position, "cupids_left": 2, "rulings": {"love_timing": timing}})
    assert "".join(name for name, count in outcome["cupids"].items() if count) == paid


def test_four_of_a_kind_at_the_reveal_leave_like_three():
    assert scores(place("squid:A squid:B squid:C squid:D bear:A", [5])) == (3, 3, 3, 3)


def test_empty_boat_sails():
    outcome = egn.resolve(place("| deer:B", [0, 5]))
    assert outcome["boats"] == [
        {"capacity": 0, "load": 0, "sails": True},
        {"capacity": 5, "load": 6, "sails": False},
    ]


@pytest.mark.parametrize(
    ("boats", "caps"),
    [
        ("fox:A elephant:C | elephant:A elephant:B mouse:A", [5, 30]),
        ("monkey:A deer:B mouse:C | mouse:A mouse:B elephant:B", [30, 30]),
    ],
)
def test_lovers_silence_the_mouse_though_a_third_is_single(boats, caps):
    assert egn.resolve(place(boats, caps))["boats"][1]["capacity"] == 30  # no draw was needed


def test_third_mouse_weighs_nothing_beside_a_loving_pair():
    position = place("monkey:A deer:B mouse:C | mouse:A mouse:B sloth:A", [30, 30])
    assert egn.resolve(position)["boats"][1]["load"] == 6


def test_two_single_mice_change_the_tile_twice():
    position = place("monkey:A deer:B mouse:C | mouse:A elephant:B", [30, 5], draws=[7, 9, 11])
    outcome = egn.resolve({**position, "rulings": {"love_timing": "reveal_only"}})
    assert outcome["boats"][1]["capacity"] == 9


def test_love_that_breaks_can_pay_an_animal_twice():
    position = place("monkey:A elephant:B zebra:C | zebra:A zebra:B fox:A | zebra:D", [15, 10, 30])
    outcome = egn.resolve({**position, "rulings": {"third_arrival": "love_breaks"}})
    assert outcome["cupids"] == {"A": 2, "B": 1, "C": 0, "D": 1}
    assert outcome["score"] == {"A": 15, "B": 13, "C": 0, "D": 9}


def test_squid_removed_by_a_third_swim_even_if_loving_squid_are_land_animals():
    both = {"third_arrival": "remove_three", "loved_squid": "land_animal"}
    assert scores(POSITIONS["EGN-T25"], **both) == (14, 24, 18)


@pytest.mark.parametrize("timing", ["boat_start", "reveal_only"])
@pytest.mark.parametrize("third", egn.RULINGS["third_arrival"])
def test_third_arrival_matters_only_when_love_is_dynamic(timing, third):
    usual = scores(LION_MEETS_A_THIRD_ZEBRA, love_timing=timing)
    assert scores(LION_MEETS_A_THIRD_ZEBRA, love_timing=timing, third_arrival=third) == usual


def test_three_of_a_kind_at_the_start_of_a_boats_turn_are_single():
    assert scores(LION_MEETS_A_THIRD_ZEBRA, love_timing="boat_start") == (13, 18, 7)


TWO_PEACOCKS = "fox:A bear:B peacock:C | peacock:B fox:B deer:A"


@pytest.mark.parametrize(
    ("tie_break", "cap", "kept"),
    [
        ("unloved_first_boarded", 9, {"A": ["deer", "fox"], "B": ["fox"], "C": ["peacock"]}),
        ("last_boarded", 9, {"A": ["deer", "fox"], "B": ["fox", "peacock"], "C": []}),
        ("blocked", 9, {"A": ["fox"], "B": [], "C": []}),
        ("blocked", 10, {"A": ["deer", "fox"], "B": ["peacock"], "C": ["peacock"]}),
    ],
)
def test_of_two_single_peacocks_the_tie_break_chooses(tie_break, cap, kept):
    rulings = {"love_timing": "reveal_only", "tie_break": tie_break}
    outcome = egn.resolve(place(TWO_PEACOCKS, [12, cap], rulings))
    outcome["kept"]["B"].remove("bear")
    assert outcome["kept"] == kept


def test_monkey_and_two_peacocks_under_a_blocked_tie():
    position = place(
        "fox:A bear:B peacock:C | peacock:B monkey:B deer:A",
        [12, 20],
        {"love_timing": "reveal_only"},
    )
    assert scores(position) == (2, 15, 1)  # the deer, truly the heaviest, flies
    assert scores(position, tie_break="blocked") == (8, 15, 1)


@pytest.mark.parametrize(
    ("tie_break", "score"),
    [
        ("unloved_first_boarded", (11, 20, 0)),
        ("last_boarded", (4, 20, 7)),
        ("blocked", (11, 20, 7)),
    ],
)
def test_tie_break_chooses_the_thrower_then_the_thrown(tie_break, score):
    position = place("monkey:A elephant:B zebra:C | monkey:B zebra:A sloth:B", [15, 40])
    assert scores(position, love_timing="reveal_only", tie_break=tie_break) == score


def test_lowest_seat_with_two_equal_species_takes_the_first_boarded():
    rulings = {"peacock_weight": 3, "tie_break": "lowest_seat"}
    assert scores(place("lion:B peacock:A squid:A", [12], rulings)) == (0, 9)
    assert scores(place("lion:B squid:A peacock:A", [12], rulings)) == (3, 9)


@pytest.mark.parametrize("tie_break", egn.RULINGS["tie_break"])
def test_a_tie_of_lovers_alone_is_love_not_a_tie(tie_break):
    position = place("fox:A sloth:A sloth:B", [12], {"fox_love": "target_blocks"})
    assert scores(position, tie_break=tie_break) == (9, 7)


def test_a_third_single_one_is_eaten_unless_ties_are_blocked():
    assert scores(LION_MEETS_A_THIRD_ZEBRA, tie_break="blocked") == (22, 20, 7)
    assert scores(LION_MEETS_A_THIRD_ZEBRA, tie_break="lowest_seat") == (22, 20, 0)


def test_fox_that_may_not_send_himself_finds_nobody_but_lovers():
    rulings = {"fox_love": "ignore_lovers", "fox_self_target": "no"}
    assert scores(POSITIONS["EGN-T13"], **rulings) == (2, 23)


@pytest.mark.parametrize(("self_target", "kept"), [("yes", ["mouse"]), ("no", [])])
def test_heaviest_fox_beside_loving_mice(self_target, kept):
    rulings = {"fox_love": "true_heaviest_blocks", "fox_self_target": self_target}
    outcome = egn.resolve(place("fox:A mouse:A mouse:B", [2], rulings))
    assert outcome["kept"] == {"A": kept, "B": kept}


def test_true_heaviest_forgets_the_plumage_only_for_the_check():
    position = place("fox:A mouse:A mouse:B peacock:C bear:D", [13])
    assert scores(position, fox_love="true_heaviest_blocks") == (4, 2, 0, 10)


def test_a_single_peacock_throws_the_monkey_past_ignored_lovers():
    position = place("monkey:A peacock:B zebra:A zebra:B", [30])
    assert scores(position, monkey_love="ignore_lovers") == (13, 10)
    both = {"monkey_love": "ignore_lovers", "monkey_min3_peacock": "peacock_throws"}
    assert scores(position, **both) == (9, 10)


def test_a_loving_thrower_is_no_obstacle_but_a_loving_target_is():
    position = place("monkey:A zebra:A zebra:B bear:C", [30], {"monkey_love": "target_blocks"})
    assert scores(position) == (13, 9, 10)  # the bear would throw a zebra


def test_half_kilos_are_reported():
    outcome = egn.resolve(place("mouse:A mouse:B", [1], {"loved_mouse_score": 0.5}))
    assert outcome["boats"] == [{"capacity": 1, "load": 1, "sails": True}]
    assert outcome["score"] == {"A": 2.5, "B": 2.5}


def test_rulings_of_whole_games_leave_a_position_alone():
    plain = scores(POSITIONS["EGN-T23"])
    for name in ONLY_IN_WHOLE_GAMES:
        for value in egn.RULINGS[name]:
            assert scores(POSITIONS["EGN-T23"], **{name: value}) == plain
    assert scores(POSITIONS["EGN-T23"], tile_deck="10:15, 20:15") == plain


# -- bad positions -----------------------------------------------------------------------------

GOOD = place("fox:A bear:B", [10])


def with_boat(**change):
    return {**GOOD, "boats": [{**GOOD["boats"][0], **change}]}


@pytest.mark.parametrize(
    ("position", "field"),
    [
        ([], "position"),
        ({"players": ["A", "B"]}, "position"),
        ({**GOOD, "animals": []}, "position"),
        ({**GOOD, "players": "AB"}, "players"),
        ({**GOOD, "players": ["A"]}, "players"),
        ({**GOOD, "players": ["A", "B", "C", "D", "E", "F"]}, "players"),
        ({**GOOD, "players": ["A", "A"]}, "players"),
        ({**GOOD, "players": ["A", 2]}, "players"),
        ({**GOOD, "boats": []}, "boats"),
        ({**GOOD, "boats": GOOD["boats"] * 6}, "boats"),
        ({**GOOD, "boats": {}}, "boats"),
        ({**GOOD, "boats": [7]}, r"boats\[0\]"),
        ({**GOOD, "boats": GOOD["boats"] * 2}, r"boats\[1\].animals\[0\]"),
        (with_boat(tile=3), r"boats\[0\]"),
        (with_boat(capacity=-1), r"boats\[0\].capacity"),
        (with_boat(capacity=True), r"boats\[0\].capacity"),
        (with_boat(animals="fox"), r"boats\[0\].animals"),
        (with_boat(animals=[["fox"]]), r"boats\[0\].animals\[0\]"),
        (with_boat(animals=[["octopus", "A"]]), r"boats\[0\].animals\[0\]"),
        (with_boat(animals=[["fox", "C"]]), r"boats\[0\].animals\[0\]"),
        (with_boat(animals=[["mouse", "A"], ["elephant", "B"]]), "draws"),
        ({**GOOD, "draws": 3}, "draws"),
        ({**GOOD, "draws": [1.5]}, "draws"),
        ({**GOOD, "cupids_left": 21}, "cupids_left"),
        ({**GOOD, "cupids_left": -1}, "cupids_left"),
        ({**GOOD, "rulings": []}, "rulings"),
        ({**GOOD, "rulings": {"fox": "yes"}}, "rulings.fox"),
        ({**GOOD, "rulings": {"fox_love": "maybe"}}, "rulings.fox_love"),
        ({**GOOD, "rulings": {"peacock_weight": True}}, "rulings.peacock_weight"),
        ({**GOOD, "rulings": {"tile_deck": [1] * 29}}, "rulings.tile_deck"),
        ({**GOOD, "rulings": {"tile_deck": "10:30:2"}}, "rulings.tile_deck"),
        ({**GOOD, "rulings": {"tile_deck": 30}}, "rulings.tile_deck"),
    ],
)
def test_bad_position_names_the_field(position, field):
    with pytest.raises(egn.PositionError, match=f"^{field}: "):
        egn.resolve(position)
