"""What a block of Einfach tierisch adds up: the layout of `sums` and `rows`, and how a game is booked.

Everything is an integer total over games, so blocks merge by addition in any order. What can be
counted as whole masks or scores is counted so, and `pour` turns it into the totals that are read,
once a block.
"""

from __future__ import annotations

import numpy as np

from kernels.abi import CREDIT_UNIT, MAX_SEATS
from kernels.bits import greater, lesser, offset_cells, popcount, wrapping_mul
from kernels.dice import table as at
from kernels.dice.multisets import ANIMALS, DICE, NIBBLE, NIBBLE_MASK, size_of
from kernels.dice.outcomes import COLUMN_BOXES
from kernels.dice.table import LANES
from kernels.digest import finish_digest, fold
from kernels.jit import inlined, part

SEAT_SETS = 1 << MAX_SEATS
SCHEDULES = 6
SCORE_BINS = 5  # four columns at most
BOX_BINS = 1 + 4 * COLUMN_BOXES
TURN_BINS = 128  # the last bin holds all longer games
TURN_PARTIES = 2  # 0: on another player's turn, 1: on one's own
# Kinds of outcome: void, and by how many players marked.
KIND_VOID = 0
KIND_NOBODY = 1
KIND_ONE = 2
KIND_TWO = 3
KINDS = 4

GAMES = 0
DIGEST = 1
CREDIT = 2  # per seat, in 1/CREDIT_UNIT
CREDIT_SQUARED = CREDIT + MAX_SEATS  # per seat, in 1/CREDIT_UNIT**2
SCORE = CREDIT_SQUARED + MAX_SEATS  # per seat: victory points
SHARED_WINS = SCORE + MAX_SEATS  # games with several winners
NO_WINNER = SHARED_WINS + 1  # games that the turn cap ended
TURNS = NO_WINNER + 1
VOIDS = TURNS + 1  # turns with two or more police
MARKS = VOIDS + 1  # boxes, all players
MARKING_TURNS = MARKS + 1  # turns in which anybody marked
DOUBLE_MARKS = MARKING_TURNS + 1  # turns in which two players marked
LOST_TO_POLICE = DOUBLE_MARKS + 1  # boxes that void turns would have brought, all players
CAP_BOUND = LOST_TO_POLICE + 1  # times that the box cap bound
LEAD_CHANGES = CAP_BOUND + 1
UNOWNED_COLUMNS = LEAD_CHANGES + 1  # complete columns of animals that nobody has
UNOWNED_WINS = UNOWNED_COLUMNS + 1  # winners with a complete column of an animal that nobody has
TURN_KINDS = UNOWNED_WINS + 1  # turns per rolling seat, schedule and kind of outcome
TURNS_BY_SEAT = TURN_KINDS + MAX_SEATS * SCHEDULES * KINDS  # per rolling seat, like the next ones
VOIDS_BY_SEAT = TURNS_BY_SEAT + MAX_SEATS
SCHEDULE = VOIDS_BY_SEAT + MAX_SEATS  # and schedule (`schedule_of`)
BOXES = SCHEDULE + MAX_SEATS * SCHEDULES  # per marking seat and party of the turn
COLUMN_TOTALS = BOXES + MAX_SEATS * TURN_PARTIES  # boxes per marker's animal and column
COMPLETED = COLUMN_TOTALS + ANIMALS * ANIMALS  # complete columns, likewise
DEALT = COMPLETED + ANIMALS * ANIMALS  # games per animal in which somebody has it
ANIMAL_CREDIT = DEALT + ANIMALS  # credit of whoever has the animal, in 1/CREDIT_UNIT
ANIMAL_BOXES = ANIMAL_CREDIT + ANIMALS  # boxes per marker's animal and party of the turn
LED = ANIMAL_BOXES + ANIMALS * TURN_PARTIES  # per round and seat, in 1/CREDIT_UNIT
WINNER_LED = LED + at.LEADER_ROUNDS * MAX_SEATS  # per round: credit of winners who led
WINNER_SETS = WINNER_LED + at.LEADER_ROUNDS  # per set of winners
LEADER_SETS = WINNER_SETS + SEAT_SETS  # per round and set of leaders; games that had that round
SCORES = LEADER_SETS + at.LEADER_ROUNDS * SEAT_SETS  # per seat and victory points
COMEBACKS = SCORES + MAX_SEATS * SCORE_BINS  # winners by boxes behind the leader, at worst
LENGTHS = COMEBACKS + BOX_BINS  # games by turns
SUM_CELLS = LENGTHS + TURN_BINS

# Columns of `rows`, one row a game.
ROW_CREDIT = 0
ROW_SCORE = ROW_CREDIT + MAX_SEATS
ROW_BOXES = ROW_SCORE + MAX_SEATS
ROW_ANIMAL = ROW_BOXES + MAX_SEATS
ROW_TURNS = ROW_ANIMAL + MAX_SEATS
ROW_START = ROW_TURNS + 1
ROW_DIGEST = ROW_START + 1
ROW_CELLS = ROW_DIGEST + 1


@inlined
def schedule_of(first, second):
    """Return the number of a schedule by its first two sizes: 123, 132, 213, 231, 312, 321."""
    third = DICE - first - second
    return (first - 1) * 2 + (second > third)


@part
def close_rounds(table, next_seat):
    """Note who leads after a round, and how far behind everybody is, where one has just ended.

    The seats with most victory points lead, among them those with most boxes. Modified in place.

    Parameters
    ----------
    next_seat : int64
        Who is to roll next: a round ends before the turn of the seat that started.
    """
    for lane in range(table[at.GAMES]):
        closing = table[at.HERE + lane] & (table[at.FIRST + lane] == next_seat)
        best = -1
        top = 0
        leaders = 0
        for seat in range(MAX_SEATS):
            boxes = table[at.BOXES + seat * LANES + lane]
            standing = table[at.SCORE + seat * LANES + lane] * BOX_BINS + boxes
            leaders = leaders & -np.int64(standing <= best) | np.int64(standing >= best) << seat
            best = greater(best, standing)
            top = greater(top, boxes)
        for seat in range(MAX_SEATS):
            behind = (top - table[at.BOXES + seat * LANES + lane]) & -closing
            worst = table[at.BEHIND + seat * LANES + lane]
            table[at.BEHIND + seat * LANES + lane] = greater(worst, behind)
        round_ = table[at.ROUND + lane]
        kept = closing & (round_ < at.LEADER_ROUNDS)
        table[at.CELL + lane] = (at.LEADERS + round_ * LANES if kept else at.SPARE_ROUND) + lane
        table[at.LEADERS_NOW + lane] = leaders
        table[at.ROUND + lane] = round_ + closing
    for lane in range(table[at.GAMES]):
        table[table[at.CELL + lane]] = table[at.LEADERS_NOW + lane]


@inlined
def book_leads(table, lane, sums):
    """Book who led after each round, how often the lead changed, and whether the winners had led.

    The lead changes when nobody who led after the round before still leads.
    """
    winners = table[at.WINNERS + lane]
    share = CREDIT_UNIT // greater(popcount(winners), 1)
    led = offset_cells(table, at.LEADERS + lane)
    for round_ in range(lesser(table[at.ROUND + lane], at.LEADER_ROUNDS)):
        mask = led[round_ * LANES]
        sums[LEADER_SETS + round_ * SEAT_SETS + mask] += 1
        sums[WINNER_LED + round_] += share * popcount(mask & winners)
        if round_ > 0:
            sums[LEAD_CHANGES] += mask & led[(round_ - 1) * LANES] == 0


@inlined
def book_sheets(table, lane, sums):
    """Book every seat's sheet by its animal, and what the winners had of it."""
    winners = table[at.WINNERS + lane]
    share = CREDIT_UNIT // greater(popcount(winners), 1)
    for seat in range(table[at.SEATS]):
        cell = seat * LANES + lane
        animal = table[at.ANIMAL + cell]
        marks = table[at.MARKS + cell]
        unowned = 0
        for column in range(ANIMALS):
            boxes = marks >> column * NIBBLE & NIBBLE_MASK
            complete = boxes == COLUMN_BOXES
            sums[COLUMN_TOTALS + animal * ANIMALS + column] += boxes
            sums[COMPLETED + animal * ANIMALS + column] += complete
            unowned += complete & (table[at.OWNER + column * LANES + lane] == at.NOBODY)
        won = winners >> seat & 1
        sums[UNOWNED_COLUMNS] += unowned
        sums[UNOWNED_WINS] += won & (unowned > 0)
        sums[COMEBACKS + table[at.BEHIND + cell]] += won
        sums[DEALT + animal] += 1
        sums[ANIMAL_CREDIT + animal] += share * won
        sums[SCORES + seat * SCORE_BINS + table[at.SCORE + cell]] += 1
        own = table[at.OWN_BOXES + cell]
        others = table[at.BOXES + cell] - own
        sums[BOXES + seat * TURN_PARTIES] += others
        sums[BOXES + seat * TURN_PARTIES + 1] += own
        sums[ANIMAL_BOXES + animal * TURN_PARTIES] += others
        sums[ANIMAL_BOXES + animal * TURN_PARTIES + 1] += own


@part
def close_game(table, lane, sums):
    """Book a finished game, and finish its digest. Both are modified in place."""
    winners = table[at.WINNERS + lane]
    sums[WINNER_SETS + winners] += 1
    book_leads(table, lane, sums)
    book_sheets(table, lane, sums)
    sums[LENGTHS + lesser(table[at.TURN + lane], TURN_BINS - 1)] += 1
    digest = finish_digest(fold(table[at.DIGEST + lane], winners), table[at.GAME + lane])
    table[at.DIGEST + lane] = digest
    sums[DIGEST] = wrapping_mul(1, int(sums[DIGEST]) + int(digest))
    sums[GAMES] += 1


@part
def book_turns(table, sums, seat):
    """Book a seat's turns by the sizes set aside first and second, and what came of it."""
    games = table[at.GAMES]
    first_cell = TURN_KINDS + seat * SCHEDULES * KINDS
    for lane in range(games):
        first = size_of(table[at.FIRST_KEEP + lane])
        schedule = schedule_of(first, size_of(table[at.SECOND_KEEP + lane]))
        table[at.CELL + lane] = first_cell + schedule * KINDS + table[at.KIND + lane]
    for lane in range(games):
        sums[table[at.CELL + lane]] += table[at.HERE + lane]


@part
def pour_turns(sums):
    """Turn the turns by kind into the totals that are read, in place."""
    for seat in range(MAX_SEATS):
        for schedule in range(SCHEDULES):
            kinds = TURN_KINDS + (seat * SCHEDULES + schedule) * KINDS
            for kind in range(KINDS):
                turns = sums[kinds + kind]
                sums[TURNS] += turns
                sums[TURNS_BY_SEAT + seat] += turns
                sums[SCHEDULE + seat * SCHEDULES + schedule] += turns
                sums[MARKING_TURNS] += turns * (kind >= KIND_ONE)
            sums[VOIDS] += sums[kinds + KIND_VOID]
            sums[VOIDS_BY_SEAT + seat] += sums[kinds + KIND_VOID]
            sums[DOUBLE_MARKS] += sums[kinds + KIND_TWO]


@part
def pour(sums, seats):
    """Finish a block: turn what was counted into the totals that are read, in place."""
    pour_turns(sums)
    for mask in range(1, SEAT_SETS):
        games = sums[WINNER_SETS + mask]
        count = popcount(mask)
        share = CREDIT_UNIT // count
        if count > 1:
            sums[SHARED_WINS] += games
        for seat in range(seats):
            won = games * (mask >> seat & 1)
            sums[CREDIT + seat] += won * share
            sums[CREDIT_SQUARED + seat] += won * share * share
            for round_ in range(at.LEADER_ROUNDS):
                led = sums[LEADER_SETS + round_ * SEAT_SETS + mask] * (mask >> seat & 1)
                sums[LED + round_ * MAX_SEATS + seat] += led * share
    sums[NO_WINNER] = sums[WINNER_SETS]
    for seat in range(seats):
        for score in range(SCORE_BINS):
            sums[SCORE + seat] += score * sums[SCORES + seat * SCORE_BINS + score]
        for party in range(TURN_PARTIES):
            sums[MARKS] += sums[BOXES + seat * TURN_PARTIES + party]


@part
def write_row(table, lane, rows, first):
    """Write a finished game's row into `rows` (flat, in place), from cell `first` on."""
    winners = table[at.WINNERS + lane]
    share = CREDIT_UNIT // greater(popcount(winners), 1)
    for seat in range(table[at.SEATS]):
        cell = seat * LANES + lane
        rows[first + ROW_CREDIT + seat] = share * (winners >> seat & 1)
        rows[first + ROW_SCORE + seat] = table[at.SCORE + cell]
        rows[first + ROW_BOXES + seat] = table[at.BOXES + cell]
        rows[first + ROW_ANIMAL + seat] = table[at.ANIMAL + cell]
    rows[first + ROW_TURNS] = table[at.TURN + lane]
    rows[first + ROW_START] = table[at.FIRST + lane]
    rows[first + ROW_DIGEST] = table[at.DIGEST + lane]
