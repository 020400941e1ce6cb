"""One turn solved exactly, in whole numbers, for objectives that people ask about.

Plain Python around `kernels.dice.turn`: each call solves one turn.
"""

from __future__ import annotations

import numpy as np

from kernels.dice import tierisch_setup as setup_
from kernels.dice.multisets import (
    ANIMALS,
    COUNTS,
    FINALS,
    FIRST_FINAL,
    MULTISETS,
    SMALL,
    SYMBOLS,
    contains,
)
from kernels.dice.outcomes import VOIDED
from kernels.dice.policies import EVERY_KEEP
from kernels.dice.rewards import fill_boxes
from kernels.dice.rules import FULL_SHEET
from kernels.dice.turn import (
    LANES,
    WORK_CELLS,
    fill_later,
    fill_ways,
    value_keeps,
    value_of_turn,
)

# Objectives.
OWN, MARGIN, AT_LEAST, NOT_VOID = range(4)
#: Values come in units of one over these powers of the number of faces: before the first roll, and
#: after the first set-aside.
TURN_POWER = 14
KEEP_POWER = 8


def reward_of(setup, own, others, objective, boxes=0):
    """Return what each result of a turn is worth on empty sheets.

    Parameters
    ----------
    own : int
        The roller's animal.
    others : sequence of int
        The other players' animals.
    objective : int
        OWN, MARGIN, AT_LEAST or NOT_VOID.
    boxes : int
        For AT_LEAST.

    Returns
    -------
    int64 array, shape (FINALS,)
    """
    reward = np.zeros(FINALS, dtype=np.int64)
    if objective == NOT_VOID:
        reward[:] = 1
        reward[VOIDED] = 0
        return reward
    capped = bool(setup[setup_.BOX_CAP] == setup_.CAP_THREE)
    # `fill_boxes` counts slot 0 as the own animal's; the slots of the others stay where they are.
    order = [own, *(animal for animal in range(ANIMALS) if animal != own)]
    sheets = np.full(ANIMALS, FULL_SHEET, dtype=np.int64)
    for slot, animal in enumerate(order):
        if animal == own or (objective == MARGIN and animal in others):
            sheets[slot] = 0
    fill_boxes(sheets, 1, -1, capped, reward)
    if objective == AT_LEAST:
        reward[:] = reward >= boxes
    return turned(reward, order)


def turned(reward, order):
    """Return rewards by slots as rewards by symbols; slot k holds the animal ``order[k]``."""
    slots = [*order, *range(ANIMALS, SYMBOLS)]
    digits = COUNTS[FIRST_FINAL:, None] >> 4 * np.arange(SYMBOLS) & 15
    packed = {int(word): k for k, word in enumerate(COUNTS[FIRST_FINAL:])}
    seen = (digits[:, slots] << 4 * np.arange(SYMBOLS)).sum(axis=1)
    return reward[[packed[int(word)] for word in seen]]


def solve_turn(setup, reward):
    """Return the greatest expectation of integer rewards over a turn.

    Returns
    -------
    total : int
        Before the first roll, in units of ``faces**-TURN_POWER``.
    values : int64 array, shape (SMALL,)
        After each first set-aside, in units of ``faces**-KEEP_POWER``.
    faces : int
    """
    times = setup[setup_.TIMES : setup_.TIMES + SYMBOLS].astype(np.int64)
    faces = int(times.sum())
    ways = np.zeros(MULTISETS, dtype=np.int64)
    later = np.zeros(FIRST_FINAL, dtype=np.int64)
    work = np.zeros(WORK_CELLS, dtype=np.int64)
    values = np.zeros(SMALL, dtype=np.int64)
    keeps = np.zeros(SMALL + LANES, dtype=np.int64)
    fill_ways(times, ways)
    fill_later(reward, times, faces, later)
    value_keeps(EVERY_KEEP, later, ways, faces, keeps, work, values)
    return int(value_of_turn(values, ways, work)), values, faces


def keeps_of(counts):
    """Return the numbers of all first set-asides that a roll allows."""
    return [number for number in range(1, SMALL) if contains(np.int64(counts), COUNTS[number])]
