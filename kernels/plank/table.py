"""The table of a plank game: where each number of a game stands in its int64 array.

The first cells report a fault, as `kernels.abi` prescribes for scratch arrays; behind them stands the
position (`kernels.plank.position`), then what only the referee knows. While a round is played the
plank and whatever else every turn changes stand in rows of all games (`HOT_CELLS`) instead.
"""

from __future__ import annotations

from kernels.abi import FAULT_CELLS, FAULT_LEGAL, MAX_SEATS
from kernels.plank import position as pos

FAULT = FAULT_LEGAL + 1  # what was wrong with an illegal move (kernels.plank.position)
POSITION = FAULT_CELLS
PLANK = POSITION + pos.PLANK
LOW = POSITION + pos.LOW
HIGH = POSITION + pos.HIGH
LENGTH = POSITION + pos.LENGTH
LEFT = POSITION + pos.LEFT
RIGHT = POSITION + pos.RIGHT
RULING = POSITION + pos.RULING
# Two more binary digits of a pirate: its place of four in its colour, from the ship end, at the start.
START_LOW = POSITION + pos.POSITION_CELLS
START_HIGH = START_LOW + 1
ARRIVED = START_HIGH + 1  # how the pirate on the foremost cell got there (PUSHED, SWAPPED, MOVED)
FALLS = ARRIVED + 1  # pirates fallen in this round
FALLEN = FALLS + 1  # their colours, two bits each, the first lowest
LEGAL = FALLEN + 1  # legal word of the turn of `resolve_position`
MOVE = LEGAL + 1  # its move
# The game and the round.
SEED = MOVE + 1
GAME = SEED + 1
SPIN_DRAWS = GAME + 1  # draws of the wind rose made at once (kernels.rng.stream_words)
SEATS = SPIN_DRAWS + 1
FIRST = SEATS + 1  # seat that starts the game
STARTER = FIRST + 1  # seat that starts the round
ROUND = STARTER + 1
TURN = ROUND + 1  # turns completed in this round
ACTIVE = TURN + 1  # seat that is to move
SHOWN = ACTIVE + 1  # what the wind rose shows: ``left * SYMBOLS + right``
STONE = SHOWN + 1  # per seat: its colour
# The result of a round or position.
OVER = STONE + MAX_SEATS  # 1: the game is over
ON_ROSE = OVER + 1  # 1: the wind-rose action ended it
SURVIVOR = ON_ROSE + 1  # colour, NOBODY after a turn cap
WINNER = SURVIVOR + 1  # seat, or NOBODY
ROUND_POINTS = WINNER + 1  # per seat
# The result of a game.
POINTS = ROUND_POINTS + MAX_SEATS  # per seat
LEADERS = POINTS + MAX_SEATS  # per checkpoint of the last round: mask of the seats in the lead
CHECKPOINTS = 3
TURNS = LEADERS + CHECKPOINTS  # of all rounds
UNDECIDED = TURNS + 1  # rounds that were void or capped
CAPPED = UNDECIDED + 1  # rounds that the turn cap stopped
WINNERS = CAPPED + 1  # mask
DIGEST = WINNERS + 1
# For `resolve_position`.
AFTER_CHOICE = DIGEST + 1  # plank and colours between the two actions
LANE_CELLS = AFTER_CHOICE + 3

# What a turn changes, of all games that are played side by side: a row of LANES cells for each number,
# so that a step of the turn is one vector loop along the rows (`kernels.plank.rules`).
LANES = 16
(
    H_LIVE,  # -1: the game's active seat is to move; 0: the lane waits
    H_PLANK,
    H_LOW,
    H_HIGH,
    H_START_LOW,
    H_START_HIGH,
    H_ARRIVED,
    H_LEGAL,
    H_MOVE,
    H_PLAIN,  # 1: the move's action is certainly legal
    H_FELL,  # start cell of the pirate that fell, -1 if none did
    H_FELL_FROM,  # how that pirate got to the foremost cell
    H_OVER,  # -1: the round is over
    H_DIGEST,
) = range(0, 14 * LANES, LANES)
HOT_CELLS = H_DIGEST + LANES

# A table that stands alone has rows of its own.
HOT = LANE_CELLS
TABLE_CELLS = HOT + HOT_CELLS

NOBODY = -1

# How a pirate came to the foremost cell of the plank.
PUSHED, SWAPPED, MOVED = range(3)
ARRIVALS = 3
