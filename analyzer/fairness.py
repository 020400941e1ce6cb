"""Who wins in a run: seats and what players are dealt, tested for equal worth; the first and the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.games.payoffs import payoffs
from analyzer.lineup import compact
from analyzer.scenario import Scenario
from reports.paired import Arm, paired_difference
from reports.study import FAIR, MIXED, UNEVEN, UNSURE

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.games.summary import Summary


def seat_rows(scenario: Scenario, sums: np.ndarray, margin: float) -> pd.DataFrame:
    """Return the seats with the test of their fairness.

    With one strategy on every seat each seat should win an equal share. It does, to within the
    margin, where both one-sided tests say so (TOST): where the interval of level ``2c - 1`` lies
    within the margin. It does not where its interval of level ``1 - (1 - c) / players`` (Bonferroni)
    excludes the equal share.
    """
    import pandas as pd

    seats = len(scenario.players)
    plain = _estimates(scenario, sums, scenario.confidence).seats()
    equal, sure = (one.seats() for one in _tested(scenario, sums, seats))
    rates = [seat["win_rate"] for seat in plain]
    known = len(rates) > 0 and all(rate is not None for rate in rates)
    expected = sum(rates) / seats if known else None
    rows = []
    for seat, (one, near, far) in enumerate(zip(plain, equal, sure, strict=True)):
        row = {
            "lineup": compact(scenario.players),
            "seat": seat,
            "strategy": scenario.players[seat],
            **bounded("win_rate", one["win_rate"], one["win_rate_ci"]),
            **bounded("mean_score", one["mean_score"], one["mean_score_ci"]),
            "expected": expected,
            **bounded("difference", one["win_rate"], near["win_rate_ci"], minus=expected),
            "finding": MIXED,
            "games": scenario.games,
        }
        if len(set(scenario.players)) == 1:
            row["finding"] = _finding(expected, near["win_rate_ci"], far["win_rate_ci"], margin)
        rows.append(row)
    return pd.DataFrame(rows)


def dealt_rows(scenario: Scenario, sums: np.ndarray, margin: float, stem: str) -> pd.DataFrame:
    """Return the things that players are dealt with the test of their fairness, as for seats.

    Parameters
    ----------
    scenario, sums
        What was played, one strategy on every seat.
    margin
        How far from an equal share a thing may be.
    stem
        Of the win rates of whoever has each thing; those that nobody had are left out.

    Notes
    -----
    An equal share is the average win rate, each thing counted as often as somebody had it.
    """
    import pandas as pd

    def of(summary: Summary) -> dict[str, dict[str, Any]]:
        return {
            name.partition(".")[2]: metric
            for name, metric in summary.metrics().items()
            if name.partition(".")[0] == stem and metric["n"]
        }

    plain = of(_estimates(scenario, sums, scenario.confidence))
    if not plain:
        return pd.DataFrame()
    equal, sure = (of(one) for one in _tested(scenario, sums, len(plain)))
    trials = sum(one["n"] for one in plain.values())
    expected = sum(one["value"] * one["n"] for one in plain.values()) / trials
    return pd.DataFrame(
        [
            {
                "of": thing,
                **bounded("win_rate", one["value"], one["ci"]),
                "expected": expected,
                **bounded("difference", one["value"], equal[thing]["ci"], minus=expected),
                "finding": _finding(expected, equal[thing]["ci"], sure[thing]["ci"], margin),
                "n": one["n"],
            }
            for thing, one in plain.items()
        ]
    )


def _estimates(scenario: Scenario, sums: np.ndarray, level: float) -> Summary:
    return scenario.spec.estimates(sums, len(scenario.players), scenario.rulings, level)


def _tested(scenario: Scenario, sums: np.ndarray, compared: int) -> tuple[Summary, Summary]:
    """Return the estimates with the intervals of both one-sided tests, and of Bonferroni's."""
    level = scenario.confidence
    levels = max(2 * level - 1, 0.5), 1 - (1 - level) / compared
    equal, sure = (_estimates(scenario, sums, one) for one in levels)
    return equal, sure


def _finding(
    expected: float | None, equal: Sequence[Any], sure: Sequence[Any], margin: float
) -> str:
    if expected is None or None in (*equal, *sure):
        return UNSURE
    if equal[0] >= expected - margin and equal[1] <= expected + margin:
        return FAIR
    if sure[0] > expected or sure[1] < expected:
        return UNEVEN
    return UNSURE


def first_and_next(scenario: Scenario, sums: np.ndarray) -> pd.DataFrame:
    """Return one row: the ``seat`` that wins most, the ``next_seat``, and how far it is ``ahead``.

    Both play the same games, so their difference is that of every block.
    """
    import pandas as pd

    part = payoffs(scenario.spec, sums, scenario.rulings)
    totals = part.credit.sum(axis=0)[: len(scenario.players)]
    first, second = (int(seat) for seat in np.argsort(-totals, kind="stable")[:2])
    arms = [Arm(part.credit[:, seat], part.games) for seat in (first, second)]
    ahead = paired_difference(
        *arms,
        scenario.confidence,
        unit=kernel_module("kernels.abi").CREDIT_UNIT,
        share=True,
        played=int(part.games.sum()),
    )
    row = {
        "seat": first,
        "next_seat": second,
        **bounded("ahead", ahead.value, ahead.interval),
        "p": ahead.p,
    }
    return pd.DataFrame([row])


def bounded(
    name: str, value: float | None, interval: Sequence[Any], *, minus: float | None = 0.0
) -> dict[str, Any]:
    """Return a number and the bounds of its interval, less another number, as a row holds them."""
    found = {name: value, f"{name}_low": interval[0], f"{name}_high": interval[1]}
    return {
        key: None if one is None or minus is None else one - minus for key, one in found.items()
    }
