"""The wind rose: any law, drawn exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numba import njit
from scipy import stats

from kernels.bits import cells
from kernels.plank import planke_setup as setup_
from kernels.plank import rose
from tests.oracle import planke as referee
from tests.plank import helpers

WHEEL = {"wheel": ["swap", "push1", "skull", "move1", "skull", "swap", "skull"], "distance": 2}
TABLE = [[0.1, 0.0, 0.05, 0.1], [0.0, 0.2, 0.05, 0.0], [0.05, 0.05, 0.1, 0.0], [0.1, 0.0, 0.0, 0.2]]
LAWS = ["uniform", WHEEL, TABLE]


def chances(ruling):
    law = referee.rose_distribution(ruling)
    exact = [law[a, b] for a in referee.SYMBOLS for b in referee.SYMBOLS]
    return exact, rose.rose_chances(exact)


@pytest.mark.parametrize("ruling", LAWS)
def test_rounding_a_law_keeps_the_impossible_impossible_and_the_sum(ruling):
    exact, whole = chances(ruling)
    assert sum(whole) == rose.ROSE_UNIT
    for fraction, chance in zip(exact, whole, strict=True):
        assert abs(chance - fraction * rose.ROSE_UNIT) < 1
        assert (chance == 0) == (fraction == 0)


def alias_law(table):
    """The law of an alias table, exactly."""
    keep, alias = table[16:32], table[32:48]
    law = [0] * 16
    for column in range(16):
        law[column] += keep[column]
        law[alias[column]] += rose.COLUMN_UNIT - keep[column]
    return law


@pytest.mark.parametrize("ruling", LAWS)
def test_the_alias_table_has_exactly_the_chances(ruling):
    _, whole = chances(ruling)
    table = rose.rose_cells(whole)
    assert table[:16] == whole
    assert alias_law(table) == whole
    assert all(0 <= kept <= rose.COLUMN_UNIT for kept in table[16:32])


def test_alias_tables_of_random_and_extreme_laws():
    rng = helpers.seeded("alias")
    for k in range(200):
        weights = [Fraction(rng.choice([0, 0, 1, rng.randint(0, 10**9)])) for _ in range(16)]
        weights[k % 16] += Fraction(1, 10**9)
        whole = rose.rose_chances(weights)
        assert alias_law(rose.rose_cells(whole)) == whole
    single = [0] * 15 + [rose.ROSE_UNIT]
    assert alias_law(rose.rose_cells(single)) == single


def test_uniform_is_the_uniform_law():
    assert chances("uniform")[1] == rose.UNIFORM


def test_chances_that_do_not_add_up_are_refused():
    with pytest.raises(ValueError, match="add up"):
        rose.rose_cells([1] * 16)
    with pytest.raises(ValueError, match="add up"):
        rose.rose_cells([rose.ROSE_UNIT + 1, -1] + [0] * 14)


@njit
def _spin_all(words, setup, counts):
    for game in range(2000):
        rose.draw_spins(cells(words), np.uint64(5), game, 0, 0, counts[16])
        for turn in range(rose.SPINS):
            counts[rose.spin(cells(words), cells(setup), turn)] += 1


@pytest.mark.parametrize("ruling", LAWS)
def test_spins_follow_the_law(ruling):
    exact, _ = chances(ruling)
    counts = np.zeros(17, dtype=np.int64)
    counts[16] = rose.DRAWS
    setup = helpers.encode(rulings={"rose": ruling})
    _spin_all(np.zeros(rose.WORD_CELLS, dtype=np.uint64), setup, counts)
    total = counts[:16].sum()
    possible = [k for k in range(16) if exact[k]]
    assert sum(counts[k] for k in possible) == total
    expected = [float(exact[k]) * total for k in possible]
    assert stats.chisquare(counts[possible], expected).pvalue > 1e-4


def test_the_setup_holds_law_and_alias():
    setup = helpers.encode(rulings={"rose": TABLE})
    assert setup[setup_.ROSE_CHANCE : setup_.ROSE_END].tolist() == rose.rose_cells(
        chances(TABLE)[1]
    )
