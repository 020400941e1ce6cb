"""What the games of both boat games have in common: set-up, a round's start, a move, the ranking."""

from __future__ import annotations

import numpy as np

from kernels.abi import FAULT_GAME, FAULT_LEGAL, FAULT_MOVE, FAULT_SEAT, ILLEGAL_MOVE, OK
from kernels.bits import offset_cells, popcount
from kernels.boats import events
from kernels.boats import setup as setup_
from kernels.boats import table as at
from kernels.boats import view as see
from kernels.boats.cards import (
    BOAT_CARDS,
    CUPID_CARDS,
    card_of,
    deck_card,
    remove_from_deck,
    seat_cards,
)
from kernels.boats.deal import (
    RANDOM_CELLS,
    STREAMS,
    deal_decks,
    deal_piles,
    open_streams,
    refresh_streams,
    start_of,
)
from kernels.boats.piles import KIND_BITS, turn_up_boats
from kernels.boats.table import LANES
from kernels.events import emit, is_on
from kernels.jit import inlined, part
from kernels.rng import STREAM_CELLS

#: Bytes after which addresses look alike to a processor that checks loads against earlier stores.
ALIAS_BYTES = 4096
ALIAS_CELLS = ALIAS_BYTES // 8


def clear_of(first, row):
    """Return the next cell after `first` that lies, modulo ALIAS_CELLS, just behind a row.

    The rows of the views that a move touches then never look like those of the table, which lie
    before `row`: a load that seems to read what was just stored waits in vain.
    """
    return first + (row + LANES - first) % ALIAS_CELLS


# Parts of the scratch array, behind the table.
VIEWS = clear_of(at.TABLE_CELLS, at.BITS)
RANDOM = VIEWS + see.VIEW_CELLS * LANES
SCRATCH_CELLS = RANDOM + RANDOM_CELLS

#: Log rows that no game exceeds: each of 60 cards has its play and a handful of events a boat.
MAX_EVENTS = 2048


@inlined
def row(cell):
    """Return where the row of a view's cell begins."""
    return cell * LANES


@inlined
def fill_row(cells_, first, value, games):
    """Set a row to one value, in place."""
    target = offset_cells(cells_, first)
    for lane in range(games):
        target[lane] = value


@inlined
def copy_row(source, first, target, to, games):
    """Copy a row from cell `first` of `source` to cell `to` of `target`, in place."""
    values = offset_cells(source, first)
    copies = offset_cells(target, to)
    for lane in range(games):
        copies[lane] = values[lane]


@inlined
def add_bits(table, target):
    """Add, in every game, the BITS row of `table` to the cell of `target` that its CELL row names."""
    for lane in range(table[at.GAMES]):
        target[table[at.CELL + lane]] |= table[at.BITS + lane]


@part
def open_block(table, views, setup, tiles, seed, ordered, log):
    """Write into table and views what never changes during a block; return the games in a batch."""
    seats = setup[setup_.PLAYERS]
    table[at.SEED] = np.int64(seed)
    table[at.SEATS] = seats
    table[at.BOATS] = seats
    table[at.ORDERED] = ordered or is_on(log)
    table[at.IDLE] = setup[tiles + BOAT_CARDS]
    show_setup(views, setup, tiles)
    return 1 if is_on(log) else LANES


@inlined
def possible_starts(setup):
    """Return how many seats may start the first round."""
    drawn = setup[setup_.START_PLAYER] == setup_.RANDOM_START
    return setup[setup_.PLAYERS] if drawn else 1


@part
def show_setup(views, setup, tiles):
    """Copy what never changes during a block into the views: players, rulings, boats."""
    for lane in range(LANES):
        views[row(see.PLAYERS) + lane] = setup[setup_.PLAYERS]
        for k in range(tiles):
            views[row(see.RULING + k) + lane] = setup[k]
        for k in range(BOAT_CARDS):
            views[row(see.TILES + k) + lane] = setup[tiles + k] >> KIND_BITS


@part
def fill_lanes(table, setup, start, game, end, lanes):
    """Choose the next games of a block that a seat starts; return where to look for more.

    All games of a batch have the same start player, so that a turn is the same seat's in all of them.
    """
    count = 0
    drawn = setup[setup_.START_PLAYER] == setup_.RANDOM_START
    seed = np.uint64(table[at.SEED])
    while game < end and count < lanes:
        if not drawn or start_of(seed, game, table[at.SEATS]) == start:
            table[at.GAME + count] = game
            count += 1
        game += 1
    table[at.GAMES] = count
    table[at.START] = start
    return game


@part
def set_up(table, setup, tiles, random, log):
    """Set up a batch of games: cards, boats, cupids.

    Parameters
    ----------
    tiles : int64
        Where the thirty pile entries stand in `setup`.
    """
    games = table[at.GAMES]
    unlimited = setup[setup_.CUPID_SUPPLY] == setup_.UNLIMITED
    cupids = setup_.UNLIMITED_CUPIDS if unlimited else CUPID_CARDS
    for lane in range(games):
        table[at.FAULT + lane] = OK
        table[at.CUPIDS_LEFT + lane] = cupids
        table[at.LOVED + lane] = 0
        table[at.PAID + lane] = 0
        table[at.KEPT + lane] = 0
        table[at.PLAYED + lane] = 0
        table[at.DRY + lane] = 0
        table[at.REPLACEMENTS + lane] = 0
        table[at.DIGEST + lane] = 0
    for seat in range(table[at.SEATS]):
        fill_row(table, at.SCORE + seat * LANES, 0, games)
        fill_row(table, at.CUPIDS + seat * LANES, 0, games)
    deal_piles(table, setup, tiles, random)
    deal_decks(table, random)
    open_streams(table, random)
    if is_on(log):
        for seat in range(table[at.SEATS]):
            emit(log, events.DECK, seat, table[at.DECK + seat * LANES])
        emit(log, events.START, table[at.START])


@part
def open_round(table, views, random, round_, log):
    """Turn up the round's boats and show the public state in the views."""
    games = table[at.GAMES]
    seats = table[at.SEATS]
    for lane in range(games):
        views[row(see.ROUND) + lane] = round_
        views[row(see.START) + lane] = table[at.START]
        views[row(see.CUPIDS_LEFT) + lane] = table[at.CUPIDS_LEFT + lane]
        views[row(see.SAVED) + lane] = table[at.KEPT + lane]
        views[row(see.GONE) + lane] = table[at.PLAYED + lane] & ~table[at.KEPT + lane]
        views[row(see.ABOARD) + lane] = 0
        views[row(see.DOWN) + lane] = see.NOTHING_DOWN
    turn_up_boats(table)
    for boat in range(seats):
        copy_row(table, at.CAPACITY + boat * LANES, views, row(see.CAPACITY + boat), games)
        copy_row(table, at.SCORE + boat * LANES, views, row(see.SCORE + boat), games)
        copy_row(table, at.CUPIDS + boat * LANES, views, row(see.CUPIDS + boat), games)
        fill_row(table, at.BOAT + boat * LANES, 0, games)
        fill_row(views, row(see.SEEN + boat), 0, games)
        fill_row(views, row(see.HIDDEN + boat), 0, games)
    refresh_streams(table, random, round_)
    if is_on(log):
        emit(log, events.ROUND, round_)
        for boat in range(seats):
            emit(log, events.CAPACITY, boat, table[at.CAPACITY + boat * LANES])


@part
def take_moves(table, views, random, strategies, seat):
    """Let a seat move in every game; return OK, or ILLEGAL_MOVE and describe it in the table."""
    strategies[seat](
        views,
        offset_cells(table, at.LEGAL),
        offset_cells(random, STREAMS + seat * LANES * STREAM_CELLS),
        offset_cells(table, at.MOVE),
        table[at.GAMES],
    )
    if not play_cards(table, views, seat):
        return describe_fault(table, seat)
    if table[at.ORDERED]:
        keep_order(table)
    return OK


@part
def play_cards(table, views, seat):
    """Take the moves' cards out of the hands; the decks' next cards slide down.

    Returns
    -------
    int64
        1 when every move was legal; else nothing that was done here is used.
    """
    decks = offset_cells(table, at.DECK + seat * LANES)
    legal = 1
    for lane in range(table[at.GAMES]):
        move = table[at.MOVE + lane]
        legal &= see.is_legal(table[at.LEGAL + lane], move)
        slot = see.move_slot(move)
        boat = see.move_boat(move)
        deck = decks[lane]
        decks[lane] = remove_from_deck(deck, slot)
        table[at.CARD + lane] = card_of(deck_card(deck, slot), seat)
        table[at.TARGET + lane] = boat
        table[at.PLACE + lane] = see.count_of(views[row(see.ABOARD) + lane], boat)
        views[row(see.ABOARD) + lane] = see.with_one_more(views[row(see.ABOARD) + lane], boat)
    return legal


@part
def keep_order(table):
    """Keep the boarding order, when the rulings make it matter."""
    for lane in range(table[at.GAMES]):
        order = at.ORDER + lane * at.LANE_ORDERS + table[at.TARGET + lane] * at.ORDER_STRIDE
        table[order + table[at.PLACE + lane]] = table[at.CARD + lane]


@part
def describe_fault(table, seat):
    """Describe the illegal move of the lowest game in the table; return ILLEGAL_MOVE."""
    for lane in range(table[at.GAMES] - 1, -1, -1):
        if not see.is_legal(table[at.LEGAL + lane], table[at.MOVE + lane]):
            table[FAULT_GAME] = table[at.GAME + lane]
            table[FAULT_SEAT] = seat
            table[FAULT_MOVE] = table[at.MOVE + lane]
            table[FAULT_LEGAL] = table[at.LEGAL + lane]
    return ILLEGAL_MOVE


@part
def keep_best(table, values, best):
    """Write, for every game, the mask of the seats with the greatest value.

    Parameters
    ----------
    values : int64
        The first of the seats' rows.
    best : int64
        The row to write.
    """
    games = table[at.GAMES]
    top = offset_cells(table, at.KILOS)  # free by now
    masks = offset_cells(table, best)
    copy_row(table, values, table, at.KILOS, games)
    fill_row(table, best, 0, games)
    for seat in range(1, table[at.SEATS]):
        value = offset_cells(table, values + seat * LANES)
        for lane in range(games):
            top[lane] = max(top[lane], value[lane])
    for seat in range(table[at.SEATS]):
        value = offset_cells(table, values + seat * LANES)
        for lane in range(games):
            masks[lane] |= (value[lane] == top[lane]) << seat


@part
def log_scores(table, log):
    """Explain the final scores of the game in lane 0."""
    for seat in range(table[at.SEATS]):
        saved = popcount(table[at.KEPT] & seat_cards(seat))
        score = table[at.SCORE + seat * LANES]
        emit(log, events.SCORE, seat, score, table[at.CUPIDS + seat * LANES], saved)
