"""Changes of any quantity from one run to another of the same deals: leave a group of games out.

Two runs of one seed have the same deals in the same blocks (common random numbers). The blocks are
joined to groups; the quantity is worked out with each group left out, of both runs alike, and the
spread of those changes is the error of the whole change (jackknife). This needs to know nothing of how
the quantity is made of sums.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from reports.estimates import Estimate
from reports.quantiles import t_quantile, t_upper_tail

#: Groups of games that a run is cut into; Student's t then has 31 degrees of freedom.
GROUPS = 32


def group_edges(blocks: int) -> list[tuple[int, int]]:
    """Return the first block of every group and the one behind its last; at most GROUPS groups."""
    groups = min(blocks, GROUPS)
    edges = [blocks * k // groups for k in range(groups + 1)] if groups else [0]
    return list(itertools.pairwise(edges))


def jackknifed_change(
    without: np.ndarray, other_without: np.ndarray, change: float, confidence: float
) -> tuple[Estimate, float | None]:
    """Estimate how much a quantity changes from one run to another, and how likely that is chance.

    Parameters
    ----------
    without, other_without
        The quantity with each group left out, floats, shape ``(groups,)``; NaN where there is none.
    change
        Of the quantity over all games.
    confidence
        Level of the interval.

    Returns
    -------
    tuple
        ``((change, (low, high)), p)``, p two-sided, of no change; None where groups cannot tell.
    """
    changes = np.asarray(other_without, dtype=float) - np.asarray(without, dtype=float)
    groups = len(changes)
    if groups < 2 or not np.isfinite(changes).all():
        return (change, (None, None)), None
    centre = math.fsum(changes) / groups
    squares = math.fsum((one - centre) ** 2 for one in changes)
    error = math.sqrt((groups - 1) / groups * squares)
    half = t_quantile(0.5 + confidence / 2.0, groups - 1) * error
    if error > 0.0:
        p = 2.0 * t_upper_tail(abs(change) / error, groups - 1)
    else:
        p = 1.0 if change == 0.0 else 0.0
    return (change, (change - half, change + half)), p


def holm(p_values: list[float]) -> list[float]:
    """Return Holm's adjusted p-values, in the order given."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, k in enumerate(sorted(range(len(p_values)), key=lambda k: p_values[k])):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[k]))
        adjusted[k] = largest
    return adjusted
