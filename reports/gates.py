"""Verdicts of a regression gate: has a metric moved, has it stayed within a margin, or is that open.

Each gated metric has a margin, *delta*. Its change between two runs, with a standard error over blocks,
gets one of three verdicts:

- WITHIN_MARGIN: two one-sided tests (TOST) both reject a change of delta or more.
- SHIFT: else, when the change differs from 0 at Holm's adjusted level over all gates.
- INCONCLUSIVE: neither.

A gate that is open is looked at again with more games, a number of times that is fixed beforehand; each
look has an equal part of alpha (Bonferroni), so the chance of a false alarm in all looks together stays
below it.

References
----------
Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach for
assessing the equivalence of average bioavailability. J. Pharmacokinet. Biopharm. 15.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from reports.paired import Difference, holm
from reports.quantiles import t_quantile

WITHIN_MARGIN = "WITHIN_MARGIN"
SHIFT = "SHIFT"
INCONCLUSIVE = "INCONCLUSIVE"


@dataclass(frozen=True)
class Gate:
    """How sharp a set of gates is.

    Attributes
    ----------
    alpha
        Chance of a false alarm in any gate at any look.
    beta
        Chance to miss a shift of delta in one metric.
    looks
        How often it is looked at, at most.
    """

    alpha: float
    beta: float
    looks: int

    @property
    def alpha_of_look(self) -> float:
        """The part of alpha of one look."""
        return self.alpha / self.looks


def judge(
    changes: Sequence[Difference], deltas: Sequence[float], gate: Gate
) -> list[tuple[str, float | None]]:
    """Return every gate's verdict and Holm's adjusted p value at one look.

    Parameters
    ----------
    changes
        Change of every gated metric; one that cannot be estimated is open.
    deltas
        Margins, above 0.
    gate
        The levels.
    """
    known = [k for k, one in enumerate(changes) if one.p is not None]
    adjusted: list[float | None] = [None] * len(changes)
    for k, p in zip(known, holm([changes[k].p for k in known]), strict=True):
        adjusted[k] = p
    verdicts = []
    for one, delta, p in zip(changes, deltas, adjusted, strict=True):
        verdict = INCONCLUSIVE
        if p is not None and is_within_margin(one, delta, gate.alpha_of_look):
            verdict = WITHIN_MARGIN
        elif p is not None and p < gate.alpha_of_look:
            verdict = SHIFT
        verdicts.append((verdict, p))
    return verdicts


def is_within_margin(change: Difference, delta: float, alpha: float) -> bool:
    """Tell whether two one-sided tests at level `alpha` reject a change of `delta` or more."""
    half = t_quantile(1.0 - alpha, change.blocks - 1) * change.error
    return abs(change.value) + half < delta


def detectable(error: float, blocks: int, gates: int, gate: Gate) -> float:
    """Return the smallest shift that a gate sees with a chance of ``1 - beta``.

    Parameters
    ----------
    error
        Standard error of the metric in one run of all looks.
    blocks
        Blocks (or groups of them) that it was estimated from.
    gates
        How many gates share alpha.
    gate
        The levels.

    Notes
    -----
    For two runs on different deals, the worst case: a change of the random numbers leaves nothing
    that is paired. On the same deals smaller shifts are seen. What the equivalence tests let pass,
    up to alpha, is taken off beta.
    """
    quantile = t_quantile(1.0 - gate.alpha_of_look / (2.0 * gates), blocks - 1)
    missed = max(gate.beta - gate.alpha, gate.beta / 2.0)
    return (quantile + t_quantile(1.0 - missed, blocks - 1)) * math.sqrt(2.0) * error


def games_needed(games: int, seen: float, delta: float) -> int:
    """Return how many games let a gate see `delta` that sees `seen` with `games`."""
    return math.ceil(games * (seen / delta) ** 2)
