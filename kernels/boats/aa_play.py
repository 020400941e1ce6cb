"""All Aboard!: a whole game, and a block of games, through the strategy door."""

from __future__ import annotations

import numpy as np

from kernels.abi import LOG_FULL, OK, kernel
from kernels.bits import cells, offset_cells, popcount
from kernels.boats import aa_setup as setup_
from kernels.boats import events, tally
from kernels.boats import table as at
from kernels.boats import view as see
from kernels.boats.aa_rules import card_points, resolve_round
from kernels.boats.cards import (
    BOAT_LIMIT,
    HAND_SIZE,
    NIBBLE,
    PLIES,
    POINTS_PER_CUPID,
    ROUNDS,
    SPECIES,
    seat_cards,
)
from kernels.boats.loop import (
    MAX_EVENTS,  # noqa: F401 (part of the kernel's description, like SCRATCH_CELLS)
    RANDOM,
    SCRATCH_CELLS,  # noqa: F401
    VIEWS,
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
from kernels.digest import fold
from kernels.events import emit, is_full, is_on
from kernels.jit import inlined, part

HAND_MASK = (1 << HAND_SIZE * NIBBLE) - 1
DOWN_PLY = 1  # everybody's second animal of a round is boarded face down (AA-A04)


@part
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


@part
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


@part
def board_face_up(table, views):
    """Put the cards face up on their boats."""
    for boat in range(table[at.BOATS]):
        seen = offset_cells(views, row(see.SEEN + boat))
        for lane in range(table[at.GAMES]):
            here = np.int64(table[at.TARGET + lane] == boat)
            seen[lane] |= here << table[at.CARD + lane]


@part
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


@part
def take_turn(table, views, random, strategies, seat, ply, hand_size, log):
    """Let a seat move in every game; return OK, or ILLEGAL_MOVE and describe it in the table."""
    show_turn(table, views, seat, ply, hand_size)
    status = take_moves(table, views, random, strategies, seat)
    if status != OK:
        return status
    if ply == DOWN_PLY:
        board_face_down(table, views, seat)
    else:
        board_face_up(table, views)
    emit(log, events.PLAY, seat, table[at.CARD], table[at.TARGET], ply_face(ply))
    return OK


@part
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


@part
def reveal(table, views):
    """Turn up the face-down cards: every boat now holds its three animals."""
    for boat in range(table[at.BOATS]):
        aboard = offset_cells(table, at.BOAT + boat * LANES)
        seen = offset_cells(views, row(see.SEEN + boat))
        for lane in range(table[at.GAMES]):
            aboard[lane] |= seen[lane]
            table[at.PLAYED + lane] |= aboard[lane]
            table[at.DIGEST + lane] = fold(table[at.DIGEST + lane], aboard[lane])
        fill_row(table, at.BOARDED + boat * LANES, BOAT_LIMIT, table[at.GAMES])


@part
def score_round(table, round_):
    """Bring the scores up to date, find the leaders and fold the round into the digests."""
    games = table[at.GAMES]
    for lane in range(games):
        table[at.DIGEST + lane] = fold(table[at.DIGEST + lane], table[at.KEPT + lane])
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


@part
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


@part
def play_batch(table, views, random, setup, strategies, sums, log):
    """Play the games that the table names, side by side; return OK or the status of a fault."""
    set_up(table, setup, setup_.TILES, random, log)
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
    # The boarding order matters only where several singles of a kind may act: four that do not
    # fight, three foxes that jump.
    ordered = setup[setup_.FIGHT_SIZE] == setup_.EQ3 or setup[setup_.FOX_TRIO] == setup_.FOXES_JUMP
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
                tally.write_rows(table, start, rows, first)
            batches += 1
            if batches % tally.POUR_EVERY == 0:
                tally.pour_planes(table, sums)
    tally.pour(table, sums)
    return OK
