"""What a strategy of a boat game sees: the cells of its view, and its legal moves.

The view is a read-only int64 array of its own, filled with what the acting seat may know and nothing
else. docs/strategies.md lists the cells; the names below are meant to be imported by user strategies.
"""

from __future__ import annotations

import numpy as np

from kernels.abi import Door
from kernels.bits import lowest_bit_index, popcount
from kernels.boats.cards import (
    BOAT_CARDS,
    BOAT_LIMIT,
    HAND_SIZE,
    MAX_SEATS,
    NIBBLE,
    NIBBLE_MASK,
    seat_cards,
)
from kernels.boats.table import LANES
from kernels.jit import inlined, part

# Cells that change with every turn.
SEAT = 0  # the acting seat
PLY = 1  # 0..2
HAND_SIZE_NOW = 2  # cards in hand
HAND = 3  # hand word: `hand_card(view, slot)`
OPEN_BOATS = 4  # bit per boat that takes another animal
FACES = 5  # bit 0: face up is legal, bit 1: face down
ABOARD = 6  # animals on every boat: `animals_aboard(view, boat)`
DOWN = 7  # own face-down card of this round: `down_boat`, `down_card`; NOTHING_DOWN without one
# Cells that change with every round.
ROUND = 8  # 0..3
START = 9  # seat that starts the round
CUPIDS_LEFT = 10  # cupid cards in the stack
SAVED = 11  # set of all saved cards
GONE = 12  # set of all cards out of the game, not saved
# Cells that never change.
PLAYERS = 13
CAPACITY = 14  # per boat
SEEN = CAPACITY + MAX_SEATS  # per boat: set of the face-up cards
HIDDEN = SEEN + MAX_SEATS  # per boat: bit per seat with a face-down card there
CUPIDS = HIDDEN + MAX_SEATS  # per seat
SCORE = CUPIDS + MAX_SEATS  # per seat: points so far, cupids included
RULING = SCORE + MAX_SEATS  # the setup array's rulings (kernels.boats.aa_setup, egn_setup)
RULINGS = 24
TILES = RULING + RULINGS  # the thirty capacities of the game, not in order of play
VIEW_CELLS = TILES + BOAT_CARDS

DOOR = Door(LANES, VIEW_CELLS)

# A move is ``face * 32 + slot * 8 + boat``, and a legal set has bit `move` set for each legal move.
BOAT_FIELD = 7
SLOT_SHIFT = 3
SLOT_FIELD = 3
FACE_SHIFT = 5
DOWN_FACE = 1
SLOT_STRIDE = 1 << SLOT_SHIFT
FACE_STRIDE = 1 << FACE_SHIFT


NOTHING_DOWN = -1


@inlined
def down_of(boat, card):
    """Pack a face-down card and its boat."""
    return boat << 8 | card


@inlined
def down_boat(down):
    """Return the boat of a packed face-down card."""
    return down >> 8


@inlined
def down_card(down):
    """Return the card of a packed face-down card."""
    return down & 255


ONLY_DOWN = 2  # FACES when no animal may be boarded face up
BOTH_FACES = 3

# ABOARD holds the boats' counts as two bit planes: bit `boat` is the count's low bit, bit
# ``boat + TWOS_SHIFT`` its high bit. A boat with both is full.
TWOS_SHIFT = 8
assert BOAT_LIMIT == 3


@inlined
def animals_aboard(view, boat):
    """Return how many animals have boarded a boat, face-down ones included."""
    return count_of(view[ABOARD], boat)


@inlined
def count_of(aboard, boat):
    """Return a boat's count from ABOARD's bit planes."""
    return (aboard >> boat & 1) + 2 * (aboard >> boat + TWOS_SHIFT & 1)


@inlined
def with_one_more(aboard, boat):
    """Return ABOARD's counts with one more animal on a boat that is not full."""
    one = 1 << boat
    carry = aboard & one
    return aboard ^ one ^ carry << TWOS_SHIFT


@inlined
def open_boats(aboard, boats):
    """Return the mask of the boats that take another animal."""
    return ~(aboard & aboard >> TWOS_SHIFT) & ((1 << boats) - 1)


@inlined
def hand_card(view, slot):
    """Return the species of the card in a hand slot."""
    return view[HAND] >> slot * NIBBLE & NIBBLE_MASK


@inlined
def move_of(slot, boat, face):
    """Return the number of a move: hand slot, boat, face (0 up, 1 down)."""
    return face << FACE_SHIFT | slot << SLOT_SHIFT | boat


@inlined
def move_slot(move):
    """Return the hand slot that a move plays."""
    return move >> SLOT_SHIFT & SLOT_FIELD


@inlined
def move_boat(move):
    """Return the boat that a move plays to."""
    return move & BOAT_FIELD


@inlined
def move_face(move):
    """Return the face of a move: 0 up, 1 down."""
    return move >> FACE_SHIFT


@inlined
def moves_in(legal):
    """Return how many moves a legal set holds."""
    return popcount(legal)


LAST_MOVE = (DOWN_FACE << FACE_SHIFT) + ((HAND_SIZE - 1) << SLOT_SHIFT) + MAX_SEATS - 1

#: NTH_OPEN[8 * mask + n]: the boat of an open-boats mask that has `n` open boats to its left.
NTH_OPEN = np.array(
    [
        ([boat for boat in range(MAX_SEATS) if mask >> boat & 1] + [0] * 8)[n]
        for mask in range(1 << MAX_SEATS)
        for n in range(8)
    ],
    dtype=np.int64,
)


@inlined
def nth_open_boat(view, n):
    """Return the open boat that has `n` open boats to its left."""
    return NTH_OPEN[np.uint64(view[OPEN_BOATS] << 3 | n)]


@inlined
def is_legal(legal, move):
    """Tell whether a move is in a legal set."""
    return (move >= 0) & (move <= LAST_MOVE) & (legal >> (move & 63) & 1)


@inlined
def first_move(legal):
    """Return the lowest move of a non-empty legal set."""
    return lowest_bit_index(legal)


@inlined
def rest_of_moves(legal):
    """Return the legal set without its lowest move; loop while it is not 0."""
    return legal & (legal - 1)


@inlined
def legal_set(open_boats, hand_size, faces):
    """Build the set of legal moves, bit `move` for each (all slots, all open boats, legal faces)."""
    one_card = open_boats | open_boats << SLOT_STRIDE | open_boats << 2 * SLOT_STRIDE
    per_face = one_card & ((1 << (hand_size << SLOT_SHIFT)) - 1)
    return per_face & -(faces & 1) | (per_face & -(faces >> 1)) << FACE_STRIDE


@part
def own_deck(view):
    """Return the set of the seat's own cards that are still in its draw deck (their order is unknown)."""
    seat = view[SEAT]
    known = view[SAVED] | view[GONE]
    for boat in range(view[PLAYERS]):
        known |= view[SEEN + boat]
    if view[DOWN] != NOTHING_DOWN:
        known |= 1 << down_card(view[DOWN])
    for slot in range(view[HAND_SIZE_NOW]):
        known |= 1 << (hand_card(view, slot) * MAX_SEATS + seat)
    return seat_cards(seat) & ~known
