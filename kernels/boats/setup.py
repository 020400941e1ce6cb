"""The setup array of a boat game: the cells and values that both games have."""

from __future__ import annotations

PLAYERS = 0
CUPID_SUPPLY = 1
START_PLAYER = 2
OWN_RULINGS = 3  # first ruling that belongs to one game

# Values of the shared rulings, in the order of the registries.
FINITE, UNLIMITED = 0, 1
SEAT0, RANDOM_START = 0, 1
SHARED, NO_WINNER = 0, 1  # final_tie

UNLIMITED_CUPIDS = 1 << 40
