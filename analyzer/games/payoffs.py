"""Who won and who scored what in a run, block by block: the same for every game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from analyzer.games.base import GameSpec


@dataclass(frozen=True)
class Payoffs:
    """What comparisons are made of.

    Attributes
    ----------
    credit
        int64, shape ``(blocks, seats)``: win credit in 1/CREDIT_UNIT.
    games
        int64, shape ``(blocks,)``: the games that could be won.
    score
        int64, shape ``(blocks, seats)``.
    scored
        int64, shape ``(blocks,)``: what a mean score in points is a mean over.
    """

    credit: np.ndarray
    games: np.ndarray
    score: np.ndarray
    scored: np.ndarray


def payoffs(spec: GameSpec, sums: np.ndarray, rulings: Mapping[str, Any]) -> Payoffs:
    """Return the payoffs of a run.

    Parameters
    ----------
    spec, rulings
        The game; complete and canonical.
    sums
        int64, shape ``(blocks, cells)``.
    """
    kernel = spec.kernel()
    games, scored = (
        kernel.part("games", sums) if counted is None else counted(sums, rulings)
        for counted in (spec.counted_games, spec.counted_scores)
    )
    credit, score = kernel.part("credit", sums), kernel.part("score", sums)
    return Payoffs(credit, games, score, scored * kernel.score_unit)
