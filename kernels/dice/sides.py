"""One side of a position of the two-player game: what its turn is worth, whatever its strategy.

A desk is the working memory of a side. `prepare_side` puts a position on it; `play_on` then says the
side's chance to win when it is to move, given its chance after a turn without progress. A side with an
aim plays on alike whatever that is, so its chance is linear in it. A side that plays BEST does not: its
turn is worked out anew.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from kernels.bits import popcount
from kernels.dice import tierisch_setup as setup_
from kernels.dice import view as see
from kernels.dice.frames import frame_of, times_in
from kernels.dice.multisets import (
    ANIMALS,
    COLUMN_ONES,
    DICE,
    FEWER,
    FEWER_START,
    FINALS,
    FIRST_FINAL,
    LARGEST_KEEP,
    MULTISETS,
    NIBBLE,
    SIZE_START,
    SMALL,
    SYMBOLS,
    UNION,
    number_of,
)
from kernels.dice.policies import EVERY_KEEP
from kernels.dice.rewards import (
    emptiest_columns,
    fill_sheets,
    is_bound,
    slot_in,
    without,
    without_own,
)
from kernels.dice.rules import columns_in, with_boxes
from kernels.dice.strategies import AIM_WIN, fill_reward, loss_for, rival_of
from kernels.dice.turn import (
    LANES,
    WORK_CELLS,
    fill_best,
    fill_later,
    fill_times,
    fill_ways,
    list_keeps,
    number_in,
    value_keeps,
    value_of_turn,
)
from kernels.dice.wins import MOVER, OTHER, chance_after, fill_chances, least_loss
from kernels.jit import compiled, part

# Aims beside those of `kernels.dice.strategies`.
RANDOM = AIM_WIN + 1
BEST = AIM_WIN + 2

_SIZE_START = np.array(SIZE_START, dtype=np.int64)
_STAYS = -1.0  # marks a result without progress

Desk = namedtuple(
    "Desk",
    (
        "reward",  # of every result: the chance to win after it
        "stays",  # of every result: 1.0 if it changes no sheet
        "line",  # 0: whether the side has a line; 1, 2: its chance is line[1] + line[2] * stay
        "times",  # faces per slot, then the same as shares of the die
        "shares",
        "ways",  # ordered rolls per multiset, then the same as chances
        "chances",
        "aims",  # the aim's value of every result
        "later",  # before the last roll: by the aim, by the reward, by staying
        "later_reward",
        "later_stays",
        "values",  # before the second roll, likewise
        "value_reward",
        "value_stays",
        "keeps",
        "work",
        "float_work",
        "best",  # per first roll: the number of the keep
    ),
)


def new_desk(setup):
    """Return an empty desk for a setup array."""
    times = setup[setup_.TIMES : setup_.TIMES + SYMBOLS].astype(np.int64)
    ways = np.zeros(MULTISETS, dtype=np.int64)
    fill_ways(times, ways)
    shares = times / times.sum()
    chances = np.zeros(MULTISETS)
    fill_ways(shares, chances)

    def zeros(cells, dtype=np.float64):
        return np.zeros(cells, dtype=dtype)

    return Desk(
        zeros(FINALS), zeros(FINALS), zeros(3), times, shares, ways, chances,
        zeros(FINALS, np.int64), zeros(FIRST_FINAL, np.int64), zeros(FIRST_FINAL),
        zeros(FIRST_FINAL), zeros(SMALL, np.int64), zeros(SMALL), zeros(SMALL),
        zeros(SMALL + LANES, np.int64), zeros(WORK_CELLS, np.int64), zeros(WORK_CELLS),
        zeros(MULTISETS, np.int64),
    )  # fmt: skip


@part
def side_loss(view, seat, aim, mover, frame, sheets, rival, table):
    """Return the slot that a player leaves out on the mover's turn if the cap binds.

    Parameters
    ----------
    seat, aim : int64
        The player and its aim.
    mover : int64
        Whose turn it is; `frame`, `sheets` and `rival` are the mover's.
    table : float64 array
        For a player who plays best.
    """
    player = MOVER if seat == mover else OTHER
    slot = 0 if seat == mover else rival
    boxes = without_own(slot)
    if not is_bound(view, with_boxes(sheets[slot], boxes) - sheets[slot]):
        return 0
    if aim == BEST:
        return least_loss(view, table, 0, sheets, player, rival, True)
    if aim == RANDOM:
        return 0  # it draws lots: `average_lots`
    view[see.SEAT] = seat
    view[see.ACTIVE] = mover
    legal = (1 << ANIMALS) - 1 & ~(1 << view[see.ANIMAL + seat])
    return slot_in(frame, loss_for(view, aim, see.columns_of(legal)))


@part
def average_lots(view, player, sheets, rival, table, reward):
    """Value the result that the cap binds on for a player who draws lots, in place.

    Parameters
    ----------
    player : int64
        MOVER or OTHER; the result is two of its animal and one of all others.
    sheets, rival
        The mover's.
    """
    slot = 0 if player == MOVER else rival
    boxes = without_own(slot)
    if not is_bound(view, with_boxes(sheets[slot], boxes) - sheets[slot]):
        return
    columns = emptiest_columns(sheets[slot], columns_in(boxes))
    total = 0.0
    for column in range(ANIMALS):
        if columns >> column & 1:
            marked = sheets[slot] + without(boxes, column)
            mine = marked if player == MOVER else sheets[0]
            theirs = marked if player == OTHER else sheets[rival]
            total += chance_after(view, table, 0, mine, theirs, rival, True)
    result = number_of(COLUMN_ONES + (1 << slot * NIBBLE)) - FIRST_FINAL
    reward[result] = total / popcount(columns)


@compiled
def prepare_side(view, seat, aim, rival_aim, table, desk):
    """Put a position on the desk of the seat that is to move, in place.

    Parameters
    ----------
    view : int64 array
        The position. Modified: who decides.
    aim, rival_aim : int64
        What the seat and the other player aim at.
    table : float64 array
        The other player's chance to win when it is to move.
    """
    frame = frame_of(view, seat)
    sheets = np.empty(ANIMALS, dtype=np.int64)
    fill_sheets(view, frame, sheets)
    rival = rival_of(view, frame)
    losses = (
        side_loss(view, seat, aim, seat, frame, sheets, rival, table),
        side_loss(view, 1 - seat, rival_aim, seat, frame, sheets, rival, table),
    )
    desk.reward[:] = _STAYS
    fill_chances(view, table, 0, sheets, rival, losses, desk.reward)
    if aim == RANDOM:
        average_lots(view, MOVER, sheets, rival, table, desk.reward)
    if rival_aim == RANDOM:
        average_lots(view, OTHER, sheets, rival, table, desk.reward)
    for k in range(FINALS):
        desk.stays[k] = desk.reward[k] == _STAYS
        if desk.reward[k] == _STAYS:
            desk.reward[k] = 0.0
    desk.line[0] = aim != BEST
    if aim == RANDOM:
        for k in range(2):
            desk.line[1 + k] = 0.0
        for k in range(FINALS):
            # Dice set aside unseen are as one plain roll.
            desk.line[1] += desk.chances[FIRST_FINAL + k] * desk.reward[k]
            desk.line[2] += desk.chances[FIRST_FINAL + k] * desk.stays[k]
    elif aim != BEST:
        view[see.SEAT] = seat
        view[see.ACTIVE] = seat
        faces = fill_times(times_in(view, frame), desk.times)
        fill_reward(view, aim, frame, faces, desk.aims)
        fill_line(faces, desk)


@compiled
def play_on(desk, stay):
    """Return a side's chance to win when it is to move.

    Parameters
    ----------
    stay : float64
        Its chance after a turn that changes no sheet.
    """
    if desk.line[0]:
        return desk.line[1] + desk.line[2] * stay
    for k in range(FINALS):
        if desk.stays[k]:
            desk.reward[k] = stay
    fill_later(desk.reward, desk.shares, 1.0, desk.later_reward)
    value_keeps(
        EVERY_KEEP,
        desk.later_reward,
        desk.chances,
        1.0,
        desk.keeps,
        desk.float_work,
        desk.value_reward,
    )
    return value_of_turn(desk.value_reward, desk.chances, desk.float_work)


@part
def fill_line(faces, desk):
    """Follow an aim through a turn: what its choices bring, with and without progress, in place."""
    fill_later(desk.aims, desk.times, faces, desk.later)
    fill_later(desk.reward, desk.shares, 1.0, desk.later_reward)
    fill_later(desk.stays, desk.shares, 1.0, desk.later_stays)
    for size in range(1, LARGEST_KEEP + 1):
        count = list_keeps(EVERY_KEEP, size, desk.keeps)
        for first in range(0, count, LANES):
            fill_best(desk.later, desk.keeps, first, size, True, desk.work)
            for lane in range(min(LANES, count - first)):
                follow_keep(desk.keeps[first + lane], size, lane, faces, desk)
    desk.line[1] = 0.0
    desk.line[2] = 0.0
    for roll in range(1, MULTISETS):
        best = roll if roll < SMALL else 0
        for k in range(FEWER_START[roll], FEWER_START[roll + 1]):
            other = desk.best[FEWER[k]]
            if other > 0 and (best == 0 or is_better(desk.values, other, best)):
                best = other
        desk.best[roll] = best
        if roll >= FIRST_FINAL:
            desk.line[1] += desk.chances[roll] * desk.value_reward[best]
            desk.line[2] += desk.chances[roll] * desk.value_stays[best]


@part
def is_better(values, number, best):
    """Tell whether a keep is preferred to another: of greater value, or equal with a lower number."""
    return values[number] > values[best] or (values[number] == values[best] and number < best)


@part
def follow_keep(kept, size, lane, faces, desk):
    """Work out a first keep's value and what comes of it, after `fill_best` with tags, in place."""
    left = DICE - size
    value = 0
    reward = 0.0
    stays = 0.0
    for roll in range(_SIZE_START[left], _SIZE_START[left + 1]):
        both = UNION[kept * SMALL + number_in(desk.work[roll * LANES + lane])]
        value += desk.ways[roll] * desk.later[both]
        reward += desk.chances[roll] * desk.later_reward[both]
        stays += desk.chances[roll] * desk.later_stays[both]
    for _ in range(DICE - 1 - left):
        value *= faces
    desk.values[kept] = value
    desk.value_reward[kept] = reward
    desk.value_stays[kept] = stays
