"""Numbers as people write them: ``1_000_000``, ``1e6``, ``1M``, ``95%``, ``0xff``."""

from __future__ import annotations

import math
from decimal import Decimal, InvalidOperation

from analyzer.errors import UsageError

MAX_GAMES = 10**12
MAX_SEED = (1 << 64) - 1
MAX_THREADS = 1024
_SUFFIXES = {"k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}
#: No number that is meant has more digits; it also keeps ``1e999999999`` from being expanded.
_MAX_DIGITS = 40


def parse_whole(value: object, what: str, low: int, high: int, where: str = "") -> int:
    """Return a whole number from an int, ``1_000``, ``1e3`` or ``1k``.

    Parameters
    ----------
    value
        Text, or a number of a TOML file.
    what
        Name for the message, as in ``"games (-n)"``.
    low, high
        Bounds.
    where
        Place for the message.

    Raises
    ------
    UsageError
        When it is not a whole number within the bounds.
    """
    place = f" {where}" if where else ""
    number = None if isinstance(value, bool) else _whole(str(value))
    if number is None:
        raise UsageError(
            f"{what} must be a whole number, not {value!r}{place}. "
            "Write it as 1000000, 1_000_000, 1e6 or 1M."
        )
    if not low <= number <= high:
        raise UsageError(f"{what} must be {low:,} to {high:,}, not {number:,}{place}.")
    return number


def _whole(text: str) -> int | None:
    text = text.strip().casefold()
    factor = 1
    if text.startswith("0x"):
        try:
            return int(text, 16)
        except ValueError:
            return None
    if text and text[-1] in _SUFFIXES:
        text, factor = text[:-1], _SUFFIXES[text[-1]]
    try:
        number = Decimal(text.replace("_", ""))
    except InvalidOperation:
        return None
    if not number.is_finite() or number.adjusted() > _MAX_DIGITS:
        return None
    number *= factor
    return int(number) if number == number.to_integral_value() else None


def parse_games(value: object, where: str = "") -> int:
    """Return a number of games."""
    return parse_whole(value, "games (-n)", 1, MAX_GAMES, where)


def parse_seed(value: object, where: str = "") -> int:
    """Return a master seed."""
    return parse_whole(value, "seed", 0, MAX_SEED, where)


def parse_threads(value: object) -> int:
    """Return a number of threads."""
    return parse_whole(value, "threads (-j)", 1, MAX_THREADS)


def parse_confidence(value: object, where: str = "") -> float:
    """Return a confidence level from ``95%``, ``95`` or ``0.95``.

    Raises
    ------
    UsageError
        When it is not above 50 % and below 100 %.
    """
    text = str(value).strip()
    percent = text.endswith("%")
    try:
        level = float(text.removesuffix("%"))
    except ValueError:
        level = math.nan
    if percent or level > 1.0:
        # Through Decimal, so that 95, 95% and 0.95 are the same float.
        level = float(Decimal(text.removesuffix("%").strip()) / 100) if level < 1e9 else math.nan
    if not 0.5 <= level < 1.0 or isinstance(value, bool):
        place = f" {where}" if where else ""
        raise UsageError(
            f"confidence must be from 50% to below 100%, not {value!r}{place}. "
            "Write it as 95% or 0.95."
        )
    return level


def parse_share(value: object, what: str, low: float, high: float, where: str = "") -> float:
    """Return a share of one from ``0.1%`` or ``0.001``.

    Parameters
    ----------
    value
        Text, or a number of a TOML file.
    what
        Name for the message, as in ``"precision (--precision)"``.
    low, high
        Bounds, neither of which is allowed itself.
    where
        Place for the message.
    """
    text = str(value).strip()
    try:
        number = Decimal(text.removesuffix("%").strip())
    except InvalidOperation:
        number = Decimal("NaN")
    if text.endswith("%"):
        number /= 100
    if isinstance(value, bool) or not number.is_finite() or not low < number < high:
        place = f" {where}" if where else ""
        raise UsageError(
            f"{what} must be between {100 * low:g}% and {100 * high:g}%, not {value!r}{place}. "
            "Write it as 0.5% or 0.005."
        )
    return float(number)
