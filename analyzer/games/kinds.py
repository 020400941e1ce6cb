"""The types of rulings: how a value is written, checked and brought to its canonical form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from analyzer.errors import did_you_mean

#: Digits of a count; nothing that is meant has more.
_COUNT_DIGITS = 4


class Kind(Protocol):
    """The type of a ruling: how its values are written and checked."""

    def parse(self, value: object) -> Any:
        """Return the canonical value, or raise ValueError with the choices."""

    def describe(self) -> str:
        """Return the choices in words."""


@dataclass(frozen=True)
class Choice:
    """One of a few names or numbers, the default first."""

    values: tuple[str | int, ...]

    def parse(self, value: object) -> str | int:
        """Return the value as one of the choices."""
        text = _as_text(value)
        for choice in self.values:
            if text == str(choice):
                return choice
        hint = did_you_mean(text, [str(choice) for choice in self.values])
        raise ValueError(f"{hint}Choices: {self.describe()}.")

    def describe(self) -> str:
        """Return the choices, comma-separated."""
        return ", ".join(str(choice) for choice in self.values)


@dataclass(frozen=True)
class Whole:
    """A whole number within bounds; `high` None means no upper bound."""

    low: int
    high: int | None = None

    def parse(self, value: object) -> int:
        """Return the value as an int."""
        try:
            number = int(_as_text(value))
        except ValueError:
            number = None
        in_range = number is not None and number >= self.low
        if not in_range or (self.high is not None and number > self.high):
            raise ValueError(f"It takes {self.describe()}.")
        return number

    def describe(self) -> str:
        """Return the bounds in words."""
        if self.high is None:
            return f"a whole number from {self.low}"
        return f"a whole number from {self.low} to {self.high}"


@dataclass(frozen=True)
class Numbers:
    """One of a few numbers, the default first."""

    values: tuple[int | float, ...]

    def parse(self, value: object) -> int | float:
        """Return the value as one of the numbers."""
        try:
            number = float(_as_text(value))
        except ValueError:
            number = None
        for one in self.values:
            if one == number:
                return one
        raise ValueError(f"Choices: {self.describe()}.")

    def describe(self) -> str:
        """Return the numbers, comma-separated."""
        return ", ".join(str(value) for value in self.values)


def multiset_items(value: object, kind: Kind) -> list[tuple[str, str]]:
    """Return the items of a multiset with their counts, both as they were written.

    Parameters
    ----------
    value
        ``a:2,b``, a list of such items, or a table of counts. An item without a count is there
        once; one with the count 0 is not there, as if it had not been named.
    kind
        What is parsed.

    Raises
    ------
    ValueError
        When it is none of these; the message says what `kind` takes.
    """
    if isinstance(value, str):
        items: Sequence[object] = value.replace(",", " ").split()
    elif isinstance(value, Mapping):
        items = [f"{item}:{count}" for item, count in value.items()]
    elif isinstance(value, Sequence):
        items = value
    else:
        raise ValueError(f"It takes {kind.describe()}.")
    parts = [_as_text(item).partition(":") for item in items]
    return [(item, count if colon else "1") for item, colon, count in parts]


def is_count(text: str) -> bool:
    """Tell whether a text is a count of a multiset: a whole number, and none that is endless."""
    return text.isdecimal() and len(text) <= _COUNT_DIGITS


@dataclass(frozen=True)
class Deck:
    """A fixed number of cards with a number on each, written ``10:2,11:2,…`` (value:count).

    Attributes
    ----------
    size
        Number of cards.
    low, high
        Bounds of the numbers.
    noun
        What a card is called, in the plural.
    """

    size: int
    low: int
    high: int
    noun: str

    def parse(self, value: object) -> str:
        """Return the deck in canonical form, lowest number first."""
        counts: Counter[int] = Counter()
        for item, count in multiset_items(value, self):
            counts[self._number(item, count)] += int(count)
        if counts.total() != self.size:
            raise ValueError(
                f"It needs {self.size} {self.noun}, not {counts.total()}; "
                f"write value:count pairs such as 10:{self.size // 2},20:{self.size // 2}."
            )
        return ",".join(f"{number}:{counts[number]}" for number in sorted(counts) if counts[number])

    def describe(self) -> str:
        """Return the way to write a deck."""
        return (
            f"{self.size} {self.noun} as value:count pairs or a list; "
            f"values {self.low} to {self.high}"
        )

    @staticmethod
    def cards(canonical: str) -> list[int]:
        """Return the numbers of a canonical deck, one a card, ascending."""
        numbers: list[int] = []
        for pair in canonical.split(","):
            number, count = pair.split(":")
            numbers += [int(number)] * int(count)
        return numbers

    def _number(self, item: str, count: str) -> int:
        if not item.removeprefix("-").isdecimal() or not is_count(count):
            text = item if count == "1" else f"{item}:{count}"
            most = 10**_COUNT_DIGITS - 1
            raise ValueError(
                f"{text!r} is neither a number nor value:count (a count: 0 to {most})."
            )
        if not self.low <= int(item) <= self.high:
            raise ValueError(f"{item} is outside {self.low} to {self.high}.")
        return int(item)


def every_value(kind: Kind) -> Sequence[Any] | None:
    """Return all values of a ruling; None where they are not listed or have no end."""
    if isinstance(kind, Choice):
        return kind.values
    if isinstance(kind, Whole) and kind.high is not None:
        return range(kind.low, kind.high + 1)
    return None


def _as_text(value: object) -> str:
    """Return what a person would have typed for a value of a TOML or JSON file."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).strip()
