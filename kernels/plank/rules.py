"""The turn of Gezanke auf der Planke!, rule by rule, on a packed plank.

Rule numbers (GP-Axx) are those of docs/games/gezanke-auf-der-planke.md. A pirate is five binary digits
on its cell: that it is there, two for its colour and two for its place of four in its colour at the
start. What moves a pirate moves all five, so the rules take and return a *crew*: the five words
(plank, low, high, start_low, start_high). A turn keeps them in registers from beginning to end.

Neither the chosen symbol nor a fall can be predicted, and a branch on them would cost more than the
work. So every action is carried out, those that were not chosen with nobody, and a push that drops
nobody books a zero.
"""

from __future__ import annotations

import numpy as np

from kernels.abi import ILLEGAL_MOVE, OK
from kernels.bits import lowest_bit_index, offset_cells, popcount
from kernels.events import emit, is_on
from kernels.jit import compiled, inlined
from kernels.plank import events, tally
from kernels.plank import position as pos
from kernels.plank import table as at
from kernels.plank.position import COLOURS, FINE, MOVE1, PUSH1, SKULL, SWAP


@compiled
def set_up_plank(table):
    """Put sixteen pirates on the plank: yellow, red, green, blue from the ship end, four times."""
    full = (1 << pos.PIRATES) - 1
    table[at.PLANK] = full
    table[at.LOW] = full // 3 * 2  # every second cell, from cell 1
    table[at.HIGH] = full // 5 * 4  # two cells of four, from cell 2
    table[at.START_LOW] = (15 << 4 | 15 << 12) & full
    table[at.START_HIGH] = (255 << 8) & full
    table[at.ARRIVED] = at.PUSHED
    table[at.FALLS] = 0
    table[at.FALLEN] = 0
    table[at.OVER] = 0
    table[at.ON_ROSE] = 0


@inlined
def load_crew(table):
    """Return the crew that the table holds."""
    return (
        table[at.PLANK],
        table[at.LOW],
        table[at.HIGH],
        table[at.START_LOW],
        table[at.START_HIGH],
    )


@inlined
def store_crew(table, crew):
    """Put a crew into the table."""
    table[at.PLANK] = crew[0]
    table[at.LOW] = crew[1]
    table[at.HIGH] = crew[2]
    table[at.START_LOW] = crew[3]
    table[at.START_HIGH] = crew[4]


@inlined
def start_cell(crew, cell):
    """Return the cell on which the pirate of a cell started; 0 where nobody stands."""
    _, low, high, start_low, start_high = crew
    colour = low >> cell & 1 | (high >> cell & 1) << 1
    place = start_low >> cell & 1 | (start_high >> cell & 1) << 1
    return place * COLOURS + colour


@inlined
def exchanged(digits, both):
    """Exchange one digit of two cells (a set of two, or none): flip both where they differ."""
    return digits ^ both & -(popcount(digits & both) & 1)


@inlined
def exchange_cells(crew, both):
    """Exchange what is on two cells: two pirates, or one and nobody."""
    plank, low, high, start_low, start_high = crew
    return (
        exchanged(plank, both),
        exchanged(low, both),
        exchanged(high, both),
        exchanged(start_low, both),
        exchanged(start_high, both),
    )


@inlined
def book_drop(table, sums, log, crew, action):
    """Note who stands beyond the edge, if anybody does: that pirate falls (GP-A12)."""
    edge = table[at.LENGTH]
    fell = crew[0] >> edge
    start = start_cell(crew, edge)
    colour = start & (COLOURS - 1)
    falls = table[at.FALLS]
    tally.book_fall(table, sums, action, start, fell)
    table[at.FALLEN] |= colour << 2 * falls
    table[at.FALLS] = falls + fell
    if is_on(log) and fell:
        emit(log, events.FALL, colour, start, falls)


@inlined
def push_from(table, sums, log, crew, pirate, action):
    """Push a pirate (a set of one) and all directly in front of him; at the edge one falls.

    The push stops at the gap and does not carry what stands beyond it (GP-A13). An empty set pushes
    nobody.
    """
    plank, low, high, start_low, start_high = crew
    landing = pos.landing_cell(plank, pirate)
    block = landing - pirate
    plank += block
    low += low & block
    high += high & block
    start_low += start_low & block
    start_high += start_high & block
    book_drop(table, sums, log, (plank, low, high, start_low, start_high), action)
    table[at.ARRIVED] &= -np.int64(landing >> (table[at.LENGTH] - 1) == 0)
    aboard = (1 << table[at.LENGTH]) - 1
    return plank & aboard, low & aboard, high & aboard, start_low & aboard, start_high & aboard


@inlined
def swap_or_move(table, crew, move, acts):
    """Swap two pirates (GP-A09), or place one on an end that was free before he was lifted (GP-A03).

    Either exchanges the contents of two cells. Nothing happens unless `acts` is 1 and the symbol is
    one of the two.
    """
    symbol = pos.symbol_of(move)
    other = pos.other_of(move)
    end = pos.end_cell(offset_cells(table, at.POSITION), other & 1)
    moves = np.int64(symbol == MOVE1)
    swaps = np.int64(symbol == SWAP)
    partner = end * moves | 1 << other & -swaps
    both = (1 << pos.at_of(move) ^ partner) & -(acts & (moves | swaps))
    at_front = both >> (table[at.LENGTH] - 1)
    table[at.ARRIVED] = table[at.ARRIVED] & (at_front - 1) | (at.SWAPPED + moves) & -at_front
    return exchange_cells(crew, both)


@inlined
def log_push(log, plank, code, seat, cell):
    """Emit a push that is about to be made: who, from which cell, to which."""
    emit(log, code, seat, cell, lowest_bit_index(pos.landing_cell(plank, 1 << cell)))


@compiled
def log_action(table, log, seat, move):
    """Emit the action of a legal move, before it is carried out."""
    symbol = pos.symbol_of(move)
    cell = pos.at_of(move)
    other = pos.other_of(move)
    if symbol == SKULL:
        emit(log, events.SKULL, seat)
    elif not pos.is_possible(table[at.LEGAL], symbol):
        emit(log, events.LAPSED, seat, symbol)
    elif symbol == PUSH1:
        log_push(log, table[at.PLANK], events.PUSHED, seat, cell)
    elif symbol == SWAP:
        emit(log, events.SWAPPED, seat, cell, other)
    else:
        target = pos.end_cell(offset_cells(table, at.POSITION), other)
        emit(log, events.MOVED, seat, cell, other, lowest_bit_index(target))


@inlined
def carry_out(table, sums, log, seat, crew, move):
    """Carry out the action of a legal move (step 2 of a turn); return the crew after it."""
    symbol = pos.symbol_of(move)
    can = table[at.LEGAL] >> (pos.CAN_SHIFT + symbol) & 1
    tally.book_choice(table, sums, seat, symbol, 1 - can)
    if is_on(log):
        log_action(table, log, seat, move)
    crew = swap_or_move(table, crew, move, can)
    pirate = 1 << pos.at_of(move) & -np.int64(symbol == PUSH1)
    return push_from(table, sums, log, crew, pirate, tally.BY_PUSH)


@compiled
def end_game(table, log, on_rose):
    """Note that the game is over: who survives, and after which action (GP-A14)."""
    position = offset_cells(table, at.POSITION)
    survivor = pos.colour_at(position, lowest_bit_index(table[at.PLANK]))
    table[at.OVER] = 1
    table[at.ON_ROSE] = on_rose
    table[at.SURVIVOR] = survivor
    emit(log, events.OVER, survivor, on_rose)


@inlined
def take_turn(table, sums, log, seat, move):
    """Check and carry out a whole turn: the action, and the row unless the game is over before it.

    `LEGAL` of the table is the turn's legal word. AFTER_CHOICE keeps the plank between the actions.

    Returns
    -------
    int64
        OK, or ILLEGAL_MOVE with what is wrong in `FAULT`; after a bad row only the action is done.
    """
    position = offset_cells(table, at.POSITION)
    if not pos.looks_fine(position, table[at.LEGAL], move):
        fault = pos.action_fault(position, table[at.LEGAL], move)
        if fault != FINE:
            table[at.FAULT] = fault
            return ILLEGAL_MOVE
    crew = carry_out(table, sums, log, seat, load_crew(table), move)
    table[at.AFTER_CHOICE] = crew[0]
    table[at.AFTER_CHOICE + 1] = crew[1]
    table[at.AFTER_CHOICE + 2] = crew[2]
    if pos.is_over(position, crew[0], crew[1], crew[2]):
        store_crew(table, crew)
        end_game(table, log, 1)
        return OK
    if not pos.is_row(crew[0], move):
        table[at.FAULT] = pos.NOT_A_ROW
        return ILLEGAL_MOVE
    row = pos.row_of(move)
    if is_on(log):
        log_push(log, crew[0], events.ROW, seat, row)
    crew = push_from(table, sums, log, crew, 1 << row, tally.BY_ROW)
    store_crew(table, crew)
    if pos.is_over(position, crew[0], crew[1], crew[2]):
        end_game(table, log, 0)
    return OK


@compiled
def resolve_position(table, setup, sums, log):
    """Play one turn from a given position.

    Parameters
    ----------
    table : int64 cells
        PLANK, LOW, HIGH, LENGTH, LEFT, RIGHT and MOVE are given; the rest is 0. Modified in place:
        AFTER_CHOICE (plank, low, high), the plank after the turn, FALLS, FALLEN, OVER, ON_ROSE (the
        row was skipped) and SURVIVOR; LEGAL, and after an illegal move FAULT.
    setup : int64 cells
        Only the rulings are looked at.

    Returns
    -------
    int64
        OK or ILLEGAL_MOVE.
    """
    position = offset_cells(table, at.POSITION)
    pos.take_rulings(position, setup)
    table[at.SURVIVOR] = at.NOBODY
    table[at.LEGAL] = pos.legal_set(position)
    return take_turn(table, sums, log, 0, table[at.MOVE])
