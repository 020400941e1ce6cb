"""Check the fields of a position in JSON: what is wrong is said with the name of its field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analyzer.errors import UsageError, unknown
from analyzer.games.base import GameSpec
from analyzer.jsonout import dumps_line

#: Characters up to which a wrong value is shown.
_SHORT = 60


def fail(field: str, message: str) -> UsageError:
    """Return the error of a field."""
    return UsageError(f"{field}: {message}")


def kind_of(value: object) -> str:
    """Return what a JSON value is, in words."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    if value is None:
        return "null"
    return names.get(type(value), "a number")


def told(value: object) -> str:
    """Return a JSON value in words, and as it is written where that is short."""
    if value is None or isinstance(value, bool):
        return dumps_line(value)
    written = dumps_line(value)
    return f"{kind_of(value)} ({written})" if len(written) <= _SHORT else kind_of(value)


def check_object(value: object, field: str, needed: Sequence[str], optional: Sequence[str]) -> dict:
    """Return a JSON object that has the right keys, or raise UsageError naming the field."""
    if not isinstance(value, dict):
        raise fail(field, f"must be an object, not {kind_of(value)}.")
    for key in value:
        if key not in needed and key not in optional:
            raise fail(field, unknown("key", key, [*needed, *optional]))
    for key in needed:
        if key not in value:
            raise fail(field, f"the key {key!r} is missing.")
    return value


def check_table(value: object, field: str) -> dict:
    """Return a JSON object with any keys, or raise UsageError naming the field."""
    if not isinstance(value, dict):
        raise fail(field, f"must be an object, not {kind_of(value)}.")
    return value


def check_rulings(value: object, spec: GameSpec) -> dict[str, Any]:
    """Return all rulings of a game, those of a JSON object over the defaults, or raise UsageError."""
    given = check_table(value, "rulings")
    return spec.complete(
        {name: spec.parse_ruling(name, one, f"in rulings.{name}") for name, one in given.items()}
    )


def check_list(value: object, field: str, what: str) -> list:
    """Return a JSON list, or raise UsageError naming the field."""
    if not isinstance(value, list):
        raise fail(field, f"must be a list of {what}, not {kind_of(value)}.")
    return value


def check_whole(value: object, field: str, low: int, high: int) -> int:
    """Return a whole number within bounds, or raise UsageError naming the field."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise fail(field, f"must be a whole number, not {told(value)}.")
    if not low <= value <= high:
        raise fail(field, f"must be {low} to {high}, not {value}.")
    return value
