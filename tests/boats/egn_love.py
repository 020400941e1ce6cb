"""How often a ruling on love has something to decide: turns of foxes and monkeys beside lovers.

    python -m tests.boats.egn_love GAMES PLAYERS

Games of random players, told by the kernel and played again by the referee, who counts.
"""

from __future__ import annotations

import sys

import numpy as np

from tests.boats.egn_cases import logged_game
from tests.oracle import einer_geht_noch as referee
from tests.oracle.einer_geht_noch_voyage import Boat, Voyage

#: Single animals aboard, the actor among them, with which another reading would let him act.
ENOUGH = {"fox": 2, "monkey": 3}


def counted(games: int, players: int, seed: int = 1) -> dict[str, np.ndarray]:
    """Return what each game had: turns beside lovers, and those with enough single animals.

    Parameters
    ----------
    games, players, seed
        Games ``0 .. games - 1`` of the seed.

    Returns
    -------
    dict
        By actor an int64 array of shape ``(games, 2)``.
    """
    found = {actor: np.zeros((games, 2), dtype=np.int64) for actor in ENOUGH}

    def count(actor: str, boat: Boat, game: int) -> None:
        singles = sum(not animal.loved for animal in boat.animals)
        if singles < len(boat.animals):
            found[actor][game] += (1, singles >= ENOUGH[actor])

    class Counting(Voyage):
        game = 0

        def fox(self, fox, i):
            count("fox", self.boats[i], Counting.game)
            super().fox(fox, i)

        def monkey(self, monkey, i):
            count("monkey", self.boats[i], Counting.game)
            super().monkey(monkey, i)

    plain, referee.Voyage = referee.Voyage, Counting
    try:
        for game in range(games):
            Counting.game = game
            told = logged_game(seed, game, {}, ["random"] * players)
            referee.replay(told.setup, told.moves)
    finally:
        referee.Voyage = plain
    return found


def main() -> None:
    """Print means a game with 95 % intervals."""
    games, players = map(int, sys.argv[1:])
    for actor, rows in counted(games, players).items():
        for name, column in zip(("beside lovers", "with enough singles"), rows.T, strict=True):
            error = 1.96 * column.std() / games**0.5
            print(f"{players} players, {actor} {name}: {column.mean():.4f} ± {error:.4f}")


if __name__ == "__main__":
    main()
