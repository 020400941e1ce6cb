"""Runs that grow until they are precise enough, and stop at the same game on any machine.

A run grows in stages that are fixed beforehand, each at most a quarter larger than the one before. What
was played is a run of exactly so many games: the same blocks, the same bytes as ``-n`` with the number
at which it stopped. Block sizes are powers of two and stages are multiples of them, so the blocks of a
smaller run join to those of a larger one by addition.

In a folder the last finished stage of each run is kept as a run folder, named by its number of games.
The stages before it were not enough, so whoever goes on begins there.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.engines.job import BlockResult, Engine, Job
from analyzer.errors import InternalError, Interrupted, UsageError, plural
from analyzer.folders import FolderKind
from analyzer.manifest import COMPLETE, check_fit, manifest_of
from analyzer.plan import Plan
from analyzer.progress import Note, Progress, silence, uncounted
from analyzer.run_parts import PRECISION, STAGES
from analyzer.scenario import Scenario
from analyzer.simulate import Collector, RunResult, job_of

if TYPE_CHECKING:
    from analyzer.runs import RunFolder

#: Games of the first stage: 64 blocks of 128.
FIRST_STAGE = 1 << 13
#: Games at which a run stops that was given no other limit.
MOST_GAMES = 10**9
_QUARTERS = (4, 5, 6, 7)
#: A folder is brought up to date when so many seconds have been played; Ctrl-C does it at once.
SECONDS_AT_RISK = 5.0
#: A run that grows until it is precise enough, before it is a run like any other.
KIND = FolderKind(
    PRECISION,
    "run to a precision",
    "simulate",
    "analyzer simulate GAME --precision WIDTH -o DIR",
)


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
    folder
        Where its last finished stage is kept, and found.
    """

    def __init__(
        self,
        scenario: Scenario,
        engine: Engine,
        *,
        block_size: int | None = None,
        folder: Path | None = None,
        note: Note = silence,
    ) -> None:
        self.scenario = scenario
        self.engine = engine
        self.block_size = block_size
        self.folder = folder
        self.note = note
        self.job: Job | None = None
        self.plan = Plan(0, block_size or 1)
        self.sums = np.zeros((0, scenario.spec.kernel().sum_cells), dtype=np.int64)
        self.kept = 0
        if folder is not None:
            self._restore()

    def grow(self, games: int, progress: Progress = uncounted) -> RunResult:
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

        if collector.left():
            self.engine.play(job, collector.left(), sink)
        result = collector.result(job)
        self.plan, self.sums = plan, result.sums
        return result

    def job_so_far(self) -> Job:
        """Return the job of the last finished stage."""
        return replace(self.job, plan=self.plan)

    def keep(self) -> None:
        """Write the last finished stage into the folder, then forget the ones before."""
        if self.folder is None or self.plan.games == self.kept:
            return
        from analyzer.runs import RunFolder

        path = self.folder / str(self.plan.games)
        scenario = self.scenario.model_copy(update={"games": self.plan.games})
        RunFolder(path).keep(RunResult(scenario, self.plan, self.sums), self.job_so_far())
        self.kept = self.plan.games
        for other in self.folder.iterdir():
            if other != path:
                shutil.rmtree(other)

    def _restore(self) -> None:
        """Take up the last finished stage of the folder."""
        folder = _last_stage(self.folder)
        if folder is None:
            return
        found = folder.load()
        self.job = job_of(self.scenario, note=self.note, plan=found.plan)
        wanted = manifest_of(found.scenario, self.job, COMPLETE)
        check_fit(folder.path, folder.manifest(), wanted)
        self.plan, self.sums, self.kept = found.plan, found.sums, found.plan.games

    def _joined(self, plan: Plan) -> np.ndarray:
        """Return the sums so far as blocks of another plan."""
        if plan == self.plan:
            return self.sums
        games = self.plan.games
        if games % plan.size or plan.size % self.plan.size:
            raise InternalError(f"{games} games do not fill blocks of {plan.size}.")
        together = plan.size // self.plan.size
        return self.sums.reshape(-1, together, self.sums.shape[1]).sum(axis=1)


def _last_stage(folder: Path) -> RunFolder | None:
    """Return the run folder of the last finished stage that a folder keeps."""
    from analyzer.runs import RunFolder  # late: most growing runs are kept nowhere

    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    for games in sorted((int(name) for name in names if name.isdecimal()), reverse=True):
        found = RunFolder(folder / str(games))
        if found.exists() and found.manifest()["state"] == COMPLETE:  # else killed while written
            return found
    return None


class GrowingRuns:
    """The runs of some lineups that grow together, and are kept on the way.

    Parameters
    ----------
    scenarios
        What to play, by any key; their number of games is the most that will be played.
    engine
        Where.
    block_size
        See `GrowingRun`.
    folder
        Holds a folder a run, numbered in the order of the scenarios; None: nothing is kept.
    go_on
        The command that goes on with the folder.
    progress, note
        Called with the games of each finished block, and with sentences for the person.
    """

    def __init__(
        self,
        scenarios: Mapping[Hashable, Scenario],
        engine: Engine,
        *,
        block_size: int | None = None,
        folder: Path | None = None,
        go_on: str = "",
        progress: Progress = uncounted,
        note: Note = silence,
    ) -> None:
        self.folder = folder
        self.go_on = go_on
        self.progress = progress
        self.runs = {
            key: GrowingRun(
                scenario,
                engine,
                block_size=block_size,
                folder=None if folder is None else _number_of(folder, number),
                note=note,
            )
            for number, (key, scenario) in enumerate(scenarios.items())
        }
        self.saved_at = time.monotonic()
        found = sum(run.plan.games for run in self.runs.values())
        if found:
            note(f"{plural(found, 'game')} were there already.")
            progress(found)

    @property
    def begun(self) -> int:
        """The games of the furthest run: fewer were played before, and were not enough."""
        return max(run.plan.games for run in self.runs.values())

    def stages(self, most: int) -> Iterator[int]:
        """Return the numbers of games to stop and look at, from where the runs are."""
        return (games for games in stages(most) if games >= self.begun)

    def grow(self, games: int) -> dict[Any, RunResult]:
        """Play all runs up to a number of games, and return their results.

        Raises
        ------
        Interrupted
            On Ctrl-C, what the folder says being safe.
        """
        found = {}
        try:
            for key, run in self.runs.items():
                found[key] = run.grow(games, self.progress)
                if time.monotonic() - self.saved_at > SECONDS_AT_RISK:
                    self.keep()
        except KeyboardInterrupt:
            if self.folder is None:
                raise
            self.keep()
            safe = sum(run.kept for run in self.runs.values())
            raise Interrupted(
                f"Interrupted. {plural(safe, 'game')} are safe in {self.folder.parent}. "
                f"Go on with: {self.go_on}"
            ) from None
        return found

    def keep(self) -> None:
        """Bring the folder up to date."""
        for run in self.runs.values():
            run.keep()
        self.saved_at = time.monotonic()


def play_until(
    scenario: Scenario,
    precision: float,
    engine: Engine,
    *,
    out: Path | None = None,
    progress: Progress = uncounted,
    note: Note = silence,
) -> tuple[RunResult, bool]:
    """Play a scenario until every win rate is known precisely, or all its games are played.

    Parameters
    ----------
    scenario
        Its number of games is the most that is played.
    precision
        Half-width of every seat's interval at which it stops.
    engine
        Where.
    out
        Becomes the run's folder; until then it holds what is needed to go on.
    progress, note
        Called with the games of each finished block, and with sentences for the person.

    Returns
    -------
    result, reached
        The result of the last stage, and whether it was good enough.
    """
    folder, go_on = None, ""
    if out is not None:
        KIND.claim(out, _manifest(scenario, precision))
        folder, go_on = out / STAGES, KIND.go_on(out)
    runs = GrowingRuns(
        {0: scenario}, engine, folder=folder, go_on=go_on, progress=progress, note=note
    )
    for games in runs.stages(scenario.games):
        result = runs.grow(games)[0]
        reached = _is_precise(result, precision)
        if reached:
            break
    if out is not None:
        from analyzer.runs import RunFolder

        RunFolder(out, go_on).keep(result, runs.runs[0].job_so_far(), grown=True)
    return result, reached


def _manifest(scenario: Scenario, precision: float) -> dict[str, Any]:
    words = [scenario.command(), "--precision", repr(precision)]
    return {
        "scenario": scenario.model_dump(mode="json"),
        "precision": precision,
        "again": " ".join(words),
    }


def of_folder(out: Path) -> tuple[Scenario, float]:
    """Return the scenario and the precision of a folder that has not become a run's."""
    return KIND.load(
        out,
        lambda found: (Scenario.model_validate(found["scenario"]), float(found["precision"])),
    )


def last_stage(out: Path) -> RunResult:
    """Return what a folder has that has not become a run's."""
    folder = _last_stage(_number_of(out / STAGES, 0))
    if folder is None:
        raise UsageError(f"{out} has no finished stage yet. Go on with: {KIND.go_on(out)}")
    return folder.load()


def _number_of(folder: Path, number: int) -> Path:
    """Return where the stages of one of several runs are kept."""
    return folder / f"{number:05d}"


def _is_precise(result: RunResult, precision: float) -> bool:
    """Tell whether every seat's win rate is known within plus or minus `precision`."""
    return all(is_within(seat["win_rate_ci"], precision) for seat in result.document()["seats"])


def is_within(interval: Sequence[float | None], precision: float) -> bool:
    """Tell whether half the width of an interval is at most `precision`."""
    low, high = interval
    return low is not None and high is not None and (high - low) / 2.0 <= precision
