"""Monte Carlo strategy analyzer for four table games: what a person touches."""

from __future__ import annotations

__version__ = "0.1.0"
