"""Einer geht noch!: a whole game, and a block of games, through the strategy door."""

from __future__ import annotations

import numpy as np

from kernels.abi import LOG_FULL, OK, kernel
from kernels.bits import cells, offset_cells, popcount
from kernels.boats import egn_setup as setup_
from kernels.boats import egn_tally as tally
from kernels.boats import events
from kernels.boats import table as at
from kernels.boats import view as see
from kernels.boats.cards import (
    BOAT_LIMIT,
    HAND_SIZE,
    NIBBLE,
    PLIES,
    POINTS_PER_CUPID,
    ROUNDS,
    seat_cards,
)
from kernels.boats.egn_rules import resolve_round
from kernels.boats.egn_weights import SCORE_UNIT, card_points
from kernels.boats.loop import (
    MAX_EVENTS,  # noqa: F401 (part of the kernel's description)
    RANDOM,
    SCRATCH_CELLS,  # noqa: F401
    VIEWS,
    add_bits,
    copy_row,
    fill_lanes,
    fill_row,
    keep_best,
    log_scores,
    open_block,
    open_round,
    possible_starts,
    row,
    set_up,
    take_moves,
)
from kernels.boats.table import LANES
from kernels.boats.tally import (
    POUR_EVERY,
    book_leads,
    book_scores,
    book_winners,
    close_games,
    pour_planes,
    write_rows,
)
from kernels.digest import fold
from kernels.events import emit, is_full, is_on
from kernels.jit import inlined, part

LAST_PLY = PLIES - 1


@inlined
def boarding_order_matters(setup):
    """Tell whether the boarding order can decide anything in a game.

    It decides between two single animals of equal weight aboard. Different species weigh the same
    only under some weights of the peacock. Two of a species are in love from the moment that they
    meet, and stay so, unless love comes later or breaks. Two singles beside such a pair need two
    arrivals of that species, which stood beside another pair on the boat before: six of a kind.
    """
    return (
        setup[setup_.PEACOCK_WEIGHT] != setup_.DEFAULT_PEACOCK_WEIGHT
        or setup[setup_.LOVE_TIMING] != setup_.DYNAMIC
        or setup[setup_.THIRD_ARRIVAL] == setup_.LOVE_BREAKS
    )


@part
def begin_round(table, views, random, round_, log):
    """Turn up the round's boats; nobody has played face down yet."""
    games = table[at.GAMES]
    open_round(table, views, random, round_, log)
    for seat in range(table[at.SEATS]):
        fill_row(table, at.DOWN + seat * LANES, see.NOTHING_DOWN, games)
        points = offset_cells(views, row(see.SCORE + seat))
        for lane in range(games):
            points[lane] = points[lane] // SCORE_UNIT


@part
def open_ply(table, views, ply):
    """Show what a ply's turns have in common."""
    for lane in range(table[at.GAMES]):
        views[row(see.PLY) + lane] = ply
        views[row(see.HAND_SIZE_NOW) + lane] = HAND_SIZE - ply


@inlined
def legal_faces(down, ply):
    """Return the mask of the legal faces: exactly one of the three cards lies face down (EGN-A05)."""
    up = np.int64((down != see.NOTHING_DOWN) | (ply < LAST_PLY))
    return up << events.UP | np.int64(down == see.NOTHING_DOWN) << events.DOWN


@part
def show_turn(table, views, seat, ply):
    """Show a seat its hand and its own face-down card; note its legal moves."""
    deck = offset_cells(table, at.DECK + seat * LANES)
    down = offset_cells(table, at.DOWN + seat * LANES)
    boats = table[at.BOATS]
    hand_size = HAND_SIZE - ply
    hand = (1 << hand_size * NIBBLE) - 1
    for lane in range(table[at.GAMES]):
        views[row(see.SEAT) + lane] = seat
        views[row(see.HAND) + lane] = deck[lane] & hand
        views[row(see.DOWN) + lane] = down[lane]
    for lane in range(table[at.GAMES]):
        views[row(see.FACES) + lane] = legal_faces(views[row(see.DOWN) + lane], ply)
    for lane in range(table[at.GAMES]):
        open_boats = see.open_boats(views[row(see.ABOARD) + lane], boats)
        views[row(see.OPEN_BOATS) + lane] = open_boats
        table[at.LEGAL + lane] = see.legal_set(open_boats, hand_size, views[row(see.FACES) + lane])


@part
def board(table, views, seat):
    """Put the cards on their boats: of a face-down one the boat is public, the card a secret."""
    down = offset_cells(table, at.DOWN + seat * LANES)
    for lane in range(table[at.GAMES]):
        face = see.move_face(table[at.MOVE + lane])
        boat = table[at.TARGET + lane]
        first = row(see.HIDDEN if face == events.DOWN else see.SEEN)
        table[at.FACE + lane] = face
        table[at.CELL + lane] = first + boat * LANES + lane
        table[at.BITS + lane] = 1 << (seat if face == events.DOWN else table[at.CARD + lane])
    for lane in range(table[at.GAMES]):
        hiding = see.down_of(table[at.TARGET + lane], table[at.CARD + lane])
        down[lane] = hiding if table[at.FACE + lane] == events.DOWN else down[lane]
    add_bits(table, views)


@part
def take_turn(table, views, random, strategies, sums, seat, ply, log):
    """Let a seat move in every game; return OK or ILLEGAL_MOVE."""
    show_turn(table, views, seat, ply)
    status = take_moves(table, views, random, strategies, seat)
    if status != OK:
        return status
    board(table, views, seat)
    tally.book_down_cards(table, sums, ply, seat)
    emit(log, events.PLAY, seat, table[at.CARD], table[at.TARGET], table[at.FACE])
    return OK


@part
def board_boats(table, views, random, strategies, sums, log):
    """Play the three plies of a round; nobody draws before the next one (EGN-A07)."""
    seats = table[at.SEATS]
    for ply in range(PLIES):
        open_ply(table, views, ply)
        for turn in range(seats):
            seat = (table[at.START] + turn) % seats
            status = take_turn(table, views, random, strategies, sums, seat, ply, log)
            if status != OK:
                return status
    return OK


@part
def reveal(table, views):
    """Turn up the face-down cards: every boat now holds its three animals."""
    games = table[at.GAMES]
    for boat in range(table[at.BOATS]):
        copy_row(views, row(see.SEEN + boat), table, at.BOAT + boat * LANES, games)
        fill_row(table, at.BOARDED + boat * LANES, BOAT_LIMIT, games)
    fill_row(table, at.HERE, 0, games)
    for seat in range(table[at.SEATS]):
        down = offset_cells(table, at.DOWN + seat * LANES)
        for lane in range(games):
            table[at.CELL + lane] = at.BOAT + see.down_boat(down[lane]) * LANES + lane
            table[at.BITS + lane] = 1 << see.down_card(down[lane])
            table[at.HERE + lane] |= 1 << see.down_card(down[lane])
        add_bits(table, table)
    for lane in range(games):
        table[at.DIGEST + lane] = fold(table[at.DIGEST + lane], table[at.HERE + lane])
    for boat in range(table[at.BOATS]):
        aboard = offset_cells(table, at.BOAT + boat * LANES)
        for lane in range(games):
            table[at.PLAYED + lane] |= aboard[lane]
            table[at.DIGEST + lane] = fold(table[at.DIGEST + lane], aboard[lane])


@part
def score_round(table, setup, round_):
    """Bring the scores up to date, find the leaders and fold the round into the digests."""
    games = table[at.GAMES]
    peacock = setup[setup_.PEACOCK_WEIGHT]
    mouse = np.int64(setup[setup_.LOVED_MOUSE_SCORE] == setup_.MOUSE_HALF)
    for lane in range(games):
        table[at.DIGEST + lane] = fold(table[at.DIGEST + lane], table[at.KEPT + lane])
    for seat in range(table[at.SEATS]):
        mine = seat_cards(seat)
        cupids = offset_cells(table, at.CUPIDS + seat * LANES)
        repaid = offset_cells(table, at.REPAID + seat * LANES)
        score = offset_cells(table, at.SCORE + seat * LANES)
        for lane in range(games):
            cupids[lane] = popcount(table[at.PAID + lane] & mine) + repaid[lane]
            kept = table[at.KEPT + lane] & mine
            points = card_points(kept, table[at.LOVED + lane], peacock, mouse)
            score[lane] = points + SCORE_UNIT * POINTS_PER_CUPID * cupids[lane]
    keep_best(table, at.SCORE, at.LEADERS + round_ * LANES)
    table[at.START] = (table[at.START] + 1) % table[at.SEATS]


@part
def rank_winners(table):
    """Find the best seats of every game: points, then cupids (EGN-A41)."""
    for seat in range(table[at.SEATS]):
        score = offset_cells(table, at.SCORE + seat * LANES)
        cupids = offset_cells(table, at.CUPIDS + seat * LANES)
        key = offset_cells(table, at.DOWN + seat * LANES)  # no card is face down any more
        for lane in range(table[at.GAMES]):
            key[lane] = (score[lane] << 20) + cupids[lane]
    keep_best(table, at.DOWN, at.WINNERS)


@part
def play_batch(table, views, random, setup, strategies, sums, log):
    """Play the games that the table names, side by side; return OK or the status of a fault."""
    set_up(table, setup, setup_.TILES, random, log)
    fill_row(table, at.BACKFIRED, 0, table[at.GAMES])
    for seat in range(table[at.SEATS]):
        fill_row(table, at.REPAID + seat * LANES, 0, table[at.GAMES])
    for round_ in range(ROUNDS):
        begin_round(table, views, random, round_, log)
        status = board_boats(table, views, random, strategies, sums, log)
        if status != OK:
            return status
        reveal(table, views)
        resolve_round(table, setup, sums, log)
        score_round(table, setup, round_)
    rank_winners(table)
    book_winners(table, setup[setup_.FINAL_TIE] == setup_.SHARED, sums)
    book_scores(table, sums)
    book_leads(table, sums)
    tally.book_backfires(table, sums)
    close_games(table, sums)
    if is_on(log):
        log_scores(table, log)
    return LOG_FULL if is_full(log) else OK


@kernel
def play_block(
    seed, first, games, setup_array, strategies, sums_array, rows_array, log_array, scratch
):
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
    ordered = boarding_order_matters(setup)
    lanes = open_block(table, views, setup, setup_.TILES, seed, ordered, log)
    batches = 0
    for start in range(possible_starts(setup)):
        game = first
        while True:
            game = fill_lanes(table, setup, start, game, first + games, lanes)
            if table[at.GAMES] == 0:
                break
            status = play_batch(table, views, random, setup, strategies, sums, log)
            if status != OK:
                return status
            if rows_array.size > 0:
                write_rows(table, start, rows, first)
            batches += 1
            if batches % POUR_EVERY == 0:
                pour_planes(table, sums)
    tally.pour(table, sums)
    return OK
