"""All Aboard!: what an animal may hope for on a boat, as tables for strategies.

A strategy cannot resolve a boat: it does not know all animals, and the rules need the live table. But
what becomes of an animal depends on its two companions, the capacity and little else, and so it is
worked out once, at import, for every ordered triple of species. The tables look at a boat by itself:
arrivals from the boat before are left out, and an animal that moves on to the next boat is taken to
be saved every second time. Of the rulings only ``effects`` and the end of the cupids are looked at;
most others cannot matter with three animals aboard, and strategies may err in the rest.

Rule numbers (AA-Axx) are those of docs/games/all-aboard.md.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import numpy as np

from kernels.boats.aa_rules import POINTS, WEIGHTS
from kernels.boats.cards import (
    BOAT_LIMIT,
    ELEPHANT,
    FOX,
    LION,
    MONKEY,
    MOUSE,
    OCTOPUS,
    PEACOCK,
    POINTS_PER_CUPID,
    SPECIES,
)
from kernels.jit import inlined

# An outcome is one word of fields: ``field(outcome, SAILS_SHIFT)`` and so on, HIGHEST in each.
SAILS_SHIFT = 0  # what the first animal of the triple is worth if the boat sails, in half points
SINKS_SHIFT = 4  # the same if it sinks
CUPID_SHIFT = 8  # the same for its cupid, 0 unless it is in love
REDRAWN_SHIFT = 12  # 1: a mouse replaces the boat's card by an unknown one
LOAD_SHIFT = 16  # kilos at the weighing plus LOAD_OFFSET; NEVER_SAILS after a fight
FIELD_MASK = 15
LOAD_OFFSET = 8
NEVER_SAILS = 1 << 20

HALVES = 2  # values are in half points: an animal adrift counts half its points
MAX_CAPACITY = 31  # any three animals sail from here on


def kilos_twice(species, in_love):
    """Return an animal's weight in half kilos (AA-A14)."""
    if species == MOUSE:
        return 1 if in_love else 0
    if species == PEACOCK:
        return 2 if in_love else -4
    return 2 * WEIGHTS[species]


def thrown_by_monkey(trio):
    """Return the place of whom a single monkey of a boat of three throws, or None (AA-A27)."""
    others = [place for place in range(BOAT_LIMIT) if trio[place] != MONKEY]
    if len(others) != 2 or trio[others[0]] == trio[others[1]]:
        return None
    return min(others, key=lambda place: kilos_twice(trio[place], False))


def eaten_by_lion(trio, aboard, loved):
    """Return the place of whom a single lion eats, or None (AA-A31)."""
    prey = [place for place in aboard if trio[place] < LION]
    if not prey:
        return None
    heaviest = max(prey, key=lambda place: kilos_twice(trio[place], place in loved))
    return None if heaviest in loved else heaviest


def foresee(trio, effects, last):
    """Foresee what becomes of the first of three animals on one boat.

    Parameters
    ----------
    trio : tuple of 3 int
        Species.
    effects : bool
        False: the children's variant.
    last : bool
        True: nobody can move on from this boat.

    Returns
    -------
    load, sails, sinks, cupid, redrawn : int
        What the fields of an outcome hold.
    """
    worth = HALVES * POINTS[trio[0]]
    adrift = 0 if last else worth // 2
    if trio[0] == trio[1] == trio[2]:
        return NEVER_SAILS, 0, worth if trio[0] == OCTOPUS else 0, 0, 0
    loved = [place for place in range(BOAT_LIMIT) if trio.count(trio[place]) == 2]
    single = {trio[place]: place for place in range(BOAT_LIMIT) if place not in loved}
    aboard = [0, 1, 2]
    thrown = eaten = None
    redrawn = effects and MOUSE in single and ELEPHANT in single
    if effects and MONKEY in single:
        thrown = thrown_by_monkey(trio)
        if thrown is not None:
            aboard.remove(thrown)
    if effects and LION in single and single[LION] in aboard:
        eaten = eaten_by_lion(trio, aboard, loved)
        if eaten is not None:
            aboard.remove(eaten)
    load = sum(kilos_twice(trio[place], place in loved) for place in aboard) // 2  # always whole
    sails, sinks = worth, 0
    if thrown == 0:
        sails = sinks = adrift
    elif eaten == 0:
        sails = 0
    elif effects and 0 not in loved and trio[0] == OCTOPUS:
        sails, sinks = 0, worth
    elif effects and 0 not in loved and trio[0] == FOX:
        sinks = adrift
    cupid = HALVES * POINTS_PER_CUPID if 0 in loved else 0
    return load, sails, sinks, cupid, int(redrawn)


def all_outcomes():
    """Foresee every triple of species, each as one word.

    Returns
    -------
    int64 array, shape (2, 2, SPECIES, SPECIES, SPECIES)
        Axes: effects (0 on, 1 off, as the ruling), last boat (0 no, 1 yes), the animal, its companions.
    """
    table = np.zeros((2, 2, SPECIES, SPECIES, SPECIES), dtype=np.int64)
    companions = list(combinations_with_replacement(range(SPECIES), BOAT_LIMIT - 1))
    for off, last, first in product(range(2), range(2), range(SPECIES)):
        for second, third in companions:
            load, sails, sinks, cupid, redrawn = foresee((first, second, third), not off, last)
            table[off, last, first, second, third] = table[off, last, first, third, second] = (
                (load + LOAD_OFFSET) << LOAD_SHIFT
                | redrawn << REDRAWN_SHIFT
                | cupid << CUPID_SHIFT
                | sinks << SINKS_SHIFT
                | sails << SAILS_SHIFT
            )
    return table


def average_over_companions(outcomes):
    """Average every animal's value over all pairs of companions.

    A boat whose card is drawn anew is taken to be as large as the one it replaces.

    Returns
    -------
    int64 array, shape (2, 2, SPECIES, MAX_CAPACITY + 1)
        Half points times SPECIES**2, by effects, last boat, the animal and the capacity.
    """
    words = outcomes[..., np.newaxis]
    sails, sinks, cupid = (
        words >> shift & FIELD_MASK for shift in (SAILS_SHIFT, SINKS_SHIFT, CUPID_SHIFT)
    )
    load = (words >> LOAD_SHIFT) - LOAD_OFFSET
    holds = load <= np.arange(MAX_CAPACITY + 1)
    return (np.where(holds, sails, sinks) + cupid).sum(axis=(3, 4))


_OUTCOMES = all_outcomes()
#: Flat, so that a kernel indexes it without strides: see `outcome` and `prospect`.
OUTCOMES = _OUTCOMES.ravel()
PROSPECTS = average_over_companions(_OUTCOMES).ravel()


@inlined
def animal_row(effects, last, species):
    """Return the number of an animal's row in both tables (`effects` as the ruling's value)."""
    return (effects * 2 + last) * SPECIES + species


@inlined
def outcome(row, companion, other):
    """Return the outcome word of the animal of a row among two companions."""
    return OUTCOMES[(row * SPECIES + companion) * SPECIES + other]


@inlined
def prospect(row, capacity):
    """Return the value of the animal of a row among companions of whom nothing is known.

    Returns
    -------
    int64
        Half points times SPECIES**2.
    """
    return PROSPECTS[row * (MAX_CAPACITY + 1) + min(max(capacity, 0), MAX_CAPACITY)]


@inlined
def field(outcome_word, shift):
    """Return a small field of an outcome word."""
    return outcome_word >> shift & FIELD_MASK


@inlined
def foreseen_load(outcome_word):
    """Return the kilos at the weighing of an outcome word."""
    return (outcome_word >> LOAD_SHIFT) - LOAD_OFFSET
