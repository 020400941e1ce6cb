"""Tables and pictures from results. Imports nothing of ours but its own.

In a notebook::

    from reports import load
    load("runs/x").seats
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reports.frames import Run

__all__ = ["load"]


def load(path: str | Path) -> Run:
    """Return the run in a folder as pandas frames (`reports.frames.Run`)."""
    from reports.frames import Run  # late: pandas costs 0.3 s

    return Run(path)
