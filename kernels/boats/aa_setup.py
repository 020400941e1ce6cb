"""All Aboard!: the setup array (players, rulings, boat deck) that its kernel reads."""

from __future__ import annotations

from kernels.boats.cards import BOAT_CARDS

PLAYERS = 0
CUPID_SUPPLY = 1
START_PLAYER = 2
FIGHT_SIZE = 3
FIGHT_BYSTANDERS = 4
FOX_TRIO = 5
MONKEY_LOVE = 6
LION_LOVE = 7
LAST_BOAT_THROW = 8
REPLACED_BOAT = 9
EFFECTS = 10
FINAL_TIE = 11
TILES = 12  # thirty pile entries (kernels.boats.piles)
SETUP_CELLS = TILES + BOAT_CARDS

# Values of the rulings, in the order of the registry.
FINITE, UNLIMITED = 0, 1
SEAT0, RANDOM_START = 0, 1
GE3, EQ3 = 0, 1
NORMAL_SINK, ALL_DISCARDED = 0, 1
FOXES_DISCARDED, FOXES_JUMP = 0, 1
TARGET_BLOCKS, IGNORE_LOVERS, DISTINCT_RANK = 0, 1, 2
THROWN_DISCARDED, OCTOPUS_SCORES = 0, 1
REPLACED_DISCARD, REPLACED_RESHUFFLE = 0, 1
EFFECTS_ON, EFFECTS_OFF = 0, 1
SHARED, NO_WINNER = 0, 1

UNLIMITED_CUPIDS = 1 << 40
