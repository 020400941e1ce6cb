"""What a strategy of the plank game sees: the cells of its view.

The view is a read-only int64 array of its own, filled with what the acting seat may know and nothing
else. It begins with a position (`kernels.plank.position`), so every function there that takes a
position takes a view. docs/strategies.md lists the cells; the names below are meant to be imported by
user strategies.
"""

from __future__ import annotations

from kernels.abi import MAX_SEATS, Door
from kernels.jit import inlined
from kernels.plank import planke_setup as setup_
from kernels.plank.position import (
    BLUE,
    COLOURS,
    FOREMOST,
    GREEN,
    HIGH,
    LAST,
    LEFT,
    LENGTH,
    LOW,
    MOVE1,
    NOWHERE,
    PIRATES,
    PLANK,
    POSITION_CELLS,
    PUSH1,
    RED,
    RIGHT,
    RULING,
    SKULL,
    SWAP,
    SYMBOLS,
    YELLOW,
    action_of,
    acts,
    at_of,
    colour_at,
    colour_set,
    end_cell,
    first_action,
    has_null_moves,
    idle_action,
    is_free,
    is_legal,
    is_possible,
    mask,
    may_choose,
    move_action,
    move_of,
    other_of,
    plank_after,
    push_action,
    row_starts,
    swap_action,
)
from kernels.plank.select import nth_cell

__all__ = [
    "BLUE",
    "COLOURS",
    "DOOR",
    "ENDGAME",
    "FALLEN",
    "FALLS",
    "FOREMOST",
    "GREEN",
    "HIGH",
    "LAST",
    "LEFT",
    "LENGTH",
    "LOW",
    "MOVE1",
    "NOWHERE",
    "OWN",
    "PIRATES",
    "PLANK",
    "PLAYERS",
    "POINTS",
    "PUSH1",
    "RED",
    "RIGHT",
    "ROSE",
    "ROUND",
    "RULING",
    "SEAT",
    "SKULL",
    "STARTER",
    "SWAP",
    "SYMBOLS",
    "TURN",
    "VIEW_CELLS",
    "YELLOW",
    "action_of",
    "acts",
    "at_of",
    "colour_at",
    "colour_set",
    "end_cell",
    "fallen_colour",
    "first_action",
    "has_null_moves",
    "idle_action",
    "is_free",
    "is_legal",
    "is_possible",
    "mask",
    "may_choose",
    "move_action",
    "move_of",
    "nth_cell",
    "other_of",
    "plank_after",
    "push_action",
    "row_starts",
    "swap_action",
]

# Cells that change with every turn, beside PLANK, LOW, HIGH, LEFT and RIGHT of the position.
SEAT = POSITION_CELLS  # the acting seat
OWN = SEAT + 1  # the colour of its hidden stone
TURN = OWN + 1  # turns played in this round
FALLS = TURN + 1  # pirates fallen in this round
FALLEN = FALLS + 1  # their colours: `fallen_colour(view, k)`
# Cells that change with every round.
ROUND = FALLEN + 1  # 0..
STARTER = ROUND + 1  # seat that starts the round
POINTS = STARTER + 1  # per seat: points of the rounds before
# Cells that never change, beside LENGTH and RULING.
PLAYERS = POINTS + MAX_SEATS
ROSE = PLAYERS + 1  # joint law of the pointers, ``left * SYMBOLS + right``, in parts of 2**32
ENDGAME = ROSE + SYMBOLS * SYMBOLS  # cell of this view where the endgame table begins, 0 without it
VIEW_CELLS = ENDGAME + 1

DOOR = Door(lanes=1, view_cells=VIEW_CELLS)

assert RULING + setup_.RULINGS == POSITION_CELLS


@inlined
def fallen_colour(view, k):
    """Return the colour of the pirate that fell as number `k`, from 0."""
    return view[FALLEN] >> 2 * k & 3
