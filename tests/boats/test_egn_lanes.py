"""Einer geht noch!: games side by side are the games played alone, and the sums are their sums."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.abi import CREDIT_UNIT
from kernels.boats import egn_tally, tally
from kernels.boats.cards import CARDS, FOX, LION, MONKEY, PLIES, ROUNDS, SPECIES, SQUID
from tests.boats.block import play
from tests.boats.egn_cases import RULINGS, all_tiles

NAME = "einer-geht-noch"
GAMES = 600
LINEUP = ["random", "greedy", "bluffer", "saboteur", "cupid"]
RANDOM = ["random"]
VALUES = [
    pytest.param(name, value, id=f"{name}={value}")
    for name, values in RULINGS.items()
    for value in values[1:]
]


def block(strategies, rulings, games):
    """Play games side by side."""
    return play(NAME, strategies, rulings, [(0, games)])


def play_alone(strategies, rulings, games):
    """Play games one at a time with the log on, which also keeps the boarding order."""
    blocks = [(game, 1) for game in range(games)]
    return play(NAME, strategies, rulings, blocks, logged_too=True).rows


@pytest.mark.parametrize(("name", "value"), [("final_tie", "shared"), *VALUES])
def test_games_side_by_side_equal_games_alone(name, value):
    together = block(LINEUP, {name: value}, GAMES).rows
    np.testing.assert_array_equal(together, play_alone(LINEUP, {name: value}, GAMES))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_blocks_of_any_size_hold_the_same_games(players):
    whole = block(RANDOM * players, {}, 500)
    blocks = [(0, 1), (1, 31), (32, 33), (65, 200), (265, 235)]
    cut = play(NAME, RANDOM * players, {}, blocks)
    np.testing.assert_array_equal(whole.rows, cut.rows)
    np.testing.assert_array_equal(whole.sums, cut.sums)


def test_every_game_of_a_run_differs():
    rows = block(RANDOM * 4, {}, 5000).rows
    assert len(np.unique(rows[:, tally.ROW_DIGEST])) == 5000


@pytest.mark.parametrize("tile", [0, 14, 40])
def test_the_boarding_order_matters_in_no_default_game(tile):
    # Tiles that capsize every boat, or none, move most animals: who would be next needs an order.
    rulings = {"tile_deck": all_tiles(tile)}
    together = block(RANDOM * 5, rulings, 3000).rows
    np.testing.assert_array_equal(together, play_alone(RANDOM * 5, rulings, 3000))


def cards(sums, first):
    """Return a part of the sums by species and seat."""
    return sums[first : first + CARDS].reshape(SPECIES, -1)


@pytest.mark.parametrize(
    "rulings", [{}, {"third_arrival": "love_breaks", "loved_mouse_score": 0.5}]
)
def test_the_sums_are_those_of_the_rows(rulings):
    players = 4
    sums, rows, _ = block(RANDOM * players, rulings, 4000)
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
    sums = block(RANDOM * players, {}, games).sums
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
