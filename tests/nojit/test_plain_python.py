"""The kernels as plain Python (``NUMBA_DISABLE_JIT=1``) and with every index checked.

`make test-nojit` runs this file in both modes; in the ordinary suite the same tests run compiled. What
they print of a game must be the same three times.
"""

from __future__ import annotations

import random
import warnings

import pytest

from analyzer import registry
from analyzer.games import all_aboard
from kernels.boats import tally
from tests.boats.aa_cases import ENUMERATED, logged_game, random_position, random_rulings
from tests.oracle import all_aboard as referee


@pytest.mark.parametrize("case", range(6))
def test_all_aboard_game_agrees_with_the_referee(case):
    dice = random.Random(100 + case)
    players = 2 + case % 4
    rulings = random_rulings(dice, list(ENUMERATED))
    lineup = [dice.choice(all_aboard.SPEC.strategies) for _ in range(players)]
    with warnings.catch_warnings():
        # An overflow that nobody meant is a warning without the JIT.
        warnings.simplefilter("error", RuntimeWarning)
        game = logged_game(dice.getrandbits(64), case, players, rulings, lineup)
    judged = referee.replay(game.setup, game.moves)
    assert game.row[tally.ROW_SCORE : tally.ROW_SCORE + players].tolist() == judged["totals"]


@pytest.mark.parametrize("case", range(30))
def test_all_aboard_position_agrees_with_the_referee(case):
    position = random_position(random.Random(case))
    ours = all_aboard.resolve(position)
    theirs = referee.resolve(position)
    for key in ("boats", "kept", "cupids", "score"):
        assert ours[key] == theirs[key]


def test_every_game_is_in_the_registry_once():
    names = registry.names()
    assert len(names) == len(set(names))
