"""Solve the endgame of two players with open colours: value iteration between two bounds.

What a turn leads to depends on where pirates stand, not on whose they are: a push keeps their order, a
swap and move1 permute it. So a *place* (a set of occupied cells) has its neighbours listed once, and one
step works on the chances of all ``3**pirates`` codes of a place (`kernels.plank.endgame`).

Every push brings pirates nearer to the shark; only move1 to the ship end leads back. Places are visited
nearest to the shark first, so that all other moves find chances of the same sweep. A lower and an upper
bound start at 0 and 1 and close in on the value from both sides; they meet, since the wind rose may show
two skulls often enough in a row to end any game. The gap between them is a proven tolerance.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np

from kernels.bits import popcount
from kernels.jit import compiled, inlined, part
from kernels.plank import endgame as layout
from kernels.plank import planke_setup as setup_
from kernels.plank import position as pos
from kernels.plank.endgame import CLASSES, FEWEST_PIRATES, MINE, NEUTRAL, THEIRS, rank_of
from kernels.plank.position import FOREMOST, LAST, MOVE1, PUSH1, SKULL, SWAP, SYMBOLS
from kernels.plank.rose import ROSE_UNIT

#: The bounds are brought as close as this.
TOLERANCE = 1e-7
LOWER, UPPER = 0, 1
BOUNDS = 2
ENDS = 2
#: There is no such neighbour.
NOTHING = -1
_SYMBOL_SETS = 1 << SYMBOLS


class Places(NamedTuple):
    """All sets of so many occupied cells, by their number, and what leads where.

    A *target* is the number of a place, doubled, plus 1 where somebody has fallen and the place has one
    pirate less.
    """

    order: np.ndarray  # int64 (places,): nearest to the shark first
    rows: np.ndarray  # int32 (places, pirates): target of the row from each pirate, or NOTHING
    pushes: np.ndarray  # int32 (places, pirates): target of push1 of each pirate
    moves: np.ndarray  # int32 (places, ENDS, pirates): place after move1 of each pirate, or NOTHING
    lapses: np.ndarray  # int64 (places,): 1 where move1 is impossible
    weights: np.ndarray  # float64 (2, 16): by lapse, chance to choose from a set of symbols


class Codes(NamedTuple):
    """What happens to the codes of a place; codes are numbers of ``pirates`` digits of base 3."""

    swaps: np.ndarray  # int64 (pairs, codes): after a swap
    lifts: np.ndarray  # int64 (ENDS, pirates, codes): after move1
    turned: np.ndarray  # int64 (codes,): as the other player sees it
    decided: np.ndarray  # float64 (codes,): chance to win where it is known, else -1


class Chances(NamedTuple):
    """Bounds of the chance to win, shape (BOUNDS, places, codes)."""

    after_turn: np.ndarray  # of the player who has just moved
    after_action: np.ndarray  # of the player who has carried out a symbol and pushes a row next


@compiled
def list_planks(planks, pirates):
    """List the sets of `pirates` cells in the order of their numbers. Modified in place."""
    plank = (1 << pirates) - 1
    for place in range(len(planks)):
        planks[place] = plank
        # The next larger word with as many bits (Gosper).
        low = plank & -plank
        ripple = plank + low
        plank = ripple | ((plank ^ ripple) >> 2) // low


@compiled
def list_targets(position, planks, places):
    """Fill in the targets of all places, by the rules that the games are played by.

    Parameters
    ----------
    position : int64 array, shape (POSITION_CELLS,)
        Length and rulings. Its plank is modified in place, as `places` is.
    """
    length = position[pos.LENGTH]
    for place in range(len(planks)):
        plank = planks[place]
        position[pos.PLANK] = plank
        pirates = popcount(plank)
        starts = pos.row_starts(plank)
        places.lapses[place] = 1 - pos.is_possible(pos.legal_set(position), MOVE1)
        rest = plank
        for nth in range(pirates):
            pirate = rest & -rest
            rest ^= pirate
            after = pos.pushed((plank, plank, plank), pirate, length)[0]
            target = rank_of(after) << 1 | (popcount(after) < pirates)
            places.pushes[place, nth] = target
            places.rows[place, nth] = target if starts & pirate else NOTHING
            for end in range(ENDS):
                cell = pos.end_cell(position, end)
                back = cell == pirate and pos.has_null_moves(position)
                free = cell != 0 and (cell & plank == 0 or back)
                after = plank ^ pirate | cell
                places.moves[place, end, nth] = rank_of(after) if free else NOTHING


@compiled
def weigh_choices(position, rose, weights):
    """Work out the chance that a turn chooses from each set of symbols, in place.

    A symbol that may be chosen and lapses counts as a skull: both do nothing.

    Parameters
    ----------
    position : int64 array
        Its symbols are modified in place.
    rose : int64 array, shape (16,)
        Chances in parts of ROSE_UNIT.
    weights : float64 array, shape (16,)
    """
    weights[:] = 0.0
    for left in range(SYMBOLS):
        for right in range(SYMBOLS):
            position[pos.LEFT] = left
            position[pos.RIGHT] = right
            legal = pos.legal_set(position)
            choices = 0
            for symbol in range(SYMBOLS):
                if pos.may_choose(legal, symbol):
                    choices |= 1 << (symbol if pos.is_possible(legal, symbol) else SKULL)
            weights[choices] += rose[left * SYMBOLS + right] / ROSE_UNIT


@inlined
def take_larger(best, chances):
    """Raise `best` to `chances` where these are larger. Modified in place."""
    for code in range(len(best)):
        chance = chances[code]
        best[code] = chance if chance > best[code] else best[code]


@inlined
def take_larger_permuted(best, chances, codes):
    """Like `take_larger`, with another code for each."""
    for code in range(len(best)):
        chance = chances[codes[code]]
        best[code] = chance if chance > best[code] else best[code]


@inlined
def take_larger_at(best, target, chances, fallen):
    """Raise `best` to the chances of a target; the foremost pirate, the top digit, may have fallen."""
    place = target >> 1
    if target & 1 == 0:
        take_larger(best, chances[place])
        return
    codes = fallen.shape[1]
    for top in range(CLASSES):
        take_larger(best[top * codes : (top + 1) * codes], fallen[place])


@part
def push_rows(place, places, codes, chances, fallen, best):
    """Work out the chances before a row is pushed, in place (`best`)."""
    best[:] = -1.0
    for nth in range(places.rows.shape[1]):
        target = places.rows[place, nth]
        if target != NOTHING:
            take_larger_at(best, target, chances, fallen)
    set_decided(codes, best)


@inlined
def set_decided(codes, chances):
    """Overwrite the chances that are known. Modified in place."""
    for code in range(len(chances)):
        known = codes.decided[code]
        chances[code] = known if known >= 0.0 else chances[code]


@part
def carry_out(place, places, codes, chances, fallen, best):
    """Work out the chances with each symbol, in place (`best`, shape (SYMBOLS, codes))."""
    best[SKULL] = chances[place]
    best[SWAP] = -1.0
    best[PUSH1] = -1.0
    best[MOVE1] = -1.0
    for pair in range(len(codes.swaps)):
        take_larger_permuted(best[SWAP], chances[place], codes.swaps[pair])
    for nth in range(places.pushes.shape[1]):
        take_larger_at(best[PUSH1], places.pushes[place, nth], chances, fallen)
        for end in range(ENDS):
            to = places.moves[place, end, nth]
            if to != NOTHING:
                take_larger_permuted(best[MOVE1], chances[to], codes.lifts[end, nth])


@part
def turn_rose(weights, best, largest, mean):
    """Average the best of the symbols that may be chosen over the wind rose, in place (`mean`)."""
    mean[:] = 0.0
    for choices in range(1, _SYMBOL_SETS):
        weight = weights[choices]
        if weight > 0.0:
            largest[:] = -1.0
            for symbol in range(SYMBOLS):
                if choices >> symbol & 1:
                    take_larger(largest, best[symbol])
            for code in range(len(mean)):
                mean[code] += weight * largest[code]


@compiled
def sweep(places, codes, chances, fallen):
    """Improve both bounds of all places once; return the largest gap between them.

    Parameters
    ----------
    chances : Chances
        Modified in place.
    fallen : Chances
        Those with one pirate less.
    """
    count = len(codes.turned)
    best = np.empty((SYMBOLS, count))
    largest = np.empty(count)
    mean = np.empty(count)
    gap = 0.0
    for place in places.order:
        for bound in range(BOUNDS):
            after_turn = chances.after_turn[bound]
            after_action = chances.after_action[bound]
            push_rows(
                place, places, codes, after_turn, fallen.after_turn[bound], after_action[place]
            )
            carry_out(place, places, codes, after_action, fallen.after_action[bound], best)
            turn_rose(places.weights[places.lapses[place]], best, largest, mean)
            set_decided(codes, mean)
            other = chances.after_turn[BOUNDS - 1 - bound, place]
            for code in range(count):
                other[codes.turned[code]] = 1.0 - mean[code]
        for code in range(count):
            apart = chances.after_turn[UPPER, place, code] - chances.after_turn[LOWER, place, code]
            gap = max(gap, apart)
    return gap


# --- around it ------------------------------------------------------------------------------------


def list_places(setup: np.ndarray, pirates: int) -> Places:
    """Return all places of so many pirates under the rulings of a setup."""
    position = np.zeros(pos.POSITION_CELLS, dtype=np.int64)
    pos.take_rulings(position, setup)
    length = int(setup[setup_.PLANK_LENGTH])
    position[pos.LENGTH] = length
    count = layout.positions_of(length, pirates) // CLASSES**pirates
    planks = np.zeros(count, dtype=np.int64)
    list_planks(planks, pirates)
    cell_sums = sum(np.where(planks >> cell & 1, cell, 0) for cell in range(length))
    places = Places(
        order=np.argsort(-cell_sums, kind="stable"),
        rows=np.zeros((count, pirates), dtype=np.int32),
        pushes=np.zeros((count, pirates), dtype=np.int32),
        moves=np.zeros((count, ENDS, pirates), dtype=np.int32),
        lapses=np.zeros(count, dtype=np.int64),
        weights=np.zeros((2, _SYMBOL_SETS)),
    )
    list_targets(position, planks, places)
    rose = setup[setup_.ROSE_CHANCE : setup_.ROSE_KEEP]
    for lapse in range(2):
        alike = np.flatnonzero(places.lapses == lapse)
        if len(alike):
            position[pos.PLANK] = planks[alike[0]]
            weigh_choices(position, rose, places.weights[lapse])
    return places


def list_codes(pirates: int, longest_wins: bool) -> Codes:
    """Return what happens to the codes of so many pirates.

    Parameters
    ----------
    longest_wins
        Whether a player without pirates has lost at once (``unowned_survivor=best_player``).
    """
    count = CLASSES**pirates
    powers = CLASSES ** np.arange(pirates)
    digits = np.arange(count)[:, None] // powers % CLASSES
    swaps = []
    for i, j in combinations(range(pirates), 2):
        order = list(range(pirates))
        order[i], order[j] = j, i
        swaps.append(digits[:, order] @ powers)
    lifts = np.zeros((ENDS, pirates, count), dtype=np.int64)
    for nth in range(pirates):
        others = [k for k in range(pirates) if k != nth]
        lifts[LAST, nth] = digits[:, [nth, *others]] @ powers
        lifts[FOREMOST, nth] = digits[:, [*others, nth]] @ powers
    seen = np.array([NEUTRAL, THEIRS, MINE])
    mine, theirs = (digits == MINE).sum(axis=1), (digits == THEIRS).sum(axis=1)
    decided = np.full(count, -1.0)
    decided[mine == pirates] = 1.0
    decided[theirs == pirates] = 0.0
    decided[mine + theirs == 0] = 0.5
    if longest_wins:
        decided[(theirs == 0) & (mine > 0)] = 1.0
        decided[(mine == 0) & (theirs > 0)] = 0.0
    return Codes(
        swaps=np.array(swaps, dtype=np.int64).reshape(-1, count),
        lifts=lifts,
        turned=seen[digits] @ powers,
        decided=decided,
    )


def survivors(length: int) -> Chances:
    """Return the chances with one pirate left."""
    chances = np.zeros((BOUNDS, length, CLASSES))
    chances[:] = list_codes(1, longest_wins=False).decided
    return Chances(chances, chances)


def solve_endgame(
    setup: np.ndarray,
    pirates: int,
    progress: Callable[[int, int, float], None] = lambda pirates, sweeps, gap: None,
) -> np.ndarray:
    """Solve all positions of 2 to `pirates` pirates.

    Parameters
    ----------
    setup
        Plank length, rulings and wind rose; ``swap_same_colour`` must be *yes*, since with *no* the
        unowned pirates of two colours are not alike.
    pirates
        2 to 5.
    progress
        Called after every sweep with pirates, sweeps so far and the gap between the bounds.

    Returns
    -------
    int64 array
        The table (`kernels.plank.endgame`). Every chance is off by less than TOLERANCE.
    """
    length = int(setup[setup_.PLANK_LENGTH])
    longest_wins = bool(setup[setup_.UNOWNED_SURVIVOR] == setup_.BEST_PLAYER)
    head = np.zeros(layout.HEAD_CELLS, dtype=np.int64)
    head[layout.PIRATES] = pirates
    parts = []
    fallen = survivors(length)
    for count in range(FEWEST_PIRATES, pirates + 1):
        head[layout.FIRST + count] = layout.positions_up_to(length, count - 1)
        places = list_places(setup, count)
        codes = list_codes(count, longest_wins)
        shape = (BOUNDS, len(places.order), len(codes.turned))
        chances = Chances(np.zeros(shape), np.zeros(shape))
        for array in chances:
            array[UPPER] = 1.0
        sweeps, gap = 0, 1.0
        while gap > TOLERANCE:
            gap = sweep(places, codes, chances, fallen)
            sweeps += 1
            progress(count, sweeps, gap)
        middle = chances.after_turn.mean(axis=0)
        parts.append(np.rint(middle * layout.UNIT).astype(np.int64).ravel())
        fallen = chances
    numbers = np.concatenate(parts)
    numbers = np.append(numbers, np.zeros(len(numbers) % 2, dtype=np.int64))
    return np.concatenate([head, numbers[0::2] | numbers[1::2] << 32])
