"""Ask a compiled strategy for one move, as a kernel does through the door."""

from __future__ import annotations

import numpy as np
from numba import njit, types

from kernels.abi import STRATEGY
from kernels.bits import cells
from kernels.rng import STREAM_CELLS


@njit(
    types.int64(
        types.FunctionType(STRATEGY),
        types.int64[::1],
        types.int64[::1],
        types.uint64[::1],
        types.int64[::1],
    )
)
def _ask(strategy, views, legal, streams, moves):
    return strategy(cells(views), cells(legal), cells(streams), cells(moves), 1)


def ask(door, strategy, view, legal):
    """Return a strategy's move.

    Parameters
    ----------
    door : kernels.abi.Door
    strategy : callable
        Compiled for the door.
    view : int64 array
    legal : int
    """
    views = np.zeros((len(view), door.lanes), dtype=np.int64)
    views[:, 0] = view
    moves = np.full(1, -1, dtype=np.int64)
    streams = np.zeros(STREAM_CELLS * door.lanes, dtype=np.uint64)
    assert _ask(strategy, views.reshape(-1), np.array([int(legal)]), streams, moves) == 0
    return int(moves[0])
