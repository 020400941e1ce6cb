"""``analyzer compare``: two strategies on the same deals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from analyzer.cli import options
from analyzer.cli.output import ProgressBar, answer, notes
from analyzer.errors import EXIT_INCONCLUSIVE, UsageError

#: Games of each lineup when nothing is said.
DEFAULT_GAMES = 100_000


def compare(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="A game or its alias.")] = None,
    first: Annotated[
        str | None, typer.Argument(metavar="A", help="A strategy, or FILE.py:FUNCTION.")
    ] = None,
    second: Annotated[str | None, typer.Argument(metavar="B", help="Another one.")] = None,
    field: Annotated[
        str | None,
        typer.Option(
            "--field",
            metavar="NAMES",
            help="The rest of the table, as in random*2 (default: copies of the other strategy).",
        ),
    ] = None,
    seats: options.SeatsOption = None,
    games: Annotated[
        str | None,
        typer.Option(
            "-n",
            "--games",
            metavar="N",
            help="Games of each lineup, or the most (default 100,000).",
        ),
    ] = None,
    precision: options.PrecisionOption = None,
    confidence: options.ConfidenceOption = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="D0,D1",
            help="Stop as soon as the win rate's difference is decided to be D0 or less, or D1 or "
            "more, as in 0,1%.",
        ),
    ] = None,
    alpha: Annotated[
        str | None,
        typer.Option("--alpha", metavar="RATE", help="With --sprt: errors for D1 (default 5%)."),
    ] = None,
    beta: Annotated[
        str | None,
        typer.Option("--beta", metavar="RATE", help="With --sprt: errors for D0 (default 5%)."),
    ] = None,
    seed: options.SeedOption = None,
    rule: options.RuleOption = None,
    component: options.SetOption = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="DIR", help="Keep the comparison in a folder."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="DIR", help="Go on with the comparison in a folder."),
    ] = None,
    threads: options.ThreadsOption = None,
    engine: options.EngineOption = "local",
    scheduler: options.SchedulerOption = None,
    as_json: options.JsonOption = False,
    quiet: options.QuietOption = False,
) -> None:
    """Compare two strategies on the same deals, each in every seat.

    The difference is taken block by block, so that the luck of the deal cancels out.
    """
    from analyzer import compare as runner

    if resume is not None:
        given = (game, field, seats, games, precision, confidence, sprt, alpha, beta, seed)
        if any((*given, rule, component, out)):
            raise UsageError("--resume takes everything from the folder: leave out the rest.")
        comparison, folder = runner.of_folder(resume), resume
    else:
        if game is None or first is None or second is None:
            raise UsageError(
                "Name a game and two strategies, as in: analyzer compare all-aboard greedy heavy."
            )
        flags = options.settings(
            players=None,
            seats=None,
            seed=seed,
            rule=rule,
            component=component,
            games=games,
            confidence=confidence,
        )
        base = options.scenario_of(game, flags)
        stops = (precision, _test(sprt, alpha, beta))
        comparison = _chosen(base, (first, second), field, seats, games is None, stops)
        folder = out
    where = options.make_engine(engine, scheduler, threads)
    most = comparison.base.games
    fixed = comparison.precision is None and comparison.sprt is None
    total = most * len(comparison.scenarios()) if fixed else None
    with ProgressBar(total, quiet=quiet) as bar:
        outcome = runner.compare(
            comparison, where, folder=folder, progress=bar.advance, note=notes(quiet)
        )
    document = outcome.document()

    def page() -> Iterator[Any]:
        from reports.comparison import comparison_page

        yield from comparison_page(document, comparison.base.spec.title)
        if folder is not None:
            yield f"kept in  {folder}"

    answer(document, as_json, page)
    if not outcome.reached:
        raise typer.Exit(EXIT_INCONCLUSIVE)


def _chosen(
    base: Any,
    strategies: tuple[str, str],
    field: str | None,
    seats: str | None,
    unlimited: bool,
    stops: tuple[str | None, Any],
) -> Any:
    """Return the comparison that the flags describe."""
    from analyzer import compare as runner
    from analyzer.growing import MOST_GAMES
    from analyzer.quantities import parse_share

    precision, test = stops
    if test is not None and precision is not None:
        raise UsageError("--sprt and --precision are two ways to stop: choose one.")
    width = precision and parse_share(precision, "precision (--precision)", 0.0, 0.5)
    number = None if seats is None else options.seats_of(base.spec, seats)
    others, table = runner.table_of(base.spec, strategies, field, number)
    most = base.games
    if unlimited:
        most = MOST_GAMES if width else DEFAULT_GAMES
    comparison = runner.Comparison(base, strategies, others, table, width, test)
    if test is not None:
        _, most = runner.sequential_plan(comparison, None if unlimited else base.games)
    return comparison.with_games(most)


def _test(sprt: str | None, alpha: str | None, beta: str | None) -> Any:
    """Return the sequential test that the flags ask for."""
    from analyzer.quantities import parse_share
    from reports.sequential import SequentialTest

    if sprt is None:
        if alpha is not None or beta is not None:
            raise UsageError(
                "--alpha and --beta are error rates of a test: say which, with --sprt."
            )
        return None
    parts = sprt.split(",")
    if len(parts) != 2:
        raise UsageError(f"--sprt takes two differences, as in 0,1%, not {sprt!r}.")
    low, high = (parse_share(part, "a difference (--sprt)", -1.0, 1.0) for part in parts)
    if low >= high:
        raise UsageError(f"--sprt takes the smaller difference first, not {sprt!r}.")
    rates = [
        parse_share(text or "5%", f"an error rate ({flag})", 0.0, 0.5)
        for text, flag in ((alpha, "--alpha"), (beta, "--beta"))
    ]
    return SequentialTest(low, high, *rates)
