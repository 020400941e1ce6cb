"""Einfach tierisch: the evaluation of six dice, from the offered boxes to the winners.

A sheet is a word of five nibbles, so all columns are marked at once. Rule numbers (ET-Axx) are those
of docs/games/einfach-tierisch.md.
"""

from __future__ import annotations

import numpy as np

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
    return counts + _AT_LEAST_ONE & COLUMN_TOPS == COLUMN_TOPS and counts <= COLUMNS_MASK


@inlined
def caps_boxes(setup, open_boxes):
    """Tell whether the box cap binds on a player's open boxes (ET-A13)."""
    return setup[setup_.BOX_CAP] == setup_.CAP_THREE and box_count(open_boxes) > BOX_CAP


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


@part
def forgo(table, setup, seat, open_boxes, log):
    """Return a player's open boxes without the one that the cap takes.

    The cap binds on 2+1+1+1+1 alone, with four columns open, so one box is left out. Which one is up
    to the player, or under ``cap_choice=fullest_first`` the emptiest column's (ET-A14).
    """
    columns = columns_in(open_boxes)
    column = -1
    if setup[setup_.CAP_CHOICE] == setup_.POLICY:
        column = wished_column(columns, table[at.WISH + seat])
    chosen = column >= 0
    if not chosen:
        column = emptiest_column(table[at.MARKS + seat], columns)
    emit(log, events.FORGO, seat, column, int(chosen))
    return open_boxes & ~(NIBBLE_MASK << column * NIBBLE)


# --- the evaluation -------------------------------------------------------------------------------


@inlined
def owner_of(table, leader):
    """Return the seat of a leading animal, given as a single highest bit, or NOBODY."""
    return table[at.OWNER + (lowest_bit_index(leader) >> COLUMN_SHIFT)]


@inlined
def first_leader(leaders):
    """Return the first of the leading animals; of none (six police), any."""
    return (leaders & -leaders) + (leaders == 0) * FIRST_TOP


@inlined
def open_boxes_of(table, seat, offered):
    """Return the offered boxes for which a sheet has room (ET-A15)."""
    marks = table[at.MARKS + seat]
    return with_boxes(marks, offered) - marks


@inlined
def mark(table, seat, boxes, count):
    """Mark a player's boxes and bring his points up to date; return his mask if he has won.

    Marking is optional but never hurts, so it is always done in full (ET-A21). Sheets are separate,
    so the order of the players does not matter (ET-A20).
    """
    marks = table[at.MARKS + seat] + boxes
    score = points(marks, table[at.WORTH + seat])
    table[at.MARKS + seat] = marks
    table[at.BOXES + seat] += count
    table[at.OWN_BOXES + seat] += count * (seat == table[at.ACTIVE])
    table[at.SCORE + seat] = score
    return (score >= GOAL) << seat


@part
def first_from_roller(table, mask):
    """Return the mask of the first of some seats, the roller's first, then clockwise (ET-A18)."""
    seat = table[at.ACTIVE]
    while not mask >> seat & 1:
        seat = seat + 1 if seat + 1 < table[at.SEATS] else 0
    return 1 << seat


@inlined
def evaluate(table, setup, counts, sums, log):
    """Evaluate the six dice of a turn: marks, then points, then winners (ET-A19, ET-A20).

    Every owner of a leading animal marks, the roller or not (ET-A09). At most two of them do: with
    three equal leaders no die is left to offer a box. A leader that nobody owns takes nothing from
    the others (ET-A11) and promotes nobody (ET-A10): NOBODY has a full sheet, so it marks like a
    player, to no effect. Several players with two points share the win; under ``active_first`` the
    roller comes first, then clockwise (ET-A18).

    Dice are unpredictable, and so this has no branches that depend on them but the rare ones.

    Parameters
    ----------
    table : int64 cells
        Sheets, points, winners and KIND are modified in place.
    counts : int64
        The packed counts of the six dice.
    sums, log : int64 cells
        Modified in place.
    """
    leaders = leading_animals(counts)
    emit(log, events.RESULT, counts, leaders)
    offered = offered_boxes(counts, leaders)
    leader = first_leader(leaders)
    others = leaders & ~leader
    first = owner_of(table, leader)
    second = owner_of(table, first_leader(others))
    boxes = open_boxes_of(table, first, offered)
    more_boxes = open_boxes_of(table, second, offered * (others != 0))
    if is_capped(counts) and caps_boxes(setup, boxes):
        boxes = forgo(table, setup, first, boxes, log)
        sums[tally.CAP_BOUND] += 1
    # Police void the turn: nobody marks, and what that costs is booked (ET-A07).
    valid = 1 - np.int64(is_void(counts))
    count = box_count(boxes)
    more = box_count(more_boxes)
    sums[tally.LOST_TO_POLICE] += (count + more) * (1 - valid)
    boxes *= valid
    more_boxes *= valid
    winners = mark(table, first, boxes, count * valid)
    winners |= mark(table, second, more_boxes, more * valid)
    table[at.KIND] = (tally.KIND_NOBODY + (count > 0) + (more > 0)) * valid
    if winners & (winners - 1) and setup[setup_.SIMULTANEOUS_WIN] == setup_.ACTIVE_FIRST:
        winners = first_from_roller(table, winners)
    table[at.WINNERS] = winners
    if is_on(log):
        log_outcome(table, counts, first, boxes, second, more_boxes, log)


# --- what is told of it ---------------------------------------------------------------------------


@part
def log_outcome(table, counts, first, boxes, second, more_boxes, log):
    """Tell what the dice of a turn brought the owners of the leading animals."""
    leaders = leading_animals(counts)
    if is_void(counts):
        emit(log, events.VOID, counts >> POLICE_SHIFT)
        return
    log_marks(table, first, boxes, log)
    log_marks(table, second, more_boxes, log)
    if boxes == 0 and more_boxes == 0:
        reason = events.NO_ROOM
        if first == at.NOBODY and second == at.NOBODY:
            reason = events.UNOWNED
        if offered_boxes(counts, leaders) == 0:
            reason = events.NOTHING_OFFERED
        emit(log, events.NOBODY, reason)


@part
def log_marks(table, seat, boxes, log):
    """Tell which columns a player marked, and which are complete now."""
    marks = table[at.MARKS + seat]
    for column in range(ANIMALS):
        marked = boxes >> column * NIBBLE & NIBBLE_MASK
        if marked:
            total = marks >> column * NIBBLE & NIBBLE_MASK
            emit(log, events.MARK, seat, column, marked, total)
            if total == COLUMN_BOXES:
                worth = table[at.WORTH + seat] >> column * NIBBLE + TOP_TO_ONE & 1
                emit(log, events.COMPLETE, seat, column, worth)


# --- one position -----------------------------------------------------------------------------------


@compiled
def resolve_position(table, setup, counts, sums, log):
    """Evaluate one given position: six dice, and the table's sheets, wishes and roller.

    The caller fills SEATS, ACTIVE and per seat ANIMAL, MARKS and WISH (`wish` nibbles, the most
    dispensable column first); the rest is derived here. Modified in place like `evaluate`.

    Parameters
    ----------
    table : int64 cells
        See `kernels.dice.table`.
    setup, sums, log : int64 cells
        As for the block kernel.
    """
    assign_animals(table, setup)
    table[at.WINNERS] = 0
    for seat in range(table[at.SEATS]):
        marks = table[at.MARKS + seat]
        table[at.SCORE + seat] = points(marks, table[at.WORTH + seat])
        table[at.BOXES + seat] = box_count(marks)
        table[at.OWN_BOXES + seat] = 0
    evaluate(table, setup, counts, sums, log)


@inlined
def assign_animals(table, setup):
    """Derive who owns which animal, and which columns bring whom points. Modified in place."""
    for animal in range(ANIMALS):
        table[at.OWNER + animal] = at.NOBODY
    table[at.MARKS + at.NOBODY] = FULL_SHEET
    table[at.WORTH + at.NOBODY] = 0
    in_play = 0
    for seat in range(table[at.SEATS]):
        animal = table[at.ANIMAL + seat]
        table[at.OWNER + animal] = seat
        in_play |= 1 << animal
    for seat in range(table[at.SEATS]):
        table[at.WORTH + seat] = worth_of(setup, table[at.ANIMAL + seat], in_play)
