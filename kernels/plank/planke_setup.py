"""Gezanke auf der Planke!: the setup array (players, rulings, wind rose) that its kernel reads."""

from __future__ import annotations

import numpy as np

PLAYERS = 0
PLANK_LENGTH = 1
MOVE_TARGETS = 2
NULL_MOVE = 3
IMPOSSIBLE_SYMBOL = 4
SWAP_SAME_COLOUR = 5
SKULL_CHOICE = 6
END = 7
UNOWNED_SURVIVOR = 8
RANK_SCOPE = 9
ROUNDS = 10
ROUND_STARTER = 11
TURN_CAP = 12
START_PLAYER = 13
RULINGS = 14  # cells that rules and strategies see
# The wind rose (kernels.plank.rose.rose_cells), by ``left symbol * SYMBOLS + right symbol``.
ROSE_CHANCE = RULINGS  # the joint law, in parts of 2**32
ROSE_KEEP = ROSE_CHANCE + 16
ROSE_ALIAS = ROSE_KEEP + 16
ROSE_END = ROSE_ALIAS + 16
# Where the endgame table (kernels.plank.endgame) begins in this array, 0 without it, and its length.
ENDGAME = ROSE_END
ENDGAME_CELLS = ENDGAME + 1
SETUP_CELLS = ENDGAME_CELLS + 1  # without the table

# Values of the rulings, in the order of the registry.
PLANK_ENDS, ADJACENT_TO_GROUP = 0, 1
NULL_NO, NULL_YES = 0, 1
NOOP_ALLOWED, MUST_TAKE_OTHER = 0, 1
SAME_COLOUR_YES, SAME_COLOUR_NO = 0, 1
SKULL_YES, SKULL_NO = 0, 1
ONE_LEFT, ONE_COLOUR_LEFT = 0, 1
REPLAY, NO_POINTS, BEST_PLAYER = 0, 1, 2
RANK_PLAYERS, RANK_COLOURS = 0, 1
FIXED, ROTATE, WINNER = 0, 1, 2
SEAT0, RANDOM_START = 0, 1

LONGEST_PLANK = 40
#: The rounds of a game are addresses of random words (kernels.rng.INDEX_BITS).
MOST_ROUNDS = 1 << 24


def with_endgame(setup, table):
    """Return a copy of a setup array with an endgame table appended.

    Parameters
    ----------
    setup : int64 array, shape (SETUP_CELLS,)
    table : int64 array
    """
    longer = np.concatenate([setup, table])
    longer[ENDGAME] = len(setup)
    longer[ENDGAME_CELLS] = len(table)
    return longer
