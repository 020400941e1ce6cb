"""The endgame of Gezanke auf der Planke! solved: few pirates, two players, open colours.

``kernels.plank.solve`` works the table out; it is kept in the cache folder, under a hash of the plank
kernels, the rules version and the rulings that matter. The strategy `endgame` plays from it.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analyzer import registry
from analyzer.cache import kept_table, kernel_module
from analyzer.errors import UsageError
from analyzer.games.planke_events import EMPTY, ENDS, LETTERS
from analyzer.games.planke_rose import SYMBOLS
from analyzer.progress import Note

GAME = "gezanke-auf-der-planke"
_SEATS = 2
#: Rulings that the table depends on, beside the wind rose and who wins with an unowned survivor.
_OF_A_TURN = ("plank_length", "move_targets", "null_move", "impossible_symbol", "skull_choice")
_RELEVANT = (*_OF_A_TURN, "rose", "unowned_survivor")


def check_solvable(rulings: Mapping[str, Any]) -> None:
    """Raise UsageError for rulings under which the endgame is not solved."""
    if rulings["swap_same_colour"] == "no":
        raise UsageError(
            f"The endgame of {GAME} is not solved with swap_same_colour=no: whether two unowned "
            "pirates may be swapped then depends on more than the table knows."
        )


def fewest_and_most(rulings: Mapping[str, Any]) -> tuple[int, int]:
    """Return the fewest and the most pirates that are solved on the plank of some rulings."""
    layout = kernel_module("kernels.plank.endgame")
    return layout.FEWEST_PIRATES, layout.most_pirates(rulings["plank_length"])


def _key(setup: np.ndarray, pirates: int) -> bytes:
    """Return what a table depends on: the turn, the wind rose, and who has won."""
    cell = kernel_module("kernels.plank.planke_setup")
    relevant = [int(setup[getattr(cell, name.upper())]) for name in _OF_A_TURN]
    relevant.append(int(setup[cell.UNOWNED_SURVIVOR] == cell.BEST_PLAYER))
    rose = setup[cell.ROSE_CHANCE : cell.ROSE_KEEP].tolist()
    return repr((registry.load(GAME).rules_version, relevant, rose, pirates)).encode()


def _table(setup: np.ndarray, pirates: int, make: Callable[[], np.ndarray]) -> np.ndarray:
    return kept_table("planke-endgame", "plank", _key(setup, pirates), make)


def with_solved_endgame(setup: np.ndarray, rulings: Mapping[str, Any]) -> np.ndarray:
    """Return a setup array with the solved endgame appended, for the strategy `endgame`.

    It is always the one with the most pirates that are solved on that plank, so that games never
    depend on what somebody has in the cache.

    Raises
    ------
    UsageError
        When it has not been solved; the message is the command that does it.
    """
    cell = kernel_module("kernels.plank.planke_setup")
    _, pirates = fewest_and_most(rulings)

    def refuse() -> np.ndarray:
        raise UsageError(
            f"The strategy endgame plays from the solved endgame of {pirates} pirates, which is "
            f"not there yet; this makes it: {_command(rulings, pirates)}"
        )

    return cell.with_endgame(setup, _table(setup, pirates, refuse))


def _command(rulings: Mapping[str, Any], pirates: int) -> str:
    """Return the command that solves the endgame under some rulings."""
    spec = registry.load(GAME)
    changed = {name: one for name, one in spec.changed(rulings).items() if name in _RELEVANT}
    words = ["analyzer", "solve", "planke", "--pirates", str(pirates)]
    return shlex.join(words + spec.flags(changed))


@dataclass(frozen=True)
class Endgame:
    """A solved endgame.

    Attributes
    ----------
    setup
        Setup array of two players.
    pirates
        The most pirates that it knows.
    table
        ``kernels.plank.endgame``.
    """

    setup: np.ndarray
    pirates: int
    table: np.ndarray

    @property
    def tolerance(self) -> float:
        """How much a chance may be off: half the gap of its bounds, and the table's rounding."""
        solve = kernel_module("kernels.plank.solve")
        return solve.TOLERANCE

    def chances(self, pirates: int) -> np.ndarray:
        """Return the chance of the player who has just moved, shape (places, codes)."""
        layout = kernel_module("kernels.plank.endgame")
        numbers = np.empty(2 * (len(self.table) - layout.HEAD_CELLS), dtype=np.int64)
        packed = self.table[layout.HEAD_CELLS :]
        numbers[0::2] = packed & 0xFFFF_FFFF
        numbers[1::2] = packed >> 32
        first = int(self.table[layout.FIRST + pirates])
        codes = layout.CLASSES**pirates
        count = layout.positions_of(self._length(), pirates)
        return numbers[first : first + count].reshape(-1, codes) / layout.UNIT

    def _length(self) -> int:
        cell = kernel_module("kernels.plank.planke_setup")
        return int(self.setup[cell.PLANK_LENGTH])

    def summary(self) -> list[dict[str, Any]]:
        """Return, by number of pirates, the positions and what the right to move is worth in them.

        Only positions where both players have a pirate count for the chance.
        """
        layout = kernel_module("kernels.plank.endgame")
        rows = []
        for pirates in range(layout.FEWEST_PIRATES, self.pirates + 1):
            chances = 1.0 - self.chances(pirates)
            codes = np.arange(chances.shape[1])[:, None] // layout.CLASSES ** np.arange(pirates)
            digits = codes % layout.CLASSES
            both = (digits == layout.MINE).any(axis=1) & (digits == layout.THEIRS).any(axis=1)
            rows.append(
                {
                    "pirates": pirates,
                    "positions": int(chances.size),
                    "with_both_players": int(chances[:, both].size),
                    "mean_chance_of_mover": float(chances[:, both].mean()),
                }
            )
        return rows

    def of(self, plank: str, mover: str, other: str) -> float:
        """Return the chance to win of the player to move.

        Parameters
        ----------
        plank
            A text as in positions.
        mover, other
            Letters of both players' colours.
        """
        layout = kernel_module("kernels.plank.endgame")
        planes = [
            sum(1 << cell for cell, letter in enumerate(plank) if letter in letters)
            for letters in (LETTERS, other, mover)
        ]
        view = self._view()
        chance = layout.chance_after(view, self._first(), tuple(planes))
        return 1.0 - int(chance) / layout.UNIT

    def best_turn(
        self, plank: str, mover: str, other: str, symbols: Sequence[str]
    ) -> tuple[dict[str, Any], float]:
        """Return the best turn with the symbols of a wind rose, as a position has it, and its chance."""
        layout = kernel_module("kernels.plank.endgame")
        pos = kernel_module("kernels.plank.position")
        view = self._view()
        for cell, letter in enumerate(plank):
            if letter != EMPTY:
                colour = LETTERS.index(letter)
                view[pos.PLANK] |= 1 << cell
                view[pos.LOW] |= (colour & 1) << cell
                view[pos.HIGH] |= (colour >> 1) << cell
        view[pos.LEFT], view[pos.RIGHT] = (SYMBOLS.index(symbol) for symbol in symbols)
        legal = pos.legal_set(view)
        move, chance = layout.solved_turn(
            view, legal, self._first(), LETTERS.index(mover), 1 << LETTERS.index(other)
        )
        symbol = SYMBOLS[pos.symbol_of(move)]
        at, second = pos.at_of(move), pos.other_of(move)
        turn: dict[str, Any] = {"choice": symbol}
        if at != pos.NOWHERE:
            turn["at"] = sorted((at, second)) if symbol == "swap" else at
            if symbol == "move1":
                turn["to"] = ENDS[second]
        after = pos.after_action(view, legal, pos.planes_of(view), move)
        if not pos.is_over(view, after):
            turn["row"] = pos.row_of(move)
        return turn, int(chance) / layout.UNIT

    def _view(self) -> np.ndarray:
        """Return a position without pirates, and the table behind it."""
        pos = kernel_module("kernels.plank.position")
        position = np.zeros(pos.POSITION_CELLS, dtype=np.int64)
        pos.take_rulings(position, self.setup)
        position[pos.LENGTH] = self._length()
        return np.concatenate([position, self.table])

    def _first(self) -> int:
        return kernel_module("kernels.plank.position").POSITION_CELLS


def solve(rulings: Mapping[str, Any], pirates: int, note: Note) -> Endgame:
    """Return the solved endgame, from the cache or worked out.

    Parameters
    ----------
    rulings
        Complete and canonical.
    pirates
        The most pirates, 2 to what `fewest_and_most` says.
    note
        Told how far it is.

    Raises
    ------
    UsageError
        Under rulings that are not solved.
    """
    check_solvable(rulings)
    layout = kernel_module("kernels.plank.endgame")
    setup = registry.load(GAME).encode_setup(_SEATS, rulings)
    length = rulings["plank_length"]

    def make() -> np.ndarray:
        solver = kernel_module("kernels.plank.solve")

        def progress(count: int, sweeps: int, gap: float) -> None:
            if gap <= solver.TOLERANCE:
                positions = layout.positions_of(length, count)
                note(
                    f"{count} pirates: {positions:,} positions solved in {sweeps} sweeps, "
                    f"bounds {gap:.1e} apart"
                )

        return solver.solve_endgame(setup, pirates, progress)

    return Endgame(setup, pirates, _table(setup, pirates, make))
