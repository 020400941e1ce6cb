"""Who boarded a boat when: the boarding order of both boat games, and the choices that it decides."""

from __future__ import annotations

from kernels.bits import lowest_bit_index
from kernels.boats import table as at
from kernels.boats.cards import highest_card
from kernels.boats.table import LANES
from kernels.events import emit
from kernels.jit import inlined, part

NOBODY = -1


@inlined
def board(table, lane, boat, card):
    """Put a card on a boat, behind those already aboard."""
    table[at.BOAT + boat * LANES + lane] |= 1 << card
    place = table[at.BOARDED + boat * LANES + lane]
    table[at.ORDER + lane * at.LANE_ORDERS + boat * at.ORDER_STRIDE + place] = card
    table[at.BOARDED + boat * LANES + lane] = place + 1


@inlined
def first_boarded(table, lane, boat, cards):
    """Return the card of a non-empty set that boarded the boat first."""
    if cards & (cards - 1) == 0:
        return highest_card(cards)
    return first_of_many(table, lane, boat, cards)


@part
def first_of_many(table, lane, boat, cards):
    """Look for the first boarded of several cards in the boarding order."""
    order = at.ORDER + lane * at.LANE_ORDERS + boat * at.ORDER_STRIDE
    for k in range(table[at.BOARDED + boat * LANES + lane]):
        card = table[order + k]
        if cards >> card & 1:
            return card
    return NOBODY


@part
def last_of_many(table, lane, boat, cards):
    """Look for the last boarded of several cards in the boarding order."""
    order = at.ORDER + lane * at.LANE_ORDERS + boat * at.ORDER_STRIDE
    for k in range(table[at.BOARDED + boat * LANES + lane] - 1, -1, -1):
        card = table[order + k]
        if cards >> card & 1:
            return card
    return NOBODY


@part
def log_cards(log, code, boat, cards):
    """Emit one event a card of a set."""
    while cards:
        emit(log, code, boat, lowest_bit_index(cards))
        cards &= cards - 1
