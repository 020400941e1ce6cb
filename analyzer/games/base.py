"""What a game tells the rest of the program about itself.

A game is one module with a ``SPEC``. Its settings are *rulings*: every ambiguity of a rulebook that
has an option, and every component whose make-up can be chosen, is one, with a type, a default and
the evidence for that default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.errors import UsageError, unknown
from analyzer.games.kinds import Kind
from analyzer.games.layout import ReportLayout, Restriction
from analyzer.progress import Note

if TYPE_CHECKING:
    from analyzer.games.summary import Summary

#: Evidence grades of a default.
EVIDENCE = {
    "T": "stated in the rulebook",
    "X": "forced by an example of the rulebook",
    "I": "inferred",
    "A": "assumed, the rulebook is silent",
}


def hex64(word: int) -> str:
    """Return a digest word, signed or not, as sixteen hexadecimal digits."""
    return f"{word & 0xFFFF_FFFF_FFFF_FFFF:016x}"


def legal_bits(fault: Sequence[int]) -> str:
    """Return the legal moves of a fault where each has a bit of the legal word."""
    legal = fault[kernel_module("kernels.abi").FAULT_LEGAL]
    moves = [str(move) for move in range(legal.bit_length()) if legal >> move & 1]
    return f"legal: {', '.join(moves)}"


@dataclass(frozen=True)
class Ruling:
    """One setting of a game.

    Attributes
    ----------
    name
        Snake case.
    kind
        Its type.
    default
        Canonical default.
    explanation
        One line.
    evidence
        Key of EVIDENCE, for the default.
    ids
        Ambiguities that it settles.
    component
        Whether it describes what is in the box rather than how the rules are read.
    """

    name: str
    kind: Kind
    default: Any
    explanation: str
    evidence: str
    ids: tuple[str, ...]
    component: bool = False

    @property
    def assumed(self) -> bool:
        """Whether the rulebook says nothing about the default."""
        return self.evidence == "A"


@dataclass(frozen=True)
class Metric:
    """What a metric means. `name` may end in ``.UPPER``: one metric for each such thing."""

    name: str
    meaning: str
    headline: bool = False

    @property
    def stem(self) -> str:
        """The name without what varies."""
        return self.name.partition(".")[0]


@dataclass(frozen=True)
class SumField:
    """A named part of a block's sums: its first cell and its shape (empty for a single number)."""

    name: str
    first: int
    shape: tuple[int, ...] = ()

    @property
    def cells(self) -> int:
        """How many numbers it holds."""
        count = 1
        for length in self.shape:
            count *= length
        return count

    def of(self, sums: np.ndarray) -> np.ndarray:
        """Return the field of an array of sums, shape ``(blocks, *shape)``."""
        part = sums[..., self.first : self.first + self.cells]
        return part.reshape(sums.shape[:-1] + self.shape)


@dataclass(frozen=True)
class Kernel:
    """A game's compiled side, as `kernels.abi` defines it.

    Attributes
    ----------
    play_block
        The block kernel.
    sum_fields
        The layout of `sums`; `sum_cells` is its length.
    row_columns
        Names of a row's cells, as ``(name, cell)``; `row_cells` is a row's stride.
    row_result
        ``(row, players) -> dict``: one game's row as `analyzer replay` tells it.
    scratch_cells
        Length of the working memory that the caller provides.
    max_events
        Events that a game seldom exceeds; `analyzer replay` makes room for more where needed.
    strategies
        Compiled built-in strategies by name.
    compile_strategy
        Compiles ``(view, legal, stream) -> move`` for the same door; with ``catch=False`` its
        exceptions leave the kernel.
    fault_text
        ``(fault) -> str``: what was wrong with an illegal move, from the first cells of `scratch`.
    restrictions
        The family's module with the functions that a `Restriction` names; None where there is none.
    score_unit
        How many units of the scores in sums and rows make a point (2: they are half points).
    """

    play_block: Callable[..., int]
    sum_cells: int
    sum_fields: tuple[SumField, ...]
    row_cells: int
    row_columns: Callable[[int], list[tuple[str, int]]]
    row_result: Callable[[Sequence[int], int], dict[str, Any]]
    scratch_cells: int
    max_events: int
    strategies: Mapping[str, Callable[..., int]]
    compile_strategy: Callable[..., Callable[..., int]]
    fault_text: Callable[[Sequence[int]], str] = legal_bits
    restrictions: ModuleType | None = None
    score_unit: int = 1

    def part(self, name: str, sums: np.ndarray) -> np.ndarray:
        """Return a named part of a run's sums, shape ``(blocks, *shape)``."""
        return next(one for one in self.sum_fields if one.name == name).of(sums)


def _nothing_to_check(players: Sequence[str], rulings: Mapping[str, Any]) -> None:
    """Find nothing wrong: most games take any rulings with any number of players."""


def _no_tables(
    setup: np.ndarray,
    players: Sequence[str],
    rulings: Mapping[str, Any],
    note: Note,
) -> np.ndarray:
    """Return the setup as it is: most games have no tables."""
    return setup


@dataclass(frozen=True)
class GameSpec:
    """A game: seats, settings, metrics, and the functions that translate for its kernel.

    Attributes
    ----------
    players
        Fewest and most seats.
    default_players
        Seats when nothing is said.
    rules_version
        Moves whenever a default game comes out differently.
    strategies
        Names of the built-in strategies, in order.
    kernel
        Loads the compiled side; slow the first time.
    encode_setup
        ``(players, rulings) -> int64 array``.
    estimates
        ``(sums, players, rulings, confidence) -> Summary``: those of a run; `sums` has one
        row a block.
    tell
        ``(events, labels, rulings) -> records``, each with ``event`` and ``text``, for
        `analyzer replay`.
    resolve
        ``(position) -> result`` of `analyzer resolve`.
    strategy_players
        Fewest and most seats of the strategies that do not play with every number of players.
    check
        ``(players, rulings)``: raises UsageError where strategies and rulings do not go together.
    add_tables
        ``(setup, players, rulings, note) -> setup``: appends what the strategies of a lineup look
        up; `note` is told when that takes a while.
    restrictions
        What a strategy can be denied.
    deny_effect
        ``(setup, seat, what)``: takes an effect from a seat's cards, in place; where effects can be
        denied.
    report
        How the balance report shows the game.
    counted_games
        ``(sums, rulings) -> int64 array``: the games of each block that win rates are shares of.
    counted_scores
        ``(sums, rulings) -> int64 array``: what mean scores are over, where it is not all games.
    """

    name: str
    alias: str
    title: str
    players: tuple[int, int]
    default_players: int
    rules_version: str
    summary: str
    rulings: tuple[Ruling, ...]
    strategies: tuple[str, ...]
    metrics: tuple[Metric, ...]
    kernel: Callable[[], Kernel]
    encode_setup: Callable[[int, Mapping[str, Any]], np.ndarray]
    estimates: Callable[[np.ndarray, int, Mapping[str, Any], float], Summary]
    tell: Callable[[np.ndarray, Sequence[str], Mapping[str, Any]], list[dict[str, Any]]]
    resolve: Callable[[object], dict[str, Any]]
    strategy_players: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    check: Callable[[Sequence[str], Mapping[str, Any]], None] = _nothing_to_check
    add_tables: Callable[[np.ndarray, Sequence[str], Mapping[str, Any], Note], np.ndarray] = (
        _no_tables
    )
    restrictions: tuple[Restriction, ...] = ()
    deny_effect: Callable[[np.ndarray, int, int], None] | None = None
    report: ReportLayout = field(default_factory=ReportLayout)
    counted_games: Callable[[np.ndarray, Mapping[str, Any]], np.ndarray] | None = None
    counted_scores: Callable[[np.ndarray, Mapping[str, Any]], np.ndarray] | None = None

    def summarize(
        self, sums: np.ndarray, players: int, rulings: Mapping[str, Any], confidence: float
    ) -> dict[str, Any]:
        """Return ``seats``, ``metrics`` and ``tables`` of a run; `sums` has a row a block."""
        return self.estimates(sums, players, rulings, confidence).document()

    def restriction(self, name: object, where: str = "") -> Restriction:
        """Return a restriction by name, or raise UsageError with the choices."""
        return self._named("restriction", self.restrictions, name, where)

    def ruling(self, name: object, where: str = "") -> Ruling:
        """Return a ruling by name, or raise UsageError with the choices."""
        return self._named("ruling", self.rulings, name, where)

    def _named(self, what: str, all_of_them: Sequence[Any], name: object, where: str) -> Any:
        for one in all_of_them:
            if one.name == name:
                return one
        names = [one.name for one in all_of_them]
        raise UsageError(unknown(what, name, names, f"for {self.name} {where}".rstrip()))

    def parse_ruling(self, name: object, value: object, where: str = "") -> Any:
        """Return the canonical value of a ruling, or raise UsageError with the choices."""
        one = self.ruling(name, where)
        try:
            return one.kind.parse(value)
        except ValueError as error:
            place = f" {where}" if where else ""
            raise UsageError(
                f"Ruling {one.name} of {self.name} cannot be {value!r}{place}. {error}"
            ) from None

    def complete(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return all rulings in the order of the registry, `given` ones over the defaults."""
        return {one.name: given.get(one.name, one.default) for one in self.rulings}

    def changed(self, rulings: Mapping[str, Any]) -> dict[str, Any]:
        """Return the rulings that differ from their defaults."""
        return {
            one.name: rulings[one.name]
            for one in self.rulings
            if rulings.get(one.name, one.default) != one.default
        }

    def flags(self, rulings: Mapping[str, Any]) -> list[str]:
        """Return the words that give some rulings on a command line: ``--rule NAME=VALUE``."""
        words = []
        for name, value in rulings.items():
            words += ["--set" if self.ruling(name).component else "--rule", f"{name}={value}"]
        return words

    def check_players(self, count: int, where: str = "") -> int:
        """Return the number of players, or raise UsageError when the game does not take it."""
        low, high = self.players
        if not low <= count <= high:
            place = f" {where}" if where else ""
            raise UsageError(f"{self.name} takes {low} to {high} players, not {count}{place}.")
        return count

    def players_of(self, strategy: str) -> tuple[int, int]:
        """Return the fewest and the most seats with which a strategy plays."""
        return self.strategy_players.get(strategy, self.players)

    def check_strategy_players(self, strategy: str, count: int, where: str = "") -> None:
        """Raise UsageError when a strategy does not play with so many players."""
        low, high = self.players_of(strategy)
        if not low <= count <= high:
            seats = str(low) if low == high else f"{low} to {high}"
            others = [one for one in self.strategies if self.plays(one, count)]
            place = f" {where}" if where else ""
            raise UsageError(
                f"Strategy {strategy!r} of {self.name} plays with {seats} players only, not with "
                f"{count}{place}. With {count} there are: {', '.join(others)}."
            )

    def plays(self, strategy: str, count: int) -> bool:
        """Tell whether a strategy plays with a number of players."""
        low, high = self.players_of(strategy)
        return low <= count <= high
