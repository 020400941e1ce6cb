"""The table of a boat game: where each number stands in its int64 array.

Up to LANES games are played side by side. A *row* has one cell a game: ``table[at.KEPT + lane]``; what
there is per boat or seat has a row a boat or seat: ``table[at.BOAT + boat * LANES + lane]``. The loops
over games run along the rows, which the machine does several games at a time. Boarding orders and piles
are read here and there and stand game by game. The first cells are the report of a fault that
`kernels.abi` prescribes for every scratch array.
"""

from __future__ import annotations

from kernels.abi import FAULT_CELLS, MAX_SEATS
from kernels.boats.cards import BOAT_CARDS, CARDS, ROUNDS

#: How many games are played side by side.
LANES = 32

# Numbers that all games share.
SEATS = FAULT_CELLS
BOATS = SEATS + 1
SEED = BOATS + 1
GAMES = SEED + 1  # lanes in use
START = GAMES + 1  # seat that starts the round
SCRIPTED = START + 1  # 1: replacements are given, not drawn
ORDERED = SCRIPTED + 1  # 1: the boarding order is kept
IDLE = ORDERED + 1  # set of the cards that come without their effect

# One row each.
GAME = 64  # index of the game
FAULT = GAME + LANES  # status, OK unless a rule could not go on
CUPIDS_LEFT = FAULT + LANES
LOVED = CUPIDS_LEFT + LANES  # set of the cards in love
PAID = LOVED + LANES  # set of the cards that brought their owners a cupid
KEPT = PAID + LANES  # set of the saved cards
PLAYED = KEPT + LANES  # set of the cards revealed so far
DRY = PLAYED + LANES  # set of the cards lost from boats that sailed
WINNERS = DRY + LANES  # mask of seats
DIGEST = WINNERS + LANES
REPLACEMENTS = DIGEST + LANES  # drawn in this game
PILE_FRONT = REPLACEMENTS + LANES  # PILE[front:back] are still face down
PILE_BACK = PILE_FRONT + LANES
LEGAL = PILE_BACK + LANES  # legal moves of the seat to move
MOVE = LEGAL + LANES  # its answer
TARGET = MOVE + LANES  # the boat that the move goes to
CARD = TARGET + LANES  # the card that it plays
PLACE = CARD + LANES  # how many animals were on that boat
FACE = PLACE + LANES  # 1: it plays the card face down (Einer geht noch!)
CELL = FACE + LANES  # a cell, and
BITS = CELL + LANES  # what is added to it: see kernels.boats.loop.add_bits
# The boat that is being resolved.
HERE = BITS + LANES  # set of the cards aboard
HERE_CAPACITY = HERE + LANES
KILOS = HERE_CAPACITY + LANES
SAILS = KILOS + LANES  # 1: sails
LOAD_CELL = SAILS + LANES  # where the load is booked
# One row a boat, a seat or a round.
CAPACITY = LOAD_CELL + LANES  # boat
KIND = CAPACITY + MAX_SEATS * LANES  # boat: which of the distinct capacities
BOAT = KIND + MAX_SEATS * LANES  # boat: set of the cards aboard
BOARDED = BOAT + MAX_SEATS * LANES  # boat: entries of ORDER in use
DECK = BOARDED + MAX_SEATS * LANES  # seat: deck word, the hand lowest
DOWN = DECK + MAX_SEATS * LANES  # seat: face-down card (kernels.boats.view.down_of)
CUPIDS = DOWN + MAX_SEATS * LANES  # seat
SCORE = CUPIDS + MAX_SEATS * LANES  # seat
LEADERS = SCORE + MAX_SEATS * LANES  # round: mask of the seats with the most points
# Einer geht noch! only.
BACKFIRED = LEADERS + ROUNDS * LANES  # set of the foxes whose plan failed
PAIRS = BACKFIRED + LANES  # boat: lowest bits of the species of which two are aboard
REPAID = PAIRS + MAX_SEATS * LANES  # seat: cupids for cards that had brought one before
# Vertical counters, a row a plane (kernels.boats.tally).
PLANES = REPAID + MAX_SEATS * LANES
PLANE_BITS = 7
COUNTERS = 2  # kept cards, kept cards of winners
# Game by game.
PILE = PLANES + COUNTERS * PLANE_BITS * LANES
PILE_STRIDE = BOAT_CARDS + CARDS  # scripted draws may be more than thirty
ORDER = PILE + LANES * PILE_STRIDE
ORDER_STRIDE = 64  # boarding order of a boat: room for all 60 cards
LANE_ORDERS = MAX_SEATS * ORDER_STRIDE
TABLE_CELLS = ORDER + LANES * LANE_ORDERS
