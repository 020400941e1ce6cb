"""The two-player game as a table of positions: its layout, and what a turn leads to in it.

A position is the sheet of the player to move and that of the other one. A sheet has four columns: the
other player's animal, then the three that nobody owns, in the same order on both sheets. A table holds
a chance to win for every pair of sheets, the mover's first.

Strategies read the solved game in whole numbers behind their view, the solvers in floats; the functions
here serve both: `table` is either, `first` where its chances begin and `unit` a certain win.
"""

from __future__ import annotations

from kernels.dice import tierisch_setup as setup_
from kernels.dice import view as see
from kernels.dice.multisets import ANIMALS, NIBBLE, NIBBLE_MASK
from kernels.dice.outcomes import COLUMN_BOXES
from kernels.dice.rewards import without
from kernels.dice.rules import FIRST_TOP, GOAL, points
from kernels.jit import compiled, inlined

COLUMN_STATES = COLUMN_BOXES + 1
FOREIGN_COLUMNS = ANIMALS - 1
SHEETS = COLUMN_STATES**FOREIGN_COLUMNS
POSITIONS = SHEETS * SHEETS

# Cells of the table that strategies read.
ONE = 0  # the unit of all chances
CHANCES = 1
WIN_TABLE_CELLS = CHANCES + POSITIONS

#: The columns of a sheet that count in a two-player game, but for the owner's.
_ALL_WORTH = 0x88888
#: The player whose turn it is, and the other one.
MOVER, OTHER = 0, 1


@inlined
def sheet_number(sheet, own, other):
    """Return the number of a sheet.

    Parameters
    ----------
    own, other : int64
        The slots of the sheet's owner and of the other player.
    """
    number = sheet >> other * NIBBLE & NIBBLE_MASK
    for column in range(ANIMALS):
        if column != own and column != other:
            number = number * COLUMN_STATES + (sheet >> column * NIBBLE & NIBBLE_MASK)
    return number


@inlined
def has_won(sheet, own):
    """Tell whether a sheet has two complete columns."""
    return points(sheet, _ALL_WORTH & ~(FIRST_TOP << own * NIBBLE)) >= GOAL


@compiled
def chance_after(view, table, first, unit, mine, theirs, rival, rolled):
    """Return a seat's chance to win once a turn is evaluated.

    Parameters
    ----------
    view : int64 cells
        For the rulings.
    mine, theirs : int64
        Both sheets, in the seat's frame.
    rival : int64
        The other player's slot.
    rolled : bool
        Whether the seat rolled; then the other player is to move.
    """
    won = has_won(mine, 0)
    if has_won(theirs, rival):
        if not won:
            return unit * 0
        if view[see.RULING + setup_.SIMULTANEOUS_WIN] == setup_.ACTIVE_FIRST:
            return unit if rolled else unit * 0
        return unit - unit / 2 if unit == 1.0 else unit - (unit >> 1)
    if won:
        return unit
    number = sheet_number(mine, 0, rival)
    rivals = sheet_number(theirs, rival, 0)
    if rolled:
        return unit - table[first + rivals * SHEETS + number]
    return table[first + number * SHEETS + rivals]


@compiled
def best_column(view, table, first, unit, sheets, player, boxes, rival, rolled):
    """Return the slot of the column whose loss costs a player least; of equal ones the last.

    Parameters
    ----------
    player : int64
        MOVER: the seat in slot 0; OTHER: its rival, who chooses what is worst for the seat.
    """
    slot = 0 if player == MOVER else rival
    best = unit * 0
    choice = -1
    for column in range(ANIMALS - 1, -1, -1):
        if boxes >> column * NIBBLE & NIBBLE_MASK:
            marked = sheets[slot] + without(boxes, column)
            if player == MOVER:
                chance = chance_after(
                    view, table, first, unit, marked, sheets[rival], rival, rolled
                )
            else:
                chance = unit - chance_after(
                    view, table, first, unit, sheets[0], marked, rival, rolled
                )
            if choice < 0 or chance > best:
                best = chance
                choice = column
    return choice
