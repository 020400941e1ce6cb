"""The table of a game of dice: where each number of a position stands in its int64 array.

Up to LANES games are played side by side. A *row* has one cell a game: ``table[at.TURN + lane]``; what
there is per seat, animal or round has a row each: ``table[at.MARKS + seat * LANES + lane]``. The loops
over games run along the rows, which the machine does several games at a time. The first cells are the
report of a fault that `kernels.abi` prescribes for every scratch array.

A sheet is a word of five nibbles, the marked boxes of each column; the own column stays empty.
"""

from __future__ import annotations

from kernels.abi import FAULT_CELLS, MAX_SEATS
from kernels.dice.multisets import ANIMALS

#: How many games are played side by side.
LANES = 32

#: Rounds (everybody's turn once) whose leaders are kept; later ones are not.
LEADER_ROUNDS = 16

#: The owner of an animal that nobody has.
NOBODY = MAX_SEATS
#: The animal of a seat at which nobody sits.
NO_ANIMAL = ANIMALS + 1

# Numbers that all games share.
SEATS = FAULT_CELLS
SEED = SEATS + 1
GAMES = SEED + 1  # lanes in use
TO_MOVE = GAMES + 1  # mask of the lanes in which the seat that rolls is to move

# One row each.
GAME = 64  # index of the game
TURN = GAME + LANES  # turns finished
FIRST = TURN + LANES  # seat that started the game
ACTIVE = FIRST + LANES  # seat that is to roll
HERE = ACTIVE + LANES  # 1: that is the seat whose turn is played now; 0: the lane waits
DICE_WORD = HERE + LANES  # all dice of the turn (`kernels.dice.deal`)
FIRST_KEEP = DICE_WORD + LANES  # packed counts set aside in this turn
SECOND_KEEP = FIRST_KEEP + LANES
COUNTS = SECOND_KEEP + LANES  # packed counts of the turn's six dice
LEADING = COUNTS + LANES  # the leading animals, as the highest bits of their nibbles
OFFERED = LEADING + LANES  # boxes offered in each column
KIND = OFFERED + LANES  # what came of the last turn (`kernels.dice.tally`)
WINNERS = KIND + LANES  # mask
DIGEST = WINNERS + LANES
LEGAL = DIGEST + LANES  # legal moves of the seat that decides
MOVE = LEGAL + LANES  # its answer
ROUND = MOVE + LANES  # rounds finished
LEADERS_NOW = ROUND + LANES  # mask of the seats that lead
CELL = LEADERS_NOW + LANES  # a cell in which something is booked
# One row a seat.
ANIMAL = CELL + LANES
MARKS = ANIMAL + MAX_SEATS * LANES  # its sheet
SCORE = MARKS + MAX_SEATS * LANES  # victory points
BOXES = SCORE + MAX_SEATS * LANES  # marked boxes
OWN_BOXES = BOXES + MAX_SEATS * LANES  # those marked on one's own turns
MARKED = OWN_BOXES + MAX_SEATS * LANES  # boxes marked in this turn, by column
WORTH = MARKED + MAX_SEATS * LANES  # the columns that bring a point, highest bit of each nibble
BEHIND = WORTH + MAX_SEATS * LANES  # boxes behind the leader, at worst
WISH = BEHIND + MAX_SEATS * LANES  # what to forgo under the cap (`kernels.dice.rules.wish`)
OWNER = WISH + MAX_SEATS * LANES  # one row an animal: its seat, or NOBODY
LEADERS = OWNER + ANIMALS * LANES  # one row a round: mask of the seats that led
SPARE_ROUND = LEADERS + LEADER_ROUNDS * LANES  # for later rounds, and for none
TABLE_CELLS = SPARE_ROUND + LANES
