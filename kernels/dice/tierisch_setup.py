"""Einfach tierisch: the setup array (players, rulings, die, optional tables) that its kernel reads."""

from __future__ import annotations

from functools import reduce
from itertools import product
from math import gcd

import numpy as np

from kernels.abi import MAX_SEATS
from kernels.dice.multisets import ANIMALS, DIGIT, GROUP, NO_DIE, SYMBOLS

PLAYERS = 0
BOX_CAP = 1
CAP_CHOICE = 2
VP_COLUMNS = 3
SIMULTANEOUS_WIN = 4
DEAL = 5  # the ruling `animals`
START_PLAYER = 6
RULINGS_END = 7
FACES = 7  # number of faces of the die, after what all symbols have in common is divided out
TIMES = 8  # per symbol: faces that show it
FIXED_ANIMAL = TIMES + SYMBOLS  # per seat: its animal under `animals=fixed`
# Two and three dice at once: the number of equally likely results, and where they begin here.
PAIR_RESULTS = FIXED_ANIMAL + MAX_SEATS
PAIRS = PAIR_RESULTS + 1
TRIPLE_RESULTS = PAIRS + 1
TRIPLES = TRIPLE_RESULTS + 1
# Where optional tables begin in this array (0: there is none) and how many cells they have.
POLICIES = TRIPLES + 1  # kernels.dice.policies
POLICY_CELLS = POLICIES + 1
WINS = POLICY_CELLS + 1  # kernels.dice.solve
WIN_CELLS = WINS + 1
HEAD_CELLS = WIN_CELLS + 1

# Values of the rulings, in the order of the registry.
CAP_THREE, CAP_NONE = 0, 1
POLICY, FULLEST_FIRST = 0, 1
ANY_OTHER_ANIMAL, OWNED_ONLY = 0, 1
SHARED, ACTIVE_FIRST = 0, 1
DEAL_RANDOM, DEAL_FIXED = 0, 1
SEAT0, RANDOM_START = 0, 1

#: The plain die: every symbol once (ET-A01).
PLAIN_DIE = tuple(range(SYMBOLS))
#: The largest die.
MAX_FACES = 20

_GROUP_OF_NONE = sum(NO_DIE << DIGIT * die for die in range(GROUP))


def _group(faces):
    """Return the octal digits of up to three dice, missing ones marked."""
    digits = _GROUP_OF_NONE
    for die, symbol in enumerate(faces):
        digits += (symbol - NO_DIE) << DIGIT * die
    return digits


def reduced_die(faces):
    """Return a die of the same law with as few faces as possible, its symbols in order."""
    times = [list(faces).count(symbol) for symbol in range(SYMBOLS)]
    common = max(reduce(gcd, times), 1)
    return [symbol for symbol in range(SYMBOLS) for _ in range(times[symbol] // common)]


def make_setup(players, rulings=None, die=PLAIN_DIE, animals=tuple(range(ANIMALS))):
    """Return a setup array without optional tables.

    Parameters
    ----------
    players : int
        2 to 5; at least 3 with ``vp_columns=owned_only`` (ET-A17).
    rulings : dict, optional
        Cell of this module (``BOX_CAP`` to ``START_PLAYER``) -> index of the value.
    die : sequence of int
        The symbols on a die, at most MAX_FACES after reduction.
    animals : sequence of int
        Each seat's animal under ``animals=fixed``.

    Returns
    -------
    int64 array
    """
    die = reduced_die(die)
    if not 0 < len(die) <= MAX_FACES:
        raise ValueError(f"A die has 1 to {MAX_FACES} faces, not {len(die)}.")
    pairs = [_group(faces) for faces in product(die, repeat=2)]
    triples = [_group(faces) for faces in product(die, repeat=GROUP)]
    setup = np.zeros(HEAD_CELLS, dtype=np.int64)
    setup[PLAYERS] = players
    for ruling, value in (rulings or {}).items():
        setup[ruling] = value
    setup[FACES] = len(die)
    for symbol in range(SYMBOLS):
        setup[TIMES + symbol] = die.count(symbol)
    setup[FIXED_ANIMAL : FIXED_ANIMAL + len(animals)] = animals
    setup[PAIR_RESULTS] = len(pairs)
    setup[PAIRS] = HEAD_CELLS
    setup[TRIPLE_RESULTS] = len(triples)
    setup[TRIPLES] = HEAD_CELLS + len(pairs)
    return np.concatenate([setup, np.array(pairs + triples, dtype=np.int64)])


def with_table(setup, cell, table):
    """Return a copy of a setup array with an optional table appended.

    Parameters
    ----------
    cell : int
        `POLICIES` or `WINS`.
    table : int64 array
    """
    longer = np.concatenate([setup, table])
    longer[cell] = len(setup)
    longer[cell + 1] = len(table)
    return longer
