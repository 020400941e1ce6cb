"""The built-in strategies of Einer geht noch!: legal, different, and true to their ideas."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy.stats import chisquare

from kernels.abi import CREDIT_UNIT
from kernels.boats import egn_forecast as forecast
from kernels.boats import egn_setup, egn_tally, tally
from kernels.boats import view as see
from kernels.boats.cards import NIBBLE, PLIES, SPECIES, SQUID
from kernels.boats.egn_strategies import STRATEGIES
from kernels.boats.egn_weights import SCORE_UNIT
from tests.boats.block import play
from tests.boats.egn_cases import SPECIES as NAMES
from tests.boats.egn_cases import card_of, logged_game
from tests.door import ask
from tests.oracle import einer_geht_noch as referee

NOT_RANDOM = [name for name in STRATEGIES if name != "random"]
UP, DOWN = 1, 2


def block(names, games, rulings=None, seed=7):
    """Play a block and return its sums."""
    return play("einer-geht-noch", names, rulings, [(0, games)], seed=seed).sums


def win_rate(name, games):
    """Return the win rate of one strategy against three random, over all four seats."""
    credit = 0
    for seat in range(4):
        names = ["random"] * 4
        names[seat] = name
        credit += block(names, games)[tally.CREDIT + seat]
    return credit / (4 * games * CREDIT_UNIT)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_plays_only_legal_moves(name, players):
    assert block([name] * players, 1500)[tally.GAMES] == 1500
    block([name] + ["random"] * (players - 1), 1500)


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_plays_legal_moves_under_other_rulings(name):
    rulings = {"cupid_supply": "unlimited", "peacock_weight": 3, "love_timing": "boat_start"}
    block([name] * 5, 1000, rulings)


@pytest.mark.parametrize("name", NOT_RANDOM)
def test_a_strategy_differs_from_random(name):
    ours = block([name] + ["random"] * 3, 200)
    assert ours[tally.DIGEST] != block(["random"] * 4, 200)[tally.DIGEST]


def test_all_strategies_differ_from_each_other():
    digests = [block([name] * 4, 200)[tally.DIGEST] for name in STRATEGIES]
    assert len(set(digests)) == len(STRATEGIES)


def test_greedy_wins_six_of_ten_games_against_three_random():
    assert win_rate("greedy", 2000) > 0.6


@pytest.mark.parametrize("name", ["heavy", "cupid", "saboteur"])
def test_a_simple_strategy_beats_three_random(name):
    assert win_rate(name, 2000) > 0.35


def test_the_bluffer_beats_greedy_where_others_look():
    games = 3000
    credit = np.zeros(2)
    for first in range(2):
        names = [("bluffer", "greedy")[(first + seat) % 2] for seat in range(4)]
        sums = block(names, games)
        for seat, name in enumerate(names):
            credit[int(name == "greedy")] += sums[tally.CREDIT + seat]
    assert credit[0] > 1.04 * credit[1]


def test_a_seat_s_own_choices_move_no_card_and_no_first_tile():
    one = logged_game(5, 6, {}, ["random"] * 3).setup
    other = logged_game(5, 6, {}, ["greedy"] * 3).setup
    assert one["decks"] == other["decks"]
    assert one["tiles"][:3] == other["tiles"][:3]


# --- random ---------------------------------------------------------------------------------------


def test_random_is_uniform_over_the_legal_triples():
    """Every move's place among the legal ones, as the referee lists them, is uniform."""
    places = defaultdict(Counter)
    for number in range(1200):
        game = logged_game(11, number, {}, ["random"] * (2 + number % 3))
        table = referee.Game(game.setup)
        for move in game.moves:
            law = referee.random_distribution(table.state())
            assert len(set(law.values())) == 1
            places[len(law)][list(law).index(tuple(move[1:]))] += 1
            table.play(*move)
    tested = {size: count for size, count in places.items() if count.total() > 40 * size > 40}
    assert {3 * 2 * 4, 3 * 2 * 3, 2 * 2 * 2} <= set(tested)
    for size, count in tested.items():
        assert chisquare([count[k] for k in range(size)]).pvalue > 1e-5, size


# --- the forecast against the referee -------------------------------------------------------------


def referee_score(trio, capacity, next_capacity=None):
    """Return what the owner of the first animal scores on a boat of its own, cupid included."""
    animals = [[NAMES[s], "ABC"[k]] for k, s in enumerate(trio)]
    boats = [{"capacity": capacity, "animals": animals}]
    if next_capacity is not None:
        boats.append({"capacity": next_capacity, "animals": []})
    redrawn = forecast.foresee(trio, True).get(forecast.REDRAWN)
    # A tile of the same size is drawn; one that is not foreseen is missing.
    draws = [capacity] if redrawn else []
    position = {"players": list("ABC"), "boats": boats, "draws": draws}
    return referee.resolve(position)["score"]["A"]


@pytest.mark.parametrize("first", range(SPECIES))
def test_the_forecast_agrees_with_the_referee(first):
    # Alone on a wide boat an animal is saved; alone on none at all only a squid is.
    refuge, grave = (0, 99) if first == SQUID else (99, 0)
    for companions in combinations_with_replacement(range(SPECIES), 2):
        trio = (first, *companions)
        for last in (True, False):
            fields = forecast.foresee(trio, last)
            word = sum(int(value) << shift for shift, value in fields.items())
            limits = {fields[forecast.HOLD_LOAD], fields.get(forecast.LOAD, 0)}
            for capacity in {limit - k for limit in limits for k in (0, 1) if limit >= k}:
                value = forecast.value_at.py_func(word, capacity) + fields.get(
                    forecast.CUPID_VALUE, 0
                )
                if last:
                    expected = referee_score(trio, capacity)
                else:
                    saved = referee_score(trio, capacity, refuge)
                    expected = (saved + referee_score(trio, capacity, grave)) / 2
                assert value == SCORE_UNIT * expected, (trio, capacity, last)


def test_outcomes_hold_what_foresee_says_in_either_order_of_the_companions():
    for second, third in ((3, 9), (9, 3), (4, 4), (10, 11)):
        word = forecast.OUTCOMES[(SPECIES + 4) * SPECIES**2 + second * SPECIES + third]
        for shift, value in forecast.foresee((4, second, third), True).items():
            assert int(word) >> shift & forecast.FIELD_MASK == value


# --- single decisions -----------------------------------------------------------------------------


def decide(name, hand, boats, hidden=None, gone=0, faces=UP):
    """Ask a strategy for seat 0's move.

    Parameters
    ----------
    hand : list of str
    boats : list of (capacity, [(animal, seat), ...])
        As many as players; the animals are face up.
    hidden : dict of int to int, optional
        By boat: the seat that has a face-down animal there.
    gone : int
        Set of cards out of the game.
    faces : int
        Mask of the legal faces.

    Returns
    -------
    tuple of (str, int) or (str, int, str)
        Animal played, boat, and the face if both were legal.
    """
    view = np.zeros(see.VIEW_CELLS, dtype=np.int64)
    hidden = hidden or {}
    view[see.PLY] = PLIES - len(hand)
    view[see.GONE] = gone
    view[see.HAND_SIZE_NOW] = len(hand)
    view[see.HAND] = sum(NAMES.index(animal) << NIBBLE * k for k, animal in enumerate(hand))
    view[see.FACES] = faces
    view[see.DOWN] = see.NOTHING_DOWN
    view[see.CUPIDS_LEFT] = 20
    view[see.PLAYERS] = len(boats)
    view[see.RULING + egn_setup.PEACOCK_WEIGHT] = 1
    view[see.TILES : see.TILES + 30] = referee.DEFAULT_TILE_DECK
    open_boats = 0
    for boat, (capacity, animals) in enumerate(boats):
        view[see.CAPACITY + boat] = capacity
        view[see.HIDDEN + boat] = 1 << hidden[boat] if boat in hidden else 0
        aboard = len(animals) + (boat in hidden)
        for _ in range(aboard):
            view[see.ABOARD] = see.with_one_more(int(view[see.ABOARD]), boat)
        view[see.SEEN + boat] = sum(1 << card_of(*animal) for animal in animals)
        open_boats |= (aboard < 3) << boat
    view[see.OPEN_BOATS] = open_boats
    legal = int(see.legal_set(open_boats, len(hand), faces))
    move = ask(see.DOOR, STRATEGIES[name], view, legal)
    assert legal >> move & 1
    answer = hand[move >> see.SLOT_SHIFT & see.SLOT_FIELD], move & see.BOAT_FIELD
    return answer if faces != see.BOTH_FACES else (*answer, "down" if move >> 5 else "up")


THREE_BOATS = [
    (20, [("zebra", 1), ("bear", 2)]),
    (15, [("sloth", 1)]),
    (12, [("fox", 1), ("monkey", 2)]),
]


def test_heavy_plays_its_heaviest_card_to_the_most_room():
    assert decide("heavy", ["mouse", "elephant", "lion"], THREE_BOATS) == ("elephant", 1)


def test_light_plays_its_lightest_card_to_the_least_room():
    assert decide("light", ["mouse", "elephant", "lion"], THREE_BOATS) == ("mouse", 0)


def test_light_takes_the_most_room_when_no_boat_holds_the_card():
    boats = [(10, [("bear", 1)]), (12, [("lion", 1)]), (9, [("lion", 2)])]
    assert decide("light", ["elephant"], boats) == ("elephant", 1)


def test_cupid_joins_a_single_animal_of_its_kind():
    assert decide("cupid", ["mouse", "elephant", "sloth"], THREE_BOATS) == ("sloth", 1)


def test_cupid_prefers_the_pair_that_sails():
    boats = [(16, [("zebra", 1), ("bear", 2)]), (15, [("sloth", 1)]), (12, [("fox", 1)])]
    assert decide("cupid", ["zebra", "sloth", "fox"], boats) == ("sloth", 1)


def test_cupid_does_not_join_a_pair():
    boats = [(20, [("zebra", 1), ("zebra", 2)]), (12, [("lion", 1)]), (10, [("bear", 1)])]
    assert decide("cupid", ["zebra", "sloth"], boats) != ("zebra", 0)
    assert decide("cupid", ["zebra"], boats) == ("zebra", 1)


def test_saboteur_makes_a_trio_of_others_lovers():
    boats = [(20, [("zebra", 1), ("zebra", 2)]), (20, [("mouse", 1)]), (20, [("peacock", 1)])]
    assert decide("saboteur", ["mouse", "zebra", "sloth"], boats) == ("zebra", 0)


def test_saboteur_capsizes_the_elephant_of_another_and_not_its_own():
    boats = [
        (25, [("elephant", 0), ("sloth", 1)]),
        (25, [("elephant", 1), ("sloth", 2)]),
        (25, [("mouse", 1), ("peacock", 2)]),
    ]
    assert decide("saboteur", ["bear"], boats) == ("bear", 1)
    assert decide("saboteur", ["bear"], [boats[0], boats[2]]) == ("bear", 1)


def test_saboteur_does_not_capsize_squids():
    boats = [(17, [("squid", 1), ("lion", 2)]), (18, [("monkey", 1), ("lion", 2)])]
    assert decide("saboteur", ["deer"], boats) == ("deer", 1)


def test_greedy_sends_the_squid_to_the_boat_that_capsizes():
    boats = [(20, [("sloth", 1), ("deer", 2)]), (12, [("bear", 1), ("elephant", 2)])]
    assert decide("greedy", ["squid"], boats) == ("squid", 1)


def test_greedy_joins_a_pair_to_be_and_shuns_a_trio():
    boats = [(20, [("zebra", 1), ("sloth", 2)]), (20, [("deer", 1), ("mouse", 2)])]
    assert decide("greedy", ["zebra"], boats) == ("zebra", 0)
    boats = [(30, [("zebra", 1), ("zebra", 2)]), (20, [("deer", 1), ("sloth", 2)])]
    assert decide("greedy", ["zebra"], boats) == ("zebra", 1)


def test_greedy_is_not_eaten_when_it_can_help_it():
    boats = [(20, [("lion", 1), ("mouse", 2)]), (20, [("elephant", 1), ("sloth", 2)])]
    assert decide("greedy", ["deer"], boats[:1] + [(22, boats[1][1])]) == ("deer", 1)


def test_greedy_boards_its_fox_where_there_is_too_much_aboard():
    boats = [(20, [("sloth", 1), ("deer", 2)]), (12, [("sloth", 1), ("bear", 2)]), (9, [])]
    assert decide("greedy", ["fox"], boats) == ("fox", 1)


def test_greedy_knows_that_a_peacock_draws_the_fox_away():
    boats = [(16, [("fox", 1), ("elephant", 2)]), (16, [("fox", 2), ("peacock", 1)]), (5, [])]
    assert decide("greedy", ["elephant"], [(5, []), *boats[:2]])[1] != 0
    assert decide("greedy", ["lion"], [(16, [("fox", 1), ("peacock", 2)]), boats[0]])[1] == 0


def test_greedy_draws_a_new_tile_for_its_elephant_on_a_small_boat():
    boats = [(9, [("elephant", 0), ("peacock", 1)]), (20, [("sloth", 1), ("deer", 2)])]
    assert decide("greedy", ["mouse"], boats) == ("mouse", 0)


@pytest.mark.parametrize(("left", "boat"), [("elephant", 1), ("peacock", 0)])
def test_greedy_takes_a_face_down_animal_for_one_of_its_owners_unseen_cards(left, boat):
    gone = sum(1 << card_of(name, 1) for name in NAMES if name != left)
    boats = [(18, [("sloth", 2)]), (9, [("mouse", 2)]), (10, [("zebra", 2), ("deer", 2)])]
    assert decide("greedy", ["giraffe"], boats, hidden={0: 1}, gone=gone) == ("giraffe", boat)


def test_among_equal_moves_the_lowest_is_played():
    boats = [(40, [("sloth", 1), ("deer", 1)]), (40, [("zebra", 1), ("bear", 1)]), (40, [])]
    assert decide("greedy", ["giraffe"], boats) == ("giraffe", 0)


@pytest.mark.parametrize("name", [name for name in NOT_RANDOM if name != "bluffer"])
def test_all_but_the_bluffer_play_face_up_while_they_may(name):
    assert decide(name, ["mouse", "elephant", "lion"], THREE_BOATS, faces=UP | DOWN)[2] == "up"
    decide(name, ["mouse"], THREE_BOATS, faces=DOWN)
    down = block([name] * 3, 100)[egn_tally.DOWN_CARDS : egn_tally.IDLE].reshape(PLIES, -1)
    assert down.sum(axis=1).tolist() == [0, 0, 3 * 4 * 100]


def test_the_bluffer_hides_the_card_that_matters_most():
    both = UP | DOWN
    wide = [(60, [("bear", 1), ("deer", 2)]), (9, [("zebra", 1), ("sloth", 2)])]
    assert decide("bluffer", ["elephant", "fox"], wide, faces=both) == ("elephant", 0, "up")
    assert decide("bluffer", ["elephant", "mouse"], wide, faces=both) == ("elephant", 0, "up")
    assert decide("bluffer", ["elephant", "giraffe"], wide, faces=both) == ("elephant", 0, "up")
    hunted = [(60, [("bear", 1), ("zebra", 2)]), (9, [("deer", 1), ("sloth", 2)])]
    assert decide("bluffer", ["mouse", "lion"], hunted, faces=both) == ("lion", 0, "down")
    assert decide("bluffer", ["mouse", "lion"], hunted, faces=UP) == ("lion", 0)
