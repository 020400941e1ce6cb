"""All Aboard!: the setup array (players, rulings, boat deck) that its kernel reads."""

from __future__ import annotations

from kernels.boats.cards import BOAT_CARDS
from kernels.boats.setup import (  # noqa: F401 (the cells and values of both games)
    CUPID_SUPPLY,
    FINITE,
    NO_WINNER,
    OWN_RULINGS,
    PLAYERS,
    RANDOM_START,
    SEAT0,
    SHARED,
    START_PLAYER,
    UNLIMITED,
    UNLIMITED_CUPIDS,
)

FIGHT_SIZE = OWN_RULINGS
FIGHT_BYSTANDERS = 4
FOX_TRIO = 5
MONKEY_LOVE = 6
LION_LOVE = 7
LAST_BOAT_THROW = 8
REPLACED_BOAT = 9
EFFECTS = 10
FINAL_TIE = 11
TILES = 12  # thirty pile entries (kernels.boats.piles)
IDLE = TILES + BOAT_CARDS  # set of the cards whose effect their owners are denied
SETUP_CELLS = IDLE + 1

# Values of the rulings, in the order of the registry.
GE3, EQ3 = 0, 1
NORMAL_SINK, ALL_DISCARDED = 0, 1
FOXES_DISCARDED, FOXES_JUMP = 0, 1
TARGET_BLOCKS, IGNORE_LOVERS, DISTINCT_RANK = 0, 1, 2
THROWN_DISCARDED, OCTOPUS_SCORES = 0, 1
REPLACED_DISCARD, REPLACED_RESHUFFLE = 0, 1
EFFECTS_ON, EFFECTS_OFF = 0, 1
