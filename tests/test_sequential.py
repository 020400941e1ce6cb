"""The sequential test: its error rates by simulation, and the lopsided cases."""

from __future__ import annotations

import math
import os

import numpy as np
import pytest

from reports.sequential import FEWEST_BLOCKS, SequentialTest, decide

FULL = os.environ.get("ANALYZER_FULL") == "1"
TEST = SequentialTest(0.0, 0.02, 0.05, 0.05)
GAMES, UNIT = 64, 60


def blocks(generator, mean, ties, count):
    """Simulate blocks of paired differences of a game: +1, 0 or -1 win, 60 % of them 0 with ties."""
    decided = 1.0 - ties
    chances = [(decided + mean) / 2, (decided - mean) / 2, ties]
    draws = generator.multinomial(GAMES, chances, size=count)
    return (draws[:, 0] - draws[:, 1]) * UNIT


def test_bounds_are_walds():
    low, high = SequentialTest(0.0, 0.01, 0.05, 0.1).bounds
    assert low == pytest.approx(math.log(0.1 / 0.95))
    assert high == pytest.approx(math.log(0.9 / 0.05))


def test_the_log_ratio_of_known_variance_is_the_normal_one():
    """Against the densities themselves: mean 0.013 of variance 1e-5 under 0.02 and under 0."""
    expected = -((0.013 - 0.02) ** 2) / 2e-5 + 0.013**2 / 2e-5
    assert TEST.log_ratio(0.013, 1e-5) == pytest.approx(expected)


@pytest.mark.parametrize("ties", [0.0, 0.6])
@pytest.mark.parametrize(("mean", "wrong"), [(0.0, "d1"), (0.02, "d0")])
def test_error_rates_are_as_stated(mean, wrong, ties):
    """Simulated at the two differences themselves: wrong in at most 5 % (up to chance, 6.5 %)."""
    generator = np.random.default_rng(21)
    trials, wrongs, used = (4000 if FULL else 600), 0, []
    for _ in range(trials):
        verdict = decide(TEST, blocks(generator, mean, ties, 2000), GAMES, UNIT)
        assert verdict.accepted is not None
        wrongs += verdict.accepted == wrong
        used.append(verdict.blocks)
    assert wrongs / trials <= 0.065
    # And it is sooner than a test of fixed size, on average.
    assert np.mean(used) * GAMES < TEST.fixed_games(1.0 - ties)


@pytest.mark.parametrize("value", [GAMES * UNIT, -GAMES * UNIT, 0])
def test_lopsided_blocks_are_decided_at_once_and_are_finite(value):
    verdict = decide(TEST, [value] * 500, GAMES, UNIT)
    assert verdict.accepted == ("d1" if value > 0 else "d0")
    assert verdict.blocks <= 2 * FEWEST_BLOCKS
    assert math.isfinite(verdict.log_ratio)


def test_too_few_blocks_decide_nothing():
    verdict = decide(TEST, [GAMES * UNIT] * (FEWEST_BLOCKS - 1), GAMES, UNIT)
    assert (verdict.accepted, verdict.log_ratio) == (None, None)


def test_a_decision_does_not_depend_on_the_blocks_after_it():
    generator = np.random.default_rng(3)
    values = blocks(generator, 0.03, 0.0, 3000)
    whole = decide(TEST, values, GAMES, UNIT)
    assert decide(TEST, values[: whole.blocks], GAMES, UNIT) == whole
    assert decide(TEST, values[: whole.blocks - 1], GAMES, UNIT).accepted is None
