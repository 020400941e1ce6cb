"""The built-in strategies of All Aboard!.

Each scores every legal move and plays the best one; among equals it plays the lowest move number (the
leftmost card of the hand, then the leftmost boat). Only `random` uses its random stream. The first
line of a strategy's docstring is its idea, as ``analyzer games all-aboard`` prints it.
"""

from __future__ import annotations

import numpy as np

from kernels.bits import lowest_bit_index, popcount
from kernels.boats import aa_setup as setup_
from kernels.boats import view as see
from kernels.boats.aa_forecast import (
    CUPID_SHIFT,
    REDRAWN_SHIFT,
    SAILS_SHIFT,
    SINKS_SHIFT,
    animal_row,
    field,
    foreseen_load,
    outcome,
    prospect,
)
from kernels.boats.aa_rules import FOXES, OCTOPUSES, card_points, weigh
from kernels.boats.cards import (
    BOAT_CARDS,
    BOAT_LIMIT,
    FIRST_SEATS,
    SEAT_STRIDE,
    SPECIES,
    SPECIES_BITS,
    count_at_least,
    same_species,
    seat_cards,
    species_of,
    whole_fields,
)
from kernels.boats.strategies import (
    AVERAGE_UNIT,
    NEXT_CRITERION,
    SURE,
    UNKNOWN_KILOS,
    WORST,
    flat_chance,
    known_aboard,
    played_card,
    random,
    strangers,
    unseen_cards,
)
from kernels.jit import inlined, part

#: What `saboteur` takes an unknown animal to be worth: the average, 3 2/3 points, rounded.
UNKNOWN_POINTS = 4


@inlined
def effects_ruling(view):
    """Return the value of the ruling ``effects``."""
    return view[see.RULING + setup_.EFFECTS]


# --- greedy ---------------------------------------------------------------------------------------


@part
def chance_in_thirty(view, load):
    """Count the cards of the boat deck that hold a load in kilos."""
    holding = 0
    for k in range(BOAT_CARDS):
        holding += load <= view[see.TILES + k]
    return holding


@inlined
def worth_in_trio(view, boat, row, companion, other):
    """Value an animal of a complete boat, in half points times BOAT_CARDS."""
    word = outcome(row, companion, other)
    load = foreseen_load(word)
    if field(word, REDRAWN_SHIFT):
        holding = chance_in_thirty(view, load)
    else:
        holding = BOAT_CARDS * (load <= view[see.CAPACITY + boat])
    value = field(word, SAILS_SHIFT) * holding + field(word, SINKS_SHIFT) * (BOAT_CARDS - holding)
    # The last cupid of an odd stack goes to nobody.
    if view[see.CUPIDS_LEFT] >= 2:
        value += BOAT_CARDS * field(word, CUPID_SHIFT)
    return value


@part
def worth_of_animal(view, boat, species, companions, pool):
    """Value one own animal, averaged over what may stand in the places that are unknown.

    Parameters
    ----------
    companions : int64
        The other animals that are known on the boat, at most two.
    pool : int64
        The cards of which one will be the third animal; looked at with one companion only.

    Returns
    -------
    int64
        Half points times BOAT_CARDS times AVERAGE_UNIT.
    """
    last = boat == view[see.PLAYERS] - 1
    row = animal_row(effects_ruling(view), np.int64(last), species)
    if companions == 0:
        whole = prospect(row, view[see.CAPACITY + boat]) * BOAT_CARDS
        return whole * AVERAGE_UNIT // (SPECIES * SPECIES)
    companion = species_of(lowest_bit_index(companions))
    rest = companions & (companions - 1)
    if rest:
        other = species_of(lowest_bit_index(rest))
        return worth_in_trio(view, boat, row, companion, other) * AVERAGE_UNIT
    total = 0
    for other in range(SPECIES):
        count = popcount(pool & SPECIES_BITS << other * SEAT_STRIDE)
        if count:
            total += count * worth_in_trio(view, boat, row, companion, other)
    return total * AVERAGE_UNIT // max(popcount(pool), 1)


@part
def worth_of_own(view, boat, known, unseen):
    """Value all own animals of a boat on which the animals `known` stand (see `worth_of_animal`)."""
    hidden = strangers(view, boat)
    pool = unseen & FIRST_SEATS * hidden if hidden else unseen
    own = known & seat_cards(view[see.SEAT])
    total = 0
    while own:
        card = lowest_bit_index(own)
        own &= own - 1
        total += worth_of_animal(view, boat, species_of(card), known & ~(1 << card), pool)
    return total


@see.DOOR.strategy
def greedy(view, legal, stream):
    """Play the card and boat that add most to its own expected points on that boat.

    It forecasts each boat by itself from the animals it knows there. A third animal it does not know
    is averaged over the cards nobody has shown yet (of a face-down animal, over those of its owner);
    of two unknown ones it expects the average. The forecast knows the rules of the boat: love and its
    cupids, fights, lion, monkey, the octopus that wants to sink, the fox that gets off, the mouse
    that replaces the boat. A move is worth what all own animals of the boat are worth after it, less
    what they were worth before.
    """
    unseen = unseen_cards(view)
    best = WORST
    choice = see.first_move(legal)
    while legal:
        move = see.first_move(legal)
        legal = see.rest_of_moves(legal)
        boat = see.move_boat(move)
        card = played_card(view, move)
        known = known_aboard(view, boat)
        gain = worth_of_own(view, boat, known | 1 << card, unseen)
        gain -= worth_of_own(view, boat, known, unseen)
        if gain > best:
            best = gain
            choice = move
    return choice


# --- the simple ones ------------------------------------------------------------------------------


@part
def expected_load(view, boat, known):
    """Weigh the animals `known` of a boat and the face-down ones, in kilos."""
    lovers = whole_fields(count_at_least(known, 2)) & known
    return weigh(known, lovers) + UNKNOWN_KILOS * popcount(strangers(view, boat))


@inlined
def room_left(view, boat, known):
    """Return how many kilos a boat still carries; negative when it is too heavy already."""
    return view[see.CAPACITY + boat] - expected_load(view, boat, known)


@see.DOOR.strategy
def heavy(view, legal, stream):
    """Play the heaviest card to the boat with the most room left.

    Room is the capacity less the animals it knows; a face-down one counts 5 kilos.
    """
    best = WORST
    choice = see.first_move(legal)
    while legal:
        move = see.first_move(legal)
        legal = see.rest_of_moves(legal)
        boat = see.move_boat(move)
        weight = weigh(1 << played_card(view, move), 0)
        score = weight * NEXT_CRITERION + room_left(view, boat, known_aboard(view, boat))
        if score > best:
            best = score
            choice = move
    return choice


@see.DOOR.strategy
def light(view, legal, stream):
    """Play the lightest card to the fullest boat that still holds it.

    Fullest is the boat with the least room left (see `heavy`). When no boat holds the card it goes
    to the one with the most room.
    """
    best = WORST
    choice = see.first_move(legal)
    while legal:
        move = see.first_move(legal)
        legal = see.rest_of_moves(legal)
        boat = see.move_boat(move)
        card = played_card(view, move)
        room = room_left(view, boat, known_aboard(view, boat) | 1 << card)
        fit = NEXT_CRITERION // 2 - room if room >= 0 else room
        score = fit - weigh(1 << card, 0) * NEXT_CRITERION
        if score > best:
            best = score
            choice = move
    return choice


# What `cupid` thinks of a move, worst first.
TRIO, ALONE, SINKING_PAIR, SAILING_PAIR = range(4)


@inlined
def romance(view, boat, known, card):
    """Return what `cupid` thinks of a card on a boat where the animals `known` stand."""
    twins = popcount(known & same_species(card))
    if twins != 1:
        return ALONE if twins == 0 else TRIO
    return SAILING_PAIR if room_left(view, boat, known | 1 << card) >= 0 else SINKING_PAIR


@see.DOOR.strategy
def cupid(view, legal, stream):
    """Make pairs: join a single animal of the same kind, and never stand as the third.

    It prefers pairs on boats that still hold both, then the more valuable animal, then the most room
    left. Where no pair can be made it plays the card of whose kind the fewest are still unseen, the
    least likely to be paired later, to the boat with the most room left. It makes a trio only when
    every move does.
    """
    unseen = unseen_cards(view)
    best = WORST
    choice = see.first_move(legal)
    while legal:
        move = see.first_move(legal)
        legal = see.rest_of_moves(legal)
        boat = see.move_boat(move)
        card = played_card(view, move)
        known = known_aboard(view, boat)
        liking = romance(view, boat, known, card)
        if liking >= SINKING_PAIR:
            preference = card_points(1 << card)
        else:
            preference = -popcount(unseen & same_species(card))
        score = (liking * NEXT_CRITERION + preference) * NEXT_CRITERION
        score += room_left(view, boat, known)
        if score > best:
            best = score
            choice = move
    return choice


#: By unknown animals on a boat: by how many kilos the load may miss its expectation. A flat
#: distribution of this half-width varies as much as the weights of one, two or three animals do.
SPREAD = (1, 7, 9, 12)


@part
def sinking_chance(view, boat, known):
    """Return the chance, in SURE parts, that a boat sinks once it is full, as `saboteur` sees it."""
    if count_at_least(known, 3):
        return SURE
    unknown = BOAT_LIMIT - popcount(known)
    open_places = unknown - popcount(strangers(view, boat))
    excess = UNKNOWN_KILOS * open_places - room_left(view, boat, known)
    if unknown <= 0:
        return SURE * (excess > 0)
    return flat_chance(excess, SPREAD[unknown])


@inlined
def stake(view, cards):
    """Return the points that a sinking boat takes from the owners of some animals.

    With effects on an octopus earns its points by it, and a fox gets off.
    """
    if effects_ruling(view) == setup_.EFFECTS_OFF:
        return card_points(cards)
    return card_points(cards & ~(OCTOPUSES | FOXES)) - card_points(cards & OCTOPUSES)


@inlined
def hoped_damage(view, boat, known):
    """Return what the others are expected to lose on a boat more than the seat itself, times SURE."""
    own = known & seat_cards(view[see.SEAT])
    theirs = stake(view, known & ~own) + UNKNOWN_POINTS * popcount(strangers(view, boat))
    return sinking_chance(view, boat, known) * (theirs - stake(view, own))


@see.DOOR.strategy
def saboteur(view, legal, stream):
    """Sink what others need: load the boats where they have more points at stake than it has.

    A move is worth what it adds to the damage: the chance that the boat sinks, times the points that
    the others stand to lose there less its own, its card included. The chance comes from the load of
    the animals it knows, an average weight for each other one, and the spread of such weights; a trio
    is sure to sink. An octopus counts the other way round and a fox not at all.
    """
    best = WORST
    choice = see.first_move(legal)
    while legal:
        move = see.first_move(legal)
        legal = see.rest_of_moves(legal)
        boat = see.move_boat(move)
        card = played_card(view, move)
        known = known_aboard(view, boat)
        score = hoped_damage(view, boat, known | 1 << card) - hoped_damage(view, boat, known)
        if score > best:
            best = score
            choice = move
    return choice


STRATEGIES = {
    "random": random,
    "greedy": greedy,
    "heavy": heavy,
    "light": light,
    "cupid": cupid,
    "saboteur": saboteur,
}
