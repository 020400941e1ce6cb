"""Words that the stories of all games share."""

from __future__ import annotations

from collections.abc import Sequence


def listed(parts: Sequence[str], nothing: str = "nobody") -> str:
    """Return ``"a, b and c"``."""
    if not parts:
        return nothing
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
