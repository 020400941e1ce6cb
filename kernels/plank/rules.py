"""The turn of Gezanke auf der Planke!, rule by rule, in all games that are played side by side.

Rule numbers (GP-Axx) are those of docs/games/gezanke-auf-der-planke.md. Every function modifies
`table`, `hot`, `sums` and `log` in place; `hot` are the rows of `kernels.plank.table`. A pirate is five
binary digits on its cell: that it is there, two for its colour and two for its place of four in its
colour at the start; what moves a pirate moves all five.
"""

from __future__ import annotations

from kernels.abi import ILLEGAL_MOVE, OK
from kernels.bits import lowest_bit_index, offset_cells
from kernels.events import emit, is_on
from kernels.jit import inlined, part
from kernels.plank import events, tally
from kernels.plank import planke_setup as setup_
from kernels.plank import position as pos
from kernels.plank import table as at
from kernels.plank.position import COLOURS, FINE, MOVE1, PUSH1, SKULL, SWAP


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
def start_cell(planes, cell):
    """Return the cell on which the pirate of a cell started; of the five planes."""
    _, low, high, start_low, start_high = planes
    colour = low >> cell & 1 | (high >> cell & 1) << 1
    place = start_low >> cell & 1 | (start_high >> cell & 1) << 1
    return place * COLOURS + colour


@inlined
def planes_at(hot, lane):
    """Return the five planes of a lane: plank, low, high, and two for the place at the start."""
    return (
        hot[at.H_PLANK + lane],
        hot[at.H_LOW + lane],
        hot[at.H_HIGH + lane],
        hot[at.H_START_LOW + lane],
        hot[at.H_START_HIGH + lane],
    )


@inlined
def keep_planes(hot, lane, planes):
    """Write the five planes of a lane."""
    hot[at.H_PLANK + lane] = planes[0]
    hot[at.H_LOW + lane] = planes[1]
    hot[at.H_HIGH + lane] = planes[2]
    hot[at.H_START_LOW + lane] = planes[3]
    hot[at.H_START_HIGH + lane] = planes[4]


@inlined
def table_planes(table):
    """Return the five planes of a table."""
    colours = table[at.PLANK], table[at.LOW], table[at.HIGH]
    return (*colours, table[at.START_LOW], table[at.START_HIGH])


@inlined
def lift(table, hot, lane):
    """Take a lane's plank from its table at the beginning of a round."""
    keep_planes(hot, lane, table_planes(table))
    hot[at.H_ARRIVED + lane] = table[at.ARRIVED]
    hot[at.H_OVER + lane] = 0
    hot[at.H_DIGEST + lane] = table[at.DIGEST]


@inlined
def lower(table, hot, lane):
    """Put a lane's plank back into its table at the end of a round."""
    planes = planes_at(hot, lane)
    table[at.PLANK] = planes[0]
    table[at.LOW] = planes[1]
    table[at.HIGH] = planes[2]
    table[at.START_LOW] = planes[3]
    table[at.START_HIGH] = planes[4]
    table[at.DIGEST] = hot[at.H_DIGEST + lane]


# --- steps of a turn, in all lanes at once --------------------------------------------------------
#
# They are loops without a branch along the rows of `hot`, which LLVM makes vector code of. Which symbol
# a turn has cannot be foreseen; to do what each of them does in all lanes costs less than wrong guesses.


@inlined
def shifted(planes, block):
    """Return the planes after a block (a set) moved one cell towards the shark, into empty cells."""
    plank, low, high, start_low, start_high = planes
    return (
        plank + block,
        low + (low & block),
        high + (high & block),
        start_low + (start_low & block),
        start_high + (start_high & block),
    )


@inlined
def exchanged(planes, both):
    """Return the planes after two cells (a set of two, or none) exchanged what is on them."""
    return (
        pos.exchanged(planes[0], both),
        pos.exchanged(planes[1], both),
        pos.exchanged(planes[2], both),
        pos.exchanged(planes[3], both),
        pos.exchanged(planes[4], both),
    )


@inlined
def settle(hot, lane, planes, reached, arrival, rules):
    """Drop a pirate who was pushed beyond the edge (GP-A12), and see whether the game is over.

    Parameters
    ----------
    planes : tuple of int64
        After an action; kept without the pirate who fell.
    reached : int64
        Set of the cells that are newly occupied, one beyond the edge included.
    arrival : int64
        How the pirate on the foremost cell would have got there.
    rules : tuple of int64
        See `rules_of`.
    """
    length, _, one_colour, _ = rules
    beyond = reached >> length - 1
    falls = pos.mask(beyond > 1)
    touched = pos.mask(beyond != 0)
    arrived = hot[at.H_ARRIVED + lane]
    hot[at.H_FELL + lane] = start_cell(planes, length) | ~falls
    hot[at.H_FELL_FROM + lane] = arrived
    hot[at.H_ARRIVED + lane] = arrived & ~touched | arrival & touched
    cells = (1 << length) - 1
    plank, low, high = planes[0] & cells, planes[1] & cells, planes[2] & cells
    keep_planes(hot, lane, (plank, low, high, planes[3] & cells, planes[4] & cells))
    alike = ((low == 0) | (low == plank)) & ((high == 0) | (high == plank))
    over = pos.mask(plank & (plank - 1) == 0) | pos.mask(alike) & one_colour
    hot[at.H_OVER + lane] |= over & hot[at.H_LIVE + lane]


@inlined
def carry_out(hot, rules):
    """Carry out the actions of legal moves (step 2 of a turn).

    A push moves a block: it stops at the gap and does not carry what stands beyond it (GP-A12,
    GP-A13). A swap exchanges two pirates (GP-A09, GP-A10), move1 a pirate and an end that was free
    before he was lifted (GP-A03 to GP-A07). What comes of an illegal move means nothing.
    """
    length, usual, _, adjacent = rules
    for lane in range(at.LANES):
        move = hot[at.H_MOVE + lane]
        legal = hot[at.H_LEGAL + lane]
        symbol = pos.symbol_of(move)
        acts = pos.mask(pos.acts(legal, symbol)) & hot[at.H_LIVE + lane]
        swaps = pos.mask(symbol == SWAP) & acts
        moves = pos.mask(symbol == MOVE1) & acts
        pushes = pos.mask(symbol == PUSH1) & acts
        planes = planes_at(hot, lane)
        plank = planes[0]
        hot[at.H_PLAIN + lane] = pos.is_plain(plank, legal, move) & usual
        pirate = 1 << pos.at_of(move) & acts
        landing = pos.landing_cell(plank, pirate)
        other = pos.other_of(move)
        end = pos.plank_end(length, other & 1)
        if adjacent:
            end = pos.group_end(plank, length, other & 1)
        partner = 1 << other & swaps | end & moves
        planes = shifted(planes, landing - pirate & pushes)
        planes = exchanged(planes, (pirate ^ partner) & ~pushes)  # nothing when one is put back
        reached = landing & pushes | (pirate | partner) & ~pushes
        arrival = at.SWAPPED & swaps | at.MOVED & moves | at.PUSHED & pushes
        settle(hot, lane, planes, reached, arrival, rules)


@inlined
def push_rows(hot, rules):
    """Push the rows of legal moves from their last pirate (step 4 of a turn, GP-A11).

    Where the action has ended the game there is no push (GP-A14). The plank that is left goes into the
    digest.
    """
    for lane in range(at.LANES):
        goes_on = hot[at.H_LIVE + lane] & ~hot[at.H_OVER + lane]
        planes = planes_at(hot, lane)
        pirate = 1 << pos.row_of(hot[at.H_MOVE + lane]) & goes_on
        landing = pos.landing_cell(planes[0], pirate)
        planes = shifted(planes, landing - pirate)
        settle(hot, lane, planes, landing, at.PUSHED, rules)
        digest = hot[at.H_DIGEST + lane]
        turned = tally.fold(digest, hot[at.H_PLANK + lane])
        live = hot[at.H_LIVE + lane]
        hot[at.H_DIGEST + lane] = digest & ~live | turned & live


# --- steps of a turn, game by game ----------------------------------------------------------------


@inlined
def log_push(plank, log, code, seat, cell):
    """Emit a push: who, from which cell, to which."""
    emit(log, code, seat, cell, lowest_bit_index(pos.landing_cell(plank, 1 << cell)))


@part
def log_action(position, legal, move, log, seat):
    """Emit the action of a legal move in a position."""
    symbol = pos.symbol_of(move)
    cell = pos.at_of(move)
    other = pos.other_of(move)
    if symbol == SKULL:
        emit(log, events.SKULL, seat)
    elif not pos.is_possible(legal, symbol):
        emit(log, events.LAPSED, seat, symbol)
    elif symbol == PUSH1:
        log_push(position[pos.PLANK], log, events.PUSHED, seat, cell)
    elif symbol == SWAP:
        emit(log, events.SWAPPED, seat, cell, other)
    else:
        end = lowest_bit_index(pos.end_cell(position, other))
        emit(log, events.MOVED, seat, cell, other, end)


@inlined
def check_action(table, position, hot, lane, sums, log, seat):
    """Check and book a move's action; return OK or ILLEGAL_MOVE.

    `position` is what it was before the action. What is wrong with a move is left in `FAULT` of the
    table.
    """
    legal = hot[at.H_LEGAL + lane]
    move = hot[at.H_MOVE + lane]
    if hot[at.H_PLAIN + lane] == 0:
        fault = pos.action_fault(position, legal, move)
        if fault != FINE:
            table[at.FAULT] = fault
            return ILLEGAL_MOVE
    symbol = pos.symbol_of(move)
    tally.book_choice(table, sums, seat, symbol, not pos.is_possible(legal, symbol))
    if is_on(log):
        log_action(position, legal, move, log, seat)
    return OK


@inlined
def book_action(table, hot, lane, sums, log, on_rose):
    """Book what an action has done: who fell, and whether the game is over (GP-A14)."""
    start = hot[at.H_FELL + lane]
    if start >= 0:
        action = tally.BY_PUSH if on_rose else tally.BY_ROW
        tally.book_fall(table, sums, action, hot[at.H_FELL_FROM + lane], start)
        colour = start & (COLOURS - 1)
        falls = table[at.FALLS]
        table[at.FALLEN] |= colour << 2 * falls
        table[at.FALLS] = falls + 1
        emit(log, events.FALL, colour, start, falls)
    if hot[at.H_OVER + lane] != 0 and table[at.OVER] == 0:
        planes = planes_at(hot, lane)
        survivor = start_cell(planes, lowest_bit_index(planes[0])) & (COLOURS - 1)
        table[at.OVER] = 1
        table[at.ON_ROSE] = on_rose
        table[at.SURVIVOR] = survivor
        emit(log, events.OVER, survivor, on_rose)


@inlined
def check_row(table, hot, lane, log, seat):
    """Check a move's row before it is pushed; return OK or ILLEGAL_MOVE."""
    if table[at.OVER] != 0:
        return OK
    move = hot[at.H_MOVE + lane]
    if not pos.is_row(hot[at.H_PLANK + lane], move):
        table[at.FAULT] = pos.NOT_A_ROW
        return ILLEGAL_MOVE
    if is_on(log):
        log_push(hot[at.H_PLANK + lane], log, events.ROW, seat, pos.row_of(move))
    return OK


@inlined
def rules_of(position):
    """Return what steps of a turn need to know of the rulings, which never changes.

    Returns
    -------
    tuple of int64
        Cells of the plank; 1 under usual rulings (`position.take_rulings`), else 0; a mask: the game
        is over, too, when one colour is left (GP-A15); 1 if move1 goes to the ends of the group.
    """
    end = position[pos.RULING + setup_.END]
    adjacent = position[pos.RULING + setup_.MOVE_TARGETS]
    one_colour = pos.mask(end == setup_.ONE_COLOUR_LEFT)
    return position[pos.LENGTH], 1 - position[pos.UNUSUAL], one_colour, adjacent


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
    position = offset_cells(table, at.POSITION)
    hot = offset_cells(table, at.HOT)
    pos.take_rulings(position, setup)
    rules = rules_of(position)
    table[at.SURVIVOR] = at.NOBODY
    table[at.LEGAL] = pos.legal_set(position)
    table[at.SHOWN] = table[at.LEFT] * pos.SYMBOLS + table[at.RIGHT]
    lift(table, hot, 0)
    hot[at.H_LIVE] = -1
    hot[at.H_LEGAL] = table[at.LEGAL]
    hot[at.H_MOVE] = table[at.MOVE]
    carry_out(hot, rules)
    if check_action(table, position, hot, 0, sums, log, 0) != OK:
        return ILLEGAL_MOVE
    book_action(table, hot, 0, sums, log, 1)
    for k in range(3):
        table[at.AFTER_CHOICE + k] = hot[at.H_PLANK + k * at.LANES]
    if check_row(table, hot, 0, log, 0) != OK:
        return ILLEGAL_MOVE
    push_rows(hot, rules)
    book_action(table, hot, 0, sums, log, 0)
    lower(table, hot, 0)
    return OK
