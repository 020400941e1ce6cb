"""The two-player game solved exactly: optimal play, fixed strategies, best responses.

Every turn marks boxes or changes nothing but whose turn it is. So positions are solved in order of
descending marks, two at a time: the same two sheets with either player to move. The chance of each
depends on the other's through the turns without progress, and the two equations are solved to the end
of the float's precision. Sheets that differ in the order of the unowned columns alone are solved once.

The die must show all five animals equally often, and under the box cap the players must choose:
otherwise unowned columns are not alike, and a position would be more than two sheets.
"""

from __future__ import annotations

import numpy as np

from kernels.dice import tierisch_setup as setup_
from kernels.dice import view as see
from kernels.dice.multisets import ANIMALS, MOUSE, NIBBLE, PIG
from kernels.dice.outcomes import COLUMN_BOXES
from kernels.dice.rules import GOAL, worth_of
from kernels.dice.sides import (
    BEST,
    RANDOM,
    new_desk,
    play_on,
    prepare_side,
)
from kernels.dice.strategies import AIM_CAUTIOUS, AIM_MARGIN, AIM_OWN, AIM_RACE, AIM_WIN
from kernels.dice.table import NOBODY
from kernels.dice.wins import (
    COLUMN_STATES,
    FOREIGN_COLUMNS,
    HALF,
    ONE,
    SHEETS,
    WIN_TABLE_CELLS,
    chance_cell,
)
from kernels.jit import compiled, part

#: The strategies that can be followed exactly, and the best response to one.
AIMS = {
    "random": RANDOM,
    "own": AIM_OWN,
    "margin": AIM_MARGIN,
    "cautious": AIM_CAUTIOUS,
    "race": AIM_RACE,
    "optimal": AIM_WIN,
    "best": BEST,
}
#: Two chances closer than this are equal: a few units in the last place.
CLOSE = 1e-15
MOST_STEPS = 60
UNKNOWN = -1.0
_SEATS = 2
#: Orders of the three unowned columns: where each of them goes.
_ORDERS = np.array(
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]], dtype=np.int64
)
_DIGITS = np.array(
    [
        [number // COLUMN_STATES ** (FOREIGN_COLUMNS - 1 - k) % COLUMN_STATES for k in range(4)]
        for number in range(SHEETS)
    ],
    dtype=np.int64,
)
_MARKS = _DIGITS.sum(axis=1)
_LIVE = (_DIGITS == COLUMN_BOXES).sum(axis=1) < GOAL
#: The sheets that have not won, by marks: LIVE[LIVE_START[marks]:LIVE_START[marks + 1]].
LIVE = np.array(
    sorted(np.flatnonzero(_LIVE).tolist(), key=lambda number: (_MARKS[number], number)),
    dtype=np.int64,
)
_MOST_MARKS = int(_MARKS[LIVE].max())
LIVE_START = np.searchsorted(_MARKS[LIVE], np.arange(_MOST_MARKS + 2))


class Unsolvable(ValueError):
    """Rulings under which a position is more than two sheets; the message says which."""


def check_solvable(setup):
    """Raise `Unsolvable` if the game of a setup array is not what this module solves."""
    times = setup[setup_.TIMES : setup_.TIMES + ANIMALS]
    if setup[setup_.PLAYERS] != _SEATS:
        raise Unsolvable("Only the game of two players is solved.")
    if setup[setup_.VP_COLUMNS] == setup_.OWNED_ONLY:
        raise Unsolvable("With owned_only and two players nobody can ever win.")
    if (times != times[0]).any() or times[0] == 0:
        raise Unsolvable("The die must show all five animals, and all equally often.")
    capped = setup[setup_.BOX_CAP] == setup_.CAP_THREE
    if capped and setup[setup_.CAP_CHOICE] == setup_.FULLEST_FIRST:
        raise Unsolvable(
            "Under cap_choice=fullest_first equal columns are told apart by their names; "
            "use cap_choice=policy or box_cap=0."
        )


def new_view(setup, wins=None):
    """Return a view of the two-player game between a pig and a mouse, with the solved game behind it."""
    view = np.zeros(see.VIEW_CELLS + (0 if wins is None else len(wins)), dtype=np.int64)
    view[see.RULING : see.RULING + setup_.RULINGS_END] = setup[: setup_.RULINGS_END]
    die = slice(setup_.FACES, setup_.FACES + see.POLICIES - see.FACES)
    view[see.FACES : see.POLICIES] = setup[die]
    view[see.OWNER : see.OWNER + ANIMALS] = NOBODY
    for seat, animal in enumerate((PIG, MOUSE)):
        view[see.ANIMAL + seat] = animal
        view[see.OWNER + animal] = seat
        view[see.WORTH + seat] = worth_of(setup, animal, 1 << PIG | 1 << MOUSE)
    if wins is not None:
        view[see.WINS] = see.VIEW_CELLS
        view[see.VIEW_CELLS :] = wins
    return view


@compiled
def show_position(view, first, second):
    """Show the sheets of both players in a view, in place."""
    unowned = 0
    others = 0
    for k in range(1, FOREIGN_COLUMNS):
        unowned |= _DIGITS[first, k] << (MOUSE + k) * NIBBLE
        others |= _DIGITS[second, k] << (MOUSE + k) * NIBBLE
    view[see.MARKS] = unowned | _DIGITS[first, 0] << MOUSE * NIBBLE
    view[see.MARKS + 1] = others | _DIGITS[second, 0] << PIG * NIBBLE


@part
def is_canonical(first, second):
    """Tell whether a pair of sheets has its unowned columns in the order that is solved."""
    last = COLUMN_STATES * COLUMN_STATES
    for k in range(1, FOREIGN_COLUMNS):
        key = _DIGITS[first, k] * COLUMN_STATES + _DIGITS[second, k]
        if key > last:
            return False
        last = key
    return True


@part
def reordered(number, order):
    """Return a sheet's number with its unowned columns in another order."""
    base = COLUMN_STATES
    result = _DIGITS[number, 0]
    for k in range(FOREIGN_COLUMNS - 1):
        result = result * base + _DIGITS[number, 1 + _ORDERS[order, k]]
    return result


@part
def write_chance(table, mover, other, chance):
    """Write a chance for every order of the unowned columns, in place."""
    for order in range(len(_ORDERS)):
        table[chance_cell(reordered(mover, order), reordered(other, order))] = chance


@compiled
def solve_pair(desk, rival_desk):
    """Solve the two equations of a position; return each side's chance when it is to move.

    The first side's chance is a fixed point of itself through the other's. Where both sides play on
    alike it is linear, and the step along the line ends there.
    """
    chance = 0.5
    other = 0.5
    for _ in range(MOST_STEPS):
        other = play_on(rival_desk, 1.0 - chance)
        once = play_on(desk, 1.0 - other)
        if abs(once - chance) <= CLOSE:
            return once, other
        other = play_on(rival_desk, 1.0 - once)
        twice = play_on(desk, 1.0 - other)
        slope = (twice - once) / (once - chance)
        chance = twice
        if abs(twice - once) > CLOSE and slope < 1.0:
            chance = once + (twice - once) / (1.0 - slope)
    return chance, other


@compiled
def solve_positions(view, desk, rival_desk, aim, rival_aim, table, rival_table):
    """Solve all positions, in place.

    Parameters
    ----------
    view : int64 array
        From `new_view`; also working memory.
    desk, rival_desk
        Working memory of the two sides (`kernels.dice.sides`).
    aim, rival_aim : int64
        What the players in seats 0 and 1 aim at.
    table, rival_table : float64 array
        The chance of each player to win when it is to move, by its own and the other's sheet. One
        array twice when both play best: then a position and its mirror image are solved together.
    """
    mirrored = aim == BEST and rival_aim == BEST
    for marks in range(2 * _MOST_MARKS, -1, -1):
        for mine in range(max(0, marks - _MOST_MARKS), min(marks, _MOST_MARKS) + 1):
            theirs = marks - mine
            for k in range(LIVE_START[mine], LIVE_START[mine + 1]):
                for m in range(LIVE_START[theirs], LIVE_START[theirs + 1]):
                    first = LIVE[k]
                    second = LIVE[m]
                    if not is_canonical(first, second):
                        continue
                    if mirrored and table[chance_cell(first, second)] != UNKNOWN:
                        continue
                    show_position(view, first, second)
                    prepare_side(view, 0, aim, rival_aim, rival_table, desk)
                    prepare_side(view, 1, rival_aim, aim, table, rival_desk)
                    chance, other = solve_pair(desk, rival_desk)
                    write_chance(table, first, second, chance)
                    write_chance(rival_table, second, first, other)


def new_table():
    """Return a table of unknown chances."""
    table = np.full(WIN_TABLE_CELLS, UNKNOWN)
    table[ONE] = 1.0
    table[HALF] = 0.5
    return table


def solve_game(setup):
    """Solve the two-player game of a setup array.

    Returns
    -------
    float64 array, WIN_TABLE_CELLS
        The chance that the player to move wins under best play of both, in the layout of
        `kernels.dice.wins`; UNKNOWN where a sheet has won already. A shared win counts a half.

    Raises
    ------
    Unsolvable
        See `check_solvable`.
    """
    check_solvable(setup)
    table = new_table()
    view = new_view(setup)
    solve_positions(view, new_desk(setup), new_desk(setup), BEST, BEST, table, table)
    return table


def solve_versus(setup, aim, rival_aim, wins=None):
    """Work out the exact chances of two strategies against each other, or of a best response.

    Parameters
    ----------
    aim, rival_aim : int64
        An aim of `kernels.dice.strategies`, RANDOM, or BEST: the best response to the other side.
    wins : int64 array, optional
        From `win_table`; needed where an aim is AIM_WIN.

    Returns
    -------
    tuple of two float64 arrays
        Each side's chance to win when it is to move, by its own and the other's sheet.
    """
    check_solvable(setup)
    table, rival_table = new_table(), new_table()
    view = new_view(setup, wins)
    solve_positions(view, new_desk(setup), new_desk(setup), aim, rival_aim, table, rival_table)
    return table, rival_table


def start_chance(table):
    """Return the chance of the player who starts, from a table of either kind."""
    return float(table[chance_cell(0, 0)])


def win_table(setup, table):
    """Return the solved game in whole numbers, as `optimal` reads it.

    The unit is as large as exact sums over a turn allow: 2**40 on a die of six faces.
    """
    faces = int(setup[setup_.FACES])
    unit = 1 << min(40, 61 - (faces**8 - 1).bit_length())
    whole = np.rint(table * unit).astype(np.int64)
    whole[ONE] = unit
    whole[HALF] = unit // 2
    return whole


def with_wins(setup, table=None):
    """Return a setup array with the solved game, solved here if it is not given."""
    table = solve_game(setup) if table is None else table
    return setup_.with_table(setup, setup_.WINS, win_table(setup, table))


@compiled
def worst_step(table):
    """Return the most that one more box of its own ever takes from the player to move or to wait."""
    worst = -1.0
    for number in LIVE:
        for place in range(FOREIGN_COLUMNS):
            step = COLUMN_STATES ** (FOREIGN_COLUMNS - 1 - place)
            more = number + step
            if _DIGITS[number, place] == COLUMN_BOXES or not _LIVE[more]:
                continue
            for other in LIVE:
                moving = table[chance_cell(number, other)] - table[chance_cell(more, other)]
                waiting = table[chance_cell(other, more)] - table[chance_cell(other, number)]
                worst = max(worst, moving, waiting)
    return worst


def residual(setup, table):
    """Return the greatest error of any position in its own equation (the Bellman residual)."""
    view = new_view(setup)
    return float(greatest_error(view, new_desk(setup), table))


@compiled
def greatest_error(view, desk, table):
    """Return how far any solved chance is from the best turn's value by the table itself."""
    worst = 0.0
    for first in LIVE:
        for second in LIVE:
            if is_canonical(first, second):
                show_position(view, first, second)
                prepare_side(view, 0, BEST, BEST, table, desk)
                other = table[chance_cell(second, first)]
                error = abs(play_on(desk, 1.0 - other) - table[chance_cell(first, second)])
                worst = max(worst, error)
    return worst
