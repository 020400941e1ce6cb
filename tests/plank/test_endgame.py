"""The solved endgame: against brute force, against simulation, and how strategies use it."""

from __future__ import annotations

import math
import os
from functools import lru_cache

import numpy as np
import pytest
from numba import config

from kernels.abi import OK
from kernels.events import new_log
from kernels.plank import endgame as layout
from kernels.plank import planke_setup as setup_
from kernels.plank import position as pos
from kernels.plank import solve, tally
from kernels.plank import table as at
from kernels.plank.resolve import resolve_position
from kernels.plank.strategies import STRATEGIES
from tests.door import ask
from tests.oracle import planke as referee
from tests.oracle.planke import COLOURS, EMPTY, SYMBOLS
from tests.plank import helpers

FULL = bool(os.environ.get("ANALYZER_FULL"))
SLOW = config.DISABLE_JIT
#: Letters of the brute force: the mover's, the other player's, nobody's.
MINE, THEIRS, NEUTRAL = "Y", "R", "G"
TURNED = str.maketrans(MINE + THEIRS, THEIRS + MINE)
LENGTH = 6
WHEEL = {"wheel": ["swap", "skull", "skull", "push1", "move1", "move1"], "distance": 1}


def setup_of(length, rulings):
    """Return a setup for any length of the plank."""
    setup = helpers.encode(2, rulings)
    setup[setup_.PLANK_LENGTH] = length
    return setup


@lru_cache(maxsize=8)
def default_table(pirates):
    return solve.solve_endgame(helpers.encode(2), pirates)


def view_of(plank, rulings, table):
    """Return a view of a position with the table behind it, and where the table begins."""
    position = helpers.position_of(plank, ["skull", "skull"], rulings)
    return np.concatenate([position, table]), len(position)


def chance_of_mover(plank, rulings, table):
    view, first = view_of(plank, rulings, table)
    sets = [sum(1 << k for k, c in enumerate(plank) if c in which) for which in ("YRGB", "R", "Y")]
    return 1 - layout.chance_after(view, first, tuple(sets)) / layout.UNIT


# --- brute force ----------------------------------------------------------------------------------


def planks(length, pirates):
    """Every plank of so many pirates in the letters of the brute force."""
    if length == 0:
        return [""] if pirates == 0 else []
    found = [EMPTY + rest for rest in planks(length - 1, pirates)]
    if pirates:
        for letter in (MINE, THEIRS, NEUTRAL):
            found += [letter + rest for rest in planks(length - 1, pirates - 1)]
    return found


def known_chance(plank, fallen, rulings):
    """The mover's chance where it needs no play: one pirate left, or by who lasts longer; or None."""
    mine, theirs = MINE in plank, THEIRS in plank
    longest_wins = rulings.get("unowned_survivor") == "best_player"
    if len(plank.replace(EMPTY, "")) > 1 and not (longest_wins and mine != theirs):
        return None
    if mine or theirs:
        return float(mine)
    if longest_wins:
        last = [letter for letter in fallen if letter != NEUTRAL]
        return float(last[-1] == MINE) if last else 0.5
    return 0.5


def outcomes(plank, symbols, rulings):
    """What each turn leads to: a chance that is known, or a plank with the other player to move."""
    state = {"plank": plank, "symbols": symbols, "rulings": rulings}
    found = set()
    for move in referee.legal_moves(state):
        after = referee.resolve(state | move._asdict())
        known = known_chance(after["plank"], after["fallen"], rulings)
        found.add(after["plank"].translate(TURNED) if known is None else known)
    return found


def brute_force(length, pirates, rulings):
    """Every position's chance of the mover, by plain value iteration over the referee's turns."""
    law = referee.rose_distribution(rulings.get("rose", "uniform"))
    chances = {}
    for count in range(2, pirates + 1):
        turns = {}
        for plank in planks(length, count):
            known = known_chance(plank, [], rulings)
            chances[plank] = 0.5 if known is None else known
            if known is None:
                turns[plank] = [
                    (float(chance), outcomes(plank, list(shown), rulings))
                    for shown, chance in law.items()
                    if chance
                ]
        change = 1.0
        while change > 1e-10:
            change = 0.0
            for plank, spins in turns.items():
                better = sum(
                    chance * max(to if isinstance(to, float) else 1 - chances[to] for to in tos)
                    for chance, tos in spins
                )
                change = max(change, abs(better - chances[plank]))
                chances[plank] = better
    return chances


CASES = [
    {},
    {"unowned_survivor": "best_player"},
    {"move_targets": "adjacent_to_group", "skull_choice": "no"},
    {"null_move": "yes", "impossible_symbol": "must_take_other", "rose": WHEEL},
    {"impossible_symbol": "must_take_other", "skull_choice": "no"},
]


@pytest.mark.parametrize("rulings", CASES[:1] if SLOW else CASES, ids=str)
def test_every_chance_is_that_of_brute_force(rulings):
    pirates = 2 if SLOW else 3
    expected = brute_force(LENGTH, pirates, rulings)
    table = solve.solve_endgame(setup_of(LENGTH, rulings), pirates)
    assert len(expected) == layout.positions_up_to(LENGTH, pirates)
    for plank, chance in expected.items():
        assert chance_of_mover(plank, rulings, table) == pytest.approx(chance, abs=2e-7), plank


@pytest.mark.skipif(SLOW, reason="needs the compiler")
@pytest.mark.parametrize("rulings", CASES, ids=str)
def test_the_turn_that_is_looked_up_is_the_best_one(rulings):
    """The move's own chance, worked out by the referee, is the largest of all."""
    table = solve.solve_endgame(setup_of(LENGTH, rulings), 3)
    rng = helpers.seeded("best turn", rulings)
    for plank in rng.sample(planks(LENGTH, 3), 60):
        if known_chance(plank, [], rulings) is not None:
            continue
        symbols = [rng.choice(SYMBOLS), rng.choice(SYMBOLS)]
        state = {"plank": plank, "symbols": symbols, "rulings": rulings}
        view, first = view_of(plank, rulings, table)
        view[pos.LEFT], view[pos.RIGHT] = (SYMBOLS.index(symbol) for symbol in symbols)
        colours = (COLOURS.index(MINE), 1 << COLOURS.index(THEIRS))
        move, best = layout.solved_turn(view, pos.legal_set(view), first, *colours)

        def chance_of(given, state=state):
            after = referee.resolve(state | given)
            known = known_chance(after["plank"], after["fallen"], rulings)
            if known is not None:
                return known
            return 1 - chance_of_mover(after["plank"].translate(TURNED), rulings, table)

        chances = [chance_of(one._asdict()) for one in referee.legal_moves(state)]
        assert best / layout.UNIT == pytest.approx(max(chances), abs=1e-6)
        turn = helpers.read_move(move, row=True)._asdict()
        assert chance_of(turn) == pytest.approx(max(chances), abs=1e-6)


# --- simulation -----------------------------------------------------------------------------------


def play_out(plank, table, games, rng):
    """Both players play from the table until the end; the first mover's share of the wins."""
    setup = helpers.encode(2)
    sums = np.zeros(tally.SUM_CELLS, dtype=np.int64)
    log = new_log()
    start, first = view_of(plank, {}, table)
    total = 0.0
    for _ in range(games):
        view = start.copy()
        seat = 0
        while True:
            view[pos.LEFT], view[pos.RIGHT] = rng.randrange(4), rng.randrange(4)
            move, _ = layout.solved_turn(view, pos.legal_set(view), first, seat, 2 >> seat)
            turn = np.zeros(at.TABLE_CELLS, dtype=np.int64)
            turn[at.PLANK : at.RIGHT + 1] = view[pos.PLANK : pos.RIGHT + 1]
            turn[at.MOVE] = move
            assert resolve_position(setup, turn, sums, log) == OK
            view[pos.PLANK : pos.HIGH + 1] = turn[at.PLANK : at.HIGH + 1]
            if turn[at.OVER]:
                break
            seat = 1 - seat
        survivor = turn[at.SURVIVOR]
        total += 1.0 if survivor == 0 else 0.5 if survivor > 1 else 0.0
    return total / games


@pytest.mark.skipif(SLOW, reason="needs games in number")
@pytest.mark.parametrize(
    "plank",
    ["Y..R.......B......", "..R....Y........B.", "YR..............YR", "G.Y.........R....B"],
)
def test_simulated_best_play_wins_as_often_as_solved(plank):
    games = 20_000 if FULL else 1_500
    table = default_table(4)
    expected = chance_of_mover(plank, {}, table)
    share = play_out(plank, table, games, helpers.seeded(plank))
    assert abs(share - expected) < 4 * math.sqrt(expected * (1 - expected) / games)


# --- the table ------------------------------------------------------------------------------------


def test_numbers_of_places_count_up():
    for pirates in (2, 3):
        planks_ = np.zeros(layout.positions_of(9, pirates) // 3**pirates, dtype=np.int64)
        solve.list_planks(planks_, pirates)
        assert [layout.rank_of(plank) for plank in planks_] == list(range(len(planks_)))
        assert planks_[-1] == (1 << 9) - (1 << 9 - pirates)


def test_the_most_pirates_follow_from_the_length_alone():
    assert layout.most_pirates(18) == layout.most_pirates(24) == layout.MOST_PIRATES
    assert layout.most_pirates(25) == layout.most_pirates(40) == 4
    for length in (17, 24, 40):
        most = layout.most_pirates(length)
        assert layout.HEAD_CELLS + layout.positions_up_to(length, most) // 2 < layout.MOST_CELLS


def test_bounds_close_in_from_both_sides():
    gaps = []
    solve.solve_endgame(
        setup_of(8, {}), 3, lambda pirates, sweeps, gap: gaps.append((pirates, gap))
    )
    for pirates in (2, 3):
        mine = [gap for count, gap in gaps if count == pirates]
        assert mine == sorted(mine, reverse=True)
        assert mine[-1] <= solve.TOLERANCE < mine[-2]


# --- the strategy ---------------------------------------------------------------------------------


def test_without_a_table_endgame_is_lookahead():
    assert (helpers.play(["endgame"] * 2, 2).sums == helpers.play(["lookahead"] * 2, 2).sums).all()


@pytest.mark.skipif(SLOW, reason="needs games in number")
def test_with_a_table_endgame_plays_the_same_until_few_pirates_are_left_and_wins_more():
    table = default_table(4)
    told = helpers.play(["endgame", "lookahead"], 1, log_events=9000, table=table).log.tolist()
    plain = helpers.play(["lookahead"] * 2, 1, log_events=9000).log.tolist()
    same = next(k for k, (a, b) in enumerate(zip(told, plain, strict=False)) if a != b)
    falls = sum(row[0] == helpers.events.FALL for row in told[:same])
    assert falls >= 16 - 4
    credit = np.zeros(2)
    for names in (["endgame", "lookahead"], ["lookahead", "endgame"]):
        sums = helpers.play(names, 300, table=table).sums
        own = names.index("endgame")
        credit += sums[tally.CREDIT + own], sums[tally.CREDIT + 1 - own]
    assert credit[0] > 1.1 * credit[1]


def test_endgame_wins_at_once_whatever_colour_the_other_holds():
    table = default_table(3)
    view = helpers.position_of("...............YR.", ["swap", "move1"])
    view[-1] = len(view)
    move = ask(
        helpers.see.DOOR, STRATEGIES["endgame"], np.concatenate([view, table]), pos.legal_set(view)
    )
    turn = helpers.read_move(move, row=True)._asdict()
    outcome = referee.resolve(
        {"plank": "...............YR.", "symbols": ["swap", "move1"], "rulings": {}} | turn
    )
    assert (outcome["over"], outcome["survivor"]) == (True, "Y")
