"""User strategies play a few games in a process of their own, before the run and when it hangs.

Compiled code cannot be interrupted from within its process: an endless loop in a strategy would hang
the whole run. So each user's strategy first plays a few games, one at a time, in a child process that
says which game it is at and can be ended. When a block of the run itself takes too long, another child
plays that block's games one at a time and finds the game that never ends (`find_endless_game`); if none
is found the strategy is slow, and the run goes on.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pickle
import selectors
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from analyzer.cache import kernel_module
from analyzer.engines.job import BlockPlayer, Job
from analyzer.errors import AnalyzerError, InternalError, UsageError
from analyzer.faults import stopped
from analyzer.lineup import DEFAULT_STRATEGY, proper_names
from analyzer.scenario import DEFAULT_CONFIDENCE, Scenario

#: Games of the dry run.
GAMES = 8
#: Seconds that one game may take, and that reading and compiling a strategy may take.
GAME_SECONDS = 20.0
COMPILE_SECONDS = 120.0
#: Names another limit a game, for strategies that think long.
OVERRIDE = "ANALYZER_GAME_SECONDS"


class EndlessGame(UsageError):
    """A strategy that does not come to an end."""


def game_seconds() -> float:
    """Return how long one game may take.

    Raises
    ------
    UsageError
        When the environment names something that is no positive number.
    """
    text = os.environ.get(OVERRIDE)
    if not text:
        return GAME_SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < 1e6:
        raise UsageError(f"{OVERRIDE} must be a number of seconds above 0, not {text!r}.")
    return seconds


def try_out(job: Job) -> None:
    """Let each user's strategy of a job play a few games; raise what goes wrong.

    Where several strategies of users sit at the table, each is tried with `random` in the others'
    seats, so that it is clear whose fault it is.
    """
    for label in job.user:
        _try_once(_Trial(_alone(job, label), label))


@dataclass(frozen=True, eq=False)
class _Trial:
    """What one dry run plays; equal when the strategy, game, table and seed are."""

    job: Job
    label: str

    def _key(self) -> tuple:
        job = self.job
        rulings = tuple(sorted((name, str(value)) for name, value in job.rulings.items()))
        return job.user[self.label], job.game, len(job.players), rulings, job.seed

    def __hash__(self) -> int:
        return hash(self._key())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Trial) and self._key() == other._key()


@lru_cache(maxsize=64)
def _try_once(trial: _Trial) -> None:
    _play_in_child(trial.job, trial.label, 0, min(GAMES, trial.job.plan.games))


def find_endless_game(job: Job, first: int, games: int) -> None:
    """Play games one at a time in a child; raise EndlessGame for the first that does not end."""
    for label in job.user:
        _play_in_child(_alone(job, label), label, first, games)
    if len(job.user) > 1:
        _play_in_child(job, " or ".join(job.user), first, games)


def _alone(job: Job, label: str) -> Job:
    """Return a job with `random` in the seats of all other strategies of users."""
    names = zip(job.players, proper_names(job.players), strict=True)
    players = tuple(
        DEFAULT_STRATEGY if proper in job.user and proper != label else name
        for name, proper in names
    )
    return dataclasses.replace(job, players=players, user={label: job.user[label]})


def scenario_of(job: Job) -> Scenario:
    """Return what a job plays as a scenario, for messages."""
    return Scenario(
        game=job.game,
        players=job.players,
        games=job.plan.games,
        seed=job.seed,
        rulings=dict(job.rulings),
        confidence=DEFAULT_CONFIDENCE,
    )


def _play_in_child(job: Job, label: str, first: int, games: int) -> None:
    words = [sys.executable, "-m", "analyzer.dryrun", str(first), str(games)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        try:
            # A child that has ended already has said nothing, which `_listen` tells.
            with suppress(BrokenPipeError), child.stdin:
                child.stdin.write(pickle.dumps(job))
            _listen(child, scenario_of(job), label)
        finally:
            child.kill()


def _listen(child: subprocess.Popen, scenario: Scenario, label: str) -> None:
    """Follow what a child says; raise its error, or EndlessGame when it falls silent."""
    limit = game_seconds()
    game = None
    for line in _lines(child, COMPILE_SECONDS, limit):
        if line is None:
            raise EndlessGame(_endless(scenario, label, game, limit))
        word, _, rest = line.partition(" ")
        if word == "game":
            game = int(rest)
        elif word == "done":
            return
        elif word == "error":
            code, message = json.loads(rest)
            raise (UsageError if code == UsageError.exit_code else InternalError)(message)
    code = child.wait()
    where = f" in game {game} of seed {scenario.seed}" if game is not None else ""
    raise UsageError(
        f"Strategy {label!r} ended its process{where} (exit code {code}), as a recursion without "
        "end does. Nothing was played."
    )


def _endless(scenario: Scenario, label: str, game: int | None, limit: float) -> str:
    if game is None:
        return (
            f"Strategy {label!r} could not be read and compiled within {COMPILE_SECONDS:g} seconds. "
            "Is there an endless loop in its file?"
        )
    return (
        f"Strategy {label!r} did not finish game {game} of seed {scenario.seed} within {limit:g} "
        f"seconds. Is there an endless loop in it? A strategy that thinks longer may do so with "
        f"{OVERRIDE}=SECONDS. The game: {scenario.replay_command(game)}"
    )


def _lines(child: subprocess.Popen, first: float, others: float) -> Iterator[str | None]:
    """Return a child's lines as they come, None when the next one takes too long."""
    text, limit = b"", first
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        while True:
            if not selector.select(limit):
                yield None
                return
            piece = os.read(child.stdout.fileno(), 1 << 16)
            if not piece:
                return
            limit = others
            *whole, text = (text + piece).split(b"\n")
            for line in whole:
                yield line.decode()


def main(arguments: list[str]) -> None:
    """Play games one at a time, as the child that `_play_in_child` starts.

    It reads a pickled job from stdin, and writes to stdout before each game its number,
    at the end ``done``, or ``error`` with the exit code and the message.
    """
    first, games = map(int, arguments)
    # What a strategy's file prints must not look like ours.
    out = os.dup(1)
    os.dup2(2, 1)

    def tell(line: str) -> None:
        os.write(out, f"{line}\n".encode())

    job: Job = pickle.load(sys.stdin.buffer)
    fine = kernel_module("kernels.abi").OK
    try:
        player = BlockPlayer(job)
        for game in range(first, first + games):
            tell(f"game {game}")
            result = player.play_games(0, game, 1, rows=False)
            if result.status != fine:
                raise stopped(scenario_of(job), job, result)
        tell("done")
    except AnalyzerError as error:
        tell("error " + json.dumps([error.exit_code, str(error)]))


if __name__ == "__main__":
    main(sys.argv[1:])
