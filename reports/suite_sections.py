"""The sections of a balance report that compare runs: strategies, restricted play, other readings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from reports import figures
from reports.content import (
    Block,
    Column,
    FigureBlock,
    Frame,
    Name,
    Paragraph,
    Section,
    Sentence,
    TableBlock,
    estimate_columns,
    listed,
    number_column,
    say,
    text_column,
)
from reports.study import Study, form_of
from reports.verdict import MOVES, SAME, STAYS, UNKNOWN, ruling_answer

#: Tables with more rows than this are folded where a picture shows them.
LONG = 8


def strategies(study: Study) -> Section:
    """Return who beats whom; empty where no ladder was played."""
    section = Section("strategies", "Strategies", "Who beats whom?")
    ladder, matrix = study.table("ladder"), study.table("matrix")
    if ladder is None or matrix is None:
        return section
    level = study.level
    section.blocks.append(
        TableBlock(
            "Ladder: one player at tables of each other strategy",
            ladder,
            (
                text_column("strategy", "strategy"),
                *estimate_columns("win rate", "win_rate", "share", level),
                *estimate_columns("among random", "against_random", "share", level),
                number_column("random among them", "random_against", "share"),
                number_column("games", "games", "count"),
            ),
        )
    )
    names = ladder.data["strategy"].tolist()
    cells = matrix.data.rename(columns={"one": "row", "others": "column", "win_rate": "value"})
    section.blocks.append(
        FigureBlock(
            "matrix",
            "Win rate in percent of one player (row) at a table of others (column)",
            "Matrix of win rates: rows and columns are strategies, strongest first. The numbers "
            "stand in the table below.",
            figures.matrix(cells, names, 1 / len(study.players), "a table of"),
        )
    )
    section.blocks.append(
        TableBlock(
            "All pairs",
            matrix,
            (
                text_column("one", "one"),
                text_column("among", "others"),
                *estimate_columns("win rate", "win_rate", "share", level),
                number_column("games", "games", "count"),
            ),
            folded=True,
        )
    )
    section.blocks += _who_plays(study, ladder)
    return section


def _who_plays(study: Study, ladder: Frame) -> Iterator[Block]:
    """Yield who was left out, and who plays the long runs where the strongest is too slow."""
    if study.left_out:
        told = listed([say(f"{{}} ({why})", Name(name)) for name, why in study.left_out.items()])
        yield Paragraph((say("Not played here: {}.", told),))
    if ladder.value(0, "strategy") != study.players[0]:
        yield Paragraph(
            (
                say(
                    "{} is too slow for the long runs: seats, components, restricted play and unclear "
                    "rules are those of {}, the strongest of the others.",
                    ladder.name_in(0, "strategy"),
                    Name(study.players[0]),
                ),
            )
        )


def restricted(study: Study) -> Section:
    """Return what each thing is worth that a strategy was denied; empty where nothing was."""
    section = Section(
        "restricted", "Restricted play", "What is a card, an option or a schedule worth?"
    )
    table = study.table("restricted")
    if table is None:
        return section
    data = table.data
    frame = data.assign(
        label=data["restriction"],
        panel="worth",
        value=data["worth"],
        low=data["worth_low"],
        high=data["worth_high"],
        expected=0.0,
    )
    section.blocks += [
        Paragraph(
            (
                say(
                    "{} plays every seat; one seat after the other is denied one thing, on the same "
                    "deals. What it loses is what the thing is worth.",
                    Name(study.players[0]),
                ),
            )
        ),
        FigureBlock(
            "restricted",
            "Win rate lost when denied (dashed: nothing)",
            f"Ranked dots with {study.level} intervals: how much of its win rate the strategy loses "
            "under each restriction.",
            figures.dots(frame, {"worth": "win rate lost"}, {"worth": "points"}),
        ),
        TableBlock(
            "What each is worth",
            table,
            (
                text_column("denied", "restriction"),
                text_column("what is taken away", "subject"),
                *estimate_columns("wins lost", "worth", "points", study.level),
                number_column("p (Holm)", "p", "p"),
                text_column("how it plays then", "meaning", prose=True),
            ),
            folded=len(table) > LONG,
        ),
    ]
    return section


def rulings(study: Study) -> Section:
    """Return which other readings of the rules matter; empty where none was played."""
    section = Section("rulings", "Unclear rules", "Which readings of the rulebook matter?")
    table = study.table("rulings")
    if table is None:
        return section
    section.blocks += [
        Paragraph(
            (
                say(
                    "Every other reading on the same deals: with {} on every seat, the seat that "
                    "changes most, the change of one {} among random players, and which seat is then "
                    "farthest from an equal share.",
                    Name(study.players[0]),
                    Name(study.players[0]),
                ),
            )
        ),
        FigureBlock(
            "rulings",
            "Change of win rates under other readings (dashed: none)",
            f"Dots with {study.level} intervals: how much another reading of each rule changes the "
            "win rate of the seat that changes most, and of the strategy among random players.",
            _ruling_picture(table, study.players[0]),
        ),
        TableBlock(
            "Other readings, those that change most first",
            table,
            (
                text_column("ruling", "ruling"),
                text_column("instead of", "played"),
                text_column("value", "value"),
                Column("matters", partial(_matters, study.margin), number=False),
                text_column("evidence", "evidence"),
                text_column("what it says", "explanation", prose=True),
            ),
            folded=len(table) > LONG,
        ),
        TableBlock(
            "How win rates change under each reading",
            table,
            (
                text_column("ruling", "ruling"),
                text_column("value", "value"),
                number_column("seat that changes most", "seat", "whole"),
                *estimate_columns("changes by", "seat_change", "points", study.level),
                *estimate_columns("among random", "edge_change", "points", study.level),
            ),
            folded=len(table) > LONG,
        ),
        TableBlock(
            "What else changes under each reading",
            table,
            (
                text_column("ruling", "ruling"),
                text_column("value", "value"),
                number_column("farthest seat", "off_seat", "whole"),
                *estimate_columns("off by", "off", "points", study.level),
                text_column("what moves most", "metric"),
                Column("from", partial(_moved, "before")),
                Column("to", partial(_moved, "after")),
            ),
            folded=len(table) > LONG,
        ),
    ]
    return section


def _matters(margin: float, frame: Frame, row: int) -> Sentence:
    words = {MOVES: "yes", STAYS: "hardly", SAME: "never: same games", UNKNOWN: "not sure"}
    return say(words[ruling_answer(frame, row, margin)])


def _moved(column: str, frame: Frame, row: int) -> Sentence:
    return say("{}", frame.cell(row, column, form_of(frame.value(row, "metric") or "")))


def _ruling_picture(table: Frame, strategy: str) -> figures.Picture:
    import pandas as pd

    data = table.data
    labels = data["ruling"] + "=" + data["value"]
    panels = {"seat_change": "seat that changes most", "edge_change": f"{strategy} among random"}
    frame = pd.concat(
        [
            pd.DataFrame(
                {
                    "label": labels,
                    "panel": name,
                    "value": data[name],
                    "low": data[f"{name}_low"],
                    "high": data[f"{name}_high"],
                    "expected": 0.0,
                }
            )
            for name in panels
        ],
        ignore_index=True,
    )
    return figures.dots(frame, panels, dict.fromkeys(panels, "points"))
