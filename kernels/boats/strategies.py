"""Strategies that both boat games share, and what their strategies know in common."""

from __future__ import annotations

from kernels.abi import lane_strategy
from kernels.bits import popcount
from kernels.boats import view as see
from kernels.boats.cards import ALL_CARDS, FIRST_SEATS, seat_cards
from kernels.jit import compiled, inlined
from kernels.rng import next_below, next_bits


@lane_strategy
def random(view, legal, stream):
    """Play a move drawn uniformly from the legal ones."""
    # Three plies share a word: at most (3 * 5 * 2)**3 < 2**15, a bias below 2**-35.
    slot = next_below(stream, view[see.HAND_SIZE_NOW])
    boat = see.nth_open_boat(view, next_below(stream, popcount(view[see.OPEN_BOATS])))
    # With one legal face nothing is drawn.
    faces = view[see.FACES]
    face = next_bits(stream, faces == see.BOTH_FACES) | (faces == see.ONLY_DOWN)
    return see.move_of(slot, boat, face)


@inlined
def known_aboard(view, boat):
    """Return the animals that the seat knows on a boat: face up, and its own face-down one."""
    known = view[see.SEEN + boat]
    down = view[see.DOWN]
    if down != see.NOTHING_DOWN and see.down_boat(down) == boat:
        known |= 1 << see.down_card(down)
    return known


@inlined
def strangers(view, boat):
    """Return the mask of the other seats that have a face-down animal on a boat."""
    return view[see.HIDDEN + boat] & ~(1 << view[see.SEAT])


@compiled
def unseen_cards(view):
    """Return the cards of the other seats that were not seen yet: in decks, in hands, face down."""
    seen = view[see.SAVED] | view[see.GONE] | seat_cards(view[see.SEAT])
    for boat in range(view[see.PLAYERS]):
        seen |= view[see.SEEN + boat]
    players = (1 << view[see.PLAYERS]) - 1
    return FIRST_SEATS * players & ALL_CARDS & ~seen
