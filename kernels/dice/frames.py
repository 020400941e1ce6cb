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

from kernels.dice import table as at
from kernels.dice import view as see
from kernels.dice.multisets import (
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
#: More than any rank.
_FIRST = 1 << 48
# Faces of a die are counted in bytes.
BYTE = 8
BYTE_MASK = 255


@inlined
def room_of(boxes):
    """Return how many boxes of a column can still be marked at once: 0, 1 or 2."""
    return min(COLUMN_BOXES - boxes, MOST_AT_ONCE)


@inlined
def column_rank(view, seat, column):
    """Return a number that orders the columns of a seat by their first four criteria."""
    players = view[see.PLAYERS]
    boxes = see.marks_in(view[see.MARKS + seat], column)
    rank = (MOST_AT_ONCE - room_of(boxes)) << _TIMES_BITS | view[see.TIMES + column]
    rank = rank << _MARK_BITS | boxes
    owner = view[see.OWNER + column]
    distance = owner - seat if owner > seat else owner - seat + players
    return rank << _MARK_BITS | (0 if owner == at.NOBODY else players - distance)


@inlined
def with_marks(rank, sheet, column):
    """Return a column's rank with its boxes on another sheet as the next criterion."""
    return rank << _MARK_BITS | see.marks_in(sheet, column)


@inlined
def in_slot(column, slot):
    """Return a frame that has nothing but a column in a slot."""
    return column << slot * NIBBLE


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
    own = view[see.ANIMAL + seat]
    pig |= _FIRST * (own == PIG)
    mouse |= _FIRST * (own == MOUSE)
    penguin |= _FIRST * (own == PENGUIN)
    dog |= _FIRST * (own == DOG)
    cat |= _FIRST * (own == CAT)
    # A column's slot is the number of the columns before it. What is still equal is alike in all
    # respects; any order will do, but it must be one.
    after_pig = (pig >= mouse, pig >= penguin, pig >= dog, pig >= cat)
    after_mouse = (mouse >= penguin, mouse >= dog, mouse >= cat)
    after_penguin = (penguin >= dog, penguin >= cat)
    after_dog = dog >= cat
    return (
        in_slot(PIG, 4 - after_pig[0] - after_pig[1] - after_pig[2] - after_pig[3])
        | in_slot(MOUSE, 3 - after_mouse[0] - after_mouse[1] - after_mouse[2] + after_pig[0])
        | in_slot(PENGUIN, 2 - after_penguin[0] - after_penguin[1] + after_pig[1] + after_mouse[0])
        | in_slot(DOG, 1 - after_dog + after_pig[2] + after_mouse[1] + after_penguin[0])
        | in_slot(CAT, after_pig[3] + after_mouse[2] + after_penguin[1] + after_dog)
        | in_slot(POLICE, POLICE)
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
