"""Einer geht noch!: the resolution of a round on a packed table.

Rule numbers (EGN-Axx) are those of docs/games/einer-geht-noch.md. Trios leave and pairs fall in love on
all boats first; then the animals of each boat act, from the left. Nothing touches a boat after its own
actions, so it is weighed at once (EGN 1.6-3). Every function modifies `table`, `sums` and `log` in
place.

Many games are resolved side by side. Each step of a boat first chooses the games that it concerns, in
a loop without branches, and then applies its rule to those: a rule is written for one game (`lane`).
"""

from __future__ import annotations

import numpy as np

from kernels.bits import lowest_bit_index, offset_cells
from kernels.boats import egn_setup as setup_
from kernels.boats import egn_tally as tally
from kernels.boats import events
from kernels.boats import table as at
from kernels.boats.boarding import log_cards
from kernels.boats.cards import (
    ALL_CARDS,
    ELEPHANTS,
    FOXES,
    LIONS,
    MICE,
    MONKEYS,
    SQUIDS,
)
from kernels.boats.egn_actions import foxes_act, lions_act, mice_act, monkeys_act
from kernels.boats.egn_love import count_kinds, pairs_fall_in_love, reveal_boats
from kernels.boats.egn_weights import weigh
from kernels.boats.table import LANES
from kernels.events import emit, is_on
from kernels.jit import inlined, part


@part
def find_actors(table):
    """Return the masks of the games in which mice, foxes, monkeys and lions may have a turn."""
    mice = foxes = monkeys = lions = 0
    for lane in range(table[at.GAMES]):
        here = table[at.HERE + lane]
        single = here & ~table[at.LOVED + lane]
        mice |= ((single & MICE != 0) & (here & ELEPHANTS != 0)) << lane
        foxes |= (single & FOXES != 0) << lane
        monkeys |= (single & MONKEYS != 0) << lane
        lions |= (single & LIONS != 0) << lane
    return mice, foxes, monkeys, lions


@part
def act(table, setup, sums, log, boat):
    """Let the animals act, lightest first; those who were sent on meanwhile lose their turn here."""
    mice, foxes, monkeys, lions = find_actors(table)
    while mice:
        mice_act(table, setup, sums, log, lowest_bit_index(mice), boat)
        mice &= mice - 1
    while foxes:
        foxes_act(table, setup, sums, log, lowest_bit_index(foxes), boat)
        foxes &= foxes - 1
    while monkeys:
        monkeys_act(table, setup, sums, log, lowest_bit_index(monkeys), boat)
        monkeys &= monkeys - 1
    while lions:
        lions_act(table, setup, sums, log, lowest_bit_index(lions), boat)
        lions &= lions - 1


@inlined
def swimmers_of(cards, squids, loved, land_lovers):
    """Return the squids among some animals that behave like squids (EGN-A33)."""
    return cards & squids & ~(loved & land_lovers)


@part
def set_sail(table, setup):
    """Weigh the boats: one that sails saves all but the squids, one that capsizes the squids only."""
    peacock = setup[setup_.PEACOCK_WEIGHT]
    squids = SQUIDS & ~table[at.IDLE]
    land_lovers = ALL_CARDS if setup[setup_.LOVED_SQUID] == setup_.LOVED_LAND_ANIMAL else 0
    for lane in range(table[at.GAMES]):
        aboard = table[at.HERE + lane]
        loved = table[at.LOVED + lane]
        kilos = weigh(aboard, loved, peacock)
        sails = np.int64(kilos <= table[at.HERE_CAPACITY + lane])
        swimmers = swimmers_of(aboard, squids, loved, land_lovers)
        table[at.KILOS + lane] = kilos
        table[at.SAILS + lane] = sails
        table[at.KEPT + lane] |= (aboard & -sails) ^ swimmers
        table[at.DRY + lane] |= swimmers & -sails


@part
def log_sailing(table, log, boat):
    """Explain the weighing in lane 0: the load, who is saved and who is lost."""
    aboard = table[at.HERE]
    sails = table[at.SAILS]
    saved = aboard & table[at.KEPT]
    emit(log, events.WEIGHED, boat, table[at.KILOS], table[at.HERE_CAPACITY], sails)
    log_cards(log, events.KEPT, boat, saved)
    log_cards(log, events.DISCARDED if sails else events.SUNK, boat, aboard & ~saved)


@part
def resolve_boat(table, setup, sums, log, boat):
    """Resolve one boat of every game: the actions, then the weighing."""
    aboard = offset_cells(table, at.BOAT + boat * LANES)
    capacity = offset_cells(table, at.CAPACITY + boat * LANES)
    if setup[setup_.LOVE_TIMING] == setup_.BOAT_START:
        count_kinds(table, boat)
        pairs_fall_in_love(table, setup, sums, log, boat)
    for lane in range(table[at.GAMES]):
        table[at.HERE + lane] = aboard[lane]
        table[at.HERE_CAPACITY + lane] = capacity[lane]
    act(table, setup, sums, log, boat)
    set_sail(table, setup)
    tally.book_loads(table, sums, boat)
    if is_on(log):
        log_sailing(table, log, boat)


@part
def resolve_round(table, setup, sums, log):
    """Resolve the reveal, and then every boat from the left."""
    reveal_boats(table, setup, sums, log)
    for boat in range(table[at.BOATS]):
        resolve_boat(table, setup, sums, log, boat)
