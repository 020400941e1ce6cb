"""The balance report: plays what it needs, and hands frames to `reports.page`."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer import growing
from analyzer.changes import Outcome
from analyzer.fairness import bounded, dealt_rows, first_and_next, seat_rows
from analyzer.folders import EXPERIMENTS
from analyzer.games.base import GameSpec
from analyzer.games.layout import HeatMap
from analyzer.manifest import COMPLETE
from analyzer.run_files import UNFINISHED, check_empty, write_files, writing
from analyzer.run_parts import PRECISION
from analyzer.runs import MANIFEST, RunFolder
from analyzer.scenario import Scenario
from analyzer.simulate import RunResult
from analyzer.suite import RulingChange, Suite
from reports.paired import Difference, holm
from reports.study import ComponentGroup, Drawing, Study, dealt_name

if TYPE_CHECKING:
    import pandas as pd

#: How far from an equal share a seat's win rate may be and still be called fair.
DEFAULT_MARGIN = 0.01
#: What a report's folder holds: the page, and where the runs that were played for it are kept.
PAGE = "report.html"
RUN, SUITE = "run", "runs"
OURS = (PAGE, "report.md", "tables", "figures", RUN, SUITE)


def study_of_run(path: Path, margin: float) -> Study:
    """Return the study of a run folder, finished or not."""
    if growing.KIND.is_in(path) and not RunFolder(path).exists():
        wanted, _ = growing.of_folder(path)
        found = growing.last_stage(path)
        return _study(found.scenario, found.sums, margin, total=wanted.games)
    folder = RunFolder(path)
    if folder.manifest()["state"] == COMPLETE:
        return study_of_result(folder.load(), margin)
    scenario, sums, played = folder.load_unfinished()
    part = scenario.with_settings(games=played)
    return _study(part, sums, margin, total=scenario.games)


def study_of_result(result: RunResult, margin: float) -> Study:
    """Return the study of a run in memory."""
    return _study(result.scenario, result.sums, margin, total=result.scenario.games)


def study_of_suite(suite: Suite, margin: float) -> Study:
    """Play a suite and return its study."""
    ladder = _ladder(suite)
    result = suite.mirror.result
    study = _study(result.scenario, result.sums, margin, total=result.scenario.games)
    study.tables = {**study.tables, **ladder, **_restricted(suite), **_rulings(suite)}
    study.left_out = suite.left_out
    study.commands = [
        ("the whole report", _command(suite, margin)),
        ("its run of seats and components", result.scenario.command()),
        ("the first game of that run, move by move", result.scenario.replay_command(0)),
        *study.commands[2:],
    ]
    study.seats = _with_random(study.seats, suite.random_mirror.result, margin)
    return study


def _command(suite: Suite, margin: float) -> str:
    """Return the command that makes the report of a suite again."""
    game, _, _, *rest = suite.base.arguments(games=False)  # any players would do
    words = ["analyzer", "report", game, "--seats", str(suite.seats), *rest]
    if margin != DEFAULT_MARGIN:
        words += ["--margin", repr(margin)]
    return shlex.join([*words, *(["--quick"] if suite.quick else []), "-o", "DIR"])


def _with_random(seats: pd.DataFrame, result: RunResult, margin: float) -> pd.DataFrame:
    """Add the seats of random play: what beginners would see."""
    import pandas as pd

    return pd.concat([seats, seat_rows(result.scenario, result.sums, margin)], ignore_index=True)


def _study(scenario: Scenario, sums: np.ndarray, margin: float, *, total: int) -> Study:
    spec = scenario.spec
    layout = spec.report
    players = len(scenario.players)
    summary = spec.summarize(sums, players, scenario.rulings, scenario.confidence)
    document = {**summary, "games": scenario.games, "players": list(scenario.players)}
    document["seats"] = [
        {**seat, "strategy": scenario.players[seat["seat"]]} for seat in summary["seats"]
    ]
    tags = {one.stem: one.name.partition(".")[2] for one in spec.metrics}
    declared = {one.key for one in layout.components}
    others = dict.fromkeys(tag for tag in tags.values() if tag and tag not in declared)
    groups = [
        ComponentGroup(one.key, one.title, one.fates, one.dots) for one in layout.components
    ] + [ComponentGroup(tag, tag.capitalize()) for tag in others]
    whole = scenario.with_settings(games=total)
    return Study(
        title=scenario.title,
        heading=spec.title,
        players=scenario.players,
        document=document,
        total=total,
        confidence=scenario.confidence,
        margin=margin,
        meanings={one.stem: one.meaning for one in spec.metrics},
        tags=tags,
        groups=groups,
        effects=layout.effects,
        tension=layout.tension,
        length=layout.length,
        always=layout.always,
        settled=layout.settled,
        dealt=layout.dealt,
        lots=layout.lots,
        led_by_chance=_led_by_chance(summary["tables"], tags[layout.settled].lower(), players),
        assumptions=_assumptions(spec, scenario),
        commands=[
            ("the run again", whole.command()),
            ("its first game, move by move", scenario.replay_command(0)),
            ("rulings and metrics", f"analyzer games {spec.name}"),
        ],
        seats=seat_rows(scenario, sums, margin),
        drawings=_drawings(spec, summary["tables"]) if len(sums) else (),
        tables=_who_wins(scenario, sums, margin, tags) if len(sums) else {},
        facts={"games": scenario.games, "total": total, "seed": scenario.seed},
    )


def _who_wins(
    scenario: Scenario, sums: np.ndarray, margin: float, tags: Mapping[str, str]
) -> dict[str, pd.DataFrame]:
    """Return what the players are dealt and whether it is worth the same; of mixed tables who leads."""
    if len(set(scenario.players)) > 1:
        return {"ahead": first_and_next(scenario, sums)}
    return {
        dealt_name(tags[stem].lower()): dealt_rows(scenario, sums, margin, stem)
        for stem in scenario.spec.report.dealt
    }


def _led_by_chance(tables: Mapping[str, Any], point: str, players: int) -> dict[str, float]:
    """Return the mean share of the seats that led at each point, where shared leads were counted."""
    return {
        str(row[point]): row["mean_leaders"] / players
        for row in tables.get("leaders", ())
        if row.get("mean_leaders") is not None
    }


def _difference(name: str, difference: Difference) -> dict[str, Any]:
    return bounded(name, difference.value, difference.interval)


def _assumptions(spec: GameSpec, scenario: Scenario) -> list[dict[str, str]]:
    """Return what is assumed: the rulebook says nothing, or can be read in several ways."""
    return [
        {
            "name": one.name,
            "value": str(scenario.rulings[one.name]),
            "explanation": one.explanation,
            "evidence": one.evidence,
            "ids": ", ".join(one.ids),
        }
        for one in spec.rulings
        if one.evidence in ("A", "I") or scenario.rulings[one.name] != one.default
    ]


def _drawings(spec: GameSpec, tables: Mapping[str, Any]) -> list[Drawing]:
    import pandas as pd

    found = []
    for one in spec.report.pictures:
        if isinstance(one, HeatMap):
            rows = pd.DataFrame(one.cells(tables))
            if len(rows):
                rows["value"] = rows["hits"] / rows["n"].where(rows["n"] > 0)
            words, form = (one.x, one.y, one.value), "heat"
        else:
            counts = list(one.counts(tables))
            rows = pd.DataFrame({"x": range(len(counts)), "n": counts})
            rows["value"] = rows["n"] / max(sum(counts), 1)
            words, form = (one.x, one.y), "bars"
        if len(rows) and rows["n"].sum():
            found.append(Drawing(one.name, one.section, one.title, words, form, rows))
    return found


def _ladder(suite: Suite) -> dict[str, pd.DataFrame]:
    import pandas as pd

    if len(suite.strategies) < 2:
        return {}
    ranked = suite.ranking
    random = suite.spec.strategies[0]
    ladder = []
    for name in ranked:
        arm = suite.against_all(name)
        row = {"strategy": name, **bounded("win_rate", *suite.win_rate(arm))}
        if name != random:
            row |= bounded("against_random", *suite.win_rate(suite.pairs[name, random]))
            row |= bounded("random_against", *suite.win_rate(suite.pairs[random, name]))
        ladder.append({**row, "games": int(arm.denominators.sum())})
    matrix = [
        {
            "one": one,
            "others": others,
            **bounded("win_rate", *suite.win_rate(suite.pairs[one, others])),
            "games": int(suite.pairs[one, others].denominators.sum()),
        }
        for one in ranked
        for others in ranked
        if one != others
    ]
    lead = suite.lead()
    first = {"first": ranked[0], "second": ranked[1], **_difference("lead", lead), "p": lead.p}
    return {
        "ladder": pd.DataFrame(ladder),
        "matrix": pd.DataFrame(matrix),
        "lead": pd.DataFrame([first]),
    }


def _adjusted(p_values: Sequence[float | None]) -> list[float | None]:
    """Return Holm's adjusted p-values; what is not known stays so."""
    known = iter(holm([p for p in p_values if p is not None]))
    return [None if p is None else next(known) for p in p_values]


def _restricted(suite: Suite) -> dict[str, pd.DataFrame]:
    import pandas as pd

    rows = [
        {
            "restriction": one.name,
            "kind": one.kind,
            "subject": one.subject,
            "meaning": one.meaning,
            **_difference("worth", difference),
            "p": difference.p,
        }
        for one, difference in suite.restricted()
    ]
    if not rows:
        return {}
    for row, p in zip(rows, _adjusted([row["p"] for row in rows]), strict=True):
        row["p"] = p
    frame = pd.DataFrame(rows).sort_values("worth", ascending=False, kind="stable")
    return {"restricted": frame.reset_index(drop=True)}


def _rulings(suite: Suite) -> dict[str, pd.DataFrame]:
    import pandas as pd

    headlines = [one.stem for one in suite.spec.metrics if one.headline]
    rows = [_ruling_row(suite, one, headlines) for one in suite.ruling_changes()]
    if not rows:
        return {}
    for column in ("seat_p", "edge_p"):
        for row, p in zip(rows, _adjusted([row[column] for row in rows]), strict=True):
            row[column] = p
    rows.sort(key=lambda row: -max(abs(row["seat_change"] or 0), abs(row["edge_change"] or 0)))
    return {"rulings": pd.DataFrame(rows)}


def _ruling_row(suite: Suite, one: RulingChange, headlines: Sequence[str]) -> dict[str, Any]:
    """Return what a ruling's other value changes: the seats, the strongest's edge, what happens."""
    mirror, field = suite.ruling_base
    seats = [suite.change(mirror, one.mirror, seat) for seat in range(suite.seats)]
    most = max(range(suite.seats), key=lambda seat: abs(seats[seat].value or 0.0))
    edge = suite.change(field, one.field, 0)
    p = seats[most].p
    same = (
        mirror.result.digest == one.mirror.result.digest
        and field.result.digest == one.field.result.digest
    )
    return {
        "ruling": one.ruling.name,
        "value": str(one.value),
        "played": str(suite.base.rulings[one.ruling.name]),
        "explanation": one.ruling.explanation,
        "evidence": one.ruling.evidence,
        "ids": ", ".join(one.ruling.ids),
        "same_games": same,
        "seat": most,
        **_difference("seat_change", seats[most]),
        # The seat was chosen as the one that changes most.
        "seat_p": None if p is None else min(1.0, p * suite.seats),
        **_difference("edge_change", edge),
        "edge_p": edge.p,
        **_farthest(suite, one.mirror),
        **_most_moved(mirror, one.mirror, headlines),
    }


def _farthest(suite: Suite, mirror: Outcome) -> dict[str, Any]:
    """Return which seat of a mirror is farthest from an equal share, and by how much."""
    rates = [suite.win_rate(suite.arm(mirror, seat)) for seat in range(suite.seats)]
    known = [value for value, _ in rates if value is not None]
    if len(known) < suite.seats:
        return {"off_seat": None, **bounded("off", None, (None, None))}
    equal = sum(known) / suite.seats
    seat = max(range(suite.seats), key=lambda seat: abs(known[seat] - equal))
    return {"off_seat": seat, **bounded("off", *rates[seat], minus=equal)}


def _most_moved(base: Outcome, other: Outcome, headlines: Sequence[str]) -> dict[str, Any]:
    """Return the headline metric that changes most, measured by its error."""
    best: dict[str, Any] = {"metric": "", "before": None, "after": None}
    best |= {"metric_change": None, "metric_change_low": None, "metric_change_high": None}
    strongest = 0.0
    for name in base.values:
        if name.partition(".")[0] not in headlines or name not in other.values:
            continue
        if base.values[name]["value"] == other.values[name]["value"]:
            continue  # and no time is spent on the error
        change = base.change(name, other)
        if change.value is None or change.error is None:
            continue
        size = abs(change.value) / max(change.error, 1e-300)
        if size > strongest:
            strongest = size
            best = {
                "metric": name,
                "before": base.values[name]["value"],
                "after": other.values[name]["value"],
                **_difference("metric_change", change),
            }
    return best


def make_folder(folder: Path) -> None:
    """Make a report's folder where there is none: before anything is played for it.

    Raises
    ------
    UsageError
        When it holds anything but a report, or cannot be made; nothing was changed then.
    """
    foreign = (MANIFEST, PRECISION, *(kind.file for kind in EXPERIMENTS))
    if not (folder / PAGE).is_file() or any((folder / name).exists() for name in foreign):
        check_empty(folder, "report", {*OURS, *(name + UNFINISHED for name in OURS)})
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)


def write(study: Study, folder: Path) -> list[Path]:
    """Write the page, its Markdown, tables and figures into a folder; return the files."""
    from reports import page

    return write_files(folder, page.files(study))
