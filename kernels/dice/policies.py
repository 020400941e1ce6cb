"""Tables of turn play: what `own` and `cautious` set aside, for every roll and every sheet.

Both look only at the room in the own columns, in the frame of `kernels.dice.frames`: 15 classes on the
plain die. A table has a byte for each of the 462 first rolls and for each of the 7,294 pairs of a first
keep and a second roll: the number of the multiset to set aside. The tables are optional: without them
a strategy works out the same answer itself.
"""

from __future__ import annotations

import numpy as np

from kernels.dice import tierisch_setup as setup_
from kernels.dice.frames import BYTE, BYTE_MASK, MOST_AT_ONCE
from kernels.dice.multisets import (
    ANIMALS,
    COUNTS,
    DICE,
    FINALS,
    FIRST_FINAL,
    KEEP_SIZES,
    LARGEST_KEEP,
    MULTISETS,
    NIBBLE,
    POLICE,
    SIZE_START,
    SMALL,
    SYMBOLS,
    pack,
)
from kernels.dice.outcomes import COLUMN_BOXES
from kernels.dice.rewards import charge_void, fill_boxes
from kernels.dice.rules import FULL_SHEET
from kernels.dice.turn import (
    LANES,
    WORK_CELLS,
    best_first_keep,
    best_second_keep,
    fill_later,
    fill_times,
    fill_ways,
    value_keeps,
)
from kernels.dice.view import ALL_SIZES
from kernels.jit import compiled, inlined

# The aims that have tables.
OWN, CAUTIOUS = 0, 1
AIMS = 2

#: All keeps of up to three dice at once, for `value_keeps`.
EVERY_KEEP = pack([symbol for symbol in range(SYMBOLS) for _ in range(LARGEST_KEEP)])

_ROOMS = MOST_AT_ONCE + 1
ROOM_CODES = _ROOMS**ANIMALS
#: The head of the tables: where the table of each own animal and code of rooms begins.
HEAD_CELLS = ANIMALS * ROOM_CODES
_BYTES_A_CELL = 8


def _second_starts():
    """Return where the second decisions of each size of the first keep begin."""
    starts = [0, FINALS]
    for size in KEEP_SIZES:
        keeps = SIZE_START[size + 1] - SIZE_START[size]
        rolls = SIZE_START[DICE - size + 1] - SIZE_START[DICE - size]
        starts.append(starts[-1] + keeps * rolls)
    return starts


_STARTS = _second_starts()
ENTRIES = _STARTS.pop()
_SECOND_START = np.array(_STARTS, dtype=np.int64)
_SIZE_START = np.array(SIZE_START, dtype=np.int64)
TABLE_CELLS = -(-ENTRIES // _BYTES_A_CELL)
#: Each aim's tables, at most: five own animals and 81 codes of the other rooms.
MAX_POLICY_CELLS = AIMS * (HEAD_CELLS + ANIMALS * _ROOMS ** (ANIMALS - 1) * TABLE_CELLS)


@inlined
def first_entry(roll):
    """Return the entry of a first roll, given by its number."""
    return roll - FIRST_FINAL


@inlined
def second_entry(kept, size, roll):
    """Return the entry of a first keep (its number and size) and a second roll (its number)."""
    first_roll = _SIZE_START[DICE - size]
    rolls = _SIZE_START[DICE - size + 1] - first_roll
    return _SECOND_START[size] + (kept - _SIZE_START[size]) * rolls + roll - first_roll


@compiled
def fill_policy(aim, sheet, packed_times, capped, table):
    """Work out an aim's table for one sheet, in place.

    Parameters
    ----------
    sheet : int64
        In a frame: slot 0 is the own animal.
    packed_times : int64
        Faces a slot, a byte each.
    capped : bool
        Whether ``box_cap`` is three.
    table : int64 array, TABLE_CELLS
        Zeroed by the caller.
    """
    times = np.zeros(SYMBOLS, dtype=np.int64)
    ways = np.zeros(MULTISETS, dtype=np.int64)
    reward = np.zeros(FINALS, dtype=np.int64)
    later = np.zeros(FIRST_FINAL, dtype=np.int64)
    work = np.zeros(WORK_CELLS, dtype=np.int64)
    values = np.zeros(SMALL, dtype=np.int64)
    keeps = np.zeros(SMALL + LANES, dtype=np.int64)
    sheets = np.full(ANIMALS, FULL_SHEET, dtype=np.int64)
    sheets[0] = sheet
    faces = fill_times(packed_times, times)
    fill_ways(times, ways)
    fill_boxes(sheets, 1, 0, capped, reward)
    if aim == CAUTIOUS:
        charge_void(faces, reward)
    fill_later(reward, times, faces, later)
    value_keeps(EVERY_KEEP, later, ways, faces, keeps, work, values)
    for roll in range(FIRST_FINAL, MULTISETS):
        write_entry(table, first_entry(roll), best_first_keep(COUNTS[roll], values))
    for size in range(1, LARGEST_KEEP + 1):
        for kept in range(_SIZE_START[size], _SIZE_START[size + 1]):
            for roll in range(_SIZE_START[DICE - size], _SIZE_START[DICE - size + 1]):
                keep = best_second_keep(COUNTS[roll], kept, ALL_SIZES & ~(1 << size), later)
                write_entry(table, second_entry(kept, size, roll), keep)


@inlined
def write_entry(table, entry, number):
    """Write one byte of a table, in place."""
    table[entry // _BYTES_A_CELL] |= number << entry % _BYTES_A_CELL * BYTE


@inlined
def read_entry(cells, table, entry):
    """Return one byte of a table that begins in cell `table` of `cells`."""
    return cells[table + (entry >> 3)] >> (entry & 7) * BYTE & BYTE_MASK


def _frames(times):
    """Yield own animal, code of rooms, and that sheet's rooms and times by slot."""
    for own in range(ANIMALS):
        for code in range(ROOM_CODES):
            rooms = [code // _ROOMS**column % _ROOMS for column in range(ANIMALS)]
            if rooms[own]:
                continue
            columns = [column for column in range(ANIMALS) if column != own]
            columns.sort(key=lambda column: (rooms[column], -times[column]))
            slots = [own, *columns]
            yield (
                own * ROOM_CODES + code,
                tuple(rooms[column] for column in columns),
                tuple(times[symbol] for symbol in (*slots, POLICE)),
            )


def policy_tables(setup):
    """Return the tables of `own` and `cautious` for a setup array.

    Returns
    -------
    int64 array
        For each aim: HEAD_CELLS, then its tables. A head cell says where a table begins, counted from
        the beginning of all tables.
    """
    times = [int(faces) for faces in setup[setup_.TIMES : setup_.TIMES + SYMBOLS]]
    capped = bool(setup[setup_.BOX_CAP] == setup_.CAP_THREE)
    heads = np.zeros((AIMS, HEAD_CELLS), dtype=np.int64)
    tables: list[np.ndarray] = []
    found: dict[tuple, int] = {}
    for aim in range(AIMS):
        for cell, rooms, slot_times in _frames(times):
            key = (aim, rooms, slot_times)
            if key not in found:
                sheet = sum(
                    (COLUMN_BOXES - room) << NIBBLE * slot for slot, room in enumerate((5, *rooms))
                )
                packed = sum(faces << BYTE * slot for slot, faces in enumerate(slot_times))
                table = np.zeros(TABLE_CELLS, dtype=np.int64)
                fill_policy(aim, sheet, packed, capped, table)
                found[key] = AIMS * HEAD_CELLS + len(tables) * TABLE_CELLS
                tables.append(table)
            heads[aim, cell] = found[key]
    return np.concatenate([heads.ravel(), *tables])


def with_policies(setup):
    """Return a setup array with the tables of `own` and `cautious`."""
    return setup_.with_table(setup, setup_.POLICIES, policy_tables(setup))
