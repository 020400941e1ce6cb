"""What changes from one run to another: every seat's win rate and score, and every metric."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from analyzer.simulate import RunResult
from reports.differences import group_edges, jackknifed_change
from reports.paired import Difference

SEAT_RATE = "win_rate.seat{}"
SEAT_SCORE = "mean_score.seat{}"


def quantities(summary: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the seats' win rates and scores, then all metrics, each ``{"value", "ci", …}``.

    Parameters
    ----------
    summary
        Result JSON, or what a game's `summarize` returns.
    """
    found: dict[str, dict[str, Any]] = {}
    for key, name in (("win_rate", SEAT_RATE), ("mean_score", SEAT_SCORE)):
        for seat in summary["seats"]:
            found[name.format(seat["seat"])] = {"value": seat[key], "ci": seat[f"{key}_ci"]}
    return {**found, **summary["metrics"]}


@dataclass(frozen=True)
class Outcome:
    """A run, its quantities, and what they are without each group of games."""

    result: RunResult

    @cached_property
    def values(self) -> dict[str, dict[str, Any]]:
        """Every quantity with its interval."""
        return quantities(self.result.document())

    @cached_property
    def without(self) -> dict[str, np.ndarray]:
        """Every quantity without each group of games, NaN where there is none then."""
        scenario = self.result.scenario
        edges = group_edges(len(self.result.sums))
        found = {name: np.full(len(edges), np.nan) for name in self.values}
        if len(edges) < 2:
            return found
        total = self.result.sums.sum(axis=0)
        for k, (first, end) in enumerate(edges):
            # One row: the values are those of all blocks, and no time is spent on intervals.
            summary = scenario.spec.summarize(
                (total - self.result.sums[first:end].sum(axis=0))[None],
                len(scenario.players),
                scenario.rulings,
                scenario.confidence,
            )
            for name, one in quantities(summary).items():
                if one["value"] is not None:
                    found[name][k] = one["value"]
        return found

    def change(self, name: str, other: Outcome) -> Difference:
        """Estimate how much a quantity differs in another run of the same deals (`other - self`).

        All is None where one of the runs does not have it, the error where they have not the same
        games.
        """
        mine, theirs = self.values.get(name), other.values.get(name)
        if mine is None or theirs is None or None in (mine["value"], theirs["value"]):
            return Difference(None, (None, None), None, None, 0, None)
        change = theirs["value"] - mine["value"]
        without, others = self.without[name], other.without[name]
        if len(without) != len(others):
            return Difference(change, (None, None), None, None, 0, None)
        return jackknifed_change(without, others, change, self.result.scenario.confidence)
