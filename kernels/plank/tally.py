"""What a block of the plank game adds up: the layout of `sums` and `rows`, and how a game is booked.

Everything is an integer total over games, so blocks merge by addition in any order. The first cells
are laid out alike in every family. What a single turn or fall books is one addition; the rest is
booked once a round.
"""

from __future__ import annotations

from kernels.abi import CREDIT_UNIT, MAX_SEATS
from kernels.bits import popcount, wrapping_add
from kernels.digest import finish_digest, fold
from kernels.jit import inlined, part
from kernels.plank import table as at
from kernels.plank.position import COLOURS, PIRATES, SYMBOLS

BY_PUSH, BY_ROW = 0, 1  # which action dropped a pirate: push1 or the row
FALL_KINDS = 2
POINT_BINS = 6  # a round brings 0, 1, 3 or 5 points
LENGTH_BINS = 512  # turns of a round; the last bin holds everything above
CHOICES = SYMBOLS * SYMBOLS * SYMBOLS

GAMES = 0
DIGEST = 1
CREDIT = 2  # per seat, in 1/CREDIT_UNIT
CREDIT_SQUARED = CREDIT + MAX_SEATS  # per seat, in 1/CREDIT_UNIT**2
SCORE = CREDIT_SQUARED + MAX_SEATS  # per seat: points of all rounds
SHARED_WINS = SCORE + MAX_SEATS  # games with several winners
NO_WINNER = SHARED_WINS + 1
VOID_GAMES = NO_WINNER + 1  # games all of whose rounds were void or capped
CAPPED_GAMES = VOID_GAMES + 1  # games with a round that the turn cap stopped
ROUNDS = CAPPED_GAMES + 1  # rounds played, as the next ones
TURNS = ROUNDS + 1
CAPPED_ROUNDS = TURNS + 1
VOID_ROUNDS = CAPPED_ROUNDS + 1  # survivor unowned under unowned_survivor=replay
UNOWNED_SURVIVORS = VOID_ROUNDS + 1
ENDED_ON_ROSE = UNOWNED_SURVIVORS + 1
LEAD_CHANGES = ENDED_ON_ROSE + 1  # from checkpoint to checkpoint
LED = LEAD_CHANGES + 1  # per checkpoint and seat: lead shared among the leaders, in 1/CREDIT_UNIT
WINNER_LED = LED + at.CHECKPOINTS * MAX_SEATS  # per checkpoint: rounds whose winner was in the lead
CHOSEN = WINNER_LED + at.CHECKPOINTS  # turns per seat, left symbol, right symbol, chosen symbol
LAPSED = CHOSEN + MAX_SEATS * CHOICES  # turns per symbol: chosen, but impossible
FALLS = LAPSED + SYMBOLS  # per action (BY_PUSH, BY_ROW) and arrival (PUSHED, SWAPPED, MOVED)
FALL_ORDER = FALLS + FALL_KINDS * at.ARRIVALS  # per number of the fall and start cell
SURVIVOR_START = FALL_ORDER + PIRATES * PIRATES  # per start cell, of single survivors
SURVIVOR_COLOUR = SURVIVOR_START + PIRATES
HELD_WINS = SURVIVOR_COLOUR + COLOURS  # per colour: rounds that its holder won
STONES = HELD_WINS + COLOURS  # rounds per seat and colour of its stone
ROUND_POINTS = STONES + MAX_SEATS * COLOURS  # rounds per seat and points
WON_AFTER = ROUND_POINTS + MAX_SEATS * POINT_BINS  # rounds won, per place behind the starter
LENGTHS = WON_AFTER + MAX_SEATS  # rounds per number of turns
SUM_CELLS = LENGTHS + LENGTH_BINS

# Columns of `rows`, one row a game. Stones, survivor, ending and leaders are the last round's.
ROW_CREDIT = 0
ROW_SCORE = ROW_CREDIT + MAX_SEATS
ROW_STONE = ROW_SCORE + MAX_SEATS
ROW_LEADERS = ROW_STONE + MAX_SEATS  # per checkpoint: mask of the leading seats
ROW_TURNS = ROW_LEADERS + at.CHECKPOINTS  # of all rounds
ROW_SURVIVOR = ROW_TURNS + 1  # colour, or -1 after a turn cap
ROW_ON_ROSE = ROW_SURVIVOR + 1
ROW_UNDECIDED = ROW_ON_ROSE + 1  # rounds that were void or capped
ROW_CAPPED = ROW_UNDECIDED + 1
ROW_START = ROW_CAPPED + 1
ROW_DIGEST = ROW_START + 1
ROW_CELLS = ROW_DIGEST + 1


@inlined
def book_choice(table, sums, seat, symbol, lapsed):
    """Book the symbol that a seat chose, and whether the choice lapsed."""
    shown = table[at.SHOWN]
    sums[CHOSEN + (seat * SYMBOLS * SYMBOLS + shown) * SYMBOLS + symbol] += 1
    sums[LAPSED + symbol] += lapsed


@inlined
def book_fall(table, sums, action, arrived, start):
    """Book a fall: by which action, how the pirate got to the edge, and where he had started."""
    sums[FALLS + action * at.ARRIVALS + arrived] += 1
    sums[FALL_ORDER + table[at.FALLS] * PIRATES + start] += 1


@part
def book_leads(table, sums):
    """Book who led at the checkpoints, how often the lead changed, and whether the winner had led.

    The lead changes when nobody who led at the checkpoint before still leads.
    """
    winner = table[at.WINNER]
    for k in range(at.CHECKPOINTS):
        mask = table[at.LEADERS + k]
        share = CREDIT_UNIT // popcount(mask)
        for seat in range(table[at.SEATS]):
            sums[LED + k * MAX_SEATS + seat] += share * (mask >> seat & 1)
        if winner != at.NOBODY:
            sums[WINNER_LED + k] += mask >> winner & 1
        if k > 0:
            sums[LEAD_CHANGES] += mask & table[at.LEADERS + k - 1] == 0


@part
def book_round(table, sums, start):
    """Book a round that ended or was capped.

    Parameters
    ----------
    start : int64
        Start cell of the last pirate; -1 when several are left.
    """
    seats = table[at.SEATS]
    turns = table[at.TURN]
    sums[ROUNDS] += 1
    sums[TURNS] += turns
    sums[LENGTHS + min(turns, LENGTH_BINS - 1)] += 1
    for seat in range(seats):
        sums[STONES + seat * COLOURS + table[at.STONE + seat]] += 1
        sums[ROUND_POINTS + seat * POINT_BINS + table[at.ROUND_POINTS + seat]] += 1
    survivor = table[at.SURVIVOR]
    if survivor == at.NOBODY:
        sums[CAPPED_ROUNDS] += 1
        return
    sums[ENDED_ON_ROSE] += table[at.ON_ROSE]
    sums[SURVIVOR_COLOUR + survivor] += 1
    if start >= 0:
        sums[SURVIVOR_START + start] += 1
    winner = table[at.WINNER]
    if winner != at.NOBODY:
        behind = winner - table[at.STARTER]
        sums[WON_AFTER + (behind if behind >= 0 else behind + seats)] += 1
        sums[HELD_WINS + table[at.STONE + winner]] += 1
    book_leads(table, sums)


@part
def close_game(table, sums, rounds):
    """Book the winners and scores of a game and finish its digest."""
    seats = table[at.SEATS]
    winners = table[at.WINNERS]
    digest = fold(table[at.DIGEST], winners)
    count = popcount(winners)
    share = CREDIT_UNIT // max(count, 1)
    for seat in range(seats):
        credit = share * (winners >> seat & 1)
        sums[CREDIT + seat] += credit
        sums[CREDIT_SQUARED + seat] += credit * credit
        sums[SCORE + seat] += table[at.POINTS + seat]
        digest = fold(digest, table[at.POINTS + seat])
    digest = finish_digest(digest, table[at.GAME])
    table[at.DIGEST] = digest
    sums[GAMES] += 1
    sums[DIGEST] = wrapping_add(sums[DIGEST], digest)
    sums[SHARED_WINS] += count > 1
    sums[NO_WINNER] += count == 0
    sums[VOID_GAMES] += table[at.UNDECIDED] == rounds
    sums[CAPPED_GAMES] += table[at.CAPPED] > 0


@part
def write_row(table, rows, first):
    """Write a finished game's row into `rows` (flat, in place), from cell `first` on."""
    winners = table[at.WINNERS]
    share = CREDIT_UNIT // max(popcount(winners), 1)
    for seat in range(table[at.SEATS]):
        rows[first + ROW_CREDIT + seat] = share * (winners >> seat & 1)
        rows[first + ROW_SCORE + seat] = table[at.POINTS + seat]
        rows[first + ROW_STONE + seat] = table[at.STONE + seat]
    for k in range(at.CHECKPOINTS):
        rows[first + ROW_LEADERS + k] = table[at.LEADERS + k]
    rows[first + ROW_TURNS] = table[at.TURNS]
    rows[first + ROW_SURVIVOR] = table[at.SURVIVOR]
    rows[first + ROW_ON_ROSE] = table[at.ON_ROSE]
    rows[first + ROW_UNDECIDED] = table[at.UNDECIDED]
    rows[first + ROW_CAPPED] = table[at.CAPPED]
    rows[first + ROW_START] = table[at.FIRST]
    rows[first + ROW_DIGEST] = table[at.DIGEST]
