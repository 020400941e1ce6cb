"""Chance of a game of dice: the animals, the start player, the rolls and the strategy streams.

The words of a game's beginning and of its first turns are drawn in one go, then those of the next
turns. A turn has one address. All its dice are rolled beforehand, as if each roll needed all of them:
so they do not depend on what was set aside, and no roll waits for a decision.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from kernels.abi import MAX_SEATS
from kernels.bits import offset_cells
from kernels.dice import tierisch_setup as setup_
from kernels.dice.multisets import ANIMALS, GROUP_BITS, NIBBLE, ROLL_BITS, ROLL_MASK, no_dice_from
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

# Lanes of a game's first draw: the deal and the streams, then the first turns.
ROLES_LANE = 0
START_LANE = 1
STREAM_LANE = 2
TURN_LANE = 8
TURNS_AHEAD = 16
MAX_LANES = TURN_LANE + TURNS_AHEAD
assert STREAM_LANE + MAX_SEATS <= TURN_LANE

# Cells (uint64) of the random part of a block's scratch array.
ADDRESSES = 0
WORDS = ADDRESSES + MAX_LANES
DICE_WORDS = WORDS + 2 * MAX_LANES
STREAMS = DICE_WORDS + TURNS_AHEAD
RANDOM_CELLS = STREAMS + MAX_SEATS * STREAM_CELLS

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
def address_lanes(random):
    """Write the addresses that every game of a block draws from. `random` is modified in place."""
    for lane in range(MAX_LANES):
        random[ADDRESSES + lane] = address_of(STRATEGY, lane)
    random[ADDRESSES + ROLES_LANE] = address_of(ANIMAL_ROLES, 0)
    random[ADDRESSES + START_LANE] = address_of(START_PLAYER, 0)
    for seat in range(MAX_SEATS):
        random[ADDRESSES + STREAM_LANE + seat] = address_of(STRATEGY, seat)


@inlined
def _address_turns(random, turn):
    for k in range(TURNS_AHEAD):
        random[ADDRESSES + TURN_LANE + k] = address_of(DICE, turn + k)


@part
def draw_lanes(random, seed, game, first, lanes):
    """Draw both words of some lanes as one vector loop, a third of the cost of one by one.

    Modified in place: the first words in the lanes of WORDS, the second words MAX_LANES behind.
    """
    addresses = offset_cells(random, ADDRESSES + first)
    words = offset_cells(random, WORDS + first)
    for lane in range(lanes):
        word, spare = philox4x32(np.uint64(0), addresses[lane], np.uint64(game), np.uint64(seed))
        words[lane] = word
        words[lane + MAX_LANES] = spare


@part
def open_game(random, setup, seed, game):
    """Draw the words of a game's beginning, roll its first dice, open the streams, in place."""
    _address_turns(random, 0)
    draw_lanes(random, seed, game, 0, MAX_LANES)
    words = offset_cells(random, WORDS)
    roll_turns(random, setup)
    for seat in range(setup[setup_.PLAYERS]):
        lane = STREAM_LANE + seat
        stream = offset_cells(random, STREAMS + seat * STREAM_CELLS)
        open_stream(
            stream, seed, game, random[ADDRESSES + lane], words[lane], words[lane + MAX_LANES]
        )


@inlined
def draw_animals(random, setup):
    """Return the seats' animals, a nibble a seat (ET-A22)."""
    if setup[setup_.DEAL] == setup_.DEAL_RANDOM:
        order, _ = take_wide(random[WORDS + ROLES_LANE], _DEAL_COUNT)
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
    start, _ = take_wide(random[WORDS + START_LANE], setup[setup_.PLAYERS])
    return start


@part
def roll_turns(random, setup):
    """Roll all dice of the turns whose words were drawn, in place: one word a turn in DICE_WORDS.

    A turn's first word gives the six dice of its first roll, the second one five for the second
    roll and three for the third; a roll takes as many of them as it needs, in this order.
    """
    words = offset_cells(random, WORDS + TURN_LANE)
    triples = offset_cells(setup, setup[setup_.TRIPLES])
    pairs = offset_cells(setup, setup[setup_.PAIRS])
    triple_results = setup[setup_.TRIPLE_RESULTS]
    pair_results = setup[setup_.PAIR_RESULTS]
    for k in range(TURNS_AHEAD):
        one, rest = take_wide(words[k], triple_results)
        two, _ = take_wide(rest, triple_results)
        three, rest = take_wide(words[k + MAX_LANES], triple_results)
        four, rest = take_wide(rest, pair_results)
        five, _ = take_wide(rest, triple_results)
        dice = triples[one] | triples[two] << GROUP_BITS
        dice |= (triples[three] | pairs[four] << GROUP_BITS) << ROLL_BITS
        dice |= triples[five] << 2 * ROLL_BITS
        random[DICE_WORDS + k] = np.uint64(dice)


@part
def draw_turns(random, setup, seed, game, turn):
    """Draw and roll the dice of the next TURNS_AHEAD turns, in place."""
    _address_turns(random, turn)
    draw_lanes(random, seed, game, TURN_LANE, TURNS_AHEAD)
    roll_turns(random, setup)


@inlined
def turn_dice(random, turn):
    """Return the dice of a turn, which have been rolled: a word for `first_dice` and so on."""
    return np.int64(random[DICE_WORDS + turn % TURNS_AHEAD])


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
