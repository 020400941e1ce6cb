"""One game of a seed, told move by move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from analyzer.cache import kernel_module
from analyzer.dryrun import EndlessGame, find_endless_game
from analyzer.engines.job import BlockPlayer, Job, prints_aside
from analyzer.errors import AnalyzerError, UsageError
from analyzer.faults import stopped
from analyzer.progress import Note, silence
from analyzer.scenario import Scenario
from analyzer.simulate import job_of

#: A game of more events is not told: a sentence each would fill the memory.
MOST_EVENTS = 1 << 21
#: A log that is full is tried again with so many times its room; the game is the same.
GROWTH = 4


@dataclass(frozen=True)
class Replay:
    """A game as it was played.

    Attributes
    ----------
    events
        One record an event, each with ``event`` and ``text``.
    result
        Scores, ranking and digest; None when the game was stopped.
    fault
        What stopped the game, to be raised once it has been told.
    """

    scenario: Scenario
    index: int
    events: list[dict[str, Any]]
    result: dict[str, Any] | None
    fault: AnalyzerError | None

    def document(self) -> dict[str, Any]:
        """Return the JSON of ``analyzer replay``."""
        spec = self.scenario.spec
        return {
            "game": spec.name,
            "seed": self.scenario.seed,
            "index": self.index,
            "players": list(self.scenario.players),
            "rules_version": spec.rules_version,
            "rng_scheme": kernel_module("kernels.rng").RNG_SCHEME,
            "rulings": dict(self.scenario.rulings),
            "command": self.scenario.replay_command(self.index),
            "events": self.events,
            "result": self.result,
        }


def replay(scenario: Scenario, index: int, note: Note = silence) -> Replay:
    """Play game `index` of a scenario's seed with the log on, and tell it.

    Parameters
    ----------
    scenario
        Game, players, seed and rulings; its number of games does not matter.
    index
        Which game, from 0.
    note
        Called with a sentence for the person.
    """
    events = kernel_module("kernels.events")
    abi = kernel_module("kernels.abi")
    spec = scenario.spec
    job = job_of(scenario, note=note, try_out=False)
    _refuse_endless(job, index)
    player = BlockPlayer(job)
    room = player.kernel.max_events
    while True:
        log = events.new_log(room)
        with prints_aside(job):
            played = player.play_games(0, index, 1, rows=True, log=log)
        if played.status != abi.LOG_FULL:
            break
        if room >= MOST_EVENTS:
            raise UsageError(
                f"Game {index} of seed {scenario.seed} has more than {MOST_EVENTS:,} events, which "
                "is too long to be told. Try another game, or fewer rounds or turns."
            )
        room = min(room * GROWTH, MOST_EVENTS)
    labels = [f"Seat {seat}" for seat in range(len(scenario.players))]
    told = spec.tell(events.logged(log), labels, scenario.rulings)
    if played.status != abi.OK:
        return Replay(scenario, index, told, None, stopped(scenario, job, played))
    result = player.kernel.row_result(played.rows[0], len(scenario.players))
    return Replay(scenario, index, told, result, None)


def _refuse_endless(job: Job, index: int) -> None:
    """Raise when the game never ends; whatever else is wrong with it will be told."""
    try:
        find_endless_game(job, index, 1)
    except EndlessGame:
        raise
    except AnalyzerError:
        pass
