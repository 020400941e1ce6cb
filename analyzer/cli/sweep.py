"""``analyzer sweep``: one experiment in many variants, on the same deals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from analyzer.cli import options
from analyzer.cli.output import ProgressBar, answer, note, notes
from analyzer.errors import UsageError


def sweep(
    target: Annotated[
        str | None,
        typer.Argument(metavar="GAME|SCENARIO.toml", help="What is varied."),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            "--vary",
            metavar="KEY=VALUES",
            help="A ruling, a component or players: a range 17..24, a list a;b;c, * for every "
            "value, or a TOML file of named values; may be repeated.",
        ),
    ] = None,
    one_at_a_time: Annotated[
        bool,
        typer.Option(
            "--one-at-a-time", help="Vary one key after the other, not every combination."
        ),
    ] = False,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Show this metric (or all with this stem) instead of the headlines; "
            "may be repeated.",
        ),
    ] = None,
    games: Annotated[
        str | None,
        typer.Option("-n", "--games", metavar="N", help="Games of each variant."),
    ] = None,
    players: options.PlayersOption = None,
    seats: options.SeatsOption = None,
    confidence: options.ConfidenceOption = None,
    seed: options.SeedOption = None,
    rule: options.RuleOption = None,
    component: options.SetOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="DIR",
            help="Keep runs, sweep.csv, result.json and figures in a folder.",
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="DIR", help="Go on with the sweep in a folder."),
    ] = None,
    threads: options.ThreadsOption = None,
    engine: options.EngineOption = "local",
    scheduler: options.SchedulerOption = None,
    as_json: options.JsonOption = False,
    quiet: options.QuietOption = False,
) -> None:
    """Vary rulings, components or players on the same deals.

    Every variant is compared with the first: the scenario as it is, where that is among them.
    """
    from analyzer import sweep as runner

    if resume is not None:
        given = (target, vary, one_at_a_time, games, players, seats, confidence, seed)
        if any((*given, rule, component, out)):
            raise UsageError(
                "--resume takes everything from the folder: leave out the rest, but for --metric."
            )
        chosen, folder = runner.of_folder(resume), resume
    else:
        flags = options.settings(
            players=players,
            seats=seats,
            seed=seed,
            rule=rule,
            component=component,
            games=games,
            confidence=confidence,
        )
        scenario = options.scenario_of(target, flags)
        if not vary:
            raise UsageError(
                "Name what to vary, as in --vary rule.NAME=*. See: analyzer games GAME."
            )
        axes = tuple(runner.parse_axis(text, scenario) for text in vary)
        chosen, folder = runner.Sweep(scenario, axes, one_at_a_time), out
    shown = _shown(metric, chosen.scenario.spec)
    where = options.make_engine(engine, scheduler, threads)
    total = chosen.scenario.games * len(chosen.variants())
    with ProgressBar(total, quiet=quiet) as bar:
        swept = runner.play(chosen, where, folder=folder, progress=bar.advance, note=notes(quiet))
    if folder is not None:
        written = runner.write(swept, folder, shown)
        if not quiet:
            note(f"Written: {', '.join(str(path) for path in written)}")
    document = swept.document()

    def page() -> Any:
        from reports.sweeps import sweep_tables

        return sweep_tables(document, shown, chosen.scenario.spec.title)

    answer(document, as_json, page)


def _shown(metric: list[str] | None, spec: Any) -> list[str]:
    if not metric:
        return [one.stem for one in spec.metrics if one.headline]
    from analyzer.errors import unknown

    stems = [one.stem for one in spec.metrics]
    for name in metric:
        if name.partition(".")[0] not in stems:
            raise UsageError(unknown("metric", name, stems, f"for {spec.name}"))
    return list(metric)
