"""`random` follows its exact law, and `nth_cell` picks the cell it says."""

from __future__ import annotations

import os

import numpy as np
import pytest
from numba import njit
from scipy import stats

from kernels.plank.select import nth_cell, portable_nth_cell
from tests.oracle import planke as referee
from tests.plank import helpers

DRAWS = 200_000 if os.environ.get("ANALYZER_FULL") else 20_000
#: A true law fails one test in ten thousand; the seed is fixed.
ALPHA = 1e-4
START = "YRGB" * 4 + ".."
STATES = [
    ("YR.GB..Y", ["push1", "swap"], {}),
    ("YR.GB..Y", ["swap", "move1"], {}),
    ("Y..RG.B", ["move1", "skull"], {}),
    (".YR.GB.", ["move1", "move1"], {}),
    (".Y.RG.B", ["skull", "skull"], {}),
    ("RR.RY", ["swap", "push1"], {"swap_same_colour": "no"}),
    ("RR.R.", ["swap", "push1"], {"swap_same_colour": "no"}),
    ("Y.R.B", ["move1", "push1"], {"null_move": "yes"}),
    ("Y.RB.", ["move1", "push1"], {"null_move": "yes"}),
    (".Y.RB", ["move1", "skull"], {"null_move": "yes"}),
    (".Y.R.", ["move1", "move1"], {"null_move": "yes"}),
    (".Y.RB.", ["move1", "swap"], {"move_targets": "adjacent_to_group"}),
    ("Y.RB..", ["move1", "swap"], {"move_targets": "adjacent_to_group", "null_move": "yes"}),
    ("Y.RB", ["move1", "swap"], {"impossible_symbol": "must_take_other"}),
    ("Y.RB", ["skull", "move1"], {"impossible_symbol": "must_take_other", "skull_choice": "no"}),
    ("Y.RB", ["skull", "move1"], {"skull_choice": "no"}),
    ("...RY", ["push1", "skull"], {}),
    ("..RRY", ["push1", "swap"], {"end": "one_colour_left"}),
    (START, ["push1", "move1"], {}),
]


@pytest.mark.parametrize(("plank", "symbols", "rulings"), STATES)
def test_random_plays_its_law(plank, symbols, rulings):
    state = {"plank": plank, "symbols": symbols, "rulings": rulings}
    law = referee.random_distribution(state)
    counts = helpers.draw_random(plank, symbols, rulings, DRAWS, seed=len(plank))
    assert set(counts) <= set(law)
    squares = sum(
        (counts.get(move, 0) - DRAWS * float(chance)) ** 2 / (DRAWS * float(chance))
        for move, chance in law.items()
    )
    if len(law) > 1:
        assert stats.chi2.sf(squares, len(law) - 1) > ALPHA


@njit
def select_all(cells, both):
    count = 0
    rest = cells
    while rest:
        both[0, count] = nth_cell(cells, count)
        both[1, count] = portable_nth_cell(cells, count)
        rest &= rest - 1
        count += 1
    return count


def test_nth_cell_counts_from_the_ship_end():
    rng = helpers.seeded("select")
    both = np.zeros((2, 64), dtype=np.int64)
    for length in list(range(1, 61)) * 5:
        cells = rng.getrandbits(length) | 1 << (length - 1)
        count = select_all(np.int64(cells), both)
        expected = [cell for cell in range(length) if cells >> cell & 1]
        assert both[0, :count].tolist() == both[1, :count].tolist() == expected
