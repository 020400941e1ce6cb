"""Estimates with their errors, from integer sums a block.

A block is a fixed run of games, so blocks are independent and the spread between them carries
whatever hangs together within a game (boats of one round, animals of one boat). Sums of squares are
exact integers: the same blocks give the same floats on every machine.

Every function returns ``(value, (low, high))``. A bound is None when the blocks cannot give one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from reports.quantiles import normal_quantile, t_quantile

Interval = tuple[float | None, float | None]
Estimate = tuple[float | None, Interval]

#: Products of block sums below this fit an int64 dot product.
_SAFE = 1 << 62


def _dot(left: np.ndarray, right: np.ndarray) -> int:
    """Return an exact integer dot product."""
    if not len(left):
        return 0
    largest = int(np.abs(left).max()) * int(np.abs(right).max()) * len(left)
    if largest < _SAFE:
        return int(np.dot(left, right))
    return sum(int(a) * int(b) for a, b in zip(left, right, strict=True))


def _tail(confidence: float) -> float:
    return 0.5 + confidence / 2.0


def ratio_variance(numerators: np.ndarray, denominators: np.ndarray) -> float | None:
    """Return the variance of a ratio of totals over blocks (delta method).

    Parameters
    ----------
    numerators, denominators
        Integers, shape ``(blocks,)``; the denominators' total is positive.

    Returns
    -------
    float or None
        None for fewer than two blocks.
    """
    blocks = len(numerators)
    if blocks < 2:
        return None
    x, m = int(numerators.sum()), int(denominators.sum())
    # sum((x_b - x/m m_b)^2), brought to the common denominator m^2 and thus exact.
    squares = (
        m * m * _dot(numerators, numerators)
        - 2 * x * m * _dot(numerators, denominators)
        + x * x * _dot(denominators, denominators)
    )
    return squares / m**4 * (blocks / (blocks - 1))


def wilson(successes: float, trials: float, quantile: float) -> tuple[float, float]:
    """Return Wilson's score interval of a share.

    Parameters
    ----------
    successes, trials
        May be fractional (effective counts); ``0 <= successes <= trials``, ``trials > 0``.
    quantile
        Of the two-sided level, 1.96 for 95 %.
    """
    share = successes / trials
    square = quantile * quantile
    centre = share + square / (2.0 * trials)
    half = quantile * math.sqrt(share * (1.0 - share) / trials + square / (4.0 * trials * trials))
    scale = 1.0 + square / trials
    # Rounding must not push a bound past the estimate at 0 or 1.
    low = 0.0 if successes <= 0 else max(0.0, (centre - half) / scale)
    high = 1.0 if successes >= trials else min(1.0, (centre + half) / scale)
    return low, high


def win_rate(
    credit: int, credit_squared: int, games: int, unit: int, confidence: float
) -> Estimate:
    """Estimate a seat's share of the wins when tied winners split the credit.

    Parameters
    ----------
    credit, credit_squared
        Totals of the credit and of its square, in 1/unit and 1/unit².
    games
        Games counted.
    unit
        Credit of an unshared win.
    confidence
        Level, such as 0.95.

    Notes
    -----
    Shared wins vary less than whole ones. The interval is Wilson's at the number of whole wins that
    would vary as much, ``games * p(1-p) / variance``; one game's worth of ``p(1-p)`` is mixed into
    the variance so that it never vanishes. Without ties that number is exactly `games`.
    """
    if games <= 0:
        return None, (None, None)
    share = credit / (unit * games)
    whole = credit * (unit * games - credit) / (unit * games) ** 2  # p(1-p)
    effective = float(games)
    if whole > 0.0:
        spread = (credit_squared * games - credit * credit) / (unit * games) ** 2
        variance = (spread * games + whole) / (games + 1)
        effective = games * whole / variance
    quantile = normal_quantile(_tail(confidence))
    return share, wilson(share * effective, effective, quantile)


def rate(
    numerators: np.ndarray, denominators: np.ndarray, confidence: float, *, unit: int = 1
) -> Estimate:
    """Estimate a share of totals, such as the boats that sank of all boats.

    Parameters
    ----------
    numerators, denominators
        Integers, shape ``(blocks,)``; ``0 <= numerators <= denominators``.
    confidence
        Level.
    unit
        How many units of the denominators make one trial.

    Notes
    -----
    Wilson's interval at the number of independent trials that would vary as the blocks do (the
    design effect), with Student's quantile for the number of blocks.
    """
    hits, trials = int(numerators.sum()), int(denominators.sum())
    if trials <= 0:
        return None, (None, None)
    share = hits / trials
    variance = ratio_variance(numerators, denominators)
    if variance is None:
        return share, (None, None)
    # Nothing is known about the spread of what never, or always, happened.
    effective = share * (1.0 - share) / variance if variance > 0.0 else trials / unit
    quantile = t_quantile(_tail(confidence), len(numerators) - 1)
    return share, wilson(share * effective, effective, quantile)


def mean(
    numerators: np.ndarray, denominators: np.ndarray, confidence: float, *, counts: bool = False
) -> Estimate:
    """Estimate a mean as a ratio of totals: Student's t over blocks.

    Parameters
    ----------
    numerators, denominators
        Integers, shape ``(blocks,)``.
    confidence
        Level.
    counts
        True for counts of events: the lower bound is at least 0, and when nothing was counted the
        upper bound is the exact one of Poisson's distribution.
    """
    total, units = int(numerators.sum()), int(denominators.sum())
    if units <= 0:
        return None, (None, None)
    value = total / units
    if counts and total == 0:
        return value, (0.0, -math.log((1.0 - confidence) / 2.0) / units)
    variance = ratio_variance(numerators, denominators)
    if variance is None:
        return value, (None, None)
    half = t_quantile(_tail(confidence), len(numerators) - 1) * math.sqrt(max(variance, 0.0))
    low = value - half
    return value, (max(0.0, low) if counts else low, value + half)


def as_metric(estimate: Estimate, n: int) -> dict[str, object]:
    """Return an estimate as the Result JSON writes it: ``{"value", "ci", "n"}``."""
    value, interval = estimate
    return {"value": value, "ci": list(interval), "n": int(n)}


def shares(counts: Sequence[int], total: int) -> list[float]:
    """Return counts as shares of a total (0 when there is none)."""
    return [int(count) / total if total else 0.0 for count in counts]
