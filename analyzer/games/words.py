"""Words that the stories of all games share."""

from __future__ import annotations

from collections.abc import Sequence


def listed(parts: Sequence[str], nothing: str = "nobody") -> str:
    """Return ``"a, b and c"``."""
    if not parts:
        return nothing
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def plain(number: float) -> int | float:
    """Return a number as JSON would have it: whole where it is whole."""
    return int(number) if number == int(number) else number
