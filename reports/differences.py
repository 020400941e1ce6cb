"""Changes of any quantity from one run to another of the same deals: leave a group of games out.

Two runs of one seed have the same deals in the same blocks (common random numbers). The blocks are
joined to groups; the quantity is worked out with each group left out, of both runs alike, and the
spread of those changes is the error of the whole change (jackknife). This needs to know nothing of how
the quantity is made of sums.
"""

from __future__ import annotations

import itertools

import numpy as np

from reports.paired import Difference, estimate, jackknife_variance

#: Groups of games that a run is cut into; Student's t then has 31 degrees of freedom.
GROUPS = 32


def group_edges(blocks: int) -> list[tuple[int, int]]:
    """Return the first block of every group and the one behind its last; at most GROUPS groups."""
    groups = min(blocks, GROUPS)
    edges = [blocks * k // groups for k in range(groups + 1)] if groups else [0]
    return list(itertools.pairwise(edges))


def jackknifed_change(
    without: np.ndarray, other_without: np.ndarray, change: float, confidence: float
) -> Difference:
    """Estimate how much a quantity changes from one run to another.

    Parameters
    ----------
    without, other_without
        The quantity with each group left out, floats, shape ``(groups,)``; NaN where there is none.
    change
        Of the quantity over all games.
    confidence
        Level of the interval.
    """
    changes = np.asarray(other_without, dtype=float) - np.asarray(without, dtype=float)
    groups = len(changes)
    if groups < 2 or not np.isfinite(changes).all():
        return Difference(change, (None, None), None, None, groups, None)
    return estimate(change, jackknife_variance(changes.tolist()), groups, confidence)
