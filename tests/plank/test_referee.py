"""The plank kernel against the independent referee: vectors, random positions, whole games."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from kernels.abi import CREDIT_UNIT, ILLEGAL_MOVE, OK
from kernels.plank import position as pos
from kernels.plank import tally
from tests.oracle import planke as referee
from tests.oracle.planke import COLOURS, IllegalMove, PositionError
from tests.plank import helpers

FULL = bool(os.environ.get("ANALYZER_FULL"))
POSITIONS = 100_000 if FULL else 600
GAMES = 400 if FULL else 12
VECTORS = json.loads(
    (Path(__file__).parents[1] / "vectors" / f"{referee.GAME}.json").read_text(encoding="utf-8")
)["vectors"]
COMPARED = ("plank", "after_choice", "fallen", "over", "survivor", "row_skipped")
#: Events of the longest game of these tests.
EVENTS = 20_000


def vector_cases():
    for vector in VECTORS:
        yield pytest.param(vector["position"], vector["expect"], id=vector["name"])
        for variant in vector.get("variants", []):
            rulings = variant["rulings"]
            name = ",".join(f"{key}={value}" for key, value in rulings.items())
            position = vector["position"] | {"rulings": rulings}
            yield pytest.param(position, variant["expect"], id=f"{vector['name']}[{name}]")


@pytest.mark.parametrize(("position", "expect"), list(vector_cases()))
def test_vector(position, expect):
    status, outcome = helpers.kernel_resolve(position)
    assert status == OK
    assert {key: outcome[key] for key in expect} == expect


def random_position(rng):
    plank = helpers.random_plank(rng)
    position = {
        "plank": plank,
        "symbols": [rng.choice(referee.SYMBOLS), rng.choice(referee.SYMBOLS)],
        "rulings": helpers.random_rulings(rng),
    }
    return position | helpers.random_move(rng, position)


def test_positions_come_out_as_the_referee_says_and_illegal_moves_are_refused():
    rng = helpers.seeded("positions")
    legal = 0
    for _ in range(POSITIONS):
        position = random_position(rng)
        status, outcome = helpers.kernel_resolve(position)
        try:
            expected = referee.resolve(position)
        except PositionError:
            assert status == ILLEGAL_MOVE, position
            assert outcome["fault"] != pos.FINE
            continue
        legal += 1
        assert status == OK, position
        assert outcome == {key: expected[key] for key in COMPARED}, position
    assert POSITIONS * 0.6 < legal < POSITIONS * 0.95


def every_move(length):
    """Every number that could be a move on a plank, cells beyond it and NOWHERE among them."""
    cells = [*range(length + 1), pos.NOWHERE]
    for symbol in range(pos.SYMBOLS):
        for at in cells:
            for other in cells:
                for row in range(length):
                    yield pos.move_of(pos.action_of(symbol, at, other), row)


def test_the_legal_moves_are_those_of_the_referee():
    rng = helpers.seeded("legal")
    for _ in range(POSITIONS // 40):
        plank = helpers.random_plank(rng, longest=8)
        symbols = [rng.choice(referee.SYMBOLS), rng.choice(referee.SYMBOLS)]
        state = {"plank": plank, "symbols": symbols, "rulings": helpers.random_rulings(rng)}
        view = helpers.position_of(**state)
        legal = pos.legal_set(view)
        expected = set()
        for move in referee.legal_moves(state):
            both = [move, move._replace(at=move.at[::-1])] if isinstance(move.at, tuple) else [move]
            # A turn whose action ends the game has no row: then any number is as good.
            rows = range(len(plank)) if move.row is None else [move.row]
            for one in both:
                action = one._replace(row=None)._asdict()
                expected |= {helpers.packed_move(action | {"row": row}) for row in rows}
        assert {
            move for move in every_move(len(plank)) if pos.is_legal(view, legal, move)
        } == expected
        first = pos.first_action(view, legal)
        assert first in {move & (1 << pos.ROW_SHIFT) - 1 for move in expected}


def game_cases():
    rng = helpers.seeded("games")
    yield 4, {}
    yield 2, {}
    for k in range(GAMES):
        rulings = helpers.random_rulings(rng, turn_only=False)
        rulings["plank_length"] = rng.choice([17, 18, 19, 24, 40])
        if rng.random() < 0.5:
            rulings["rounds"] = rng.randint(2, 4)
        if rng.random() < 0.3:
            rulings["turn_cap"] = rng.choice([20, 45, 60])
        if rng.random() < 0.3:
            rulings["rose"] = {"wheel": ["swap", "skull", "push1", "skull", "move1"], "distance": 2}
        if k % 4 == 3:
            weights = np.array([[rng.randint(0, 3) for _ in range(4)] for _ in range(4)], float)
            weights[3, 3] = weights[0, 3] = 1
            rulings["rose"] = (weights / weights.sum()).tolist()
        yield rng.choice([2, 3, 4]), rulings


@pytest.mark.parametrize(("players", "rulings"), list(game_cases()))
def test_a_logged_game_is_the_referees_game(players, rulings):
    names = ["random", "greedy", "vandal", "random"][:players]
    for game in range(4):
        block = helpers.play(names, first=game, rulings=rulings, log_events=EVENTS, with_rows=True)
        assert block.status == OK
        setup, moves, said = helpers.rebuild(block.log, rulings)
        replayed = referee.replay(setup, moves)
        check_rounds(said["rounds"], replayed["rounds"])
        assert helpers.credit_of(block.sums, players) == replayed["credit"]
        scores = block.sums[tally.SCORE : tally.SCORE + players]
        assert scores.tolist() == replayed["points"]
        check_sums(block.sums, replayed, setup, moves, rulings)
        check_row(block.rows[0], replayed, setup, rulings)


def check_rounds(told, rounds):
    assert len(told) == len(rounds)
    for mine, true in zip(told, rounds, strict=True):
        for key in ("start", "survivor", "fallen", "turns", "points"):
            assert mine[key] == true[key]
        assert mine["on_rose"] == (true["ended_on_rose"] and not true["capped"])
        assert mine["winner"] == true["winner_seat"]
        assert bool(mine["void"]) == (true["void"] and not true["capped"])


def check_sums(sums, replayed, setup, moves, rulings):
    """Every total of one game, from what the referee knows."""
    rounds = replayed["rounds"]
    ended = [one for one in rounds if not one["capped"]]
    stones = (
        setup["colours"] if len(rounds) > 1 or rulings.get("rounds", 1) > 1 else [setup["colours"]]
    )
    assert sums[tally.GAMES] == 1
    assert sums[tally.ROUNDS] == len(rounds)
    assert sums[tally.TURNS] == len(moves)
    assert sums[tally.CAPPED_ROUNDS] == len(rounds) - len(ended)
    assert sums[tally.CAPPED_GAMES] == any(one["capped"] for one in rounds)
    assert sums[tally.VOID_ROUNDS] == sum(one["void"] for one in ended)
    assert sums[tally.VOID_GAMES] == all(one["void"] for one in rounds)
    assert sums[tally.NO_WINNER] == (not replayed["winners"])
    assert sums[tally.SHARED_WINS] == (len(replayed["winners"]) > 1)
    assert sums[tally.ENDED_ON_ROSE] == sum(one["ended_on_rose"] for one in ended)
    unowned = [
        one for one, drawn in zip(rounds, stones, strict=True)
        if not one["capped"] and one["survivor"] not in drawn
    ]  # fmt: skip
    assert sums[tally.UNOWNED_SURVIVORS] == len(unowned)
    for k, colour in enumerate(COLOURS):
        survived = sum(one["survivor"] == colour for one in ended)
        assert sums[tally.SURVIVOR_COLOUR + k] == survived
    chosen = sums[tally.CHOSEN : tally.LAPSED].reshape(-1, 4, 4, 4)
    lapsed = 0
    for k, symbol in enumerate(referee.SYMBOLS):
        assert chosen[..., k].sum() == sum(one["chosen"][symbol] for one in rounds)
        lapsed += sums[tally.LAPSED + k]
    for seat in range(setup["players"]):
        assert chosen[seat].sum() == sum(move["seat"] == seat for move in moves)
    assert lapsed == sum(one["lapsed"] for one in rounds)
    falls = sum(len(one["fallen"]) for one in rounds)
    by_action = sums[tally.FALLS : tally.FALL_ORDER].reshape(2, 3)
    order = sums[tally.FALL_ORDER : tally.SURVIVOR_START].reshape(16, 16)
    assert by_action.sum() == order.sum() == falls
    for nth in range(15):
        fell = [one["fallen"][nth] for one in rounds if len(one["fallen"]) > nth]
        colours = order[nth].reshape(4, 4).sum(0)
        assert colours.tolist() == [fell.count(colour) for colour in COLOURS]
    assert (order.sum(0) <= len(rounds)).all()
    for seat in range(setup["players"]):
        booked = sums[tally.ROUND_POINTS + seat * 6 : tally.ROUND_POINTS + seat * 6 + 6]
        points = [one["points"][seat] for one in rounds]
        assert booked.tolist() == [points.count(value) for value in range(6)]


def check_row(row, replayed, setup, rulings):
    last = replayed["rounds"][-1]
    players = setup["players"]
    drawn = setup["colours"] if rulings.get("rounds", 1) == 1 else setup["colours"][-1]
    assert row[:players].tolist() == [int(c * CREDIT_UNIT) for c in replayed["credit"]]
    assert row[tally.ROW_SCORE :][:players].tolist() == replayed["points"]
    assert [COLOURS[k] for k in row[tally.ROW_STONE :][:players]] == drawn
    assert row[tally.ROW_TURNS] == sum(one["turns"] for one in replayed["rounds"])
    assert row[tally.ROW_START] == setup["start"]
    assert row[tally.ROW_UNDECIDED] == sum(one["void"] for one in replayed["rounds"])
    assert row[tally.ROW_CAPPED] == sum(one["capped"] for one in replayed["rounds"])
    if last["capped"]:
        assert row[tally.ROW_SURVIVOR] == -1
        return
    assert COLOURS[row[tally.ROW_SURVIVOR]] == last["survivor"]
    assert row[tally.ROW_ON_ROSE] == last["ended_on_rose"]
    for k, falls in enumerate((4, 8, 12)):
        left = [4 - last["fallen"][:falls].count(colour) for colour in drawn]
        leaders = sum(1 << seat for seat in range(players) if left[seat] == max(left))
        assert row[tally.ROW_LEADERS + k] == leaders


def test_a_log_that_stops_early_is_refused_by_the_referee():
    block = helpers.play(["random"] * 3, log_events=EVENTS)
    setup, moves, _ = helpers.rebuild(block.log)
    with pytest.raises((IllegalMove, PositionError)):
        referee.replay(setup, moves[:-1])
