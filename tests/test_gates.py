"""Gates: verdicts, and their false alarms and power by simulation."""

from __future__ import annotations

import os

import numpy as np
import pytest

from reports.gates import (
    INCONCLUSIVE,
    SHIFT,
    WITHIN_MARGIN,
    Gate,
    detectable,
    games_needed,
    is_within_margin,
    judge,
)
from reports.paired import Arm, Difference, estimate, paired_difference

FULL = os.environ.get("ANALYZER_FULL") == "1"
TRIALS = 3000 if FULL else 400
GATE = Gate(alpha=0.05, beta=0.1, looks=2)
BLOCKS, GAMES = 32, 64
RATES = (0.02, 0.25, 0.25, 0.5, 0.9)


def change(value, error):
    return estimate(value, error**2, 32, 0.95)


def test_a_small_change_is_within_its_margin_however_certain_it_is():
    ((verdict, p),) = judge([change(0.004, 0.0001)], [0.01], GATE)
    assert verdict == WITHIN_MARGIN
    assert p < 1e-6


def test_a_large_change_is_a_shift_and_an_unclear_one_is_open():
    changes = [change(0.02, 0.001), change(0.008, 0.004), change(0.0, 0.02)]
    verdicts = [verdict for verdict, _ in judge(changes, [0.01] * 3, GATE)]
    assert verdicts == [SHIFT, INCONCLUSIVE, INCONCLUSIVE]


def test_holm_makes_many_gates_no_less_careful():
    """A p of 0.01 is a shift alone, and none among forty."""
    suspicious = Difference(0.02, (0.0, 0.04), 0.01, 0.0075, 32, None)
    assert judge([suspicious], [0.01], GATE)[0][0] == SHIFT
    many = judge([suspicious] + [change(0.0001, 0.0075)] * 39, [0.01] * 40, GATE)
    assert many[0][0] == INCONCLUSIVE


def test_a_metric_that_cannot_be_estimated_is_open():
    unknown = Difference(None, (None, None), None, None, 0, None)
    assert judge([unknown, change(0.0, 0.001)], [0.01, 0.01], GATE)[0] == (INCONCLUSIVE, None)


def test_equivalence_is_statsmodels():
    weightstats = pytest.importorskip("statsmodels.stats.weightstats")
    generator = np.random.default_rng(2)
    for shift in (0.0, 0.3, 0.6):
        values = generator.normal(shift, 1.0, 60)
        error = values.std(ddof=1) / 60**0.5
        one = estimate(values.mean(), error**2, 60, 0.95)
        p = weightstats.DescrStatsW(values).ttost_mean(-0.5, 0.5)[0]
        assert is_within_margin(one, 0.5, 0.05) == (p < 0.05)


def test_the_smallest_shift_is_that_of_statsmodels_power():
    """Two runs of 64 blocks each, one gate, one look: the power of a t test of their difference."""
    power = pytest.importorskip("statsmodels.stats.power")
    error = 0.01
    seen = detectable(error, 64, 1, Gate(0.05, 0.15, 1))  # of beta, alpha is kept for TOST
    spread_of_blocks = error * 64**0.5 * 2**0.5  # of their paired differences
    chance = power.TTestPower().power(seen / spread_of_blocks, 64, 0.05)
    assert chance == pytest.approx(0.9, abs=0.005)


def test_games_needed_grow_with_the_square():
    assert games_needed(1000, 0.02, 0.01) == 4000


def run_of_gates(generator, shift):
    """Play a gated check on other deals: new blocks of every metric at each look until decided.

    The first metric is shifted. Returns the verdicts of the last look.
    """
    old = generator.binomial(GAMES, RATES, (BLOCKS * GATE.looks, len(RATES)))
    rates = np.array(RATES)
    rates[1] += shift
    new = generator.binomial(GAMES, rates, old.shape)
    for look in range(1, GATE.looks + 1):
        games = np.full(look * BLOCKS, GAMES)
        changes = [
            paired_difference(
                Arm(new[: len(games), k], games), Arm(old[: len(games), k], games), 0.95
            )
            for k in range(len(RATES))
        ]
        verdicts = [verdict for verdict, _ in judge(changes, DELTAS, GATE)]
        if SHIFT in verdicts or INCONCLUSIVE not in verdicts:
            break
    return verdicts


def errors():
    games = BLOCKS * GATE.looks * GAMES
    return [(rate * (1 - rate) / games) ** 0.5 for rate in RATES]


DELTAS = [detectable(error, BLOCKS * GATE.looks, len(RATES), GATE) for error in errors()]


def test_false_alarms_are_rarer_than_alpha():
    """Simulated: no metric has moved, all deals are others; alarms in at most alpha of the checks."""
    generator = np.random.default_rng(31)
    alarms = sum(SHIFT in run_of_gates(generator, 0.0) for _ in range(TRIALS))
    assert alarms / TRIALS <= GATE.alpha + 0.01


def test_a_shift_of_delta_is_seen_as_often_as_beta_says():
    """Simulated: one metric moved by its delta, all deals are others (the worst case)."""
    generator = np.random.default_rng(32)
    seen = sum(run_of_gates(generator, DELTAS[1])[1] == SHIFT for _ in range(TRIALS))
    assert seen / TRIALS >= 1 - GATE.beta - 0.03


def test_a_shift_of_delta_hardly_ever_passes():
    """Simulated: the equivalence test lets a shift of delta pass in at most alpha of the checks."""
    generator = np.random.default_rng(33)
    passed = sum(run_of_gates(generator, DELTAS[1])[1] == WITHIN_MARGIN for _ in range(TRIALS))
    assert passed / TRIALS <= GATE.alpha
