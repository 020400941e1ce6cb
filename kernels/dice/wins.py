"""The layout of the solved two-player game, as strategies read it.

One number a position: the chance, in units of cell ONE, that the player to move wins. A sheet has four
columns: the other player's animal, then the three that nobody owns, in the same order on both sheets.
"""

from __future__ import annotations

from kernels.dice.outcomes import COLUMN_BOXES
from kernels.jit import inlined

COLUMN_STATES = COLUMN_BOXES + 1
FOREIGN_COLUMNS = 4
SHEETS = COLUMN_STATES**FOREIGN_COLUMNS

ONE = 0  # the unit of all chances
CHANCES = 1
WIN_TABLE_CELLS = CHANCES + SHEETS * SHEETS


@inlined
def chance_cell(mover, other):
    """Return the cell of a position from the numbers of the mover's and the other player's sheet."""
    return CHANCES + mover * SHEETS + other
