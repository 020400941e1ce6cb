"""Einfach tierisch: a turn, a whole game, and a block of games, through the strategy door.

A block plays LANES games side by side, a row of cells for every number of a game
(`kernels.dice.table`). Seats take their turns in all lanes at once, and each step of a turn is a loop
along the rows, of which LLVM makes vector code; a new game waits until its start player's turn comes.
Lanes know nothing of each other, and which games share them changes none. With a log there is one lane.
"""

from __future__ import annotations

import numpy as np

from kernels.abi import (
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
from kernels.dice import events, tally
from kernels.dice import table as at
from kernels.dice import tierisch_setup as setup_
from kernels.dice import view as see
from kernels.dice.deal import (
    RANDOM_CELLS,
    address_words,
    draw_animals,
    draw_start,
    first_dice,
    open_game,
    roll_dice,
    seat_streams,
    second_dice,
    third_dice,
)
from kernels.dice.multisets import ANIMALS, DICE, NIBBLE, NIBBLE_MASK, gather_all, size_of
from kernels.dice.policies import MAX_POLICY_CELLS
from kernels.dice.rules import (
    assign_animals,
    capped_columns,
    evaluate,
    leader_of,
    leave_seats_empty,
    weigh,
    wish,
)
from kernels.dice.table import LANES
from kernels.dice.wins import WIN_TABLE_CELLS
from kernels.digest import fold
from kernels.events import emit, is_full, is_on
from kernels.jit import inlined, part

#: Turns after which a game ends without a winner. With the plain die hardly any game reaches a
#: hundred; with some dice, or players who collect police, none would ever end.
TURN_CAP = 10_000
#: Log rows that no game exceeds: nine a turn, and a few hundred for boxes, columns and the end.
MAX_EVENTS = 10 * TURN_CAP

# Parts of the scratch array, behind the table; the optional tables are shared by all views.
VIEWS = at.TABLE_CELLS
RANDOM = VIEWS + see.VIEW_CELLS * LANES
SHARED = RANDOM + RANDOM_CELLS
SCRATCH_CELLS = SHARED + MAX_POLICY_CELLS + WIN_TABLE_CELLS

LAST_ROLL = 3
NO_SEAT = -1

# Digest of a turn: the six dice, and above them what was set aside first and second.
_FIRST_SHIFT = 24
_SECOND_SHIFT = 38


@inlined
def row(cell):
    """Return where the row of a view's cell begins."""
    return cell * LANES


# --- a game's beginning and end -------------------------------------------------------------------


@part
def set_up(table, views, random, setup, lane, log):
    """Set up the game that a lane names: animals, empty sheets and the start player."""
    seats = table[at.SEATS]
    open_game(table, random, lane)
    animals = draw_animals(random, setup)
    for seat in range(seats):
        cell = seat * LANES + lane
        animal = animals >> seat * NIBBLE & NIBBLE_MASK
        table[at.ANIMAL + cell] = animal
        table[at.MARKS + cell] = 0
        table[at.SCORE + cell] = 0
        table[at.BOXES + cell] = 0
        table[at.OWN_BOXES + cell] = 0
        table[at.WISH + cell] = 0
        table[at.BEHIND + cell] = 0
        emit(log, events.ANIMAL, seat, animal)
    assign_animals(table, setup, lane)
    start = draw_start(random, setup)
    emit(log, events.START, start)
    table[at.FIRST + lane] = start
    table[at.ACTIVE + lane] = start
    table[at.TURN + lane] = 0
    table[at.ROUND + lane] = 0
    table[at.DIGEST + lane] = animals
    for seat in range(seats):
        views[row(see.ANIMAL + seat) + lane] = table[at.ANIMAL + seat * LANES + lane]
        views[row(see.WORTH + seat) + lane] = table[at.WORTH + seat * LANES + lane]
    for animal in range(ANIMALS):
        views[row(see.OWNER + animal) + lane] = table[at.OWNER + animal * LANES + lane]


@inlined
def is_over(table, lane):
    """Tell whether a game has ended: somebody has won, or it has taken too long (ET-A19)."""
    return (table[at.WINNERS + lane] != 0) | (table[at.TURN + lane] >= TURN_CAP)


@part
def log_end(table, log):
    """Tell who won the game in lane 0, and everybody's points."""
    if table[at.WINNERS] == 0:
        emit(log, events.TURN_CAP, table[at.TURN])
    for seat in range(table[at.SEATS]):
        if table[at.WINNERS] >> seat & 1:
            emit(log, events.WIN, seat)
    for seat in range(table[at.SEATS]):
        boxes = table[at.BOXES + seat * LANES]
        emit(log, events.SCORE, seat, table[at.SCORE + seat * LANES], boxes)


# --- decisions ------------------------------------------------------------------------------------


@part
def describe_fault(table, seat, lane):
    """Describe the illegal move of a lane in the table; return ILLEGAL_MOVE."""
    table[FAULT_GAME] = table[at.GAME + lane]
    table[FAULT_SEAT] = seat
    table[FAULT_MOVE] = table[at.MOVE + lane]
    table[FAULT_LEGAL] = table[at.LEGAL + lane]
    return ILLEGAL_MOVE


@inlined
def ask(table, views, random, strategies, seat, lane, games):
    """Ask a seat for the moves of some lanes that follow each other."""
    strategies[seat](
        offset_cells(views, lane),
        offset_cells(table, at.LEGAL + lane),
        offset_cells(seat_streams(random, seat), lane),
        offset_cells(table, at.MOVE + lane),
        games,
    )


@part
def take_keeps(table, views, random, strategies, seat, keeps):
    """Let a seat set dice aside in every lane where it is to move.

    Parameters
    ----------
    keeps : int64
        The row to which the moves go.

    Returns
    -------
    int64
        OK, or ILLEGAL_MOVE: then the first lane's is described in the table.
    """
    left = table[at.TO_MOVE]
    while left:
        lane = lowest_bit_index(left)
        games = lowest_bit_index(~(left >> lane))
        ask(table, views, random, strategies, seat, lane, games)
        left &= left + (1 << lane)  # without its lowest ones
    illegal = 0
    for lane in range(table[at.GAMES]):
        move = table[at.MOVE + lane]
        legal = see.is_legal_keep(table[at.LEGAL + lane], move)
        illegal |= (table[at.HERE + lane] & (legal == 0)) << lane
        table[keeps + lane] = move
    if illegal:
        return describe_fault(table, seat, lowest_bit_index(illegal))
    return OK


@part
def ask_what_to_forgo(table, views, setup, random, strategies, capped):
    """Let the players on whom the box cap binds choose a column to leave out (ET-A14).

    Their wishes are kept in the table. Returns OK or ILLEGAL_MOVE.
    """
    while capped:
        lane = lowest_bit_index(capped)
        capped &= capped - 1
        columns = capped_columns(table, setup, lane)
        if columns == 0:
            continue
        seat = leader_of(table, lane)
        legal = see.columns_of(columns)
        views[row(see.SEAT) + lane] = seat
        views[row(see.DECISION) + lane] = see.FORGO_BOX
        views[row(see.ROLL_NUMBER) + lane] = LAST_ROLL
        views[row(see.KEPT) + lane] = table[at.COUNTS + lane]
        table[at.LEGAL + lane] = legal
        ask(table, views, random, strategies, seat, lane, 1)
        views[row(see.DECISION) + lane] = see.KEEP_DICE
        move = table[at.MOVE + lane]
        if not see.is_legal_forgo(legal, move):
            return describe_fault(table, seat, lane)
        table[at.WISH + seat * LANES + lane] = 0 if move == see.NO_ANSWER else wish(move)
    return OK


# --- a turn ---------------------------------------------------------------------------------------


@part
def open_turns(table, views, seat):
    """Find the lanes in which a seat is to move, and show it everybody's sheets and points."""
    to_move = 0
    for lane in range(table[at.GAMES]):
        here = np.int64(table[at.ACTIVE + lane] == seat)
        table[at.HERE + lane] = here
        to_move |= here << lane
        views[row(see.SEAT) + lane] = seat
        views[row(see.ACTIVE) + lane] = seat
        views[row(see.TURN) + lane] = table[at.TURN + lane]
        for other in range(MAX_SEATS):
            views[row(see.MARKS + other) + lane] = table[at.MARKS + other * LANES + lane]
            views[row(see.SCORE + other) + lane] = table[at.SCORE + other * LANES + lane]
    table[at.TO_MOVE] = to_move


@inlined
def show_roll(table, views, lane, number, dice, kept, sizes):
    """Show the roller of a lane his dice, and note what he may set aside (ET-A03, ET-A06)."""
    roll = gather_all(dice)
    views[row(see.ROLL_NUMBER) + lane] = number
    views[row(see.ROLL) + lane] = roll
    views[row(see.DICE_AS_ROLLED) + lane] = dice
    views[row(see.KEPT) + lane] = kept
    views[row(see.SIZES) + lane] = sizes
    table[at.LEGAL + lane] = see.keeps_of(roll, sizes)


@part
def show_first_rolls(table, views):
    """Show the first rolls: any number of one to three dice may be set aside."""
    for lane in range(table[at.GAMES]):
        dice = first_dice(table[at.DICE_WORD + lane])
        show_roll(table, views, lane, 1, dice, 0, see.ALL_SIZES)


@part
def show_second_rolls(table, views):
    """Show the second rolls: two numbers are left."""
    for lane in range(table[at.GAMES]):
        first = table[at.FIRST_KEEP + lane]
        size = size_of(first)
        dice = second_dice(table[at.DICE_WORD + lane], DICE - size)
        show_roll(table, views, lane, 2, dice, first, see.ALL_SIZES ^ 1 << size)


@inlined
def last_roll(table, lane):
    """Return the dice of a third roll, all of which are kept (ET-A04, ET-A05)."""
    kept = size_of(table[at.FIRST_KEEP + lane] + table[at.SECOND_KEEP + lane])
    return gather_all(third_dice(table[at.DICE_WORD + lane], DICE - kept))


@part
def roll_last(table):
    """Make the third rolls; fold what was rolled and set aside into the digests."""
    for lane in range(table[at.GAMES]):
        first = table[at.FIRST_KEEP + lane]
        second = table[at.SECOND_KEEP + lane]
        counts = first + second + last_roll(table, lane)
        table[at.COUNTS + lane] = counts
        played = counts ^ first << _FIRST_SHIFT ^ second << _SECOND_SHIFT
        digest = table[at.DIGEST + lane]
        table[at.DIGEST + lane] = fold(digest, played) if table[at.HERE + lane] else digest


@part
def log_dice(table, seat, log):
    """Tell what was rolled and set aside in a turn of the game in lane 0."""
    dice = table[at.DICE_WORD]
    first = table[at.FIRST_KEEP]
    third = last_roll(table, 0)
    emit(log, events.TURN, table[at.TURN], seat)
    emit(log, events.ROLL, seat, 1, gather_all(first_dice(dice)))
    emit(log, events.KEEP, seat, 1, first)
    emit(log, events.ROLL, seat, 2, gather_all(second_dice(dice, DICE - size_of(first))))
    emit(log, events.KEEP, seat, 2, table[at.SECOND_KEEP])
    emit(log, events.ROLL, seat, LAST_ROLL, third)
    emit(log, events.KEEP, seat, LAST_ROLL, third)


@part
def close_turns(table, next_seat):
    """End the turns: the next seat is to move. Returns the mask of the lanes whose game is over."""
    over = 0
    for lane in range(table[at.GAMES]):
        here = table[at.HERE + lane]
        table[at.TURN + lane] += here
        table[at.ACTIVE + lane] = next_seat if here else table[at.ACTIVE + lane]
        over |= (here & is_over(table, lane)) << lane
    tally.close_rounds(table, next_seat)
    return over


@part
def play_turns(table, views, random, setup, strategies, seat, sums, log):
    """Play a seat's turn in every lane where it is to move; return OK or ILLEGAL_MOVE."""
    roll_dice(table, random, setup)
    show_first_rolls(table, views)
    status = take_keeps(table, views, random, strategies, seat, at.FIRST_KEEP)
    if status != OK:
        return status
    show_second_rolls(table, views)
    status = take_keeps(table, views, random, strategies, seat, at.SECOND_KEEP)
    if status != OK:
        return status
    roll_last(table)
    if is_on(log):
        log_dice(table, seat, log)
    capped = weigh(table)
    if capped and setup[setup_.CAP_CHOICE] == setup_.POLICY:
        status = ask_what_to_forgo(table, views, setup, random, strategies, capped)
        if status != OK:
            return status
    evaluate(table, setup, seat, capped, sums, log)
    tally.book_turns(table, sums, seat)
    return OK


# --- a block --------------------------------------------------------------------------------------


@part
def show_setup(views, setup):
    """Copy what never changes during a block into the views: rulings, die, where the tables are."""
    policies = setup[setup_.POLICY_CELLS]
    for lane in range(LANES):
        for k in range(setup_.RULINGS_END):
            views[row(see.RULING + k) + lane] = setup[k]
        for k in range(see.POLICIES - see.FACES):
            views[row(see.FACES + k) + lane] = setup[setup_.FACES + k]
        views[row(see.DECISION) + lane] = see.KEEP_DICE
        shared = SHARED - VIEWS - lane
        views[row(see.POLICIES) + lane] = shared if policies else 0
        views[row(see.WINS) + lane] = shared + policies if setup[setup_.WIN_CELLS] else 0


@part
def copy_tables(shared, setup):
    """Copy the optional tables of the setup to where all views find them."""
    policies = setup[setup_.POLICY_CELLS]
    for k in range(policies):
        shared[k] = setup[setup[setup_.POLICIES] + k]
    for k in range(setup[setup_.WIN_CELLS]):
        shared[policies + k] = setup[setup[setup_.WINS] + k]


@kernel
def play_block(
    seed, first, games, setup_array, strategies, sums_array, rows_array, log_array, scratch
):
    """Play games ``first .. first + games - 1`` (see `kernels.abi`)."""
    scratch[:SHARED] = 0
    # Parts of the caller's array: a local one could be freed while its cells are still in use.
    table = cells(scratch)
    views = cells(scratch[VIEWS:])
    random = cells(scratch[RANDOM:SHARED].view(np.uint64))
    setup = cells(setup_array)
    sums = cells(sums_array)
    rows = cells(rows_array)
    log = cells(log_array)
    copy_tables(cells(scratch[SHARED:]), setup)
    seats = setup[setup_.PLAYERS]
    table[at.SEATS] = seats
    table[at.SEED] = np.int64(seed)
    table[at.GAMES] = 1 if is_on(log) else min(LANES, games)
    leave_seats_empty(table)
    show_setup(views, setup)
    address_words(random)
    game = first
    for lane in range(table[at.GAMES]):
        table[at.GAME + lane] = game
        set_up(table, views, random, setup, lane, log)
        game += 1
    left = games
    seat = 0
    while left > 0:
        next_seat = seat + 1 if seat + 1 < seats else 0
        open_turns(table, views, seat)
        if table[at.TO_MOVE] != 0:
            status = play_turns(table, views, random, setup, strategies, seat, sums, log)
            if status != OK:
                return status
            over = close_turns(table, next_seat)
            while over:
                lane = lowest_bit_index(over)
                over &= over - 1
                tally.close_game(table, lane, sums)
                if is_on(log):
                    log_end(table, log)
                if rows_array.size > 0:
                    game_row = (table[at.GAME + lane] - first) * tally.ROW_CELLS
                    tally.write_row(table, lane, rows, game_row)
                left -= 1
                if game < first + games:
                    table[at.GAME + lane] = game
                    set_up(table, views, random, setup, lane, log)
                    game += 1
                else:
                    table[at.ACTIVE + lane] = NO_SEAT
            if is_full(log):
                return LOG_FULL
        seat = next_seat
    tally.pour(sums, seats)
    return OK
