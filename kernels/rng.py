"""Counter-based random streams by purpose: Philox4x32-10.

Every random word of a game has an address: key = master seed (64 bits), counter = (draw, purpose and
index, game low, game high), four 32-bit lanes. Nothing is carried from game to game, so game `i` of
seed `S` is the same on every machine, thread and block order, and a strategy that draws more or less
random numbers moves no card, tile or die.

Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as
1, 2, 3" (SC 2011). The published test vectors stand in the tests.

Bounded integers come from the top `FRACTION_BITS` of a word by repeated multiplication: a draw below
`n` multiplies the fraction by `n`, takes the integer part and leaves the rest for the next draw. If
the bounds used up on one word multiply to `P`, every outcome's probability is off by less than
``P / 2**FRACTION_BITS``, relatively. Callers keep `P` within `BUDGET_LIMIT` (streams) or state it.
"""

from __future__ import annotations

import numpy as np

from kernels.jit import compiled, inlined, part

RNG_SCHEME = "philox4x32-10/1"

# Purposes: the high byte of the second counter lane. The low 24 bits hold a seat, round or turn.
START_PLAYER = 1
ANIMAL_DECK = 2
BOAT_DECK = 3
BOAT_REPLACEMENT = 4
BOAT_RESHUFFLE = 5
WIND_ROSE = 6
COLOUR_BAG = 7
DICE = 8
ANIMAL_ROLES = 9
STRATEGY = 10

INDEX_BITS = 24

_LANE = np.uint64(0xFFFFFFFF)
_THIRTY_TWO = np.uint64(32)
_MULTIPLIER_0 = np.uint64(0xD2511F53)
_MULTIPLIER_1 = np.uint64(0xCD9E8D57)
_WEYL_0 = np.uint64(0x9E3779B9)
_WEYL_1 = np.uint64(0xBB67AE85)
_ROUNDS = 10

#: Bits of a word that bounded draws use. With bounds up to 32 a product stays within an int64.
DEAL_BITS = 57
_DEAL_MASK = (1 << DEAL_BITS) - 1
_DEAL_SHIFT = np.uint64(64 - DEAL_BITS)

#: Strategy streams trade fraction bits for larger bounds: up to 4096 a draw.
FRACTION_BITS = 50
_FRACTION_MASK = (1 << FRACTION_BITS) - 1
_FRACTION_SHIFT = np.uint64(64 - FRACTION_BITS)
#: A strategy draw's relative bias is below BUDGET_LIMIT / 2**FRACTION_BITS = 2**-28.
BUDGET_LIMIT = 1 << 22

# Cells of a strategy stream (uint64 array).
S_SEED = 0
S_GAME = 1
S_ADDRESS = 2
S_DRAW = 3
S_FRACTION = 4
S_BUDGET = 5
S_SPARE = 6
S_HAS_SPARE = 7
STREAM_CELLS = 8


@inlined
def philox4x32(draw, address, game, seed):
    """Return the two 64-bit words at one address.

    Parameters
    ----------
    draw : uint64
        Number of the draw within the stream, below 2**32.
    address : uint64
        ``purpose << 24 | index``, below 2**32.
    game : uint64
        Index of the game.
    seed : uint64
        Master seed.

    Returns
    -------
    tuple of uint64
        Output lanes 0 and 1 (low lane first), then lanes 2 and 3.
    """
    lane0 = np.uint64(draw)
    lane1 = np.uint64(address)
    lane2 = np.uint64(game) & _LANE
    lane3 = np.uint64(game) >> _THIRTY_TWO
    key0 = np.uint64(seed) & _LANE
    key1 = np.uint64(seed) >> _THIRTY_TWO
    for _ in range(_ROUNDS):
        product0 = _MULTIPLIER_0 * lane0
        product1 = _MULTIPLIER_1 * lane2
        lane0 = (product1 >> _THIRTY_TWO) ^ lane1 ^ key0
        lane1 = product1 & _LANE
        lane2 = (product0 >> _THIRTY_TWO) ^ lane3 ^ key1
        lane3 = product0 & _LANE
        key0 = (key0 + _WEYL_0) & _LANE
        key1 = (key1 + _WEYL_1) & _LANE
    return lane0 | (lane1 << _THIRTY_TWO), lane2 | (lane3 << _THIRTY_TWO)


@inlined
def address_of(purpose, index):
    """Return the second counter lane of stream (`purpose`, `index`)."""
    return np.uint64(purpose << INDEX_BITS | index)


@compiled
def words_at(seed, game, purpose, index, draw):
    """Return the two words of draw `draw` of stream (`purpose`, `index`) of a game."""
    return philox4x32(np.uint64(draw), address_of(purpose, index), np.uint64(game), np.uint64(seed))


@inlined
def deal_fraction(word):
    """Return the top `DEAL_BITS` of a word as a non-negative int64, to be used by `take`."""
    return np.int64(word >> _DEAL_SHIFT)


@inlined
def take(fraction, bound):
    """Split one integer below `bound` (at most 32) off a deal fraction.

    Returns
    -------
    value : int64
        Uniform in 0..bound-1.
    fraction : int64
        What is left for the next `take`.
    """
    scaled = fraction * bound
    return scaled >> DEAL_BITS, scaled & _DEAL_MASK


@inlined
def open_stream(stream, seed, game, address, word, spare):
    """Put a stream at its beginning; `word` and `spare` are its draw 0. Modified in place."""
    stream[S_SEED] = np.uint64(seed)
    stream[S_GAME] = np.uint64(game)
    stream[S_ADDRESS] = address
    stream[S_DRAW] = np.uint64(1)
    stream[S_FRACTION] = word >> _FRACTION_SHIFT
    stream[S_BUDGET] = np.uint64(1)
    stream[S_SPARE] = spare
    stream[S_HAS_SPARE] = np.uint64(1)


@inlined
def refresh_stream(stream, word):
    """Give a stream a fresh word; what was left of the last one is dropped. Modified in place."""
    stream[S_FRACTION] = word >> _FRACTION_SHIFT
    stream[S_BUDGET] = np.uint64(1)


@part
def _next_word(stream):
    if stream[S_HAS_SPARE] != np.uint64(0):
        stream[S_HAS_SPARE] = np.uint64(0)
        return stream[S_SPARE]
    word, spare = philox4x32(stream[S_DRAW], stream[S_ADDRESS], stream[S_GAME], stream[S_SEED])
    stream[S_DRAW] += np.uint64(1)
    stream[S_SPARE] = spare
    stream[S_HAS_SPARE] = np.uint64(1)
    return word


@inlined
def random_below(stream, bound):
    """Draw an integer uniform in 0..bound-1 from a strategy's stream.

    Parameters
    ----------
    stream : uint64 array, shape (STREAM_CELLS,)
        Modified in place.
    bound : int64
        1 to 4096.

    Returns
    -------
    int64
    """
    if np.int64(stream[S_BUDGET]) * bound > BUDGET_LIMIT:
        refresh_stream(stream, _next_word(stream))
    budget = np.int64(stream[S_BUDGET]) * bound
    fraction = np.int64(stream[S_FRACTION])
    scaled = fraction * bound
    stream[S_BUDGET] = np.uint64(budget)
    stream[S_FRACTION] = np.uint64(scaled & _FRACTION_MASK)
    return scaled >> FRACTION_BITS


@inlined
def next_below(stream, bound):
    """Like `random_below`, without looking at the budget: for a few small draws from a fresh word.

    A stream is given a fresh word before a strategy may move a few times; each family says how often.
    Without the check a strategy's loop over the games becomes vector code. The bias of a draw is
    below ``P / 2**50`` when the bounds drawn from one word multiply to `P`.
    """
    scaled = np.int64(stream[S_FRACTION]) * bound
    stream[S_FRACTION] = np.uint64(scaled & _FRACTION_MASK)
    return scaled >> FRACTION_BITS


@inlined
def next_bits(stream, bits):
    """Draw `bits` random bits: `next_below` of ``2**bits``, without its multiplication."""
    scaled = np.int64(stream[S_FRACTION]) << bits
    stream[S_FRACTION] = np.uint64(scaled & _FRACTION_MASK)
    return scaled >> FRACTION_BITS


@inlined
def random_pair(stream, first, second):
    """Draw two integers, below `first` and below `second` (product at most 4096), in one go."""
    bound = first * second
    if np.int64(stream[S_BUDGET]) * bound > BUDGET_LIMIT:
        refresh_stream(stream, _next_word(stream))
    budget = np.int64(stream[S_BUDGET]) * bound
    fraction = np.int64(stream[S_FRACTION])
    scaled = fraction * first
    again = (scaled & _FRACTION_MASK) * second
    stream[S_BUDGET] = np.uint64(budget)
    stream[S_FRACTION] = np.uint64(again & _FRACTION_MASK)
    return scaled >> FRACTION_BITS, again >> FRACTION_BITS


@inlined
def random_unit(stream):
    """Draw a float64 uniform in [0, 1) with 53 random bits from a strategy's stream."""
    return np.float64(np.int64(_next_word(stream) >> np.uint64(11))) * (1.0 / (1 << 53))


@part
def stream_words(seed, game, address, first, draws, words):
    """Fill in the words of many successive draws of one stream, as one vector loop.

    Parameters
    ----------
    address : uint64
        `address_of` the stream.
    first, draws : int64
        The draws ``first .. first + draws - 1``. Read `draws` from memory: LLVM would unroll a short
        loop of known length and make no vector code of it, which costs twice to three times as much.
    words : uint64 array
        First words in cells ``0 .. draws-1``, second words behind them. Modified in place.
    """
    for k in range(draws):
        word, spare = philox4x32(np.uint64(first + k), address, np.uint64(game), np.uint64(seed))
        words[k] = word
        words[k + draws] = spare


@inlined
def take_wide(fraction, bound):
    """Split one integer below `bound` off a whole word, keeping all of its 64 bits.

    If the bounds used up on a word multiply to `P`, every outcome's probability is off by less than
    ``P / 2**64``, relatively.

    Parameters
    ----------
    fraction : uint64
        A random word, or what an earlier call left of it.
    bound : int64
        Below 2**31.

    Returns
    -------
    value : int64
        Uniform in 0..bound-1.
    fraction : uint64
        What is left for the next call.
    """
    factor = np.uint64(bound) & _LANE  # says that the products below fit a word
    low = (fraction & _LANE) * factor
    high = (fraction >> _THIRTY_TWO) * factor + (low >> _THIRTY_TWO)
    return np.int64(high >> _THIRTY_TWO), high << _THIRTY_TWO | low & _LANE
