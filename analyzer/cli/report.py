"""``analyzer report``: what is unfair, dull and decisive, as a page with its tables and figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from analyzer.cli import options
from analyzer.cli.output import ProgressBar, note, notes, say
from analyzer.errors import Interrupted, UsageError


def report(
    target: Annotated[
        str,
        typer.Argument(
            metavar="RUN|SCENARIO.toml|GAME",
            help="A run folder, a scenario, or a game, for which a suite of runs is played.",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "-o", "--out", metavar="DIR", help="Where the files go; goes on where it was stopped."
        ),
    ],
    quick: Annotated[
        bool, typer.Option("--quick", help="For a game: play a small part, about ten seconds.")
    ] = False,
    margin: Annotated[
        str | None,
        typer.Option(
            "--margin",
            metavar="SHARE",
            help="How far from an equal share a seat may be and still be called fair (default 1%).",
        ),
    ] = None,
    seats: options.SeatsOption = None,
    seed: options.SeedOption = None,
    rule: options.RuleOption = None,
    component: options.SetOption = None,
    threads: options.ThreadsOption = None,
    engine: options.EngineOption = "local",
    scheduler: options.SchedulerOption = None,
    quiet: options.QuietOption = False,
) -> None:
    """Write a balance report: page, tables and figures.

    HTML, Markdown, CSV, SVG and PNG. For a game a suite is played, about two minutes on two CPUs:
    every strategy at tables of each other, the strongest on every seat, the strongest denied one
    thing after the other, and every other reading of the rules, all on the same deals.
    """
    from analyzer import report as maker
    from analyzer import scenario
    from analyzer.quantities import parse_share

    flags = options.settings(players=None, seats=seats, seed=seed, rule=rule, component=component)
    share = maker.DEFAULT_MARGIN
    if margin is not None:
        share = parse_share(margin, "margin (--margin)", 0.0, 0.5)
    quickly = ["--quick"] if quick else []
    if _is_run(target):
        given = [options.FLAGS[name] for name, value in flags.values.items() if value]
        _refuse([*given, *quickly], "a run folder, which has been played")
        study = maker.study_of_run(Path(target), share)
        maker.make_folder(out)
    else:
        where = options.make_engine(engine, scheduler, threads)
        is_game = not scenario.is_file_name(target)
        if not is_game:
            _refuse(quickly, "a scenario, which says how many games it has")
        made = options.scenario_of(target, flags)
        maker.make_folder(out)
        if is_game:
            study = _of_game(made, where, out, quick, share, quiet)
        else:
            study = _of_scenario(made, where, out, share, quiet)
    written = maker.write(study, out)
    if not quiet:
        note(f"Written: {len(written)} files in {out}")
    say(str(written[0]))


def _is_run(target: str) -> bool:
    """Tell whether a target is meant as a run folder: it is one, or a folder that is no game's name."""
    from analyzer import registry, runs

    is_folder = Path(target).is_dir() and not registry.is_game(target)
    return is_folder or runs.RunFolder(target).exists()


def _refuse(flags: list[str], what: str) -> None:
    if flags:
        raise UsageError(f"{', '.join(flags)} cannot be used with {what}. Leave it out.")


def _of_game(made: Any, engine: Any, out: Path, quick: bool, margin: float, quiet: bool) -> Any:
    """Play a game's suite, and return its study."""
    from analyzer import report as maker
    from analyzer.suite import Kept, Suite

    folder = None if quick else out / maker.SUITE  # what takes ten seconds is not worth keeping
    total = Suite(made, Kept(engine, None), quick=quick).total_games()
    try:
        with ProgressBar(total, quiet=quiet) as bar:
            kept = Kept(engine, folder, bar.advance)
            return maker.study_of_suite(Suite(made, kept, quick=quick), margin)
    except KeyboardInterrupt:
        if folder is None:
            raise
        raise Interrupted(
            f"Interrupted. The runs that were finished are safe in {folder}. "
            "Go on with: the same command"
        ) from None


def _of_scenario(made: Any, engine: Any, out: Path, margin: float, quiet: bool) -> Any:
    """Play a scenario, and return its study."""
    from analyzer import report as maker
    from analyzer import runs

    with ProgressBar(made.games, quiet=quiet) as bar:
        result = runs.start(out / maker.RUN, made, engine, progress=bar.advance, note=notes(quiet))
    return maker.study_of_result(result, margin)
