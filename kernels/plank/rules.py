"""The turn of Gezanke auf der Planke!, rule by rule, on a packed table.

Rule numbers (GP-Axx) are those of docs/games/gezanke-auf-der-planke.md. Every function modifies
`table`, `sums` and `log` in place. A pirate is five binary digits on its cell: that it is there, two
for its colour and two for its place of four in its colour at the start; what moves a pirate moves all
five.
"""

from __future__ import annotations

from kernels.abi import ILLEGAL_MOVE, OK
from kernels.bits import lowest_bit_index, offset_cells
from kernels.events import emit, is_on
from kernels.jit import inlined, part
from kernels.plank import events, tally
from kernels.plank import position as pos
from kernels.plank import table as at
from kernels.plank.position import COLOURS, FINE, PUSH1, SKULL, SWAP


@part
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
def start_cell(table, cell):
    """Return the cell on which the pirate of a cell started."""
    colour = table[at.LOW] >> cell & 1 | (table[at.HIGH] >> cell & 1) << 1
    place = table[at.START_LOW] >> cell & 1 | (table[at.START_HIGH] >> cell & 1) << 1
    return place * COLOURS + colour


@inlined
def shift_block(table, block):
    """Move all pirates of a block one cell towards the shark; the cell in front of it is empty."""
    table[at.PLANK] += block
    table[at.LOW] += table[at.LOW] & block
    table[at.HIGH] += table[at.HIGH] & block
    table[at.START_LOW] += table[at.START_LOW] & block
    table[at.START_HIGH] += table[at.START_HIGH] & block


@inlined
def exchange(table, plane, both):
    """Exchange the contents of two cells (a set of two) in one plane."""
    digits = table[plane] & both
    table[plane] ^= both * ((digits != 0) & (digits != both))


@inlined
def exchange_cells(table, both):
    """Exchange what is on two cells: two pirates, or one and nobody."""
    exchange(table, at.PLANK, both)
    exchange(table, at.LOW, both)
    exchange(table, at.HIGH, both)
    exchange(table, at.START_LOW, both)
    exchange(table, at.START_HIGH, both)


@inlined
def fall(table, sums, log, action):
    """Drop the pirate who stands beyond the edge (GP-A12)."""
    edge = table[at.LENGTH]
    start = start_cell(table, edge)
    tally.book_fall(table, sums, action, start)
    colour = start & (COLOURS - 1)
    falls = table[at.FALLS]
    table[at.FALLEN] |= colour << 2 * falls
    table[at.FALLS] = falls + 1
    plank = (1 << edge) - 1
    table[at.PLANK] &= plank
    table[at.LOW] &= plank
    table[at.HIGH] &= plank
    table[at.START_LOW] &= plank
    table[at.START_HIGH] &= plank
    if is_on(log):
        emit(log, events.FALL, colour, start, falls)


@inlined
def push_from(table, sums, log, pirate, action):
    """Push a pirate (a set of one) and all directly in front of him; at the edge one falls.

    The push stops at the gap and does not carry what stands beyond it (GP-A13).
    """
    landing = pos.landing_cell(table[at.PLANK], pirate)
    shift_block(table, landing - pirate)
    front = 1 << (table[at.LENGTH] - 1)
    if landing >= front:
        if landing > front:
            fall(table, sums, log, action)
        table[at.ARRIVED] = at.PUSHED


@inlined
def log_push(table, log, code, seat, cell):
    """Emit a push that is about to be made: who, from which cell, to which."""
    if is_on(log):
        landing = pos.landing_cell(table[at.PLANK], 1 << cell)
        emit(log, code, seat, cell, lowest_bit_index(landing))


@inlined
def swap_two(table, log, seat, cell, other):
    """Exchange two pirates (GP-A09, GP-A10)."""
    both = 1 << cell | 1 << other
    exchange_cells(table, both)
    if both >> (table[at.LENGTH] - 1) != 0:
        table[at.ARRIVED] = at.SWAPPED
    if is_on(log):
        emit(log, events.SWAPPED, seat, cell, other)


@inlined
def move_one(table, log, seat, cell, end):
    """Place a pirate on an end that was free before he was lifted (GP-A03 to GP-A07)."""
    target = pos.end_cell(offset_cells(table, at.POSITION), end)
    exchange_cells(table, 1 << cell | target)
    if target >> (table[at.LENGTH] - 1) != 0:
        table[at.ARRIVED] = at.MOVED
    if is_on(log):
        emit(log, events.MOVED, seat, cell, end, lowest_bit_index(target))


@inlined
def carry_out(table, sums, log, seat, move):
    """Carry out the action of a legal move (step 2 of a turn)."""
    symbol = pos.symbol_of(move)
    legal = table[at.LEGAL]
    lapses = not pos.is_possible(legal, symbol)
    tally.book_choice(table, sums, seat, symbol, lapses)
    if symbol == PUSH1:
        cell = pos.at_of(move)
        log_push(table, log, events.PUSHED, seat, cell)
        push_from(table, sums, log, 1 << cell, tally.BY_PUSH)
    elif symbol == SKULL:
        if is_on(log):
            emit(log, events.SKULL, seat)
    elif lapses:
        if is_on(log):
            emit(log, events.LAPSED, seat, symbol)
    elif symbol == SWAP:
        swap_two(table, log, seat, pos.at_of(move), pos.other_of(move))
    else:
        move_one(table, log, seat, pos.at_of(move), pos.other_of(move))


@inlined
def push_row(table, sums, log, seat, row):
    """Push a row from its last pirate (step 4 of a turn, GP-A11)."""
    log_push(table, log, events.ROW, seat, row)
    push_from(table, sums, log, 1 << row, tally.BY_ROW)


@inlined
def end_game(table, log, on_rose):
    """Note that the game is over: who survives, and after which action (GP-A14)."""
    position = offset_cells(table, at.POSITION)
    survivor = pos.colour_at(position, lowest_bit_index(table[at.PLANK]))
    table[at.OVER] = 1
    table[at.ON_ROSE] = on_rose
    table[at.SURVIVOR] = survivor
    emit(log, events.OVER, survivor, on_rose)


@inlined
def act_on_rose(table, sums, log, seat, move):
    """Check and carry out a move's action; return OK or ILLEGAL_MOVE.

    `LEGAL` of the table is the turn's legal word. What is wrong with a move is left in `FAULT`.
    """
    position = offset_cells(table, at.POSITION)
    fault = pos.action_fault(position, table[at.LEGAL], move)
    if fault != FINE:
        table[at.FAULT] = fault
        return ILLEGAL_MOVE
    carry_out(table, sums, log, seat, move)
    if pos.is_over(position, pos.planes_of(position)):
        end_game(table, log, 1)
    return OK


@inlined
def act_on_row(table, sums, log, seat, move):
    """Check and carry out a move's row push, unless the game is over; return OK or ILLEGAL_MOVE."""
    if table[at.OVER] != 0:
        return OK
    if not pos.is_row(table[at.PLANK], move):
        table[at.FAULT] = pos.NOT_A_ROW
        return ILLEGAL_MOVE
    push_row(table, sums, log, seat, pos.row_of(move))
    position = offset_cells(table, at.POSITION)
    if pos.is_over(position, pos.planes_of(position)):
        end_game(table, log, 0)
    return OK


@part
def resolve_position(table, setup, sums, log):
    """Play one turn from a given position.

    Parameters
    ----------
    table : int64 cells
        PLANK, LOW, HIGH, LENGTH, LEFT, RIGHT and MOVE are given; the rest is 0. Modified in place:
        AFTER_CHOICE (plank, low, high), the plank after the turn, FALLS, FALLEN, OVER, ON_ROSE (the
        row was skipped) and SURVIVOR; after an illegal move FAULT and LEGAL.
    setup : int64 cells
        Only the rulings are looked at.

    Returns
    -------
    int64
        OK or ILLEGAL_MOVE.
    """
    pos.take_rulings(offset_cells(table, at.POSITION), setup)
    table[at.SURVIVOR] = at.NOBODY
    table[at.LEGAL] = pos.legal_set(offset_cells(table, at.POSITION))
    move = table[at.MOVE]
    status = act_on_rose(table, sums, log, 0, move)
    for k in range(3):
        table[at.AFTER_CHOICE + k] = table[at.PLANK + k]
    if status == OK:
        status = act_on_row(table, sums, log, 0, move)
    return status
