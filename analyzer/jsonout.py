"""JSON as it is printed: stable, and with lists of plain values on one line."""

from __future__ import annotations

import json
from typing import Any

_STEP = "  "


def dumps(value: Any) -> str:
    """Return a document as readable JSON.

    Objects and lists of objects are indented, lists of numbers or texts stay on one line; the keys
    keep their order. NaN is refused: the contract has null for what is not known.
    """
    return _dump(value, "")


def dumps_line(value: Any) -> str:
    """Return a document as one line of JSON."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _dump(value: Any, indent: str) -> str:
    if not isinstance(value, dict | list) or not value or _is_plain(value):
        return dumps_line(value)
    inner = indent + _STEP
    if isinstance(value, dict):
        lines = [f"{dumps_line(str(key))}: {_dump(item, inner)}" for key, item in value.items()]
        opening, closing = "{", "}"
    else:
        lines = [_dump(item, inner) for item in value]
        opening, closing = "[", "]"
    body = ",\n".join(inner + line for line in lines)
    return f"{opening}\n{body}\n{indent}{closing}"


def _is_plain(value: dict | list) -> bool:
    """Tell whether a value is a list of plain values, or a small object such as one metric."""
    if isinstance(value, list):
        return not any(isinstance(item, dict | list) for item in value)
    return set(value) == {"value", "ci", "n"}
