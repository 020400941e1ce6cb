"""What six dice are worth: leading animals, offered boxes, police.

The rule is written once, over packed counts, in arithmetic that means the same for a number and for
an array: so the tables over all 462 results are made by the rule itself.

Rule numbers (ET-Axx) are those of docs/games/einfach-tierisch.md.
"""

from __future__ import annotations

import numpy as np

from kernels.dice.multisets import (
    ANIMALS,
    COLUMN_TOPS,
    COUNTS,
    FIRST_FINAL,
    NIBBLE,
    NIBBLE_MASK,
    POLICE_SHIFT,
)
from kernels.jit import inlined

POLICE_LIMIT = 2  # police that void a turn (ET-A07)
COLUMN_BOXES = 5
COLUMNS_MASK = (1 << ANIMALS * NIBBLE) - 1
#: The highest bit of a nibble, once it is shifted down to the lowest one.
TOP_TO_ONE = NIBBLE - 1


@inlined
def leading_animals(counts):
    """Return the most frequent animals of some dice, as the highest bits of their nibbles.

    Police are no animal (ET-A08); an animal that nobody owns leads like any other (ET-A10).
    """
    animals = counts & COLUMNS_MASK
    # By the bits of the counts, fours first: whoever has a bit that another one has not, leads it.
    fours = animals << 1 & COLUMN_TOPS
    leaders = fours + COLUMN_TOPS * (fours == 0)
    twos = animals << 2 & leaders
    leaders = twos + leaders * (twos == 0)
    ones = animals << 3 & leaders
    leaders = ones + leaders * (ones == 0)
    return leaders * (animals != 0)


@inlined
def offered_boxes(counts, leaders):
    """Return the boxes offered in each column: one a die (ET-A12), of an animal that nobody owns too
    (ET-A16), but none where the leaders are."""
    return counts & COLUMNS_MASK & ~((leaders >> TOP_TO_ONE) * NIBBLE_MASK)


@inlined
def is_void(counts):
    """Tell whether police void the turn (ET-A07)."""
    return counts >> POLICE_SHIFT >= POLICE_LIMIT


def _plain(function):
    """Return the Python function behind a compiled one."""
    return getattr(function, "py_func", function)


_FINAL_COUNTS = COUNTS[FIRST_FINAL:]
#: Of every result (a multiset's number less FIRST_FINAL): the leaders and the boxes offered.
LEADERS = _plain(leading_animals)(_FINAL_COUNTS)
OFFERED = _plain(offered_boxes)(_FINAL_COUNTS, LEADERS)
_VOID = _plain(is_void)(_FINAL_COUNTS)
#: The results after which somebody may mark, and those that police void.
PAYING = np.flatnonzero(~_VOID & (OFFERED != 0)).astype(np.int64)
VOIDED = np.flatnonzero(_VOID).astype(np.int64)
