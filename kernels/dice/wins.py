"""The two-player game as a table of positions: its layout, and what a turn leads to in it.

A position is the sheet of the player to move and that of the other one. A sheet has four columns: the
other player's animal, then the three that nobody owns, in the same order on both sheets. A table holds
a chance to win for every pair of sheets, the mover's first.

Strategies read the solved game in whole numbers behind their view, the solvers in floats; the functions
here serve both: `table` is either, `first` the cell where it begins.
"""

from __future__ import annotations

from kernels.dice import tierisch_setup as setup_
from kernels.dice import view as see
from kernels.dice.multisets import ANIMALS, COLUMN_TOPS, NIBBLE, NIBBLE_MASK
from kernels.dice.outcomes import COLUMN_BOXES, LEADERS, OFFERED, PAYING
from kernels.dice.rewards import fullest_first, is_bound, players_choose, without, without_own
from kernels.dice.rules import FIRST_TOP, GOAL, points, with_boxes
from kernels.jit import inlined, part

COLUMN_STATES = COLUMN_BOXES + 1
FOREIGN_COLUMNS = ANIMALS - 1
SHEETS = COLUMN_STATES**FOREIGN_COLUMNS
POSITIONS = SHEETS * SHEETS

# Cells of a table.
ONE = 0  # the unit of all chances
HALF = 1
CHANCES = 2
WIN_TABLE_CELLS = CHANCES + POSITIONS

#: The player whose turn it is, and the other one.
MOVER, OTHER = 0, 1


@inlined
def chance_cell(mover, other):
    """Return the cell of a position from the numbers of both sheets."""
    return CHANCES + mover * SHEETS + other


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


def number_of_columns(columns):
    """Return a sheet's number from its four columns, the other player's first (plain Python)."""
    number = 0
    for boxes in columns:
        number = number * COLUMN_STATES + boxes
    return number


@inlined
def has_won(sheet, own):
    """Tell whether a sheet has two complete columns."""
    return points(sheet, COLUMN_TOPS & ~(FIRST_TOP << own * NIBBLE)) >= GOAL


@part
def chance_after(view, table, first, mine, theirs, rival, rolled):
    """Return a seat's chance to win once a turn is evaluated, in units of the table.

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
    unit = table[first + ONE]
    won = has_won(mine, 0)
    if has_won(theirs, rival):
        if not won:
            return unit - unit
        if view[see.RULING + setup_.SIMULTANEOUS_WIN] == setup_.SHARED:
            return table[first + HALF]
        return unit if rolled else unit - unit
    if won:
        return unit
    number = sheet_number(mine, 0, rival)
    rivals = sheet_number(theirs, rival, 0)
    if rolled:
        return unit - table[first + chance_cell(rivals, number)]
    return table[first + chance_cell(number, rivals)]


@part
def least_loss(view, table, first, sheets, player, rival, rolled):
    """Return the slot of the column that a player leaves out under the cap, to win most often.

    Of equal ones it is the last. The cap binds on one box in each other column.

    Parameters
    ----------
    player : int64
        MOVER: the seat in slot 0; OTHER: its rival, who chooses what is worst for the seat.
    """
    slot = 0 if player == MOVER else rival
    boxes = without_own(slot)
    choice = -1
    best = table[first + ONE]
    for column in range(ANIMALS - 1, -1, -1):
        if column != slot:
            marked = sheets[slot] + without(boxes, column)
            if player == MOVER:
                chance = chance_after(view, table, first, marked, sheets[rival], rival, rolled)
            else:
                chance = chance_after(view, table, first, sheets[0], marked, rival, rolled)
                chance = table[first + ONE] - chance
            if choice < 0 or chance > best:
                best = chance
                choice = column
    return choice


@inlined
def loss_of(view, frame, table, first, sheets, player, rival):
    """Return the slot that a player leaves out on the mover's turn if the cap binds (ET-A14)."""
    slot = 0 if player == MOVER else rival
    boxes = without_own(slot)
    # A full column leaves at most three boxes, and then the cap does not bind.
    if not is_bound(view, with_boxes(sheets[slot], boxes) - sheets[slot]):
        return 0
    if players_choose(view):
        return least_loss(view, table, first, sheets, player, rival, True)
    return fullest_first(sheets[slot], boxes, frame)


@inlined
def marked_sheet(view, sheet, number, loss):
    """Return the sheet of a leading animal's owner after a result."""
    boxes = with_boxes(sheet, OFFERED[number]) - sheet
    if is_bound(view, boxes):
        boxes = without(boxes, loss)
    return sheet + boxes


@part
def fill_chances(view, table, first, sheets, rival, losses, reward):
    """Value every result that changes a sheet by the mover's chance to win, in place.

    Parameters
    ----------
    losses : tuple of two int64
        What the mover and the other player leave out if the cap binds.
    reward : array
        The other results are left as they are.
    """
    for number in PAYING:
        mine = sheets[0]
        theirs = sheets[rival]
        if LEADERS[number] & FIRST_TOP:
            mine = marked_sheet(view, mine, number, losses[MOVER])
        if LEADERS[number] >> rival * NIBBLE & FIRST_TOP:
            theirs = marked_sheet(view, theirs, number, losses[OTHER])
        if mine != sheets[0] or theirs != sheets[rival]:
            reward[number] = chance_after(view, table, first, mine, theirs, rival, True)
