"""All Aboard!: games side by side are the games that are played alone, whatever the rulings."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.cache import kernel_module
from analyzer.games import all_aboard
from tests.boats.aa_cases import ENUMERATED

GAMES = 600
VALUES = [
    pytest.param(name, value, id=f"{name}={value}")
    for name, values in ENUMERATED.items()
    for value in values[1:]
]


def rows_of(players, rulings, strategies, blocks, log_events=0):
    """Play blocks of games ``(first, games)`` and return their rows."""
    spec = all_aboard.SPEC
    kernel = spec.kernel()
    setup = spec.encode_setup(players, spec.complete(rulings))
    lineup = tuple(kernel.strategies[strategies[k % players]] for k in range(5))
    new_log = kernel_module("kernels.events").new_log
    scratch = np.zeros(kernel.scratch_cells, dtype=np.int64)
    found = []
    for first, games in blocks:
        sums = np.zeros(kernel.sum_cells, dtype=np.int64)
        rows = np.zeros(games * kernel.row_cells, dtype=np.int64)
        status = kernel.play_block(
            np.uint64(3), first, games, setup, lineup, sums, rows, new_log(log_events), scratch
        )
        assert status == kernel_module("kernels.abi").OK
        found.append(rows.reshape(games, kernel.row_cells))
    return np.concatenate(found)


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_games_side_by_side_equal_games_alone(name, value):
    players = 5
    lineup = ["random", "greedy", "random", "saboteur", "cupid"]
    together = rows_of(players, {name: value}, lineup, [(0, GAMES)])
    alone = rows_of(
        players, {name: value}, lineup, [(game, 1) for game in range(GAMES)], log_events=2048
    )
    np.testing.assert_array_equal(together, alone)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_blocks_of_any_size_hold_the_same_games(players):
    whole = rows_of(players, {}, ["random"] * players, [(0, 500)])
    cuts = [(0, 1), (1, 31), (32, 33), (65, 200), (265, 235)]
    np.testing.assert_array_equal(whole, rows_of(players, {}, ["random"] * players, cuts))


def test_every_game_of_a_run_differs():
    digest = kernel_module("kernels.boats.tally").ROW_DIGEST
    rows = rows_of(4, {}, ["random"] * 4, [(0, 5000)])
    assert len(np.unique(rows[:, digest])) == 5000


def test_a_fox_trio_that_jumps_needs_no_log_to_know_its_order():
    # Five players, so that trios of foxes occur; an unknown order once made the game hang.
    rows = rows_of(5, {"fox_trio": "jump"}, ["random"] * 5, [(0, 30_000)])
    assert len(rows) == 30_000
