"""The wind rose: any joint law of its two pointers, drawn in constant time.

A law is sixteen whole chances out of ROSE_UNIT, by ``left * SYMBOLS + right`` (GP-A16). A spin takes 32
random bits: the top four choose one of sixteen columns of equal width, the rest decide between the two
outcomes that share the column (the alias method; A. J. Walker, 1977, in M. D. Vose's form, 1991). The
arithmetic is exact, so every outcome has exactly its whole chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from kernels.jit import inlined
from kernels.plank import planke_setup as setup_
from kernels.plank.position import SYMBOLS
from kernels.rng import WIND_ROSE, address_of, stream_words

OUTCOMES = SYMBOLS * SYMBOLS
ROSE_BITS = 32
ROSE_UNIT = 1 << ROSE_BITS
COLUMN_BITS = 28  # of a spin's bits, those below the choice of the column
COLUMN_UNIT = 1 << COLUMN_BITS
SPINS_PER_DRAW = 4  # a draw is two words of 64 bits
DRAW_BITS = 3
DRAWS = 1 << DRAW_BITS  # drawn together, as one vector loop
SPINS = SPINS_PER_DRAW * DRAWS
WORD_CELLS = 2 * DRAWS

_HALF = np.uint64(ROSE_BITS)
_LOW_HALF = np.uint64(ROSE_UNIT - 1)


def rose_chances(law: Sequence[Fraction | float]) -> list[int]:
    """Round a law to whole chances out of ROSE_UNIT.

    Parameters
    ----------
    law
        Sixteen non-negative numbers, by ``left * SYMBOLS + right``; they are scaled to add up to 1.

    Returns
    -------
    list of int
        They add up to ROSE_UNIT. What is impossible stays impossible, what is possible is off by less
        than ``1 / ROSE_UNIT``.
    """
    exact = [Fraction(chance) for chance in law]
    total = sum(exact)
    exact = [chance * ROSE_UNIT / total for chance in exact]
    whole = [int(chance) for chance in exact]
    # The largest remainders are rounded up; an impossible outcome has none.
    order = sorted(range(OUTCOMES), key=lambda k: whole[k] - exact[k])
    for k in order[: ROSE_UNIT - sum(whole)]:
        whole[k] += 1
    return whole


def rose_cells(chances: Sequence[int]) -> list[int]:
    """Return a setup's cells from ROSE_CHANCE on: the chances and their alias table.

    Parameters
    ----------
    chances
        Sixteen whole chances that add up to ROSE_UNIT.
    """
    rest = [int(chance) for chance in chances]
    if len(rest) != OUTCOMES or min(rest) < 0 or sum(rest) != ROSE_UNIT:
        raise ValueError(f"A wind rose has {OUTCOMES} chances that add up to {ROSE_UNIT}.")
    keep = [COLUMN_UNIT] * OUTCOMES
    alias = list(range(OUTCOMES))
    small = [k for k in range(OUTCOMES) if rest[k] < COLUMN_UNIT]
    large = [k for k in range(OUTCOMES) if rest[k] > COLUMN_UNIT]
    while small:
        column = small.pop()
        giver = large[-1]
        keep[column] = rest[column]
        alias[column] = giver
        rest[giver] -= COLUMN_UNIT - rest[column]
        if rest[giver] <= COLUMN_UNIT:
            large.pop()
            if rest[giver] < COLUMN_UNIT:
                small.append(giver)
    return [*(int(chance) for chance in chances), *keep, *alias]


#: Two independent uniform symbols, the default.
UNIFORM = [COLUMN_UNIT] * OUTCOMES


@inlined
def draw_spins(words, seed, game, round_, turn, draws):
    """Draw the random words of turns ``turn .. turn + SPINS - 1`` of a round.

    Parameters
    ----------
    words : uint64 cells
        WORD_CELLS of them. Modified in place.
    turn : int64
        A multiple of SPINS.
    draws : int64
        DRAWS, from memory (`kernels.rng.stream_words`).
    """
    address = address_of(WIND_ROSE, round_)
    stream_words(seed, game, address, turn >> (DRAW_BITS + 2) << DRAW_BITS, draws, words)


@inlined
def spin(words, setup, turn):
    """Return ``left * SYMBOLS + right`` of a turn whose words are drawn."""
    place = turn & (SPINS - 1)
    word = words[place >> 2 | (place & 2) << (DRAW_BITS - 1)]
    bits = np.int64((word >> (_HALF * np.uint64(place & 1))) & _LOW_HALF)
    column = bits >> COLUMN_BITS
    if bits & (COLUMN_UNIT - 1) < setup[setup_.ROSE_KEEP + column]:
        return column
    return setup[setup_.ROSE_ALIAS + column]
