"""All Aboard!: the resolution of a boat, rule by rule, on a packed table.

Rule numbers (AA-Axx) are those of docs/games/all-aboard.md. Boats are resolved one at a time from the
left and arrivals come only from the boat before, so love and fights are settled once, at the start of
a boat's turn. Every function modifies `table`, `sums` and `log` in place.

Many games are resolved side by side. Each step of a boat first chooses the games that it concerns, in
a loop without branches, and then applies its rule to those: a rule is written for one game (`lane`).

The cards of ``table[at.IDLE]`` come without their effect; they weigh, love, fight and score like any.
"""

from __future__ import annotations

import numpy as np

from kernels.bits import lowest_bit_index, offset_cells, popcount
from kernels.boats import aa_setup as setup_
from kernels.boats import events
from kernels.boats import table as at
from kernels.boats.boarding import NOBODY, board, first_boarded, log_cards
from kernels.boats.cards import (
    CARDS,
    ELEPHANTS,
    FOXES,
    LIGHTER_THAN_A_LION,
    LIONS,
    MICE,
    MONKEYS,
    OCTOPUSES,
    PEACOCKS,
    SEAT_STRIDE,
    SPECIES_BITS,
    bit_planes,
    count_at_least,
    highest_card,
    same_species,
    sum_planes,
    whole_fields,
)
from kernels.boats.piles import replace_boat
from kernels.boats.table import LANES
from kernels.boats.tally import (
    BLOCKED_LION,
    BLOCKED_MONKEY,
    EATEN_CARDS,
    FIGHTS,
    FOX_JUMPS,
    LION_MEALS,
    LOADS_OF_FIGHTS,
    MONKEY_THROWS,
    OVERBOARD_CARDS,
    PAIRS_UNPAID,
    REPLACED,
    SWAM,
    book_load_cells,
    load_cell,
)
from kernels.events import emit, is_on
from kernels.jit import inlined, part

POINTS = (1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7)
#: Kilos of an animal that is not in love; a single peacock's -2 is added by `weigh`.
WEIGHTS = (0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
POINT_PLANES = bit_planes(POINTS)
WEIGHT_PLANES = bit_planes(WEIGHTS)

NO_BOAT = -(1 << 40)  # capacity of a boat that a fight sank


@inlined
def weigh(cards, loved):
    """Weigh a set of animals in kilos.

    Mouse 0, peacock -2, the others as in `WEIGHTS`; in love a mouse weighs 1/2 and a peacock 1
    (AA-A14). Mice in love are always two on one boat, so the sum is whole.
    """
    peacocks = cards & PEACOCKS
    return (
        sum_planes(cards, WEIGHT_PLANES)
        - 2 * popcount(peacocks)
        + 3 * popcount(peacocks & loved)
        + (popcount(cards & MICE & loved) >> 1)
    )


@inlined
def heaviest_group(cards, loved):
    """Return the cards of the heaviest species of a non-empty set.

    Equal weights occur within a species only. A single peacock is lighter than any mouse; in love it
    weighs more than both kinds of mice (AA-A14), which is the order of the bits.
    """
    group = cards & same_species(highest_card(cards))
    mice = cards & MICE
    if group & PEACOCKS & ~loved and mice:
        return mice
    return group


@inlined
def send_on(table, sums, lane, boat, card):
    """Move a card to the next boat, or overboard from the last one; return where it landed.

    The limit of three does not hold for arrivals (AA-A24).
    """
    table[at.HERE + lane] &= ~(1 << card)
    if boat + 1 < table[at.BOATS]:
        board(table, lane, boat + 1, card)
        return events.NEXT_BOAT
    sums[OVERBOARD_CARDS + card] += 1
    return events.OVERBOARD


@inlined
def pay_cupids(table, sums, log, lane, boat, pairs):
    """Pay one cupid to each lover, species from the lightest, while whole pairs are left (AA-A39)."""
    aboard = table[at.HERE + lane]
    while pairs:
        field = lowest_bit_index(pairs)
        pairs &= pairs - 1
        lovers = aboard & (SPECIES_BITS << field)
        paid = table[at.CUPIDS_LEFT + lane] >= 2
        if paid:
            table[at.CUPIDS_LEFT + lane] -= 2
            table[at.PAID + lane] |= lovers
        else:
            sums[PAIRS_UNPAID] += 1
        emit(log, events.LOVE, boat, lowest_bit_index(lovers), highest_card(lovers), paid)


@inlined
def fighting(aboard, threes, exactly_three):
    """Return the fighting animals: three of a kind or more, or three only (AA-A07)."""
    fighters = whole_fields(threes) & aboard
    if exactly_three:
        for field in range(0, CARDS, SEAT_STRIDE):
            kind = SPECIES_BITS << field
            if popcount(fighters & kind) > 3:
                fighters &= ~kind
    return fighters


@part
def love_and_fights(table, setup, sums, log, lane, boat):
    """Settle love (exactly two of a kind) and fights on a boat with several of a kind (AA-A06, A12).

    A boat that sinks by a fight is empty afterwards.
    """
    aboard = table[at.HERE + lane]
    twos = count_at_least(aboard, 2)
    threes = count_at_least(aboard, 3)
    pairs = twos & ~threes
    table[at.LOVED + lane] |= whole_fields(pairs) & aboard
    pay_cupids(table, sums, log, lane, boat, pairs)
    if threes:
        fighters = fighting(aboard, threes, setup[setup_.FIGHT_SIZE] == setup_.EQ3)
        if fighters:
            fight(table, setup, sums, log, lane, boat, fighters)


@part
def jump(table, sums, log, lane, boat, foxes):
    """Let foxes jump off a sinking boat in boarding order (AA-A19 to A23)."""
    while foxes:
        fox = first_boarded(table, lane, boat, foxes)
        foxes &= ~(1 << fox)
        landing = send_on(table, sums, lane, boat, fox)
        sums[FOX_JUMPS] += 1
        emit(log, events.JUMPED, boat, fox, landing)


@part
def fight(table, setup, sums, log, lane, boat, fighters):
    """Sink a boat by a fight, whatever it weighs (AA-A08 to A11, A23).

    Fighting octopuses score even without effects; fighting foxes jump under ``fox_trio=jump``. Under
    *normal_sink* the bystanders fare as on any sinking boat.
    """
    aboard = table[at.HERE + lane]
    sums[FIGHTS] += 1
    if is_on(log):
        for field in range(0, CARDS, SEAT_STRIDE):
            if fighters >> field & SPECIES_BITS:
                emit(log, events.FIGHT, boat, field // SEAT_STRIDE)
    saved = fighters & OCTOPUSES
    if setup[setup_.EFFECTS] == setup_.EFFECTS_ON:
        sharing = 0
        if setup[setup_.FIGHT_BYSTANDERS] == setup_.NORMAL_SINK:
            sharing = aboard & ~fighters & ~table[at.LOVED + lane]
        if setup[setup_.FOX_TRIO] == setup_.FOXES_JUMP:
            sharing |= fighters & FOXES
        sharing &= ~table[at.IDLE]
        saved |= sharing & OCTOPUSES
        jump(table, sums, log, lane, boat, sharing & FOXES)
    table[at.KEPT + lane] |= saved
    if is_on(log):
        log_cards(log, events.KEPT, boat, saved)
        log_cards(log, events.SUNK, boat, table[at.HERE + lane] & ~saved)
    table[at.HERE + lane] = 0
    table[at.HERE_CAPACITY + lane] = NO_BOAT


@part
def mice_act(table, setup, sums, log, lane, boat):
    """A single mouse beside a single elephant replaces the boat card; nobody leaves (AA-A15, A18)."""
    mice = table[at.HERE + lane] & MICE & ~table[at.LOVED + lane] & ~table[at.IDLE]
    while mice:
        mouse = first_boarded(table, lane, boat, mice)
        mice &= ~(1 << mouse)
        old = table[at.HERE_CAPACITY + lane]
        reshuffled = setup[setup_.REPLACED_BOAT] == setup_.REPLACED_RESHUFFLE
        replace_boat(table, lane, boat, reshuffled)
        table[at.HERE_CAPACITY + lane] = table[at.CAPACITY + boat * LANES + lane]
        sums[REPLACED] += 1
        emit(log, events.REPLACED, boat, old, table[at.HERE_CAPACITY + lane], mouse)


@inlined
def monkey_target(table, setup, log, lane, boat, monkey):
    """Find whom the monkey throws (AA-A25 to A30); NOBODY when it has no effect.

    It ranks the others by weight. Under *target_blocks* two equals at the top, or a second in love,
    stop it; *ignore_lovers* ranks the singles only; *distinct_rank* takes the next lower weight after
    the heaviest, and a lover there stops it.
    """
    loved = table[at.LOVED + lane]
    reading = setup[setup_.MONKEY_LOVE]
    others = table[at.HERE + lane] & ~(1 << monkey)
    if reading == setup_.IGNORE_LOVERS:
        others &= ~loved
    if others & (others - 1) == 0:
        emit(log, events.IDLE, boat, monkey, events.ALONE)
        return NOBODY
    top = heaviest_group(others, loved)
    lower = others & ~top
    if lower == 0 or (top & (top - 1) and reading != setup_.DISTINCT_RANK):
        emit(log, events.IDLE, boat, monkey, events.EQUAL)
        return NOBODY
    second = heaviest_group(lower, loved)
    if second & loved:
        emit(log, events.IDLE, boat, monkey, events.TARGET_LOVES)
        return NOBODY
    return first_boarded(table, lane, boat, second)


@part
def monkeys_act(table, setup, sums, log, lane, boat):
    """Each single monkey still aboard throws the second heaviest of the others onto the next boat."""
    monkeys = table[at.HERE + lane] & MONKEYS & ~table[at.LOVED + lane] & ~table[at.IDLE]
    while monkeys:
        monkey = first_boarded(table, lane, boat, monkeys)
        target = monkey_target(table, setup, log, lane, boat, monkey)
        if target == NOBODY:
            sums[BLOCKED_MONKEY] += 1
        else:
            landing = send_on(table, sums, lane, boat, target)
            swims = (
                landing == events.OVERBOARD
                and setup[setup_.LAST_BOAT_THROW] == setup_.OCTOPUS_SCORES
                and (OCTOPUSES & ~table[at.IDLE]) >> target & 1
            )
            if swims:
                sums[OVERBOARD_CARDS + target] -= 1
                sums[SWAM] += 1
                table[at.KEPT + lane] |= 1 << target
                landing = events.SWIMS
            sums[MONKEY_THROWS] += 1
            emit(log, events.THROWN, boat, monkey, target, landing)
        monkeys &= table[at.HERE + lane] & ~(1 << monkey)


@part
def lions_act(table, setup, sums, log, lane, boat):
    """Each single lion eats the heaviest animal lighter than itself (AA-A31 to A33)."""
    loved = table[at.LOVED + lane]
    lions = table[at.HERE + lane] & LIONS & ~loved & ~table[at.IDLE]
    while lions:
        lion = first_boarded(table, lane, boat, lions)
        lions &= ~(1 << lion)
        prey = table[at.HERE + lane] & LIGHTER_THAN_A_LION
        if setup[setup_.LION_LOVE] == setup_.IGNORE_LOVERS:
            prey &= ~loved
        if prey == 0:
            sums[BLOCKED_LION] += 1
            emit(log, events.IDLE, boat, lion, events.NOTHING_LIGHTER)
            continue
        group = heaviest_group(prey, loved)
        if group & loved:
            sums[BLOCKED_LION] += 1
            emit(log, events.IDLE, boat, lion, events.TARGET_LOVES)
            continue
        eaten = first_boarded(table, lane, boat, group)
        table[at.HERE + lane] &= ~(1 << eaten)
        sums[EATEN_CARDS + eaten] += 1
        sums[LION_MEALS] += 1
        emit(log, events.EATEN, boat, lion, eaten)


@part
def with_several(table):
    """Return the mask of the games with two of a kind or more aboard."""
    lanes = 0
    for lane in range(table[at.GAMES]):
        lanes |= (count_at_least(table[at.HERE + lane], 2) != 0) << lane
    return lanes


@part
def with_actors(table):
    """Return the masks of the games where mice, monkeys and lions may act: there is a single one.

    A mouse needs a single elephant, too. Nobody boards while they act, so one look is enough: who has
    been thrown off by then is passed over.
    """
    mice = 0
    monkeys = 0
    lions = 0
    for lane in range(table[at.GAMES]):
        single = table[at.HERE + lane] & ~table[at.LOVED + lane]
        mice |= ((single & MICE != 0) & (single & ELEPHANTS != 0)) << lane
        monkeys |= (single & MONKEYS != 0) << lane
        lions |= (single & LIONS != 0) << lane
    return mice, monkeys, lions


@part
def effects(table, setup, sums, log, boat):
    """Let the animals act, lightest first, each once; lovers never do."""
    mice, monkeys, lions = with_actors(table)
    while mice:
        mice_act(table, setup, sums, log, lowest_bit_index(mice), boat)
        mice &= mice - 1
    while monkeys:
        monkeys_act(table, setup, sums, log, lowest_bit_index(monkeys), boat)
        monkeys &= monkeys - 1
    while lions:
        lions_act(table, setup, sums, log, lowest_bit_index(lions), boat)
        lions &= lions - 1


@part
def set_sail(table, effects_on):
    """Weigh the boats and settle everybody's fate; return the mask of games with foxes that may jump.

    On a boat that sails everybody scores but a single octopus; on one that sinks only that octopus
    does, and single foxes jump (AA-A20, A26, A36). A boat that a fight sank is empty by now.
    """
    octopuses = OCTOPUSES & ~table[at.IDLE] if effects_on else 0
    foxes = FOXES if effects_on else 0
    jumping = 0
    for lane in range(table[at.GAMES]):
        aboard = table[at.HERE + lane]
        loved = table[at.LOVED + lane]
        kilos = weigh(aboard, loved)
        sails = np.int64(kilos <= table[at.HERE_CAPACITY + lane])
        swimmers = aboard & octopuses & ~loved
        table[at.KILOS + lane] = kilos
        table[at.SAILS + lane] = sails
        table[at.KEPT + lane] |= (aboard & -sails) ^ swimmers
        table[at.DRY + lane] |= swimmers & -sails
        jumping |= ((aboard & foxes & ~loved & (sails - 1)) != 0) << lane
    return jumping


@part
def record_loads(table, sums, boat):
    """Book the weighed boats by capacity, load and whether they sailed."""
    kind = offset_cells(table, at.KIND + boat * LANES)
    for lane in range(table[at.GAMES]):
        cell = load_cell(kind[lane], table[at.KILOS + lane], table[at.SAILS + lane])
        fought = table[at.HERE_CAPACITY + lane] == NO_BOAT
        table[at.LOAD_CELL + lane] = LOADS_OF_FIGHTS if fought else cell
    book_load_cells(table, sums)


@part
def log_sailing(table, log, boat, effects_on):
    """Explain the weighing in lane 0: the load, who is saved and who is lost."""
    capacity = table[at.HERE_CAPACITY]
    if capacity == NO_BOAT:
        return
    aboard = table[at.HERE]
    sails = table[at.SAILS]
    acting = ~table[at.LOVED] & ~table[at.IDLE] if effects_on else 0
    swimmers = aboard & OCTOPUSES & acting
    saved = (aboard & -sails) ^ swimmers
    emit(log, events.WEIGHED, boat, table[at.KILOS], capacity, sails)
    log_cards(log, events.KEPT, boat, saved)
    lost = aboard & ~saved
    if not sails:
        lost &= ~(FOXES & acting)  # they jump, which is told next
    log_cards(log, events.DISCARDED if sails else events.SUNK, boat, lost)


@part
def resolve_boat(table, setup, sums, log, boat):
    """Resolve one boat of every game completely: love and fights, effects, weighing."""
    aboard = offset_cells(table, at.BOAT + boat * LANES)
    capacity = offset_cells(table, at.CAPACITY + boat * LANES)
    for lane in range(table[at.GAMES]):
        table[at.HERE + lane] = aboard[lane]
        table[at.HERE_CAPACITY + lane] = capacity[lane]
    lanes = with_several(table)
    while lanes:
        love_and_fights(table, setup, sums, log, lowest_bit_index(lanes), boat)
        lanes &= lanes - 1
    effects_on = setup[setup_.EFFECTS] == setup_.EFFECTS_ON
    if effects_on:
        effects(table, setup, sums, log, boat)
    jumping = set_sail(table, effects_on)
    record_loads(table, sums, boat)
    if is_on(log):
        log_sailing(table, log, boat, effects_on)
    while jumping:
        lane = lowest_bit_index(jumping)
        jumping &= jumping - 1
        foxes = table[at.HERE + lane] & FOXES & ~table[at.LOVED + lane] & ~table[at.IDLE]
        jump(table, sums, log, lane, boat, foxes)


@part
def resolve_round(table, setup, sums, log):
    """Resolve every boat, left to right."""
    for boat in range(table[at.BOATS]):
        resolve_boat(table, setup, sums, log, boat)


@inlined
def card_points(cards):
    """Add up the points of saved cards."""
    return sum_planes(cards, POINT_PLANES)
