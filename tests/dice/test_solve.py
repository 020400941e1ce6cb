"""The solved two-player game: against a slow recursion, itself, and simulated play."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from analyzer.solvers import tierisch as solver
from kernels.abi import CREDIT_UNIT
from kernels.dice import solve, tally
from kernels.dice.policies import with_policies
from kernels.dice.sides import BEST, RANDOM, new_desk, play_on, prepare_side
from kernels.dice.solve import LIVE, check_solvable, show_position
from kernels.dice.strategies import AIM_CAUTIOUS, AIM_MARGIN, AIM_OWN, AIM_RACE, AIM_WIN
from kernels.dice.wins import SHEETS, chance_cell, number_of_columns
from tests.dice.helpers import FULL, Game, setup_of
from tests.oracle import tierisch as referee

needs_full = pytest.mark.skipif(not FULL, reason="some minutes")
COLUMNS = {"A": ["mouse", "penguin", "dog", "cat"], "B": ["pig", "penguin", "dog", "cat"]}
#: The chance of the player who starts, default rulings.
START = 0.5422882574
#: The same chance with the first-named strategy starting, and with the other one starting.
EXACT = {
    ("own", "own"): (0.5308445741, 0.4691554259),
    ("random", "random"): (0.5, 0.5),
    ("best", "own"): (0.6844375719, 0.6150284761),
    ("best", "margin"): (0.6132357303, 0.5314629699),
    ("optimal", "random"): (0.9958384227, 0.9946929586),
    ("optimal", "own"): (0.6831905168, 0.6138380923),
    ("optimal", "margin"): (0.6125096655, 0.5307309546),
}


@cache
def solved(**rulings):
    """Return the setup and the solved game; under the default rulings from the cache."""
    setup = setup_of(2, rulings)
    return setup, solver.game_table(setup, print)


def sheet_of(name, digits):
    """Return a sheet in the referee's words."""
    return dict.fromkeys(referee.ANIMALS, 0) | dict(zip(COLUMNS[name], digits, strict=True))


@pytest.mark.parametrize(
    ("rulings", "players", "message"),
    [
        ({}, 3, "two players"),
        ({"cap_choice": "fullest_first"}, 2, "fullest_first"),
        ({"die_faces": ["pig", "pig", "mouse", "penguin", "dog", "cat"]}, 2, "equally often"),
        ({"die_faces": ["pig", "mouse", "police"]}, 2, "all five animals"),
    ],
)
def test_what_is_not_solved_is_refused_with_the_reason(rulings, players, message):
    with pytest.raises(solve.Unsolvable, match=message):
        check_solvable(setup_of(players, rulings))


def test_fullest_first_without_a_cap_is_solvable():
    check_solvable(setup_of(2, {"cap_choice": "fullest_first", "box_cap": 0}))


def test_the_sheets_that_have_not_won():
    assert len(LIVE) == 5**4 + 4 * 5**3


def test_positions_have_room_for_every_pair_of_sheets():
    assert len({chance_cell(a, b) for a in range(0, SHEETS, 100) for b in range(SHEETS)}) == (
        13 * SHEETS
    )
    assert np.isfinite(solve.new_table()).all()


@pytest.mark.parametrize("aim", [RANDOM, AIM_OWN, AIM_MARGIN, AIM_CAUTIOUS, AIM_RACE])
def test_a_late_position_of_two_strategies_has_the_equations_solution(aim):
    setup = setup_of(2)
    table = solve.new_table()
    view = solve.new_view(setup)
    number = number_of_columns((5, 4, 4, 4))
    show_position(view, number, number)
    desks = new_desk(setup), new_desk(setup)
    prepare_side(view, 0, aim, aim, table, desks[0])
    prepare_side(view, 1, aim, aim, table, desks[1])
    chance, other = solve.solve_pair(*desks)
    assert chance == pytest.approx(play_on(desks[0], 1 - other), abs=1e-13)
    assert other == pytest.approx(play_on(desks[1], 1 - chance), abs=1e-13)
    assert chance == pytest.approx(other, abs=1e-12)  # both sheets are alike
    assert 0.5 - 1e-12 < chance < 1


@pytest.mark.parametrize("sheets", [((5, 4, 4, 4), (5, 4, 4, 4)), ((4, 4, 3, 3), (5, 3, 1, 0))])
def test_a_turn_of_random_is_the_referees_plain_roll(sheets):
    """Dice set aside unseen are as one plain roll; a bound cap leaves out an emptiest column."""
    setup = setup_of(2)
    view = solve.new_view(setup)
    show_position(view, *(number_of_columns(one) for one in sheets))
    _, table = solved()
    desk = new_desk(setup)
    prepare_side(view, 0, RANDOM, RANDOM, table, desk)
    owned = ["pig", "mouse"]
    start = [sheet_of(name, one) for name, one in zip("AB", sheets, strict=True)]
    rulings = referee.read_rulings({}, 2)
    line, stays = 0.0, 0.0
    for roll, chance in referee.roll_law(referee.SYMBOLS, 6).items():
        ties = [{}]
        leaders = referee.leading_animals(roll)
        offered = referee.boxes_offered(roll)
        if sum(offered.values()) == 4 and leaders[0] in owned:
            seat = owned.index(leaders[0])
            if sum(referee.boxes_open(offered, start[seat]).values()) == 4:
                least = min(start[seat][column] for column in offered)
                ties = [{seat: [c]} for c in offered if start[seat][c] == least]
        for forgo in ties:
            outcome = referee.evaluate(owned, start, 0, roll, rulings, forgo)
            share = float(chance) / len(ties)
            if outcome["winners"]:
                line += share * (0 in outcome["winners"]) / len(outcome["winners"])
            elif outcome["marks"] == start:
                stays += share
            else:
                numbers = [
                    number_of_columns([outcome["marks"][seat][c] for c in COLUMNS[name]])
                    for seat, name in enumerate("AB")
                ]
                line += share * (1 - table[chance_cell(numbers[1], numbers[0])])
    assert desk.line[1] == pytest.approx(line, abs=1e-13)
    assert desk.line[2] == pytest.approx(stays, abs=1e-13)


@cache
def best_result_values(mine, theirs):
    """Return the referee's outcome of every six dice as ``(value, next)``: see `slow_value`."""
    owned = ["pig", "mouse"]
    start = [sheet_of("A", mine), sheet_of("B", theirs)]
    rulings = referee.read_rulings({}, 2)
    found = {}
    for roll in referee.roll_law(referee.SYMBOLS, 6):
        choices = [{}]
        offered = {} if referee.is_void(roll) else referee.boxes_offered(roll)
        leaders = referee.leading_animals(roll)
        if sum(offered.values()) == 4 and leaders[0] in owned:
            seat = owned.index(leaders[0])
            choices = [{seat: [column]} for column in offered]
        ends = []
        for forgo in choices:
            outcome = referee.evaluate(owned, start, 0, roll, rulings, forgo)
            sheets = tuple(
                tuple(outcome["marks"][seat][c] for c in COLUMNS[name])
                for seat, name in enumerate("AB")
            )
            ends.append((tuple(outcome["winners"]), sheets))
        found[roll] = ends, leaders
    return found


def turn_value(mine, theirs, after, stay):
    """Return the mover's best chance by the referee: its exact turn over what a result leads to."""
    values = best_result_values(mine, theirs)

    def worth(winners, sheets):
        if winners:
            return (0 in winners) / len(winners)
        return stay if sheets == (mine, theirs) else 1 - after(sheets[1], sheets[0])

    def value(kept):
        ends, leaders = values[kept]
        chances = [worth(*end) for end in ends]
        return max(chances) if leaders[:1] == ["pig"] else min(chances)

    memo = {}

    def before(kept, sizes):
        if not sizes:
            return value(kept)
        if (kept, sizes) not in memo:
            total = 0.0
            for roll, chance in referee.roll_law(referee.SYMBOLS, sum(sizes)).items():
                keeps = referee.legal_moves({"roll": list(roll), "sizes_left": list(sizes)})
                total += float(chance) * max(
                    before(
                        referee.multiset((*kept, *keep)),
                        tuple(size for size in sizes if size != len(keep)),
                    )
                    for keep in keeps
                )
            memo[kept, sizes] = total
        return memo[kept, sizes]

    return before((), (1, 2, 3))


def test_late_positions_are_what_a_slow_recursion_over_the_referee_gives():
    """Both players' turns of a late position, from the referee's rules alone.

    The positions after it come from the table, but the last ones of all have none after them.
    """
    _, table = solved()
    rng = random.Random(4)
    late = [((5, 4, 4, 4), (5, 4, 4, 4))]
    if FULL:
        late += [((5, 4, 4, 3), (4, 4, 4, 4)), ((5, 3, 2, 0), (3, 5, 1, 1))]
        late += [
            tuple(tuple(rng.choice((2, 3, 4)) for _ in range(4)) for _ in range(2))
            for _ in range(2)
        ]

    def chance(mine, theirs):
        return float(table[chance_cell(number_of_columns(mine), number_of_columns(theirs))])

    for mine, theirs in late:
        for mover, other in {(mine, theirs), (theirs, mine)}:
            slow = turn_value(mover, other, chance, 1 - chance(other, mover))
            assert slow == pytest.approx(chance(mover, other), abs=1e-12)


def test_the_value_of_the_game():
    _, table = solved()
    assert solve.start_chance(table) == pytest.approx(START, abs=5e-11)


def test_every_position_satisfies_its_own_equation():
    setup, table = solved()
    assert solve.residual(setup, table) < 1e-13


def test_one_box_more_is_always_worth_something():
    _, table = solved()
    assert -1e-5 < solve.worst_step(table) < -1e-7


def test_a_table_that_is_wrong_in_one_place_is_found_out():
    setup, table = solved()
    wrong = table.copy()
    cell = chance_cell(number_of_columns((3, 2, 1, 0)), number_of_columns((1, 3, 2, 0)))
    wrong[cell] += 1e-6
    assert solve.residual(setup, wrong) > 9e-7


def test_random_against_itself_gains_nothing_by_starting():
    found = solver.solve_versus(["random", "random"], full_rulings(), print)
    assert found.first == pytest.approx(0.5, abs=1e-13)
    assert found.second == pytest.approx(0.5, abs=1e-13)


def full_rulings(**given):
    from analyzer import registry

    return registry.load("tierisch").complete(given)


@needs_full
@pytest.mark.parametrize("names", EXACT)
def test_exact_chances_of_strategies(names):
    found = solver.solve_versus(names, full_rulings(), print)
    assert (found.first, found.second) == pytest.approx(EXACT[names], abs=5e-10)


@needs_full
def test_no_best_response_gains_against_optimal_play():
    setup, table = solved()
    mine, _ = solve.solve_versus(setup, BEST, AIM_WIN, solve.win_table(setup, table))
    assert solve.start_chance(mine) == pytest.approx(solve.start_chance(table), abs=1e-11)


@pytest.mark.parametrize("ruling", [{"box_cap": 0}, {"simultaneous_win": "active_first"}])
@needs_full
def test_other_rulings_are_solved_too(ruling):
    setup, table = solved(**ruling)
    assert solve.residual(setup, table) < 1e-13
    assert abs(solve.start_chance(table) - START) > 1e-6


@needs_full
@pytest.mark.parametrize("rival", ["optimal", "own", "random"])
def test_simulated_optimal_play_meets_the_exact_chance(rival):
    setup, table = solved()
    exact = solver.solve_versus(["optimal", rival], full_rulings(), print)
    games = 1_000_000 // 8
    credit = 0
    tables = solve.with_wins(with_policies(setup), table)
    for part in range(8):
        game = Game(["optimal", rival], games, tables, first=part * games)
        credit += game.total(tally.CREDIT)
    rate = credit / (8 * games) / CREDIT_UNIT
    error = (exact.first * (1 - exact.first) / (8 * games)) ** 0.5
    assert abs(rate - exact.first) < 4 * error


def test_simulated_strategies_split_as_the_exact_seat_values_say():
    """A mirror match of `own`: the seat that starts wins its exact share."""
    games = 200_000 if FULL else 20_000
    game = Game(["own", "own"], games, with_policies(setup_of(2)))
    rate = game.total(tally.CREDIT) / games / CREDIT_UNIT
    exact = EXACT["own", "own"][0]
    assert abs(rate - exact) < 4 * (exact * (1 - exact) / games) ** 0.5


def test_simulated_optimal_play_in_a_short_match():
    setup, table = solved()
    games = 300
    game = Game(["optimal", "optimal"], games, solve.with_wins(setup, table))
    rate = game.total(tally.CREDIT) / games / CREDIT_UNIT
    assert abs(rate - START) < 4 * (START * (1 - START) / games) ** 0.5


def test_optimal_without_the_solved_game_makes_no_legal_move():
    assert Game(["optimal", "random"], 1).status != 0
