"""A packed plank, and what may be done on it: the rules that need no more than a position.

A set of cells is a word with bit `i` for cell `i`; cell 0 is the last position (ship end), cell
``length - 1`` the foremost one, at the shark (GP-A02). Three such words are the plank: who stands
where, and the two binary digits of the colours. The pirates from cell `i` up to the next gap are the
ones that carry when 1 is added at bit `i`, so a push is one addition.

A *position* is an int64 array (or `kernels.bits.cells`) that begins with the cells named here. The
kernel's table holds one, and every strategy's view begins with a copy of it, so strategies may ask
the same questions as the referee. docs/encoding.md explains this at length.
"""

from __future__ import annotations

import numpy as np

from kernels.bits import bit_length, lowest_bit_index, popcount
from kernels.jit import compiled, inlined, part
from kernels.plank import planke_setup as setup_

SYMBOL_BITS = 2
SYMBOLS = 1 << SYMBOL_BITS
SWAP, PUSH1, MOVE1, SKULL = range(SYMBOLS)
COLOURS = 4
YELLOW, RED, GREEN, BLUE = range(COLOURS)
PIRATES = 16
#: Most cells of a plank whose position can be packed; games have at most 40.
MAX_LENGTH = 60

# Cells of a position.
PLANK = 0  # set of the occupied cells
LOW = 1  # those whose pirate's colour has bit 0 (red and blue)
HIGH = 2  # those whose pirate's colour has bit 1 (green and blue)
LENGTH = 3  # cells of the plank
LEFT = 4  # symbol that the left pointer shows
RIGHT = 5
UNUSUAL = 6  # 1: a ruling changes what may be chosen (`take_rulings`)
RULING = 7  # the rulings (kernels.plank.planke_setup)
POSITION_CELLS = RULING + setup_.RULINGS

# The two ends that move1 knows.
LAST, FOREMOST = 0, 1

# A move is ``symbol | at << 2 | other << 8 | row << 14``; all but the row is called an action.
#   swap:  at, other: the cells of the two pirates, in either order
#   push1: at: the pirate's cell; other NOWHERE
#   move1: at: the pirate's cell; other: LAST or FOREMOST
#   skull, or an action that is impossible here: at and other NOWHERE
# `row` is the cell of the row's last pirate after the action, ignored if the action ends the game.
SYMBOL_FIELD = 3
AT_SHIFT = 2
OTHER_SHIFT = 8
ROW_SHIFT = 14
CELL_FIELD = 63
NOWHERE = 63
_NOWHERE_SET = -(1 << NOWHERE)  # the set of it alone
MOVE_BITS = 20

# A legal word: bit `symbol` if it may be chosen, CAN_SHIFT + `symbol` if it can be carried out (an
# impossible one that may be chosen lapses), FREE_SHIFT + `end` if that end of move1 is free.
CAN_SHIFT = 4
FREE_SHIFT = 8

# What is wrong with a move.
(
    FINE,
    NOT_A_MOVE,  # bits outside the fields
    NOT_SHOWN,  # the wind rose does not show the symbol
    OTHER_SYMBOL,  # a ruling demands the other symbol
    USELESS_CELL,  # cells given where none are taken
    NO_PIRATE,  # `at`, or `other` of a swap, is empty
    SAME_PIRATE,  # a swap of a pirate with itself
    SAME_COLOUR,  # a swap of equal colours under swap_same_colour=no
    NO_END,  # `other` of move1 names no end
    END_TAKEN,  # the end is occupied, or does not exist
    NOT_A_ROW,  # `row` is not the last pirate of a row
) = range(11)


@inlined
def mask(condition):
    """Return a word of ones if a condition holds, else 0: with it a choice is arithmetic, no branch.

    The processor cannot foresee which symbol a turn has; a wrong guess costs more than doing both.
    """
    return -np.int64(condition)


# --- sets of cells --------------------------------------------------------------------------------


@inlined
def row_starts(plank):
    """Return the last pirate of every row, a maximal block without a gap (GP-A11)."""
    return plank & ~(plank << 1)


@inlined
def landing_cell(plank, pirate):
    """Return where the block that starts with a pirate (one bit each) ends up: the gap before it.

    It is the cell behind the edge when the block reaches the edge.
    """
    return (plank + pirate) & ~plank


@inlined
def colour_set(position, colour):
    """Return the cells of the pirates of a colour."""
    low = position[LOW] ^ ((colour & 1) - 1)
    high = position[HIGH] ^ ((colour >> 1) - 1)
    return position[PLANK] & low & high


@inlined
def colour_at(position, cell):
    """Return the colour of the pirate on a cell."""
    return position[LOW] >> cell & 1 | (position[HIGH] >> cell & 1) << 1


@inlined
def is_one_colour(planes):
    """Tell whether all pirates of a plank (plank, low, high) have one colour."""
    plank, low, high = planes
    return (low == 0 or low == plank) and (high == 0 or high == plank)


@inlined
def planes_of(position):
    """Return the three words of a position: plank, low, high."""
    return position[PLANK], position[LOW], position[HIGH]


@inlined
def is_over(position, planes):
    """Tell whether a plank ends the game: one pirate left, or one colour (GP-A15).

    Of the position only the ruling ``end`` is looked at.
    """
    plank = planes[0]
    if plank & (plank - 1) == 0:
        return True
    if position[RULING + setup_.END] == setup_.ONE_LEFT:
        return False
    return is_one_colour(planes)


# --- moves ----------------------------------------------------------------------------------------


@inlined
def symbol_of(move):
    """Return the symbol that a move chooses."""
    return move & SYMBOL_FIELD


@inlined
def at_of(move):
    """Return the cell of the pirate that a move swaps, pushes or moves."""
    return move >> AT_SHIFT & CELL_FIELD


@inlined
def other_of(move):
    """Return the cell of the second pirate of a swap, or the end that move1 goes to."""
    return move >> OTHER_SHIFT & CELL_FIELD


@inlined
def row_of(move):
    """Return the cell of the last pirate of the row that a move pushes."""
    return move >> ROW_SHIFT & CELL_FIELD


@inlined
def action_of(symbol, at, other):
    """Return an action: a move without its row (see the encoding above)."""
    return other << OTHER_SHIFT | at << AT_SHIFT | symbol


@inlined
def swap_action(at, other):
    """Return the action that exchanges the pirates on two cells."""
    return action_of(SWAP, at, other)


@inlined
def push_action(at):
    """Return the action that pushes the pirate on a cell."""
    return action_of(PUSH1, at, NOWHERE)


@inlined
def move_action(at, end):
    """Return the action that places the pirate on a cell on an end, LAST or FOREMOST."""
    return action_of(MOVE1, at, end)


@inlined
def idle_action(symbol):
    """Return the action that does nothing: a skull, or a symbol that is impossible here."""
    return action_of(symbol, NOWHERE, NOWHERE)


@inlined
def move_of(action, row):
    """Return the move of an action and the row that is pushed after it."""
    return row << ROW_SHIFT | action


@inlined
def may_choose(legal, symbol):
    """Tell whether a symbol may be chosen."""
    return legal >> symbol & 1 == 1


@inlined
def is_possible(legal, symbol):
    """Tell whether a symbol's action can be carried out (a skull always can)."""
    return legal >> (CAN_SHIFT + symbol) & 1 == 1


@inlined
def acts(legal, symbol):
    """Return 1 if a symbol changes the plank: no skull, and not impossible; else 0."""
    return (legal >> CAN_SHIFT & ~(1 << SKULL)) >> symbol & 1


@inlined
def is_free(legal, end):
    """Tell whether an end of move1 (LAST or FOREMOST) is free."""
    return legal >> (FREE_SHIFT + end) & 1 == 1


@inlined
def plank_end(length, end):
    """Return an end of the plank, as a set."""
    return 1 << (length - 1) * end


@inlined
def group_end(plank, length, end):
    """Return the cell behind or in front of the pirates, as a set, empty where it does not exist."""
    behind = (plank & -plank) >> 1
    in_front = 1 << bit_length(plank) & ((1 << length) - 1)
    foremost = mask(end == FOREMOST)
    return behind & ~foremost | in_front & foremost


@inlined
def end_cell(position, end):
    """Return the one-bit set of an end that move1 may name, 0 where it does not exist (GP-A03).

    The ends are those of the plank, or under ``move_targets=adjacent_to_group`` the cells behind and
    in front of the pirates as they stand before one is lifted.
    """
    if position[RULING + setup_.MOVE_TARGETS] == setup_.PLANK_ENDS:
        return plank_end(position[LENGTH], end)
    return group_end(position[PLANK], position[LENGTH], end)


@compiled
def take_rulings(position, setup):
    """Copy the rulings of a setup into a position, in place, and note whether choices are unusual."""
    for k in range(setup_.RULINGS):
        position[RULING + k] = setup[k]
    unusual = (
        setup[setup_.MOVE_TARGETS] != setup_.PLANK_ENDS
        or setup[setup_.NULL_MOVE] != setup_.NULL_NO
        or setup[setup_.IMPOSSIBLE_SYMBOL] != setup_.NOOP_ALLOWED
        or setup[setup_.SWAP_SAME_COLOUR] != setup_.SAME_COLOUR_YES
        or setup[setup_.SKULL_CHOICE] != setup_.SKULL_YES
    )
    position[UNUSUAL] = unusual


@inlined
def has_null_moves(position):
    """Tell whether a pirate on an end may be put back there (GP-A06).

    The ends of ``move_targets=adjacent_to_group`` are never occupied.
    """
    return (
        position[RULING + setup_.NULL_MOVE] == setup_.NULL_YES
        and position[RULING + setup_.MOVE_TARGETS] == setup_.PLANK_ENDS
    )


@inlined
def _legal_word(may, can, free):
    return may | can << CAN_SHIFT | free << FREE_SHIFT


@part
def _unusual_legal_set(position, may):
    """Return the legal word under any rulings; `may` holds the symbols that the rose shows.

    A pirate at an end may be put back there only under ``null_move=yes`` (GP-A06). Under
    ``impossible_symbol=must_take_other`` a skull counts as the other symbol, and when both are
    impossible either lapses (GP-A05). ``skull_choice=no`` forbids a skull beside an action (GP-A17).
    """
    empty = ~position[PLANK]
    free = np.int64(end_cell(position, LAST) & empty != 0) << LAST
    free |= np.int64(end_cell(position, FOREMOST) & empty != 0) << FOREMOST
    can = 1 << PUSH1 | 1 << SKULL
    if position[RULING + setup_.SWAP_SAME_COLOUR] == setup_.SAME_COLOUR_YES or not is_one_colour(
        planes_of(position)
    ):
        can |= 1 << SWAP
    if free != 0 or has_null_moves(position):
        can |= 1 << MOVE1
    if position[RULING + setup_.IMPOSSIBLE_SYMBOL] == setup_.MUST_TAKE_OTHER and may & can:
        may &= can
    if position[RULING + setup_.SKULL_CHOICE] == setup_.SKULL_NO and may & ~(1 << SKULL):
        may &= ~(1 << SKULL)
    return _legal_word(may, can, free)


@inlined
def legal_set(position):
    """Return the legal word: which symbols may be chosen and carried out, which ends are free.

    By default both symbols may be chosen, and only move1 can be impossible: when neither end of the
    plank is empty (GP-A04, GP-A05).
    """
    may = 1 << position[LEFT] | 1 << position[RIGHT]
    if position[UNUSUAL]:
        return _unusual_legal_set(position, may)
    empty = ~position[PLANK]
    free = (empty & 1) << LAST | (empty >> (position[LENGTH] - 1) & 1) << FOREMOST
    can = 1 << SWAP | 1 << PUSH1 | 1 << SKULL | np.int64(free != 0) << MOVE1
    return _legal_word(may, can, free)


@inlined
def _swap_fault(position, at, other):
    if position[PLANK] >> other & 1 == 0:
        return NO_PIRATE
    if at == other:
        return SAME_PIRATE
    equal = colour_at(position, at) == colour_at(position, other)
    if equal and position[RULING + setup_.SWAP_SAME_COLOUR] == setup_.SAME_COLOUR_NO:
        return SAME_COLOUR
    return FINE


@inlined
def _move1_fault(position, legal, at, end):
    if end > FOREMOST:
        return NO_END
    if is_free(legal, end):
        return FINE
    back = end_cell(position, end) == 1 << at
    if back and position[RULING + setup_.NULL_MOVE] == setup_.NULL_YES:
        return FINE
    return END_TAKEN


@inlined
def action_fault(position, legal, move):
    """Return what is wrong with a move's action, FINE if nothing is; the row is not looked at."""
    symbol = symbol_of(move)
    if move >> MOVE_BITS != 0:
        return NOT_A_MOVE
    if not may_choose(legal, symbol):
        shown = symbol == position[LEFT] or symbol == position[RIGHT]
        return OTHER_SYMBOL if shown else NOT_SHOWN
    at = at_of(move)
    other = other_of(move)
    if symbol == SKULL or not is_possible(legal, symbol):
        return FINE if at & other == NOWHERE else USELESS_CELL
    if position[PLANK] >> at & 1 == 0:
        return NO_PIRATE
    if symbol == SWAP:
        return _swap_fault(position, at, other)
    if symbol == MOVE1:
        return _move1_fault(position, legal, at, other)
    return FINE if other == NOWHERE else USELESS_CELL


@inlined
def is_plain(plank, legal, move):
    """Return 1 for an action that is legal under usual rulings, without a branch; else 0.

    It asks what `action_fault` asks.
    """
    symbol = symbol_of(move)
    at = at_of(move)
    acting = mask(acts(legal, symbol))
    swaps = mask(symbol == SWAP) & acting
    moves = mask(symbol == MOVE1) & acting
    ats = plank & acting | _NOWHERE_SET & ~acting
    others = _NOWHERE_SET & ~(swaps | moves)
    others |= plank & ~(1 << at) & swaps | legal >> FREE_SHIFT & moves
    known = mask(move >> MOVE_BITS == 0)
    return ats >> at & others >> other_of(move) & legal >> symbol & known & 1


@inlined
def is_row(plank, move):
    """Tell whether a move's row is one of the rows on the plank (after its action)."""
    return row_starts(plank) >> row_of(move) & 1 == 1


# --- what a move does to sets of cells ------------------------------------------------------------
#
# A band is three sets of cells of which the first is the plank and the others belong to some of its
# pirates: the planes of a position, or a strategy's own way to sort them.


@inlined
def pushed(band, pirate, length):
    """Return a band after a push of the block that starts with a pirate (a set of one)."""
    plank, one, two = band
    block = landing_cell(plank, pirate) - pirate
    aboard = (1 << length) - 1
    return (
        plank + block & aboard,
        one + (one & block) & aboard,
        two + (two & block) & aboard,
    )


@inlined
def exchanged(cells, both):
    """Return a set after the contents of two cells (a set of two, or none) were exchanged."""
    return cells ^ both & -(popcount(cells & both) & 1)


@inlined
def after_action(position, legal, band, move):
    """Return a band after the action of a legal move."""
    symbol = symbol_of(move)
    if symbol == SKULL or not is_possible(legal, symbol):
        return band
    pirate = 1 << at_of(move)
    if symbol == PUSH1:
        return pushed(band, pirate, position[LENGTH])
    other = other_of(move)
    partner = 1 << other if symbol == SWAP else end_cell(position, other & 1)
    both = pirate ^ partner  # nothing when a pirate is put back
    return exchanged(band[0], both), exchanged(band[1], both), exchanged(band[2], both)


@inlined
def plank_after(position, legal, move):
    """Return the occupied cells after a legal move's action: the rows to choose from are there."""
    plank = position[PLANK]
    symbol = symbol_of(move)
    leaves = acts(legal & ~(1 << CAN_SHIFT + SWAP), symbol)
    pirate = leaves << at_of(move)
    moves = mask(symbol == MOVE1)
    landing = landing_cell(plank, pirate) & (1 << position[LENGTH]) - 1
    target = end_cell(position, other_of(move) & 1) & mask(leaves)
    return plank & ~pirate | landing & ~moves | target & moves


@compiled
def is_legal(position, legal, move):
    """Tell whether a whole move is legal, its row included."""
    if action_fault(position, legal, move) != FINE:
        return False
    planes = after_action(position, legal, planes_of(position), move)
    return is_over(position, planes) or is_row(planes[0], move)


@compiled
def first_action(position, legal):
    """Return the first legal action: the lowest symbol, its lowest cells."""
    symbol = lowest_bit_index(legal)
    if symbol == SKULL or not is_possible(legal, symbol):
        return idle_action(symbol)
    if symbol == PUSH1:
        return push_action(lowest_bit_index(position[PLANK]))
    ats = position[PLANK]
    while ats:
        at = lowest_bit_index(ats)
        ats &= ats - 1
        others = ats if symbol == SWAP else (1 << LAST | 1 << FOREMOST)
        while others:
            action = action_of(symbol, at, lowest_bit_index(others))
            others &= others - 1
            if action_fault(position, legal, action) == FINE:
                return action
    return idle_action(symbol)
