"""Gezanke auf der Planke! as plain Python (``NUMBA_DISABLE_JIT=1``) and with every index checked.

`make test-nojit` runs this file in both modes; in the ordinary suite the same tests run compiled.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from kernels.abi import OK
from kernels.plank import planke_setup as setup_
from kernels.plank import solve, tally
from tests.oracle import planke as referee
from tests.oracle.planke import PositionError
from tests.plank import helpers

KEYS = ("plank", "after_choice", "fallen", "over", "survivor", "row_skipped")


@pytest.mark.parametrize("case", range(60))
def test_a_position_agrees_with_the_referee(case):
    rng = helpers.seeded("plain", case)
    position = {
        "plank": helpers.random_plank(rng),
        "symbols": [rng.choice(referee.SYMBOLS), rng.choice(referee.SYMBOLS)],
        "rulings": helpers.random_rulings(rng),
    }
    position |= helpers.random_move(rng, position)
    status, outcome = helpers.kernel_resolve(position)
    try:
        expected = referee.resolve(position)
    except PositionError:
        assert status != OK
        return
    assert outcome == {key: expected[key] for key in KEYS}


@pytest.mark.parametrize("case", range(4))
def test_a_game_agrees_with_the_referee(case):
    rng = helpers.seeded("plain game", case)
    rulings = helpers.random_rulings(rng, turn_only=False)
    names = ["random", "vandal", "greedy"][: 2 + case % 2]
    with warnings.catch_warnings():
        # An overflow that nobody meant is a warning without the JIT.
        warnings.simplefilter("error", RuntimeWarning)
        block = helpers.play(names, first=case, rulings=rulings, log_events=9000)
    assert block.status == OK
    setup, moves, _ = helpers.rebuild(block.log, rulings)
    replayed = referee.replay(setup, moves)
    assert helpers.credit_of(block.sums, len(names)) == replayed["credit"]
    scores = block.sums[tally.SCORE : tally.SCORE + len(names)]
    assert scores.tolist() == replayed["points"]


@pytest.mark.parametrize(
    ("players", "digest"), [(2, -1536900896660770743), (4, -567691429181651973)]
)
def test_games_have_the_same_digest_in_every_mode(players, digest):
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        sums = helpers.play(["random"] * players, 4).sums
    assert sums[tally.DIGEST] == digest


def test_the_endgame_is_the_same_in_every_mode():
    setup = helpers.encode(2)
    setup[setup_.PLANK_LENGTH] = 5
    table = solve.solve_endgame(setup, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        block = helpers.play(["endgame", "random"], 1, table=table)
    assert block.status == OK
    assert int(np.sum(table)) == -7258413024841840112
