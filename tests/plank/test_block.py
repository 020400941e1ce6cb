"""Blocks of plank games: determinism, counts, and what stops them."""

from __future__ import annotations

import numpy as np
import pytest
from numba import config

from kernels.abi import FAULT_GAME, FAULT_MOVE, FAULT_SEAT, ILLEGAL_MOVE, LOG_FULL, OK
from kernels.events import logged
from kernels.plank import events, play, tally
from kernels.plank import planke_setup as setup_
from kernels.plank import position as pos
from kernels.plank import table as at
from kernels.plank import view as see
from tests.plank import helpers

GAMES = 20 if config.DISABLE_JIT else 400
ROUNDS = {"rounds": 3, "round_starter": "winner", "start_player": "random"}


@pytest.mark.parametrize("rulings", [{}, ROUNDS, {"plank_length": 40}])
def test_totals_do_not_depend_on_how_the_games_are_split_into_blocks(rulings):
    names = ["random", "greedy", "random"]
    whole = helpers.play(names, GAMES, first=5, rulings=rulings).sums
    for parts in ([1, GAMES - 1], [GAMES // 4] * 4):
        first, total = 5, np.zeros_like(whole)
        for games in parts:
            total += helpers.play(names, games, first=first, rulings=rulings).sums
            first += games
        assert (total == whole).all()


def test_rows_add_up_to_the_sums():
    block = helpers.play(["random"] * 4, GAMES, with_rows=True)
    rows = block.rows
    assert len(rows) == GAMES
    for row_cell, sum_cell in ((tally.ROW_CREDIT, tally.CREDIT), (tally.ROW_SCORE, tally.SCORE)):
        columns = rows[:, row_cell : row_cell + 4]
        assert columns.sum(0).tolist() == block.sums[sum_cell : sum_cell + 4].tolist()
    assert rows[:, tally.ROW_TURNS].sum() == block.sums[tally.TURNS]
    assert rows[:, tally.ROW_ON_ROSE].sum() == block.sums[tally.ENDED_ON_ROSE]
    digests = rows[:, tally.ROW_DIGEST]
    assert digests.sum() == block.sums[tally.DIGEST]
    assert len(set(digests.tolist())) == GAMES


def test_the_seed_decides():
    names = ["random"] * 4
    assert (helpers.play(names, 50).sums == helpers.play(names, 50).sums).all()
    other = helpers.play(names, 50, seed=8).sums
    assert other[tally.DIGEST] != helpers.play(names, 50).sums[tally.DIGEST]


def chance_of(block):
    """The stones and spins of a logged game."""
    stones = [row[1:3] for row in block.log.tolist() if row[0] == events.STONE]
    spins = [row[2:4] for row in block.log.tolist() if row[0] == events.TURN]
    return stones, spins


def test_a_strategy_moves_no_stone_and_no_spin():
    rulings = {"start_player": "random", "rounds": 2}
    calm = chance_of(helpers.play(["greedy"] * 3, first=3, rulings=rulings, log_events=9000))
    wild = chance_of(helpers.play(["random"] * 3, first=3, rulings=rulings, log_events=9000))
    assert calm[0] == wild[0]
    rounds = [{"start_player": "random"}] * 2
    first = [chance_of(helpers.play([name] * 3, first=3, rulings=one, log_events=9000))[1]
             for name, one in zip(("greedy", "random"), rounds, strict=True)]  # fmt: skip
    both = min(len(spins) for spins in first)
    assert both > 15
    assert first[0][:both] == first[1][:both]
    assert calm[1][:both] == first[0][:both]


def test_the_spins_of_a_later_round_do_not_depend_on_the_length_of_an_earlier_one():
    def second_round(name):
        log = helpers.play([name] * 2, rulings={"rounds": 2}, log_events=9000).log.tolist()
        start = [k for k, row in enumerate(log) if row[0] == events.ROUND][1]
        return [row[2:4] for row in log[start:] if row[0] == events.TURN]

    calm, wild = second_round("greedy"), second_round("random")
    both = min(len(calm), len(wild))
    assert both > 15
    assert calm[:both] == wild[:both]


def test_the_log_changes_nothing():
    names = ["random", "vandal"]
    quiet = helpers.play(names, first=9)
    told = helpers.play(names, first=9, log_events=9000)
    assert (quiet.sums == told.sums).all()


@see.DOOR.strategy
def stalling(view, legal, stream):
    """Lift the foremost pirate to the ship end whenever possible, else do as little as possible."""
    plank = view[see.PLANK]
    action = see.first_action(view, legal)
    if see.may_choose(legal, see.MOVE1) and see.is_free(legal, see.LAST):
        foremost = 0
        for cell in range(view[see.LENGTH]):
            if plank >> cell & 1:
                foremost = cell
        action = see.move_action(foremost, see.LAST)
    rows = see.row_starts(see.plank_after(view, legal, action))
    row = see.nth_cell(rows, 0)
    return see.move_of(action, row)


def test_a_game_that_would_not_end_is_stopped_counted_and_without_points():
    only_moves = [[0.0] * 4 for _ in range(4)]
    only_moves[2][2], only_moves[2][3], only_moves[3][3] = 0.98, 0.01, 0.01
    rulings = {"rose": only_moves, "plank_length": 40, "turn_cap": 500}
    block = helpers.play([stalling] * 2, 3, rulings=rulings, with_rows=True)
    assert block.status == OK
    assert block.sums[tally.CAPPED_GAMES] == block.sums[tally.CAPPED_ROUNDS] == 3
    assert block.sums[tally.VOID_GAMES] == block.sums[tally.NO_WINNER] == 3
    assert block.sums[tally.VOID_ROUNDS] == block.sums[tally.UNOWNED_SURVIVORS] == 0
    assert block.sums[tally.TURNS] == 1500
    assert block.sums[tally.LENGTHS + 500] == 3
    assert block.sums[tally.CREDIT : tally.SHARED_WINS].sum() == 0
    assert (block.rows[:, tally.ROW_SURVIVOR] == -1).all()


@see.DOOR.strategy
def row_in_the_water(view, legal, stream):
    """Play legally for three turns, then name a row that is none."""
    action = see.first_action(view, legal)
    rows = see.row_starts(see.plank_after(view, legal, action))
    row = see.nth_cell(rows, 0)
    if view[see.TURN] >= 3:
        row = view[see.LENGTH] - 1 if view[see.PLANK] >> view[see.LENGTH] - 2 & 1 else 62
    return see.move_of(action, row)


def test_an_illegal_move_stops_the_block_and_names_game_seat_and_move():
    names = ["random", row_in_the_water, "random", "random"]
    block = helpers.play(names, 4, first=11)
    assert block.status == ILLEGAL_MOVE
    assert block.scratch[FAULT_GAME] == 11
    assert block.scratch[FAULT_SEAT] == 1
    assert block.scratch[at.FAULT] == pos.NOT_A_ROW
    assert pos.row_of(block.scratch[FAULT_MOVE]) in (17, 62)


def test_a_log_that_is_too_short_is_reported():
    assert helpers.play(["random"] * 4, log_events=10).status == LOG_FULL


def test_no_game_needs_more_events_than_foreseen():
    rulings = {"turn_cap": 30, "rounds": 2}
    block = helpers.play(["random"] * 4, log_events=5000, rulings=rulings)
    assert len(block.log) <= play.most_events(2, 30)
    assert play.most_events(1, 10_000) <= play.MAX_EVENTS


@pytest.mark.parametrize("players", [2, 3, 4])
def test_void_games_are_those_of_unowned_survivors(players):
    block = helpers.play(["random"] * players, GAMES)
    sums = block.sums
    assert sums[tally.VOID_GAMES] == sums[tally.VOID_ROUNDS] == sums[tally.UNOWNED_SURVIVORS]
    assert sums[tally.NO_WINNER] == sums[tally.VOID_GAMES]
    credit = sums[tally.CREDIT : tally.CREDIT + players].sum()
    assert credit == 60 * (GAMES - sums[tally.VOID_GAMES])
    share = sums[tally.VOID_GAMES] / GAMES
    assert abs(share - (4 - players) / 4) < 0.1 or config.DISABLE_JIT


def test_the_view_tells_a_seat_its_own_stone_only():
    assert see.VIEW_CELLS == see.ENDGAME + 1 == see.ROSE + 16 + 1
    names = [name for name in see.__all__ if name.isupper()]
    assert {"OWN", "FALLEN", "POINTS"} <= set(names)
    assert not any("STONE" in name for name in names)


def test_the_setup_cells_are_the_registry():
    assert setup_.RULINGS == 14
    assert len(set(helpers.SETUP_CELL.values())) == len(helpers.SETUP_CELL)


def test_events_of_a_quiet_game_are_none():
    block = helpers.play(["random"] * 2)
    assert len(block.log) == 0
    assert logged(np.zeros(5, dtype=np.int64)).size == 0
