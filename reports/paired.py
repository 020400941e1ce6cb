"""Differences between two runs on the same deals, from integer sums a block.

Two runs of one seed deal the same cards in the same games (common random numbers), so what luck adds
to one it adds to the other. Block `b` of both runs holds the same games: the difference is taken block
by block, and the spread of those differences, not that of the runs, is its error.

    paired_difference(Arm(credit_a, games), Arm(credit_b, games), 0.95, unit=60, share=True)

gives the difference of two win rates; without `share` that of two means.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from reports.estimates import Interval
from reports.quantiles import t_quantile, t_upper_tail


class Arm(NamedTuple):
    """One run's side of a comparison: a ratio of totals.

    Attributes
    ----------
    numerators, denominators
        Integers, shape ``(blocks,)``; the ratio of their totals is compared. Block `b` of both arms
        holds the same games.
    """

    numerators: np.ndarray
    denominators: np.ndarray


def together(arms: Sequence[Arm]) -> Arm:
    """Return several arms of the same blocks as one: their sums."""
    return Arm(sum(one.numerators for one in arms), sum(one.denominators for one in arms))


@dataclass(frozen=True)
class Difference:
    """A paired difference, first arm minus second.

    Attributes
    ----------
    value
        None when an arm counted nothing.
    interval
        Two-sided, Student's t over blocks; ``(None, None)`` for fewer than two blocks.
    p
        Of the two-sided test that there is no difference; None like the interval.
    error
        Standard error; None like the interval.
    blocks
        How many there are.
    games_saved
        How many more games both arms together would have needed on deals of their own for an
        interval as narrow (negative if pairing cost games); None when it cannot be said: the arms
        never differ, or there are too few blocks.
    """

    value: float | None
    interval: Interval
    p: float | None
    error: float | None
    blocks: int
    games_saved: int | None

    def as_dict(self) -> dict[str, object]:
        """Return the difference as JSON documents write it."""
        return {
            "value": self.value,
            "ci": list(self.interval),
            "p": self.p,
            "standard_error": self.error,
            "games_saved": self.games_saved,
        }


def _integers(values: np.ndarray) -> list[int]:
    return [int(value) for value in values]


def _residuals(arm: Arm) -> tuple[list[int], int]:
    """Return the blocks' deviations from the arm's ratio and their denominator, all exact."""
    numerators, denominators = _integers(arm.numerators), _integers(arm.denominators)
    total, units = sum(numerators), sum(denominators)
    pairs = zip(numerators, denominators, strict=True)
    return [units * x - total * m for x, m in pairs], units * units


def _variance(residuals: Sequence[int], denominator: int) -> float:
    """Return the variance of the sum that the residuals come from (delta method)."""
    blocks = len(residuals)
    squares = sum(one * one for one in residuals)
    return squares * blocks / (denominator * denominator * (blocks - 1))


def floored(variance: float, games: int, quantile: float) -> float:
    """Return a variance that does not vanish because everything came out alike.

    Parameters
    ----------
    variance
        Of the difference of two shares.
    games
        Games that it rests on.
    quantile
        Of the interval that is to be built, Student's.

    Notes
    -----
    A difference of 1 in each of n games leaves no spread, yet says no more than that the truth is
    above about ``1 - 4/n``. As in Wilson's interval, ``quantile**2`` games with the widest spread
    there is (1 a game) are mixed in. Where there is spread this moves the variance by a part in n.
    """
    weight = quantile * quantile
    return (games * variance + weight / games) / (games + weight)


def paired_difference(
    first: Arm,
    second: Arm,
    confidence: float,
    *,
    unit: int = 1,
    share: bool = False,
    played: int | None = None,
) -> Difference:
    """Return the difference of two ratios of totals, with its error.

    Parameters
    ----------
    first, second
        The runs' sums a block, over the same games.
    confidence
        Level, such as 0.95.
    unit
        What the numerators are counted in, as credit is in 1/60 of a win.
    share
        Whether both ratios are shares, at most 1: the interval then stays open where the blocks do
        not vary at all (see `floored`), and ends at -1 and 1.
    played
        Games that were played for both arms; fewer than their denominators add up to where one game
        serves both. Left out, that sum.

    Notes
    -----
    The difference is linear in the blocks' deviations from the ratios (delta method), and their sums
    of squares are exact integers: the same blocks give the same floats on every machine.
    """
    blocks = len(first.numerators)
    if len(second.numerators) != blocks:
        raise ValueError(f"{blocks} blocks against {len(second.numerators)}: not the same games")
    games = [int(arm.denominators.sum()) for arm in (first, second)]
    if min(games) <= 0:
        return Difference(None, (None, None), None, None, blocks, None)
    totals = [int(arm.numerators.sum()) for arm in (first, second)]
    value = (totals[0] * games[1] - totals[1] * games[0]) / (games[0] * games[1] * unit)
    if blocks < 2:
        return Difference(value, (None, None), None, None, blocks, None)
    (left, left_scale), (right, right_scale) = _residuals(first), _residuals(second)
    together = [a * right_scale - b * left_scale for a, b in zip(left, right, strict=True)]
    variance = _variance(together, left_scale * right_scale) / unit**2
    apart = (_variance(left, left_scale) + _variance(right, right_scale)) / unit**2
    played = sum(games) if played is None else played
    saved = round(sum(games) * apart / variance) - played if variance > 0.0 else None
    quantile = t_quantile(0.5 + confidence / 2.0, blocks - 1)
    if share:
        variance = floored(variance, min(games), quantile)
    return estimate(value, variance, blocks, confidence, share=share, games_saved=saved)


def estimate(
    value: float,
    variance: float,
    blocks: int,
    confidence: float,
    *,
    share: bool = False,
    games_saved: int | None = None,
) -> Difference:
    """Return a difference with the interval and test of Student's t over blocks.

    Parameters
    ----------
    value, variance
        The difference and its variance.
    blocks
        Two or more.
    confidence, share, games_saved
        See `paired_difference`.
    """
    error = math.sqrt(max(variance, 0.0))
    half = t_quantile(0.5 + confidence / 2.0, blocks - 1) * error
    low, high = value - half, value + half
    if share:
        low, high = max(low, -1.0), min(high, 1.0)
    return Difference(
        value, (low, high), two_sided(value, error, blocks), error, blocks, games_saved
    )


def two_sided(value: float, error: float, blocks: int) -> float:
    """Return the p value of Student's t test over blocks that `value` comes from 0."""
    if value == 0.0:
        return 1.0
    if error <= 0.0:
        return 0.0
    return 2.0 * t_upper_tail(abs(value) / error, blocks - 1)


def jackknife_variance(without: Sequence[float]) -> float:
    """Return a statistic's variance from its values with one block left out at a time.

    Parameters
    ----------
    without
        Element `b`: the statistic of all blocks but `b`; two or more, finite.

    Notes
    -----
    Works for any smooth function of totals, a difference of two runs' metrics among them: leave the
    same block out of both.
    """
    blocks = len(without)
    centre = math.fsum(without) / blocks
    squares = math.fsum((one - centre) ** 2 for one in without)
    return (blocks - 1) / blocks * squares


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p values: those below alpha are found with a familywise error of alpha.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure. Scand. J. Statist. 6.
    """
    order = sorted(range(len(p_values)), key=lambda k: p_values[k])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, k in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[k]))
        adjusted[k] = largest
    return adjusted
