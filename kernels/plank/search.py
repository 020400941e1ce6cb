"""Find a good turn: every action, every row, and a linear worth of the plank that is left.

A pirate is worth a weight times (`fall` + its distance from the foremost cell), and nothing once it has
fallen. Weights go by three classes of pirates: *mine*, *rival* (one other colour, or nobody) and the
rest. The bands here are (plank, mine, rival); *weights* is (mine, rival, rest, fall). One search serves
all strategies; they differ in their weights.
"""

from __future__ import annotations

import numpy as np

from kernels.bits import lowest_bit_index, popcount
from kernels.jit import inlined, part
from kernels.plank import position as pos
from kernels.plank.position import FINE, FOREMOST, LAST, PUSH1, SKULL, SWAP

#: More than the actions that one symbol can have with sixteen pirates.
MOST_ACTIONS = 128
#: What the survivor is worth, times its weight: more than any plank of several pirates.
SURVIVAL = 1 << 20
WORST = -(1 << 62)

#: INDEX_PLANES[k]: the cells whose number has bit `k`.
INDEX_PLANES = tuple(
    sum(1 << cell for cell in range(pos.MAX_LENGTH + 1) if cell >> k & 1) for k in range(6)
)


@inlined
def cell_total(cells):
    """Add up the numbers of the cells of a set."""
    return (
        popcount(cells & INDEX_PLANES[0])
        + (popcount(cells & INDEX_PLANES[1]) << 1)
        + (popcount(cells & INDEX_PLANES[2]) << 2)
        + (popcount(cells & INDEX_PLANES[3]) << 3)
        + (popcount(cells & INDEX_PLANES[4]) << 4)
        + (popcount(cells & INDEX_PLANES[5]) << 5)
    )


@inlined
def class_worth(cells, most):
    """Return the worth of the pirates of a class at weight 1; `most` is that of cell 0."""
    return popcount(cells) * most - cell_total(cells)


@inlined
def weight_of(band, weights, pirate):
    """Return the weight of one pirate (a set)."""
    if band[1] & pirate:
        return weights[0]
    return weights[1] if band[2] & pirate else weights[2]


@inlined
def worth(band, weights, length):
    """Return the worth of a plank; a survivor decides the game."""
    plank, mine, rival = band
    most = weights[3] + length - 1
    total = weights[0] * class_worth(mine, most) + weights[1] * class_worth(rival, most)
    total += weights[2] * class_worth(plank & ~(mine | rival), most)
    if plank & (plank - 1) == 0:
        total += SURVIVAL * weight_of(band, weights, plank)
    return total


@inlined
def row_gain(band, weights, length, start):
    """Return what the push of a row adds to the worth, the end of the game left out."""
    plank, mine, rival = band
    landing = pos.landing_cell(plank, start)
    block = landing - start
    ours = popcount(block & mine)
    theirs = popcount(block & rival)
    loss = weights[0] * ours + weights[1] * theirs
    loss += weights[2] * (popcount(block) - ours - theirs)
    if landing >> length:
        loss += weight_of(band, weights, landing >> 1) * (weights[3] - 1)
    return -loss


@part
def best_row(band, weights, length):
    """Return the row whose push leaves the most, and the worth that it leaves.

    Of equal rows the one nearest to the ship end.
    """
    plank = band[0]
    starts = pos.row_starts(plank)
    now = worth(band, weights, length)
    last_two = popcount(plank) == 2
    best = WORST
    row = 0
    while starts:
        start = starts & -starts
        starts ^= start
        if last_two:
            left = worth(pos.pushed(band, start, length), weights, length)
        else:
            left = now + row_gain(band, weights, length, start)
        if left > best:
            best = left
            row = start
    return lowest_bit_index(row), best


@inlined
def class_of(band, cell):
    """Return a number for the class of the pirate on a cell."""
    return band[1] >> cell & 1 | (band[2] >> cell & 1) << 1


@part
def list_swaps(position, legal, band, actions):
    """List the swaps of pirates of different classes, and one legal swap within a class."""
    count = 0
    within = False
    firsts = band[0]
    while firsts:
        at = lowest_bit_index(firsts)
        firsts &= firsts - 1
        others = firsts
        while others:
            other = lowest_bit_index(others)
            others &= others - 1
            action = pos.swap_action(at, other)
            if class_of(band, at) == class_of(band, other):
                if within or pos.action_fault(position, legal, action) != FINE:
                    continue
                within = True
            actions[count] = action
            count += 1
    return count


@part
def list_actions(position, legal, symbol, band, actions):
    """List a symbol's actions that differ in what they do to the classes of a band.

    Parameters
    ----------
    actions : int64 array, shape (MOST_ACTIONS,)
        Modified in place.

    Returns
    -------
    int64
        How many; at least one.
    """
    actions[0] = pos.idle_action(symbol)
    if symbol == SKULL or not pos.is_possible(legal, symbol):
        return 1
    if symbol == SWAP:
        return list_swaps(position, legal, band, actions)
    count = 0
    cells = band[0]
    while cells:
        at = lowest_bit_index(cells)
        cells &= cells - 1
        if symbol == PUSH1:
            actions[count] = pos.push_action(at)
            count += 1
            continue
        for end in (LAST, FOREMOST):
            action = pos.move_action(at, end)
            if pos.action_fault(position, legal, action) == FINE:
                actions[count] = action
                count += 1
    return count


@part
def best_turn(position, legal, symbol, band, weights, actions):
    """Return the best turn with a symbol, and the worth that it leaves.

    Of equal turns the first one listed.
    """
    length = position[pos.LENGTH]
    best = WORST
    move = np.int64(0)
    for k in range(list_actions(position, legal, symbol, band, actions)):
        after = pos.after_action(position, legal, band, actions[k])
        row = 0
        if after[0] & (after[0] - 1) == 0:
            left = worth(after, weights, length)
        else:
            row, left = best_row(after, weights, length)
        if left > best:
            best = left
            move = pos.move_of(actions[k], row)
    return move, best


@part
def best_move(position, legal, band, weights):
    """Return the best turn over all symbols that may be chosen; of equal ones the lowest symbol's."""
    actions = np.empty(MOST_ACTIONS, dtype=np.int64)
    best = WORST
    move = np.int64(0)
    for symbol in range(pos.SYMBOLS):
        if pos.may_choose(legal, symbol):
            turn, left = best_turn(position, legal, symbol, band, weights, actions)
            if left > best:
                best = left
                move = turn
    return move


@part
def band_after(position, legal, band, move):
    """Return a band after a whole legal turn."""
    band = pos.after_action(position, legal, band, move)
    if band[0] & (band[0] - 1) == 0:
        return band
    return pos.pushed(band, 1 << pos.row_of(move), position[pos.LENGTH])


@part
def good_turns(position, legal, band, weights, moves, values):
    """List the best turns, best first; of equal ones the first one found.

    Parameters
    ----------
    moves, values : int64 array
        As many as are wanted. Modified in place.

    Returns
    -------
    int64
        How many there are.
    """
    length = position[pos.LENGTH]
    actions = np.empty(MOST_ACTIONS, dtype=np.int64)
    count = 0
    for symbol in range(pos.SYMBOLS):
        if not pos.may_choose(legal, symbol):
            continue
        for k in range(list_actions(position, legal, symbol, band, actions)):
            after = pos.after_action(position, legal, band, actions[k])
            starts = pos.row_starts(after[0])
            over = after[0] & (after[0] - 1) == 0
            while starts:
                start = starts & -starts
                starts ^= start
                left = after if over else pos.pushed(after, start, length)
                value = worth(left, weights, length)
                move = pos.move_of(actions[k], lowest_bit_index(start))
                count = insert_turn(moves, values, count, move, value)
    return count


@inlined
def insert_turn(moves, values, count, move, value):
    """Insert a turn into a list that is sorted by value, best first; return the new count."""
    size = len(values)
    if count == size:
        if value <= values[size - 1]:
            return count
        count -= 1
    place = count
    while place > 0 and values[place - 1] < value:
        values[place] = values[place - 1]
        moves[place] = moves[place - 1]
        place -= 1
    values[place] = value
    moves[place] = move
    return count + 1
