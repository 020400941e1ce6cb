"""The strategies of Einfach tierisch.

All but `random` play each turn as the exact optimum of some aim, and break ties by a rule that does not
depend on which animal is which: the fewest dice set aside, then the most of the own animal, then the
most of the first column in the order of `kernels.dice.frames`, and so on, police last. Where the box
cap takes one of four boxes they leave out the column they need least, of equal ones the last in that
order. The first line of a strategy's docstring is its idea, as ``analyzer games`` prints it.
"""

from __future__ import annotations

from itertools import combinations
from math import lcm

import numpy as np

from kernels.bits import lowest_bit_index, popcount
from kernels.dice import table as at
from kernels.dice import tierisch_setup as setup_
from kernels.dice import view as see
from kernels.dice.frames import (
    frame_of,
    into_frame,
    out_of_frame,
    room_of,
    symbol_in,
    times_in,
)
from kernels.dice.multisets import (
    ANIMALS,
    COUNTS,
    FINALS,
    FIRST_FINAL,
    KEEP_SIZES,
    MULTISETS,
    NIBBLE,
    SMALL,
    SYMBOLS,
    gather,
    number_of,
    size_of,
)
from kernels.dice.policies import (
    CAUTIOUS,
    HEAD_CELLS,
    OWN,
    ROOM_CODES,
    first_entry,
    read_entry,
    second_entry,
)
from kernels.dice.rewards import (
    FIVE_COLUMNS,
    charge_void,
    emptiest_columns,
    fill_boxes,
    fill_race,
    fill_sheets,
    strongest,
)
from kernels.dice.shared import shared_cells
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
from kernels.dice.wins import MOVER, OTHER, chance_after, fill_chances, least_loss, loss_of
from kernels.jit import compiled, inlined, part
from kernels.rng import random_below

# --- random ---------------------------------------------------------------------------------------


def _random_marks():
    """Return equally likely marks of dice for each mask of sizes left: their start, number and all.

    As few as are needed: every size as often as every other, and within a size every subset.
    """
    starts = np.zeros(see.ALL_SIZES + 1, dtype=np.int64)
    bounds = np.ones(see.ALL_SIZES + 1, dtype=np.int64)
    rows = [0]  # so that the masks of nothing point somewhere
    for sizes in range(see.ALL_SIZES + 1):
        left = [size for size in KEEP_SIZES if sizes >> size & 1]
        if not left:
            continue
        subsets = [
            [sum(1 << die for die in part) for part in combinations(range(sum(left)), size)]
            for size in left
        ]
        each = lcm(*(len(marks) for marks in subsets))
        starts[sizes] = len(rows)
        bounds[sizes] = len(left) * each
        rows += [mark for marks in subsets for mark in marks * (each // len(marks))]
    return starts, bounds, np.array(rows, dtype=np.int64)


_STARTS, _BOUNDS, _MARKS = _random_marks()


@compiled
def emptiest_by_lot(sheet, legal, stream):
    """Return one of the emptiest of the columns that may be left out, equal ones drawn by lot."""
    columns = emptiest_columns(sheet, legal & FIVE_COLUMNS)
    draw = random_below(stream, popcount(columns))
    for _ in range(draw):
        columns &= columns - 1
    return lowest_bit_index(columns)


@see.DOOR.strategy
def random(view, legal, stream):
    """Set aside a size drawn uniformly from those left, and then that many dice at random.

    Under the box cap it marks the fullest columns, and draws lots among equals: no animal is
    preferred for its name.
    """
    if view[see.DECISION] == see.FORGO_BOX:
        return emptiest_by_lot(view[see.MARKS + view[see.SEAT]], legal, stream)
    sizes = view[see.SIZES] & see.ALL_SIZES
    # One size alone is left where another is denied (kernels.dice.restrict); then the first dice are
    # as random as any.
    draw = random_below(stream, _BOUNDS[sizes])
    return gather(view[see.DICE_AS_ROLLED], _MARKS[_STARTS[sizes] + draw])


# --- the exact turn -------------------------------------------------------------------------------

# What a result of a turn is worth; the first two look at the own boxes alone.
AIM_OWN, AIM_CAUTIOUS, AIM_MARGIN, AIM_RACE, AIM_WIN = range(5)
#: What `optimal` answers without the solved game, and with more than two players: an illegal move.
UNSOLVED = -1


@inlined
def rival_of(view, frame):
    """Return the slot of the other player's animal in a two-player game."""
    rival = 0
    for slot in range(1, ANIMALS):
        if view[see.OWNER + symbol_in(frame, slot)] != at.NOBODY:
            rival = slot
    return rival


@part
def fill_reward(view, aim, frame, faces, reward):
    """Value every result of the turn by an aim, in place."""
    sheets = np.empty(ANIMALS, dtype=np.int64)
    fill_sheets(view, frame, sheets)
    capped = view[see.RULING + setup_.BOX_CAP] == setup_.CAP_THREE
    if aim <= AIM_CAUTIOUS:
        fill_boxes(sheets, 1, 0, capped, reward)
        if aim == AIM_CAUTIOUS:
            charge_void(faces, reward)
    elif aim == AIM_MARGIN:
        fill_boxes(sheets, 1, -1, capped, reward)
    elif aim == AIM_RACE:
        fill_race(view, frame, sheets, reward)
    else:
        rival = rival_of(view, frame)
        table = shared_cells(view)
        wins = view[see.WINS]
        mine = loss_of(view, frame, table, wins, sheets, MOVER, rival)
        theirs = loss_of(view, frame, table, wins, sheets, OTHER, rival)
        reward[:] = chance_after(view, table, wins, sheets[0], sheets[rival], rival, True)
        fill_chances(view, table, wins, sheets, rival, (mine, theirs), reward)


@compiled
def best_keep(view, aim):
    """Return the move that is best for an aim, worked out on the spot."""
    seat = view[see.SEAT]
    frame = frame_of(view, seat)
    times = np.empty(SYMBOLS, dtype=np.int64)
    reward = np.empty(FINALS, dtype=np.int64)
    later = np.empty(FIRST_FINAL, dtype=np.int64)
    faces = fill_times(times_in(view, frame), times)
    fill_reward(view, aim, frame, faces, reward)
    fill_later(reward, times, faces, later)
    roll = into_frame(view[see.ROLL], frame)
    if view[see.SIZES] == see.ALL_SIZES:
        ways = np.empty(MULTISETS, dtype=np.int64)
        work = np.empty(WORK_CELLS, dtype=np.int64)
        values = np.empty(SMALL, dtype=np.int64)
        keeps = np.empty(SMALL + LANES, dtype=np.int64)
        fill_ways(times, ways)
        value_keeps(roll, later, ways, faces, keeps, work, values)
        number = best_first_keep(roll, values)
    else:
        kept = number_of(into_frame(view[see.KEPT], frame))
        number = best_second_keep(roll, kept, view[see.SIZES], later)
    return out_of_frame(COUNTS[number], frame)


@part
def looked_up_keep(view, aim):
    """Return the move that is best for an aim, from its table."""
    seat = view[see.SEAT]
    frame = frame_of(view, seat)
    code = 0
    for slot in range(ANIMALS - 1, -1, -1):
        own = slot == view[see.ANIMAL + seat]
        room = room_of(see.marks_in(view[see.MARKS + seat], slot))
        code = code * 3 + (0 if own else room)
    tables = view[see.POLICIES]
    shared = shared_cells(view)
    head = aim * HEAD_CELLS + view[see.ANIMAL + seat] * ROOM_CODES + code
    table = tables + shared[tables + head]
    roll = number_of(into_frame(view[see.ROLL], frame))
    if view[see.SIZES] == see.ALL_SIZES:
        entry = first_entry(roll)
    else:
        kept = into_frame(view[see.KEPT], frame)
        entry = second_entry(number_of(kept), size_of(kept), roll)
    return out_of_frame(COUNTS[read_entry(shared, table, entry)], frame)


@inlined
def keep_for(view, aim):
    """Return the best move for an aim that has a table, with or without it.

    The tables know nothing of a size that is denied (kernels.dice.restrict).
    """
    if view[see.POLICIES] and not see.is_last_size(view[see.SIZES]):
        return looked_up_keep(view, aim)
    return best_keep(view, aim)


@part
def emptiest_in_frame(view, legal):
    """Return the emptiest of the columns that may be left out, of equal ones the last in the frame."""
    seat = view[see.SEAT]
    frame = frame_of(view, seat)
    least = 1 << NIBBLE
    choice = see.NO_ANSWER
    for slot in range(1, ANIMALS):
        column = symbol_in(frame, slot)
        boxes = see.marks_in(view[see.MARKS + seat], column)
        if legal >> column & 1 and boxes <= least:
            least = boxes
            choice = column
    return choice


@part
def loss_for(view, aim, legal):
    """Return the column that a seat with some aim leaves out under the box cap."""
    if aim <= AIM_MARGIN:
        return emptiest_in_frame(view, legal)
    seat = view[see.SEAT]
    frame = frame_of(view, seat)
    if aim == AIM_RACE:
        sheet = into_frame(view[see.MARKS + seat], frame)
        worth = into_frame(view[see.WORTH + seat], frame)
        return symbol_in(frame, strongest(sheet, offered_in(legal, frame), worth))
    sheets = np.empty(ANIMALS, dtype=np.int64)
    fill_sheets(view, frame, sheets)
    rolled = seat == view[see.ACTIVE]
    rival = rival_of(view, frame)
    table = shared_cells(view)
    slot = least_loss(view, table, view[see.WINS], sheets, MOVER, rival, rolled)
    return symbol_in(frame, slot)


@inlined
def offered_in(legal, frame):
    """Return a box in each column that may be left out, in the frame."""
    boxes = 0
    for slot in range(ANIMALS):
        boxes |= (legal >> symbol_in(frame, slot) & 1) << slot * NIBBLE
    return boxes


@see.DOOR.strategy
def own(view, legal, stream):
    """Mark as many own boxes as can be expected this turn."""
    if view[see.DECISION] == see.FORGO_BOX:
        return loss_for(view, AIM_OWN, legal)
    return keep_for(view, AIM_OWN)


@see.DOOR.strategy
def margin(view, legal, stream):
    """Mark as many own boxes more than all others together as can be expected this turn."""
    if view[see.DECISION] == see.FORGO_BOX:
        return loss_for(view, AIM_MARGIN, legal)
    return best_keep(view, AIM_MARGIN)


@see.DOOR.strategy
def cautious(view, legal, stream):
    """Run the least risk of two police, and of equal risks take the most own boxes."""
    if view[see.DECISION] == see.FORGO_BOX:
        return loss_for(view, AIM_CAUTIOUS, legal)
    return keep_for(view, AIM_CAUTIOUS)


@see.DOOR.strategy
def race(view, legal, stream):
    """Be nearer to the second full column than the others, as far as one turn can bring it about.

    A sheet's strength is the sum, over all pairs of columns that are worth a point, of the product of
    two weights that grow with the boxes marked. The seat maximises its expected share of everybody's
    strength after the turn; a win counts as all of it.
    """
    if view[see.DECISION] == see.FORGO_BOX:
        return loss_for(view, AIM_RACE, legal)
    return best_keep(view, AIM_RACE)


@see.DOOR.strategy
def optimal(view, legal, stream):
    """Play the solved two-player game: nobody wins more than half of it in both seats."""
    if view[see.WINS] == 0:
        return UNSOLVED
    if view[see.DECISION] == see.FORGO_BOX:
        return loss_for(view, AIM_WIN, legal)
    return best_keep(view, AIM_WIN)


STRATEGIES = {
    "random": random,
    "own": own,
    "margin": margin,
    "cautious": cautious,
    "race": race,
    "optimal": optimal,
}
assert (AIM_OWN, AIM_CAUTIOUS) == (OWN, CAUTIOUS)
