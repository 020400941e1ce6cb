"""All Aboard!: games side by side are the games that are played alone, whatever the rulings."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.games import all_aboard
from kernels.boats import tally
from tests.boats.aa_cases import ENUMERATED
from tests.boats.block import play

GAMES = 600
VALUES = [
    pytest.param(name, value, id=f"{name}={value}")
    for name, values in ENUMERATED.items()
    for value in values[1:]
]


def rows_of(rulings, strategies, blocks, logged_too=False):
    """Play blocks of games ``(first, games)`` and return their rows."""
    return play(all_aboard.NAME, strategies, rulings, blocks, logged_too=logged_too).rows


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_games_side_by_side_equal_games_alone(name, value):
    lineup = ["random", "greedy", "random", "saboteur", "cupid"]
    together = rows_of({name: value}, lineup, [(0, GAMES)])
    alone = rows_of({name: value}, lineup, [(game, 1) for game in range(GAMES)], logged_too=True)
    np.testing.assert_array_equal(together, alone)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_blocks_of_any_size_hold_the_same_games(players):
    whole = rows_of({}, ["random"] * players, [(0, 500)])
    cuts = [(0, 1), (1, 31), (32, 33), (65, 200), (265, 235)]
    np.testing.assert_array_equal(whole, rows_of({}, ["random"] * players, cuts))


def test_every_game_of_a_run_differs():
    rows = rows_of({}, ["random"] * 4, [(0, 5000)])
    assert len(np.unique(rows[:, tally.ROW_DIGEST])) == 5000


def test_a_fox_trio_that_jumps_needs_no_log_to_know_its_order():
    # Five players, so that trios of foxes occur; an unknown order once made the game hang.
    rows = rows_of({"fox_trio": "jump"}, ["random"] * 5, [(0, 30_000)])
    assert len(rows) == 30_000
