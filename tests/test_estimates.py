"""Estimates against scipy and against simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special, stats

from reports.estimates import mean, rate, ratio_variance, wilson, win_rate
from reports.quantiles import normal_quantile, regularized_beta, t_quantile

PROBABILITIES = (0.5, 0.51, 0.75, 0.9, 0.95, 0.975, 0.995, 0.9995, 0.9999995, 0.025, 0.1)


@pytest.mark.parametrize("df", [1, 2, 3, 4, 7, 10, 30, 63, 127, 1000, 15_258])
@pytest.mark.parametrize("probability", PROBABILITIES)
def test_t_quantile_is_scipys(df, probability):
    assert t_quantile(probability, df) == pytest.approx(
        special.stdtrit(df, probability), rel=1e-8, abs=1e-9
    )


@pytest.mark.parametrize("probability", PROBABILITIES)
def test_normal_quantile_is_scipys(probability):
    assert normal_quantile(probability) == pytest.approx(special.ndtri(probability), abs=1e-12)


@pytest.mark.parametrize("a", [0.5, 1.5, 30.0, 500.0])
@pytest.mark.parametrize("x", [0.0, 1e-6, 0.2, 0.5, 0.9, 0.999, 1.0])
def test_regularized_beta_is_scipys(a, x):
    assert regularized_beta(a, 0.5, x) == pytest.approx(
        special.betainc(a, 0.5, x), rel=1e-9, abs=1e-14
    )


@pytest.mark.parametrize(("wins", "games"), [(0, 10), (1, 10), (5, 10), (10, 10), (250, 1000)])
def test_without_ties_a_win_rate_has_wilsons_interval(wins, games):
    value, (low, high) = win_rate(60 * wins, 3600 * wins, games, 60, 0.95)
    referee = stats.binomtest(wins, games).proportion_ci(0.95, method="wilson")
    assert value == wins / games
    assert low == pytest.approx(referee.low, abs=1e-12)
    assert high == pytest.approx(referee.high, abs=1e-12)


def test_shared_wins_narrow_the_interval():
    games = 1000
    whole = win_rate(60 * 500, 3600 * 500, games, 60, 0.95)[1]
    shared = win_rate(30 * 1000, 900 * 1000, games, 60, 0.95)[1]
    assert 0 < shared[1] - shared[0] < (whole[1] - whole[0]) / 10


def test_one_shared_game_says_next_to_nothing():
    low, high = win_rate(30, 900, 1, 60, 0.95)[1]
    assert low < 0.15
    assert high > 0.85


def test_a_win_rate_of_no_games_is_unknown():
    assert win_rate(0, 0, 0, 60, 0.95) == (None, (None, None))


def test_a_mean_of_equal_blocks_has_students_interval():
    blocks = np.array([12, 15, 9, 14, 11, 16])
    games = np.full(6, 10)
    value, (low, high) = mean(blocks, games, 0.9)
    referee = stats.ttest_1samp(blocks / 10, 0).confidence_interval(0.9)
    assert value == pytest.approx(np.mean(blocks / 10))
    assert (low, high) == pytest.approx((referee.low, referee.high))


def test_a_short_last_block_weighs_less():
    numerators, denominators = np.array([100, 100, 0]), np.array([10, 10, 1])
    residuals = numerators - 200 / 21 * denominators
    expected = np.sum(residuals**2) / 21**2 * 3 / 2
    assert ratio_variance(numerators, denominators) == pytest.approx(expected)


def test_sums_of_squares_beyond_an_int64_stay_exact():
    numerators = np.array([3_000_000_000_000, 3_000_000_000_001, 2_999_999_999_999])
    denominators = np.full(3, 1_000_000_000_000)
    assert ratio_variance(numerators, denominators) == pytest.approx(2 / 9e24 * 1.5, rel=1e-12)


def test_one_block_gives_a_value_without_an_interval():
    assert mean(np.array([7]), np.array([2]), 0.95) == (3.5, (None, None))
    assert rate(np.array([1]), np.array([2]), 0.95) == (0.5, (None, None))


def test_what_never_happened_may_still_happen():
    nothing, games = np.zeros(100, dtype=int), np.full(100, 10)
    _, (low, high) = mean(nothing, games, 0.95, counts=True)
    assert low == 0.0
    assert high == pytest.approx(stats.chi2.ppf(0.975, 2) / 2 / 1000)
    _, (low, high) = rate(nothing, games, 0.95)
    assert low == 0.0
    assert 0.0 < high < 0.01


def test_wilson_includes_the_estimate_at_both_ends():
    assert wilson(0.0, 5.0, 1.96)[0] == 0.0
    assert wilson(5.0, 5.0, 1.96)[1] == 1.0
    assert not math.isnan(wilson(1e-9, 1e-6, 1.96)[1])


@pytest.mark.parametrize("share", [0.02, 0.25, 0.5])
@pytest.mark.parametrize("tied", [0.0, 0.6])
def test_win_rate_intervals_cover_as_often_as_they_say(share, tied):
    """Simulated: of 2000 intervals at 90 %, between 87 % and 93 % hold the true rate."""
    generator = np.random.default_rng(5)
    games, hits, trials = 400, 0, 2000
    for _ in range(trials):
        shared = generator.random(games) < tied
        # A tie gives half a win to this seat with twice the chance, so the rate stays the same.
        won = generator.random(games) < np.where(shared, min(1.0, 2 * share), share)
        credit = np.where(shared, 30, 60) * won
        _, (low, high) = win_rate(credit.sum(), (credit**2).sum(), games, 60, 0.9)
        hits += low <= share <= high
    assert 0.87 <= hits / trials <= 0.935


def test_rates_over_correlated_trials_cover_as_often_as_they_say():
    """Simulated: ten boats of a game sink together half of the time."""
    generator = np.random.default_rng(6)
    blocks, games, boats, hits, trials = 64, 8, 10, 0, 1500
    for _ in range(trials):
        together = generator.random((blocks, games)) < 0.5
        fate = generator.random((blocks, games)) < 0.3
        alone = generator.binomial(boats, 0.3, (blocks, games))
        sunk = np.where(together, fate * boats, alone).sum(axis=1)
        _, (low, high) = rate(sunk, np.full(blocks, games * boats), 0.9)
        hits += low <= 0.3 <= high
    assert 0.87 <= hits / trials <= 0.93
