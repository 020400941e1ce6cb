"""Flags that several commands share: the same word means the same everywhere."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from analyzer.errors import UsageError

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="A game or its alias.")]
PlayersOption = Annotated[
    str | None,
    typer.Option(
        "--players",
        metavar="NAMES",
        help="Strategies by seat, as in greedy,random*3; one name sits on every seat; a number "
        "means that many random players. FILE.py:FUNCTION runs code of your own.",
    ),
]
SeatsOption = Annotated[str | None, typer.Option("--seats", metavar="N", help="Number of players.")]
SeedOption = Annotated[
    str | None, typer.Option("--seed", metavar="S", help="Master seed (default 1).")
]
RuleOption = Annotated[
    list[str] | None,
    typer.Option(
        "--rule", metavar="KEY=VALUE", help="A ruling; may be repeated. See: analyzer games GAME."
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="COMPONENT=VALUE",
        help="What is in the box, as in tile_deck=10:15,20:15; may be repeated.",
    ),
]
ConfidenceOption = Annotated[
    str | None,
    typer.Option("--confidence", metavar="LEVEL", help="Level of the intervals (default 95%)."),
]
PrecisionOption = Annotated[
    str | None,
    typer.Option(
        "--precision",
        metavar="WIDTH",
        help="Play until win rates are known within plus or minus this, as in 0.1%; -n is then the "
        "most games.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
QuietOption = Annotated[bool, typer.Option("-q", "--quiet", help="Print the result only.")]
VerboseOption = Annotated[bool, typer.Option("-v", "--verbose", help="Print more.")]
ThreadsOption = Annotated[
    str | None,
    typer.Option("-j", "--threads", metavar="N", help="Threads (default: the CPUs there are)."),
]
EngineOption = Annotated[
    str, typer.Option("--engine", metavar="ENGINE", help="Where to play: local or dask.")
]
SchedulerOption = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="ADDRESS", help="The Dask scheduler, for --engine dask."),
]

ENGINES = ("local", "dask")
#: The flag of each key of a scenario.
FLAGS = {
    "players": "--players",
    "seats": "--seats",
    "seed": "--seed",
    "games": "-n",
    "confidence": "--confidence",
    "rulings": "--rule",
    "components": "--set",
}


def pairs(texts: Sequence[str] | None, flag: str) -> dict[str, str]:
    """Return ``KEY=VALUE`` texts as a mapping; the last one of a key counts."""
    found = {}
    for text in texts or ():
        key, sign, value = text.partition("=")
        if not sign or not key.strip():
            raise UsageError(f"{flag} takes KEY=VALUE, not {text!r}.")
        found[key.strip()] = value.strip()
    return found


def settings(
    *,
    players: str | None,
    seats: str | None,
    seed: str | None,
    rule: Sequence[str] | None,
    component: Sequence[str] | None,
    games: str | None = None,
    confidence: str | None = None,
) -> Any:
    """Return what the flags say, to be laid over a scenario."""
    from analyzer.scenario import Settings

    values: dict[str, Any] = {
        "players": players,
        "seats": seats,
        "seed": seed,
        "games": games,
        "confidence": confidence,
        "rulings": pairs(rule, "--rule"),
        "components": pairs(component, "--set"),
    }

    def place(key: str, _: str = "") -> str:
        return "" if key in ("games", "players") else f"in {FLAGS[key]}"

    return Settings(values, place)


def available_cpus() -> int:
    """Return the number of CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def make_engine(engine: str, scheduler: str | None, threads: str | None) -> Any:
    """Return the engine that the flags ask for."""
    from analyzer.errors import unknown
    from analyzer.quantities import parse_threads

    if engine not in ENGINES:
        raise UsageError(unknown("engine", engine, ENGINES))
    if engine == "dask":
        from analyzer.engines.dask import DaskEngine

        return DaskEngine(scheduler)
    if scheduler is not None:
        raise UsageError("--scheduler is for --engine dask only.")
    from analyzer.engines.local import LocalEngine

    return LocalEngine(available_cpus() if threads is None else parse_threads(threads))


def scenario_of(target: str | None, flags: Any) -> Any:
    """Return the scenario of a game or a scenario file, the flags laid over it."""
    from analyzer import registry, scenario

    if target is None:
        choices = ", ".join(registry.names())
        raise UsageError(f"Name a game or a scenario file. Games: {choices}.")
    if scenario.is_file_name(target):
        return scenario.build(scenario.read(target), flags)
    return scenario.build(scenario.Settings({"game": registry.canonical(target)}), flags)


def seats_of(spec: Any, seats: str) -> int:
    """Return the number of players of ``--seats``."""
    from analyzer.quantities import parse_whole

    return parse_whole(seats, "seats", *spec.players, where="in --seats")
