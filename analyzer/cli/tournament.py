"""``analyzer tournament``: a field of strategies, ranked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from analyzer.cli import options
from analyzer.cli.output import ProgressBar, answer, notes
from analyzer.errors import UsageError

DEFAULT_GAMES = 10_000


def tournament(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME|SCENARIO.toml", help="A game or its alias.")
    ] = None,
    strategies: Annotated[
        str | None,
        typer.Option(
            "--strategies",
            metavar="NAMES",
            help="Who takes part, as in greedy,random,./mine.py:f (default: all built-in ones).",
        ),
    ] = None,
    design: Annotated[
        str | None,
        typer.Option(
            "--design",
            metavar="DESIGN",
            help="all: every seating; pairs: one seat of each against a table of each other "
            "(default: all where that is at most 256 lineups).",
        ),
    ] = None,
    seats: options.SeatsOption = None,
    games: Annotated[
        str | None,
        typer.Option("-n", "--games", metavar="N", help="Games of each lineup (default 10,000)."),
    ] = None,
    confidence: options.ConfidenceOption = None,
    seed: options.SeedOption = None,
    rule: options.RuleOption = None,
    component: options.SetOption = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="DIR", help="Keep all runs in a folder."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="DIR", help="Go on with the tournament in a folder."),
    ] = None,
    threads: options.ThreadsOption = None,
    engine: options.EngineOption = "local",
    scheduler: options.SchedulerOption = None,
    as_json: options.JsonOption = False,
    quiet: options.QuietOption = False,
) -> None:
    """Rank a field of strategies: wins, ratings, equilibrium.

    Everybody's wins against everybody, Bradley-Terry ratings, the Nash mixture, alpha-Rank, and how
    stable the ranking is. All lineups play the same deals.
    """
    from analyzer import tournament as runner

    if resume is not None:
        given = (game, strategies, design, seats, games, confidence, seed, rule, component, out)
        if any(given):
            raise UsageError("--resume takes everything from the folder: leave out the rest.")
        chosen, folder = runner.of_folder(resume), resume
    else:
        flags = options.settings(
            players=None,
            seats=None,
            seed=seed,
            rule=rule,
            component=component,
            games=games or str(DEFAULT_GAMES),
            confidence=confidence,
        )
        base = options.scenario_of(game, flags)
        chosen, folder = _chosen(base, strategies, seats, design), out
    where = options.make_engine(engine, scheduler, threads)
    total = chosen.base.games * len(chosen.lineups())
    with ProgressBar(total, quiet=quiet) as bar:
        played = runner.run(
            chosen,
            where,
            folder=folder,
            progress=bar.advance,
            note=notes(quiet),
        )
    document = played.document()

    def page() -> Iterator[Any]:
        from reports.tournament import tournament_page

        yield from tournament_page(document, chosen.base.spec.title)
        if folder is not None:
            yield f"kept in  {folder}"

    answer(document, as_json, page)


def _chosen(base: Any, strategies: str | None, seats: str | None, design: str | None) -> Any:
    """Return the tournament that the flags describe."""
    from analyzer import tournament as runner
    from analyzer.lineup import parse_players

    spec = base.spec
    number = options.seats_of(spec, seats) if seats is not None else spec.default_players
    if strategies is None:
        names = [one for one in spec.strategies if spec.plays(one, number)]
    else:
        names = [name.strip() for name in strategies.split(",")]
    for name in names:
        if "*" in name:
            raise UsageError(f"A tournament takes each strategy once, without a number: {name!r}.")
        parse_players([name] * number, spec, number, "in --strategies")
    return runner.tournament_of(base, names, number, design)
