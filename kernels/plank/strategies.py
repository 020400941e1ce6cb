"""The built-in strategies of Gezanke auf der Planke!.

Only `random` uses its random stream. Of turns that it likes alike, a strategy takes the one with the
lowest symbol (swap, push1, move1, skull), then the pirate nearest to the ship end. The first line of a
strategy's docstring is its idea, as ``analyzer games gezanke-auf-der-planke`` prints it.
"""

from __future__ import annotations

import numpy as np

from kernels.bits import popcount
from kernels.jit import inlined, part
from kernels.plank import planke_setup as setup_
from kernels.plank import view as see
from kernels.plank.endgame import PIRATES, solved_turn
from kernels.plank.lookahead import look_ahead
from kernels.plank.search import best_move
from kernels.rng import random_below, random_pair


@part
def random_null_move(view, legal, pirates, stream):
    """Draw a move1 uniformly when pirates who stand on an end may be put back there."""
    plank = view[see.PLANK]
    last = np.int64(see.is_free(legal, see.LAST))
    foremost = np.int64(see.is_free(legal, see.FOREMOST))
    free = last + foremost
    moves = pirates * free
    pick = random_below(stream, moves + 2 - free)
    if pick < moves:
        end = pick & 1 if free == 2 else foremost
        return see.move_action(see.nth_cell(plank, pick >> free - 1), end)
    if last == 0 and pick == moves:
        return see.move_action(0, see.LAST)
    return see.move_action(view[see.LENGTH] - 1, see.FOREMOST)


@inlined
def random_action(view, legal, symbol, first, stream):
    """Draw how to carry out a symbol, uniformly; `first` is a uniform pirate, from the ship end.

    There is no branch that depends on the symbol, which the processor cannot foresee. All symbols
    make one draw: of the other pirate, of the end, or below 1, which takes nothing from the stream.
    """
    plank = view[see.PLANK]
    acts = see.mask(see.acts(legal, symbol))
    swaps = see.mask(symbol == see.SWAP) & acts
    moves = see.mask(symbol == see.MOVE1) & acts
    last = see.is_free(legal, see.LAST)
    foremost = see.is_free(legal, see.FOREMOST)
    choices = 1 + ((popcount(plank) - 2) & swaps) + (last & foremost & moves)
    pick = random_below(stream, choices)
    cell = see.nth_cell(plank, first)
    others = pick & swaps
    partner = see.nth_cell(plank, others + (others >= first))
    end = see.FOREMOST & ~see.mask(last) | pick
    other = partner & swaps | end & moves | see.NOWHERE & ~(swaps | moves)
    return see.action_of(symbol, cell & acts | see.NOWHERE & ~acts, other)


@part
def without_equals(view, pirates, action, stream):
    """Draw a swap anew until it exchanges two colours."""
    at, other = see.at_of(action), see.other_of(action)
    while see.colour_at(view, at) == see.colour_at(view, other):
        first, others = random_pair(stream, pirates, pirates - 1)
        at = see.nth_cell(view[see.PLANK], first)
        other = see.nth_cell(view[see.PLANK], others + (others >= first))
    return see.swap_action(at, other)


@see.DOOR.strategy
def random(view, legal, stream):
    """Choose a pointer, then how to carry its symbol out, then a row, each uniformly.

    Either pointer has probability 1/2, even if its symbol cannot be carried out; where a ruling
    forbids one of the two the other is taken.
    """
    plank = view[see.PLANK]
    pirates = popcount(plank)
    pointer, first = random_pair(stream, 2, pirates)
    symbol = view[see.LEFT + pointer]
    if not see.may_choose(legal, symbol):
        symbol = view[see.RIGHT - pointer]
    if see.has_null_moves(view) and symbol == see.MOVE1:
        action = random_null_move(view, legal, pirates, stream)
    else:
        action = random_action(view, legal, symbol, first, stream)
    equals = view[see.RULING + setup_.SWAP_SAME_COLOUR] == setup_.SAME_COLOUR_YES
    if not equals and symbol == see.SWAP and see.is_possible(legal, see.SWAP):
        action = without_equals(view, pirates, action, stream)
    rows = see.row_starts(see.plank_after(view, legal, action))
    row = see.nth_cell(rows, random_below(stream, popcount(rows)))
    return see.move_of(action, row)


#: Weights of `kernels.plank.search`: own pirates, a rival's, the others, and what a fall costs in cells.
GREEDY = (3, 0, -1, 12)
COLOUR_BLIND = (1, 0, 1, 12)
#: A fall outweighs everything else, one of another colour a little more.
VANDAL = (-100, 0, -101, 1 << 16)
#: What an opponent wants: its own pirates safe, those of the seat that looks ahead not.
HARM = (-1, 1, 0, 12)


@inlined
def band_of(view):
    """Return the plank as its classes: the seat's own pirates, and the others."""
    return view[see.PLANK], see.colour_set(view, view[see.OWN]), np.int64(0)


@see.DOOR.strategy
def greedy(view, legal, stream):
    """Take the turn that leaves its own pirates best placed against all others.

    It looks at every symbol, every way to carry it out and every row together. A pirate counts for its
    distance from the shark and for being on the plank at all, its own three times, each other one
    against it.
    """
    return best_move(view, legal, band_of(view), GREEDY)


@see.DOOR.strategy
def patient(view, legal, stream):
    """Hide its colour while pirates of several colours are in danger: a bluff.

    In danger are the pirates on the two foremost cells, whom a single turn can drop. While they have
    different colours it plays as if it had none, and keeps everybody from the shark; otherwise it is
    `greedy`.
    """
    front = view[see.LENGTH] - 1
    both = view[see.PLANK] >> (front - 1) == 3
    if both and see.colour_at(view, front) != see.colour_at(view, front - 1):
        return best_move(view, legal, (view[see.PLANK], np.int64(0), np.int64(0)), COLOUR_BLIND)
    return best_move(view, legal, band_of(view), GREEDY)


@see.DOOR.strategy
def vandal(view, legal, stream):
    """Drop whatever it can, and bring the others closer to the edge when it cannot.

    Of turns that drop as many pirates it takes one that spares its own.
    """
    return best_move(view, legal, band_of(view), VANDAL)


@see.DOOR.strategy
def lookahead(view, legal, stream):
    """Take the turn that is worth most after the most harmful reply of the next opponent.

    It values the plank as `greedy` does. Of its best turns it works out the next opponent's reply with
    every symbol and averages over the wind rose and over the colours that the opponent may hold.
    """
    return look_ahead(view, legal, GREEDY, HARM)


@see.DOOR.strategy
def endgame(view, legal, stream):
    """Play the last pirates by the solved game of two players; before that it is `lookahead`.

    The table knows open colours. The other player's colour is hidden, so it averages over the three
    that it may be.
    """
    table = view[see.ENDGAME]
    if table == 0 or popcount(view[see.PLANK]) > view[table + PIRATES]:
        return look_ahead(view, legal, GREEDY, HARM)
    own = view[see.OWN]
    others = (1 << see.COLOURS) - 1 ^ 1 << own
    return solved_turn(view, legal, table, own, others)[0]


STRATEGIES = {
    "random": random,
    "greedy": greedy,
    "patient": patient,
    "vandal": vandal,
    "lookahead": lookahead,
    "endgame": endgame,
}
