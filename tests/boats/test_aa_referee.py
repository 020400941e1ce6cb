"""All Aboard!: the kernel against the independent referee, on positions and on whole games."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.cache import kernel_module
from analyzer.games import all_aboard
from tests.boats.aa_cases import ENUMERATED, logged_game, random_position, random_rulings
from tests.oracle import all_aboard as referee

FULL = bool(os.environ.get("ANALYZER_FULL"))
POSITIONS = 100_000 if FULL else 400
GAMES = 3_000 if FULL else 60
VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "all-aboard.json").read_text())
JUDGED = ("boats", "kept", "cupids", "score")


def judge(position: dict) -> tuple[dict, dict]:
    """Return what the kernel and what the referee make of a position."""
    ours = all_aboard.resolve(position)
    theirs = referee.resolve(position)
    return {key: ours[key] for key in JUDGED}, {key: theirs[key] for key in JUDGED}


@settings(max_examples=POSITIONS, deadline=None, derandomize=not FULL)
@given(st.randoms(use_true_random=False))
def test_kernel_and_referee_agree_on_random_positions(dice):
    position = random_position(dice)
    ours, theirs = judge(position)
    assert ours == theirs, json.dumps(position)


CASES = [
    pytest.param(vector["position"], extra["rulings"], extra["expect"], id=f"{vector['name']}{k}")
    for vector in VECTORS["vectors"]
    for k, extra in enumerate(
        [{"rulings": {}, "expect": vector["expect"]}, *vector.get("variants", [])]
    )
]


@pytest.mark.parametrize(("position", "rulings", "expect"), CASES)
def test_vector_through_the_kernel(position, rulings, expect):
    given_rulings = {**position.get("rulings", {}), **rulings}
    outcome = all_aboard.resolve({**position, "rulings": given_rulings})
    assert {key: outcome[key] for key in expect} == expect


@pytest.mark.parametrize("case", range(GAMES))
def test_referee_confirms_whole_games(case):
    dice = random.Random(case)
    players = 2 + case % 4
    rulings = random_rulings(dice, list(ENUMERATED))
    names = list(all_aboard.SPEC.strategies)
    lineup = [dice.choice(names) if case % 3 else "random" for _ in range(players)]
    game = logged_game(dice.getrandbits(64), dice.getrandbits(40), players, rulings, lineup)
    judged = referee.replay(game.setup, game.moves)
    tally = kernel_module("kernels.boats.tally")
    unit = kernel_module("kernels.abi").CREDIT_UNIT

    def columns(first):
        return game.row[first : first + players].tolist()

    assert columns(tally.ROW_SCORE) == judged["totals"]
    assert columns(tally.ROW_CUPIDS) == judged["cupids"]
    assert columns(tally.ROW_SAVED) == judged["saved"]
    assert columns(tally.ROW_CREDIT) == [unit * share for share in judged["credit"]]
    leaders = [sum(1 << seat for seat in round_) for round_ in judged["leaders"]]
    assert game.row[tally.ROW_LEADERS : tally.ROW_LEADERS + 4].tolist() == leaders
    assert game.row[tally.ROW_START] == game.setup["start"]
