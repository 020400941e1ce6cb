"""Strategies that both boat games share, and what their strategies know in common."""

from __future__ import annotations

from kernels.bits import popcount
from kernels.boats import view as see
from kernels.boats.cards import ALL_CARDS, FIRST_SEATS, card_of, seat_cards
from kernels.jit import inlined, part
from kernels.rng import next_below, next_bits


@see.DOOR.strategy
def random(view, legal, stream):
    """Play a move drawn uniformly from the legal ones."""
    # Three plies share a word: at most (3 * 5 * 2)**3 < 2**15, a bias below 2**-35.
    slot = next_below(stream, view[see.HAND_SIZE_NOW])
    boat = see.nth_open_boat(view, next_below(stream, popcount(view[see.OPEN_BOATS])))
    # With one legal face nothing is drawn.
    faces = view[see.FACES]
    face = next_bits(stream, faces == see.BOTH_FACES) | (faces == see.ONLY_DOWN)
    return see.move_of(slot, boat, face)


WORST = -(1 << 60)
#: More than any room on a boat: what separates the first criterion of a score from the second.
NEXT_CRITERION = 1 << 16
#: What simple strategies take an unknown animal for: the average of the cards, rounded down.
UNKNOWN_KILOS = 5
#: One, for averages: large enough that rounding them decides nothing.
AVERAGE_UNIT = 1 << 20
#: One, for chances.
SURE = 60


@inlined
def flat_chance(excess, spread):
    """Return the chance, in SURE parts, that something exceeds 0.

    It is spread evenly over ``excess - spread`` to ``excess + spread``.
    """
    return SURE * min(max(excess + spread, 0), 2 * spread) // (2 * spread)


@inlined
def played_card(view, move):
    """Return the card that a move plays."""
    return card_of(see.hand_card(view, see.move_slot(move)), view[see.SEAT])


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


@part
def unseen_cards(view):
    """Return the cards of the other seats that were not seen yet: in decks, in hands, face down."""
    seen = view[see.SAVED] | view[see.GONE] | seat_cards(view[see.SEAT])
    for boat in range(view[see.PLAYERS]):
        seen |= view[see.SEEN + boat]
    players = (1 << view[see.PLAYERS]) - 1
    return FIRST_SEATS * players & ALL_CARDS & ~seen
