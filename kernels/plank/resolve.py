"""Gezanke auf der Planke!: one turn from a given position, by the rules that games are played by."""

from __future__ import annotations

from kernels.bits import cells
from kernels.jit import compiled
from kernels.plank import rules


@compiled
def resolve_position(setup, table, sums, log):
    """Play the turn that a table holds (see `kernels.plank.rules.resolve_position`).

    Parameters
    ----------
    setup : int64 array, shape (SETUP_CELLS,)
        Only the rulings are looked at.
    table : int64 array, shape (TABLE_CELLS,)
        Modified in place.
    sums, log : int64 array
        Modified in place.

    Returns
    -------
    int64
        OK or ILLEGAL_MOVE.
    """
    return rules.resolve_position(cells(table), cells(setup), cells(sums), cells(log))
