"""The exact optimum of one turn, for any value of the six dice.

A turn is three rolls and two decisions. Its optimum is worked out over multisets of dice, backwards:

- ``reward``: what each of the 462 results is worth;
- ``later``: what each of the 434 multisets of three to five kept dice is worth before the last roll,
  as repeated averages over one more die;
- the 83 multisets of one to three kept dice, before the second roll: the average over all rolls of
  the best that can be kept of them. The best of a roll is found from the best of the rolls with one
  die less, for LANES multisets at once.

Everything works with integers and with floats. With integers, nothing is rounded: ``times`` counts
faces, ``faces`` is their number, ``ways`` counts ordered rolls, and values come in units of one
over a power of ``faces``: ``later`` the third, the values of first keeps the eighth, a whole turn the
fourteenth. With floats, ``times`` and ``ways`` are probabilities and ``faces`` is 1.
"""

from __future__ import annotations

import numpy as np

from kernels.bits import cells, offset_cells
from kernels.dice.frames import BYTE, BYTE_MASK
from kernels.dice.multisets import (
    COUNTS,
    DICE,
    FEWER,
    FEWER_START,
    FIRST_FINAL,
    LARGEST_KEEP,
    MORE,
    MULTISETS,
    NIBBLE,
    NIBBLE_MASK,
    ORDERS,
    SIZE_START,
    SMALL,
    SYMBOLS,
    UNION,
    contains,
)
from kernels.jit import compiled, inlined, part

#: Multisets that are worked out side by side.
LANES = 8
WORK_CELLS = FIRST_FINAL * LANES
#: More than the number of any keep.
TAG = 128

_SIZE_START = np.array(SIZE_START, dtype=np.int64)
#: The two sizes that are left after a first keep of 1, 2 or 3 dice.
SMALL_REST = np.array([0, 2, 1, 1], dtype=np.int64)
LARGE_REST = np.array([0, 3, 3, 2], dtype=np.int64)


@part
def fill_times(packed, times):
    """Unpack the faces a slot (a byte each) into `times`, in place; return their number."""
    faces = 0
    for slot in range(SYMBOLS):
        times[slot] = packed >> slot * BYTE & BYTE_MASK
        faces += times[slot]
    return faces


@compiled
def fill_ways(times, ways):
    """Fill in how many ordered rolls show each multiset (or its probability), in place."""
    plain = True
    for slot in range(SYMBOLS):
        plain = plain and times[slot] == 1
    for number in range(MULTISETS):
        ways[number] = ORDERS[number]
        if not plain:
            for slot in range(SYMBOLS):
                for _ in range(COUNTS[number] >> slot * NIBBLE & NIBBLE_MASK):
                    ways[number] *= times[slot]


@compiled
def fill_later(reward, times, faces, later):
    """Fill in the value of three to five kept dice before the last roll, in place."""
    for number in range(SIZE_START[5], SIZE_START[6]):
        value = times[0] * 0
        for slot in range(SYMBOLS):
            value += times[slot] * reward[MORE[number * SYMBOLS + slot] - FIRST_FINAL]
        later[number] = value
    for number in range(SIZE_START[5] - 1, SIZE_START[3] - 1, -1):
        value = times[0] * 0
        for slot in range(SYMBOLS):
            value += times[slot] * later[MORE[number * SYMBOLS + slot]]
        later[number] = value
    for number in range(SIZE_START[4], SIZE_START[5]):
        later[number] *= faces
    for number in range(SIZE_START[5], SIZE_START[6]):
        later[number] *= faces * faces


@inlined
def _take_lanes(best, others):
    """Raise a row of LANES values, one by one, to those of another row, in place."""
    for lane in range(LANES):
        mine = best[lane]
        theirs = others[lane]
        best[lane] = theirs if theirs > mine else mine


@inlined
def tagged(value, number):
    """Return a whole value with a keep's number below it: of equal values the lowest number wins."""
    return value * TAG + (TAG - 1 - number)


@inlined
def number_in(value):
    """Return the keep's number of a tagged value."""
    return TAG - 1 - (value & TAG - 1)


@part
def fill_best(later, keeps, first, size, tag, work):
    """Fill in the best second keep of every roll, for LANES first keeps of one size, in place.

    Parameters
    ----------
    keeps : int64 array
        The first keeps' numbers stand in cells ``first .. first + LANES - 1``.
    size : int64
        How many dice each keeps.
    tag : bool
        Whether the values are to be `tagged`; they must be integers then.
    work : array, WORK_CELLS
        The values, a row of LANES a roll.
    """
    small = SMALL_REST[size]
    large = LARGE_REST[size]
    rows = cells(work)  # the caller keeps it
    for roll in range(_SIZE_START[small], _SIZE_START[DICE - size + 1]):
        row = offset_cells(rows, roll * LANES)
        fewer = FEWER_START[roll]
        is_large = _SIZE_START[large] <= roll < _SIZE_START[large + 1]
        if roll < _SIZE_START[small + 1] or is_large:
            for lane in range(LANES):
                value = later[UNION[keeps[first + lane] * SMALL + roll]]
                row[lane] = tagged(value, roll) if tag else value
        else:
            other = offset_cells(rows, FEWER[fewer] * LANES)
            for lane in range(LANES):
                row[lane] = other[lane]
        if roll >= _SIZE_START[small + 1]:
            for k in range(fewer, FEWER_START[roll + 1]):
                _take_lanes(row, offset_cells(rows, FEWER[k] * LANES))


@part
def value_lanes(later, ways, faces, keeps, first, size, work, values):
    """Work out LANES first keeps of one size before the second roll, in place.

    Parameters
    ----------
    keeps, first, size, work
        As for `fill_best`.
    values : array
        ``values[number]`` is filled in for each keep.
    """
    fill_best(later, keeps, first, size, False, work)
    left = DICE - size
    # The first row is of no roll that can be made; it serves to add up.
    rows = cells(work)
    for lane in range(LANES):
        rows[lane] = ways[0] * 0
    for roll in range(_SIZE_START[left], _SIZE_START[left + 1]):
        row = offset_cells(rows, roll * LANES)
        for lane in range(LANES):
            rows[lane] += ways[roll] * row[lane]
    for lane in range(LANES):
        total = rows[lane]
        for _ in range(DICE - 1 - left):
            total *= faces
        values[keeps[first + lane]] = total


@inlined
def list_keeps(counts, size, keeps):
    """List the keeps of one size that a roll contains, padded to whole LANES; return how many."""
    count = 0
    for number in range(_SIZE_START[size], _SIZE_START[size + 1]):
        if contains(counts, COUNTS[number]):
            keeps[count] = number
            count += 1
    for k in range(count, count + LANES):
        keeps[k] = keeps[count - 1]
    return count


@compiled
def value_keeps(counts, later, ways, faces, keeps, work, values):
    """Work out every first keep of up to three dice that a roll contains.

    Parameters
    ----------
    counts : int64
        The roll; counts of LARGEST_KEEP each stand for all keeps.
    keeps : int64 array, SMALL + LANES
        Working memory.
    """
    for size in range(1, LARGEST_KEEP + 1):
        count = list_keeps(counts, size, keeps)
        for first in range(0, count, LANES):
            value_lanes(later, ways, faces, keeps, first, size, work, values)


@part
def best_first_keep(counts, values):
    """Return the number of the best first keep of a roll; of equal ones the lowest."""
    best = 0
    for number in range(1, SMALL):
        if contains(counts, COUNTS[number]) and (best == 0 or values[number] > values[best]):
            best = number
    return best


@part
def best_second_keep(counts, kept, sizes, later):
    """Return the number of the best second keep of a roll; of equal ones the lowest.

    Parameters
    ----------
    kept : int64
        The number of the first keep.
    sizes : int64
        Mask of the sizes left.
    """
    best = 0
    for size in range(1, LARGEST_KEEP + 1):
        if sizes >> size & 1:
            for number in range(_SIZE_START[size], _SIZE_START[size + 1]):
                if contains(counts, COUNTS[number]):
                    value = later[UNION[kept * SMALL + number]]
                    if best == 0 or value > later[UNION[kept * SMALL + best]]:
                        best = number
    return best


@compiled
def value_of_turn(values, ways, work):
    """Return the value of a whole turn from the values of its first keeps.

    Parameters
    ----------
    values : array
        Of all first keeps.
    work : array, at least MULTISETS
        Modified in place: the best of each roll.
    """
    for roll in range(1, MULTISETS):
        begin = FEWER_START[roll]
        if roll < SMALL:
            work[roll] = values[roll]
        else:
            work[roll] = work[FEWER[begin]]
        if roll >= SIZE_START[2]:
            for k in range(begin, FEWER_START[roll + 1]):
                if work[FEWER[k]] > work[roll]:
                    work[roll] = work[FEWER[k]]
    total = ways[0] * 0
    for roll in range(FIRST_FINAL, MULTISETS):
        total += ways[roll] * work[roll]
    return total
