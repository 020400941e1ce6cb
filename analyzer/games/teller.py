"""What turns a game's event log into records with sentences, whatever the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Record = dict[str, Any]


class Teller:
    """Follows one log and tells it; a game's own teller knows its events.

    Parameters
    ----------
    labels
        How each seat is called in sentences, as in ``"Seat 0"`` or ``"A"``.

    Attributes
    ----------
    handlers
        By event code: the method that tells it, called with the event's cells.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = labels
        self.records: list[Record] = []
        self.handlers: dict[int, Callable[..., None]] = {}

    def tell(self, events: np.ndarray) -> list[Record]:
        """Return a record with a sentence for every event, and some in between."""
        for code, *cells in events.tolist():
            self.before(code, cells)
            self.handlers[code](*cells)
        return self.records

    def before(self, code: int, cells: Sequence[int]) -> None:
        """Say what has to be said before an event."""

    def say(self, event: str, text: str, **more: Any) -> None:
        """Append one record."""
        self.records.append({"event": event, **more, "text": text})
