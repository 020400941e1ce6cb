"""What a block of a boat game adds up: the layout of `sums` and `rows`, and how a game is booked.

Everything is an integer total over games, so blocks merge by addition in any order. Booking is a good
part of a game's cost, so it counts what is cheap (whole masks, whole scores) and `pour` turns that into
the totals that are read, once a block. The saved cards are counted side by side, in bit planes (a
vertical counter: plane `k` holds bit `k` of every card's count), poured before they can overflow.
"""

from __future__ import annotations

from kernels.abi import CREDIT_UNIT, MAX_SEATS
from kernels.bits import lowest_bit_index, popcount, wrapping_add
from kernels.boats import table as at
from kernels.boats.cards import BOAT_CARDS, CARDS, FIRST_SEATS, ROUNDS, seat_cards
from kernels.boats.table import LANES
from kernels.digest import finish_digest, fold
from kernels.jit import inlined, part

SCORE_BINS = 192  # beyond any score of a default game: 92 points, in half points
LAST_SCORE_BIN = SCORE_BINS - 1
LOAD_BINS = 48
LOAD_OFFSET = 4  # bin 0 holds loads of -4 kg and less, the last bin everything above
SEAT_SETS = 1 << MAX_SEATS

GAMES = 0
DIGEST = 1
CREDIT = 2  # per seat, in 1/CREDIT_UNIT
CREDIT_SQUARED = CREDIT + MAX_SEATS  # per seat, in 1/CREDIT_UNIT**2
SCORE = CREDIT_SQUARED + MAX_SEATS  # per seat
SHARED_WINS = SCORE + MAX_SEATS  # games with several winners
NO_WINNER = SHARED_WINS + 1
CUPIDS = NO_WINNER + 1  # cupid cards paid
PAIRS_UNPAID = CUPIDS + 1
FIGHTS = PAIRS_UNPAID + 1  # boats sunk by a fight
FOX_JUMPS = FIGHTS + 1
LION_MEALS = FOX_JUMPS + 1
MONKEY_THROWS = LION_MEALS + 1
REPLACED = MONKEY_THROWS + 1
BLOCKED_MONKEY = REPLACED + 1
BLOCKED_LION = BLOCKED_MONKEY + 1
LEAD_CHANGES = BLOCKED_LION + 1
LED = LEAD_CHANGES + 1  # per round and seat: lead shared among the leaders, in 1/CREDIT_UNIT
WINNER_LED = LED + ROUNDS * MAX_SEATS  # per round: credit of winners who led, in 1/CREDIT_UNIT
WINNER_SETS = WINNER_LED + ROUNDS  # per set of winners
LEADER_SETS = WINNER_SETS + SEAT_SETS  # per round and set of leaders
SCORES = LEADER_SETS + ROUNDS * SEAT_SETS  # per seat and score
MARGINS = SCORES + MAX_SEATS * SCORE_BINS  # best score minus second best
KEPT_CARDS = MARGINS + SCORE_BINS  # per card, like the next ones
KEPT_BY_WINNERS = KEPT_CARDS + CARDS  # kept by a seat that won or shared the win
EATEN_CARDS = KEPT_BY_WINNERS + CARDS
OVERBOARD_CARDS = EATEN_CARDS + CARDS
DISCARDED_CARDS = OVERBOARD_CARDS + CARDS  # lost from a boat that sailed
LOADS = DISCARDED_CARDS + CARDS  # per capacity kind, load bin and outcome (0 sank, 1 sailed)
LOADS_OF_FIGHTS = LOADS + BOAT_CARDS * LOAD_BINS * 2  # boats that were not weighed
SWAM = LOADS_OF_FIGHTS + 1  # animals that left the last boat and scored all the same
SUM_CELLS = SWAM + 1

# Columns of `rows`, one row a game.
ROW_CREDIT = 0
ROW_SCORE = ROW_CREDIT + MAX_SEATS
ROW_CUPIDS = ROW_SCORE + MAX_SEATS
ROW_SAVED = ROW_CUPIDS + MAX_SEATS
ROW_LEADERS = ROW_SAVED + MAX_SEATS  # per round: mask of the leading seats
ROW_START = ROW_LEADERS + ROUNDS
ROW_DIGEST = ROW_START + 1
ROW_CELLS = ROW_DIGEST + 1

POUR_EVERY = (1 << at.PLANE_BITS) - 1  # batches that a vertical counter can hold


@part
def count_cards(table, counter, winners_only):
    """Add the saved cards of every game to a vertical counter, in place."""
    first = at.PLANES + counter * at.PLANE_BITS * LANES
    for lane in range(table[at.GAMES]):
        cards = table[at.KEPT + lane]
        if winners_only:
            winners = table[at.WINNERS + lane]
            cards &= winners * FIRST_SEATS  # the cards of all seats of a mask
        for k in range(at.PLANE_BITS):
            plane = first + k * LANES + lane
            carry = table[plane] & cards
            table[plane] ^= cards
            cards = carry


@part
def pour_planes(table, sums):
    """Empty the vertical counters into `sums`; both are modified in place."""
    for counter in range(at.COUNTERS):
        for k in range(at.PLANE_BITS):
            row = at.PLANES + (counter * at.PLANE_BITS + k) * LANES
            for lane in range(LANES):
                cards = table[row + lane]
                for card in range(CARDS):
                    sums[KEPT_CARDS + counter * CARDS + card] += (cards >> card & 1) << k
                table[row + lane] = 0


@part
def pour(table, sums):
    """Finish a block: turn what was counted into the totals that are read, in place."""
    pour_planes(table, sums)
    seats = table[at.SEATS]
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
            for round_ in range(ROUNDS):
                led = sums[LEADER_SETS + round_ * SEAT_SETS + mask] * (mask >> seat & 1)
                sums[LED + round_ * MAX_SEATS + seat] += led * share
    sums[NO_WINNER] = sums[WINNER_SETS]
    for seat in range(seats):
        for score in range(SCORE_BINS):
            sums[SCORE + seat] += score * sums[SCORES + seat * SCORE_BINS + score]


@part
def book_leads(table, sums):
    """Book who led after each round, how often the lead changed, and whether the winners had led.

    The lead changes when nobody who led after the round before still leads.
    """
    for round_ in range(ROUNDS):
        row = at.LEADERS + round_ * LANES
        for lane in range(table[at.GAMES]):
            mask = table[row + lane]
            winners = table[at.WINNERS + lane]
            share = CREDIT_UNIT // max(popcount(winners), 1)
            sums[LEADER_SETS + round_ * SEAT_SETS + mask] += 1
            sums[WINNER_LED + round_] += share * popcount(mask & winners)
            if round_ > 0:
                sums[LEAD_CHANGES] += mask & table[row - LANES + lane] == 0


@inlined
def load_cell(kind, kilos, sails):
    """Return where a weighed boat is booked."""
    load_bin = min(max(kilos + LOAD_OFFSET, 0), LOAD_BINS - 1)
    return LOADS + (kind * LOAD_BINS + load_bin) * 2 + sails


@part
def book_load_cells(table, sums):
    """Book one boat of every game in the cell that is noted in the table."""
    for lane in range(table[at.GAMES]):
        sums[table[at.LOAD_CELL + lane]] += 1


@part
def book_scores(table, sums):
    """Book every seat's score and the margin of the best over the second best.

    The last bin takes everything above; what `pour` would then miss is added here.
    """
    for lane in range(table[at.GAMES]):
        top = 0
        second = 0
        for seat in range(table[at.SEATS]):
            total = table[at.SCORE + seat * LANES + lane]
            sums[SCORES + seat * SCORE_BINS + min(total, LAST_SCORE_BIN)] += 1
            second = max(second, min(top, total))
            top = max(top, total)
        sums[MARGINS + min(top - second, LAST_SCORE_BIN)] += 1
        if top > LAST_SCORE_BIN:
            for seat in range(table[at.SEATS]):
                total = table[at.SCORE + seat * LANES + lane]
                sums[SCORE + seat] += max(total - LAST_SCORE_BIN, 0)


@part
def book_winners(table, share_ties, sums):
    """Book the winners, a mask of the best seats in each game, and what they had saved.

    Parameters
    ----------
    share_ties : bool
        False: several winners are none (``final_tie=no_winner``), also in the table.
    """
    for lane in range(table[at.GAMES]):
        winners = table[at.WINNERS + lane]
        if winners & (winners - 1) and not share_ties:
            winners = 0
            table[at.WINNERS + lane] = 0
        sums[WINNER_SETS + winners] += 1
    count_cards(table, 0, False)
    count_cards(table, 1, True)


@part
def close_games(table, sums):
    """Finish the digests and count the games."""
    for lane in range(table[at.GAMES]):
        paid = table[at.PAID + lane]
        digest = fold(fold(table[at.DIGEST + lane], paid), table[at.WINNERS + lane])
        digest = finish_digest(digest, table[at.GAME + lane])
        table[at.DIGEST + lane] = digest
        sums[DIGEST] = wrapping_add(sums[DIGEST], digest)
        sums[CUPIDS] += popcount(paid)
    for lane in range(table[at.GAMES]):
        dry = table[at.DRY + lane]
        while dry:
            sums[DISCARDED_CARDS + lowest_bit_index(dry)] += 1
            dry &= dry - 1
    sums[GAMES] += table[at.GAMES]


@part
def write_rows(table, first_start, rows, first):
    """Write the finished games' rows into `rows` (flat, in place; game `first` comes first)."""
    for lane in range(table[at.GAMES]):
        row = (table[at.GAME + lane] - first) * ROW_CELLS
        winners = table[at.WINNERS + lane]
        share = CREDIT_UNIT // max(popcount(winners), 1)
        for seat in range(table[at.SEATS]):
            rows[row + ROW_CREDIT + seat] = share * (winners >> seat & 1)
            rows[row + ROW_SCORE + seat] = table[at.SCORE + seat * LANES + lane]
            rows[row + ROW_CUPIDS + seat] = table[at.CUPIDS + seat * LANES + lane]
            rows[row + ROW_SAVED + seat] = popcount(table[at.KEPT + lane] & seat_cards(seat))
        for round_ in range(ROUNDS):
            rows[row + ROW_LEADERS + round_] = table[at.LEADERS + round_ * LANES + lane]
        rows[row + ROW_START] = first_start
        rows[row + ROW_DIGEST] = table[at.DIGEST + lane]
