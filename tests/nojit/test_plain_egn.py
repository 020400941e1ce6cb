"""Einer geht noch! as plain Python (``NUMBA_DISABLE_JIT=1``) and with every index checked.

`make test-nojit` runs this file in both modes; in the ordinary suite the same tests run compiled.
"""

from __future__ import annotations

import random
import warnings

import pytest

from kernels.boats import tally
from kernels.boats.egn_strategies import STRATEGIES
from tests.boats.block import play
from tests.boats.egn_cases import (
    RULINGS,
    logged_game,
    random_position,
    random_rulings,
    resolve,
)
from tests.oracle import einer_geht_noch as referee


@pytest.mark.parametrize("case", range(8))
def test_einer_geht_noch_game_agrees_with_the_referee(case):
    dice = random.Random(200 + case)
    players = 2 + case % 4
    rulings = random_rulings(dice, list(RULINGS))
    lineup = [dice.choice(list(STRATEGIES)) for _ in range(players)]
    with warnings.catch_warnings():
        # An overflow that nobody meant is a warning without the JIT.
        warnings.simplefilter("error", RuntimeWarning)
        game = logged_game(dice.getrandbits(64), case, rulings, lineup)
    judged = referee.replay(game.setup, game.moves)
    ours = game.result()
    assert ours == {key: judged[key] for key in ours}


@pytest.mark.parametrize("case", range(40))
def test_einer_geht_noch_position_agrees_with_the_referee(case):
    position = random_position(random.Random(case))
    theirs = referee.resolve(position)
    ours = resolve(position)
    assert ours == {key: theirs[key] for key in ours}


@pytest.mark.parametrize(
    ("players", "digest"), [(2, -4814834531065646543), (5, 5364306141252607772)]
)
def test_games_side_by_side_have_the_same_digest_in_every_mode(players, digest):
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        played = play("einer-geht-noch", ["random"] * players, {}, [(0, 40)])
    assert played.sums[tally.DIGEST] == digest
