"""What a strategy of Einfach tierisch sees: the cells of its view, and its legal moves.

The view is an int64 array of its own; everything in this game is public. docs/strategies.md lists the
cells; the names below are meant to be imported by user strategies.

A strategy is asked for two things, `view[DECISION]` says which:

- KEEP_DICE: which of the dice just rolled it sets aside. A move is their packed counts
  (`kernels.dice.multisets`), ``legal`` holds the roll and the sizes left.
- FORGO_BOX: which column it leaves out when the box cap binds, on anybody's turn. A move is one of
  the four columns in the mask ``legal``, or NO_ANSWER: then the emptiest is left out, among equals
  the last in the order of the sheet.
"""

from __future__ import annotations

from kernels.abi import MAX_SEATS, Door
from kernels.dice.multisets import (
    ANIMALS,
    DICE,
    NIBBLE,
    NIBBLE_MASK,
    SYMBOLS,
    TOPS,
    contains,
    size_of,
)
from kernels.dice.table import LANES
from kernels.dice.tierisch_setup import RULINGS_END
from kernels.jit import inlined

# Cells that change with every decision.
SEAT = 0  # the seat that decides
ACTIVE = 1  # the seat that rolls
DECISION = 2
TURN = 3  # turns played before this one
ROLL_NUMBER = 4  # 1 or 2; 3 when a box is forgone
ROLL = 5  # packed counts of the dice just rolled
DICE_AS_ROLLED = 6  # the same, die by die: `kernels.dice.multisets.gather`
KEPT = 7  # packed counts of the dice set aside before
SIZES = 8  # bit per size left: 1, 2, 3
# Cells that change with every marked box.
MARKS = 9  # per seat: its sheet, a nibble a column
SCORE = MARKS + MAX_SEATS  # per seat: victory points
# Cells that change with every game.
ANIMAL = SCORE + MAX_SEATS  # per seat
OWNER = ANIMAL + MAX_SEATS  # per animal: its seat, or NOBODY
WORTH = OWNER + ANIMALS  # per seat: the columns that bring a point, highest bit of each nibble
# Cells that never change.
PLAYERS = WORTH + MAX_SEATS
RULING = PLAYERS  # the head of the setup array (kernels.dice.tierisch_setup): players, rulings
FACES = RULING + RULINGS_END  # number of faces of the die
TIMES = FACES + 1  # per symbol: faces that show it
POLICIES = (
    TIMES + SYMBOLS
)  # `kernels.dice.shared.shared_cells`: where tables of turn play begin, or 0
WINS = POLICIES + 1  # likewise the solved game
VIEW_CELLS = WINS + 1

DOOR = Door(LANES, VIEW_CELLS)

KEEP_DICE, FORGO_BOX = 0, 1

#: Where the sizes left stand in the legal set of KEEP_DICE, above the roll's counts.
SIZES_SHIFT = SYMBOLS * NIBBLE
_ROLL_MASK = (1 << SIZES_SHIFT) - 1
#: Flag of the legal set of FORGO_BOX.
FORGO_FLAG = 1 << 30
NO_ANSWER = ANIMALS
ALL_SIZES = 1 << 1 | 1 << 2 | 1 << 3


@inlined
def keeps_of(roll, sizes):
    """Return the legal set of setting dice aside: any dice of the roll, of one of the sizes left."""
    return sizes << SIZES_SHIFT | roll


@inlined
def rolled(legal):
    """Return the packed counts of the dice that may be set aside."""
    return legal & _ROLL_MASK


@inlined
def sizes_left(legal):
    """Return the mask of the sizes that may be set aside."""
    return legal >> SIZES_SHIFT


@inlined
def columns_of(columns):
    """Return the legal set of forgoing a box, from the mask of the columns with a box on offer."""
    return FORGO_FLAG | columns


@inlined
def is_legal_keep(legal, move):
    """Tell whether a move may answer KEEP_DICE."""
    return (
        (move >= 0)
        & (move <= _ROLL_MASK)
        & (move & TOPS == 0)
        & contains(rolled(legal), move)
        & (sizes_left(legal) >> size_of(move & _ROLL_MASK) & 1 == 1)
    )


@inlined
def is_legal_forgo(legal, move):
    """Tell whether a move may answer FORGO_BOX."""
    return move == NO_ANSWER or (0 <= move < ANIMALS and legal >> move & 1 == 1)


@inlined
def marks_in(sheet, column):
    """Return the marked boxes of a column of a sheet."""
    return sheet >> column * NIBBLE & NIBBLE_MASK


@inlined
def dice_left(sizes):
    """Return how many dice are still rolled, from the mask of the sizes left."""
    return (sizes >> 1 & 1) + (sizes >> 2 & 1) * 2 + (sizes >> 3 & 1) * 3


@inlined
def is_last_size(sizes):
    """Tell whether one size is left: every die of the third roll is kept (ET-A04)."""
    return sizes & (sizes - 1) == 0


assert dice_left(ALL_SIZES) == DICE
