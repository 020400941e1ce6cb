"""All Aboard!: the estimates that it has beside those of both boat games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from analyzer.games.base import Metric
from analyzer.games.boats_metrics import FIRST_METRICS, OTHER_METRICS, BoatSummary

METRICS = (
    Metric("capsize_rate", "boats that sank, by weight or by a fight, of all boats", True),
    *FIRST_METRICS,
    Metric("fights_per_game", "boats sunk by a fight", True),
    Metric("fox_jumps_per_game", "jumps of foxes off sinking boats", True),
    *OTHER_METRICS,
)


class AllAboardSummary(BoatSummary):
    """Adds fights and jumps; a boat that a fight sank has no load."""

    listed = METRICS
    per_game_parts: Mapping[str, str] = {
        **BoatSummary.per_game_parts,
        "fights_per_game": "fights",
        "fox_jumps_per_game": "fox_jumps",
    }

    def sank(self) -> np.ndarray:
        """Return the boats that sank, by weight or by a fight, shape (blocks,)."""
        return super().sank() + self.part["fights"]

    def boats(self) -> dict[str, Any]:
        """Return boats by capacity, load and outcome, and those without a load."""
        return {**super().boats(), "sunk_by_fight": int(self.total("fights"))}
