"""What a long task tells on its way: the games played, and sentences for the person."""

from __future__ import annotations

from collections.abc import Callable

#: Called after each block with the number of games just played.
Progress = Callable[[int], None]
#: Called with a sentence for the person.
Note = Callable[[str], None]


def uncounted(games: int) -> None:
    """Count no games."""


def silence(text: str) -> None:
    """Say nothing."""
