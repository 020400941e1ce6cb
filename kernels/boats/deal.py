"""The deal of a boat game: every random word that a game is sure to need.

Each address is drawn for all the games of a batch in one loop, of which LLVM makes vector code.
"""

from __future__ import annotations

import numpy as np

from kernels.abi import MAX_SEATS, lane_stream
from kernels.bits import offset_cells
from kernels.boats import table as at
from kernels.boats.cards import BOAT_CARDS, ROUNDS, shuffled_deck
from kernels.boats.piles import BOAT_WORDS, DRAWS_PER_WORD, draw_to_front, lay_out_pile
from kernels.boats.table import LANES
from kernels.jit import part
from kernels.rng import (
    ANIMAL_DECK,
    BOAT_DECK,
    S_DRAW,
    S_HAS_SPARE,
    START_PLAYER,
    STRATEGY,
    STREAM_CELLS,
    address_of,
    deal_fraction,
    open_stream,
    philox4x32,
    refresh_stream,
    take,
    words_at,
)

# Cells (uint64) of the random part of a block's scratch array.
WORDS = 0  # rows of words that are used at once
TURN_WORDS = WORDS + BOAT_WORDS * LANES  # per round and seat: a row of words for the strategies
STREAMS = TURN_WORDS + ROUNDS * MAX_SEATS * LANES
RANDOM_CELLS = STREAMS + MAX_SEATS * LANES * STREAM_CELLS


@part
def draw_words(table, purpose, index, draw, words, spares):
    """Draw the two words at one address for every game of the batch.

    Parameters
    ----------
    words, spares : uint64 array
        A row for the first and one for the second words. Modified in place.
    """
    seed = np.uint64(table[at.SEED])
    address = address_of(purpose, index)
    for lane in range(table[at.GAMES]):
        game = np.uint64(table[at.GAME + lane])
        word, spare = philox4x32(np.uint64(draw), address, game, seed)
        words[lane] = word
        spares[lane] = spare


@part
def deal_piles(table, setup, tiles, random):
    """Lay out the boat cards and draw those of all four rounds to the front."""
    count = ROUNDS * table[at.BOATS]
    words = offset_cells(random, WORDS)
    for k in range(0, BOAT_WORDS, 2):
        row = offset_cells(words, k * LANES)
        draw_words(table, BOAT_DECK, k >> 1, 0, row, offset_cells(row, LANES))
    for lane in range(table[at.GAMES]):
        lay_out_pile(table, lane, setup, tiles)
        for k in range(BOAT_WORDS):
            drawn = k * DRAWS_PER_WORD
            draws = min(count - drawn, DRAWS_PER_WORD)
            draw_to_front(table, lane, drawn, BOAT_CARDS, draws, words[k * LANES + lane])


@part
def deal_decks(table, random):
    """Shuffle every seat's deck; two seats share an address, a word each."""
    words = offset_cells(random, WORDS)
    for seat in range(table[at.SEATS]):
        if seat & 1 == 0:
            draw_words(table, ANIMAL_DECK, seat >> 1, 0, words, offset_cells(words, LANES))
        mine = offset_cells(words, LANES * (seat & 1))
        deck = offset_cells(table, at.DECK + seat * LANES)
        for lane in range(table[at.GAMES]):
            deck[lane] = shuffled_deck(mine[lane])


@part
def open_streams(table, random):
    """Open every seat's strategy stream and draw a word for each of its rounds.

    Draws 0 and 1 of the stream are the words of the four rounds; a strategy that needs more goes on
    with draw 2.
    """
    for seat in range(table[at.SEATS]):
        for round_ in range(0, ROUNDS, 2):
            words = offset_cells(random, TURN_WORDS + (round_ * MAX_SEATS + seat) * LANES)
            spares = offset_cells(words, MAX_SEATS * LANES)
            draw_words(table, STRATEGY, seat, round_ >> 1, words, spares)
        seed = np.uint64(table[at.SEED])
        none = np.uint64(0)
        address = address_of(STRATEGY, seat)
        streams = offset_cells(random, STREAMS + seat * LANES * STREAM_CELLS)
        for lane in range(table[at.GAMES]):
            stream = lane_stream(streams, lane, LANES)
            open_stream(stream, seed, table[at.GAME + lane], address, none, none)
            stream[S_DRAW] = np.uint64(ROUNDS // 2)
            stream[S_HAS_SPARE] = none


@part
def refresh_streams(table, random, round_):
    """Give every strategy stream its word of the round."""
    for seat in range(table[at.SEATS]):
        words = offset_cells(random, TURN_WORDS + (round_ * MAX_SEATS + seat) * LANES)
        streams = offset_cells(random, STREAMS + seat * LANES * STREAM_CELLS)
        for lane in range(table[at.GAMES]):
            refresh_stream(lane_stream(streams, lane, LANES), words[lane])


@part
def start_of(seed, game, seats):
    """Draw a game's start player at random."""
    word, _ = words_at(seed, game, START_PLAYER, 0, 0)
    start, _ = take(deal_fraction(word), seats)
    return start
