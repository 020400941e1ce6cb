"""The balance report as files: HTML, Markdown, CSV tables, SVG and PNG figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from reports import figures
from reports.content import (
    Block,
    Cell,
    CommandBlock,
    FigureBlock,
    Frame,
    Name,
    Paragraph,
    Section,
    Sentence,
    TableBlock,
    Verdict,
    say,
)
from reports.frames import csv_text
from reports.sections import sections
from reports.study import Study
from reports.verdict import verdicts

TEMPLATE = "report.html"
PAGE, MARKDOWN = "report.html", "report.md"


def files(study: Study) -> dict[str, bytes]:
    """Return every file of a report by its path.

    Parameters
    ----------
    study
        What was played.
    """
    answers = verdicts(study)
    notices = list(_notices(study))
    parts = sections(study)
    pictures = [b for part in parts for b in part.blocks if isinstance(b, FigureBlock)]
    drawn = {one.name: figures.draw(one.name, one.picture) for one in pictures}
    made = {
        PAGE: _html(study, notices, answers, parts, drawn),
        MARKDOWN: _markdown(study, notices, answers, parts),
    }
    for frame in _frames(study, parts):
        made[f"tables/{frame.name}.csv"] = csv_text(frame.data)
    found = {name: text.encode() for name, text in made.items()}
    for one in drawn.values():
        found |= {f"figures/{name}": content for name, content in one.files.items()}
    return found


def _frames(study: Study, parts: list[Section]) -> Iterator[Frame]:
    """Yield every table once: those of the study, and those that only the page made."""
    seen = set()
    shown = [b.frame for part in parts for b in part.blocks if isinstance(b, TableBlock)]
    for frame in [*study.all_tables(), *shown]:
        if frame.name not in seen:
            seen.add(frame.name)
            yield frame


def heading(study: Study) -> str:
    """Return the page's title: the scenario's, or the game's."""
    return study.title or study.heading


def _notices(study: Study) -> Iterator[Paragraph]:
    """Yield what must be read before anything else."""
    games = study.document["games"]
    if not games:
        yield Paragraph(
            (say("This run has no finished block yet; there is nothing to report."),), "warning"
        )
    elif not study.finished:
        yield Paragraph(
            (
                say(
                    "This run is not finished: {} of {} games. Everything below is of those alone.",
                    study.fact("games", games, "count"),
                    study.fact("total", study.total, "count"),
                ),
            ),
            "warning",
        )


def _subtitle(study: Study) -> Sentence:
    sizes = say(
        "{} players · {} {}",
        study.fact("players", len(study.players), "count"),
        study.fact("games", study.document["games"], "count"),
        study.played,
    )
    if heading(study) == study.heading:
        return sizes
    return say("{} · {}", Name(study.heading), sizes)


# --- HTML -----------------------------------------------------------------------------------------


def _html(
    study: Study,
    notices: list[Paragraph],
    answers: list[Verdict],
    parts: list[Section],
    drawn: dict[str, figures.Drawn],
) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests["cell"] = lambda part: isinstance(part, Cell)
    environment.tests["name"] = lambda part: isinstance(part, Name)
    environment.globals["kind"] = _kind
    return environment.get_template(TEMPLATE).render(
        heading=heading(study),
        subtitle=_subtitle(study),
        notices=notices,
        verdicts=answers,
        sections=parts,
        inline={name: one.inline for name, one in drawn.items()},
        marks={"good": "✓", "bad": "✗", "unsure": "?", "plain": "●"},
    )


def _kind(block: Block) -> str:
    kinds = {
        Paragraph: "paragraph",
        TableBlock: "table",
        FigureBlock: "figure",
        CommandBlock: "commands",
    }
    return kinds[type(block)]


# --- Markdown -------------------------------------------------------------------------------------

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#+!|~$&])")


def escaped(text: str) -> str:
    """Return a text as Markdown that shows it as it is, on one line."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def markdown_sentence(sentence: Sentence) -> str:
    """Return a sentence as Markdown."""
    written = []
    for part in sentence.parts:
        if isinstance(part, Cell):
            written.append(part.text)
        elif isinstance(part, Name):
            written.append(escaped(part.text))
        else:
            written.append(part)
    return "".join(written)


def _markdown(
    study: Study, notices: list[Paragraph], answers: list[Verdict], parts: list[Section]
) -> str:
    lines = [f"# {escaped(heading(study))}", "", markdown_sentence(_subtitle(study)), ""]
    for notice in notices:
        lines += [f"> **{_sentences(notice.sentences)}**", ""]
    for answer in answers:
        lines += [
            f"**{answer.question} {_answer(answer)}.** {_sentences(answer.sentences)}",
            "",
        ]
    for part in parts:
        lines += [f"## {part.title}", ""]
        if part.question:
            lines += [part.question, ""]
        for block in part.blocks:
            lines += [*_markdown_block(block), ""]
    return "\n".join(lines).rstrip() + "\n"


def _answer(verdict: Verdict) -> str:
    answer = verdict.answer
    return escaped(answer) if isinstance(answer, str) else markdown_sentence(answer)


def _sentences(sentences: tuple[Sentence, ...]) -> str:
    return " ".join(map(markdown_sentence, sentences))


def _markdown_block(block: Any) -> list[str]:
    if isinstance(block, Paragraph):
        return [_sentences(block.sentences)]
    if isinstance(block, FigureBlock):
        return [f"![{escaped(block.alt)}](figures/{block.name}.svg)", "", f"*{block.title}*"]
    if isinstance(block, CommandBlock):
        width = max((len(label) for label, _ in block.lines), default=0)
        return ["```", *(f"{label:<{width}}  {_one_line(c)}" for label, c in block.lines), "```"]
    headings = [column.heading for column in block.columns]
    rule = ["---:" if column.number else "---" for column in block.columns]
    rows = [[markdown_sentence(one) for one in row] for row in block.rows]
    table = [f"| {' | '.join(row)} |" for row in [headings, rule, *rows]]
    return [f"### {block.title}", "", *table]


def _one_line(command: str) -> str:
    """Return a command on one line, and without what would end the code around it."""
    return " ".join(command.split()).replace("```", "` ` `")
