"""Play baselines again: are the games the same, and if not, has what they show stayed within its margins?

Tier one is exact: the same seeds must give the same sums in every block. Only where they do not, tier two
compares statistically (`reports.gates`), on more games each time a gate stays open, as the scenario
planned it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from analyzer.baseline import (
    BLOCKS,
    Baseline,
    load,
    play_blocks,
    play_fingerprints,
)
from analyzer.changes import Outcome
from analyzer.engines.job import Engine
from analyzer.errors import (
    EXIT_BASELINE,
    EXIT_INCONCLUSIVE,
    EXIT_NONDETERMINISM,
    EXIT_OK,
    EXIT_REGRESSION,
    BaselineError,
    UsageError,
)
from analyzer.progress import Progress, uncounted
from reports.gates import INCONCLUSIVE, SHIFT, WITHIN_MARGIN, judge
from reports.paired import Difference

IDENTICAL = "IDENTICAL"
INCOMPATIBLE = "INCOMPATIBLE"
NONDETERMINISTIC = "NONDETERMINISTIC"

EXIT_CODES = {
    IDENTICAL: EXIT_OK,
    WITHIN_MARGIN: EXIT_OK,
    INCONCLUSIVE: EXIT_INCONCLUSIVE,
    SHIFT: EXIT_REGRESSION,
    INCOMPATIBLE: EXIT_BASELINE,
    NONDETERMINISTIC: EXIT_NONDETERMINISM,
}
#: What counts when several baselines differ, the gravest first.
_GRAVITY = (NONDETERMINISTIC, SHIFT, INCOMPATIBLE, INCONCLUSIVE, WITHIN_MARGIN, IDENTICAL)


@dataclass(frozen=True)
class Judged:
    """One gated metric."""

    name: str
    verdict: str
    change: Difference
    p: float | None
    recorded: float | None
    now: float | None
    delta: float

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "metric": self.name,
            "verdict": self.verdict,
            "recorded": self.recorded,
            "now": self.now,
            "change": self.change.value,
            "change_ci": list(self.change.interval),
            "p_holm": self.p,
            "delta": self.delta,
        }


@dataclass(frozen=True)
class Checked:
    """What came of one baseline.

    Attributes
    ----------
    path
        The file.
    verdict
        Key of EXIT_CODES.
    message
        What to know, in sentences; empty when all is as it was.
    games
        Games of a run that were compared.
    metrics
        Every gated metric, when the games differ.
    first_difference
        The first game that differs and the commands that show it, then and now.
    """

    path: Path
    verdict: str
    message: str = ""
    games: int = 0
    looks: int = 0
    metrics: Sequence[Judged] = ()
    first_difference: dict[str, Any] | None = None
    again: str = ""
    smallest_shifts: dict[str, float] = field(default_factory=dict)
    deltas: dict[str, float] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "baseline": str(self.path),
            "verdict": self.verdict,
            "message": self.message,
            "games": self.games,
            "looks": self.looks,
            "metrics": [one.document() for one in self.metrics],
            "deltas": self.deltas,
            "smallest_shifts_seen": self.smallest_shifts,
            "first_difference": self.first_difference,
            "again": self.again,
        }


def gravest(verdicts: Sequence[str]) -> str:
    """Return the verdict that decides about several baselines."""
    return min(verdicts, key=_GRAVITY.index, default=IDENTICAL)


def check(
    path: Path,
    engine: Engine,
    single: Engine,
    *,
    progress: Progress = uncounted,
    commit_of: Callable[[Path], str | None] = lambda path: None,
) -> Checked:
    """Play one baseline again.

    Parameters
    ----------
    path
        The file.
    engine, single
        Where to play; the second one has one thread.
    progress
        Called with the games of each finished block.
    commit_of
        Says which commit recorded the file, for the message.
    """
    try:
        baseline = load(path)
    except BaselineError as error:
        return Checked(path, INCOMPATIBLE, str(error))
    try:
        return _compared(baseline, path, engine, single, progress, commit_of)
    except UsageError as error:  # a user's strategy, above all, may answer what is no longer legal
        message = f"It cannot be played any more. {error} Mend it, or record the baseline again."
        return Checked(path, INCOMPATIBLE, message, again=baseline.result(1).scenario.command())


def _compared(
    baseline: Baseline,
    path: Path,
    engine: Engine,
    single: Engine,
    progress: Progress,
    commit_of: Callable[[Path], str | None],
) -> Checked:
    """Play a baseline again that could be read."""
    again = baseline.result(1).scenario.command()
    now = play_blocks(baseline, engine, range(BLOCKS), progress)
    alone = play_blocks(baseline, single, range(1))
    games = BLOCKS * baseline.plan.size
    if not np.array_equal(alone[0], now[0]):
        message = (
            "The same games came out differently on one thread and on several: "
            f"{_cells_that_differ(baseline, alone[0], now[0])}. No result of this program can be "
            "trusted until that is found."
        )
        return Checked(path, NONDETERMINISTIC, message, games, again=again)
    shifts, deltas = dict(baseline.document["smallest_shifts_seen"]), dict(baseline.deltas)
    if np.array_equal(now, baseline.sums[:BLOCKS]):
        return Checked(
            path, IDENTICAL, "", games, again=again, smallest_shifts=shifts, deltas=deltas
        )
    difference = first_difference(baseline, now, engine, commit_of(path))
    looks, metrics = _look_until_decided(baseline, now, engine, progress)
    verdict = gravest([one.verdict for one in metrics] or [INCONCLUSIVE])
    return Checked(
        path,
        verdict,
        _message(verdict, metrics),
        looks * games,
        looks,
        metrics,
        difference,
        again,
        shifts,
        deltas,
    )


def _look_until_decided(
    baseline: Baseline, now: np.ndarray, engine: Engine, progress: Progress
) -> tuple[int, list[Judged]]:
    """Look at the gates with more and more games until none is open, or the looks are used up."""
    for look in range(1, baseline.gate.looks + 1):
        if look > 1:
            blocks = range((look - 1) * BLOCKS, look * BLOCKS)
            now = np.concatenate([now, play_blocks(baseline, engine, blocks, progress)])
        metrics = judge_metrics(baseline, now, look)
        verdicts = {one.verdict for one in metrics}
        if SHIFT in verdicts or INCONCLUSIVE not in verdicts:
            break
    return look, metrics


def judge_metrics(baseline: Baseline, now: np.ndarray, looks: int) -> list[Judged]:
    """Return the verdict of every gated metric after some looks.

    Parameters
    ----------
    baseline
        What was recorded.
    now
        int64, the sums of the same blocks as they are now.
    looks
        How many looks they are.
    """
    before, after = Outcome(baseline.result(looks)), Outcome(baseline.result(looks, now))
    names = list(baseline.deltas)
    changes = [before.change(name, after) for name in names]
    verdicts = judge(changes, [baseline.deltas[name] for name in names], baseline.gate)
    return [
        Judged(
            name,
            verdict,
            change,
            p,
            before.values[name]["value"],
            after.values[name]["value"],
            baseline.deltas[name],
        )
        for name, change, (verdict, p) in zip(names, changes, verdicts, strict=True)
    ]


def first_difference(
    baseline: Baseline, now: np.ndarray, engine: Engine, commit: str | None
) -> dict[str, Any]:
    """Return the first game that differs, and how to see it then and now.

    Parameters
    ----------
    baseline
        What was recorded.
    now
        int64, the sums of the first look's blocks as they are now.
    engine
        Where to play a block again.
    commit
        Which commit recorded the baseline, where that is known.
    """
    differs = np.any(now != baseline.sums[: len(now)], axis=1)
    scenario, size = baseline.scenario, baseline.plan.size
    for block in np.flatnonzero(differs).tolist():
        marks = play_fingerprints(baseline, engine, range(block, block + 1))
        recorded = baseline.fingerprints[block * size : (block + 1) * size]
        other = np.flatnonzero(marks != recorded)
        if len(other):
            game = block * size + int(other[0])
            command = scenario.replay_command(game)
            there = f"git worktree add ../recorded {commit}" if commit else None
            return {
                "game": game,
                "replay_now": command,
                "replay_recorded": command,
                "recorded_by_kernels": baseline.document["kernels"],
                "recorded_at": there,
            }
    # No game came out differently; something is counted differently.
    block = int(np.flatnonzero(differs)[0])
    return {
        "game": None,
        "games": [block * size, (block + 1) * size - 1],
        "counted_differently": _cells_that_differ(baseline, baseline.sums[block], now[block]),
    }


def _cells_that_differ(baseline: Baseline, one: np.ndarray, other: np.ndarray) -> str:
    fields = baseline.scenario.spec.kernel().sum_fields
    return ", ".join(
        part.name for part in fields if not np.array_equal(part.of(one), part.of(other))
    )


def _message(verdict: str, metrics: Sequence[Judged]) -> str:
    moved = [one.name for one in metrics if one.verdict == SHIFT]
    open_ones = [one.name for one in metrics if one.verdict == INCONCLUSIVE]
    if verdict == SHIFT:
        return f"Shifted: {', '.join(moved)}."
    if verdict == INCONCLUSIVE:
        return (
            f"Neither moved nor within its margin after all looks: {', '.join(open_ones)}. Raise "
            "games or extensions in the scenario and record again."
        )
    return (
        "The games differ, every gated metric is within its margin. If the change is meant, record "
        "the baseline again."
    )
