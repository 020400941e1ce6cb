"""The built-in strategies of All Aboard!: legal, different, and true to their ideas."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from analyzer.games.boats_setup import TILE_DECK
from analyzer.games.kinds import Deck
from kernels.abi import CREDIT_UNIT
from kernels.boats import aa_forecast as forecast
from kernels.boats import aa_setup, tally
from kernels.boats import view as see
from kernels.boats.aa_strategies import STRATEGIES
from kernels.boats.cards import NIBBLE, SEAT_STRIDE, SPECIES
from tests.boats.block import play as play_blocks
from tests.door import ask
from tests.oracle import all_aboard as referee
from tests.oracle.all_aboard_voyage import SPECIES as NAMES

TILES = Deck.cards(TILE_DECK)
NOT_RANDOM = [name for name in STRATEGIES if name != "random"]


def play(names, games, rulings=None, seed=7):
    """Play a block and return its sums."""
    return play_blocks("all-aboard", names, rulings, [(0, games)], seed=seed).sums


def win_rate(name, games):
    """Return the win rate of one strategy against three random, over all four seats."""
    credit = 0
    for seat in range(4):
        names = ["random"] * 4
        names[seat] = name
        credit += play(names, games)[tally.CREDIT + seat]
    return credit / (4 * games * CREDIT_UNIT)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_plays_only_legal_moves(name, players):
    assert play([name] * players, 2000)[tally.GAMES] == 2000
    play([name] + ["random"] * (players - 1), 2000)


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_plays_legal_moves_without_effects(name):
    play([name] * 5, 1000, {"effects": "off", "cupid_supply": "unlimited"})


@pytest.mark.parametrize("name", NOT_RANDOM)
def test_a_strategy_differs_from_random(name):
    games = 200
    ours = play([name] + ["random"] * 3, games)
    assert ours[tally.DIGEST] != play(["random"] * 4, games)[tally.DIGEST]


def test_all_strategies_differ_from_each_other():
    digests = [play([name] * 4, 200)[tally.DIGEST] for name in STRATEGIES]
    assert len(set(digests)) == len(STRATEGIES)


def test_greedy_wins_three_quarters_of_its_games_against_three_random():
    assert win_rate("greedy", 2500) > 0.75


@pytest.mark.parametrize("name", ["heavy", "cupid", "saboteur"])
def test_a_simple_strategy_beats_three_random(name):
    assert win_rate(name, 2500) > 0.35


def test_the_same_seed_gives_the_same_games():
    names = list(STRATEGIES)[:5]
    assert (play(names, 300) == play(names, 300)).all()


# --- the forecast against the referee -------------------------------------------------------------


def referee_score(trio, capacity, effects, next_capacity=None):
    """Return what the owner of the first animal scores on a boat of its own, cupid included."""
    boat = {"capacity": capacity, "animals": [[NAMES[s], "ABC"[k]] for k, s in enumerate(trio)]}
    boats = [boat]
    if next_capacity is not None:
        boats.append({"capacity": next_capacity, "animals": []})
    rulings = {"effects": "on" if effects else "off"}
    position = {"players": list("ABC"), "boats": boats, "draws": [], "rulings": rulings}
    if effects and forecast.foresee(trio, effects, True)[-1]:
        # Both the old card and the drawn one: a replacement not foreseen finds no draw.
        position["draws"] = [capacity]
        boat["capacity"] = 99 - capacity
    return referee.resolve(position)["score"]["A"]


@pytest.mark.parametrize("first", range(SPECIES))
@pytest.mark.parametrize("effects", [True, False])
def test_the_forecast_agrees_with_the_referee(first, effects):
    for companions in combinations_with_replacement(range(SPECIES), 2):
        trio = (first, *companions)
        for last in (True, False):
            load, sails, sinks, cupid, _ = forecast.foresee(trio, effects, last)
            fought = load == forecast.NEVER_SAILS
            for capacity in (0, 40) if fought else (load - 1, load):
                if capacity < 0:
                    continue
                value = (sails if load <= capacity else sinks) + cupid
                expected = referee_score(trio, capacity, effects)
                if not last:
                    # Alone on a wide boat it is saved; alone on none at all only an octopus is.
                    refuge = 0 if NAMES[first] == "octopus" else 99
                    moved_on = referee_score(trio, capacity, effects, refuge)
                    expected = (expected + moved_on) / 2
                assert value == forecast.HALVES * expected, (trio, capacity, last)


def test_outcomes_hold_what_foresee_says_in_either_order_of_the_companions():
    for second, third in ((3, 9), (9, 3), (4, 4)):
        word = forecast.OUTCOMES[(2 * SPECIES + 4) * SPECIES**2 + second * SPECIES + third]
        load, sails, sinks, cupid, redrawn = forecast.foresee((4, second, third), False, False)
        assert word >> forecast.LOAD_SHIFT == load + forecast.LOAD_OFFSET
        assert word >> forecast.SAILS_SHIFT & forecast.FIELD_MASK == sails
        assert word >> forecast.SINKS_SHIFT & forecast.FIELD_MASK == sinks
        assert word >> forecast.CUPID_SHIFT & forecast.FIELD_MASK == cupid
        assert word >> forecast.REDRAWN_SHIFT & forecast.FIELD_MASK == redrawn


# --- single decisions -----------------------------------------------------------------------------


def card(name, seat):
    return NAMES.index(name) * SEAT_STRIDE + seat


def decide(name, hand, boats, hidden=None, gone=0, effects=True):
    """Ask a strategy for seat 0's move in a third ply, without a face-down animal of its own.

    Parameters
    ----------
    hand : list of str
    boats : list of (capacity, [(animal, seat), ...])
        As many as players; the animals are face up.
    hidden : dict of int to int, optional
        By boat: the seat that has a face-down animal there.
    gone : int
        Set of cards out of the game.

    Returns
    -------
    tuple of (str, int)
        Animal played, boat.
    """
    view = np.zeros(see.VIEW_CELLS, dtype=np.int64)
    hidden = hidden or {}
    view[see.PLY] = 2
    view[see.GONE] = gone
    view[see.HAND_SIZE_NOW] = len(hand)
    view[see.HAND] = sum(NAMES.index(animal) << NIBBLE * k for k, animal in enumerate(hand))
    view[see.FACES] = 1
    view[see.DOWN] = see.NOTHING_DOWN
    view[see.CUPIDS_LEFT] = 20
    view[see.PLAYERS] = len(boats)
    view[see.RULING + aa_setup.EFFECTS] = not effects
    view[see.TILES : see.TILES + len(TILES)] = TILES
    open_boats = 0
    for boat, (capacity, animals) in enumerate(boats):
        view[see.CAPACITY + boat] = capacity
        view[see.HIDDEN + boat] = 1 << hidden[boat] if boat in hidden else 0
        aboard = len(animals) + (boat in hidden)
        for _ in range(aboard):
            view[see.ABOARD] = see.with_one_more(int(view[see.ABOARD]), boat)
        view[see.SEEN + boat] = sum(1 << card(*animal) for animal in animals)
        open_boats |= (aboard < 3) << boat
    view[see.OPEN_BOATS] = open_boats
    legal = int(see.legal_set(open_boats, len(hand), 1))
    move = ask(see.DOOR, STRATEGIES[name], view, legal)
    assert legal >> move & 1
    return hand[move >> see.SLOT_SHIFT & see.SLOT_FIELD], move & see.BOAT_FIELD


THREE_BOATS = [
    (20, [("zebra", 1), ("bear", 2)]),
    (15, [("sloth", 1)]),
    (12, [("fox", 1), ("monkey", 2)]),
]


def test_heavy_plays_its_heaviest_card_to_the_most_room():
    assert decide("heavy", ["mouse", "elephant", "lion"], THREE_BOATS) == ("elephant", 1)


def test_light_plays_its_lightest_card_to_the_least_room():
    assert decide("light", ["mouse", "elephant", "lion"], THREE_BOATS) == ("mouse", 0)


def test_light_knows_that_a_peacock_is_lighter_than_a_mouse():
    assert decide("light", ["mouse", "peacock"], THREE_BOATS)[0] == "peacock"


def test_light_takes_the_most_room_when_no_boat_holds_the_card():
    boats = [(10, [("bear", 1)]), (12, [("lion", 1)]), (9, [("lion", 2)])]
    assert decide("light", ["elephant"], boats) == ("elephant", 1)


def test_cupid_joins_a_single_animal_of_its_kind():
    assert decide("cupid", ["mouse", "elephant", "sloth"], THREE_BOATS) == ("sloth", 1)


def test_cupid_prefers_the_pair_that_sails():
    hand = ["zebra", "sloth", "fox"]
    boats = [(16, [("zebra", 1), ("bear", 2)]), (15, [("sloth", 1)]), (12, [("fox", 1)])]
    assert decide("cupid", hand, boats) == ("sloth", 1)


def test_cupid_does_not_join_a_pair():
    boats = [(20, [("zebra", 1), ("zebra", 2)]), (12, [("lion", 1)]), (10, [("bear", 1)])]
    assert decide("cupid", ["zebra", "sloth"], boats) != ("zebra", 0)
    assert decide("cupid", ["zebra"], boats) == ("zebra", 1)


def test_saboteur_makes_a_trio_of_others_lovers():
    boats = [(20, [("zebra", 1), ("zebra", 2)]), (20, [("mouse", 1)]), (20, [("peacock", 1)])]
    assert decide("saboteur", ["mouse", "zebra", "sloth"], boats) == ("zebra", 0)


def test_saboteur_sinks_the_elephant_of_another_and_not_its_own():
    boats = [
        (25, [("elephant", 0), ("sloth", 1)]),
        (25, [("elephant", 1), ("sloth", 2)]),
        (25, [("mouse", 1), ("peacock", 2)]),
    ]
    assert decide("saboteur", ["bear"], boats) == ("bear", 1)
    assert decide("saboteur", ["bear"], [boats[0], boats[2]]) == ("bear", 1)


def test_saboteur_does_not_sink_octopuses():
    boats = [(12, [("octopus", 1), ("lion", 2)]), (12, [("monkey", 1), ("lion", 2)])]
    assert decide("saboteur", ["giraffe"], boats) == ("giraffe", 1)


def test_greedy_sends_the_octopus_to_the_boat_that_sinks():
    boats = [(20, [("sloth", 1), ("fox", 2)]), (12, [("bear", 1), ("elephant", 2)])]
    assert decide("greedy", ["octopus"], boats) == ("octopus", 1)
    assert decide("greedy", ["octopus"], boats, effects=False) == ("octopus", 0)


def test_greedy_joins_a_pair_to_be_and_shuns_a_fight():
    boats = [(20, [("zebra", 1), ("sloth", 2)]), (20, [("monkey", 1), ("fox", 2)])]
    assert decide("greedy", ["zebra"], boats) == ("zebra", 0)
    boats = [(30, [("zebra", 1), ("zebra", 2)]), (20, [("moose", 1), ("fox", 2)])]
    assert decide("greedy", ["zebra"], boats) == ("zebra", 1)


def test_greedy_is_not_eaten_when_it_can_help_it():
    boats = [(20, [("lion", 1), ("mouse", 2)]), (20, [("elephant", 1), ("fox", 2)])]
    assert decide("greedy", ["moose"], boats) == ("moose", 1)


def test_greedy_minds_its_own_animals_aboard():
    # The bear would sail alone in either case, but on the left it sinks the seat's own elephant.
    boats = [(21, [("elephant", 0), ("sloth", 2)]), (19, [("zebra", 1), ("fox", 2)])]
    assert decide("greedy", ["bear"], boats) == ("bear", 1)


def test_greedy_draws_a_new_boat_for_its_elephant_on_a_small_one():
    boats = [(9, [("elephant", 0), ("peacock", 1)]), (20, [("sloth", 1), ("fox", 2)])]
    assert decide("greedy", ["mouse"], boats) == ("mouse", 0)


@pytest.mark.parametrize(("left", "boat"), [("elephant", 1), ("peacock", 0)])
def test_greedy_takes_a_face_down_animal_for_one_of_its_owners_unseen_cards(left, boat):
    gone = sum(1 << card(name, 1) for name in NAMES if name != left)
    boats = [(20, [("sloth", 2)]), (10, [("mouse", 2)]), (10, [("zebra", 2), ("monkey", 2)])]
    assert decide("greedy", ["giraffe"], boats, hidden={0: 1}, gone=gone) == ("giraffe", boat)


def test_among_equal_moves_the_lowest_is_played():
    boats = [(40, [("sloth", 1), ("fox", 1)]), (40, [("zebra", 1), ("moose", 1)]), (40, [])]
    assert decide("greedy", ["giraffe"], boats) == ("giraffe", 0)
