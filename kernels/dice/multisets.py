"""Dice as packed multisets: how they are written, numbered and looked up.

A multiset of dice is a word of six nibbles, one count a symbol, in the order pig, mouse, penguin,
dog, cat, police (lowest nibble first). The 924 multisets of up to six dice also have numbers: first
by size, then the ones with most pigs, then most mice and so on. So a tie that goes to the lowest
number goes to the fewest dice and then to the first symbols.

Everything here is worked out once, at import, from the definitions.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np

from kernels.jit import inlined

PIG, MOUSE, PENGUIN, DOG, CAT, POLICE = range(6)
SYMBOLS = 6
ANIMALS = 5
DICE = 6
KEEP_SIZES = (1, 2, 3)  # each once a turn (ET-A03)
LARGEST_KEEP = 3

NIBBLE = 4
NIBBLE_MASK = 15
POLICE_SHIFT = POLICE * NIBBLE
#: The lowest and the highest bit of each of the six counts.
ONES = 0x111111
TOPS = ONES << NIBBLE - 1
#: The same for the five columns of a sheet, a word of five nibbles.
COLUMN_ONES = 0x11111
COLUMN_TOPS = COLUMN_ONES << NIBBLE - 1

_SORTED = [
    dice for size in range(DICE + 1) for dice in combinations_with_replacement(range(SYMBOLS), size)
]
MULTISETS = len(_SORTED)
#: SIZE_START[size]: the number of the first multiset of that many dice.
SIZE_START = tuple(sum(len(dice) < size for dice in _SORTED) for size in range(DICE + 2))
FIRST_FINAL = SIZE_START[DICE]
FINALS = MULTISETS - FIRST_FINAL
#: How many multisets there are of at most three dice, the empty one included.
SMALL = SIZE_START[LARGEST_KEEP + 1]


def pack(dice):
    """Return the packed counts of some symbols (plain Python, for tables and tests)."""
    return sum(1 << NIBBLE * symbol for symbol in dice)


_NUMBER = {pack(dice): number for number, dice in enumerate(_SORTED)}
#: COUNTS[number]: the packed counts.
COUNTS = np.array([pack(dice) for dice in _SORTED], dtype=np.int64)
#: ORDERS[number]: in how many orders the dice can fall.
ORDERS = np.array(
    [
        factorial(len(dice)) // prod(factorial(dice.count(symbol)) for symbol in set(dice))
        for dice in _SORTED
    ],
    dtype=np.int64,
)
#: MORE[SYMBOLS * number + symbol]: the number of the multiset with one more die (up to five dice).
MORE = np.array(
    [_NUMBER[pack((*dice, symbol))] for dice in _SORTED[:FIRST_FINAL] for symbol in range(SYMBOLS)],
    dtype=np.int64,
)
_FEWER = [sorted({_NUMBER[pack(dice) - (1 << NIBBLE * s)] for s in dice}) for dice in _SORTED]
#: FEWER[FEWER_START[number]:FEWER_START[number + 1]]: the multisets with one die less.
FEWER = np.array([number for fewer in _FEWER for number in fewer], dtype=np.int64)
FEWER_START = np.cumsum([0] + [len(fewer) for fewer in _FEWER], dtype=np.int64)
#: UNION[SMALL * one + other]: both together, for two multisets of at most three dice each.
UNION = np.array(
    [
        _NUMBER[int(one + other)]
        for one in COUNTS[:SMALL].tolist()
        for other in COUNTS[:SMALL].tolist()
    ],
    dtype=np.int64,
)

# A multiset's number is looked up in two halves of three counts each.
_HALF_BITS = 3 * NIBBLE
_HALF_MASK = (1 << _HALF_BITS) - 1


def _half_tables():
    """Return the rank of every half, and the number of every pair of ranks."""
    sizes = {
        first | second << NIBBLE | third << 2 * NIBBLE: first + second + third
        for first in range(DICE + 1)
        for second in range(DICE + 1)
        for third in range(DICE + 1)
    }
    halves = sorted(word for word, size in sizes.items() if size <= DICE)
    ranks = np.zeros(1 << _HALF_BITS, dtype=np.int16)
    for rank, word in enumerate(halves):
        ranks[word] = rank
    numbers = np.zeros(len(halves) ** 2, dtype=np.int16)
    for rank, low in enumerate(halves):
        for other, high in enumerate(halves):
            numbers[rank * len(halves) + other] = _NUMBER.get(low | high << _HALF_BITS, 0)
    return ranks, numbers, len(halves)


_RANKS, _PAIRS, _HALF_COUNT = _half_tables()


@inlined
def number_of(counts):
    """Return the number of a multiset of at most six dice."""
    low = np.int64(_RANKS[counts & _HALF_MASK])
    high = np.int64(_RANKS[counts >> _HALF_BITS])
    return np.int64(_PAIRS[low * _HALF_COUNT + high])


@inlined
def count_of(counts, symbol):
    """Return how often a symbol stands in a multiset."""
    return counts >> symbol * NIBBLE & NIBBLE_MASK


@inlined
def size_of(counts):
    """Return the number of dice of a multiset (at most 15)."""
    return counts * ONES >> (SYMBOLS - 1) * NIBBLE & NIBBLE_MASK


@inlined
def contains(counts, part):
    """Tell whether a multiset of at most seven of each symbol contains another one."""
    return ((counts | TOPS) - part) & TOPS == TOPS


# --- dice that lie on the table -------------------------------------------------------------------

# A roll as it fell is a word of six octal digits, a symbol each, lowest first; 7 is no die.
DIGIT = 3
NO_DIE = 7
GROUP = 3  # dice that one look-up rolls or gathers
GROUP_BITS = GROUP * DIGIT
GROUP_MASK = (1 << GROUP_BITS) - 1
ROLL_BITS = DICE * DIGIT
ROLL_MASK = (1 << ROLL_BITS) - 1

#: The packed counts of three dice, by their digits.
_GATHERED = np.array(
    [
        pack(
            group >> DIGIT * die & NO_DIE
            for die in range(GROUP)
            if group >> DIGIT * die & NO_DIE < SYMBOLS
        )
        for group in range(1 << GROUP_BITS)
    ],
    dtype=np.int32,
)
#: What to or to a roll to leave only the dice whose bits are set.
_OTHERS = np.array(
    [
        sum(NO_DIE << DIGIT * die for die in range(DICE) if not marks >> die & 1)
        for marks in range(1 << DICE)
    ],
    dtype=np.int64,
)
_ALL_DICE = (1 << DICE) - 1


@inlined
def no_dice_from(count):
    """Return what to or to a roll to leave only its first dice."""
    return ROLL_MASK << count * DIGIT & ROLL_MASK


@inlined
def gather(dice, marks):
    """Return the multiset of the dice of a roll whose bits are set in `marks`."""
    return gather_all(dice | _OTHERS[marks & _ALL_DICE])


@inlined
def gather_all(dice):
    """Return the multiset of all dice of a roll."""
    low = _GATHERED[dice & GROUP_MASK]
    high = _GATHERED[dice >> GROUP_BITS & GROUP_MASK]
    return np.int64(low) + np.int64(high)
