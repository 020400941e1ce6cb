"""Einfach tierisch: a turn, a whole game, and a block of games, through the strategy door.

A block plays LANES games side by side, each in a table, a view and random words of its own. A turn
takes three steps, and each is done for all lanes before the next: so the machine works on several
games at once instead of waiting for each decision. Seats take their turns in all lanes at once; a new
game waits until its start player's turn comes. Lanes know nothing of each other, and which games
share them changes none. With a log there is one lane.
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
from kernels.bits import cells, offset_cells
from kernels.dice import events, tally
from kernels.dice import table as at
from kernels.dice import tierisch_setup as setup_
from kernels.dice import view as see
from kernels.dice.deal import (
    RANDOM_CELLS,
    STREAMS,
    TURNS_AHEAD,
    address_lanes,
    draw_animals,
    draw_start,
    draw_turns,
    first_dice,
    open_game,
    second_dice,
    third_dice,
    turn_dice,
)
from kernels.dice.multisets import ANIMALS, DICE, NIBBLE, NIBBLE_MASK, gather_all, size_of
from kernels.dice.outcomes import leading_animals, offered_boxes
from kernels.dice.policies import MAX_POLICY_CELLS
from kernels.dice.rules import (
    assign_animals,
    caps_boxes,
    columns_in,
    evaluate,
    is_capped,
    open_boxes_of,
    owner_of,
    wish,
)
from kernels.dice.wins import WIN_TABLE_CELLS
from kernels.digest import fold
from kernels.events import emit, is_full, is_on
from kernels.jit import inlined, part
from kernels.rng import STREAM_CELLS

LANES = 8
#: Turns after which a game ends without a winner. With the plain die hardly any game reaches a
#: hundred; with some dice, or players who collect police, none would ever end.
TURN_CAP = 10_000
#: Log rows that no game exceeds: nine a turn, and a few hundred for boxes, columns and the end.
MAX_EVENTS = 10 * TURN_CAP

# Parts of the scratch array: the fault, then the lanes' tables, views and random words, then the
# optional tables, which all views share.
TABLES = 0
VIEWS = TABLES + LANES * at.TABLE_CELLS
RANDOMS = VIEWS + LANES * see.VIEW_CELLS
SHARED = RANDOMS + LANES * RANDOM_CELLS
SCRATCH_CELLS = SHARED + MAX_POLICY_CELLS + WIN_TABLE_CELLS

LAST_ROLL = 3
NO_SEAT = -1
_SIGN_SHIFT = 63
REFUSED = -1  # an illegal move, described in the table; no legal one is negative

# Digest of a turn: the six dice, and above them what was set aside first and second.
_FIRST_SHIFT = 24
_SECOND_SHIFT = 38


# --- one game -------------------------------------------------------------------------------------


@part
def set_up(table, view, random, setup, log):
    """Set up the game that the table names: animals, empty sheets and the start player."""
    seats = setup[setup_.PLAYERS]
    table[at.SEATS] = seats
    open_game(random, setup, np.uint64(table[at.SEED]), table[at.GAME])
    animals = draw_animals(random, setup)
    for seat in range(seats):
        table[at.ANIMAL + seat] = animals >> seat * NIBBLE & NIBBLE_MASK
        emit(log, events.ANIMAL, seat, table[at.ANIMAL + seat])
    for seat in range(MAX_SEATS):
        table[at.MARKS + seat] = 0
        table[at.SCORE + seat] = 0
        table[at.BOXES + seat] = 0
        table[at.OWN_BOXES + seat] = 0
        table[at.WISH + seat] = 0
        table[at.BEHIND + seat] = 0
    assign_animals(table, setup)
    start = draw_start(random, setup)
    emit(log, events.START, start)
    table[at.FIRST] = start
    table[at.ACTIVE] = start
    table[at.TURN] = 0
    table[at.ROUND] = 0
    table[at.WINNERS] = 0
    table[at.DIGEST] = animals
    for seat in range(seats):
        view[see.ANIMAL + seat] = table[at.ANIMAL + seat]
        view[see.WORTH + seat] = table[at.WORTH + seat]
    for animal in range(ANIMALS):
        view[see.OWNER + animal] = table[at.OWNER + animal]


@inlined
def show_sheets(table, view):
    """Copy all sheets and points into the view."""
    for seat in range(MAX_SEATS):
        view[see.MARKS + seat] = table[at.MARKS + seat]
        view[see.SCORE + seat] = table[at.SCORE + seat]


@part
def refuse(table, seat, move, legal):
    """Describe an illegal move in the table."""
    table[FAULT_GAME] = table[at.GAME]
    table[FAULT_SEAT] = seat
    table[FAULT_MOVE] = move
    table[FAULT_LEGAL] = legal
    return REFUSED


@inlined
def ask(table, view, choose, legal, stream):
    """Return the move of a strategy."""
    table[at.LEGAL] = legal
    choose(view, offset_cells(table, at.LEGAL), stream, offset_cells(table, at.MOVE), 1)
    return table[at.MOVE]


@inlined
def ask_what_to_keep(table, view, choose, stream, number, dice, kept, sizes):
    """Show the roller a roll; return which dice he sets aside, or REFUSED (ET-A03, ET-A06)."""
    roll = gather_all(dice)
    legal = see.keeps_of(roll, sizes)
    view[see.ROLL_NUMBER] = number
    view[see.ROLL] = roll
    view[see.DICE_AS_ROLLED] = dice
    view[see.KEPT] = kept
    view[see.SIZES] = sizes
    move = ask(table, view, choose, legal, stream)
    if see.is_legal_keep(legal, move):
        return move
    return refuse(table, table[at.ACTIVE], move, legal)


@part
def ask_what_to_forgo(table, view, setup, random, strategies, counts):
    """Let a player on whom the box cap binds choose a column to leave out (ET-A14).

    His wish is kept in the table. Returns REFUSED after an illegal move.
    """
    leader = leading_animals(counts)
    seat = owner_of(table, leader)
    open_boxes = open_boxes_of(table, seat, offered_boxes(counts, leader))
    if not caps_boxes(setup, open_boxes):
        return OK
    legal = see.columns_of(columns_in(open_boxes))
    view[see.SEAT] = seat
    view[see.DECISION] = see.FORGO_BOX
    view[see.ROLL_NUMBER] = LAST_ROLL
    view[see.KEPT] = counts
    stream = offset_cells(random, STREAMS + seat * STREAM_CELLS)
    move = ask(table, view, strategies[seat], legal, stream)
    view[see.DECISION] = see.KEEP_DICE
    if not see.is_legal_forgo(legal, move):
        return refuse(table, seat, move, legal)
    table[at.WISH + seat] = 0 if move == see.NO_ANSWER else wish(move)
    return OK


@inlined
def first_step(table, view, random, setup, choose, stream):
    """Begin the active seat's turn: it sets dice of the first roll aside."""
    turn = table[at.TURN]
    if turn % TURNS_AHEAD == 0 and turn > 0:
        draw_turns(random, setup, np.uint64(table[at.SEED]), table[at.GAME], turn)
    view[see.SEAT] = table[at.ACTIVE]
    view[see.ACTIVE] = table[at.ACTIVE]
    view[see.TURN] = turn
    show_sheets(table, view)
    dice = first_dice(turn_dice(random, turn))
    first = ask_what_to_keep(table, view, choose, stream, 1, dice, 0, see.ALL_SIZES)
    table[at.FIRST_KEEP] = first
    return first


@inlined
def second_step(table, view, random, choose, stream):
    """Go on with the turn: dice of the second roll are set aside."""
    first = table[at.FIRST_KEEP]
    size = size_of(first)
    dice = second_dice(turn_dice(random, table[at.TURN]), DICE - size)
    sizes = see.ALL_SIZES ^ 1 << size
    second = ask_what_to_keep(table, view, choose, stream, 2, dice, first, sizes)
    table[at.SECOND_KEEP] = second
    return second


@inlined
def third_step(table, view, random, setup, strategies, sums, log):
    """End the turn: all dice of the third roll are kept (ET-A04, ET-A05), and evaluated."""
    seat = table[at.ACTIVE]
    turn = table[at.TURN]
    first = table[at.FIRST_KEEP]
    second = table[at.SECOND_KEEP]
    first_size = size_of(first)
    second_size = size_of(second)
    dice = turn_dice(random, turn)
    third = gather_all(third_dice(dice, DICE - first_size - second_size))
    counts = first + second + third
    if is_on(log):
        log_dice(table, dice, third, log)
    if (
        is_capped(counts)
        and setup[setup_.CAP_CHOICE] == setup_.POLICY
        and ask_what_to_forgo(table, view, setup, random, strategies, counts) == REFUSED
    ):
        return REFUSED
    evaluate(table, setup, counts, sums, log)
    tally.book_turn(sums, seat, first_size, second_size, table[at.KIND])
    played = counts ^ first << _FIRST_SHIFT ^ second << _SECOND_SHIFT
    table[at.DIGEST] = fold(table[at.DIGEST], played)
    table[at.TURN] = turn + 1
    seat = seat + 1 if seat + 1 < table[at.SEATS] else 0
    table[at.ACTIVE] = seat
    if seat == table[at.FIRST]:
        tally.close_round(table)
    return OK


@inlined
def is_over(table):
    """Tell whether a game has ended: somebody has won, or it has taken too long (ET-A19)."""
    return table[at.WINNERS] != 0 or table[at.TURN] >= TURN_CAP


@part
def log_dice(table, dice, third, log):
    """Tell what was rolled and set aside in a turn."""
    seat = table[at.ACTIVE]
    first = table[at.FIRST_KEEP]
    emit(log, events.TURN, table[at.TURN], seat)
    emit(log, events.ROLL, seat, 1, gather_all(first_dice(dice)))
    emit(log, events.KEEP, seat, 1, first)
    emit(log, events.ROLL, seat, 2, gather_all(second_dice(dice, DICE - size_of(first))))
    emit(log, events.KEEP, seat, 2, table[at.SECOND_KEEP])
    emit(log, events.ROLL, seat, LAST_ROLL, third)
    emit(log, events.KEEP, seat, LAST_ROLL, third)


@part
def log_end(table, log):
    """Tell who won, and everybody's points."""
    if table[at.WINNERS] == 0:
        emit(log, events.TURN_CAP, table[at.TURN])
    for seat in range(table[at.SEATS]):
        if table[at.WINNERS] >> seat & 1:
            emit(log, events.WIN, seat)
    for seat in range(table[at.SEATS]):
        emit(log, events.SCORE, seat, table[at.SCORE + seat], table[at.BOXES + seat])


# --- lanes ----------------------------------------------------------------------------------------


@inlined
def lane_table(tables, lane):
    """Return the table of a lane."""
    return offset_cells(tables, lane * at.TABLE_CELLS)


@inlined
def lane_view(views, lane):
    """Return the view of a lane."""
    return offset_cells(views, lane * see.VIEW_CELLS)


@inlined
def lane_random(randoms, lane):
    """Return the random words of a lane."""
    return offset_cells(randoms, lane * RANDOM_CELLS)


@inlined
def close_lane(table):
    """Leave a lane without a game: nobody is to move, and nothing is over."""
    table[at.ACTIVE] = NO_SEAT
    table[at.WINNERS] = 0
    table[at.TURN] = 0


@inlined
def sign_of(move):
    """Return REFUSED for an illegal move, which is negative, and OK for a legal one."""
    return move >> _SIGN_SHIFT


@part
def play_turns(tables, views, randoms, setup, strategies, seat, sums, lanes, log):
    """Play a seat's turn in every lane where it is to move; return REFUSED after an illegal move."""
    choose = strategies[seat]
    streams = STREAMS + seat * STREAM_CELLS
    status = OK
    for lane in range(lanes):
        table = lane_table(tables, lane)
        if table[at.ACTIVE] == seat:
            random = lane_random(randoms, lane)
            stream = offset_cells(random, streams)
            view = lane_view(views, lane)
            status |= sign_of(first_step(table, view, random, setup, choose, stream))
    for lane in range(lanes):
        table = lane_table(tables, lane)
        if table[at.ACTIVE] == seat and status != REFUSED:
            random = lane_random(randoms, lane)
            stream = offset_cells(random, streams)
            view = lane_view(views, lane)
            status |= sign_of(second_step(table, view, random, choose, stream))
    for lane in range(lanes):
        table = lane_table(tables, lane)
        if table[at.ACTIVE] == seat and status != REFUSED:
            random = lane_random(randoms, lane)
            view = lane_view(views, lane)
            status |= third_step(table, view, random, setup, strategies, sums, log)
    return status


@part
def show_setup(view, setup, shared):
    """Copy what never changes during a block into a view: rulings, die, where the tables are.

    Parameters
    ----------
    shared : int64
        Where the optional tables begin, counted from this view.
    """
    for k in range(setup_.RULINGS_END):
        view[see.RULING + k] = setup[k]
    for k in range(see.POLICIES - see.FACES):
        view[see.FACES + k] = setup[setup_.FACES + k]
    view[see.DECISION] = see.KEEP_DICE
    policies = setup[setup_.POLICY_CELLS]
    view[see.POLICIES] = shared if policies else 0
    view[see.WINS] = shared + policies if setup[setup_.WIN_CELLS] else 0


@part
def copy_tables(shared, setup):
    """Copy the optional tables of the setup to where all views find them."""
    policies = setup[setup_.POLICY_CELLS]
    for k in range(policies):
        shared[k] = setup[setup[setup_.POLICIES] + k]
    for k in range(setup[setup_.WIN_CELLS]):
        shared[policies + k] = setup[setup[setup_.WINS] + k]


@part
def report_fault(scratch, lanes):
    """Bring the fault of the first lane that has one to the front of the scratch array."""
    for lane in range(lanes):
        table = lane_table(scratch, lane)
        if table[FAULT_LEGAL] != 0:
            for k in range(FAULT_CELLS):
                scratch[k] = table[k]
            return


@kernel
def play_block(
    seed, first, games, setup_array, strategies, sums_array, rows_array, log_array, scratch
):
    """Play games ``first .. first + games - 1`` (see `kernels.abi`)."""
    scratch[:SHARED] = 0
    # Parts of the caller's array: a local one could be freed while its cells are still in use.
    tables = cells(scratch)
    views = cells(scratch[VIEWS:])
    randoms = cells(scratch[RANDOMS:SHARED].view(np.uint64))
    setup = cells(setup_array)
    sums = cells(sums_array)
    rows = cells(rows_array)
    log = cells(log_array)
    copy_tables(cells(scratch[SHARED:]), setup)
    lanes = 1 if is_on(log) else min(LANES, games)
    game = first
    for lane in range(lanes):
        table = lane_table(tables, lane)
        view = lane_view(views, lane)
        random = lane_random(randoms, lane)
        show_setup(view, setup, SHARED - VIEWS - lane * see.VIEW_CELLS)
        address_lanes(random)
        table[at.SEED] = np.int64(seed)
        table[at.GAME] = game
        set_up(table, view, random, setup, log)
        game += 1
    left = games
    seat = 0
    while left > 0:
        status = play_turns(tables, views, randoms, setup, strategies, seat, sums, lanes, log)
        if status == REFUSED:
            report_fault(tables, lanes)
            return ILLEGAL_MOVE
        for lane in range(lanes):
            table = lane_table(tables, lane)
            if not is_over(table):
                continue
            tally.close_game(table, sums)
            if is_on(log):
                log_end(table, log)
            if rows_array.size > 0:
                tally.write_row(table, rows, (table[at.GAME] - first) * tally.ROW_CELLS)
            left -= 1
            if game < first + games:
                table[at.GAME] = game
                set_up(table, lane_view(views, lane), lane_random(randoms, lane), setup, log)
                game += 1
            else:
                close_lane(table)
        if is_full(log):
            return LOG_FULL
        seat = seat + 1 if seat + 1 < setup[setup_.PLAYERS] else 0
    tally.pour(sums, setup[setup_.PLAYERS])
    return OK
