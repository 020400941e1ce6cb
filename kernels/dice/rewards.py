"""What the results of a turn are worth to a strategy: one function an aim.

All work in a frame (`kernels.dice.frames`): ``sheets`` holds, for each slot, the sheet of the player
whose animal stands there, its columns in the order of the slots; a slot that nobody owns has a full
sheet, which takes no boxes. ``reward[k]`` is filled in for each of the 462 results.
"""

from __future__ import annotations

import numpy as np

from kernels.bits import lowest_bit_index, popcount
from kernels.dice import table as at
from kernels.dice import tierisch_setup as setup_
from kernels.dice import view as see
from kernels.dice.frames import into_frame, symbol_in
from kernels.dice.multisets import ANIMALS, COLUMN_ONES, NIBBLE, NIBBLE_MASK
from kernels.dice.outcomes import COLUMN_BOXES, LEADERS, OFFERED, PAYING, VOIDED
from kernels.dice.rules import (
    BOX_CAP,
    COLUMN_SHIFT,
    FULL_SHEET,
    GOAL,
    box_count,
    points,
    with_boxes,
)
from kernels.jit import compiled, inlined, part

FOUR = 4
FIVE_COLUMNS = (1 << ANIMALS) - 1
#: `cautious`: a void turn outweighs all boxes, up to 13 faces exactly, beyond them within 1e-8.
_VOID_LIMIT = 62


@part
def fill_sheets(view, frame, sheets):
    """Fill in the sheet of each slot's owner, in place."""
    for slot in range(ANIMALS):
        seat = view[see.OWNER + symbol_in(frame, slot)]
        sheets[slot] = FULL_SHEET
        if seat != at.NOBODY:
            sheets[slot] = into_frame(view[see.MARKS + seat], frame)


@inlined
def slot_of(leaders):
    """Return the first slot of a non-empty set of leaders."""
    return lowest_bit_index(leaders) >> COLUMN_SHIFT


@inlined
def is_bound(view, boxes):
    """Tell whether the box cap takes one of some open boxes."""
    return view[see.RULING + setup_.BOX_CAP] == setup_.CAP_THREE and box_count(boxes) > BOX_CAP


@inlined
def without(boxes, column):
    """Return some boxes without those of a column."""
    return boxes & ~(NIBBLE_MASK << column * NIBBLE)


@inlined
def without_own(slot):
    """Return one box in every column but a player's own."""
    return without(COLUMN_ONES, slot)


@inlined
def slot_in(frame, symbol):
    """Return the slot in which a symbol stands."""
    place = 0
    for slot in range(ANIMALS):
        if symbol_in(frame, slot) == symbol:
            place = slot
    return place


@part
def fullest_first(sheet, boxes, frame):
    """Return the slot that is left out unasked: the emptiest, of equal ones the last animal's."""
    least = COLUMN_BOXES + 1
    last = -1
    choice = 0
    for slot in range(ANIMALS):
        if boxes >> slot * NIBBLE & NIBBLE_MASK:
            marks = sheet >> slot * NIBBLE & NIBBLE_MASK
            animal = symbol_in(frame, slot)
            if marks < least or (marks == least and animal > last):
                least = marks
                last = animal
                choice = slot
    return choice


@part
def emptiest_columns(sheet, columns):
    """Return the mask of the emptiest of some columns, also given as a mask."""
    least = COLUMN_BOXES + 1
    emptiest = 0
    for column in range(ANIMALS):
        if columns >> column & 1:
            boxes = sheet >> column * NIBBLE & NIBBLE_MASK
            if boxes < least:
                least = boxes
                emptiest = 0
            emptiest |= (boxes == least) << column
    return emptiest


@inlined
def players_choose(view):
    """Tell whether players choose what to leave out (ET-A14)."""
    return view[see.RULING + setup_.CAP_CHOICE] == setup_.POLICY


# --- boxes: own, margin, cautious -----------------------------------------------------------------


@compiled
def fill_boxes(sheets, mine, others, capped, reward):
    """Value the boxes marked, in place: `mine` for each own one, `others` for each other player's."""
    reward[:] = 0
    for number in PAYING:
        leaders = LEADERS[number]
        while leaders:
            slot = slot_of(leaders)
            leaders &= leaders - 1
            boxes = box_count(with_boxes(sheets[slot], OFFERED[number]) - sheets[slot])
            if capped:
                boxes = min(boxes, BOX_CAP)
            reward[number] += boxes * (mine if slot == 0 else others)


@part
def charge_void(faces, reward):
    """Take so much off every void result that no boxes make up for the chance of one, in place."""
    units = 1
    for _ in range(8):
        units *= faces
    charge = min(FOUR * units + 1, (1 << _VOID_LIMIT) // units)
    for number in VOIDED:
        reward[number] -= charge


# --- race -----------------------------------------------------------------------------------------

#: What a column is worth by its boxes. A sheet is worth the sum over its pairs of columns of their
#: product, so the nearer two columns are to being full, the more.
_COLUMN_WORTH = np.array([3, 5, 9, 16, 30, 60, 0, 0], dtype=np.int64)
#: A certain win.
RACE_UNIT = 1 << 20


@inlined
def strength(sheet, worth):
    """Return how near a sheet is to two complete columns that are worth a point."""
    once = 0
    twice = 0
    for column in range(ANIMALS):
        counts = worth >> column * NIBBLE + NIBBLE - 1 & 1
        value = _COLUMN_WORTH[sheet >> column * NIBBLE & 7] * counts
        once += value
        twice += value * value
    return (once * once - twice) >> 1


@part
def strongest(sheet, boxes, worth):
    """Return the slot of the column that a player who races leaves out; of equal ones the last."""
    best = -1
    choice = 0
    for column in range(ANIMALS - 1, -1, -1):
        if boxes >> column * NIBBLE & NIBBLE_MASK:
            value = race_value(sheet + without(boxes, column), worth)
            if value > best:
                best = value
                choice = column
    return choice


@inlined
def race_value(sheet, worth):
    """Return the strength of a sheet, a win above all."""
    return strength(sheet, worth) + (points(sheet, worth) >= GOAL) * RACE_UNIT


@part
def race_share(sheets, worths, strengths, active_first):
    """Return the seat's share of all strengths, or of the win once somebody has won."""
    won = 0
    total = 0
    for slot in range(ANIMALS):
        won |= (points(sheets[slot], worths[slot]) >= GOAL) << slot
        total += strengths[slot]
    if won:
        if won & 1 == 0:
            return 0
        return RACE_UNIT if active_first else RACE_UNIT // popcount(won)
    return RACE_UNIT * strengths[0] // total


@part
def fill_race(view, frame, sheets, reward):
    """Value every result by the seat's share of the strength of all sheets, in place."""
    worths = np.zeros(ANIMALS, dtype=np.int64)
    strengths = np.zeros(ANIMALS, dtype=np.int64)
    after = np.zeros(ANIMALS, dtype=np.int64)
    for slot in range(ANIMALS):
        seat = view[see.OWNER + symbol_in(frame, slot)]
        if seat != at.NOBODY:
            worths[slot] = into_frame(view[see.WORTH + seat], frame)
            strengths[slot] = strength(sheets[slot], worths[slot])
        after[slot] = sheets[slot]
    active_first = view[see.RULING + setup_.SIMULTANEOUS_WIN] == setup_.ACTIVE_FIRST
    reward[:] = race_share(after, worths, strengths, active_first)
    for number in PAYING:
        leaders = LEADERS[number]
        while leaders:
            slot = slot_of(leaders)
            leaders &= leaders - 1
            boxes = with_boxes(sheets[slot], OFFERED[number]) - sheets[slot]
            if is_bound(view, boxes):
                column = fullest_first(sheets[slot], boxes, frame)
                if players_choose(view):
                    column = strongest(sheets[slot], boxes, worths[slot])
                boxes = without(boxes, column)
            after[slot] = sheets[slot] + boxes
            strengths[slot] = strength(after[slot], worths[slot])
        reward[number] = race_share(after, worths, strengths, active_first)
        leaders = LEADERS[number]
        while leaders:
            slot = slot_of(leaders)
            leaders &= leaders - 1
            after[slot] = sheets[slot]
            strengths[slot] = strength(sheets[slot], worths[slot])
