"""What every game's summary has in common: seats, rates and means from a run's block sums."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.games.base import SumField
from reports.estimates import Estimate, as_metric, mean, rate, win_rate


class Summary:
    """The estimates of one run.

    Parameters
    ----------
    sums
        int64, shape ``(blocks, cells)``.
    fields
        The named parts of the sums; ``games``, ``credit``, ``credit_squared`` and ``score`` are
        among them.
    players
        Number of seats.
    confidence
        Level of all intervals.
    score_unit
        How many units of the scores make a point.
    """

    def __init__(
        self,
        sums: np.ndarray,
        fields: Iterable[SumField],
        players: int,
        confidence: float,
        score_unit: int = 1,
    ) -> None:
        self.part = {one.name: one.of(sums) for one in fields}
        self.players = players
        self.confidence = confidence
        self.score_unit = score_unit
        self.games = self.part["games"]
        self.total_games = int(self.games.sum())
        #: What win rates are shares of, and what mean scores are over: a game may count fewer.
        self.counted_games = self.counted_scores = self.games
        self.unit = kernel_module("kernels.abi").CREDIT_UNIT

    def total(self, name: str) -> np.ndarray:
        """Return a part's total over all blocks."""
        return self.part[name].sum(axis=0)

    def document(self) -> dict[str, Any]:
        """Return ``seats``, ``metrics`` and ``tables`` of the Result JSON."""
        return {"seats": self.seats(), "metrics": self.metrics(), "tables": self.tables()}

    def metrics(self) -> dict[str, dict[str, Any]]:
        """Return every metric, in the order in which a reader wants them."""
        raise NotImplementedError

    def tables(self) -> dict[str, Any]:
        """Return the histograms and matrices, as integer totals or shares."""
        raise NotImplementedError

    def seats(self) -> list[dict[str, Any]]:
        """Return win rate and mean score of every seat."""
        seats = []
        for seat in range(self.players):
            wins, wins_ci = win_rate(
                int(self.total("credit")[seat]),
                int(self.total("credit_squared")[seat]),
                int(self.counted_games.sum()),
                self.unit,
                self.confidence,
            )
            scores = mean(self.part["score"][:, seat], self.counted_scores, self.confidence)
            score, score_ci = self.in_points(scores)
            seats.append(
                {
                    "seat": seat,
                    "win_rate": wins,
                    "win_rate_ci": list(wins_ci),
                    "mean_score": score,
                    "mean_score_ci": list(score_ci),
                }
            )
        return seats

    def in_points(self, estimate: Estimate) -> Estimate:
        """Return an estimate of scores in points."""
        value, (low, high) = estimate
        value, low, high = (one and one / self.score_unit for one in (value, low, high))
        return value, (low, high)

    def points_per_game(self, scores: np.ndarray) -> dict[str, Any]:
        """Return the mean a game, in points, of what is counted in units of the scores."""
        estimate = mean(scores, self.games, self.confidence, counts=True)
        return as_metric(self.in_points(estimate), self.total_games)

    def per_game(self, counts: np.ndarray) -> dict[str, Any]:
        """Return a count's mean a game."""
        return self.per(counts, self.games)

    def per(self, counts: np.ndarray, units: np.ndarray) -> dict[str, Any]:
        """Return a count's mean, as a ratio of totals."""
        return as_metric(mean(counts, units, self.confidence, counts=True), int(units.sum()))

    def share(self, hits: np.ndarray, trials: np.ndarray) -> dict[str, Any]:
        """Return a share of totals."""
        return as_metric(rate(hits, trials, self.confidence), int(trials.sum()))

    def credit_share(self, credit: np.ndarray, trials: np.ndarray) -> dict[str, Any]:
        """Return win credit as a share of the games in which it could be won."""
        estimate = rate(credit, trials * self.unit, self.confidence, unit=self.unit)
        return as_metric(estimate, int(trials.sum()))


def mean_leaders(sets: np.ndarray) -> float | None:
    """Return how many seats led on average; None where nothing was counted.

    Parameters
    ----------
    sets
        Integers: how often each set of seats led, at the bits of its seats.
    """
    times = int(sets.sum())
    led = int(np.bitwise_count(np.arange(len(sets))).astype(np.int64) @ sets)
    return led / times if times else None


def trimmed(counts: Iterable[int] | np.ndarray) -> list[int]:
    """Return a histogram without the empty bins at its end."""
    bins = [int(count) for count in counts]
    while len(bins) > 1 and not bins[-1]:
        bins.pop()
    return bins


def rectangle(rows: Sequence[Sequence[int]] | np.ndarray) -> list[list[int]]:
    """Return several histograms without the bins at the end that are empty in all of them."""
    counts = np.asarray(rows)
    return counts[:, : len(trimmed(counts.sum(axis=0)))].tolist()
