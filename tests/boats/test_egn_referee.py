"""Einer geht noch!: the kernel against the independent referee, on positions and on whole games."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.games import einer_geht_noch
from kernels.boats.egn_strategies import STRATEGIES
from tests.boats.egn_cases import (
    RULINGS,
    all_tiles,
    logged_game,
    random_position,
    random_rulings,
    resolve,
)
from tests.oracle import einer_geht_noch as referee

FULL = bool(os.environ.get("ANALYZER_FULL"))
POSITIONS = 100_000 if FULL else 500
GAMES = 3_000 if FULL else 80
VECTORS = json.loads(
    (Path(__file__).parents[1] / "vectors" / "einer-geht-noch.json").read_text(encoding="utf-8")
)
JUDGED = ("boats", "kept", "cupids", "score")


@settings(max_examples=POSITIONS, deadline=None, derandomize=not FULL)
@given(st.randoms(use_true_random=False))
def test_kernel_and_referee_agree_on_random_positions(dice):
    position = random_position(dice)
    theirs = referee.resolve(position)
    expected = {key: theirs[key] for key in JUDGED}
    assert resolve(position) == expected, json.dumps(position)
    told = einer_geht_noch.resolve(position)
    assert {key: told[key] for key in JUDGED} == expected, json.dumps(position)


CASES = [
    pytest.param(vector["position"], extra["rulings"], extra["expect"], id=f"{vector['name']}-{k}")
    for vector in VECTORS["vectors"]
    for k, extra in enumerate([{"rulings": {}, "expect": vector["expect"]}, *vector["variants"]])
]


@pytest.mark.parametrize(("position", "rulings", "expect"), CASES)
def test_vector_through_the_kernel(position, rulings, expect):
    outcome = resolve({**position, "rulings": rulings})
    assert {key: outcome[key] for key in expect} == expect


def test_a_mouse_without_a_tile_to_draw_is_an_error():
    animals = [["mouse", "A"], ["elephant", "B"]]
    position = {"players": ["A", "B"], "boats": [{"capacity": 9, "animals": animals}]}
    with pytest.raises(referee.PositionError, match="draws"):
        resolve(position)


def test_short_cupids_go_to_the_lighter_foxes_before_heavy_peacocks():
    animals = [["peacock", "A"], ["peacock", "B"], ["fox", "A"], ["fox", "C"]]
    position = {
        "players": ["A", "B", "C"],
        "boats": [{"capacity": 40, "animals": animals}],
        "cupids_left": 2,
        "rulings": {"peacock_weight": 3},
    }
    assert resolve(position)["cupids"] == {"A": 1, "B": 0, "C": 1}


@pytest.mark.parametrize("case", range(GAMES))
def test_referee_confirms_whole_games(case):
    dice = random.Random(case)
    players = 2 + case % 4
    rulings = random_rulings(dice, list(RULINGS)) if case % 2 else {}
    names = ["random"] if case % 3 == 0 else list(STRATEGIES)
    lineup = [dice.choice(names) for _ in range(players)]
    tiles = dice.choice([None, None, all_tiles(3), [dice.randint(0, 30) for _ in range(30)]])
    if tiles:
        rulings["tile_deck"] = tiles
    game = logged_game(dice.getrandbits(64), dice.getrandbits(39), rulings, lineup)
    judged = referee.replay(game.setup, game.moves)
    ours = game.result()
    assert ours == {key: judged[key] for key in ours}
