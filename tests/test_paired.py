"""Paired differences against scipy, statsmodels and simulation."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scipy import stats

from reports.paired import Arm, floored, holm, jackknife_variance, paired_difference, two_sided

FULL = os.environ.get("ANALYZER_FULL") == "1"


def arms(first, second, size=10):
    games = np.full(len(first), size)
    return Arm(np.asarray(first), games), Arm(np.asarray(second), games)


def test_equal_blocks_have_students_paired_interval():
    left, right = [12, 15, 9, 14, 11, 16], [10, 14, 9, 11, 12, 13]
    found = paired_difference(*arms(left, right), 0.9)
    referee = stats.ttest_rel(np.array(left) / 10, np.array(right) / 10)
    interval = referee.confidence_interval(0.9)
    assert found.value == pytest.approx(8 / 60)
    assert found.interval == pytest.approx((interval.low, interval.high))
    assert found.p == pytest.approx(referee.pvalue)


def test_the_same_blocks_differ_by_exactly_zero():
    found = paired_difference(*arms([600, 300, 0], [600, 300, 0]), 0.95, unit=60, share=True)
    assert found.value == 0.0
    assert found.p == 1.0
    assert found.interval[0] == -found.interval[1]
    assert found.games_saved is None


def test_a_difference_of_one_in_every_game_is_finite_and_leaves_room():
    found = paired_difference(*arms([600] * 64, [0] * 64), 0.95, unit=60, share=True)
    assert found.value == 1.0
    assert 0.99 < found.interval[0] < 0.996
    assert found.interval[1] == 1.0
    assert 0.0 <= found.p < 1e-12


def test_games_saved_are_those_that_independent_deals_need():
    generator = np.random.default_rng(3)
    luck = generator.normal(0, 3, 1000).round().astype(int)
    left = 50 + luck + generator.integers(-1, 2, 1000)
    right = 50 + luck + generator.integers(-1, 2, 1000)
    found = paired_difference(*arms(left, right), 0.95)
    apart = np.var(left, ddof=1) + np.var(right, ddof=1)
    assert found.games_saved == round(20_000 * (apart / np.var(left - right, ddof=1) - 1))
    shared = paired_difference(*arms(left, right), 0.95, played=10_000)
    assert shared.games_saved == found.games_saved + 10_000


def test_arms_may_have_different_denominators():
    """The delta method: residuals of each arm's ratio, over its own total."""
    x, m = np.array([3, 5, 4, 6]), np.array([10, 12, 9, 13])
    y, n = np.array([2, 5, 3, 3]), np.array([11, 14, 9, 10])
    found = paired_difference(Arm(x, m), Arm(y, n), 0.95)
    residuals = (x - x.sum() / m.sum() * m) / m.sum() - (y - y.sum() / n.sum() * n) / n.sum()
    assert found.value == pytest.approx(x.sum() / m.sum() - y.sum() / n.sum())
    assert found.error == pytest.approx(np.sqrt(4 / 3 * np.sum(residuals**2)))


def test_the_jackknife_gives_the_same_error_as_the_formula():
    generator = np.random.default_rng(8)
    x, y = generator.integers(30, 70, 40), generator.integers(30, 70, 40)
    without = [(x.sum() - x[b]) / 3900 - (y.sum() - y[b]) / 3900 for b in range(40)]
    formula = paired_difference(*arms(x, y, 100), 0.95).error
    # Leaving a block of forty out divides by 39 where the formula divides by 40, in all of it.
    assert jackknife_variance(without) ** 0.5 == pytest.approx(formula, rel=1e-9)


def test_one_block_gives_a_value_without_an_interval():
    found = paired_difference(*arms([7], [3]), 0.95)
    assert (found.value, found.interval, found.p) == (0.4, (None, None), None)


def test_an_arm_that_counted_nothing_gives_nothing():
    nothing = Arm(np.zeros(5, dtype=int), np.zeros(5, dtype=int))
    assert paired_difference(nothing, nothing, 0.95).value is None


def test_other_games_are_refused():
    with pytest.raises(ValueError, match="5 blocks against 6"):
        paired_difference(arms([1] * 5, [1] * 5)[0], arms([1] * 6, [1] * 6)[0], 0.95)


def test_a_floor_moves_a_variance_by_a_part_in_n():
    assert floored(1e-4, 10_000, 1.96) == pytest.approx(1e-4, rel=1e-3)
    assert floored(0.0, 10_000, 1.96) ** 0.5 * 1.96 == pytest.approx(1.96**2 / 10_000, rel=1e-3)


def test_two_sided_p_values_are_scipys():
    for value in (0.1, 1.0, 2.5, -3.0):
        assert two_sided(value, 1.0, 20) == pytest.approx(2 * stats.t.sf(abs(value), 19))
    assert two_sided(1.0, 0.0, 20) == 0.0


def test_holm_is_statsmodels():
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    generator = np.random.default_rng(1)
    for count in (1, 2, 7, 40):
        p = generator.random(count) ** 3
        assert holm(list(p)) == pytest.approx(multitest.multipletests(p, method="holm")[1])
    assert holm([]) == []


def credits(generator, blocks, size, rates, tied, together):
    """Simulate the credit of two arms: with chance `together` a game comes out by the same luck."""
    shape = (blocks, size)
    shared = generator.random(shape) < tied
    luck = generator.random(shape)
    same = generator.random(shape) < together
    out = []
    for rate in rates:
        own = np.where(same, luck, generator.random(shape))
        # A shared win is half a win with twice the chance, so the rate stays what it is.
        won = own < np.where(shared, min(1.0, 2 * rate), rate)
        out.append((np.where(shared, 30, 60) * won).sum(axis=1))
    return out


@pytest.mark.parametrize("together", [0.0, 0.9], ids=["independent", "paired"])
@pytest.mark.parametrize("tied", [0.0, 0.6])
@pytest.mark.parametrize(
    "rates", [(0.25, 0.25), (0.3, 0.2), (0.004, 0.002), (0.5, 0.002), (0.499, 0.49)]
)
def test_intervals_of_differences_cover_as_often_as_they_say(rates, tied, together):
    """Simulated: 90 % intervals hold the true difference at least 88 times in a hundred.

    Near 0 the credit of 64 blocks is far from normal and the floor makes intervals wider: up to all
    of them hold it there.
    """
    generator = np.random.default_rng(12)
    trials, hits = (5000 if FULL else 600), 0
    for _ in range(trials):
        left, right = credits(generator, 64, 8, rates, tied, together)
        games = np.full(64, 8)
        found = paired_difference(Arm(left, games), Arm(right, games), 0.9, unit=60, share=True)
        hits += found.interval[0] <= rates[0] - rates[1] <= found.interval[1]
    assert hits / trials >= 0.87
    if min(rates) > 0.1:
        assert hits / trials <= 0.95
