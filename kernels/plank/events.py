"""Event codes of Gezanke auf der Planke!; the cells each fills are named beside it."""

from __future__ import annotations

(
    START,  # seat that starts the game
    ROUND,  # round, seat that starts it, length of the plank
    STONE,  # seat, colour
    TURN,  # seat, left symbol, right symbol
    SWAPPED,  # seat, cell, other cell
    PUSHED,  # seat, cell, cell where the block ends (length of the plank: the edge)
    MOVED,  # seat, cell, end (0 last, 1 foremost), new cell
    SKULL,  # seat
    LAPSED,  # seat, symbol: impossible, nothing happens
    ROW,  # seat, cell of the last pirate, cell where the row ends (as PUSHED)
    FALL,  # colour, start cell, number of the fall from 0
    OVER,  # colour of the survivor, 1 if the wind-rose action ended the game
    CAPPED,  # turns: the turn cap stopped the round
    POINTS,  # seat, points of the round, points so far, colour
    WON,  # seat that won the round or -1, 1 if the round is void
) = range(15)
