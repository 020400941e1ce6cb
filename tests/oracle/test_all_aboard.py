"""The All Aboard! referee against the vectors, every ruling, and bad input."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.oracle import all_aboard as aa
from tests.oracle.all_aboard_cases import (
    game_with_one_replacement,
    outcome,
    position,
    random_game,
)

VECTOR_FILE = Path(__file__).parents[1] / "vectors" / "all-aboard.json"
VECTORS = json.loads(VECTOR_FILE.read_text(encoding="utf-8"))["vectors"]


def vector_cases() -> list:
    """Return (position, expectation) of every vector and of every variant of it."""
    cases = []
    for vector in VECTORS:
        position = vector["position"]
        cases.append(pytest.param(position, vector["expect"], id=vector["name"]))
        for variant in vector["variants"]:
            rulings = variant["rulings"]
            label = ",".join(f"{name}={value}" for name, value in rulings.items())
            changed = position | {"rulings": position["rulings"] | rulings}
            cases.append(pytest.param(changed, variant["expect"], id=f"{vector['name']}[{label}]"))
    return cases


# --- Vectors


@pytest.mark.parametrize(("given", "expected"), vector_cases())
def test_vector(given, expected):
    out = aa.resolve(given)
    assert {key: out[key] for key in expected} == expected


def test_every_vector_that_is_a_position_is_in_the_file():
    numbers = [1, 3, 5, 6, 8, 10, 11, 13, 15, 16, 18, 20, 21, 23, 25]
    assert [vector["name"] for vector in VECTORS] == [f"AA-T{k:02}" for k in numbers]


def test_aa_t01_boat_two_needs_a_capacity_of_nine_or_more():
    given = VECTORS[0]["position"]
    for capacity, sails in ((8, False), (9, True)):
        boats = [dict(boat) for boat in given["boats"]]
        boats[1]["capacity"] = capacity
        assert aa.resolve(given | {"boats": boats})["boats"][1]["sails"] is sails


def test_aa_t26_refill_keeps_three_cards_until_the_last_round():
    out = aa.replay(*random_game(2, seed=26))
    hand = [3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 1, 0]
    deck = [8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0]
    for seat in range(2):
        sizes = [list(size) for size in zip(hand, deck, strict=True)]
        assert out["refills"][seat] == sizes


def test_aa_t26_refill_can_be_played_in_the_next_ply_of_the_same_round():
    setup, _ = random_game(2, seed=1)
    third, fourth, fifth = setup["decks"][0][2:5]
    other = setup["decks"][1]
    moves = [[0, third, 0], [1, other[0], 0], [0, fourth, 0], [1, other[1], 1], [0, fifth, 1]]
    with pytest.raises(aa.IllegalMove, match="round 1, ply 3, seat 1: the move is missing"):
        aa.replay(setup, moves)


@pytest.mark.parametrize("faces", ["DUU", "UUD"])
def test_aa_t27_faces_are_up_down_up_for_everybody(faces):
    setup, moves = random_game(2, seed=27)
    words = {"U": "up", "D": "down"}
    for faces_tried, legal in (("UDU", True), (faces, False)):
        faced = [[*move, words[faces_tried[k // 2 % 3]]] for k, move in enumerate(moves)]
        if legal:
            assert aa.replay(setup, faced) == aa.replay(setup, moves)
        else:
            with pytest.raises(aa.IllegalMove, match=r"ply .*, seat 0: the card lies"):
                aa.replay(setup, faced)


def test_aa_t28_final_ranking_goes_by_total_then_cupids_then_saved_cards():
    totals, winners, credit = aa.final_winners([26, 26, 28], [2, 2, 1], [9, 10, 11])
    assert totals == [30, 30, 30]
    assert winners == [1]
    assert credit == [0, 1, 0]


def test_aa_t29_boat_accounting_of_five_players():
    for seed in range(20):
        used = aa.replay(*random_game(5, seed))["boats_used"]
        replaced = [used[k] - 5 * (k + 1) for k in range(4)] + [used[4] - 20]
        assert replaced[0] == 0
        assert replaced == sorted(replaced)
        assert replaced[-1] <= 5
        assert aa.BOAT_CARDS - used[-1] >= 5


# --- Rulings: each value where it changes the outcome


@pytest.mark.parametrize(
    ("left", "supply", "paid"),
    [(20, "finite", 4), (3, "finite", 2), (1, "finite", 0), (0, "finite", 0), (1, "unlimited", 4)],
)
def test_cupids_run_out_pair_by_pair_and_a_lone_one_goes_to_nobody(left, supply, paid):
    given = position("zebra:A zebra:B | fox:C fox:D", [99, 99], {"cupid_supply": supply})
    cupids = aa.resolve(given | {"cupids_left": left})["cupids"]
    assert sum(cupids.values()) == paid
    assert cupids["A"] == cupids["B"] == min(1, paid)


def test_short_cupids_go_to_the_first_species_of_the_list_even_beside_a_fight():
    boat = "zebra:A zebra:B mouse:C peacock:D mouse:E peacock:A bear:A bear:B bear:C"
    out = aa.resolve(position(boat, [99], cupids_left=3))
    assert out["cupids"] == {"A": 0, "B": 0, "C": 1, "D": 0, "E": 1}
    assert out["boats"][0] == {"capacity": 99, "load": None, "sails": False}


def test_love_without_cupids_is_love():
    assert outcome("lion:C zebra:A zebra:B", [23], cupids_left=0) == (
        [23],
        "A:zebra B:zebra C:lion",
    )


def test_start_player_seat0_refuses_another_start_and_random_takes_it():
    setup, moves = random_game(3, seed=3, rulings={"start_player": "random"}, start=2)
    assert [move[0] for move in moves[:3]] == [2, 0, 1]
    assert moves[9][0] == 0  # the second round begins one seat to the left
    aa.replay(setup, moves)
    with pytest.raises(aa.PositionError, match="start: seat 2"):
        aa.replay(setup | {"rulings": {}}, moves)


@pytest.mark.parametrize(
    ("size", "species", "loads", "kept"),
    [
        ("ge3", "zebra", [None], ""),
        ("eq3", "zebra", [28], "A:zebra B:zebra C:zebra D:zebra"),
        ("ge3", "octopus", [None], "A:octopus B:octopus C:octopus D:octopus"),
        ("eq3", "octopus", [12], ""),
    ],
)
def test_fight_size_of_four_of_a_kind(size, species, loads, kept):
    boat = " ".join(f"{species}:{owner}" for owner in "ABCD")
    assert outcome(boat, [40], {"fight_size": size}) == (loads, kept)


@pytest.mark.parametrize("size", ["ge3", "eq3"])
def test_three_of_a_kind_fight_under_both_sizes(size):
    assert outcome("bear:A bear:B bear:C", [40], {"fight_size": size}) == ([None], "")


def test_eq3_each_of_four_mice_draws_a_boat():
    boat = "mouse:A mouse:B mouse:C mouse:D elephant:A"
    out = aa.resolve(position(boat, [20], {"fight_size": "eq3"}, draws=[9, 8, 30, 11, 5]))
    assert out["boats"] == [{"capacity": 11, "load": 11, "sails": True}]


def test_eq3_monkeys_act_in_boarding_order_and_throw_the_first_boarded_of_equals():
    boats = "monkey:B monkey:A monkey:C monkey:D bear:A | sloth:E"
    # B throws A's monkey; C then throws B's, who is gone; D then throws C's.
    loads, kept = outcome(boats, [40, 40], {"fight_size": "eq3"})
    assert loads == [14, None]
    assert kept == "A:bear D:monkey"


def test_eq3_a_tie_at_the_top_makes_the_monkey_idle():
    boat = "monkey:A zebra:A zebra:B zebra:C zebra:D fox:A"
    for reading, load in (("target_blocks", 34), ("ignore_lovers", 34), ("distinct_rank", 32)):
        rulings = {"fight_size": "eq3", "monkey_love": reading}
        assert outcome(boat, [99], rulings)[0] == [load]


def test_eq3_each_lion_eats_the_first_boarded_of_the_heaviest_lighter_animals():
    boat = "lion:A zebra:D lion:B zebra:C zebra:A lion:C zebra:B lion:D"
    assert outcome(boat, [99], {"fight_size": "eq3"})[1] == "A:lion B:lion C:lion D:lion"
    shorter = boat.replace("lion:B", "").replace("lion:C", "").replace("lion:D", "")
    assert outcome(shorter, [99], {"fight_size": "eq3"})[1] == "A:lion,zebra B:zebra C:zebra"


@pytest.mark.parametrize(
    ("bystanders", "kept", "loads"),
    [("normal_sink", "D:octopus E:fox", [None, 2]), ("all_discarded", "", [None, 0])],
)
def test_fight_bystanders(bystanders, kept, loads):
    boats = "bear:A bear:B octopus:D bear:C fox:E sloth:A |"
    rulings = {"fight_bystanders": bystanders, "fox_trio": "jump"}
    assert outcome(boats, [99, 2], rulings) == (loads, kept)


@pytest.mark.parametrize("bystanders", ["normal_sink", "all_discarded"])
def test_lovers_on_a_boat_that_a_fight_sinks_are_lost_and_keep_their_cupids(bystanders):
    boat = "octopus:A bear:A bear:B octopus:B bear:C"
    out = aa.resolve(position(boat, [99], {"fight_bystanders": bystanders}))
    assert not any(out["kept"].values())
    assert out["score"] == {"A": 2, "B": 2, "C": 0, "D": 0, "E": 0}


@pytest.mark.parametrize(("trio", "kept"), [("discard", "D:zebra"), ("jump", "")])
def test_fox_trio_that_jumps_sinks_the_next_boat_too(trio, kept):
    assert outcome("fox:A fox:B fox:C | zebra:D", [99, 99], {"fox_trio": trio})[1] == kept


def test_fox_trio_that_jumps_onto_a_fourth_fox_sails_under_eq3():
    rulings = {"fox_trio": "jump", "fight_size": "eq3"}
    boats = "fox:A fox:B fox:C | fox:D"
    assert outcome(boats, [0, 8], rulings) == ([None, 8], "A:fox B:fox C:fox D:fox")
    assert outcome(boats, [0, 8], rulings | {"fox_trio": "discard"}) == ([None, 2], "D:fox")


MONKEY_CASES = [  # boat with a monkey of A, loads by reading (total without what was thrown)
    ("pair at the top, single behind", "zebra:B zebra:C fox:A", (20, 20, 18)),
    ("pair at the top, two singles behind", "zebra:B sloth:C zebra:C fox:A", (25, 23, 20)),
    ("pair behind a heavier single", "bear:B zebra:B zebra:C", (28, 28, 28)),
    ("pair between two singles", "bear:B zebra:B zebra:C fox:A", (30, 28, 30)),
    ("pair below two singles", "bear:B zebra:B fox:A fox:C", (18, 18, 18)),
    ("pair alone", "zebra:B zebra:C", (18, 18, 18)),
    ("two pairs", "zebra:B zebra:C fox:B fox:C", (22, 22, 22)),
    ("mice in love behind a bear", "bear:B mouse:B mouse:C", (15, 15, 15)),
]


@pytest.mark.parametrize("reading", aa.RULINGS["monkey_love"])
@pytest.mark.parametrize(
    ("others", "loads"), [case[1:] for case in MONKEY_CASES], ids=[case[0] for case in MONKEY_CASES]
)
def test_monkey_love(reading, others, loads):
    expected = loads[aa.RULINGS["monkey_love"].index(reading)]
    assert outcome(f"monkey:A {others}", [99], {"monkey_love": reading})[0] == [expected]


@pytest.mark.parametrize(
    ("reading", "thrown", "thrown_behind_a_bear"),
    [
        ("target_blocks", False, False),
        ("ignore_lovers", False, True),
        ("distinct_rank", True, False),
    ],
)
def test_monkey_ranks_peacocks_in_love_above_a_mouse(reading, thrown, thrown_behind_a_bear):
    rulings = {"monkey_love": reading}
    boat = "monkey:A mouse:D peacock:B peacock:C"
    assert ("D:mouse" not in outcome(boat, [99], rulings)[1]) is thrown
    assert ("D:mouse" not in outcome(f"{boat} bear:A", [99], rulings)[1]) is thrown_behind_a_bear


@pytest.mark.parametrize(
    ("reading", "kept"),
    [
        ("target_blocks", "A:lion,sloth B:zebra C:zebra"),
        ("ignore_lovers", "A:lion B:zebra C:zebra"),
    ],
)
def test_lion_love(reading, kept):
    boat = "lion:A zebra:B sloth:A zebra:C"
    assert outcome(boat, [99], {"lion_love": reading})[1] == kept


def test_lion_is_blocked_by_peacocks_in_love_that_outweigh_a_mouse():
    boat = "lion:A mouse:B peacock:B peacock:C"
    assert outcome(boat, [99])[1] == "A:lion B:mouse,peacock C:peacock"
    assert outcome(boat, [99], {"lion_love": "ignore_lovers"})[1] == "A:lion B:peacock C:peacock"


@pytest.mark.parametrize(
    ("boat", "kept"),
    [
        ("lion:A bear:B elephant:C", "A:lion B:bear C:elephant"),
        ("lion:A bear:B peacock:C", "A:lion B:bear"),
        ("lion:A bear:B octopus:C", "A:lion B:bear"),
    ],
)
def test_lion_eats_only_what_is_lighter_and_an_eaten_octopus_is_lost(boat, kept):
    assert outcome(boat, [99])[1] == kept


def test_last_boat_throw_saves_an_octopus_and_nobody_else():
    rulings = {"last_boat_throw": "octopus_scores"}
    assert outcome("monkey:A bear:B octopus:C", [99])[1] == "A:monkey B:bear"
    assert outcome("monkey:A bear:B octopus:C", [99], rulings)[1] == "A:monkey B:bear C:octopus"
    assert outcome("monkey:A bear:B sloth:C", [99], rulings)[1] == "A:monkey B:bear"
    assert outcome("monkey:A bear:B octopus:C |", [99, 99], rulings)[1] == "A:monkey B:bear"


@pytest.mark.parametrize("ruling", ["discard", "reshuffle"])
def test_replaced_boat_can_come_again_only_when_it_was_reshuffled(ruling):
    # Both boats of 10 are turned up; the first is replaced; a boat of 10 comes a third time.
    boats = [10, 10, 20, 10, 11, 12, 13, 14, 15, 16, 17, 18]
    game = game_with_one_replacement(boats, {"replaced_boat": ruling})
    if ruling == "reshuffle":
        out = aa.replay(*game)
        assert out["rounds"][0]["capacities"] == [10, 10]
        assert out["rounds"][0]["boats"][0]["capacity"] == 20
        assert out["rounds"][1]["capacities"] == [10, 11]
    else:
        with pytest.raises(aa.PositionError, match=r"boats\[3\]: no boat of 10 is left"):
            aa.replay(*game)


def test_replaced_boat_draws_before_the_old_one_goes_back():
    deck = [10] * 1 + [11] * 29
    game = game_with_one_replacement(
        [10, 11, 10], {"replaced_boat": "reshuffle", "tile_deck": deck}
    )
    with pytest.raises(aa.PositionError, match=r"boats\[2\]: no boat of 10 is left"):
        aa.replay(*game)


def test_effects_off_keeps_weights_love_fights_and_the_trio_of_octopuses():
    off = {"effects": "off", "fox_trio": "jump"}
    assert outcome("mouse:A elephant:B octopus:C", [14], off) == (
        [14],
        "A:mouse B:elephant C:octopus",
    )
    assert outcome("monkey:A lion:B zebra:C", [20], off)[1] == "A:monkey B:lion C:zebra"
    assert outcome("octopus:A bear:B fox:C |", [12, 9], off) == ([15, 0], "")
    assert outcome("peacock:A peacock:B mouse:A mouse:B", [3], off)[0] == [3]
    assert outcome("fox:A fox:B fox:C |", [9, 9], off) == ([None, 0], "")
    assert outcome("bear:A bear:B bear:C octopus:D fox:E |", [9, 9], off) == ([None, 0], "")
    trio = "octopus:A octopus:B octopus:C"
    assert outcome(trio, [99], off)[1] == "A:octopus B:octopus C:octopus"


def test_effects_on_is_another_game():
    assert outcome("mouse:A elephant:B octopus:C", [14], draws=[15]) == (
        [14],
        "A:mouse B:elephant",
    )
    assert outcome("octopus:A bear:B fox:C |", [12, 9]) == ([15, 2], "A:octopus C:fox")


def test_final_tie_is_shared_or_won_by_nobody():
    result = ([10, 12, 12], [1, 0, 0], [3, 4, 4])
    half = Fraction(1, 2)
    assert aa.final_winners(*result)[1:] == ([0], [1, 0, 0])  # a cupid decides
    level = ([10, 10, 9], [1, 1, 1], [4, 4, 4])
    assert aa.final_winners(*level)[1:] == ([0, 1], [half, half, 0])
    assert aa.final_winners(*level, "no_winner")[1:] == ([], [0, 0, 0])
    assert aa.final_winners(*result, "no_winner")[1:] == ([0], [1, 0, 0])


def test_tile_deck_is_thirty_integers_or_pairs():
    assert len(aa.TILE_DECK) == 30
    pairs = [f"{capacity}:{count}" for capacity, count in aa.TILE_COUNTS.items()]
    assert aa.read_tile_deck(pairs) == aa.read_tile_deck(", ".join(pairs)) == aa.TILE_DECK
    setup, moves = random_game(3, seed=30)
    assert aa.replay(setup | {"tile_deck": aa.TILE_DECK}, moves) == aa.replay(setup, moves)
    with pytest.raises(aa.PositionError, match=r"boats\[0\]: no boat"):
        aa.replay(setup | {"rulings": {"tile_deck": "99:30"}}, moves)
    with pytest.raises(aa.PositionError, match="tile_deck: differs"):
        aa.replay(setup | {"tile_deck": [9] * 30, "rulings": {"tile_deck": pairs}}, moves)


# --- Resolution, whole games, strategy


def test_an_empty_boat_sails_and_a_lighter_than_air_boat_too():
    assert outcome("| peacock:A", [0, 0]) == ([0, -2], "A:peacock")


def test_a_mouse_can_be_thrown_from_boat_to_boat_and_replace_each():
    boats = "monkey:A elephant:A mouse:B | elephant:B monkey:B | elephant:C"
    given = position(boats, [1, 1, 1], draws=[30, 31, 32])
    assert [boat["capacity"] for boat in aa.resolve(given)["boats"]] == [30, 31, 32]


RULING_SETS = [{}] + [{name: v} for name, values in aa.RULINGS.items() for v in values[1:]]


@pytest.mark.parametrize("rulings", RULING_SETS, ids=str)
def test_random_games_keep_the_provable_facts(rulings):
    for seed in range(6):
        n = 2 + seed % 4
        setup, moves = random_game(n, seed, rulings)
        out = aa.replay(setup, moves)
        assert len(out["rounds"]) == len(out["leaders"]) == 4
        assert out["saved"] == [12 - len(lost) for lost in out["discarded"]]
        assert sum(out["credit"]) == bool(out["winners"])
        assert set(out["winners"]) <= set(out["leaders"][-1])
        assert out["totals"] == [
            p + 2 * c for p, c in zip(out["points"], out["cupids"], strict=True)
        ]


def test_replay_agrees_with_resolve_round_by_round():
    setup, moves = random_game(4, seed=7)
    out = aa.replay(setup, moves)
    for k, before in enumerate(out["rounds"]):
        used = out["boats_used"]
        names = "ABCD"
        boats = [
            {"capacity": capacity, "animals": [[s, names[seat]] for s, seat in aboard]}
            for capacity, aboard in zip(before["capacities"], before["boats_before"], strict=True)
        ]
        draws = setup["boats"][used[k] : used[k + 1]]
        given = {"players": list(names), "boats": boats, "draws": draws}
        alone = aa.resolve(given)
        assert alone["boats"] == before["boats"]
        assert list(alone["kept"].values()) == before["kept"]
        assert list(alone["cupids"].values()) == before["cupids"]


def test_random_is_uniform_over_cards_and_open_boats():
    state = {"hand": ["fox", "bear"], "boats": [["lion"] * 3, [], ["mouse"]]}
    law = aa.random_distribution(state)
    assert list(law) == [("fox", 1), ("fox", 2), ("bear", 1), ("bear", 2)]
    assert set(law.values()) == {Fraction(1, 4)}
    assert aa.random_distribution({"hand": [], "boats": [[]]}) == {}


# --- Errors

GOOD = position("mouse:A elephant:B | fox:C", [12, 9], draws=[16])
BAD_POSITIONS = [
    ([], "position"),
    (GOOD | {"extra": 1}, "unknown key 'extra'"),
    ({"players": ["A", "B"]}, "'boats' is missing"),
    (GOOD | {"players": ["A"]}, "players"),
    (GOOD | {"players": ["A", "A"]}, "players: the names must differ"),
    (GOOD | {"players": ["A", ""]}, "players"),
    (GOOD | {"boats": []}, "boats"),
    (GOOD | {"boats": [{"capacity": True, "animals": []}]}, r"boats\[0\].capacity"),
    (GOOD | {"boats": [{"capacity": 1, "animals": "x"}]}, r"boats\[0\].animals"),
    (GOOD | {"boats": [{"capacity": 1, "animals": ["fox"]}]}, r"animals\[0\]"),
    (position("squid:A", [1]), r"animals\[0\]: unknown species 'squid'"),
    (position("fox:Z", [1]), r"animals\[0\]: 'Z' is not among the players"),
    (position("fox:A | fox:A", [1, 1]), r"boats\[1\].animals\[0\]: the fox of A"),
    (GOOD | {"draws": [1.5]}, "draws"),
    (GOOD | {"draws": []}, "draws: a mouse"),
    (GOOD | {"cupids_left": 21}, "cupids_left"),
    (GOOD | {"rulings": []}, "rulings"),
    (GOOD | {"rulings": {"fox_love": 1}}, "unknown ruling 'fox_love'"),
    (GOOD | {"rulings": {"effects": True}}, "rulings.effects: True is not one of"),
    (GOOD | {"rulings": {"tile_deck": [1] * 29}}, "rulings.tile_deck: needs 30"),
    (GOOD | {"rulings": {"tile_deck": ["x"]}}, "rulings.tile_deck: 'x'"),
]


@pytest.mark.parametrize(("given", "message"), BAD_POSITIONS)
def test_bad_positions_name_the_field(given, message):
    with pytest.raises(aa.PositionError, match=message):
        aa.resolve(given)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": 6}, "players"),
        ({"start": 2}, "start"),
        ({"decks": [["fox"] * 12] * 2}, r"decks\[0\]"),
        ({"boats": [10]}, "boats: boat card 2"),
        ({"boats": ["10"]}, "boats: must"),
        ({"tile_deck": 30}, "tile_deck"),
        ({"seed": 1}, "setup: unknown key"),
    ],
)
def test_bad_setups_name_the_field(change, message):
    setup, moves = random_game(2, seed=5)
    with pytest.raises(aa.PositionError, match=message):
        aa.replay(setup | change, moves)


def test_illegal_moves_name_ply_and_seat():
    setup, moves = random_game(2, seed=5)
    first, hand = moves[0], setup["decks"][0][:3]
    late = setup["decks"][0][11]
    in_hand = next(card for card in hand if card != first[1])
    for wrong, message in (
        ([1, setup["decks"][1][0], 0], "seat 0: seat 1 is not to move"),
        ([0, late, 0], "seat 0: .* is not in the hand"),
        ([0, in_hand, 2], "seat 0: there is no boat 2"),
        ([0, in_hand, False], "seat 0: there is no boat False"),
        ([0, in_hand], "seat 0: .* is not"),
    ):
        with pytest.raises(aa.IllegalMove, match=f"round 1, ply 1, {message}"):
            aa.replay(setup, [wrong, *moves[1:]])
    crowd = [[k % 2, setup["decks"][k % 2][k // 2], 0] for k in range(4)]
    with pytest.raises(aa.IllegalMove, match="round 1, ply 2, seat 1: boat 0 is full"):
        aa.replay(setup, crowd)
    with pytest.raises(aa.IllegalMove, match="1 moves too many"):
        aa.replay(setup, [*moves, moves[0]])
