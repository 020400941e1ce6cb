"""How the two boat games pack cards: one word for a set of animals, one for a deck.

A *card* is the number ``SEAT_STRIDE * species + seat``. Every card exists once, so a set of cards is a
word with bit ``card`` set: 60 bits, never negative. Species are numbered from the lightest, so the
heaviest animal of a set is its highest bit; a pair, a trio or a weight is a mask and a bit count.

A *deck* is a word of nibbles, the next card lowest, each nibble a species; the hand is its low nibbles
and the card drawn after a play slides into the hand by itself.

docs/encoding.md explains this at length.
"""

from __future__ import annotations

import numpy as np

from kernels.bits import bit_length, popcount
from kernels.jit import inlined
from kernels.rng import deal_fraction, take

SPECIES = 12
MAX_SEATS = 5
SEAT_STRIDE = MAX_SEATS
CARDS = SPECIES * SEAT_STRIDE
HAND_SIZE = 3
BOAT_LIMIT = 3  # animals that may board a boat; arrivals ignore it
ROUNDS = 4
PLIES = 3
BOAT_CARDS = 30
CUPID_CARDS = 20
POINTS_PER_CUPID = 2

(
    MOUSE,
    PEACOCK,
    FOX,
    SQUID,
    MONKEY,
    SLOTH,
    DEER,
    ZEBRA,
    GIRAFFE,
    LION,
    BEAR,
    ELEPHANT,
) = range(SPECIES)
OCTOPUS = SQUID  # the same card under All Aboard!'s name

NIBBLE = 4
NIBBLE_MASK = 15
SPECIES_BITS = (1 << SEAT_STRIDE) - 1
#: Lowest bit of every species' field.
FIRST_SEATS = sum(1 << SEAT_STRIDE * species for species in range(SPECIES))
ALL_CARDS = (1 << CARDS) - 1


def species_mask(*species):
    """Return the word of all cards of the given species."""
    return sum(SPECIES_BITS << SEAT_STRIDE * one for one in species)


MICE = species_mask(MOUSE)
PEACOCKS = species_mask(PEACOCK)
FOXES = species_mask(FOX)
SQUIDS = OCTOPUSES = species_mask(SQUID)
MONKEYS = species_mask(MONKEY)
LIONS = species_mask(LION)
ELEPHANTS = species_mask(ELEPHANT)
LIGHTER_THAN_A_LION = (1 << LION * SEAT_STRIDE) - 1


def bit_planes(values):
    """Write per-species values as binary digits over the card word.

    Parameters
    ----------
    values : sequence of 12 int
        Non-negative, below 16.

    Returns
    -------
    tuple of 4 int
        Plane `k` holds the cards whose value has bit `k`; see `weigh_planes`.
    """
    return tuple(
        species_mask(*(one for one, value in enumerate(values) if value >> k & 1)) for k in range(4)
    )


@inlined
def sum_planes(cards, planes):
    """Add up a per-species value over a set of cards (`planes` from `bit_planes`)."""
    return (
        popcount(cards & planes[0])
        + 2 * popcount(cards & planes[1])
        + 4 * popcount(cards & planes[2])
        + 8 * popcount(cards & planes[3])
    )


@inlined
def seat_cards(seat):
    """Return the word of all twelve cards of a seat."""
    return FIRST_SEATS << seat


@inlined
def card_of(species, seat):
    """Return a card's number."""
    return species * SEAT_STRIDE + seat


@inlined
def species_of(card):
    """Return a card's species, 0..11 from the lightest."""
    return np.int64(np.uint64(card) // np.uint64(SEAT_STRIDE))


@inlined
def seat_of(card):
    """Return a card's owner."""
    return np.int64(np.uint64(card) % np.uint64(SEAT_STRIDE))


@inlined
def same_species(card_bit_index):
    """Return the word of all cards of that card's species."""
    return SPECIES_BITS << (species_of(card_bit_index) * SEAT_STRIDE)


@inlined
def highest_card(cards):
    """Return the highest card of a non-empty set."""
    return bit_length(cards) - 1


@inlined
def count_at_least(cards, k):
    """Mark the species that have at least `k` (1, 2 or 3) cards in a set.

    Returns
    -------
    int64
        For each such species the lowest bit of its field.
    """
    # A running "ones, twos, threes" count over the five seats' bits, all species side by side.
    one = cards & FIRST_SEATS
    two = 0
    three = 0
    for seat in range(1, SEAT_STRIDE):
        bit = cards >> seat & FIRST_SEATS
        three |= two & bit
        two |= one & bit
        one |= bit
    if k == 1:
        return one
    return two if k == 2 else three


@inlined
def whole_fields(first_seats):
    """Widen marks of `count_at_least` to all cards of the marked species."""
    return first_seats * SPECIES_BITS


@inlined
def shuffled_deck(word):
    """Shuffle the twelve species into a deck word with one random word.

    Each species is inserted at a uniform place among those before it. The bounds multiply to
    12! < 2**29, so the bias is below 2**-28 (see `kernels.rng`).
    """
    fraction = deal_fraction(word)
    deck = 0
    for species in range(SPECIES):
        place, fraction = take(fraction, species + 1)
        shift = place * NIBBLE
        below = deck & ((1 << shift) - 1)
        deck = below | species << shift | (deck ^ below) << NIBBLE
    return deck


@inlined
def deck_card(deck, slot):
    """Return the species at a slot of a deck or hand word."""
    return deck >> slot * NIBBLE & NIBBLE_MASK


@inlined
def remove_from_deck(deck, slot):
    """Take the card at `slot` out; every later card moves one slot down."""
    below = (1 << slot * NIBBLE) - 1
    return deck & below | deck >> NIBBLE & ~below
