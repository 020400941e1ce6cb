"""Event codes of the two boat games; the cells each fills are named beside it."""

from __future__ import annotations

(
    ROUND,  # round
    CAPACITY,  # boat, capacity
    DECK,  # seat, deck word
    PLAY,  # seat, card, boat, face
    LOVE,  # boat, card, card, cupids paid (0 or 1) to each
    FIGHT,  # boat, fighting species
    REPLACED,  # boat, old capacity, new capacity, mouse card
    THROWN,  # boat, monkey card, thrown card, landing place
    EATEN,  # boat, lion card, eaten card, swims (0 or 1)
    JUMPED,  # boat, fox card, landing place
    IDLE,  # boat, card, reason
    WEIGHED,  # boat, load in kilos, capacity, sails
    KEPT,  # boat, card
    DISCARDED,  # boat, card: lost although the boat sails
    SUNK,  # boat, card
    START,  # seat
    SCORE,  # seat, points (Einer geht noch!: half points), cupids, saved cards
    SENT,  # boat, fox card, card sent on, landing place
    BACKFIRED,  # boat, fox card: the plan failed, the fox is out of the game
    TRIO,  # boat, species: three or more of a kind leave the boat
    REMOVED,  # boat, card: out of the game with its trio
    PARTED,  # boat, species: a third arrival ends a love
) = range(22)

# Faces
UP = 0
DOWN = 1

# Landing places
NEXT_BOAT = 0
OVERBOARD = 1
SWIMS = 2  # leaves the last boat and scores all the same

# Reasons of IDLE
ALONE = 0  # too few other animals aboard
EQUAL = 1  # several animals weigh the same
TARGET_LOVES = 2
NOTHING_LIGHTER = 3
LOVERS_ABOARD = 4
