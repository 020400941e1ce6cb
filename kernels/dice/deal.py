"""Chance of a game of dice: the animals, the start player, the rolls and the strategy streams.

A turn has one address. All its dice are rolled at its beginning, as if each roll needed all of them:
so they do not depend on what was set aside, and no roll waits for a decision. They are drawn for all
games side by side in one loop, of which LLVM makes vector code.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from kernels.abi import MAX_SEATS, lane_stream
from kernels.bits import offset_cells
from kernels.dice import table as at
from kernels.dice import tierisch_setup as setup_
from kernels.dice.multisets import ANIMALS, GROUP_BITS, NIBBLE, ROLL_BITS, ROLL_MASK, no_dice_from
from kernels.dice.table import LANES
from kernels.jit import inlined, part
from kernels.rng import (
    ANIMAL_ROLES,
    DICE,
    START_PLAYER,
    STRATEGY,
    STREAM_CELLS,
    address_of,
    open_stream,
    philox4x32,
    take_wide,
)

# The words of a game's beginning: the deal, the start player, the seats' streams.
ROLES_WORD = 0
START_WORD = 1
STREAM_WORD = 2
OPENING_WORDS = 8  # as many as the machine draws at once
assert STREAM_WORD + MAX_SEATS <= OPENING_WORDS

# Cells (uint64) of the random part of a block's scratch array.
COUNT = 0  # OPENING_WORDS
ADDRESSES = COUNT + 1
WORDS = ADDRESSES + OPENING_WORDS
SPARES = WORDS + OPENING_WORDS
TURN_WORDS = SPARES + OPENING_WORDS  # a row
TURN_SPARES = TURN_WORDS + LANES  # a row
STREAMS = TURN_SPARES + LANES  # per seat: a row a cell of the stream
RANDOM_CELLS = STREAMS + MAX_SEATS * STREAM_CELLS * LANES

#: Every order of the five animals, a nibble a seat.
_DEALS = np.array(
    [
        sum(animal << NIBBLE * seat for seat, animal in enumerate(order))
        for order in permutations(range(ANIMALS))
    ],
    dtype=np.int64,
)
_DEAL_COUNT = len(_DEALS)


@part
def address_words(random):
    """Write the addresses that every game of a block begins with. `random` is modified in place."""
    # Read back from memory: LLVM would unroll a loop of known length and make no vector code of it.
    random[COUNT] = np.uint64(OPENING_WORDS)
    for k in range(OPENING_WORDS):
        random[ADDRESSES + k] = address_of(STRATEGY, k)
    random[ADDRESSES + ROLES_WORD] = address_of(ANIMAL_ROLES, 0)
    random[ADDRESSES + START_WORD] = address_of(START_PLAYER, 0)
    for seat in range(MAX_SEATS):
        random[ADDRESSES + STREAM_WORD + seat] = address_of(STRATEGY, seat)


@inlined
def seat_streams(random, seat):
    """Return the streams of a seat, all lanes'."""
    return offset_cells(random, STREAMS + seat * STREAM_CELLS * LANES)


@part
def open_game(table, random, lane):
    """Draw the words of a game's beginning and open its streams, in place."""
    seed = np.uint64(table[at.SEED])
    game = np.uint64(table[at.GAME + lane])
    addresses = offset_cells(random, ADDRESSES)
    words = offset_cells(random, WORDS)
    spares = offset_cells(random, SPARES)
    for k in range(np.int64(random[COUNT])):
        word, spare = philox4x32(np.uint64(0), addresses[k], game, seed)
        words[k] = word
        spares[k] = spare
    for seat in range(table[at.SEATS]):
        k = STREAM_WORD + seat
        stream = lane_stream(seat_streams(random, seat), lane, LANES)
        open_stream(stream, seed, game, addresses[k], words[k], spares[k])


@inlined
def draw_animals(random, setup):
    """Return the seats' animals, a nibble a seat (ET-A22)."""
    if setup[setup_.DEAL] == setup_.DEAL_RANDOM:
        order, _ = take_wide(random[WORDS + ROLES_WORD], _DEAL_COUNT)
        return _DEALS[order]
    animals = 0
    for seat in range(MAX_SEATS):
        animals |= setup[setup_.FIXED_ANIMAL + seat] << seat * NIBBLE
    return animals


@inlined
def draw_start(random, setup):
    """Return the start player (ET-A22)."""
    if setup[setup_.START_PLAYER] == setup_.SEAT0:
        return 0
    start, _ = take_wide(random[WORDS + START_WORD], setup[setup_.PLAYERS])
    return start


@part
def roll_dice(table, random, setup):
    """Roll all dice of the games' next turns, in place: one word a game in DICE_WORD.

    A turn's first word gives the six dice of its first roll, the second one five for the second
    roll and three for the third; a roll takes as many of them as it needs, in this order.
    """
    seed = np.uint64(table[at.SEED])
    games = table[at.GAMES]
    words = offset_cells(random, TURN_WORDS)
    spares = offset_cells(random, TURN_SPARES)
    for lane in range(games):
        address = address_of(DICE, table[at.TURN + lane])
        game = np.uint64(table[at.GAME + lane])
        word, spare = philox4x32(np.uint64(0), address, game, seed)
        words[lane] = word
        spares[lane] = spare
    triples = offset_cells(setup, setup[setup_.TRIPLES])
    pairs = offset_cells(setup, setup[setup_.PAIRS])
    triple_results = setup[setup_.TRIPLE_RESULTS]
    pair_results = setup[setup_.PAIR_RESULTS]
    for lane in range(games):
        one, rest = take_wide(words[lane], triple_results)
        two, _ = take_wide(rest, triple_results)
        three, rest = take_wide(spares[lane], triple_results)
        four, rest = take_wide(rest, pair_results)
        five, _ = take_wide(rest, triple_results)
        dice = triples[one] | triples[two] << GROUP_BITS
        dice |= (triples[three] | pairs[four] << GROUP_BITS) << ROLL_BITS
        dice |= triples[five] << 2 * ROLL_BITS
        table[at.DICE_WORD + lane] = dice


@inlined
def first_dice(word):
    """Return the six dice of a turn's first roll."""
    return word & ROLL_MASK


@inlined
def second_dice(word, count):
    """Return the dice of a turn's second roll (three to five)."""
    return word >> ROLL_BITS & ROLL_MASK | no_dice_from(count)


@inlined
def third_dice(word, count):
    """Return the dice of a turn's third roll (one to three)."""
    return word >> 2 * ROLL_BITS & ROLL_MASK | no_dice_from(count)
