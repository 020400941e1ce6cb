"""The position as one seat sees it: its own animal first, then the other columns in a stated order.

Strategies must not prefer an animal for its name, or a match of a strategy against itself would not
be fair. So they think in a frame: slot 0 is the seat's own animal, slots 1 to 4 are the other four,
slot 5 is the police, and every tie is broken by slots. The four columns stand in this order:

1. least room first: full, then one box missing, then more;
2. of the die's symbols the more frequent first (on the plain die all are equal);
3. more boxes marked first;
4. the column of the next player clockwise first, and so on; columns that nobody owns last;
5. more boxes marked by the next player clockwise first, and so on.

Columns that are still equal are alike in all respects; then it does not matter which comes first.
"""

from __future__ import annotations

import numpy as np

from kernels.dice import table as at
from kernels.dice import view as see
from kernels.dice.multisets import (
    ANIMALS,
    CAT,
    DOG,
    MOUSE,
    NIBBLE,
    NIBBLE_MASK,
    PENGUIN,
    PIG,
    POLICE,
    SYMBOLS,
)
from kernels.dice.outcomes import COLUMN_BOXES
from kernels.jit import compiled, inlined

#: More boxes than that are never marked in one column at once, so more room makes no difference.
MOST_AT_ONCE = 2
_MARK_BITS = 3
_TIMES_BITS = 5
#: More than any rank of the first four criteria.
_OWN_RANK = 1 << _TIMES_BITS + 3 * _MARK_BITS
# Faces of a die are counted in bytes.
BYTE = 8
BYTE_MASK = 255


@inlined
def room_of(boxes):
    """Return how many boxes of a column can still be marked at once: 0, 1 or 2."""
    return min(COLUMN_BOXES - boxes, MOST_AT_ONCE)


@inlined
def column_rank(view, seat, column):
    """Return a number that orders the columns of a seat by the first four criteria.

    The greater, the earlier; the own animal comes before all others.
    """
    players = view[see.PLAYERS]
    boxes = see.marks_in(view[see.MARKS + seat], column)
    rank = (MOST_AT_ONCE - room_of(boxes)) << _TIMES_BITS | view[see.TIMES + column]
    rank = rank << _MARK_BITS | boxes
    owner = view[see.OWNER + column]
    distance = owner - seat if owner > seat else owner - seat + players
    rank = rank << _MARK_BITS | (0 if owner == at.NOBODY else players - distance)
    return rank + _OWN_RANK * (owner == seat)


@inlined
def with_marks(rank, sheet, column):
    """Return a column's rank with its boxes on another sheet as the next criterion."""
    return rank << _MARK_BITS | see.marks_in(sheet, column)


@inlined
def with_last_criterion(rank, column):
    """Return a column's rank with what decides between columns that are alike in all respects."""
    return rank << _MARK_BITS | ANIMALS - column


@inlined
def slot_of(rank, ranks):
    """Return how many of the five columns come before the one of a rank."""
    return (
        np.int64(ranks[PIG] > rank)
        + np.int64(ranks[MOUSE] > rank)
        + np.int64(ranks[PENGUIN] > rank)
        + np.int64(ranks[DOG] > rank)
        + np.int64(ranks[CAT] > rank)
    )


@compiled
def frame_of(view, seat):
    """Return the frame of a seat: the symbol of each slot, a nibble a slot."""
    pig = column_rank(view, seat, PIG)
    mouse = column_rank(view, seat, MOUSE)
    penguin = column_rank(view, seat, PENGUIN)
    dog = column_rank(view, seat, DOG)
    cat = column_rank(view, seat, CAT)
    players = view[see.PLAYERS]
    other = seat
    for _ in range(players - 1):
        other = other + 1 if other + 1 < players else 0
        sheet = view[see.MARKS + other]
        pig = with_marks(pig, sheet, PIG)
        mouse = with_marks(mouse, sheet, MOUSE)
        penguin = with_marks(penguin, sheet, PENGUIN)
        dog = with_marks(dog, sheet, DOG)
        cat = with_marks(cat, sheet, CAT)
    ranks = (
        with_last_criterion(pig, PIG),
        with_last_criterion(mouse, MOUSE),
        with_last_criterion(penguin, PENGUIN),
        with_last_criterion(dog, DOG),
        with_last_criterion(cat, CAT),
    )
    return (
        PIG << slot_of(ranks[PIG], ranks) * NIBBLE
        | MOUSE << slot_of(ranks[MOUSE], ranks) * NIBBLE
        | PENGUIN << slot_of(ranks[PENGUIN], ranks) * NIBBLE
        | DOG << slot_of(ranks[DOG], ranks) * NIBBLE
        | CAT << slot_of(ranks[CAT], ranks) * NIBBLE
        | POLICE << POLICE * NIBBLE
    )


@inlined
def symbol_in(frame, slot):
    """Return the symbol that stands in a slot."""
    return frame >> slot * NIBBLE & NIBBLE_MASK


@inlined
def into_frame(counts, frame):
    """Return packed counts of symbols, or boxes of columns, as counts of slots."""
    slots = 0
    for slot in range(SYMBOLS):
        slots |= (counts >> symbol_in(frame, slot) * NIBBLE & NIBBLE_MASK) << slot * NIBBLE
    return slots


@inlined
def out_of_frame(slots, frame):
    """Return packed counts of slots as counts of symbols."""
    counts = 0
    for slot in range(SYMBOLS):
        counts |= (slots >> slot * NIBBLE & NIBBLE_MASK) << symbol_in(frame, slot) * NIBBLE
    return counts


@inlined
def times_in(view, frame):
    """Return how many faces show the symbol of each slot, a byte a slot."""
    times = 0
    for slot in range(SYMBOLS):
        times |= view[see.TIMES + symbol_in(frame, slot)] << slot * BYTE
    return times
