"""Scenario to plan of blocks to engine to result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from analyzer import dryrun
from analyzer.cache import kernel_module
from analyzer.engines.job import BlockResult, Engine, Job
from analyzer.errors import InternalError, plural
from analyzer.faults import stopped
from analyzer.games.base import hex64
from analyzer.games.payoffs import Payoffs, payoffs
from analyzer.lineup import proper_names, read_user_strategies
from analyzer.plan import Plan
from analyzer.progress import Note, Progress, silence, uncounted
from analyzer.scenario import Scenario
from analyzer.user_strategies import UserStrategy, compile_user


def job_of(
    scenario: Scenario,
    *,
    rows: bool = False,
    user: Mapping[str, UserStrategy] | None = None,
    note: Note = silence,
    try_out: bool = True,
    plan: Plan | None = None,
) -> Job:
    """Return the job of a scenario, with all that takes a while made ready.

    Parameters
    ----------
    scenario
        What to play.
    rows
        Whether a row a game is wanted.
    user
        Sources of the user's strategies; read from their files when left out.
    note
        Told when a table that a strategy looks things up in has to be worked out first.
    try_out
        Whether the user's strategies play a few games in a process of their own first.
    plan
        Blocks; left out, what `Plan.of` chooses.
    """
    if user is None:
        user = read_user_strategies(scenario.players)
    spec = scenario.spec
    setup = spec.encode_setup(len(scenario.players), scenario.rulings)
    # Kept, so that no player of blocks works them out again.
    spec.add_tables(setup, proper_names(scenario.players), scenario.rulings, note)
    job = Job(
        game=scenario.game,
        players=scenario.players,
        seed=scenario.seed,
        rulings=scenario.rulings,
        plan=plan or Plan.of(scenario.games),
        user=user,
        rows=rows,
    )
    # Now, before anything is played or written, and in a process that may hang.
    if try_out:
        dryrun.try_out(job)
    for one in user.values():
        compile_user(one, scenario.game)
    return job


class Collector:
    """Takes the blocks of a run as they finish, in any order.

    Attributes
    ----------
    status
        One status a block; a run that still holds a NOT_PLAYED is not reported.
    sums
        int64, shape ``(blocks, cells)``.
    """

    def __init__(self, scenario: Scenario, job: Job) -> None:
        abi = kernel_module("kernels.abi")
        self.scenario = scenario
        self.job = job
        self.ok = abi.OK
        self.not_played = abi.NOT_PLAYED
        self.status = np.full(job.plan.blocks, abi.NOT_PLAYED, dtype=np.int64)
        self.sums = np.zeros((job.plan.blocks, scenario.spec.kernel().sum_cells), dtype=np.int64)

    def take(self, result: BlockResult) -> None:
        """Take one block, or raise when something stopped it."""
        if result.status != self.ok:
            raise stopped(self.scenario, self.job, result)
        self.status[result.index] = result.status
        self.sums[result.index] = result.sums

    def left(self) -> list[int]:
        """Return the blocks that have not been played."""
        return np.flatnonzero(self.status == self.not_played).tolist()

    def result(self, job: Job) -> RunResult:
        """Return the run's result, or refuse while a block is missing."""
        left = self.left()
        if left:
            raise InternalError(
                f"Not played: {len(left)} of {plural(job.plan.blocks, 'block')}; no result."
            )
        return RunResult(self.scenario, job.plan, self.sums)


@dataclass(frozen=True)
class RunResult:
    """A finished run: what was asked, and the sums of every block."""

    scenario: Scenario
    plan: Plan
    sums: np.ndarray

    @property
    def digest(self) -> str:
        """The digest of all games: equal digests mean equal games."""
        words = self.scenario.spec.kernel().part("digest", self.sums).astype(np.uint64)
        return hex64(int(words.sum(dtype=np.uint64)))

    def payoffs(self) -> Payoffs:
        """Return who won and who scored what, block by block."""
        return payoffs(self.scenario.spec, self.sums, self.scenario.rulings)

    def document(self) -> dict[str, Any]:
        """Return the Result JSON; it is made once."""
        return self._document

    @cached_property
    def _document(self) -> dict[str, Any]:
        scenario = self.scenario
        spec = scenario.spec
        summary = spec.summarize(
            self.sums, len(scenario.players), scenario.rulings, scenario.confidence
        )
        seats = [
            {"seat": seat["seat"], "strategy": scenario.players[seat["seat"]], **seat}
            for seat in summary["seats"]
        ]
        return {
            "game": spec.name,
            "games": scenario.games,
            "seed": scenario.seed,
            "players": list(scenario.players),
            **terms(scenario),
            "blocks": {"count": self.plan.blocks, "games_each": self.plan.size},
            "digest": self.digest,
            "commands": {
                "again": scenario.command(),
                "first_game": scenario.replay_command(0),
            },
            "seats": seats,
            "metrics": summary["metrics"],
            "tables": summary["tables"],
        }


def terms(scenario: Scenario) -> dict[str, Any]:
    """Return under which rules numbers hold, as every document about played games says it."""
    spec = scenario.spec
    return {
        "rules_version": spec.rules_version,
        "rng_scheme": kernel_module("kernels.rng").RNG_SCHEME,
        "rulings": dict(scenario.rulings),
        "changed_rulings": spec.changed(scenario.rulings),
        "assumed": assumptions(scenario),
        "confidence": scenario.confidence,
    }


def assumptions(scenario: Scenario) -> list[str]:
    """Return a sentence for every component that the rulebook leaves open and nobody has set.

    Rulings that are assumed are told by ``analyzer games``; what is in the box shapes every number.
    """
    spec = scenario.spec
    return [
        f"{one.name} ({one.explanation}) is assumed: {one.default} ({', '.join(one.ids)})"
        for one in spec.rulings
        if one.component and one.assumed and scenario.rulings[one.name] == one.default
    ]


def play(
    scenario: Scenario,
    engine: Engine,
    *,
    blocks: Iterable[int] | None = None,
    progress: Progress = uncounted,
    note: Note = silence,
) -> RunResult:
    """Play a scenario in memory.

    Parameters
    ----------
    scenario
        What to play.
    engine
        Where.
    blocks
        Order in which the blocks are played; no result depends on it.
    progress
        Called with the games of each finished block.
    note
        Called with a sentence for the person.
    """
    job = job_of(scenario, note=note)
    collector = Collector(scenario, job)

    def sink(result: BlockResult) -> None:
        collector.take(result)
        progress(job.plan.block(result.index)[1])

    engine.play(job, range(job.plan.blocks) if blocks is None else blocks, sink)
    return collector.result(job)
