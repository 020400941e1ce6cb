"""Einer geht noch!: the setup array (players, rulings, weight tiles) that its kernel reads."""

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

PEACOCK_WEIGHT = OWN_RULINGS  # kilos, 0 to 3: the number itself
LOVE_TIMING = 4
THIRD_ARRIVAL = 5
FOX_LOVE = 6
FOX_SELF_TARGET = 7
MONKEY_LOVE = 8
MONKEY_MIN3_PEACOCK = 9
LION_LOVE = 10
TIE_BREAK = 11
EATEN_SQUID = 12
LOVED_SQUID = 13
LOVED_MOUSE_SCORE = 14
TILE_REPLACE = 15
FINAL_TIE = 16
TILES = 17  # thirty pile entries (kernels.boats.piles)
IDLE = TILES + BOAT_CARDS  # set of the cards whose effect their owners are denied
SETUP_CELLS = IDLE + 1

# Values of the rulings, in the order of the registry.
DYNAMIC, BOAT_START, REVEAL_ONLY = 0, 1, 2
LOVE_STICKS, LOVE_BREAKS, REMOVE_THREE = 0, 1, 2
(
    FOX_ANY_PAIR_BLOCKS,
    FOX_TRUE_HEAVIEST_BLOCKS,
    FOX_TARGET_BLOCKS,
    FOX_TARGET_BLOCKS_SUCCESS_ONLY,
    FOX_IGNORE_LOVERS,
) = range(5)
SELF_YES, SELF_NO = 0, 1
MONKEY_ANY_PAIR_BLOCKS, MONKEY_TARGET_BLOCKS, MONKEY_IGNORE_LOVERS = 0, 1, 2
MIN3_NOTHING, PEACOCK_THROWS = 0, 1
LION_TARGET_BLOCKS, LION_IGNORE_LOVERS = 0, 1
UNLOVED_FIRST_BOARDED, LAST_BOARDED, LOWEST_SEAT, TIES_BLOCK = 0, 1, 2, 3
EATEN_REMOVED, EATEN_SWIMS = 0, 1
LOVED_SWIMS, LOVED_LAND_ANIMAL = 0, 1
MOUSE_NOTHING, MOUSE_HALF = 0, 1
RETURN_THEN_DRAW, DRAW_THEN_RETURN = 0, 1

#: Kilos of the peacock by default (EGN-A03).
DEFAULT_PEACOCK_WEIGHT = 1
