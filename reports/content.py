"""What a page is made of: numbers that know their cell, sentences, tables and pictures.

A number on a page is always a `Cell`: a place in one of the frames that lie beside the page as CSV. So
every number can be found there, and none can be made up on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from reports.text import UNKNOWN

if TYPE_CHECKING:
    import pandas as pd

    from reports.figures import Picture

MINUS = "−"


def _signed(text: str) -> str:
    return text.replace("-", MINUS)


def _plain(value: float) -> str:
    size = abs(value)
    digits = 0 if size >= 1000 else 1 if size >= 100 else 2 if size >= 10 else 3
    return _signed(f"{value:,.{digits}f}")


def _share(value: float) -> str:
    percent = 100 * value
    return f"{percent:.2f}" if abs(percent) < 10 else f"{percent:.1f}"


#: How a number is written, by form.
FORMS: dict[str, Callable[[Any], str]] = {
    "share": lambda value: f"{_share(value)} %",
    "bare_share": _share,
    "points": lambda value: _signed(f"{100 * value:+.2f} pp"),
    "bare_points": lambda value: _signed(f"{100 * value:+.2f}"),
    "size": lambda value: f"{100 * abs(value):.2f} pp",
    "number": _plain,
    "change": lambda value: ("+" if value > 0 else "") + _plain(value),
    "count": lambda value: f"{int(value):,}",
    "whole": lambda value: str(int(value)),
    "level": lambda value: f"{100 * value:g} %",
    "p": lambda value: "below 0.001" if value < 0.001 else f"{value:.3f}",
}
#: How the lower bound of an interval is written beside the upper one.
_LOW = {"share": "bare_share", "points": "bare_points"}


def written(value: Any, form: str) -> str:
    """Return a number as it stands on a page; a missing one as a dash."""
    if value is None or (isinstance(value, float) and value != value):
        return UNKNOWN
    return FORMS[form](value)


@dataclass(frozen=True)
class Cell:
    """A number of a table: which, where, and how it is written."""

    table: str
    row: int
    column: str
    form: str
    text: str


@dataclass(frozen=True)
class Name:
    """A name that somebody gave: of a strategy, a ruling, a value. It is never markup."""

    text: str


@dataclass(frozen=True)
class Sentence:
    """Words with numbers and names in them."""

    parts: tuple[str | Cell | Name, ...]


def say(template: str, *parts: str | Cell | Name | Sentence) -> Sentence:
    """Return a sentence: each ``{}`` of the template is replaced by a part."""
    words = template.split("{}")
    if len(words) != len(parts) + 1:
        raise ValueError(f"{len(parts)} parts for {template!r}")
    made: list[str | Cell | Name] = [words[0]]
    for part, after in zip(parts, words[1:], strict=True):
        made += part.parts if isinstance(part, Sentence) else [part]
        made.append(after)
    return Sentence(tuple(part for part in made if part != ""))


@dataclass(frozen=True)
class Paragraph:
    """Sentences that belong together; `tone` marks a warning."""

    sentences: tuple[Sentence, ...]
    tone: str = ""


@dataclass(frozen=True)
class Column:
    """A column of a shown table: a heading, and what stands in each row; `prose` needs room."""

    heading: str
    cell: Callable[[Frame, int], Sentence]
    number: bool = True
    prose: bool = False


@dataclass(frozen=True)
class TableBlock:
    """A table of a page, all of whose rows lie in one CSV."""

    title: str
    frame: Frame
    columns: tuple[Column, ...]
    folded: bool = False

    @property
    def rows(self) -> list[list[Sentence]]:
        """The cells, row by row."""
        return [
            [column.cell(self.frame, row) for column in self.columns]
            for row in range(len(self.frame.data))
        ]


@dataclass(frozen=True)
class FigureBlock:
    """A picture of a page, with what it shows in words."""

    name: str
    title: str
    alt: str
    picture: Picture


@dataclass(frozen=True)
class CommandBlock:
    """Commands to be pasted."""

    lines: tuple[tuple[str, str], ...]


Block = Paragraph | TableBlock | FigureBlock | CommandBlock


@dataclass(frozen=True)
class Verdict:
    """One answer of the first screen: a question, a word, and what it rests on.

    Attributes
    ----------
    tone
        ``good``, ``bad``, ``unsure`` or ``plain``.
    """

    question: str
    answer: str | Sentence
    tone: str
    sentences: tuple[Sentence, ...]
    section: str


@dataclass
class Section:
    """A part of a page."""

    key: str
    title: str
    question: str
    blocks: list[Block] = field(default_factory=list)


@dataclass(frozen=True)
class Frame:
    """A table with its name: the CSV beside the page."""

    name: str
    data: pd.DataFrame

    def __len__(self) -> int:
        return len(self.data)

    def value(self, row: int, column: str) -> Any:
        """Return a value, None for a missing one."""
        value = self.data[column].iloc[row]
        if hasattr(value, "item"):
            value = value.item()
        return None if value is None or value != value else value

    def cell(self, row: int, column: str, form: str) -> Cell:
        """Return a number of the table."""
        return Cell(self.name, row, column, form, written(self.value(row, column), form))

    def name_in(self, row: int, column: str) -> Name:
        """Return a text of the table."""
        value = self.value(row, column)
        return Name("" if value is None else str(value))

    def interval(self, row: int, low: str, high: str, form: str) -> Sentence:
        """Return ``24.9 to 25.3 %``."""
        if self.value(row, low) is None or self.value(row, high) is None:
            return say(UNKNOWN)
        lower = self.cell(row, low, _LOW.get(form, form))
        return say("{} to {}", lower, self.cell(row, high, form))

    def within(self, row: int, name: str, margin: float) -> bool:
        """Return whether the interval of a number is known and lies within a margin around 0."""
        low, high = self.value(row, f"{name}_low"), self.value(row, f"{name}_high")
        return low is not None and high is not None and -margin <= low and high <= margin

    def beyond(self, row: int, name: str, margin: float) -> bool:
        """Return whether the interval of a number is known and lies wholly outside a margin around 0."""
        low, high = self.value(row, f"{name}_low"), self.value(row, f"{name}_high")
        return low is not None and high is not None and (low > margin or high < -margin)

    def rows(self, column: str, value: Any) -> list[int]:
        """Return the rows that hold a value."""
        return [row for row in range(len(self)) if self.value(row, column) == value]


def text_column(heading: str, column: str, *, prose: bool = False) -> Column:
    """Return a column of names, or of explanations."""

    def cell(frame: Frame, row: int) -> Sentence:
        return say("{}", frame.name_in(row, column))

    return Column(heading, cell, number=False, prose=prose)


def number_column(heading: str, column: str, form: str) -> Column:
    """Return a column of numbers."""
    return Column(heading, lambda frame, row: say("{}", frame.cell(row, column, form)))


def interval_column(heading: str, low: str, high: str, form: str) -> Column:
    """Return a column of intervals."""
    return Column(heading, lambda frame, row: frame.interval(row, low, high, form))


def estimate_columns(
    heading: str, column: str, form: str, level: str, *, low: str = "", high: str = ""
) -> tuple[Column, Column]:
    """Return a column of values and one of their intervals."""
    low, high = low or f"{column}_low", high or f"{column}_high"
    return (
        number_column(heading, column, form),
        interval_column(f"{level} interval", low, high, form),
    )


def listed(parts: Sequence[str | Cell | Name | Sentence]) -> Sentence:
    """Return ``a, b and c``."""
    if not parts:
        return say("none")
    if len(parts) == 1:
        return say("{}", parts[0])
    return say(", ".join(["{}"] * (len(parts) - 1)) + " and {}", *parts)
