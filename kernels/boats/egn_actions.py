"""Einer geht noch!: what mice, foxes, monkeys and lions do.

Rule numbers (EGN-Axx) are those of docs/games/einer-geht-noch.md. Every function modifies `table`, `sums`
and `log` in place, for one game (`lane`). Nobody arrives and nobody falls in love while the animals of
a boat act, so each kind's turn goes through those that are aboard and single, in boarding order; but
the cards of ``table[at.IDLE]`` come without their action.
"""

from __future__ import annotations

from kernels.bits import popcount
from kernels.boats import egn_setup as setup_
from kernels.boats import egn_tally as tally
from kernels.boats import events
from kernels.boats import table as at
from kernels.boats.boarding import NOBODY, first_boarded, first_of_many, last_of_many
from kernels.boats.cards import (
    ELEPHANTS,
    FOXES,
    LIGHTER_THAN_A_LION,
    LIONS,
    MICE,
    MONKEYS,
    PEACOCKS,
    SQUIDS,
    highest_card,
    seat_cards,
)
from kernels.boats.egn_love import in_love, send_on, stay_idle
from kernels.boats.egn_weights import heaviest_group, weigh
from kernels.boats.piles import exchange_tile
from kernels.boats.table import LANES
from kernels.events import emit
from kernels.jit import inlined, part

MONKEYS_MINIMUM = 3  # animals aboard without whom a monkey does nothing (EGN-A25)
TIED = -2  # no choice among several of equal weight


@inlined
def pick(table, setup, lane, boat, group):
    """Pick one of a non-empty group of equals by `tie_break` (EGN-A31).

    Returns
    -------
    int64
        A card, in love only if all are; or TIED.
    """
    if group & (group - 1) == 0:
        return highest_card(group)
    return pick_of_many(table, setup, lane, boat, group)


@part
def pick_of_many(table, setup, lane, boat, group):
    """Pick one of two or more (see `pick`)."""
    singles = group & ~table[at.LOVED + lane]
    if singles == 0:
        return highest_card(group)
    rule = setup[setup_.TIE_BREAK]
    if rule == setup_.TIES_BLOCK:
        return TIED
    if singles & (singles - 1) == 0:
        return highest_card(singles)
    if rule == setup_.LAST_BOARDED:
        return last_of_many(table, lane, boat, singles)
    if rule == setup_.LOWEST_SEAT:
        seat = 0
        while singles & seat_cards(seat) == 0:
            seat += 1
        singles &= seat_cards(seat)
    return first_of_many(table, lane, boat, singles)


@inlined
def pick_heaviest(table, setup, lane, boat, cards):
    """Pick the heaviest animal of a non-empty set; TIED if the tie break allows none."""
    group = heaviest_group(cards, table[at.LOVED + lane], setup[setup_.PEACOCK_WEIGHT])
    return pick(table, setup, lane, boat, group)


@part
def mice_act(table, setup, sums, log, lane, boat):
    """A single mouse beside an elephant changes the tile, unless a mouse or elephant is in love
    (EGN-A16, A17)."""
    here = table[at.HERE + lane]
    loved = table[at.LOVED + lane]
    blocked = here & (MICE | ELEPHANTS) & loved
    mice = here & MICE & ~loved & ~table[at.IDLE]
    while mice:
        mouse = first_boarded(table, lane, boat, mice)
        mice &= ~(1 << mouse)
        if blocked:
            stay_idle(sums, log, boat, mouse, events.LOVERS_ABOARD)
            continue
        old = table[at.HERE_CAPACITY + lane]
        returned = setup[setup_.TILE_REPLACE] == setup_.RETURN_THEN_DRAW
        exchange_tile(table, lane, boat, returned)
        table[at.HERE_CAPACITY + lane] = table[at.CAPACITY + boat * LANES + lane]
        sums[tally.REPLACED] += 1
        emit(log, events.REPLACED, boat, old, table[at.HERE_CAPACITY + lane], mouse)


@inlined
def fox_target(table, setup, lane, boat, fox):
    """Find whom a fox wants to send on: a single peacock, else the heaviest (EGN-A20, A23).

    Returns
    -------
    int64
        A card, which may be in love; TIED; or NOBODY under ``fox_self_target=no``.
    """
    loved = table[at.LOVED + lane]
    candidates = table[at.HERE + lane]
    if setup[setup_.FOX_LOVE] == setup_.FOX_IGNORE_LOVERS:
        candidates &= ~loved
    if setup[setup_.FOX_SELF_TARGET] == setup_.SELF_NO:
        candidates &= ~(1 << fox)
    if candidates == 0:
        return NOBODY
    group = candidates & PEACOCKS & ~loved & ~table[at.IDLE]
    if group == 0:
        group = heaviest_group(candidates, loved, setup[setup_.PEACOCK_WEIGHT])
    return pick(table, setup, lane, boat, group)


@inlined
def fox_gives_way(table, setup, lane):
    """Tell whether lovers aboard stop a fox, whatever his target is (EGN-A18)."""
    here = table[at.HERE + lane]
    loved = table[at.LOVED + lane]
    reading = setup[setup_.FOX_LOVE]
    if reading == setup_.FOX_ANY_PAIR_BLOCKS:
        return here & loved != 0
    if reading == setup_.FOX_TRUE_HEAVIEST_BLOCKS:
        return heaviest_group(here, loved, setup[setup_.PEACOCK_WEIGHT]) & loved != 0
    return False


@part
def fox_acts(table, setup, sums, log, lane, boat, fox):
    """The fox of an overloaded boat sends one on; of any other boat, he leaves the game (EGN-A18 to
    A23)."""
    if fox_gives_way(table, setup, lane):
        stay_idle(sums, log, boat, fox, events.LOVERS_ABOARD)
        return
    loved = table[at.LOVED + lane]
    kilos = weigh(table[at.HERE + lane], loved, setup[setup_.PEACOCK_WEIGHT])
    holds = kilos <= table[at.HERE_CAPACITY + lane]
    target = NOBODY
    if not holds or setup[setup_.FOX_LOVE] == setup_.FOX_TARGET_BLOCKS:
        target = fox_target(table, setup, lane, boat, fox)
        if target >= 0 and in_love(table, lane, target):
            stay_idle(sums, log, boat, fox, events.TARGET_LOVES)
            return
    if holds:
        table[at.HERE + lane] &= ~(1 << fox)
        table[at.BACKFIRED + lane] |= 1 << fox
        emit(log, events.BACKFIRED, boat, fox)
    elif target < 0:
        stay_idle(sums, log, boat, fox, events.EQUAL if target == TIED else events.ALONE)
    else:
        sums[tally.FOX_SENDS] += 1
        send_on(table, setup, sums, log, lane, boat, events.SENT, fox, target)


@part
def foxes_act(table, setup, sums, log, lane, boat):
    """Each single fox that is still aboard acts, in boarding order."""
    foxes = table[at.HERE + lane] & FOXES & ~table[at.LOVED + lane] & ~table[at.IDLE]
    while foxes:
        fox = first_boarded(table, lane, boat, foxes)
        fox_acts(table, setup, sums, log, lane, boat, fox)
        foxes &= table[at.HERE + lane] & ~(1 << fox)


@part
def monkey_target(table, setup, sums, log, lane, boat, monkey):
    """Find whom a monkey throws (EGN-A23 to A27); NOBODY when it stays idle.

    It throws the second heaviest of the others. A single peacock it takes for the heaviest of all,
    itself included, and so the truly heaviest one goes.
    """
    loved = table[at.LOVED + lane]
    ranked = table[at.HERE + lane]
    reading = setup[setup_.MONKEY_LOVE]
    if reading == setup_.MONKEY_ANY_PAIR_BLOCKS and ranked & loved:
        stay_idle(sums, log, boat, monkey, events.LOVERS_ABOARD)
        return NOBODY
    if reading == setup_.MONKEY_IGNORE_LOVERS:
        ranked &= ~loved
    peacocks = ranked & PEACOCKS & ~loved & ~table[at.IDLE]
    minimum = MONKEYS_MINIMUM
    if setup[setup_.MONKEY_MIN3_PEACOCK] == setup_.PEACOCK_THROWS and peacocks:
        minimum = 2
    if popcount(ranked) < minimum:
        stay_idle(sums, log, boat, monkey, events.ALONE)
        return NOBODY
    if peacocks:
        heaviest = pick(table, setup, lane, boat, peacocks)
    else:
        ranked &= ~(1 << monkey)
        heaviest = pick_heaviest(table, setup, lane, boat, ranked)
    target = TIED
    if heaviest != TIED:
        target = pick_heaviest(table, setup, lane, boat, ranked & ~(1 << heaviest))
    if target == TIED:
        stay_idle(sums, log, boat, monkey, events.EQUAL)
        return NOBODY
    if in_love(table, lane, target):
        stay_idle(sums, log, boat, monkey, events.TARGET_LOVES)
        return NOBODY
    return target


@part
def monkeys_act(table, setup, sums, log, lane, boat):
    """Each single monkey that is still aboard throws an animal onto the next boat."""
    monkeys = table[at.HERE + lane] & MONKEYS & ~table[at.LOVED + lane] & ~table[at.IDLE]
    while monkeys:
        monkey = first_boarded(table, lane, boat, monkeys)
        target = monkey_target(table, setup, sums, log, lane, boat, monkey)
        if target != NOBODY:
            sums[tally.MONKEY_THROWS] += 1
            send_on(table, setup, sums, log, lane, boat, events.THROWN, monkey, target)
        monkeys &= table[at.HERE + lane] & ~(1 << monkey)


@part
def lion_acts(table, setup, sums, log, lane, boat, lion):
    """A lion eats the heaviest animal lighter than itself, unless that is in love (EGN-A29 to A32)."""
    prey = table[at.HERE + lane] & LIGHTER_THAN_A_LION
    if setup[setup_.LION_LOVE] == setup_.LION_IGNORE_LOVERS:
        prey &= ~table[at.LOVED + lane]
    if prey == 0:
        stay_idle(sums, log, boat, lion, events.NOTHING_LIGHTER)
        return
    target = pick_heaviest(table, setup, lane, boat, prey)
    if target == TIED:
        stay_idle(sums, log, boat, lion, events.EQUAL)
    elif in_love(table, lane, target):
        stay_idle(sums, log, boat, lion, events.TARGET_LOVES)
    else:
        table[at.HERE + lane] &= ~(1 << target)
        sums[tally.LION_MEALS] += 1
        swimmers = SQUIDS & ~table[at.IDLE]
        swims = swimmers >> target & (setup[setup_.EATEN_SQUID] == setup_.EATEN_SWIMS)
        emit(log, events.EATEN, boat, lion, target, swims)
        if swims:
            table[at.KEPT + lane] |= 1 << target
        else:
            sums[tally.EATEN_CARDS + target] += 1


@part
def lions_act(table, setup, sums, log, lane, boat):
    """Each single lion acts, in boarding order."""
    lions = table[at.HERE + lane] & LIONS & ~table[at.LOVED + lane] & ~table[at.IDLE]
    while lions:
        lion = first_boarded(table, lane, boat, lions)
        lions &= ~(1 << lion)
        lion_acts(table, setup, sums, log, lane, boat, lion)
