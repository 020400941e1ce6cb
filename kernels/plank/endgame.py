"""The endgame table: few pirates, two players, open colours, both playing their best.

A table holds, for every position of 2 to 5 pirates, the chance to win of the player who has just moved.
A pirate counts as that player's (MINE), the other one's (THEIRS) or nobody's (NEUTRAL). A survivor whom
nobody owns counts half: the round is void, which favours nobody. Under ``unowned_survivor=best_player``
the player who lasts longer wins, so a position is decided once one of the two has no pirate left.

A position's number is ``rank * 3**pirates + code``: `rank` numbers the sets of occupied cells (the
combinatorial number system: the sum of ``binomial(cell of the i-th pirate, i)``, i = 1, 2, … from the
ship end), `code` has a digit of base 3 a pirate, the one nearest to the ship lowest. `kernels.plank.solve`
makes the table; here it is read.
"""

from __future__ import annotations

from math import comb

import numpy as np

from kernels.bits import lowest_bit_index, popcount
from kernels.jit import compiled, inlined, part
from kernels.plank import planke_setup as setup_
from kernels.plank import position as pos
from kernels.plank.position import COLOURS, FINE, FOREMOST, LAST, PUSH1, SKULL, SWAP, SYMBOLS

NEUTRAL, MINE, THEIRS = range(3)
CLASSES = 3
FEWEST_PIRATES = 2
MOST_PIRATES = 5
#: Most positions of a table: five pirates on 24 cells are 11.2 million, four on 40 cells 7.7.
MOST_POSITIONS = 12_000_000

# Chances are whole parts of UNIT, two of them in a cell.
UNIT = 1 << 30
HALF = UNIT >> 1
_HALF_BITS = 32
_HALF_MASK = (1 << _HALF_BITS) - 1

# Cells of a table: the head, then the chances.
PIRATES = 0  # the most that it knows
FIRST = 1  # per number of pirates: the number of its first position
HEAD_CELLS = FIRST + MOST_PIRATES + 1
MOST_CELLS = HEAD_CELLS + MOST_POSITIONS // 2 + 1

_STRIDE = MOST_PIRATES + 1
#: BINOMIALS[6 * n + i]: n over i.
BINOMIALS = np.array(
    [comb(n, i) for n in range(setup_.LONGEST_PLANK + 1) for i in range(_STRIDE)], dtype=np.int64
)


def positions_of(length: int, pirates: int) -> int:
    """Return how many positions of exactly so many pirates a plank has."""
    return comb(length, pirates) * CLASSES**pirates


def positions_up_to(length: int, pirates: int) -> int:
    """Return how many positions a table has."""
    return sum(positions_of(length, k) for k in range(FEWEST_PIRATES, pirates + 1))


def most_pirates(length: int) -> int:
    """Return the most pirates whose table is small enough: the strategy `endgame` plays from it."""
    fits = (k for k in range(MOST_PIRATES, 0, -1) if positions_up_to(length, k) <= MOST_POSITIONS)
    return next(fits)


@inlined
def rank_of(plank):
    """Return the number of a set of at most MOST_PIRATES cells among the sets of its size."""
    rank = 0
    count = 0
    while plank:
        count += 1
        rank += BINOMIALS[lowest_bit_index(plank) * _STRIDE + count]
        plank &= plank - 1
    return rank


@inlined
def code_of(band):
    """Return the classes of a band (plank, mine, theirs) as digits of base 3."""
    plank, mine, theirs = band
    code = 0
    power = 1
    while plank:
        pirate = plank & -plank
        plank ^= pirate
        code += power * (MINE * (mine & pirate != 0) + THEIRS * (theirs & pirate != 0))
        power *= CLASSES
    return code


@inlined
def read_chance(view, table, band):
    """Return the chance of the player who has just moved, in parts of UNIT.

    Parameters
    ----------
    table : int64
        Cell of the view where the table begins.
    band : tuple of int64
        Plank, that player's pirates, the other one's; FEWEST_PIRATES to the most that the table knows.
    """
    plank = band[0]
    pirates = popcount(plank)
    power = 1
    for _ in range(pirates):
        power *= CLASSES
    number = view[table + FIRST + pirates] + rank_of(plank) * power + code_of(band)
    return view[table + HEAD_CELLS + (number >> 1)] >> ((number & 1) * _HALF_BITS) & _HALF_MASK


@compiled
def chance_after(view, table, band):
    """Like `read_chance`, for any plank that a turn may leave, decided ones included."""
    plank, mine, theirs = band
    longest_wins = view[pos.RULING + setup_.UNOWNED_SURVIVOR] == setup_.BEST_PLAYER
    if (longest_wins or plank & (plank - 1) == 0) and (mine == 0 or theirs == 0):
        if mine != 0:
            return UNIT
        return 0 if theirs != 0 else HALF
    return read_chance(view, table, band)


@part
def total_chance(view, table, own, others, planes):
    """Return the chance of a seat that has just moved, added up over the other's possible colours.

    Parameters
    ----------
    own : int64
        The seat's colour.
    others : int64
        Set of the colours that the other player may hold.
    planes : tuple of int64
        Plank, low, high.
    """
    plank, low, high = planes
    mine = of_colour(plank, low, high, own)
    total = np.int64(0)
    for colour in range(COLOURS):
        if others >> colour & 1:
            band = (plank, mine, of_colour(plank, low, high, colour))
            total += chance_after(view, table, band)
    return total


@inlined
def of_colour(plank, low, high, colour):
    """Return the pirates of a colour (`position.colour_set` of three words)."""
    return plank & (low ^ ((colour & 1) - 1)) & (high ^ ((colour >> 1) - 1))


@part
def best_row_after(view, table, own, others, planes):
    """Return the row after an action that leaves the best total chance, and that chance."""
    if pos.is_over(view, planes):
        return np.int64(0), total_chance(view, table, own, others, planes)
    best = np.int64(-1)
    row = np.int64(0)
    starts = pos.row_starts(planes[0])
    while starts:
        start = starts & -starts
        starts ^= start
        chance = total_chance(view, table, own, others, pos.pushed(planes, start, view[pos.LENGTH]))
        if chance > best:
            best = chance
            row = lowest_bit_index(start)
    return row, best


@compiled
def solved_turn(view, legal, table, own, others):
    """Return the best turn against any of the colours that the other may hold, and its total chance.

    Every action and every row is looked up; of equal turns the first one counts, symbols in order. The
    other arguments are those of `total_chance`.
    """
    planes = pos.planes_of(view)
    best = np.int64(-1)
    move = np.int64(0)
    for symbol in range(SYMBOLS):
        if not pos.may_choose(legal, symbol):
            continue
        if symbol == SKULL or not pos.is_possible(legal, symbol):
            row, best_chance = best_row_after(view, table, own, others, planes)
            if best_chance > best:
                best = best_chance
                move = pos.move_of(pos.idle_action(symbol), row)
            continue
        ats = planes[0]
        while ats:
            at = lowest_bit_index(ats)
            ats &= ats - 1
            # Partners of a swap, or the ends of move1; push1 has no second cell.
            partners = 1 << pos.NOWHERE if symbol == PUSH1 else (1 << LAST | 1 << FOREMOST)
            if symbol == SWAP:
                partners = ats
            while partners != 0:
                other = lowest_bit_index(partners)
                partners &= partners - 1
                action = pos.action_of(symbol, at, other)
                if pos.action_fault(view, legal, action) != FINE:
                    continue
                after = pos.after_action(view, legal, planes, action)
                row, chance = best_row_after(view, table, own, others, after)
                if chance > best:
                    best = chance
                    move = pos.move_of(action, row)
    return move, best
