"""The built-in strategies of Einer geht noch!.

Each scores every legal card and boat and plays the best one; among equals it plays the lowest move
number (the leftmost card of the hand, then the leftmost boat). All but `random` and `bluffer` play face
up while they may, and so hide their last card of a round. Only `random` uses its random stream. The
first line of a strategy's docstring is its idea, as ``analyzer games einer-geht-noch`` prints it.
"""

from __future__ import annotations

import numpy as np

from kernels.bits import lowest_bit_index, popcount
from kernels.boats import egn_setup as setup_
from kernels.boats import view as see
from kernels.boats.cards import (
    BOAT_CARDS,
    BOAT_LIMIT,
    FIRST_SEATS,
    FOX,
    LION,
    MONKEY,
    SEAT_STRIDE,
    SPECIES,
    SPECIES_BITS,
    SQUIDS,
    count_at_least,
    same_species,
    seat_cards,
    species_of,
    whole_fields,
)
from kernels.boats.egn_forecast import (
    CUPID_VALUE,
    REDRAWN,
    animal_row,
    field,
    outcome,
    prospect,
    value_at,
)
from kernels.boats.egn_weights import add_weights, weigh
from kernels.boats.strategies import (
    AVERAGE_UNIT,
    NEXT_CRITERION,
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


@inlined
def peacock_weight(view):
    """Return the value of the ruling ``peacock_weight``."""
    return view[see.RULING + setup_.PEACOCK_WEIGHT]


@inlined
def either_face(legal):
    """Return the legal cards and boats as moves face up, whether that face is legal or not."""
    return (legal | legal >> see.FACE_STRIDE) & ((1 << see.FACE_STRIDE) - 1)


@inlined
def up_if_legal(legal, move):
    """Return a move of `either_face` with its own face, down only where up is not legal."""
    return move if legal >> move & 1 else move + see.FACE_STRIDE


# --- greedy ---------------------------------------------------------------------------------------


@part
def worth_in_trio(view, boat, row, companion, other):
    """Value an animal of a complete boat, in half points times BOAT_CARDS."""
    word = outcome(row, companion, other)
    if field(word, REDRAWN):
        value = 0
        for k in range(BOAT_CARDS):
            value += value_at(word, view[see.TILES + k])
    else:
        value = BOAT_CARDS * value_at(word, view[see.CAPACITY + boat])
    # The last cupid of an odd stack goes to nobody.
    if view[see.CUPIDS_LEFT] >= 2:
        value += BOAT_CARDS * field(word, CUPID_VALUE)
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
    row = animal_row(np.int64(boat == view[see.PLAYERS] - 1), species)
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


@part
def best_gain(view, legal):
    """Return the move of `either_face` that adds most to the seat's own expected points."""
    unseen = unseen_cards(view)
    moves = either_face(legal)
    best = WORST
    choice = see.first_move(moves)
    while moves:
        move = see.first_move(moves)
        moves = see.rest_of_moves(moves)
        boat = see.move_boat(move)
        card = played_card(view, move)
        known = known_aboard(view, boat)
        gain = worth_of_own(view, boat, known | 1 << card, unseen)
        gain -= worth_of_own(view, boat, known, unseen)
        if gain > best:
            best = gain
            choice = move
    return choice


@see.DOOR.strategy
def greedy(view, legal, stream):
    """Play the card and boat that add most to its own expected points on that boat.

    It forecasts each boat by itself from the animals it knows there. A third animal it does not know
    is averaged over the cards nobody has shown yet (of a face-down animal, over those of its owner);
    of two unknown ones it expects the average. The forecast knows the default rules of the boat: love
    and its cupids, trios, the fox and whether his plan fails, the monkey, the peacock that deceives
    both, the lion, the squid that wants to capsize, the mouse that replaces the tile. A move is worth
    what all own animals of the boat are worth after it, less what they were worth before.
    """
    return up_if_legal(legal, best_gain(view, legal))


#: Species that act on others: what they will do to a boat is worth hiding first.
HUNTERS = (1 << FOX) | (1 << MONKEY) | (1 << LION)


@inlined
def secrecy(species):
    """Rank a species by how much its owner gains if nobody sees it: hunters, then the lighter."""
    return SPECIES * (HUNTERS >> species & 1) - species


@see.DOOR.strategy
def bluffer(view, legal, stream):
    """Play like greedy, but face down the card of the hand that matters most.

    Foxes, monkeys and lions matter most, since others shun the boats on which they see them; then
    the lighter animal, which others take for an average one and leave room for. A heavy animal is
    better seen: nobody who looks loads its boat further. Whenever greedy's card is the one that
    matters most in the hand, and nothing lies face down yet, it is played face down; every other
    card face up while that is legal.
    """
    move = best_gain(view, legal)
    if view[see.FACES] != see.BOTH_FACES:
        return up_if_legal(legal, move)
    played = secrecy(see.hand_card(view, see.move_slot(move)))
    for slot in range(view[see.HAND_SIZE_NOW]):
        if secrecy(see.hand_card(view, slot)) > played:
            return move
    return move + see.FACE_STRIDE


# --- the simple ones ------------------------------------------------------------------------------


@part
def room_left(view, boat, known):
    """Return how many kilos a boat still carries; negative when it is too heavy already.

    A face-down animal of another seat counts UNKNOWN_KILOS.
    """
    lovers = whole_fields(count_at_least(known, 2)) & known
    load = weigh(known, lovers, peacock_weight(view))
    return view[see.CAPACITY + boat] - load - UNKNOWN_KILOS * popcount(strangers(view, boat))


@see.DOOR.strategy
def heavy(view, legal, stream):
    """Play the heaviest card to the boat with the most room left.

    Room is the capacity less the animals it knows; a face-down one counts 5 kilos.
    """
    moves = either_face(legal)
    best = WORST
    choice = see.first_move(moves)
    while moves:
        move = see.first_move(moves)
        moves = see.rest_of_moves(moves)
        boat = see.move_boat(move)
        weight = add_weights(1 << played_card(view, move), peacock_weight(view))
        score = weight * NEXT_CRITERION + room_left(view, boat, known_aboard(view, boat))
        if score > best:
            best = score
            choice = move
    return up_if_legal(legal, choice)


@see.DOOR.strategy
def light(view, legal, stream):
    """Play the lightest card to the fullest boat that still holds it.

    Fullest is the boat with the least room left (see `heavy`). When no boat holds the card it goes
    to the one with the most room.
    """
    moves = either_face(legal)
    best = WORST
    choice = see.first_move(moves)
    while moves:
        move = see.first_move(moves)
        moves = see.rest_of_moves(moves)
        boat = see.move_boat(move)
        card = played_card(view, move)
        room = room_left(view, boat, known_aboard(view, boat) | 1 << card)
        fit = NEXT_CRITERION // 2 - room if room >= 0 else room
        score = fit - add_weights(1 << card, peacock_weight(view)) * NEXT_CRITERION
        if score > best:
            best = score
            choice = move
    return up_if_legal(legal, choice)


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

    It prefers pairs on boats that still hold both, then the heavier animal, then the most room left.
    Where no pair can be made it plays the card of whose kind the fewest are still unseen, the least
    likely to be paired later, to the boat with the most room left. It makes a trio only when every
    move does.
    """
    unseen = unseen_cards(view)
    moves = either_face(legal)
    best = WORST
    choice = see.first_move(moves)
    while moves:
        move = see.first_move(moves)
        moves = see.rest_of_moves(moves)
        boat = see.move_boat(move)
        card = played_card(view, move)
        known = known_aboard(view, boat)
        liking = romance(view, boat, known, card)
        if liking >= SINKING_PAIR:
            preference = add_weights(1 << card, peacock_weight(view))
        else:
            preference = -popcount(unseen & same_species(card))
        score = (liking * NEXT_CRITERION + preference) * NEXT_CRITERION
        score += room_left(view, boat, known)
        if score > best:
            best = score
            choice = move
    return up_if_legal(legal, choice)


#: By unknown animals on a boat: by how many kilos the load may miss its expectation. A flat
#: distribution of this half-width varies as much as the weights of one, two or three animals do.
SPREAD = (1, 6, 8, 10)
#: What `saboteur` takes an unknown animal to be worth: the average of the cards, rounded down.
UNKNOWN_POINTS = 5


@part
def capsizing_chance(view, boat, known):
    """Return the chance, in whole parts, that a boat capsizes once it is full, as `saboteur` sees it.

    A trio is lost whatever the boat does.
    """
    unknown = max(BOAT_LIMIT - popcount(known), 0)
    open_places = unknown - popcount(strangers(view, boat))
    excess = UNKNOWN_KILOS * open_places - room_left(view, boat, known)
    if count_at_least(known, 3):
        return flat_chance(1, 1)
    # With nothing unknown the boat capsizes from one kilo too many on.
    return flat_chance(2 * excess - 1 if unknown == 0 else excess, SPREAD[unknown])


@inlined
def stake(view, cards):
    """Return the points that a capsizing boat takes from the owners of some animals.

    A squid earns its points by it.
    """
    peacock = peacock_weight(view)
    return add_weights(cards & ~SQUIDS, peacock) - add_weights(cards & SQUIDS, peacock)


@inlined
def hoped_damage(view, boat, known):
    """Return what the others are expected to lose on a boat more than the seat itself."""
    own = known & seat_cards(view[see.SEAT])
    theirs = stake(view, known & ~own) + UNKNOWN_POINTS * popcount(strangers(view, boat))
    return capsizing_chance(view, boat, known) * (theirs - stake(view, own))


@see.DOOR.strategy
def saboteur(view, legal, stream):
    """Capsize what others need: load the boats where they have more points at stake than it has.

    A move is worth what it adds to the damage: the chance that the boat capsizes, times the points
    that the others stand to lose there less its own, its card included. The chance comes from the
    load of the animals it knows, an average weight for each other one, and the spread of such
    weights; a trio is sure to be lost. A squid counts the other way round.
    """
    moves = either_face(legal)
    best = WORST
    choice = see.first_move(moves)
    while moves:
        move = see.first_move(moves)
        moves = see.rest_of_moves(moves)
        boat = see.move_boat(move)
        card = played_card(view, move)
        known = known_aboard(view, boat)
        score = hoped_damage(view, boat, known | 1 << card) - hoped_damage(view, boat, known)
        if score > best:
            best = score
            choice = move
    return up_if_legal(legal, choice)


STRATEGIES = {
    "random": random,
    "greedy": greedy,
    "heavy": heavy,
    "light": light,
    "cupid": cupid,
    "saboteur": saboteur,
    "bluffer": bluffer,
}
