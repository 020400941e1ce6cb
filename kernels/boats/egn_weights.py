"""Einer geht noch!: what animals weigh, and which is the heaviest.

Rule numbers (EGN-Axx) are those of docs/games/einer-geht-noch.md.
"""

from __future__ import annotations

from kernels.bits import popcount
from kernels.boats.cards import (
    MICE,
    MONKEY,
    MOUSE,
    PEACOCK,
    PEACOCKS,
    SEAT_STRIDE,
    SPECIES_BITS,
    bit_planes,
    highest_card,
    same_species,
    sum_planes,
)
from kernels.boats.egn_setup import DEFAULT_PEACOCK_WEIGHT
from kernels.jit import inlined, part

#: Scores are counted in half points, so that a loving mouse's (EGN-A36) stays a whole number.
SCORE_UNIT = 2
#: Kilos, and points, of every animal; the peacock's are a ruling (EGN-A03).
WEIGHTS = (0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
WEIGHT_PLANES = bit_planes(WEIGHTS)
FROM_MONKEY_UP = 1 << MONKEY * SEAT_STRIDE


@inlined
def add_weights(cards, peacock):
    """Add up the printed weights of a set of cards; a peacock weighs `peacock`."""
    return sum_planes(cards, WEIGHT_PLANES) + peacock * popcount(cards & PEACOCKS)


@inlined
def weigh(cards, loved, peacock):
    """Weigh a set of animals in kilos; two loving mice weigh 1 together (EGN-A35).

    Lovers never leave their boat alone, so the sum is whole.
    """
    return add_weights(cards, peacock) + (popcount(cards & MICE & loved) >> 1)


@inlined
def heaviest_group(cards, loved, peacock):
    """Return the cards of the greatest weight in a non-empty set: one species, or a tie of some.

    Loving mice outweigh single ones. Where the peacock weighs 1 the species are in order of weight.
    """
    group = cards & same_species(highest_card(cards))
    if peacock == DEFAULT_PEACOCK_WEIGHT or group >= FROM_MONKEY_UP:
        loving_mice = group & loved & MICE
        return loving_mice if loving_mice else group
    return _heaviest_light_group(cards, loved, peacock)


@part
def _heaviest_light_group(cards, loved, peacock):
    """Do the same for mice, peacocks, foxes and squids, whose order the peacock's weight decides."""
    greatest = -1
    group = 0
    for species in range(MONKEY):
        kind = cards & (SPECIES_BITS << species * SEAT_STRIDE)
        half_kilos = 2 * (peacock if species == PEACOCK else WEIGHTS[species])
        if species == MOUSE and kind & loved:
            kind &= loved
            half_kilos = 1
        if kind == 0 or half_kilos < greatest:
            continue
        group = kind if half_kilos > greatest else group | kind
        greatest = half_kilos
    return group


@inlined
def card_points(cards, loved, peacock, mouse):
    """Add up the score of harboured cards in half points.

    Parameters
    ----------
    mouse : int64
        Half points of a loving mouse (EGN-A36).
    """
    return SCORE_UNIT * add_weights(cards, peacock) + mouse * popcount(cards & MICE & loved)
