"""Whole games: against the referee, in blocks of any size, with all strategies and rulings."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import njit

from kernels.abi import CREDIT_UNIT, FAULT_GAME, FAULT_MOVE, FAULT_SEAT, ILLEGAL_MOVE, OK
from kernels.dice import play, policies, tally
from kernels.dice import view as see
from kernels.dice.strategies import STRATEGIES
from tests.dice.helpers import ANIMALS, FULL, Game, random_rulings, setup_of, told_game
from tests.oracle import tierisch as referee

BUILT_IN = [name for name in STRATEGIES if name != "optimal"]


@njit
def first_legal(view, legal):
    """Set aside one die, then two; forgo the first column: legal moves without a thought."""
    if view[see.DECISION] == see.FORGO_BOX:
        for column in range(5):
            if legal >> column & 1:
                return column
    left = 1 if view[see.ROLL_NUMBER] == 1 else 2
    move = 0
    for symbol in range(6):
        for _ in range(6):
            if left > 0 and view[see.ROLL] - move >> 4 * symbol & 15:
                move += 1 << 4 * symbol
                left -= 1
    return move


@see.DOOR.strategy
def forgetful(view, legal, stream):
    return first_legal(view, legal)


def check_against_referee(names, rulings, seed, number, animals=None):
    """Play one logged game and let the referee replay it."""
    setup = setup_of(len(names), rulings, animals)
    game = Game(names, 1, setup, seed, number, log_events=play.MAX_EVENTS)
    assert game.status == OK
    told, moves, turns, winners, scores = told_game(game, rulings)
    if game.total(tally.NO_WINNER):
        assert len(moves) == play.TURN_CAP
        return None
    verdict = referee.replay(told, moves)
    assert verdict["winners"] == winners
    assert verdict["turns"] == game.total(tally.TURNS) == len(moves)
    assert verdict["victory_points"] == [scores[seat] for seat in range(len(names))]
    for turn, expected in zip(turns, verdict["log"], strict=True):
        assert turn["void"] == expected["void"]
        marked = {seat: new for seat, new in enumerate(expected["marked"]) if new}
        assert turn["marked"] == marked
    row = game.rows[0]
    for seat in range(len(names)):
        assert row[tally.ROW_CREDIT + seat] == verdict["credit"][seat] * CREDIT_UNIT
        assert row[tally.ROW_SCORE + seat] == verdict["victory_points"][seat]
        assert row[tally.ROW_BOXES + seat] == sum(verdict["marks"][seat].values())
        assert row[tally.ROW_ANIMAL + seat] == ANIMALS.index(told["animals"][seat])
    check_totals(game, verdict, told)
    return verdict


def check_totals(game, verdict, told):
    """Compare the block sums of one game with the referee's log of it."""
    seats = len(told["animals"])
    log = verdict["log"]
    marks = [sum(sum(new.values()) for new in turn["marked"]) for turn in log]
    assert game.total(tally.VOIDS) == sum(turn["void"] for turn in log)
    assert game.total(tally.MARKS) == sum(marks)
    assert game.total(tally.MARKING_TURNS) == sum(count > 0 for count in marks)
    assert game.total(tally.DOUBLE_MARKS) == sum(
        sum(1 for new in turn["marked"] if new) > 1 for turn in log
    )
    assert game.total(tally.SHARED_WINS) == (len(verdict["winners"]) > 1)
    by_turn = [[0, 0] for _ in range(seats)]
    for turn in log:
        for seat, new in enumerate(turn["marked"]):
            by_turn[seat][turn["seat"] == seat] += sum(new.values())
    assert game.total(tally.BOXES, 2 * seats) == [count for pair in by_turn for count in pair]
    turns = [sum(turn["seat"] == seat for turn in log) for seat in range(seats)]
    assert game.total(tally.TURNS_BY_SEAT, seats) == turns
    for seat, animal in enumerate(told["animals"]):
        row = ANIMALS.index(animal)
        columns = game.total(tally.COLUMN_TOTALS + 5 * row, 5)
        assert columns == [verdict["marks"][seat][column] for column in ANIMALS]
        full = [int(boxes == referee.BOXES) for boxes in columns]
        assert game.total(tally.COMPLETED + 5 * row, 5) == full
    lost = 0
    sheets = [dict.fromkeys(ANIMALS, 0) for _ in range(seats)]
    for turn in log:
        if turn["void"]:
            leaders = referee.leading_animals(turn["kept"])
            for seat, animal in enumerate(told["animals"]):
                if animal in leaders:
                    open_boxes = referee.boxes_open(
                        referee.boxes_offered(turn["kept"]), sheets[seat]
                    )
                    lost += sum(open_boxes.values())
        for seat, new in enumerate(turn["marked"]):
            for column, boxes in new.items():
                sheets[seat][column] += boxes
    assert game.total(tally.LOST_TO_POLICE) == lost


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_games_with_any_rulings_are_what_the_referee_replays(players):
    rng = random.Random(players)
    ended = 0
    for number in range(2_000 if FULL else 60):
        rulings = random_rulings(rng, players)
        names = [rng.choice(["random", "random", forgetful]) for _ in range(players)]
        animals = rng.sample(ANIMALS, players) if rulings["animals"] == "fixed" else None
        ended += check_against_referee(names, rulings, 11, number, animals) is not None
    assert ended > 40


@pytest.mark.parametrize("name", BUILT_IN)
def test_games_of_a_strategy_are_what_the_referee_replays(name):
    for players in (2, 3, 4, 5):
        for number in range(50 if FULL else 3):
            check_against_referee([name] * players, {}, 5, number)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", BUILT_IN)
def test_a_strategy_plays_only_legal_moves(name, players):
    games = 200 if FULL else 20
    for names in ([name] * players, [name] + ["random"] * (players - 1)):
        game = Game(names, games)
        assert game.status == OK
        assert game.total(tally.GAMES) == games
        assert game.total(tally.NO_WINNER) == 0


@pytest.mark.parametrize("ruling", ["box_cap", "cap_choice", "vp_columns", "simultaneous_win"])
def test_strategies_play_legally_under_every_ruling(ruling):
    for name in BUILT_IN:
        rulings = {ruling: referee.RULINGS[ruling][1]}
        assert Game([name] * 3, 10, setup_of(3, rulings)).status == OK
        rulings["die_faces"] = ["pig", "pig", "mouse", "penguin", "dog", "cat", "police"]
        assert Game([name] * 3, 5, setup_of(3, rulings)).status == OK


@pytest.mark.parametrize("start", ["seat0", "random"])
def test_a_block_in_any_pieces_gives_the_same_sums(start):
    setup = setup_of(4, {"start_player": start})
    names = ["random", "forgetful", "random", "random"]
    lineup = [forgetful if name == "forgetful" else name for name in names]
    whole = Game(lineup, 60, setup)
    for pieces in ([1] * 60, [7, 13, 40], [59, 1], [30, 30]):
        sums = np.zeros_like(whole.sums)
        rows = []
        first = 0
        for games in pieces:
            part = Game(lineup, games, setup, first=first)
            sums += part.sums
            rows.append(part.rows)
            first += games
        assert (sums == whole.sums).all()
        assert (np.concatenate(rows) == whole.rows).all()


def test_a_logged_game_is_the_same_game():
    block = Game(["random"] * 5, 20)
    for number in range(20):
        alone = Game(["random"] * 5, 1, first=number, log_events=play.MAX_EVENTS)
        assert (alone.rows[0] == block.rows[number]).all()


def test_equal_games_have_different_digests_and_seeds_differ():
    digests = Game(["random"] * 2, 500).rows[:, tally.ROW_DIGEST]
    assert len(set(digests.tolist())) == 500
    assert Game(["random"] * 2, 5, seed=8).total(tally.DIGEST) != int(digests[:5].sum())


def test_a_strategy_moves_no_die_of_the_game():
    """The first roll of a turn is the same whoever plays; the animals are too."""
    rolls = []
    for names in (["random"] * 3, [forgetful] * 3):
        game = Game(names, 1, log_events=play.MAX_EVENTS)
        setup, *_ = told_game(game)
        rolls.append((setup["animals"], [turn[0] for turn in setup["rolls"]]))
    assert rolls[0][0] == rolls[1][0]
    shorter = min(len(rolls[0][1]), len(rolls[1][1]))
    assert rolls[0][1][:shorter] == rolls[1][1][:shorter]


@see.DOOR.strategy
def greedy_for_dice(view, legal, stream):
    """Keep every die, which is never allowed."""
    return view[see.ROLL]


@see.DOOR.strategy
def forgoes_anything(view, legal, stream):
    """Keep one die, then two; forgo a column that is not offered."""
    if view[see.DECISION] == see.FORGO_BOX:
        return 7
    return first_legal(view, legal)


@pytest.mark.parametrize(("cheat", "games"), [(greedy_for_dice, 1), (forgoes_anything, 200)])
def test_an_illegal_move_stops_the_block_and_is_described(cheat, games):
    game = Game(["random", cheat, "random"], games)
    assert game.status == ILLEGAL_MOVE
    assert game.scratch[FAULT_SEAT] == 1
    assert 0 <= game.scratch[FAULT_GAME] < games
    assert game.scratch[FAULT_MOVE] != 0


def test_a_game_that_cannot_end_stops_at_the_cap():
    setup = setup_of(3, {"die_faces": ["pig", "police"]})
    game = Game(["random"] * 3, 2, setup)
    assert game.status == OK
    assert game.total(tally.NO_WINNER) == 2
    assert game.total(tally.TURNS) == 2 * play.TURN_CAP
    assert game.total(tally.CREDIT, 3) == [0, 0, 0]


def test_shared_wins_share_the_credit():
    game = Game(["random"] * 5, 2000)
    credit = game.total(tally.CREDIT, 5)
    assert sum(credit) == 2000 * CREDIT_UNIT
    assert game.total(tally.SHARED_WINS) > 0
    first = Game(["random"] * 5, 2000, setup_of(5, {"simultaneous_win": "active_first"}))
    assert first.total(tally.SHARED_WINS) == 0
    assert sum(first.total(tally.CREDIT, 5)) == 2000 * CREDIT_UNIT


@pytest.mark.parametrize(
    ("name", "games"),
    [("random", 40_000), ("own", 40_000), ("cautious", 20_000), ("margin", 3_000)],
)
def test_no_animal_wins_more_often_than_another(name, games):
    """A match of a strategy against itself: whoever has the pig wins as often as the cat's owner."""
    games *= 5 if FULL else 1
    setup = policies.with_policies(setup_of(4)) if name in ("own", "cautious") else setup_of(4)
    game = Game([name] * 4, games, setup)
    dealt = game.total(tally.DEALT, 5)
    credit = game.total(tally.ANIMAL_CREDIT, 5)
    boxes = np.reshape(game.total(tally.ANIMAL_BOXES, 10), (5, 2)).sum(axis=1)
    for k in range(5):
        assert abs(credit[k] / CREDIT_UNIT / dealt[k] - 0.25) < 4 * (0.1875 / dealt[k]) ** 0.5
        assert abs(boxes[k] / dealt[k] - boxes.sum() / sum(dealt)) < 4 * 5 / dealt[k] ** 0.5


SCRIPT = """
import sys
from tests.dice.helpers import Game, setup_of
from kernels.dice import tally
setup = setup_of(4, {"start_player": "random"})
print(Game(["random", "own", "random", "random"], 4, setup).total(tally.DIGEST))
"""


@pytest.mark.parametrize("mode", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_other_ways_to_run_play_the_same_games(mode, tmp_path):
    if mode == "NUMBA_BOUNDSCHECK" and not FULL:
        pytest.skip("compiles everything again")
    root = Path(__file__).parents[2]
    env = {**os.environ, mode: "1", "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=env,
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    names = ["random", "own", "random", "random"]
    here = Game(names, 4, setup_of(4, {"start_player": "random"})).total(tally.DIGEST)
    assert int(done.stdout) == here
