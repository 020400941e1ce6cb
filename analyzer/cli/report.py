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
        str,
        typer.Option(
            "--margin",
            metavar="SHARE",
            help="How far from an equal share a seat may be and still be called fair.",
        ),
    ] = "1%",
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
    from analyzer.quantities import parse_share

    flags = options.settings(players=None, seats=seats, seed=seed, rule=rule, component=component)
    share = parse_share(margin, "margin (--margin)", 0.0, 0.5)
    given = {name: value for name, value in flags.values.items() if value}
    if _is_run(target):
        _refuse(given, quick, "a run folder, which has been played")
        study = maker.study_of_run(Path(target), share)
    else:
        where = options.make_engine(engine, scheduler, threads)
        study = _played(target, flags, given, where, out, quick, share, quiet)
    written = maker.write(study, out)
    if not quiet:
        note(f"Written: {len(written)} files in {out}")
    say(str(written[0]))


def _is_run(target: str) -> bool:
    """Tell whether a target is meant as a run folder: it is one, or a folder that is no game's name."""
    from analyzer import runs, scenario

    is_folder = Path(target).is_dir() and scenario.is_file_name(target)
    return is_folder or runs.RunFolder(target).exists()


def _refuse(given: dict[str, Any], quick: bool, what: str) -> None:
    if given or quick:
        names = [*(f"--{name}" for name in given), *(["--quick"] if quick else [])]
        raise UsageError(f"{', '.join(names)} cannot be used with {what}. Leave it out.")


def _played(
    target: str,
    flags: Any,
    given: dict[str, Any],
    engine: Any,
    out: Path,
    quick: bool,
    margin: float,
    quiet: bool,
) -> Any:
    from analyzer import report as maker
    from analyzer import runs, scenario, suite

    if not scenario.is_file_name(target):
        made = options.scenario_of(target, flags)
        folder = None if quick else out / "runs"  # what takes ten seconds is not worth keeping
        probe = suite.Suite(made, suite.Kept(engine, None), quick=quick)
        try:
            with ProgressBar(probe.total_games(), quiet=quiet) as bar:
                kept = suite.Kept(engine, folder, bar.advance)
                return maker.study_of_suite(suite.Suite(made, kept, quick=quick), margin)
        except KeyboardInterrupt:
            if folder is None:
                raise
            raise Interrupted(
                f"Interrupted. The runs that were finished are safe in {folder}. "
                "Go on with: the same command"
            ) from None
    _refuse({}, quick, "a scenario, which says how many games it has")
    made = options.scenario_of(target, flags)
    with ProgressBar(made.games, quiet=quiet) as bar:
        result = runs.start(out / "run", made, engine, progress=bar.advance, note=notes(quiet))
    return maker.study_of_result(result, margin)
