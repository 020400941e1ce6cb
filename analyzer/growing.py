"""Runs that grow until they are precise enough, and stop at the same game on any machine.

A run grows in stages that are fixed beforehand, each at most a quarter larger than the one before. What
was played is a run of exactly so many games: the same blocks, the same bytes as ``-n`` with the number
at which it stopped. Block sizes are powers of two and stages are multiples of them, so the blocks of a
smaller run join to those of a larger one by addition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from analyzer.engines.job import BlockResult, Engine, Job
from analyzer.errors import InternalError
from analyzer.plan import Plan
from analyzer.scenario import Scenario
from analyzer.simulate import Collector, Note, Progress, RunResult, job_of, silence

#: Games of the first stage: 64 blocks of 128.
FIRST_STAGE = 1 << 13
#: Games at which a run stops that was given no other limit.
MOST_GAMES = 10**9
_QUARTERS = (4, 5, 6, 7)


def stages(most: int) -> Iterator[int]:
    """Return the numbers of games at which a growing run is looked at; the last one is `most`."""
    power = FIRST_STAGE
    while True:
        for quarters in _QUARTERS:
            games = power // 4 * quarters
            if games >= most:
                yield most
                return
            yield games
        power *= 2


class GrowingRun:
    """One lineup's run, played further on request.

    Parameters
    ----------
    scenario
        What to play; its number of games is the most that will be played.
    engine
        Where.
    block_size
        Games of a block; left out, what `Plan.of` chooses for every size of the run.
    """

    def __init__(
        self,
        scenario: Scenario,
        engine: Engine,
        *,
        block_size: int | None = None,
        note: Note = silence,
    ) -> None:
        self.scenario = scenario
        self.engine = engine
        self.block_size = block_size
        self.note = note
        self.job: Job | None = None
        self.plan = Plan(0, block_size or 1)
        self.sums = np.zeros((0, scenario.spec.kernel().sum_cells), dtype=np.int64)

    def grow(self, games: int, progress: Progress = lambda games: None) -> RunResult:
        """Play up to a number of games, and return the result of all of them.

        Parameters
        ----------
        games
            Not fewer than before; the games before must fill whole blocks of the new plan.
        progress
            Called with the games of each finished block.
        """
        scenario = self.scenario.model_copy(update={"games": games})
        plan = Plan.of(games) if self.block_size is None else Plan(games, self.block_size)
        if self.job is None:
            self.job = job_of(scenario, note=self.note, plan=plan)
        job = replace(self.job, plan=plan)
        collector = Collector(scenario, job)
        before = self._joined(plan)
        collector.sums[: len(before)] = before
        collector.status[: len(before)] = collector.ok

        def sink(result: BlockResult) -> None:
            collector.take(result)
            progress(plan.block(result.index)[1])

        self.engine.play(job, collector.left(), sink)
        result = collector.result(job)
        self.plan, self.sums = plan, result.sums
        return result

    def _joined(self, plan: Plan) -> np.ndarray:
        """Return the sums so far as blocks of another plan."""
        games = self.plan.games
        if games % plan.size or plan.size % self.plan.size:
            raise InternalError(f"{games} games do not fill blocks of {plan.size}.")
        together = plan.size // self.plan.size
        return self.sums.reshape(-1, together, self.sums.shape[1]).sum(axis=1)


def play_until(
    scenario: Scenario,
    engine: Engine,
    enough: Callable[[RunResult], bool],
    *,
    progress: Progress = lambda games: None,
    note: Note = silence,
) -> tuple[RunResult, bool]:
    """Play a scenario until a stage's result is good enough, or all its games are played.

    Parameters
    ----------
    scenario
        Its number of games is the most that is played.
    engine
        Where.
    enough
        Asked after each stage.

    Returns
    -------
    result, reached
        The result of the last stage, and whether it was good enough.
    """
    run = GrowingRun(scenario, engine, note=note)
    for games in stages(scenario.games):
        result = run.grow(games, progress)
        if enough(result):
            return result, True
    return result, False


def precise(precision: float) -> Callable[[RunResult], bool]:
    """Return the question whether every seat's win rate is known within plus or minus `precision`."""

    def enough(result: RunResult) -> bool:
        return all(is_within(seat["win_rate_ci"], precision) for seat in result.document()["seats"])

    return enough


def is_within(interval: list[float | None], precision: float) -> bool:
    """Tell whether half the width of an interval is at most `precision`."""
    low, high = interval
    return low is not None and high is not None and (high - low) / 2.0 <= precision
