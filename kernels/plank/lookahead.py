"""Look one opponent ahead: what a turn is worth after the most harmful reply to it.

The reply is averaged over the wind rose, and over the colours that the opponent may hold: each of the
three others alike, whatever number of stones is still in the bag.
"""

from __future__ import annotations

import numpy as np

from kernels.jit import inlined, part
from kernels.plank import position as pos
from kernels.plank import search
from kernels.plank import view as see
from kernels.plank.position import COLOURS, SYMBOLS

#: The turns that are looked into, the best ones without looking ahead.
TURNS = 8


@inlined
def copy_position(view, position, planes):
    """Fill `position` with that of a view, but with other planes (plank, low, high). In place."""
    for k in range(pos.POSITION_CELLS):
        position[k] = view[k]
    position[pos.PLANK], position[pos.LOW], position[pos.HIGH] = planes


@part
def replies(position, colour, own, weights, harm, actions, wants, leaves):
    """Find an opponent's most harmful turn with each symbol.

    Parameters
    ----------
    colour, own : int64
        The opponent's colour and the colour it harms.
    weights : tuple of int64
        What the plank is worth to the seat that looks ahead, with classes (own, nobody, rest).
    harm : tuple of int64
        What it is worth to the opponent, with classes (own, colour, rest).
    wants, leaves : int64 array, shape (SYMBOLS,)
        By symbol: what the opponent thinks of the turn, and what it leaves. Modified in place.
    """
    victim = pos.colour_set(position, own)
    band = (position[pos.PLANK], victim, pos.colour_set(position, colour))
    for symbol in range(SYMBOLS):
        position[pos.LEFT] = symbol
        position[pos.RIGHT] = symbol
        legal = pos.legal_set(position)
        move, want = search.best_turn(position, legal, symbol, band, harm, actions)
        after = search.band_after(position, legal, band, move)
        left = (after[0], after[1], np.int64(0))
        wants[symbol] = want
        leaves[symbol] = search.worth(left, weights, position[pos.LENGTH])


@part
def over_the_rose(view, position, wants, leaves):
    """Average what an opponent leaves over the wind rose: of two symbols it takes what it wants more.

    Returns
    -------
    int64
        The mean, in parts of ``1 / 2**32``.
    """
    total = 0
    for left in range(SYMBOLS):
        for right in range(SYMBOLS):
            position[pos.LEFT] = left
            position[pos.RIGHT] = right
            legal = pos.legal_set(position)
            prefers_right = pos.may_choose(legal, right) and wants[right] > wants[left]
            symbol = right if prefers_right or not pos.may_choose(legal, left) else left
            total += view[see.ROSE + left * SYMBOLS + right] * leaves[symbol]
    return total


@part
def look_ahead(view, legal, weights, harm):
    """Return the turn that is worth most after the next opponent's most harmful reply."""
    own = view[see.OWN]
    planes = pos.planes_of(view)
    band = (view[see.PLANK], see.colour_set(view, own), np.int64(0))
    moves = np.empty(TURNS, dtype=np.int64)
    values = np.empty(TURNS, dtype=np.int64)
    actions = np.empty(search.MOST_ACTIONS, dtype=np.int64)
    wants = np.empty(SYMBOLS, dtype=np.int64)
    leaves = np.empty(SYMBOLS, dtype=np.int64)
    position = np.empty(pos.POSITION_CELLS, dtype=np.int64)
    best = search.WORST
    choice = np.int64(0)
    for k in range(search.good_turns(view, legal, band, weights, moves, values)):
        after = search.band_after(view, legal, planes, moves[k])
        value = np.int64(0)
        if after[0] & (after[0] - 1) == 0:
            value = (values[k] << 32) * (COLOURS - 1)
        else:
            copy_position(view, position, after)
            for colour in range(COLOURS):
                if colour != own:
                    replies(position, colour, own, weights, harm, actions, wants, leaves)
                    value += over_the_rose(view, position, wants, leaves)
        if value > best:
            best = value
            choice = moves[k]
    return choice
