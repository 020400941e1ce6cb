"""The built-in strategies of Gezanke auf der Planke!."""

from __future__ import annotations

import numpy as np

from kernels.abi import strategy
from kernels.bits import popcount
from kernels.jit import compiled, inlined
from kernels.plank import planke_setup as setup_
from kernels.plank import view as see
from kernels.rng import random_below, random_pair


@inlined
def differing_pair(view, pirates, stream):
    """Draw two pirates of different colours uniformly; there must be such."""
    plank = view[see.PLANK]
    while True:
        first, second = random_pair(stream, pirates, pirates)
        at = see.nth_cell(plank, first)
        other = see.nth_cell(plank, second)
        if see.colour_at(view, at) != see.colour_at(view, other):
            return see.action_of(see.SWAP, at, other)


@inlined
def random_move1(view, legal, pirates, stream):
    """Draw a move1 uniformly, from those that put a pirate back too where a ruling allows it."""
    plank = view[see.PLANK]
    last = np.int64(see.is_free(legal, see.LAST))
    foremost = np.int64(see.is_free(legal, see.FOREMOST))
    free = last + foremost
    moves = pirates * free
    null_moves = (2 - free) * see.has_null_moves(view)
    pick = random_below(stream, moves + null_moves)
    if pick < moves:
        end = pick & 1 if free == 2 else foremost
        return see.action_of(see.MOVE1, see.nth_cell(plank, pick >> free - 1), end)
    if last == 0 and pick == moves:
        return see.action_of(see.MOVE1, 0, see.LAST)
    return see.action_of(see.MOVE1, view[see.LENGTH] - 1, see.FOREMOST)


@compiled
def unusual_action(view, legal, symbol, first, stream):
    """Draw how to carry a symbol out under rulings that change what may be done."""
    plank = view[see.PLANK]
    pirates = popcount(plank)
    if symbol == see.SKULL or not see.is_possible(legal, symbol):
        return see.action_of(symbol, 0, 0)
    if symbol == see.PUSH1:
        return see.action_of(symbol, see.nth_cell(plank, first), 0)
    if symbol == see.MOVE1:
        return random_move1(view, legal, pirates, stream)
    if view[see.RULING + setup_.SWAP_SAME_COLOUR] == setup_.SAME_COLOUR_NO:
        return differing_pair(view, pirates, stream)
    second = random_below(stream, pirates - 1)
    cell = see.nth_cell(plank, second + (second >= first))
    return see.action_of(symbol, see.nth_cell(plank, first), cell)


@inlined
def usual_action(view, legal, symbol, first, stream):
    """Draw how to carry a symbol out, without a branch on it.

    `first` is a uniform pirate, counted from the ship end. The second draw is the other pirate of a
    swap, or the end of a move1 if both are free, or below 1.
    """
    plank = view[see.PLANK]
    swap = np.int64(symbol == see.SWAP)
    move1 = np.int64(symbol == see.MOVE1)
    both_free = np.int64(see.is_free(legal, see.LAST) and see.is_free(legal, see.FOREMOST))
    second = random_below(stream, 1 + swap * (popcount(plank) - 2) + move1 * both_free)
    cell = see.nth_cell(plank, second + swap * (second >= first))
    end = second | see.is_free(legal, see.FOREMOST) & (1 - both_free)
    acts = np.int64(see.is_possible(legal, symbol) and symbol != see.SKULL)
    at = see.nth_cell(plank, first) * acts
    return see.action_of(symbol, at, (swap * cell | move1 * end) * acts)


@strategy
def random(view, legal, stream):
    """Choose a pointer, then how to carry its symbol out, then a row, each uniformly.

    Either pointer has probability 1/2, even if its symbol cannot be carried out; where a ruling
    forbids one of the two the other is taken.
    """
    pointer, first = random_pair(stream, 2, popcount(view[see.PLANK]))
    symbol = view[see.LEFT + pointer]
    if not see.may_choose(legal, symbol):
        symbol = view[see.RIGHT - pointer]
    if view[see.UNUSUAL]:
        action = unusual_action(view, legal, symbol, first, stream)
    else:
        action = usual_action(view, legal, symbol, first, stream)
    rows = see.row_starts(see.plank_after(view, legal, action))
    row = see.nth_cell(rows, random_below(stream, popcount(rows)))
    return see.move_of(action, row)


STRATEGIES = {"random": random}
