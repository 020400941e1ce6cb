"""The run folder: what was played, written so that nothing finished is ever lost.

::

    manifest.json    everything needed to play it again, and what it ran on
    blocks.parquet   one row a block: first game, games, and every part of its integer sums
    result.json      the Result JSON, as `analyzer simulate --json` prints it
    games.parquet    on request, one row a game
    parts/           while the run goes on: the finished blocks, a file a group

Every file is written whole under another name, flushed to the disk and renamed. A run that was
stopped, however abruptly, is continued from its parts and ends with the same bytes as one that was
not.
"""

from __future__ import annotations

import errno
import shlex
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from analyzer import run_tables
from analyzer.cache import kernel_module, source_hash
from analyzer.engines.job import BlockResult, Engine, Job
from analyzer.errors import Interrupted, UsageError, plural
from analyzer.folders import experiment_in
from analyzer.manifest import COMPLETE, FORMAT, RUNNING, check_fit, manifest_of
from analyzer.plan import Plan
from analyzer.progress import Note, Progress, silence, uncounted
from analyzer.run_files import (
    UNFINISHED,
    check_empty,
    read_json,
    sole_writer,
    whole_file,
    write_json,
)
from analyzer.run_parts import BLOCKS, GAMES, PARTS, PRECISION, STAGES, PartWriter
from analyzer.scenario import Scenario
from analyzer.simulate import Collector, RunResult, job_of
from analyzer.user_strategies import UserStrategy

MANIFEST = "manifest.json"
RESULT = "result.json"


class RunFolder:
    """One run on disk.

    Parameters
    ----------
    path
        The folder.
    go_on
        What goes on with it when it was stopped; for a run of its own, ``simulate --resume``.
    """

    def __init__(self, path: str | Path, go_on: str = "") -> None:
        self.path = Path(path)
        self.parts = self.path / PARTS
        self.go_on = go_on or shlex.join(["analyzer", "simulate", "--resume", str(self.path)])

    # Reading

    def exists(self) -> bool:
        """Tell whether there is a run."""
        return (self.path / MANIFEST).is_file()

    def manifest(self) -> dict[str, Any]:
        """Return the manifest, or raise UsageError when there is none that can be read."""
        path = self.path / MANIFEST
        missing = (
            f"{self.path} is not a run folder: it has no {MANIFEST}. "
            "A run folder is made by: analyzer simulate GAME -o DIR."
        )
        if kind := experiment_in(self.path):
            missing = (
                f"{self.path} holds a {kind.title} and no run. "
                f"It is shown, or gone on with where it was stopped, by: {kind.go_on(self.path)}"
            )
        found = read_json(path, missing)
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise UsageError(
                f"{path} is not a manifest of this version ({FORMAT}); "
                "play the run again into another folder."
            )
        return found

    def scenario(self, manifest: Mapping[str, Any]) -> Scenario:
        """Return the scenario that a manifest describes."""
        keys = ("game", "players", "games", "seed", "rulings", "confidence", "title", "description")
        try:
            return Scenario.model_validate({key: manifest[key] for key in keys})
        except (KeyError, ValueError) as error:
            raise UsageError(f"{self.path / MANIFEST} is damaged: {error}.") from None

    def user_strategies(self, manifest: Mapping[str, Any]) -> dict[str, UserStrategy]:
        """Return the user's strategies as they were when the run began."""
        return {
            label: UserStrategy(label, one["function"], one["path"], one["source"])
            for label, one in manifest["strategies"].items()
        }

    def load(self) -> RunResult:
        """Return the result of a finished run."""
        manifest = self.manifest()
        scenario = self.scenario(manifest)
        if manifest["state"] != COMPLETE:
            raise UsageError(f"The run in {self.path} is not finished. Go on with: {self.go_on}")
        _same_kernels(self.path, manifest)
        fields = scenario.spec.kernel().sum_fields
        _, sums = run_tables.read_blocks(self.path / BLOCKS, fields)
        plan = Plan(scenario.games, manifest["block_size"])
        return RunResult(scenario, plan, sums)

    def load_unfinished(self) -> tuple[Scenario, np.ndarray, int]:
        """Return what an unfinished run has: its scenario, the sums of its blocks, their games."""
        manifest = self.manifest()
        scenario = self.scenario(manifest)
        _same_kernels(self.path, manifest)
        kernel = scenario.spec.kernel()
        found = [
            run_tables.read_blocks(part, kernel.sum_fields)
            for part in sorted(self.parts.glob(f"*-{BLOCKS}"))
        ]
        plan = Plan(scenario.games, manifest["block_size"])
        played = sum(plan.block(int(index))[1] for indices, _ in found for index in indices)
        sums = [np.zeros((0, kernel.sum_cells), dtype=np.int64), *(rows for _, rows in found)]
        return scenario, np.concatenate(sums), played

    # Writing

    def play(
        self,
        scenario: Scenario,
        job: Job,
        engine: Engine,
        *,
        free: Collection[str] = (),
        progress: Progress = uncounted,
        note: Note = silence,
    ) -> RunResult:
        """Play what is left of a run, keeping every finished block.

        Parameters
        ----------
        scenario, job
            What is played; they must fit what the folder holds.
        engine
            Where.
        free
            Names that the folder may have beside a run.
        progress
            Called with the games of each block, those found included.
        note
            Called with a sentence for the person.

        Raises
        ------
        UsageError
            When the folder cannot be written or holds something else.
        Interrupted
            On Ctrl-C, the finished blocks being safe.
        """
        wanted = manifest_of(scenario, job, RUNNING)
        with self._writing():
            self.path.mkdir(parents=True, exist_ok=True)
        with sole_writer(self.path):
            if self.exists():
                check_fit(self.path, self.manifest(), wanted)
                if self.manifest()["state"] == COMPLETE:
                    with self._writing():
                        self._clear_parts()
                    note(f"{self.path} already holds this run; nothing was played.")
                    progress(scenario.games)
                    return self.load()
            else:
                # Of a run killed in its first moment there may be an unfinished manifest.
                check_empty(self.path, "run folder", {MANIFEST + UNFINISHED, *free})
            with self._writing():
                write_json(self.path / MANIFEST, wanted)
                self.parts.mkdir(exist_ok=True)
            return self._play_parts(scenario, job, engine, progress, note)

    def keep(self, result: RunResult, job: Job, *, grown: bool = False) -> None:
        """Write a run that was played in memory.

        Parameters
        ----------
        result, job
            What was played.
        grown
            Whether the folder holds the stages of this run; they are removed.
        """
        free = (STAGES, PRECISION) if grown else ()
        self.play(result.scenario, job, _Played(result), free=free)

    def _play_parts(
        self,
        scenario: Scenario,
        job: Job,
        engine: Engine,
        progress: Progress,
        note: Note,
    ) -> RunResult:
        collector = Collector(scenario, job)
        writer = PartWriter(self.path, scenario, job)
        with self._writing():
            found = writer.restore(collector)
        if found:
            games = sum(job.plan.block(index)[1] for index in found)
            note(f"{plural(len(found), 'block')} ({games:,} games) were there already.")
            progress(games)

        def sink(result: BlockResult) -> None:
            collector.take(result)
            with self._writing():
                writer.take(result)
            progress(job.plan.block(result.index)[1])

        try:
            engine.play(job, collector.left(), sink)
            result = collector.result(job)
            with self._writing():
                self._finish(scenario, job, result, writer)
        except KeyboardInterrupt:
            with self._writing():
                writer.flush()
            done = job.plan.blocks - len(collector.left())
            raise Interrupted(
                f"Interrupted. {done} of {plural(job.plan.blocks, 'block')} are safe in "
                f"{self.path}. Go on with: {self.go_on}"
            ) from None
        return result

    def _finish(self, scenario: Scenario, job: Job, result: RunResult, writer: PartWriter) -> None:
        """Join the parts, declare the run complete, and only then remove the parts."""
        if job.rows:
            with whole_file(self.path / GAMES) as stream:
                run_tables.write_rows(stream, writer.schema, writer.rows_of_parts())
        with whole_file(self.path / BLOCKS) as stream:
            fields = scenario.spec.kernel().sum_fields
            everything = np.arange(job.plan.blocks)
            run_tables.write_blocks(stream, job.plan, everything, result.sums, fields)
        write_json(self.path / RESULT, result.document())
        write_json(self.path / MANIFEST, manifest_of(scenario, job, COMPLETE, result.digest))
        self._clear_parts()

    def _clear_parts(self) -> None:
        for folder in (self.parts, self.path / STAGES):
            if folder.is_dir():
                shutil.rmtree(folder)
        (self.path / PRECISION).unlink(missing_ok=True)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Turn what the disk refuses into a sentence; what is finished stays as it is."""
        try:
            yield
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
            reason = error.strerror or str(error)
            safe = " The blocks finished before are safe." if self.exists() else ""
            fix = (
                f"Free some space and go on with: {self.go_on}"
                if full and self.exists()
                else "Choose another folder with -o."
            )
            raise UsageError(f"Cannot write to {self.path}: {reason}.{safe} {fix}") from error


class _Played:
    """An engine that has played everything already."""

    def __init__(self, result: RunResult) -> None:
        self.sums = result.sums

    def play(self, job: Job, blocks: Iterable[int], sink: Callable[[BlockResult], None]) -> None:
        """Hand over the blocks."""
        fine = kernel_module("kernels.abi").OK
        for index in blocks:
            sink(BlockResult(index, fine, self.sums[index], np.zeros((0, 1), dtype=np.int64), ()))


def _same_kernels(path: Path, manifest: Mapping[str, Any]) -> None:
    if manifest["kernels"] != source_hash():
        raise UsageError(
            f"{path} was played by another version of the kernels; its sums may mean something "
            f"else. Play it again: {manifest['again']}"
        )


def start(
    path: str | Path,
    scenario: Scenario,
    engine: Engine,
    *,
    rows: bool = False,
    go_on: str = "",
    progress: Progress = uncounted,
    note: Note = silence,
) -> RunResult:
    """Play a scenario into a folder, or go on with the run of it that is there."""
    job = job_of(scenario, rows=rows, note=note)
    return RunFolder(path, go_on).play(scenario, job, engine, progress=progress, note=note)


def resume(
    path: str | Path,
    engine: Engine,
    *,
    progress: Progress = uncounted,
    note: Note = silence,
) -> RunResult:
    """Go on with the run in a folder, as its manifest describes it."""
    folder = RunFolder(path)
    manifest = folder.manifest()
    scenario = folder.scenario(manifest)
    user = folder.user_strategies(manifest)
    job = job_of(scenario, rows=bool(manifest["rows"]), user=user, note=note)
    return folder.play(scenario, job, engine, progress=progress, note=note)
