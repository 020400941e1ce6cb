"""Gezanke auf der Planke!: a whole game, and a block of games, through the strategy door."""

from __future__ import annotations

import numpy as np

from kernels.abi import (
    FAULT_GAME,
    FAULT_LEGAL,
    FAULT_MOVE,
    FAULT_SEAT,
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
from kernels.plank.rules import act_on_rose, act_on_row, set_up_plank, start_cell
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

# Parts of the scratch array, behind the table; last the endgame table, which stays untouched memory
# where no strategy looks things up in it.
VIEW = at.TABLE_CELLS
RANDOM = VIEW + see.VIEW_CELLS
SHARED = RANDOM + RANDOM_CELLS
SCRATCH_CELLS = SHARED + MOST_CELLS

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
def set_up_round(table, view, round_, log):
    """Set up a round: plank and stones."""
    set_up_plank(table)
    table[at.ROUND] = round_
    table[at.TURN] = 0
    table[at.SURVIVOR] = at.NOBODY
    word, _ = words_at(np.uint64(table[at.SEED]), table[at.GAME], COLOUR_BAG, round_, 0)
    draw_stones(table, word)
    view[see.ROUND] = round_
    view[see.STARTER] = table[at.STARTER]
    emit(log, events.ROUND, round_, table[at.STARTER], table[at.LENGTH])
    for seat in range(table[at.SEATS]):
        view[see.POINTS + seat] = table[at.POINTS + seat]
        emit(log, events.STONE, seat, table[at.STONE + seat])


@inlined
def spin_rose(table, random, setup):
    """Turn the wind rose of a turn (GP-A16)."""
    turn = table[at.TURN]
    words = offset_cells(random, SPINS)
    if turn & (rose.SPINS - 1) == 0:
        seed = np.uint64(table[at.SEED])
        draws = table[at.SPIN_DRAWS]
        rose.draw_spins(words, seed, table[at.GAME], table[at.ROUND], turn, draws)
    shown = rose.spin(words, setup, turn)
    table[at.LEFT] = shown >> SYMBOL_BITS
    table[at.RIGHT] = shown & (SYMBOLS - 1)
    table[at.LEGAL] = pos.legal_set(offset_cells(table, at.POSITION))


@inlined
def show_position(table, view, seat):
    """Show a seat the position, its stone and who has fallen."""
    view[see.PLANK] = table[at.PLANK]
    view[see.LOW] = table[at.LOW]
    view[see.HIGH] = table[at.HIGH]
    view[see.LEFT] = table[at.LEFT]
    view[see.RIGHT] = table[at.RIGHT]
    view[see.SEAT] = seat
    view[see.OWN] = table[at.STONE + seat]
    view[see.TURN] = table[at.TURN]
    view[see.FALLS] = table[at.FALLS]
    view[see.FALLEN] = table[at.FALLEN]


@inlined
def ask(table, view, random, strategies, seat):
    """Return the move of a seat."""
    legal = offset_cells(table, at.LEGAL)
    strategies[seat](view, legal, stream_of(random, seat), offset_cells(table, at.MOVE), 1)
    return table[at.MOVE]


@part
def play_turns(table, view, random, setup, strategies, sums, log):
    """Play the turns of a round until it is over or capped; return OK or ILLEGAL_MOVE.

    A player whose pirates have all fallen plays on (GP-A22).
    """
    seats = table[at.SEATS]
    cap = table[at.RULING + setup_.TURN_CAP]
    logging = is_on(log)
    seat = table[at.STARTER]
    digest = table[at.DIGEST]
    while table[at.OVER] == 0 and table[at.TURN] < cap:
        spin_rose(table, random, setup)
        show_position(table, view, seat)
        if logging:
            emit(log, events.TURN, seat, table[at.LEFT], table[at.RIGHT])
        move = ask(table, view, random, strategies, seat)
        status = act_on_rose(table, sums, log, seat, move)
        if status == OK:
            status = act_on_row(table, sums, log, seat, move)
        if status != OK:
            table[FAULT_SEAT] = seat
            table[FAULT_MOVE] = move
            table[FAULT_LEGAL] = table[at.LEGAL]
            return status
        table[at.TURN] += 1
        digest = tally.fold(digest, table[at.PLANK])
        seat = seat + 1 if seat + 1 < seats else 0
    digest = tally.fold(digest, table[at.LOW])
    digest = tally.fold(digest, table[at.HIGH])
    digest = tally.fold(digest, table[at.FALLEN])
    table[at.DIGEST] = tally.fold(digest, table[at.TURN])
    return OK


@part
def close_round(table, sums, log):
    """Score and book a round."""
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
            start = start_cell(table, lowest_bit_index(plank))
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
def play_game(table, view, random, setup, strategies, sums, log):
    """Play the game that the table names; return OK or the status that stopped it."""
    set_up_game(table, random, log)
    rounds = table[at.RULING + setup_.ROUNDS]
    for round_ in range(rounds):
        set_up_round(table, view, round_, log)
        status = play_turns(table, view, random, setup, strategies, sums, log)
        if status != OK:
            return status
        close_round(table, sums, log)
        table[at.STARTER] = scoring.next_starter(table)
    table[at.WINNERS] = scoring.find_winners(table)
    tally.close_game(table, sums, rounds)
    return LOG_FULL if is_full(log) else OK


@part
def show_setup(table, view, setup):
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
    view[see.ENDGAME] = SHARED - VIEW if setup[setup_.ENDGAME] else 0


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
    scratch[:SHARED] = 0
    # Parts of the caller's array: a local one could be freed while its cells are still in use.
    table = cells(scratch)
    view = cells(scratch[VIEW:])
    random = cells(scratch[RANDOM:SHARED].view(np.uint64))
    setup = cells(setup_array)
    sums = cells(sums_array)
    rows = cells(rows_array)
    log = cells(log_array)
    table[at.SEED] = np.int64(seed)
    show_setup(table, view, setup)
    copy_endgame(cells(scratch[SHARED:]), setup)
    for k in range(games):
        table[at.GAME] = first + k
        status = play_game(table, view, random, setup, strategies, sums, log)
        if status != OK:
            table[FAULT_GAME] = first + k
            return status
        if rows_array.size > 0:
            tally.write_row(table, rows, k * tally.ROW_CELLS)
    return OK
