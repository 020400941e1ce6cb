"""Einer geht noch!: games side by side are the games played alone, and the sums are their sums."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.abi import CREDIT_UNIT
from kernels.boats import egn_tally, tally
from kernels.boats.cards import CARDS, FOX, LION, MONKEY, PLIES, ROUNDS, SPECIES, SQUID
from kernels.boats.egn_play import MAX_EVENTS
from kernels.boats.egn_strategies import STRATEGIES
from kernels.events import new_log
from tests.boats.egn_cases import RULINGS, all_tiles, encode, play

GAMES = 600
LINEUP = [STRATEGIES[name] for name in ("random", "greedy", "bluffer", "saboteur", "cupid")]
RANDOM = [STRATEGIES["random"]] * 5
VALUES = [
    pytest.param(name, value, id=f"{name}={value}")
    for name, values in RULINGS.items()
    for value in values[1:]
]


def play_alone(strategies, setup, games):
    """Play games one at a time with the log on, which also keeps the boarding order."""
    rows = []
    for game in range(games):
        rows.append(play(strategies, setup, [(game, 1)], log=new_log(MAX_EVENTS))[1])
    return np.concatenate(rows)


@pytest.mark.parametrize(("name", "value"), [("final_tie", "shared"), *VALUES])
def test_games_side_by_side_equal_games_alone(name, value):
    setup = encode(5, {name: value})
    _, together = play(LINEUP, setup, [(0, GAMES)])
    np.testing.assert_array_equal(together, play_alone(LINEUP, setup, GAMES))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_blocks_of_any_size_hold_the_same_games(players):
    setup = encode(players, {})
    whole_sums, whole = play(RANDOM, setup, [(0, 500)])
    cut_sums, cut = play(RANDOM, setup, [(0, 1), (1, 31), (32, 33), (65, 200), (265, 235)])
    np.testing.assert_array_equal(whole, cut)
    np.testing.assert_array_equal(whole_sums, cut_sums)


def test_every_game_of_a_run_differs():
    _, rows = play(RANDOM, encode(4, {}), [(0, 5000)])
    assert len(np.unique(rows[:, tally.ROW_DIGEST])) == 5000


@pytest.mark.parametrize("tile", [0, 14, 40])
def test_the_boarding_order_matters_in_no_default_game(tile):
    # Tiles that capsize every boat, or none, move most animals: who would be next needs an order.
    setup = encode(5, {}, all_tiles(tile))
    _, together = play(RANDOM, setup, [(0, 3000)])
    np.testing.assert_array_equal(together, play_alone(RANDOM, setup, 3000))


def cards(sums, first):
    """Return a part of the sums by species and seat."""
    return sums[first : first + CARDS].reshape(SPECIES, -1)


@pytest.mark.parametrize(
    "rulings", [{}, {"third_arrival": "love_breaks", "loved_mouse_score": 0.5}]
)
def test_the_sums_are_those_of_the_rows(rulings):
    players = 4
    sums, rows = play(RANDOM, encode(players, rulings), [(0, 4000)])
    assert sums[tally.GAMES] == 4000
    for seat in range(players):
        assert sums[tally.SCORE + seat] == rows[:, tally.ROW_SCORE + seat].sum()
        assert sums[tally.CREDIT + seat] == rows[:, tally.ROW_CREDIT + seat].sum()
        kept = cards(sums, tally.KEPT_CARDS)[:, seat].sum()
        assert kept == rows[:, tally.ROW_SAVED + seat].sum()
    cupids = rows[:, tally.ROW_CUPIDS : tally.ROW_CUPIDS + players]
    assert sums[tally.CUPIDS] == cupids.sum()
    assert rows[:, tally.ROW_CREDIT : tally.ROW_CREDIT + players].sum() == 4000 * CREDIT_UNIT


def test_every_card_has_one_fate_and_every_turn_one_end():
    players, games = 4, 4000
    sums, _ = play(RANDOM, encode(players, {}), [(0, games)])
    loads = tally.LOADS
    boats = sums[loads : tally.LOADS_OF_FIGHTS].sum()
    assert boats == games * players * ROUNDS
    gone = [
        tally.EATEN_CARDS,
        tally.OVERBOARD_CARDS,
        tally.DISCARDED_CARDS,
        egn_tally.REMOVED_CARDS,
        egn_tally.BACKFIRED_CARDS,
    ]
    fates = sum(cards(sums, first) for first in [tally.KEPT_CARDS, *gone])[:, :players]
    assert (fates <= games).all()
    assert (fates[SQUID] == games).all()  # no squid drowns
    down = sums[egn_tally.DOWN_CARDS : egn_tally.IDLE].reshape(PLIES, -1)
    assert (down.sum(axis=0)[:players] == games * ROUNDS).all()
    idle = sums[egn_tally.IDLE : egn_tally.REMOVED_CARDS].reshape(SPECIES, -1)
    assert sums[tally.BLOCKED_MONKEY] == idle[MONKEY].sum()
    assert sums[tally.BLOCKED_LION] == idle[LION].sum()
    assert cards(sums, tally.EATEN_CARDS).sum() == sums[tally.LION_MEALS]
    assert cards(sums, egn_tally.BACKFIRED_CARDS)[FOX].sum() > games
    swam_or_lost = cards(sums, tally.OVERBOARD_CARDS).sum() + sums[tally.SWAM]
    assert swam_or_lost < sums[tally.MONKEY_THROWS] + sums[egn_tally.FOX_SENDS]
