"""A sequential test of a paired difference: stop as soon as the games decide it.

Wald's sequential probability ratio test between two values of a mean, on the paired differences of
blocks in their order. The blocks' variance is not known and estimated on the way (a generalized test, in
the normal approximation). The same blocks stop at the same block, whoever played them and in whatever
order they were finished.

References
----------
Wald (1945), Sequential tests of statistical hypotheses. Ann. Math. Statist. 16.
Van den Bergh (2020), Comments on normalized Elo: the test as chess engines use it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reports.paired import floored
from reports.quantiles import normal_quantile

#: No decision before so many blocks: their sum must be near normal, and their variance known.
FEWEST_BLOCKS = 64
#: Games of the widest spread that are mixed into the variance (see `reports.paired.floored`).
_FLOOR_QUANTILE = 2.0


@dataclass(frozen=True)
class SequentialTest:
    """A test of the difference `d0` against `d1`.

    Attributes
    ----------
    d0, d1
        Differences of two shares, ``d0 < d1``.
    alpha
        Chance to accept `d1` when `d0` (or less) is true.
    beta
        Chance to accept `d0` when `d1` (or more) is true.
    """

    d0: float
    d1: float
    alpha: float
    beta: float

    @property
    def bounds(self) -> tuple[float, float]:
        """Log likelihood ratios at which `d0` and `d1` are accepted."""
        return math.log(self.beta / (1.0 - self.alpha)), math.log((1.0 - self.beta) / self.alpha)

    def fixed_games(self, variance: float = 1.0) -> int:
        """Return how many games a test of fixed size would need.

        Parameters
        ----------
        variance
            Of one game's difference.
        """
        quantiles = normal_quantile(1.0 - self.alpha) + normal_quantile(1.0 - self.beta)
        return math.ceil(variance * (quantiles / (self.d1 - self.d0)) ** 2)

    def log_ratio(self, mean: float, variance: float) -> float:
        """Return the log likelihood ratio of `d1` to `d0`.

        Parameters
        ----------
        mean, variance
            Of the difference so far; the variance is that of the mean, above 0.
        """
        return (self.d1 - self.d0) * (mean - (self.d0 + self.d1) / 2.0) / variance


@dataclass(frozen=True)
class Verdict:
    """How far a sequential test came.

    Attributes
    ----------
    accepted
        ``"d0"``, ``"d1"`` or None when neither bound was met.
    blocks
        Blocks up to the decision, or all of them.
    log_ratio
        Log likelihood ratio there; None before the first blocks.
    """

    accepted: str | None
    blocks: int
    log_ratio: float | None


def decide(test: SequentialTest, differences: Sequence[int], games: int, unit: int) -> Verdict:
    """Run a test over blocks in their order.

    Parameters
    ----------
    test
        What is tested.
    differences
        Difference of the two arms' numerators in every block, integers.
    games
        Games of a block, the same in all of them.
    unit
        What the numerators are counted in.
    """
    values = [int(one) for one in np.asarray(differences)]
    low, high = test.bounds
    total = squares = 0
    ratio = None
    for count, value in enumerate(values, 1):
        total += value
        squares += value * value
        if count < FEWEST_BLOCKS:
            continue
        spread = (count * squares - total * total) / (count * count * (count - 1))
        variance = floored(spread / (games * unit) ** 2, count * games, _FLOOR_QUANTILE)
        ratio = test.log_ratio(total / (count * games * unit), variance)
        if ratio <= low:
            return Verdict("d0", count, ratio)
        if ratio >= high:
            return Verdict("d1", count, ratio)
    return Verdict(None, len(values), ratio)
