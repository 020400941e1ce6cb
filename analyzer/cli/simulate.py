"""``analyzer simulate``: play, and print who wins how often."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from analyzer.cli import options
from analyzer.cli.output import ProgressBar, answer, note, notes
from analyzer.errors import EXIT_INCONCLUSIVE, UsageError


def simulate(
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME|SCENARIO.toml", help="A game, or a file that describes a run."
        ),
    ] = None,
    games: Annotated[
        str | None,
        typer.Option("-n", "--games", metavar="N", help="Games, as in 1_000_000, 1e6 or 1M."),
    ] = None,
    players: options.PlayersOption = None,
    seats: options.SeatsOption = None,
    seed: options.SeedOption = None,
    rule: options.RuleOption = None,
    component: options.SetOption = None,
    precision: options.PrecisionOption = None,
    confidence: options.ConfidenceOption = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="DIR", help="Keep the run in a folder.")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="DIR", help="Go on with the run in a folder."),
    ] = None,
    rows: Annotated[
        bool, typer.Option("--rows", help="With -o: keep a row a game as well.")
    ] = False,
    save_scenario: Annotated[
        Path | None,
        typer.Option("--save-scenario", metavar="FILE", help="Write the scenario and do not play."),
    ] = None,
    threads: options.ThreadsOption = None,
    engine: options.EngineOption = "local",
    scheduler: options.SchedulerOption = None,
    as_json: options.JsonOption = False,
    quiet: options.QuietOption = False,
    verbose: options.VerboseOption = False,
) -> None:
    """Play a game or a scenario: who wins how often.

    Game i of seed S is the same game on any machine and any number of threads.
    """
    flags = options.settings(
        players=players,
        seats=seats,
        seed=seed,
        rule=rule,
        component=component,
        games=games,
        confidence=confidence,
    )
    if rows and out is None:
        raise UsageError("--rows keeps a row a game in the run's folder: name one with -o DIR.")
    if rows and precision is not None:
        raise UsageError("--rows needs a number of games (-n), not --precision.")
    if resume is not None:
        _refuse_with_resume(target, flags.values, out, save_scenario, precision)
        where = options.make_engine(engine, scheduler, threads)
        _resume(resume, where, (as_json, quiet, verbose))
        return
    scenario = options.scenario_of(target, flags)
    if save_scenario is not None:
        _save(scenario, save_scenario)
        return
    where = options.make_engine(engine, scheduler, threads)
    if precision is not None:
        from analyzer.growing import MOST_GAMES
        from analyzer.quantities import parse_share

        width = parse_share(precision, "precision (--precision)", 0.0, 0.5)
        if games is None:
            scenario = scenario.model_copy(update={"games": MOST_GAMES})
        _play_until(scenario, width, where, out, (as_json, quiet, verbose))
        return
    result = _play(scenario, where, out, rows, quiet)
    _print(result, as_json, verbose, out)


def _refuse_with_resume(target: str | None, given: dict[str, Any], *more: object) -> None:
    if target is not None or any(given.values()) or any(one is not None for one in more):
        raise UsageError(
            "--resume takes everything from the folder: leave out the game, the players and the "
            "rest (or use -o DIR with all of them, which goes on with a run that fits)."
        )


def _save(scenario: Any, path: Path) -> None:
    try:
        path.write_text(scenario.to_toml(path.parent), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"Cannot write {path}: {error.strerror}.") from None
    note(f"Written: {path}")


def _play(scenario: Any, engine: Any, out: Path | None, rows: bool, quiet: bool) -> Any:
    with ProgressBar(scenario.games, quiet=quiet) as bar:
        if out is None:
            from analyzer import simulate as runner

            return runner.play(scenario, engine, progress=bar.advance, note=notes(quiet))
        from analyzer import runs

        return runs.start(
            out,
            scenario,
            engine,
            rows=rows,
            progress=bar.advance,
            note=notes(quiet),
        )


def _play_until(
    scenario: Any, width: float, engine: Any, out: Path | None, how: tuple[bool, bool, bool]
) -> None:
    """Play until the win rates are precise enough; exit 3 when the games do not suffice."""
    from analyzer import growing

    as_json, quiet, verbose = how
    with ProgressBar(None, quiet=quiet) as bar:
        result, reached = growing.play_until(
            scenario, width, engine, out=out, progress=bar.advance, note=notes(quiet)
        )
    _print(result, as_json, verbose, out)
    if not reached:
        note(
            f"{result.plan.games:,} games do not make every win rate known within "
            f"±{100 * width:g} %: raise -n."
        )
        raise typer.Exit(EXIT_INCONCLUSIVE)


def _resume(path: Path, engine: Any, how: tuple[bool, bool, bool]) -> None:
    """Go on with the run in a folder, or with one that grows until it is precise enough."""
    from analyzer import growing, runs

    as_json, quiet, verbose = how
    folder = runs.RunFolder(path)
    if growing.KIND.is_in(path) and not folder.exists():
        _play_until(*growing.of_folder(path), engine, path, how)
        return
    with ProgressBar(folder.manifest()["games"], quiet=quiet) as bar:
        result = runs.resume(path, engine, progress=bar.advance, note=notes(quiet))
    _print(result, as_json, verbose, path)


def _print(result: Any, as_json: bool, verbose: bool, folder: Path | None) -> None:
    document = result.document()

    def page() -> Any:
        from reports.text import simulation

        spec = result.scenario.spec
        meanings = {metric.stem: (metric.meaning, metric.headline) for metric in spec.metrics}
        return simulation(document, spec.title, meanings, verbose=verbose, folder=folder)

    answer(document, as_json, page)
