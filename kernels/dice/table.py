"""The table of a game of dice: where each number of a position stands in its int64 array.

The first cells are the report of a fault that `kernels.abi` prescribes for every scratch array. A
sheet is a word of five nibbles, the marked boxes of each column; the own column stays empty.
"""

from __future__ import annotations

from kernels.abi import FAULT_CELLS, MAX_SEATS
from kernels.dice.multisets import ANIMALS

#: Rounds (everybody's turn once) whose leaders are kept; later ones are not.
LEADER_ROUNDS = 16

#: The owner of an animal that nobody has: one row more than seats, with a sheet that is full.
NOBODY = MAX_SEATS
SEAT_ROWS = MAX_SEATS + 1

SEATS = FAULT_CELLS
SEED = SEATS + 1
GAME = SEED + 1
TURN = GAME + 1  # turns finished
FIRST = TURN + 1  # seat that started the game
ACTIVE = FIRST + 1  # seat that rolls
FIRST_KEEP = ACTIVE + 1  # packed counts set aside in this turn
SECOND_KEEP = FIRST_KEEP + 1
KIND = SECOND_KEEP + 1  # what came of the last turn (`kernels.dice.tally`)
WINNERS = KIND + 1  # mask
DIGEST = WINNERS + 1
LEGAL = DIGEST + 1  # legal moves of the seat that decides
MOVE = LEGAL + 1  # its answer
ROUND = MOVE + 1  # rounds finished
ANIMAL = ROUND + 1  # per seat, like all that follows but OWNER and LEADERS
OWNER = ANIMAL + SEAT_ROWS  # per animal: seat, or NOBODY
MARKS = OWNER + ANIMALS  # its sheet
SCORE = MARKS + SEAT_ROWS  # victory points
BOXES = SCORE + SEAT_ROWS  # marked boxes
OWN_BOXES = BOXES + SEAT_ROWS  # those marked on one's own turns
WORTH = OWN_BOXES + SEAT_ROWS  # the columns that bring a point, highest bit of each nibble
WISH = WORTH + SEAT_ROWS  # what to forgo under the cap (`kernels.dice.rules.wish`)
BEHIND = WISH + SEAT_ROWS  # boxes behind the leader, at worst
LEADERS = BEHIND + SEAT_ROWS  # per round: mask of the seats that lead
TABLE_CELLS = LEADERS + LEADER_ROUNDS
