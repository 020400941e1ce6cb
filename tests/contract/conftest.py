"""What strategies look up must be there before every strategy of every game is played."""

from __future__ import annotations

import pytest

from analyzer import registry
from analyzer.solvers import planke


@pytest.fixture(scope="session", autouse=True)
def solved_endgame():
    rulings = registry.load(planke.GAME).complete({})
    planke.solve(rulings, planke.fewest_and_most(rulings)[1], lambda text: None)
