"""The wind rose of Gezanke auf der Planke!: how it is written, and its law."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import gcd

from analyzer.errors import unknown

#: In the order of the kernel (``kernels.plank.position``).
SYMBOLS = ("swap", "push1", "move1", "skull")
SKULL = len(SYMBOLS) - 1
UNIFORM = "uniform"
#: Most sectors of a wheel.
MOST_SECTORS = 360
#: Probabilities of a table may miss 1 by this much.
TOLERANCE = Fraction(1, 10**9)
#: Digits of a number of a table; more are no longer meant.
MOST_DIGITS = 40

#: Chances by left and right symbol.
Law = list[list[Fraction]]


@dataclass(frozen=True)
class Rose:
    """A wind rose: `uniform`, a table of joint chances, or a wheel with two pointers.

    A table is written row by row, ``1,1,1,1/1,1,1,1/1,1,1,1/1,1,1,1``: a row a symbol of the left
    pointer, in a row a number a symbol of the right one, in the order of SYMBOLS. Numbers are
    probabilities that add up to 1, or whole parts. A wheel is written ``swap,skull,push1,move1@2``:
    its sectors in order, and how many sectors on from the left pointer the right one stands. Files
    may also hold a list of four lists, or ``{wheel = [...], distance = 2}``.
    """

    def parse(self, value: object) -> str:
        """Return the canonical text of a rose.

        Raises
        ------
        ValueError
            Saying what is wrong. Two skulls, and a skull beside an action, must be possible: the
            rulebook speaks of both (GP-A16).
        """
        text = self._canonical(value)
        chances = law(text)
        if chances[SKULL][SKULL] == 0:
            raise ValueError("Two skulls must be possible on a wind rose.")
        beside = [chances[SKULL][k] + chances[k][SKULL] for k in range(SKULL)]
        if not any(beside):
            raise ValueError("A skull beside another symbol must be possible on a wind rose.")
        return text

    def describe(self) -> str:
        """Return the ways to write a rose."""
        return (
            f"{UNIFORM}; a table of 4 rows of 4 chances such as 1,1,1,1/1,1,1,1/1,1,1,1/1,1,1,1 "
            f"(rows: left pointer, in the order {', '.join(SYMBOLS)}); or a wheel such as "
            "swap,skull,push1,skull,move1@2 (sectors in order @ distance of the pointers)"
        )

    def _canonical(self, value: object) -> str:
        if isinstance(value, Mapping):
            if set(value) != {"wheel", "distance"}:
                raise ValueError("A wheel has the keys wheel and distance.")
            return _wheel(value["wheel"], value["distance"])
        if isinstance(value, str):
            text = "".join(value.split())
            if text.casefold() == UNIFORM:
                return UNIFORM
            if "@" in text:
                sectors, _, distance = text.partition("@")
                return _wheel(sectors.split(","), distance)
            if "/" in text:
                return _table([row.split(",") for row in text.split("/")])
        elif isinstance(value, Sequence):
            return _table(value)
        raise ValueError(f"It takes {self.describe()}.")


def _wheel(sectors: object, distance: object) -> str:
    """Return the canonical text of a wheel."""
    if isinstance(sectors, str) or not isinstance(sectors, Sequence):
        raise ValueError("The wheel must be a list of symbols.")
    if not 1 <= len(sectors) <= MOST_SECTORS:
        raise ValueError(f"A wheel has 1 to {MOST_SECTORS} sectors, not {len(sectors)}.")
    for place, symbol in enumerate(sectors, 1):
        if symbol not in SYMBOLS:
            raise ValueError(unknown("symbol", symbol, SYMBOLS, f"on sector {place}"))
    try:
        if isinstance(distance, bool | float):
            raise ValueError
        steps = int(distance)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise ValueError(
            f"The pointers' distance must be a whole number of sectors, not {distance!r}."
        ) from None
    return f"{','.join(sectors)}@{steps % len(sectors)}"


def _table(rows: Sequence[object]) -> str:
    """Return the canonical text of a table; equal chances everywhere are `UNIFORM`."""
    size = len(SYMBOLS)
    listed = [row for row in rows if isinstance(row, Sequence) and not isinstance(row, str)]
    if len(rows) != size or [len(row) for row in listed] != [size] * size:
        raise ValueError(f"A table has {size} rows of {size} chances.")
    numbers = [_chance(item) for row in listed for item in row]
    total = sum(map(Fraction, numbers))
    if all(number == number.to_integral_value() for number in numbers):
        if total == 0:
            raise ValueError("The chances are all 0.")
        common = gcd(*map(int, numbers))
        numbers = [Decimal(int(number) // common) for number in numbers]
    elif abs(total - 1) > TOLERANCE:
        raise ValueError(
            f"The probabilities add up to {float(total):.10g}, not 1 (or write whole parts)."
        )
    if len(set(numbers)) == 1:
        return UNIFORM
    texts = [_plain(number) for number in numbers]
    return "/".join(",".join(texts[first : first + size]) for first in range(0, size**2, size))


def _chance(item: object) -> Decimal:
    """Return one chance as it was written, exactly."""
    try:
        if isinstance(item, bool):
            raise InvalidOperation
        number = Decimal(str(item))
    except InvalidOperation:
        raise ValueError(f"{item!r} is not a chance: write numbers such as 0.25 or 3.") from None
    if not number.is_finite() or number < 0:
        raise ValueError(f"{item} is not a chance: it must be 0 or more.")
    if number and not -MOST_DIGITS <= number.adjusted() <= MOST_DIGITS:
        raise ValueError(f"{item} is no chance that is meant.")
    return number


def _plain(number: Decimal) -> str:
    """Return a number without exponent and without zeros at its end."""
    text = f"{number:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"


def law(canonical: str) -> Law:
    """Return the exact joint law of a canonical rose, by left and right symbol.

    Returns
    -------
    list of lists of Fraction
        Shape (4, 4); they add up to 1.
    """
    size = len(SYMBOLS)
    if canonical == UNIFORM:
        return [[Fraction(1, size * size)] * size for _ in SYMBOLS]
    if "@" in canonical:
        text, _, distance = canonical.partition("@")
        sectors = [SYMBOLS.index(symbol) for symbol in text.split(",")]
        chances = [[Fraction(0)] * size for _ in SYMBOLS]
        for place, left in enumerate(sectors):
            right = sectors[(place + int(distance)) % len(sectors)]
            chances[left][right] += Fraction(1, len(sectors))
        return chances
    parts = [[Fraction(item) for item in row.split(",")] for row in canonical.split("/")]
    total = sum(map(sum, parts))
    return [[part / total for part in row] for row in parts]
