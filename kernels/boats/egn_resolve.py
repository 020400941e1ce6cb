"""Einer geht noch!: one round of a given position, by the rules that the games are played by."""

from __future__ import annotations

from kernels.abi import LOG_FULL, OK
from kernels.bits import cells
from kernels.boats import table as at
from kernels.boats.egn_rules import resolve_round
from kernels.events import is_full
from kernels.jit import compiled


@compiled
def resolve_position(setup, table, sums, log):
    """Resolve the round that a table holds in lane 0.

    Parameters
    ----------
    setup : int64 array
        Players and rulings (`kernels.boats.egn_setup`).
    table : int64 array, shape (TABLE_CELLS,)
        SEATS, BOATS, GAMES = 1, ORDERED = 1, the boats with their boarding orders, the cupids left,
        and the tiles that mice draw in the pile with SCRIPTED = 1. Modified in place.
    sums : int64 array, shape (egn_tally.SUM_CELLS,)
        Modified in place.
    log : int64 array
        Modified in place; it tells the outcome.

    Returns
    -------
    int64
        OK, NO_DRAW when a mouse draws from an empty pile, or LOG_FULL.
    """
    resolve_round(cells(table), cells(setup), cells(sums), cells(log))
    if table[at.FAULT] != OK:
        return table[at.FAULT]
    return LOG_FULL if is_full(log) else OK
