"""Einfach tierisch: the evaluation of six dice, from the offered boxes to the winners.

A sheet is a word of five nibbles, so all columns are marked at once. Rules are written for one game;
the loops around them run along the rows of all games (`kernels.dice.table`). Rule numbers (ET-Axx) are
those of docs/games/einfach-tierisch.md.
"""

from __future__ import annotations

import numpy as np

from kernels.abi import MAX_SEATS
from kernels.bits import lowest_bit_index, popcount
from kernels.dice import events, tally
from kernels.dice import table as at
from kernels.dice import tierisch_setup as setup_
from kernels.dice.multisets import (
    ANIMALS,
    COLUMN_ONES,
    COLUMN_TOPS,
    NIBBLE,
    NIBBLE_MASK,
    POLICE_SHIFT,
)
from kernels.dice.outcomes import (
    COLUMN_BOXES,
    COLUMNS_MASK,
    TOP_TO_ONE,
    is_void,
    leading_animals,
    offered_boxes,
)
from kernels.dice.table import LANES
from kernels.events import emit, is_on
from kernels.jit import compiled, inlined, part

BOX_CAP = 3  # (ET-A13)
GOAL = 2  # victory points
#: Added to a column, its nibble's highest bit says that it holds more than five, or five boxes.
_OVERFULL = 2 * COLUMN_ONES
_COMPLETE = 3 * COLUMN_ONES
_AT_LEAST_ONE = 7 * COLUMN_ONES
FULL_SHEET = COLUMN_BOXES * COLUMN_ONES
#: The highest bit of the first nibble, and the nibble of a bit.
FIRST_TOP = 1 << TOP_TO_ONE
COLUMN_SHIFT = 2


@inlined
def with_boxes(marks, boxes):
    """Return a sheet with boxes added; what finds no room is lost (ET-A15)."""
    wanted = marks + boxes
    overfull = ((wanted + _OVERFULL & COLUMN_TOPS) >> TOP_TO_ONE) * NIBBLE_MASK
    return wanted & ~overfull | FULL_SHEET & overfull


@inlined
def columns_in(boxes):
    """Return the mask of the columns that have boxes, at most three each."""
    low = (boxes | boxes >> 1) & COLUMN_ONES
    return (
        low & 1
        | low >> NIBBLE - 1 & 2
        | low >> 2 * NIBBLE - 2 & 4
        | low >> 3 * NIBBLE - 3 & 8
        | low >> 4 * NIBBLE - 4 & 16
    )


@inlined
def box_count(boxes):
    """Return the number of boxes in five columns."""
    pairs = (boxes & 0x0F0F0F) + (boxes >> NIBBLE & 0x0F0F)
    return (pairs + (pairs >> 8) + (pairs >> 16)) & 0xFF


@inlined
def points(marks, worth):
    """Return the victory points of a sheet: its complete columns that are worth one (ET-A17)."""
    return popcount(marks + _COMPLETE & worth)


@inlined
def worth_of(setup, animal, in_play):
    """Return the columns that bring a player points, as highest bits of the nibbles.

    The own one never does (ET-A23); one of an animal that nobody has does not under ``owned_only``.

    Parameters
    ----------
    in_play : int64
        Mask of the animals that somebody has.
    """
    everyones = setup[setup_.VP_COLUMNS] == setup_.ANY_OTHER_ANIMAL
    worth = 0
    for column in range(ANIMALS):
        counts = column != animal and (everyones or in_play >> column & 1 == 1)
        worth |= counts << column * NIBBLE + TOP_TO_ONE
    return worth


# --- the box cap ----------------------------------------------------------------------------------


@inlined
def wish(column):
    """Return the wish to forgo one column; wishes for several follow in higher nibbles."""
    return column + 1


@inlined
def is_capped(counts):
    """Tell whether six dice offer more than three boxes: two of one animal, one of all others."""
    tops = counts + _AT_LEAST_ONE & COLUMN_TOPS
    return (tops == COLUMN_TOPS) & (counts <= COLUMNS_MASK)


@part
def emptiest_column(marks, columns):
    """Return the emptiest of some columns, among equals the last: what is forgone unasked (ET-A14)."""
    least = COLUMN_BOXES + 1
    column = 0
    for k in range(ANIMALS):
        boxes = marks >> k * NIBBLE & NIBBLE_MASK
        if columns >> k & 1 and boxes <= least:
            least = boxes
            column = k
    return column


@part
def wished_column(columns, wishes):
    """Return the first column wished for among `columns`, or -1."""
    while wishes:
        column = (wishes & NIBBLE_MASK) - 1
        if columns >> column & 1:
            return column
        wishes >>= NIBBLE
    return -1


@inlined
def leader_of(table, lane):
    """Return the seat of the first leading animal, or NOBODY."""
    leader = lowest_bit_index(table[at.LEADING + lane]) >> COLUMN_SHIFT
    return table[at.OWNER + leader * LANES + lane]


@part
def capped_columns(table, setup, lane):
    """Return the mask of the columns with a box on offer if the box cap binds, else 0 (ET-A13).

    It binds on 2+1+1+1+1 alone, with four columns open, so one box is left out.
    """
    seat = leader_of(table, lane)
    if setup[setup_.BOX_CAP] == setup_.CAP_NONE or seat == at.NOBODY:
        return 0
    marks = table[at.MARKS + seat * LANES + lane]
    open_boxes = with_boxes(marks, table[at.OFFERED + lane]) - marks
    return columns_in(open_boxes) if box_count(open_boxes) > BOX_CAP else 0


@part
def forgo(table, setup, lane, columns, log):
    """Take the box that the cap leaves out off the offered ones, in place.

    Which one is up to the player, or under ``cap_choice=fullest_first`` the emptiest column's
    (ET-A14).
    """
    seat = leader_of(table, lane)
    column = -1
    if setup[setup_.CAP_CHOICE] == setup_.POLICY:
        column = wished_column(columns, table[at.WISH + seat * LANES + lane])
    chosen = column >= 0
    if not chosen:
        column = emptiest_column(table[at.MARKS + seat * LANES + lane], columns)
    emit(log, events.FORGO, seat, column, int(chosen))
    table[at.OFFERED + lane] &= ~(NIBBLE_MASK << column * NIBBLE)


# --- the evaluation -------------------------------------------------------------------------------


@part
def weigh(table):
    """Find out who leads, what is offered and what police void; return the lanes to look at for the cap.

    Every lane's COUNTS are given; a lane that waits offers nothing.

    Returns
    -------
    int64
        Mask of the lanes whose dice offer more boxes than the cap allows.
    """
    capped = 0
    for lane in range(table[at.GAMES]):
        counts = table[at.COUNTS + lane]
        leaders = leading_animals(counts)
        here = table[at.HERE + lane]
        table[at.LEADING + lane] = leaders
        table[at.OFFERED + lane] = offered_boxes(counts, leaders) & -here
        capped |= (here & is_capped(counts)) << lane
    return capped


@inlined
def mark(table, lane, seat, boxes):
    """Mark boxes on a player's sheet and bring his points up to date; return his mask if he has won."""
    cell = seat * LANES + lane
    marks = table[at.MARKS + cell] + boxes
    score = points(marks, table[at.WORTH + cell])
    table[at.MARKS + cell] = marks
    table[at.MARKED + cell] = boxes
    table[at.SCORE + cell] = score
    return np.int64(score >= GOAL) << seat


@part
def mark_boxes(table, roller):
    """Mark what is offered in every game; note the winners and what came of the turn.

    Every owner of a leading animal marks, the roller or not (ET-A09); a leader that nobody owns takes
    nothing from the others (ET-A11) and promotes nobody (ET-A10). Marking is optional but never
    hurts, so it is always done in full (ET-A21). Sheets are separate, so the order of the players does
    not matter (ET-A20). Police void the turn: nobody marks (ET-A07).

    Returns
    -------
    int64
        How many boxes void turns would have brought, in all games.
    """
    lost = 0
    for lane in range(table[at.GAMES]):
        leaders = table[at.LEADING + lane]
        offered = table[at.OFFERED + lane]
        valid = -np.int64(not is_void(table[at.COUNTS + lane]))  # a mask: all bits, or none
        markers = 0
        winners = 0
        for seat in range(MAX_SEATS):
            cell = seat * LANES + lane
            leads = -(leaders >> table[at.ANIMAL + cell] * NIBBLE + TOP_TO_ONE & 1)
            marks = table[at.MARKS + cell]
            boxes = with_boxes(marks, offered) - marks & leads
            count = box_count(boxes)
            lost += count & ~valid
            count &= valid
            winners |= mark(table, lane, seat, boxes & valid)
            table[at.BOXES + cell] += count
            table[at.OWN_BOXES + cell] += count & -np.int64(seat == roller)
            markers += count > 0
        table[at.KIND + lane] = tally.KIND_NOBODY + markers & valid
        table[at.WINNERS + lane] = winners & -table[at.HERE + lane]
    return lost


@part
def first_from_roller(table, roller, mask):
    """Return the mask of the first of some seats, the roller's first, then clockwise (ET-A18)."""
    seat = roller
    while not mask >> seat & 1:
        seat = seat + 1 if seat + 1 < table[at.SEATS] else 0
    return 1 << seat


@part
def evaluate(table, setup, roller, capped, sums, log):
    """Evaluate the dice of a turn after `weigh`: marks, then points, then winners (ET-A19, ET-A20).

    Several players with two points share the win; under ``active_first`` the roller comes first, then
    clockwise (ET-A18).

    Parameters
    ----------
    table : int64 cells
        Sheets, points, winners and KIND are modified in place.
    roller : int64
        The seat whose turn it is.
    capped : int64
        Mask of lanes, from `weigh`.
    sums, log : int64 cells
        Modified in place.
    """
    emit(log, events.RESULT, table[at.COUNTS], table[at.LEADING])
    while capped:
        lane = lowest_bit_index(capped)
        columns = capped_columns(table, setup, lane)
        if columns:
            forgo(table, setup, lane, columns, log)
            sums[tally.CAP_BOUND] += 1
        capped &= capped - 1
    sums[tally.LOST_TO_POLICE] += mark_boxes(table, roller)
    if setup[setup_.SIMULTANEOUS_WIN] == setup_.ACTIVE_FIRST:
        for lane in range(table[at.GAMES]):
            winners = table[at.WINNERS + lane]
            if winners & (winners - 1):
                table[at.WINNERS + lane] = first_from_roller(table, roller, winners)
    if is_on(log):
        log_outcome(table, log)


# --- what is told of it ---------------------------------------------------------------------------


@part
def log_outcome(table, log):
    """Tell what the dice of a turn brought the owners of the leading animals of the game in lane 0."""
    counts = table[at.COUNTS]
    leaders = table[at.LEADING]
    if is_void(counts):
        emit(log, events.VOID, counts >> POLICE_SHIFT)
        return
    owned = 0
    while leaders:
        animal = lowest_bit_index(leaders) >> COLUMN_SHIFT
        seat = table[at.OWNER + animal * LANES]
        if seat != at.NOBODY:
            owned = 1
            log_marks(table, seat, log)
        leaders &= leaders - 1
    if table[at.KIND] == tally.KIND_NOBODY:
        reason = events.NO_ROOM
        if not owned:
            reason = events.UNOWNED
        if offered_boxes(counts, table[at.LEADING]) == 0:
            reason = events.NOTHING_OFFERED
        emit(log, events.NOBODY, reason)


@part
def log_marks(table, seat, log):
    """Tell which columns a player marked, and which are complete now."""
    marks = table[at.MARKS + seat * LANES]
    for column in range(ANIMALS):
        marked = table[at.MARKED + seat * LANES] >> column * NIBBLE & NIBBLE_MASK
        if marked:
            total = marks >> column * NIBBLE & NIBBLE_MASK
            emit(log, events.MARK, seat, column, marked, total)
            if total == COLUMN_BOXES:
                worth = table[at.WORTH + seat * LANES] >> column * NIBBLE + TOP_TO_ONE & 1
                emit(log, events.COMPLETE, seat, column, worth)


# --- one position -----------------------------------------------------------------------------------


@compiled
def resolve_position(table, setup, counts, sums, log):
    """Evaluate one given position: six dice, and the table's sheets, wishes and roller.

    The caller fills lane 0: SEATS, ACTIVE and per seat ANIMAL, MARKS and WISH (`wish` nibbles, the most
    dispensable column first); the rest is derived here. Modified in place like `evaluate`.

    Parameters
    ----------
    table : int64 cells
        See `kernels.dice.table`.
    setup, sums, log : int64 cells
        As for the block kernel.
    """
    table[at.GAMES] = 1
    leave_seats_empty(table)
    assign_animals(table, setup, 0)
    table[at.HERE] = 1
    table[at.COUNTS] = counts
    for seat in range(table[at.SEATS]):
        table[at.BOXES + seat * LANES] = box_count(table[at.MARKS + seat * LANES])
        table[at.OWN_BOXES + seat * LANES] = 0
    evaluate(table, setup, table[at.ACTIVE], weigh(table), sums, log)


@part
def leave_seats_empty(table):
    """Make sure that seats at which nobody sits never mark and never lead, in place.

    Loops over games know how many seats there may be, not how many there are: so LLVM unrolls them.
    """
    for seat in range(table[at.SEATS], MAX_SEATS):
        for lane in range(table[at.GAMES]):
            table[at.ANIMAL + seat * LANES + lane] = at.NO_ANIMAL
            table[at.BOXES + seat * LANES + lane] = -1


@inlined
def assign_animals(table, setup, lane):
    """Derive who owns which animal, and which columns bring whom points. Modified in place."""
    for animal in range(ANIMALS):
        table[at.OWNER + animal * LANES + lane] = at.NOBODY
    in_play = 0
    for seat in range(table[at.SEATS]):
        animal = table[at.ANIMAL + seat * LANES + lane]
        table[at.OWNER + animal * LANES + lane] = seat
        in_play |= 1 << animal
    for seat in range(table[at.SEATS]):
        animal = table[at.ANIMAL + seat * LANES + lane]
        table[at.WORTH + seat * LANES + lane] = worth_of(setup, animal, in_play)
