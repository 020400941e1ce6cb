"""``analyzer sweep``: one experiment in many variants, on the same deals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from analyzer.cli import options
from analyzer.cli.output import ProgressBar, answer, note
from analyzer.errors import UsageError


def sweep(
    target: Annotated[
        str,
        typer.Argument(metavar="GAME|SCENARIO.toml", help="What is varied."),
    ],
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
    seed: options.SeedOption = None,
    rule: options.RuleOption = None,
    component: options.SetOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="DIR",
            help="Keep runs, sweep.csv, sweep.json and figures; goes on where it was stopped.",
        ),
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

    flags = options.settings(
        players=players, seats=seats, seed=seed, rule=rule, component=component, games=games
    )
    scenario = options.scenario_of(target, flags)
    if not vary:
        raise UsageError("Name what to vary, as in --vary rule.NAME=*. See: analyzer games GAME.")
    axes = [runner.parse_axis(text, scenario) for text in vary]
    shown = _shown(metric, scenario.spec)
    where = options.make_engine(engine, scheduler, threads)
    count = len(runner.variants(scenario, axes, one_at_a_time=one_at_a_time))
    with ProgressBar(count * scenario.games, quiet=quiet) as bar:
        swept = runner.play(
            scenario,
            axes,
            where,
            one_at_a_time=one_at_a_time,
            folder=out,
            progress=bar.advance,
        )
    if out is not None:
        written = runner.write(swept, out, shown)
        if not quiet:
            note(f"Written: {', '.join(str(path) for path in written)}")
    _print(swept, as_json, shown)


def _shown(metric: list[str] | None, spec: Any) -> list[str]:
    if not metric:
        return [one.stem for one in spec.metrics if one.headline]
    from analyzer.errors import unknown

    stems = [one.stem for one in spec.metrics]
    for name in metric:
        if name.partition(".")[0] not in stems:
            raise UsageError(unknown("metric", name, stems, f"for {spec.name}"))
    return list(metric)


def _print(swept: Any, as_json: bool, shown: list[str]) -> None:
    document = swept.document()

    def page() -> Any:
        from reports.sweeps import sweep_tables

        return sweep_tables(document, shown, swept.scenario.spec.title)

    answer(document, as_json, page)
