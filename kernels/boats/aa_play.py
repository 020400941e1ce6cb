"""All Aboard!: a whole game, and a block of games, through the strategy door."""

from __future__ import annotations

import numpy as np

from kernels.abi import (
    FAULT_GAME,
    FAULT_LEGAL,
    FAULT_MOVE,
    FAULT_SEAT,
    ILLEGAL_MOVE,
    LANES,
    LOG_FULL,
    MAX_VIEW_CELLS,
    OK,
    lane_kernel,
)
from kernels.bits import cells, offset_cells, popcount
from kernels.boats import aa_setup as setup_
from kernels.boats import events, tally
from kernels.boats import table as at
from kernels.boats import view as see
from kernels.boats.aa_rules import card_points, resolve_round
from kernels.boats.cards import (
    BOAT_CARDS,
    BOAT_LIMIT,
    CUPID_CARDS,
    HAND_SIZE,
    NIBBLE,
    PLIES,
    POINTS_PER_CUPID,
    ROUNDS,
    SPECIES,
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
from kernels.events import emit, is_full, is_on
from kernels.jit import compiled, inlined
from kernels.rng import STREAM_CELLS

# Parts of the scratch array, behind the table.
VIEWS = at.TABLE_CELLS
RANDOM = VIEWS + see.VIEW_CELLS * LANES
SCRATCH_CELLS = RANDOM + RANDOM_CELLS
assert see.VIEW_CELLS <= MAX_VIEW_CELLS

HAND_MASK = (1 << HAND_SIZE * NIBBLE) - 1
#: Log rows that no game exceeds: each of 60 cards has its play and a handful of events a boat.
MAX_EVENTS = 2048
DOWN_PLY = 1  # everybody's second animal of a round is boarded face down (AA-A04)


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


@compiled
def set_up(table, setup, random, log):
    """Set up a batch of games: cards, boats, cupids."""
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
    deal_piles(table, setup, setup_.TILES, random)
    deal_decks(table, random)
    open_streams(table, random)
    if is_on(log):
        for seat in range(table[at.SEATS]):
            emit(log, events.DECK, seat, table[at.DECK + seat * LANES])
        emit(log, events.START, table[at.START])


@compiled
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


@compiled
def open_ply(table, views, ply, hand_size):
    """Show what a ply's turns have in common."""
    for lane in range(table[at.GAMES]):
        views[row(see.PLY) + lane] = ply
        views[row(see.FACES) + lane] = 1 << ply_face(ply)
        views[row(see.HAND_SIZE_NOW) + lane] = hand_size


@inlined
def ply_face(ply):
    """Return how the animals of a ply are boarded: the second ones face down (AA-A04)."""
    return events.DOWN if ply == DOWN_PLY else events.UP


@compiled
def show_turn(table, views, seat, ply, hand_size):
    """Show a seat its hand and its own face-down card; note its legal moves."""
    deck = offset_cells(table, at.DECK + seat * LANES)
    boats = table[at.BOATS]
    for lane in range(table[at.GAMES]):
        views[row(see.SEAT) + lane] = seat
        views[row(see.HAND) + lane] = deck[lane] & HAND_MASK
        open_boats = see.open_boats(views[row(see.ABOARD) + lane], boats)
        views[row(see.OPEN_BOATS) + lane] = open_boats
        table[at.LEGAL + lane] = see.legal_set(open_boats, hand_size, 1 << ply_face(ply))
    if ply > DOWN_PLY:
        down = offset_cells(table, at.DOWN + seat * LANES)
        for lane in range(table[at.GAMES]):
            views[row(see.DOWN) + lane] = down[lane]


@compiled
def play_cards(table, views, seat):
    """Take the moves' cards out of the hands; the decks refill them (AA-A03).

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


@compiled
def board_face_up(table, views):
    """Put the cards face up on their boats."""
    for boat in range(table[at.BOATS]):
        seen = offset_cells(views, row(see.SEEN + boat))
        for lane in range(table[at.GAMES]):
            here = np.int64(table[at.TARGET + lane] == boat)
            seen[lane] |= here << table[at.CARD + lane]


@compiled
def board_face_down(table, views, seat):
    """Put the cards face down on their boats: the boat is public, the card its owner's secret."""
    down = offset_cells(table, at.DOWN + seat * LANES)
    for lane in range(table[at.GAMES]):
        down[lane] = see.down_of(table[at.TARGET + lane], table[at.CARD + lane])
    for boat in range(table[at.BOATS]):
        hidden = offset_cells(views, row(see.HIDDEN + boat))
        aboard = offset_cells(table, at.BOAT + boat * LANES)
        for lane in range(table[at.GAMES]):
            here = np.int64(table[at.TARGET + lane] == boat)
            hidden[lane] |= here << seat
            aboard[lane] |= here << table[at.CARD + lane]


@compiled
def keep_order(table, seat, ply, log):
    """Keep the boarding order, and explain the move of lane 0."""
    for lane in range(table[at.GAMES]):
        order = at.ORDER + lane * at.LANE_ORDERS + table[at.TARGET + lane] * at.ORDER_STRIDE
        table[order + table[at.PLACE + lane]] = table[at.CARD + lane]
    emit(log, events.PLAY, seat, table[at.CARD], table[at.TARGET], ply_face(ply))


@compiled
def take_turn(table, views, random, strategies, seat, ply, hand_size, log):
    """Let a seat move in every game; return OK, or ILLEGAL_MOVE and describe it in the table."""
    show_turn(table, views, seat, ply, hand_size)
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
        keep_order(table, seat, ply, log)
    if ply == DOWN_PLY:
        board_face_down(table, views, seat)
    else:
        board_face_up(table, views)
    return OK


@compiled
def describe_fault(table, seat):
    """Describe the illegal move of the lowest game in the table; return ILLEGAL_MOVE."""
    for lane in range(table[at.GAMES] - 1, -1, -1):
        if not see.is_legal(table[at.LEGAL + lane], table[at.MOVE + lane]):
            table[FAULT_GAME] = table[at.GAME + lane]
            table[FAULT_SEAT] = seat
            table[FAULT_MOVE] = table[at.MOVE + lane]
            table[FAULT_LEGAL] = table[at.LEGAL + lane]
    return ILLEGAL_MOVE


@compiled
def board_boats(table, views, random, strategies, round_, log):
    """Play the three plies of a round; return OK or ILLEGAL_MOVE."""
    seats = table[at.SEATS]
    for ply in range(PLIES):
        hand_size = min(HAND_SIZE, SPECIES - round_ * PLIES - ply)
        open_ply(table, views, ply, hand_size)
        for turn in range(seats):
            seat = (table[at.START] + turn) % seats
            status = take_turn(table, views, random, strategies, seat, ply, hand_size, log)
            if status != OK:
                return status
    return OK


@compiled
def reveal(table, views):
    """Turn up the face-down cards: every boat now holds its three animals."""
    for boat in range(table[at.BOATS]):
        aboard = offset_cells(table, at.BOAT + boat * LANES)
        seen = offset_cells(views, row(see.SEEN + boat))
        for lane in range(table[at.GAMES]):
            aboard[lane] |= seen[lane]
            table[at.PLAYED + lane] |= aboard[lane]
            table[at.DIGEST + lane] = tally.fold(table[at.DIGEST + lane], aboard[lane])
        fill_row(table, at.BOARDED + boat * LANES, BOAT_LIMIT, table[at.GAMES])


@compiled
def score_round(table, round_):
    """Bring the scores up to date, find the leaders and fold the round into the digests."""
    games = table[at.GAMES]
    for lane in range(games):
        table[at.DIGEST + lane] = tally.fold(table[at.DIGEST + lane], table[at.KEPT + lane])
    for seat in range(table[at.SEATS]):
        mine = seat_cards(seat)
        cupids = offset_cells(table, at.CUPIDS + seat * LANES)
        score = offset_cells(table, at.SCORE + seat * LANES)
        for lane in range(games):
            cupids[lane] = popcount(table[at.PAID + lane] & mine)
            points = card_points(table[at.KEPT + lane] & mine)
            score[lane] = points + POINTS_PER_CUPID * cupids[lane]
    keep_best(table, at.SCORE, at.LEADERS + round_ * LANES)
    table[at.START] = (table[at.START] + 1) % table[at.SEATS]


@compiled
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


@compiled
def rank_winners(table):
    """Find the best seats of every game: points, then cupids, then saved cards (AA-A41)."""
    for seat in range(table[at.SEATS]):
        mine = seat_cards(seat)
        score = offset_cells(table, at.SCORE + seat * LANES)
        cupids = offset_cells(table, at.CUPIDS + seat * LANES)
        key = offset_cells(table, at.DOWN + seat * LANES)  # no card is face down any more
        for lane in range(table[at.GAMES]):
            saved = popcount(table[at.KEPT + lane] & mine)
            key[lane] = (score[lane] << 20) + (cupids[lane] << 10) + saved
    keep_best(table, at.DOWN, at.WINNERS)


@compiled
def play_batch(table, views, random, setup, strategies, sums, log):
    """Play the games that the table names, side by side; return OK or the status of a fault."""
    set_up(table, setup, random, log)
    for round_ in range(ROUNDS):
        open_round(table, views, random, round_, log)
        status = board_boats(table, views, random, strategies, round_, log)
        if status != OK:
            return status
        reveal(table, views)
        resolve_round(table, setup, sums, log)
        score_round(table, round_)
    rank_winners(table)
    tally.book_winners(table, setup[setup_.FINAL_TIE] == setup_.SHARED, sums)
    tally.book_scores(table, sums)
    tally.book_leads(table, sums)
    tally.close_games(table, sums)
    if is_on(log):
        log_scores(table, log)
    return LOG_FULL if is_full(log) else OK


@compiled
def log_scores(table, log):
    """Explain the final scores of the game in lane 0."""
    for seat in range(table[at.SEATS]):
        saved = popcount(table[at.KEPT] & seat_cards(seat))
        score = table[at.SCORE + seat * LANES]
        emit(log, events.SCORE, seat, score, table[at.CUPIDS + seat * LANES], saved)


@compiled
def show_setup(views, setup):
    """Copy what never changes during a block into the views: players, rulings, boat deck."""
    for lane in range(LANES):
        views[row(see.PLAYERS) + lane] = setup[setup_.PLAYERS]
        for k in range(setup_.TILES):
            views[row(see.RULING + k) + lane] = setup[k]
        for k in range(BOAT_CARDS):
            views[row(see.TILES + k) + lane] = setup[setup_.TILES + k] >> KIND_BITS


@compiled
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


@lane_kernel
def play_block(seed, first, games, setup_array, strategies, sums_array, rows_array, log_array, scratch):
    """Play games ``first .. first + games - 1`` (see `kernels.abi`); with a log, one at a time."""
    scratch[:] = 0
    # Parts of the caller's array: a local one could be freed while its cells are still in use.
    table = cells(scratch)
    views = cells(scratch[VIEWS:RANDOM])
    random = cells(scratch[RANDOM:].view(np.uint64))
    setup = cells(setup_array)
    sums = cells(sums_array)
    rows = cells(rows_array)
    log = cells(log_array)
    seats = setup[setup_.PLAYERS]
    table[at.SEED] = np.int64(seed)
    table[at.SEATS] = seats
    table[at.BOATS] = seats
    # The boarding order matters only where several singles of a kind may act: four that do not
    # fight, three foxes that jump.
    several = setup[setup_.FIGHT_SIZE] == setup_.EQ3 or setup[setup_.FOX_TRIO] == setup_.FOXES_JUMP
    table[at.ORDERED] = several or is_on(log)
    show_setup(views, setup)
    lanes = 1 if is_on(log) else LANES
    starts = seats if setup[setup_.START_PLAYER] == setup_.RANDOM_START else 1
    batches = 0
    for start in range(starts):
        game = first
        while True:
            game = fill_lanes(table, setup, start, game, first + games, lanes)
            if table[at.GAMES] == 0:
                break
            status = play_batch(table, views, random, setup, strategies, sums, log)
            if status != OK:
                return status
            if rows_array.size > 0:
                tally.write_rows(table, start, rows, first)
            batches += 1
            if batches % tally.POUR_EVERY == 0:
                tally.pour_planes(table, sums)
    tally.pour(table, sums)
    return OK
