"""Einer geht noch!: trios, love and its cupids, and what happens to those who move on.

Rule numbers (EGN-Axx) are those of docs/games/einer-geht-noch.md. Every function modifies `table`, `sums`
and `log` in place. Rules are written for one game (`lane`), or first choose the games they concern.
"""

from __future__ import annotations

import numpy as np

from kernels.bits import lowest_bit_index, offset_cells, popcount
from kernels.boats import egn_setup as setup_
from kernels.boats import egn_tally as tally
from kernels.boats import events
from kernels.boats import table as at
from kernels.boats.boarding import board, log_cards
from kernels.boats.cards import (
    FOX,
    PEACOCK,
    SEAT_STRIDE,
    SPECIES_BITS,
    SQUIDS,
    count_at_least,
    highest_card,
    same_species,
    seat_of,
    species_of,
    whole_fields,
)
from kernels.boats.egn_weights import WEIGHTS
from kernels.boats.table import LANES
from kernels.digest import fold
from kernels.events import emit, is_on
from kernels.jit import inlined, part


@part
def count_kinds(table, boat):
    """Mark the species of which exactly two are aboard; return the mask of games with three or more."""
    aboard = offset_cells(table, at.BOAT + boat * LANES)
    pairs = offset_cells(table, at.PAIRS + boat * LANES)
    lanes = 0
    for lane in range(table[at.GAMES]):
        threes = count_at_least(aboard[lane], 3)
        pairs[lane] = count_at_least(aboard[lane], 2) & ~threes
        lanes |= (threes != 0) << lane
    return lanes


@part
def trio_leaves(table, sums, log, lane, boat, cards):
    """Take three or more of a kind out of the game; squids swim to the harbour (EGN-A10, A40)."""
    table[at.BOAT + boat * LANES + lane] &= ~cards
    emit(log, events.TRIO, boat, species_of(highest_card(cards)))
    swimmers = cards & SQUIDS & ~table[at.IDLE]
    removed = cards & ~swimmers
    table[at.KEPT + lane] |= swimmers
    log_cards(log, events.KEPT, boat, swimmers)
    tally.count_each(sums, tally.REMOVED_CARDS, removed)
    log_cards(log, events.REMOVED, boat, removed)


@part
def trios_leave(table, sums, log, lane, boat):
    """Remove the trios of a boat at the reveal."""
    aboard = table[at.BOAT + boat * LANES + lane]
    threes = count_at_least(aboard, 3)
    while threes:
        kind = SPECIES_BITS << lowest_bit_index(threes)
        threes &= threes - 1
        sums[tally.TRIOS] += 1
        trio_leaves(table, sums, log, lane, boat, aboard & kind)


@part
def pay_pair(table, sums, log, lane, boat, lovers):
    """Pay one cupid to each of two lovers if two are left; a lone one goes to nobody (EGN-A13).

    Under ``third_arrival=love_breaks`` a card may be paid more than once (EGN-A11).
    """
    paid = table[at.CUPIDS_LEFT + lane] >= 2
    emit(log, events.LOVE, boat, lowest_bit_index(lovers), highest_card(lovers), paid)
    if not paid:
        sums[tally.PAIRS_UNPAID] += 1
        return
    table[at.CUPIDS_LEFT + lane] -= 2
    again = table[at.PAID + lane] & lovers
    table[at.PAID + lane] |= lovers
    while again:
        card = lowest_bit_index(again)
        again &= again - 1
        table[at.REPAID + seat_of(card) * LANES + lane] += 1
        table[at.DIGEST + lane] = fold(table[at.DIGEST + lane], card)
        sums[tally.CUPIDS] += 1


@inlined
def lightest_kind(marks, peacock):
    """Return the lowest bit of the lightest of some marked species (equals in the usual order)."""
    field = lowest_bit_index(marks)
    foxes = FOX * SEAT_STRIDE
    if field == PEACOCK * SEAT_STRIDE and peacock > WEIGHTS[FOX] and marks >> foxes & 1:
        return foxes
    return field


@part
def pay_pairs(table, setup, sums, log, lane, boat):
    """Pay the marked pairs of a boat, species from the lightest."""
    aboard = table[at.BOAT + boat * LANES + lane]
    pairs = table[at.PAIRS + boat * LANES + lane]
    while pairs:
        field = lightest_kind(pairs, setup[setup_.PEACOCK_WEIGHT])
        pairs &= ~(1 << field)
        pay_pair(table, sums, log, lane, boat, aboard & SPECIES_BITS << field)


@part
def pairs_fall_in_love(table, setup, sums, log, boat):
    """Let the marked pairs of a boat fall in love, in all games (EGN-A09)."""
    aboard = offset_cells(table, at.BOAT + boat * LANES)
    pairs = offset_cells(table, at.PAIRS + boat * LANES)
    quiet = not is_on(log)
    singly = 0
    for lane in range(table[at.GAMES]):
        lovers = whole_fields(pairs[lane]) & aboard[lane]
        wanted = popcount(lovers)
        left = table[at.CUPIDS_LEFT + lane]
        pay = -np.int64(quiet & (left >= wanted))
        table[at.LOVED + lane] |= lovers
        table[at.PAID + lane] |= lovers & pay
        table[at.CUPIDS_LEFT + lane] = left - (wanted & pay)
        singly |= (pay + 1) << lane
    while singly:  # the cupids run short, or the log wants to know
        pay_pairs(table, setup, sums, log, lowest_bit_index(singly), boat)
        singly &= singly - 1


@part
def reveal_boats(table, setup, sums, log):
    """Settle the reveal: trios leave all boats, then pairs fall in love on all boats (EGN-A08)."""
    for boat in range(table[at.BOATS]):
        lanes = count_kinds(table, boat)
        while lanes:
            trios_leave(table, sums, log, lowest_bit_index(lanes), boat)
            lanes &= lanes - 1
    if setup[setup_.LOVE_TIMING] != setup_.BOAT_START:
        for boat in range(table[at.BOATS]):
            pairs_fall_in_love(table, setup, sums, log, boat)


# --- moving on ------------------------------------------------------------------------------------


@part
def meet(table, setup, sums, log, lane, boat, kind):
    """Settle an arrival among its own kind: two fall in love; of three `third_arrival` decides.

    Parameters
    ----------
    kind : int64
        All animals of that species aboard, the new one included.
    """
    if popcount(kind) == 2:
        table[at.LOVED + lane] |= kind
        sums[tally.LOVES_ON_ARRIVAL] += 1
        pay_pair(table, sums, log, lane, boat, kind)
        return
    sums[tally.THIRD_ARRIVALS] += 1
    if setup[setup_.THIRD_ARRIVAL] == setup_.LOVE_BREAKS:
        if table[at.LOVED + lane] & kind:
            emit(log, events.PARTED, boat, species_of(highest_card(kind)))
        table[at.LOVED + lane] &= ~kind
    elif setup[setup_.THIRD_ARRIVAL] == setup_.REMOVE_THREE:
        trio_leaves(table, sums, log, lane, boat, kind)


@inlined
def send_on(table, setup, sums, log, lane, boat, code, actor, card):
    """Move a card to the next boat, or overboard from the last one, where squids swim (EGN-A28)."""
    table[at.HERE + lane] &= ~(1 << card)
    following = boat + 1
    if following < table[at.BOATS]:
        emit(log, code, boat, actor, card, events.NEXT_BOAT)
        board(table, lane, following, card)
        kind = table[at.BOAT + following * LANES + lane] & same_species(card)
        if kind & (kind - 1) and setup[setup_.LOVE_TIMING] == setup_.DYNAMIC:
            meet(table, setup, sums, log, lane, following, kind)
    elif (SQUIDS & ~table[at.IDLE]) >> card & 1:
        emit(log, code, boat, actor, card, events.SWIMS)
        table[at.KEPT + lane] |= 1 << card
        sums[tally.SWAM] += 1
    else:
        emit(log, code, boat, actor, card, events.OVERBOARD)
        sums[tally.OVERBOARD_CARDS + card] += 1


@inlined
def in_love(table, lane, card):
    """Tell whether a card is in love."""
    return table[at.LOVED + lane] >> card & 1


@part
def stay_idle(sums, log, boat, card, reason):
    """Book an animal whose turn has no effect, and why."""
    sums[tally.IDLE + species_of(card) * tally.REASONS + reason] += 1
    emit(log, events.IDLE, boat, card, reason)
