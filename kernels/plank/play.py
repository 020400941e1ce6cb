"""Gezanke auf der Planke!: a whole game, and a block of games, through the strategy door.

A block plays LANES games side by side, each with a table, a view and random words of its own; what a
turn changes stands in rows of all lanes (`hot`, `kernels.plank.table`). Seats take their turns in all
lanes at once; a new round waits until its starter's turn comes. Lanes know nothing of each other, and
which games share them changes none. With a log there is one lane.
"""

from __future__ import annotations

import numpy as np

from kernels.abi import (
    FAULT_CELLS,
    FAULT_GAME,
    FAULT_LEGAL,
    FAULT_MOVE,
    FAULT_SEAT,
    ILLEGAL_MOVE,
    LOG_FULL,
    MAX_SEATS,
    OK,
    kernel,
)
from kernels.bits import cells, lowest_bit_index, offset_cells
from kernels.events import emit, is_full, is_on
from kernels.jit import inlined, part
from kernels.plank import events, rose, scoring, tally
from kernels.plank import planke_setup as setup_
from kernels.plank import position as pos
from kernels.plank import table as at
from kernels.plank import view as see
from kernels.plank.endgame import MOST_CELLS
from kernels.plank.position import COLOURS, SYMBOL_BITS, SYMBOLS
from kernels.plank.rules import (
    book_action,
    carry_out,
    check_action,
    check_row,
    lift,
    lower,
    push_rows,
    rules_of,
    set_up_plank,
    start_cell,
    table_planes,
)
from kernels.rng import (
    COLOUR_BAG,
    START_PLAYER,
    STRATEGY,
    STREAM_CELLS,
    address_of,
    deal_fraction,
    open_stream,
    take,
    words_at,
)

# Cells (uint64) of the random part of a block's scratch array.
SPINS = 0
STREAMS = SPINS + rose.WORD_CELLS
RANDOM_CELLS = STREAMS + MAX_SEATS * STREAM_CELLS

REFUSED = -1  # instead of a set of lanes: an illegal move, described in its table

# Parts of the scratch array, from its first cache line on: the rows, the lanes' tables, views and random
# words, then the endgame table, which stays untouched memory where no strategy looks things up in it.
TABLES = at.HOT_CELLS
VIEWS = TABLES + at.LANES * at.LANE_CELLS
RANDOMS = VIEWS + at.LANES * see.VIEW_CELLS
SHARED = RANDOMS + at.LANES * RANDOM_CELLS
LINE = 8
SCRATCH_CELLS = SHARED + MOST_CELLS + LINE

EVENTS_PER_TURN = 5  # turn, action, fall, row, fall
EVENTS_PER_ROUND = 16  # round, stones, end, points, winner
#: Log rows that no game of one round under the default turn cap exceeds; see `most_events`.
MAX_EVENTS = 1 << 16


def most_events(rounds, turn_cap):
    """Return how many events a game may have at most."""
    return 1 + rounds * (turn_cap * EVENTS_PER_TURN + EVENTS_PER_ROUND)


@inlined
def draw_stones(table, word):
    """Let each player draw a stone from the bag; with less than four players some stay there."""
    fraction = deal_fraction(word)
    bag = (1 << COLOURS) - 1
    for seat in range(table[at.SEATS]):
        pick, fraction = take(fraction, COLOURS - seat)
        rest = bag
        for _ in range(pick):
            rest &= rest - 1
        stone = lowest_bit_index(rest)
        bag ^= 1 << stone
        table[at.STONE + seat] = stone


@inlined
def stream_of(random, seat):
    """Return a seat's strategy stream."""
    return offset_cells(random, STREAMS + seat * STREAM_CELLS)


@part
def open_streams(table, random):
    """Put every seat's strategy stream at its beginning."""
    seed = np.uint64(table[at.SEED])
    game = table[at.GAME]
    for seat in range(table[at.SEATS]):
        word, spare = words_at(seed, game, STRATEGY, seat, 0)
        address = address_of(STRATEGY, seat)
        open_stream(stream_of(random, seat), seed, game, address, word, spare)


@part
def set_up_game(table, random, log):
    """Set up the game that the table names: the start player and the strategy streams."""
    seats = table[at.SEATS]
    seed = np.uint64(table[at.SEED])
    game = table[at.GAME]
    open_streams(table, random)
    for seat in range(seats):
        table[at.POINTS + seat] = 0
    start = 0
    if table[at.RULING + setup_.START_PLAYER] == setup_.RANDOM_START:
        word, _ = words_at(seed, game, START_PLAYER, 0, 0)
        start, _ = take(deal_fraction(word), seats)
    table[at.FIRST] = start
    table[at.STARTER] = start
    table[at.TURNS] = 0
    table[at.UNDECIDED] = 0
    table[at.CAPPED] = 0
    table[at.DIGEST] = 0
    emit(log, events.START, start)


@part
def draw_spins(table, random):
    """Draw the random words of the wind rose for the next turns."""
    words = offset_cells(random, SPINS)
    seed = np.uint64(table[at.SEED])
    draws = table[at.SPIN_DRAWS]
    rose.draw_spins(words, seed, table[at.GAME], table[at.ROUND], table[at.TURN], draws)


@part
def set_up_round(table, view, random, round_, log):
    """Set up a round: plank and stones."""
    set_up_plank(table)
    table[at.ROUND] = round_
    table[at.TURN] = 0
    draw_spins(table, random)
    table[at.SURVIVOR] = at.NOBODY
    word, _ = words_at(np.uint64(table[at.SEED]), table[at.GAME], COLOUR_BAG, round_, 0)
    draw_stones(table, word)
    table[at.ACTIVE] = table[at.STARTER]
    view[see.ROUND] = round_
    view[see.STARTER] = table[at.STARTER]
    emit(log, events.ROUND, round_, table[at.STARTER], table[at.LENGTH])
    for seat in range(table[at.SEATS]):
        view[see.POINTS + seat] = table[at.POINTS + seat]
        emit(log, events.STONE, seat, table[at.STONE + seat])


@inlined
def show_position(table, hot, lane, view, seat, shown):
    """Show a seat the position, its stone and who has fallen."""
    view[see.PLANK] = hot[at.H_PLANK + lane]
    view[see.LOW] = hot[at.H_LOW + lane]
    view[see.HIGH] = hot[at.H_HIGH + lane]
    view[see.LEFT] = shown >> SYMBOL_BITS
    view[see.RIGHT] = shown & (SYMBOLS - 1)
    view[see.SEAT] = seat
    view[see.OWN] = table[at.STONE + seat]
    view[see.TURN] = table[at.TURN]
    view[see.FALLS] = table[at.FALLS]
    view[see.FALLEN] = table[at.FALLEN]


@inlined
def begin_turn(table, hot, lane, view, random, setup, log):
    """Turn the wind rose (GP-A16), and show the active seat everything.

    A player whose pirates have all fallen plays on (GP-A22).
    """
    seat = table[at.ACTIVE]
    shown = rose.spin(offset_cells(random, SPINS), setup, table[at.TURN])
    table[at.SHOWN] = shown
    show_position(table, hot, lane, view, seat, shown)
    hot[at.H_LEGAL + lane] = pos.legal_set(view)
    if is_on(log):
        emit(log, events.TURN, seat, view[see.LEFT], view[see.RIGHT])


@part
def refuse(table, hot, lane, seat):
    """Describe an illegal move of a seat in the table."""
    table[FAULT_GAME] = table[at.GAME]
    table[FAULT_SEAT] = seat
    table[FAULT_MOVE] = hot[at.H_MOVE + lane]
    table[FAULT_LEGAL] = hot[at.H_LEGAL + lane]
    return REFUSED


@inlined
def is_round_over(table):
    """Tell whether a round has ended or is capped."""
    return table[at.OVER] != 0 or table[at.TURN] >= table[at.RULING + setup_.TURN_CAP]


@part
def close_round(table, sums, log):
    """Score and book a round."""
    digest = table[at.DIGEST]
    digest = tally.fold(digest, table[at.LOW])
    digest = tally.fold(digest, table[at.HIGH])
    digest = tally.fold(digest, table[at.FALLEN])
    table[at.DIGEST] = tally.fold(digest, table[at.TURN])
    unowned = scoring.score_round(table)
    start = -1
    if table[at.OVER] == 0:
        table[at.CAPPED] += 1
        emit(log, events.CAPPED, table[at.TURN])
        for k in range(at.CHECKPOINTS):
            table[at.LEADERS + k] = 0
    else:
        plank = table[at.PLANK]
        if plank & (plank - 1) == 0:
            start = start_cell(table_planes(table), lowest_bit_index(plank))
        scoring.find_leaders(table)
    void = unowned and table[at.RULING + setup_.UNOWNED_SURVIVOR] == setup_.REPLAY
    sums[tally.UNOWNED_SURVIVORS] += unowned
    sums[tally.VOID_ROUNDS] += void
    tally.book_round(table, sums, start)
    table[at.TURNS] += table[at.TURN]
    if is_on(log):
        for seat in range(table[at.SEATS]):
            stone = table[at.STONE + seat]
            points = table[at.ROUND_POINTS + seat]
            emit(log, events.POINTS, seat, points, table[at.POINTS + seat], stone)
        emit(log, events.WON, table[at.WINNER], void)


@part
def close_lane(table, hot, lane, view, random, sums, log):
    """Close a round that is over, and set up the next or close the game; tell whether that is over."""
    rounds = table[at.RULING + setup_.ROUNDS]
    lower(table, hot, lane)
    close_round(table, sums, log)
    table[at.STARTER] = scoring.next_starter(table)
    if table[at.ROUND] + 1 < rounds:
        set_up_round(table, view, random, table[at.ROUND] + 1, log)
        lift(table, hot, lane)
        return False
    table[at.WINNERS] = scoring.find_winners(table)
    tally.close_game(table, sums, rounds)
    return True


@inlined
def lane_table(tables, lane):
    """Return the table of a lane."""
    return offset_cells(tables, lane * at.LANE_CELLS)


@inlined
def lane_view(views, lane):
    """Return the view of a lane."""
    return offset_cells(views, lane * see.VIEW_CELLS)


@inlined
def lane_random(randoms, lane):
    """Return the random words of a lane."""
    return offset_cells(randoms, lane * RANDOM_CELLS)


@part
def play_turns(tables, hot, views, randoms, setup, strategies, seat, sums, lanes, log):
    """Play a seat's turn in every lane where it is to move.

    Returns
    -------
    int64
        Set of the lanes whose round is over, or REFUSED after an illegal move.
    """
    choose = strategies[seat]
    rules = rules_of(offset_cells(tables, at.POSITION))
    for lane in range(lanes):
        table = lane_table(tables, lane)
        hot[at.H_LIVE + lane] = pos.mask(table[at.ACTIVE] == seat)
        if table[at.ACTIVE] == seat:
            view = lane_view(views, lane)
            begin_turn(table, hot, lane, view, lane_random(randoms, lane), setup, log)
    for lane in range(lanes):
        if hot[at.H_LIVE + lane] != 0:
            legal = offset_cells(hot, at.H_LEGAL + lane)
            stream = stream_of(lane_random(randoms, lane), seat)
            choose(lane_view(views, lane), legal, stream, offset_cells(hot, at.H_MOVE + lane), 1)
    carry_out(hot, rules)
    for lane in range(lanes):
        if hot[at.H_LIVE + lane] != 0:
            table = lane_table(tables, lane)
            view = lane_view(views, lane)
            if check_action(table, view, hot, lane, sums, log, seat) != OK:
                return refuse(table, hot, lane, seat)
            book_action(table, hot, lane, sums, log, 1)
            if check_row(table, hot, lane, log, seat) != OK:
                return refuse(table, hot, lane, seat)
    push_rows(hot, rules)
    following = seat + 1 if seat + 1 < setup[setup_.PLAYERS] else 0
    over = 0
    for lane in range(lanes):
        if hot[at.H_LIVE + lane] != 0:
            table = lane_table(tables, lane)
            book_action(table, hot, lane, sums, log, 0)
            table[at.TURN] += 1
            table[at.ACTIVE] = following
            if is_round_over(table):
                over |= 1 << lane
            elif table[at.TURN] & (rose.SPINS - 1) == 0:
                draw_spins(table, lane_random(randoms, lane))
    return over


@part
def open_lane(table, hot, lane, view, random, game, log):
    """Begin a game in a lane."""
    table[at.GAME] = game
    set_up_game(table, random, log)
    set_up_round(table, view, random, 0, log)
    lift(table, hot, lane)


@part
def report_fault(tables, lanes, scratch):
    """Copy the fault of the first lane that has one to the front of the scratch array."""
    for lane in range(lanes):
        table = lane_table(tables, lane)
        if table[FAULT_LEGAL] != 0:
            for k in range(FAULT_CELLS):
                scratch[k] = table[k]
            return


@inlined
def leave_lane(table):
    """Leave a lane without a game: nobody is to move."""
    table[at.ACTIVE] = at.NOBODY


@part
def show_setup(table, view, setup, shared):
    """Write what never changes during a block: players, plank, rulings, rose, endgame table."""
    seats = setup[setup_.PLAYERS]
    table[at.SEATS] = seats
    table[at.LENGTH] = setup[setup_.PLANK_LENGTH]
    pos.take_rulings(offset_cells(table, at.POSITION), setup)
    for k in range(pos.POSITION_CELLS):
        view[k] = table[at.POSITION + k]
    table[at.SPIN_DRAWS] = rose.DRAWS
    view[see.PLAYERS] = seats
    for k in range(rose.OUTCOMES):
        view[see.ROSE + k] = setup[setup_.ROSE_CHANCE + k]
    view[see.ENDGAME] = shared if setup[setup_.ENDGAME] else 0


@part
def copy_endgame(shared, setup):
    """Copy the endgame table of a setup to where strategies find it, in place (`shared`)."""
    first = setup[setup_.ENDGAME]
    for k in range(setup[setup_.ENDGAME_CELLS]):
        shared[k] = setup[first + k]


@kernel
def play_block(
    seed, first, games, setup_array, strategies, sums_array, rows_array, log_array, scratch
):
    """Play games ``first .. first + games - 1`` (see `kernels.abi`)."""
    scratch[: SHARED + LINE] = 0
    # Parts of the caller's array: a local one could be freed while its cells are still in use.
    lines = scratch[-(scratch.ctypes.data >> 3) & LINE - 1 :]
    hot = cells(lines)
    tables = cells(lines[TABLES:])
    views = cells(lines[VIEWS:])
    randoms = cells(lines[RANDOMS:SHARED].view(np.uint64))
    setup = cells(setup_array)
    sums = cells(sums_array)
    rows = cells(rows_array)
    log = cells(log_array)
    copy_endgame(cells(lines[SHARED:]), setup)
    lanes = 1 if is_on(log) else min(at.LANES, games)
    game = first
    for lane in range(lanes):
        table = lane_table(tables, lane)
        view = lane_view(views, lane)
        table[at.SEED] = np.int64(seed)
        show_setup(table, view, setup, SHARED - VIEWS - lane * see.VIEW_CELLS)
        open_lane(table, hot, lane, view, lane_random(randoms, lane), game, log)
        game += 1
    left = games
    seat = 0
    while left > 0:
        over = play_turns(tables, hot, views, randoms, setup, strategies, seat, sums, lanes, log)
        if over == REFUSED:
            report_fault(tables, lanes, scratch)
            return ILLEGAL_MOVE
        while over:
            lane = lowest_bit_index(over)
            over &= over - 1
            table = lane_table(tables, lane)
            view = lane_view(views, lane)
            random = lane_random(randoms, lane)
            if not close_lane(table, hot, lane, view, random, sums, log):
                continue
            if rows_array.size > 0:
                tally.write_row(table, rows, (table[at.GAME] - first) * tally.ROW_CELLS)
            left -= 1
            if game < first + games:
                open_lane(table, hot, lane, view, random, game, log)
                game += 1
            else:
                leave_lane(table)
        if is_full(log):
            return LOG_FULL
        seat = seat + 1 if seat + 1 < setup[setup_.PLAYERS] else 0
    return OK
