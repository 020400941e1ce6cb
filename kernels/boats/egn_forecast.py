"""Einer geht noch!: what an animal may hope for on a boat, as tables for strategies.

A strategy cannot resolve a boat: it does not know all animals, and the rules need the live table. But
what becomes of an animal depends on its two companions, the tile and little else, and so it is worked
out once, at import, for every ordered triple of species. The tables look at a boat by itself, under
the default rulings: arrivals from the boat before are left out, and an animal that moves on to the
next boat is taken to be saved every second time.

Rule numbers (EGN-Axx) are those of docs/games/einer-geht-noch.md.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import numpy as np

from kernels.boats.cards import (
    BOAT_LIMIT,
    ELEPHANT,
    FOX,
    LION,
    MONKEY,
    MOUSE,
    PEACOCK,
    POINTS_PER_CUPID,
    SPECIES,
    SQUID,
)
from kernels.boats.egn_setup import DEFAULT_PEACOCK_WEIGHT
from kernels.boats.egn_weights import SCORE_UNIT, WEIGHTS
from kernels.jit import inlined

#: Kilos and points of every animal under the default rulings.
PRINTED = tuple(
    DEFAULT_PEACOCK_WEIGHT if species == PEACOCK else weight
    for species, weight in enumerate(WEIGHTS)
)

# An outcome is one word of fields, see `field`; values are half points of the first animal.
FIELD_BITS = 6
FIELD_MASK = (1 << FIELD_BITS) - 1
HOLD_LOAD = 0  # kilos before the actions: a tile of as much holds everybody
HOLD_VALUE = 1 * FIELD_BITS  # what the animal is worth then
LOAD = 2 * FIELD_BITS  # kilos that remain of an overloaded boat after the actions
SAIL_VALUE = 3 * FIELD_BITS  # what it is worth if those sail
SINK_VALUE = 4 * FIELD_BITS  # and if they capsize
CUPID_VALUE = 5 * FIELD_BITS  # for its cupid, 0 unless it is in love
REDRAWN = 6 * FIELD_BITS  # 1: a mouse replaces the tile by an unknown one

MAX_CAPACITY = 31  # any three animals sail from here on


def kilos(trio, aboard, loved):
    """Weigh the animals at some places; two loving mice weigh 1 (EGN-A35)."""
    loving_mice = sum(trio[place] == MOUSE and place in loved for place in aboard)
    return sum(PRINTED[trio[place]] for place in aboard) + loving_mice // 2


def by_weight(trio, places, loved):
    """Sort places by the weight of their animals, the heaviest first."""
    return sorted(
        places, key=lambda place: PRINTED[trio[place]] + (place in loved) / 2, reverse=True
    )


def sent_by_fox(trio, single):
    """Return the place of whom the fox of an overloaded boat sends on (EGN-A23)."""
    return single.get(PEACOCK, by_weight(trio, single.values(), ())[0])


def thrown_by_monkey(trio, single):
    """Return the place of whom a monkey among three throws (EGN-A23, A26)."""
    if PEACOCK in single:
        return by_weight(trio, [place for place in single.values() if trio[place] != PEACOCK], ())[
            0
        ]
    others = [place for place in single.values() if trio[place] != MONKEY]
    return by_weight(trio, others, ())[1]


def eaten_by_lion(trio, aboard, loved):
    """Return the place of whom a single lion eats, or None (EGN-A29, A30)."""
    prey = by_weight(trio, [place for place in aboard if trio[place] < LION], loved)
    return prey[0] if prey and prey[0] not in loved else None


def actions(trio, loved, overloaded):
    """Let the animals of a boat of three act.

    Returns
    -------
    aboard : list of int
        The places of those who remain.
    moved : int or None
        The place of whom fox or monkey send on.
    """
    places = range(BOAT_LIMIT)
    aboard = list(places)
    single = {trio[place]: place for place in places if place not in loved}
    moved = None
    if not loved and FOX in single:
        if overloaded:
            moved = sent_by_fox(trio, single)
        aboard.remove(single[FOX] if moved is None else moved)
    elif not loved and MONKEY in single:
        moved = thrown_by_monkey(trio, single)
        aboard.remove(moved)
    if single.get(LION) in aboard:
        eaten = eaten_by_lion(trio, aboard, loved)
        if eaten is not None:
            aboard.remove(eaten)
    return aboard, moved


def value_of_first(trio, aboard, moved, last, sails):
    """Return the half points that the first animal of three brings."""
    worth = SCORE_UNIT * PRINTED[trio[0]]
    swims = trio[0] == SQUID
    if moved == 0:
        return (worth if swims else 0) if last else worth // 2
    return worth if 0 in aboard and swims != sails else 0


def foresee(trio, last):
    """Foresee what becomes of the first of three animals on one boat.

    Parameters
    ----------
    trio : tuple of 3 int
        Species.
    last : bool
        True: nobody can move on from this boat.

    Returns
    -------
    dict
        Field: value.
    """
    if trio[0] == trio[1] == trio[2]:
        swum = SCORE_UNIT * PRINTED[SQUID] if trio[0] == SQUID else 0
        return {HOLD_LOAD: 0, HOLD_VALUE: swum}
    loved = [place for place in range(BOAT_LIMIT) if trio.count(trio[place]) == 2]
    staying, moved = actions(trio, loved, False)
    left, sent = actions(trio, loved, True)
    mice = trio.count(MOUSE) == trio.count(ELEPHANT) == 1
    return {
        HOLD_LOAD: kilos(trio, range(BOAT_LIMIT), loved),
        HOLD_VALUE: value_of_first(trio, staying, moved, last, True),
        LOAD: kilos(trio, left, loved),
        SAIL_VALUE: value_of_first(trio, left, sent, last, True),
        SINK_VALUE: value_of_first(trio, left, sent, last, False),
        CUPID_VALUE: SCORE_UNIT * POINTS_PER_CUPID * (0 in loved),
        REDRAWN: mice,
    }


def all_outcomes():
    """Foresee every triple of species, each as one word.

    Returns
    -------
    int64 array, shape (2, SPECIES, SPECIES, SPECIES)
        Axes: last boat (0 no, 1 yes), the animal, its companions.
    """
    table = np.zeros((2, SPECIES, SPECIES, SPECIES), dtype=np.int64)
    companions = list(combinations_with_replacement(range(SPECIES), BOAT_LIMIT - 1))
    for last, first in product(range(2), range(SPECIES)):
        for second, third in companions:
            fields = foresee((first, second, third), last)
            word = sum(int(value) << shift for shift, value in fields.items())
            table[last, first, second, third] = table[last, first, third, second] = word
    return table


def average_over_companions(outcomes):
    """Average every animal's value over all pairs of companions.

    A boat whose tile is drawn anew is taken to be as large as before.

    Returns
    -------
    int64 array, shape (2, SPECIES, MAX_CAPACITY + 1)
        Half points times SPECIES**2, by last boat, the animal and the tile.
    """
    words = outcomes[..., np.newaxis]
    names = (HOLD_LOAD, HOLD_VALUE, LOAD, SAIL_VALUE, SINK_VALUE, CUPID_VALUE)
    hold_load, hold, load, sail, sink, cupid = (words >> shift & FIELD_MASK for shift in names)
    tile = np.arange(MAX_CAPACITY + 1)
    value = np.where(hold_load <= tile, hold, np.where(load <= tile, sail, sink))
    return (value + cupid).sum(axis=(2, 3))


_OUTCOMES = all_outcomes()
#: Flat, so that a kernel indexes it without strides: see `outcome` and `prospect`.
OUTCOMES = _OUTCOMES.ravel()
PROSPECTS = average_over_companions(_OUTCOMES).ravel()


@inlined
def animal_row(last, species):
    """Return the number of an animal's row in both tables."""
    return last * SPECIES + species


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
    """Return a field of an outcome word."""
    return outcome_word >> shift & FIELD_MASK


@inlined
def value_at(outcome_word, capacity):
    """Return what an outcome is worth under a tile, its cupid left out, in half points."""
    if field(outcome_word, HOLD_LOAD) <= capacity:
        return field(outcome_word, HOLD_VALUE)
    if field(outcome_word, LOAD) <= capacity:
        return field(outcome_word, SAIL_VALUE)
    return field(outcome_word, SINK_VALUE)
