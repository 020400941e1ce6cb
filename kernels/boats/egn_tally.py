"""What a block of Einer geht noch! adds up beside `kernels.boats.tally`, whose layout comes first.

Scores, margins and the SCORE cells are in half points (`kernels.boats.egn_weights.SCORE_UNIT`).
"""

from __future__ import annotations

from kernels.abi import MAX_SEATS
from kernels.bits import lowest_bit_index, offset_cells
from kernels.boats import table as at
from kernels.boats import tally
from kernels.boats.cards import CARDS, FOX, LION, MONKEY, PLIES, SEAT_STRIDE, SPECIES
from kernels.boats.table import LANES
from kernels.boats.tally import (  # noqa: F401 (the cells that the rules of this game book)
    BLOCKED_LION,
    BLOCKED_MONKEY,
    CUPIDS,
    EATEN_CARDS,
    LION_MEALS,
    MONKEY_THROWS,
    OVERBOARD_CARDS,
    PAIRS_UNPAID,
    REPLACED,
    SWAM,
)
from kernels.jit import part

REASONS = 5  # of idleness (kernels.boats.events)
FOX_SETS = 1 << MAX_SEATS

FOX_SENDS = tally.SUM_CELLS
LOVES_ON_ARRIVAL = FOX_SENDS + 1
THIRD_ARRIVALS = LOVES_ON_ARRIVAL + 1
TRIOS = THIRD_ARRIVALS + 1  # at the reveal
DOWN_CARDS = TRIOS + 1  # per ply and seat: cards played face down
IDLE = DOWN_CARDS + PLIES * MAX_SEATS  # per species and reason: turns without effect
REMOVED_CARDS = IDLE + SPECIES * REASONS  # per card: out of the game with a trio, not swimming
BACKFIRED_CARDS = REMOVED_CARDS + CARDS  # per card: foxes whose plan failed
BACKFIRED_SETS = BACKFIRED_CARDS + CARDS  # per set of the seats whose fox failed: games
SUM_CELLS = BACKFIRED_SETS + FOX_SETS


@part
def count_each(sums, first, cards):
    """Add one to the cell of each card of a set, in place."""
    while cards:
        sums[first + lowest_bit_index(cards)] += 1
        cards &= cards - 1


@part
def book_down_cards(table, sums, ply, seat):
    """Book the cards that a seat plays face down."""
    down = 0
    for lane in range(table[at.GAMES]):
        down += table[at.FACE + lane]
    sums[DOWN_CARDS + ply * MAX_SEATS + seat] += down


@part
def book_loads(table, sums, boat):
    """Book the weighed boats by capacity, load and whether they sailed."""
    kind = offset_cells(table, at.KIND + boat * LANES)
    for lane in range(table[at.GAMES]):
        kilos = table[at.KILOS + lane]
        table[at.LOAD_CELL + lane] = tally.load_cell(kind[lane], kilos, table[at.SAILS + lane])
    tally.book_load_cells(table, sums)


@part
def book_backfires(table, sums):
    """Book the foxes of the finished games whose plan failed, as sets of seats."""
    for lane in range(table[at.GAMES]):
        sums[BACKFIRED_SETS + (table[at.BACKFIRED + lane] >> FOX * SEAT_STRIDE)] += 1


@part
def pour(table, sums):
    """Finish a block: turn what was counted into the totals that are read, in place."""
    tally.pour(table, sums)
    for mask in range(FOX_SETS):
        for seat in range(MAX_SEATS):
            failed = sums[BACKFIRED_SETS + mask] * (mask >> seat & 1)
            sums[BACKFIRED_CARDS + FOX * SEAT_STRIDE + seat] += failed
    for reason in range(REASONS):
        sums[BLOCKED_MONKEY] += sums[IDLE + MONKEY * REASONS + reason]
        sums[BLOCKED_LION] += sums[IDLE + LION * REASONS + reason]
