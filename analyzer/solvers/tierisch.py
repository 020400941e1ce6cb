"""Einfach tierisch solved: one turn, the two-player game, two strategies against each other.

The tables of the game are worked out by ``kernels.dice.solve`` and kept in the cache folder, under a
hash of the dice kernels and of the rulings that matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from analyzer import registry
from analyzer.cache import kept_table, kernel_module
from analyzer.errors import UsageError, unknown
from analyzer.games.tierisch_events import symbols_of
from analyzer.progress import Note

GAME = "einfach-tierisch"
#: A strategy of `versus` that no game has: the best answer to the other one.
BEST = "best"
#: The table that was used last, by its key.
_loaded: dict[bytes, np.ndarray] = {}

# --- which games are solved -----------------------------------------------------------------------


def check_solvable(rulings: Mapping[str, Any]) -> None:
    """Raise UsageError for rulings under which the two-player game is not solved."""
    _check_solvable(registry.load(GAME).encode_setup(2, rulings))


def _check_solvable(setup: np.ndarray) -> None:
    solve = kernel_module("kernels.dice.solve")
    try:
        solve.check_solvable(setup)
    except solve.Unsolvable as reason:
        raise UsageError(
            f"The two-player game of {GAME} is not solved under these rulings: {reason}"
        ) from None


def _key(setup: np.ndarray) -> bytes:
    """Return what the solved game depends on: deal and start player are no part of it."""
    layout = kernel_module("kernels.dice.tierisch_setup")
    relevant = setup[: layout.PAIR_RESULTS].copy()
    relevant[[layout.DEAL, layout.START_PLAYER]] = 0
    relevant[layout.FIXED_ANIMAL :] = 0
    if relevant[layout.BOX_CAP] == layout.CAP_NONE:
        relevant[layout.CAP_CHOICE] = 0
    return relevant.tobytes()


def game_table(setup: np.ndarray, note: Note) -> np.ndarray:
    """Return the solved game of a setup array (``kernels.dice.solve.solve_game``).

    Parameters
    ----------
    setup
        Of two players.
    note
        Told when it has to be worked out.

    Raises
    ------
    UsageError
        Under rulings that are not solved.
    """
    _check_solvable(setup)
    solve = kernel_module("kernels.dice.solve")
    key = _key(setup)

    def make() -> np.ndarray:
        note("Solving the two-player game: about a minute, once; the table is kept.")
        return solve.solve_game(setup)

    if key not in _loaded:
        _loaded.clear()
        _loaded[key] = kept_table("tierisch-game", "dice", key, make)
    return _loaded[key]


def with_solved_game(setup: np.ndarray, note: Note) -> np.ndarray:
    """Return a setup array with the solved game appended, for the strategy `optimal`."""
    solve = kernel_module("kernels.dice.solve")
    return solve.with_wins(setup, game_table(setup, note))


# --- one turn -------------------------------------------------------------------------------------

#: What a turn can be played for, and what that means.
OBJECTIVES = {
    "own": "the boxes that the roller marks",
    "margin": "the boxes that the roller marks, less those of all others",
    "at-least-1": "the chance to mark a box",
    "at-least-2": "the chance to mark two boxes or more",
    "at-least-3": "the chance to mark three boxes or more",
    "at-least-4": "the chance to mark four boxes (box_cap=0)",
    "not-void": "the chance of at most one police",
}


@dataclass(frozen=True)
class TurnValue:
    """The optimum of a turn, or of what is left of it.

    Attributes
    ----------
    numerator, denominator
        The exact value; the denominator is a power of the number of faces.
    """

    numerator: int
    denominator: int

    @property
    def value(self) -> float:
        """The value as a float."""
        return self.numerator / self.denominator

    @property
    def fraction(self) -> Fraction:
        """The value in lowest terms."""
        return Fraction(self.numerator, self.denominator)

    def document(self) -> dict[str, Any]:
        """Return the value as JSON."""
        reduced = self.fraction
        return {
            "value": self.value,
            "fraction": f"{reduced.numerator}/{reduced.denominator}",
            "numerator": self.numerator,
            "denominator": self.denominator,
        }


@dataclass(frozen=True)
class Turn:
    """A turn solved for one objective.

    Attributes
    ----------
    value
        Before the first roll.
    keeps
        Value of every first set-aside (as symbol names), best first; empty without a roll. The order
        among equals is fewest dice first, then the order of the sheet.
    """

    value: TurnValue
    keeps: list[tuple[tuple[str, ...], TurnValue]]


def solve_turn(
    objective: str,
    rulings: Mapping[str, Any],
    players: int,
    animal: str,
    roll: Sequence[str] = (),
) -> Turn:
    """Solve one turn on empty sheets exactly.

    Parameters
    ----------
    objective
        Key of OBJECTIVES.
    rulings
        Complete and canonical.
    players
        How many animals have an owner; it matters to ``margin`` only.
    animal
        The roller's. The others go to the first animals of the sheet that are left.
    roll
        The six symbols of a first roll, or none.

    Raises
    ------
    UsageError
        For a name that means nothing, or a roll that the die cannot show.
    """
    spec = registry.load(GAME)
    dice = kernel_module("kernels.dice.multisets")
    module = _game_module()
    if objective not in OBJECTIVES:
        raise UsageError(unknown("objective", objective, OBJECTIVES, "(--maximise)"))
    if animal not in module.ANIMALS:
        raise UsageError(unknown("animal", animal, module.ANIMALS, "(--animal)"))
    module.check_two_players(players, rulings)
    faces = module.DIE.faces(rulings["die_faces"])
    counts = 0
    if roll:
        counts = dice.pack(_checked_roll(roll, module.SYMBOLS, faces))
    exact = kernel_module("kernels.dice.exact")
    setup = spec.encode_setup(players, rulings)
    own = module.ANIMALS.index(animal)
    others = [k for k in range(len(module.ANIMALS)) if k != own][: players - 1]
    reward = exact.reward_of(setup, own, others, *_aim(objective, exact))
    total, values, units = exact.solve_turn(setup, reward)
    keeps = []
    if roll:
        numbers = exact.keeps_of(counts)
        numbers.sort(key=lambda number: (-int(values[number]), number))
        keeps = [
            (
                tuple(symbols_of(int(dice.COUNTS[number]), module.SYMBOLS)),
                TurnValue(int(values[number]), units**exact.KEEP_POWER),
            )
            for number in numbers
        ]
    return Turn(TurnValue(int(total), units**exact.TURN_POWER), keeps)


def _game_module() -> Any:
    from analyzer.games import einfach_tierisch

    return einfach_tierisch


def _aim(objective: str, exact: Any) -> tuple[int, int]:
    """Return the aim of an objective, and the least number of boxes where it asks for one."""
    if objective.startswith("at-least-"):
        return exact.AT_LEAST, int(objective.rpartition("-")[2])
    return {"own": exact.OWN, "margin": exact.MARGIN, "not-void": exact.NOT_VOID}[objective], 0


def _checked_roll(roll: Sequence[str], symbols: Sequence[str], faces: Sequence[int]) -> list[int]:
    count = kernel_module("kernels.dice.multisets").DICE
    for name in roll:
        if name not in symbols:
            raise UsageError(unknown("symbol", name, symbols, "in --roll"))
        if symbols.index(name) not in faces:
            raise UsageError(f"The die (die_faces) shows no {name}, which is in --roll.")
    if len(roll) != count:
        raise UsageError(
            f"--roll takes the {count} symbols of a first roll, as in cat,cat,dog,dog,pig,police; "
            f"there are {len(roll)}."
        )
    return [symbols.index(name) for name in roll]


# --- the two-player game --------------------------------------------------------------------------


@dataclass(frozen=True)
class Game:
    """The solved two-player game.

    Attributes
    ----------
    table
        ``kernels.dice.solve.solve_game``.
    """

    setup: np.ndarray
    table: np.ndarray

    @property
    def value(self) -> float:
        """The chance of the player who starts to win, under best play of both."""
        return kernel_module("kernels.dice.solve").start_chance(self.table)

    def of(self, mover: Sequence[int], other: Sequence[int]) -> float:
        """Return the chance of the player to move to win.

        Parameters
        ----------
        mover, other
            Marked boxes of the four foreign columns: the other player's animal first, then the
            three that nobody has, in the same order for both.

        Raises
        ------
        UsageError
            When somebody has won already.
        """
        wins = kernel_module("kernels.dice.wins")
        numbers = [int(wins.number_of_columns(columns)) for columns in (mover, other)]
        chance = float(self.table[wins.chance_cell(*numbers)])
        if chance < 0:
            raise UsageError("This position is won already; the game is over.")
        return chance

    def checks(self) -> dict[str, float]:
        """Check the solution by its own equations.

        Returns
        -------
        dict
            ``residual``: the greatest error of any position in its own equation.
            ``monotonicity``: the most that one box more ever takes from its owner (0 or below: none).
            ``best_response``: what the best answer to `optimal` gains, as the mean over both seats.
        """
        solve = kernel_module("kernels.dice.solve")
        chances, _ = solve.solve_versus(
            self.setup, solve.BEST, solve.AIM_WIN, solve.win_table(self.setup, self.table)
        )
        return {
            "residual": solve.residual(self.setup, self.table),
            "monotonicity": solve.worst_step(self.table),
            "best_response": solve.start_chance(chances) - self.value,
        }


def solve_game(rulings: Mapping[str, Any], note: Note) -> Game:
    """Return the solved two-player game, from the cache or worked out.

    Raises
    ------
    UsageError
        Under rulings that are not solved.
    """
    module = _game_module()
    module.check_two_players(2, rulings)
    setup = module.encode_setup(2, rulings)
    return Game(setup, game_table(setup, note))


# --- two strategies -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Versus:
    """Two strategies against each other, exactly.

    Attributes
    ----------
    first, second
        The chance of the first-named strategy to win when it starts, and when the other one does.
    """

    first: float
    second: float

    @property
    def even(self) -> float:
        """The chance with either seat equally often."""
        return (self.first + self.second) / 2.0


def solve_versus(names: Sequence[str], rulings: Mapping[str, Any], note: Note) -> Versus:
    """Return the exact chances of two built-in strategies, or of a best response to one.

    Parameters
    ----------
    names
        Two built-in strategies; BEST is the best response to the other one.
    rulings
        Complete and canonical.
    note
        Told when something has to be worked out.

    Raises
    ------
    UsageError
        For a name that means nothing, or rulings that are not solved.
    """
    spec = registry.load(GAME)
    for name in names:
        if name not in spec.strategies and name != BEST:
            choices = [*spec.strategies, BEST]
            place = "(exact play is worked out for built-in ones)"
            raise UsageError(unknown("strategy", name, choices, place))
    if list(names) == [BEST, BEST]:
        value = solve_game(rulings, note).value
        return Versus(value, 1.0 - value)
    module = _game_module()
    module.check_two_players(2, rulings)
    setup = module.encode_setup(2, rulings)
    _check_solvable(setup)
    solve = kernel_module("kernels.dice.solve")
    aims = [solve.AIMS[name] for name in names]
    wins = None
    if "optimal" in names:
        wins = solve.win_table(setup, game_table(setup, note))

    def make() -> np.ndarray:
        note(
            "Working the two strategies out against each other: a minute or two, once; it is kept."
        )
        mine, theirs = solve.solve_versus(setup, *aims, wins)
        return np.array([solve.start_chance(mine), 1.0 - solve.start_chance(theirs)])

    key = _key(setup) + "\0".join(names).encode()
    first, second = kept_table("tierisch-versus", "dice", key, make)
    return Versus(float(first), float(second))
