"""The sections of a balance report below the first screen."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from reports import figures, suite_sections
from reports.content import (
    Block,
    Column,
    CommandBlock,
    FigureBlock,
    Frame,
    Name,
    Paragraph,
    Section,
    Sentence,
    TableBlock,
    estimate_columns,
    number_column,
    say,
    text_column,
)
from reports.study import FAIR, MIXED, UNEVEN, ComponentGroup, Study, form_of
from reports.text import is_rate

if TYPE_CHECKING:
    import pandas as pd

#: Fewer effects than this need no picture.
FEWEST = 4
_FINDINGS = {FAIR: "fair", UNEVEN: "off", MIXED: "not tested: strategies differ"}


def sections(study: Study) -> list[Section]:
    """Return the sections that have something to show."""
    made = [
        _seats(study),
        suite_sections.strategies(study),
        _components(study),
        _effects(study),
        _tension(study),
        _length(study),
        suite_sections.restricted(study),
        suite_sections.rulings(study),
        _other(study),
        _assumptions(study),
        _again(study),
    ]
    return [section for section in made if section.blocks]


def _words(stem: str) -> str:
    return stem.replace("_", " ")


def _drawings(study: Study, section: str) -> Iterator[Block]:
    for one in study.drawings:
        if one.section != section:
            continue
        if one.form == "heat":
            x, y, value = one.words
            title = f"{one.title}: {value}"
            picture = figures.heat(one.rows, x, y)
            alt = f"Heat map: {value}, by {x} (across) and {y} (upwards)."
        else:
            x, y = one.words
            title = one.title
            picture = figures.bars(one.rows, x, y)
            alt = f"Bars: {y} by {x}."
        yield FigureBlock(one.name, title, alt, picture)


def _seats(study: Study) -> Section:
    section = Section("seats", "Seats", "Does it matter where one sits?")
    if not study.document["games"]:
        return section
    table = study.seat_table
    data = table.data
    labels = [f"seat {row.seat}: {row.strategy}" for row in data.itertuples()]
    frame = data.assign(
        label=labels,
        panel="win_rate",
        value=data["win_rate"],
        low=data["win_rate_low"],
        high=data["win_rate_high"],
    )
    section.blocks.append(
        FigureBlock(
            "seats",
            "Win rate by seat (dashed: an equal share)",
            f"Dots with {study.level} intervals: the win rate of every seat. The numbers stand in "
            "the table below.",
            figures.dots(frame, {"win_rate": "win rate"}, {"win_rate": "share"}),
        )
    )
    level = study.level
    section.blocks.append(
        TableBlock(
            "Win rate and score by seat",
            table,
            (
                number_column("seat", "seat", "whole"),
                text_column("strategy", "strategy"),
                *estimate_columns("win rate", "win_rate", "share", level),
                number_column("off by", "difference", "points"),
                Column("tested", _finding, number=False),
                *estimate_columns("mean score", "mean_score", "number", level),
                number_column("games", "games", "count"),
            ),
        )
    )
    if study.alike:
        section.blocks.append(_tested(study))
    return section


def _tested(study: Study) -> Paragraph:
    tested = say(
        "Fair: surely within {} of an equal share. Off: not that, and surely not an equal share. "
        "Not sure: neither.",
        study.fact("margin", study.margin, "size"),
    )
    return Paragraph((tested,))


def _finding(frame: Frame, row: int) -> Sentence:
    return say(_FINDINGS.get(frame.value(row, "finding"), "not sure"))


def _components(study: Study) -> Section:
    section = Section("components", "Components", "What is used, and what becomes of it?")
    if not study.document["games"]:
        return section
    tables = study.group_tables
    declared = [(group, table) for group, table in tables if group.fates or group.dots]
    for group, table in declared:
        section.blocks += _group_blocks(study, group, table)
    section.blocks += _dealt(study)
    section.blocks += _drawings(study, "components")
    for group, table in tables:
        if (group, table) not in declared:
            section.blocks.append(
                _group_table(study, group, table, folded=len(table) > suite_sections.LONG)
            )
    return section


def _dealt(study: Study) -> Iterator[Block]:
    """Yield the test of what players are dealt."""
    for thing, table in study.dealt_tables:
        if not len(table):
            continue
        yield TableBlock(
            f"Win rate by {thing}, with one strategy on every seat",
            table,
            (
                text_column(thing, "of"),
                *estimate_columns("win rate of whoever has it", "win_rate", "share", study.level),
                number_column("off by", "difference", "points"),
                Column("tested", _finding, number=False),
                number_column("n", "n", "count"),
            ),
        )
        yield _tested(study)


def _group_blocks(study: Study, group: ComponentGroup, table: Frame) -> Iterator[Block]:
    present = [stem for stem in group.dots if stem in table.data]
    if present:
        frame = _dot_rows(table.data, present)
        panels = {stem: _words(stem) for stem in present}
        yield FigureBlock(
            f"dots_{group.key.lower()}",
            f"{group.title} (dashed: the average, which each would have if all were alike)",
            f"Dots with {study.level} intervals for each of {group.title.lower()}: "
            f"{', '.join(panels.values())}; the dashed line is the average.",
            figures.dots(frame, panels, {stem: form_of(stem) for stem in present}),
        )
    fates = [stem for stem in group.fates if stem in table.data]
    if fates:
        words = {stem: _words(stem).removesuffix(" rate") for stem in fates}
        yield FigureBlock(
            f"fates_{group.key.lower()}",
            f"{group.title}: what becomes of them",
            f"Stacked bars, one for each of {group.title.lower()}: {', '.join(words.values())}.",
            figures.stacked(table.data.rename(columns={"of": "label"}), words),
        )
    yield _group_table(study, group, table, folded=len(table) > suite_sections.LONG)


def _dot_rows(data: pd.DataFrame, stems: list[str]) -> pd.DataFrame:
    import pandas as pd

    parts = []
    for stem in stems:
        part = pd.DataFrame(
            {
                "label": data["of"],
                "panel": stem,
                "value": data[stem],
                "low": data[f"{stem}_low"],
                "high": data[f"{stem}_high"],
            }
        )
        part["expected"] = data[f"{stem}_expected"]
        parts.append(part.dropna(subset=["value"]))
    return pd.concat(parts, ignore_index=True)


def _group_table(study: Study, group: ComponentGroup, table: Frame, *, folded: bool) -> TableBlock:
    stems = [name for name in table.data if f"{name}_low" in table.data]
    columns: list[Column] = [text_column(group.key.lower(), "of")]
    for stem in stems:
        columns += estimate_columns(_words(stem), stem, form_of(stem), study.level)
        if f"{stem}_difference" in table.data:
            form = "points" if is_rate(stem) else "change"
            columns.append(number_column("against the average", f"{stem}_difference", form))
    return TableBlock(group.title, table, tuple(columns), folded=folded)


def _metric_columns(level: str) -> tuple[Column, ...]:
    def value(frame: Frame, row: int) -> Sentence:
        return say("{}", frame.cell(row, "value", form_of(frame.value(row, "metric"))))

    def interval(frame: Frame, row: int) -> Sentence:
        return frame.interval(row, "low", "high", form_of(frame.value(row, "metric")))

    return (
        text_column("metric", "metric"),
        Column("value", value),
        Column(f"{level} interval", interval),
        number_column("n", "n", "count"),
        text_column("meaning", "meaning", prose=True),
    )


def _metric_table(study: Study, title: str, table: Frame) -> list[Block]:
    return [TableBlock(title, table, _metric_columns(study.level))] if len(table) else []


def _effects(study: Study) -> Section:
    section = Section("effects", "Effects", "How often does each effect matter?")
    if study.document["games"]:
        section.blocks += _how_often(study)
        section.blocks += _metric_table(study, "How often", study.effect_table)
        section.blocks += _drawings(study, "effects")
    return section


def _how_often(study: Study) -> Iterator[Block]:
    """Yield the picture of the effects that are counted a game, most frequent first."""
    data = study.effect_table.data
    part = data[data["stem"].str.endswith("_per_game") & (data["of"] == "")].dropna(
        subset=["value"]
    )
    if len(part) < FEWEST:
        return
    part = part.sort_values("value", ascending=False, kind="stable")
    labels = [_words(stem).removesuffix(" per game") for stem in part["stem"]]
    frame = part.assign(label=labels, panel="times", expected=math.nan)
    yield FigureBlock(
        "effects",
        "Times a game",
        f"Ranked dots with {study.level} intervals: how many times a game each effect happens.",
        figures.dots(frame, {"times": "times a game"}, {"times": "number"}),
    )


def _tension(study: Study) -> Section:
    section = Section("tension", "Tension", "When is the winner settled?")
    if not study.document["games"]:
        return section
    settled = study.settled_table
    if len(settled) > 1:
        after = study.tags[study.settled].lower().removesuffix("s") + "s"
        frame = settled.data.assign(label=settled.data["of"])
        dashed = (
            "; dashed: what it would be if the lead said nothing" if study.led_by_chance else ""
        )
        section.blocks.append(
            FigureBlock(
                "settled",
                f"Share of the wins by seats that led after so many {after} (shared leads count in "
                f"full{dashed})",
                f"Line with {study.level} intervals over the course of a game: how many wins go to "
                "seats that led at that point.",
                figures.course(frame, after, "wins of leaders"),
            )
        )
    if len(settled):
        by_chance = (number_column("if the lead said nothing", "expected", "share"),)
        section.blocks.append(
            TableBlock(
                "Settled",
                settled,
                (
                    *_metric_columns(study.level)[:-2],
                    *(by_chance if study.led_by_chance else ()),
                    *estimate_columns("comebacks", "comeback", "share", study.level),
                    *_metric_columns(study.level)[-2:],
                ),
                folded=len(settled) > suite_sections.LONG,
            )
        )
    section.blocks += _metric_table(study, "Lead, ties, margins", study.tension_table)
    section.blocks += _drawings(study, "tension")
    return section


def _length(study: Study) -> Section:
    section = Section("length", "Length", "How long does it take?")
    if study.document["games"]:
        if study.always:
            section.blocks.append(Paragraph((say(study.always),)))
        section.blocks += _drawings(study, "length")
        section.blocks += _metric_table(study, "Length", study.length_table)
    return section


def _other(study: Study) -> Section:
    section = Section("other", "Everything else", "What else was counted?")
    if study.document["games"]:
        section.blocks += _metric_table(study, "Other metrics", study.other_table)
    return section


def _assumptions(study: Study) -> Section:
    section = Section("assumptions", "Assumptions", "What does the rulebook not say?")
    if study.assumptions:
        import pandas as pd

        frame = Frame("assumptions", pd.DataFrame(list(study.assumptions)))
        section.blocks += [
            Paragraph(
                (
                    say(
                        "Evidence: A assumed, the rulebook is silent; I inferred; T stated and X "
                        "shown by an example, where another value was chosen."
                    ),
                )
            ),
            TableBlock(
                "Assumed, inferred or changed",
                frame,
                (
                    text_column("setting", "name"),
                    Column("value", _setting, number=False),
                    text_column("evidence", "evidence"),
                    text_column("what it says", "explanation", prose=True),
                    text_column("settles", "ids"),
                ),
            ),
        ]
    return section


def _setting(frame: Frame, row: int) -> Sentence:
    """Return a value that a line can be broken within: a list has a space after each comma."""
    return say("{}", Name(", ".join(frame.value(row, "value").split(","))))


def _again(study: Study) -> Section:
    section = Section("again", "How to see it again", "")
    section.blocks.append(
        Paragraph(
            (
                say(
                    "{} {} of seed {}; the same seed gives the same games on any machine.",
                    study.fact("games", study.document["games"], "count"),
                    study.played,
                    study.fact("seed", study.facts["seed"], "whole"),
                ),
            )
        )
    )
    section.blocks.append(CommandBlock(tuple(study.commands)))
    return section
