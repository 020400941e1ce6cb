"""The face-down boat cards (All Aboard!) or weight tiles (Einer geht noch!).

The pile is shuffled lazily: the boats of all four rounds from its front, before play; a replacement is
drawn from its back when a mouse asks for one. Any place of a shuffled pile is as good as the next, and
so no strategy can change which boats the later rounds bring.
"""

from __future__ import annotations

import numpy as np

from kernels.abi import NO_DRAW
from kernels.bits import offset_cells
from kernels.boats import table as at
from kernels.boats.cards import BOAT_CARDS, ROUNDS
from kernels.boats.table import LANES
from kernels.jit import inlined, part
from kernels.rng import BOAT_REPLACEMENT, BOAT_RESHUFFLE, deal_fraction, take, words_at

#: Draws below 30 that share one random word: 30 * 29 * ... * 25 < 2**29, a bias below 2**-28.
DRAWS_PER_WORD = 6
#: Words that the boats of four rounds need, at most 20 draws.
BOAT_WORDS = 4

#: An entry of the pile is ``capacity << KIND_BITS | kind``: kinds number the distinct capacities.
KIND_BITS = 5
KIND_MASK = (1 << KIND_BITS) - 1


@inlined
def put_on(table, lane, boat, entry):
    """Make a pile entry the boat's card."""
    table[at.CAPACITY + boat * LANES + lane] = entry >> KIND_BITS
    table[at.KIND + boat * LANES + lane] = entry & KIND_MASK


@inlined
def draw_to_front(table, lane, front, back, count, word):
    """Draw up to six cards of ``PILE[front:back]`` in random order to its front, in place."""
    pile = at.PILE + lane * at.PILE_STRIDE
    fraction = deal_fraction(word)
    for k in range(count):
        pick, fraction = take(fraction, back - front - k)
        here = pile + front + k
        there = here + pick
        card = table[there]
        table[there] = table[here]
        table[here] = card


@inlined
def lay_out_pile(table, lane, setup, tiles):
    """Fill a game's pile with the thirty cards, in the order of the setup.

    Parameters
    ----------
    tiles : int64
        Where the thirty pile entries stand in `setup`.
    """
    pile = at.PILE + lane * at.PILE_STRIDE
    for k in range(BOAT_CARDS):
        table[pile + k] = setup[tiles + k]
    table[at.PILE_FRONT + lane] = 0
    table[at.PILE_BACK + lane] = BOAT_CARDS


@part
def reshuffle(table, lane, front, back):
    """Shuffle ``PILE[front:back]`` again; each replacement of a game has its own words."""
    seed = np.uint64(table[at.SEED])
    game = table[at.GAME + lane]
    drawn = front
    words = 0
    while drawn < back:
        index = table[at.REPLACEMENTS + lane] << 4 | words
        word, spare = words_at(seed, game, BOAT_RESHUFFLE, index, 0)
        draws = min(back - drawn, DRAWS_PER_WORD)
        draw_to_front(table, lane, drawn, back, draws, word)
        drawn += draws
        draws = min(back - drawn, DRAWS_PER_WORD)
        draw_to_front(table, lane, drawn, back, draws, spare)
        drawn += draws
        words += 1


@inlined
def turn_up(table, lane, boat):
    """Turn up the next card of the pile's front as the boat's capacity."""
    front = table[at.PILE_FRONT + lane]
    put_on(table, lane, boat, table[at.PILE + lane * at.PILE_STRIDE + front])
    table[at.PILE_FRONT + lane] = front + 1


@inlined
def turn_up_scripted(table, lane, boat):
    """Turn up the next card of a script; note a fault when there is none."""
    if table[at.PILE_FRONT + lane] == table[at.PILE_BACK + lane]:
        table[at.FAULT + lane] = NO_DRAW
    else:
        turn_up(table, lane, boat)


@part
def turn_up_boats(table):
    """Turn up the next boats of every game."""
    boats = table[at.BOATS]
    for lane in range(table[at.GAMES]):
        front = table[at.PILE_FRONT + lane]
        entries = offset_cells(table, at.PILE + lane * at.PILE_STRIDE + front)
        for boat in range(boats):
            put_on(table, lane, boat, entries[boat])
        table[at.PILE_FRONT + lane] = front + boats


@part
def replace_boat(table, lane, boat, put_back):
    """Replace a boat's card by another one of the pile.

    Parameters
    ----------
    put_back : bool
        True: the new card is drawn first, then the old one is shuffled into the pile. The rounds'
        own boats are then reshuffled too.
    """
    if table[at.SCRIPTED]:
        turn_up_scripted(table, lane, boat)
        return
    table[at.REPLACEMENTS + lane] += 1
    # Everything behind the rounds' own boats is still in its first order: draw one of them. The
    # boats already laid out for later rounds never move unless the pile is reshuffled.
    front = ROUNDS * table[at.BOATS]
    if put_back:
        front = table[at.PILE_FRONT + lane]
    if table[at.PILE_BACK + lane] == front:
        table[at.PILE_BACK + lane] = BOAT_CARDS  # nothing left: the discards come back (AA-A17)
    back = table[at.PILE_BACK + lane]
    seed = np.uint64(table[at.SEED])
    game = table[at.GAME + lane]
    word, _ = words_at(seed, game, BOAT_REPLACEMENT, table[at.REPLACEMENTS + lane], 0)
    pick, _ = take(deal_fraction(word), back - front)
    pile = at.PILE + lane * at.PILE_STRIDE
    drawn = table[pile + front + pick]
    table[pile + front + pick] = table[pile + back - 1]
    # The discards lie behind the pile.
    capacity = table[at.CAPACITY + boat * LANES + lane]
    table[pile + back - 1] = capacity << KIND_BITS | table[at.KIND + boat * LANES + lane]
    if put_back:
        reshuffle(table, lane, front, back)
    else:
        table[at.PILE_BACK + lane] = back - 1
    put_on(table, lane, boat, drawn)


@part
def exchange_tile(table, lane, boat, old_may_return):
    """Replace a boat's tile by one of the supply, into which the old one goes back.

    The supply is a shuffled row. Exchanging the old tile for one at a random place of it leaves the row
    as random as it was, and all other tiles of later rounds where they are.

    Parameters
    ----------
    old_may_return : bool
        True: the old tile is put back before the draw and may be drawn itself.
    """
    if table[at.SCRIPTED]:
        turn_up_scripted(table, lane, boat)
        return
    table[at.REPLACEMENTS + lane] += 1
    front = table[at.PILE_FRONT + lane]
    supply = table[at.PILE_BACK + lane] - front
    seed = np.uint64(table[at.SEED])
    game = table[at.GAME + lane]
    word, _ = words_at(seed, game, BOAT_REPLACEMENT, table[at.REPLACEMENTS + lane], 0)
    pick, _ = take(deal_fraction(word), supply + np.int64(old_may_return))
    if pick == supply:
        return  # it is the old one again
    place = at.PILE + lane * at.PILE_STRIDE + front + pick
    drawn = table[place]
    capacity = table[at.CAPACITY + boat * LANES + lane]
    table[place] = capacity << KIND_BITS | table[at.KIND + boat * LANES + lane]
    put_on(table, lane, boat, drawn)
