"""The position codec of Einfach tierisch: six dice and the sheets in, what is marked out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.errors import UsageError, unknown
from analyzer.games.base import GameSpec
from analyzer.games.fields import (
    check_list,
    check_object,
    check_rulings,
    check_table,
    check_whole,
    fail,
)
from analyzer.games.tierisch_events import DiceTeller

#: More events than one evaluation can have.
_MOST_EVENTS = 64


@dataclass(frozen=True)
class Position:
    """A checked position.

    Attributes
    ----------
    players, animals
        Names, and the number of each one's animal, in clockwise order.
    active
        The seat that rolled.
    roll
        Numbers of the six symbols.
    marks
        Marked boxes by seat and column.
    forgo
        By seat: columns to leave out when the box cap binds, most dispensable first.
    """

    players: tuple[str, ...]
    animals: tuple[int, ...]
    active: int
    roll: tuple[int, ...]
    marks: tuple[tuple[int, ...], ...]
    forgo: tuple[tuple[int, ...], ...]
    rulings: dict[str, Any]


class PositionCodec:
    """Reads, resolves and writes positions.

    Parameters
    ----------
    spec
        The game.
    symbols
        Names of the five animals and of the police.
    check
        ``(players, rulings, where)``; raises UsageError where they do not go together.
    faces
        Returns the numbers of the symbols on the faces of the die.
    """

    def __init__(
        self,
        spec: GameSpec,
        symbols: Sequence[str],
        check: Callable[[int, Mapping[str, Any], str], None],
        faces: Callable[[Mapping[str, Any]], Sequence[int]],
    ) -> None:
        self.spec = spec
        self.symbols = tuple(symbols)
        self.check = check
        self.faces = faces
        self.dice = kernel_module("kernels.dice.multisets")
        self.animals = self.symbols[: self.dice.ANIMALS]

    # In

    def read(self, document: object) -> Position:
        """Check a document strictly; every error names its field."""
        needed, optional = ("animals", "active", "roll"), ("marks", "rulings", "forgo")
        position = check_object(document, "position", needed, optional)
        players, animals = self._players(position["animals"])
        rulings = check_rulings(position.get("rulings", {}), self.spec)
        try:
            self.check(len(players), rulings, "")
        except UsageError as error:
            raise fail("rulings.vp_columns", str(error)) from None
        active = position["active"]
        if active not in players:
            raise fail("active", unknown("player", active, players))
        return Position(
            players=players,
            animals=animals,
            active=players.index(active),
            roll=self._roll(position["roll"], rulings),
            marks=self._marks(position.get("marks", {}), players, animals),
            forgo=self._forgo(position.get("forgo", {}), players),
            rulings=rulings,
        )

    def _players(self, value: object) -> tuple[tuple[str, ...], tuple[int, ...]]:
        owned = check_table(value, "animals")
        most = kernel_module("kernels.abi").MAX_SEATS
        if not 2 <= len(owned) <= most:
            raise fail("animals", f"{self.spec.name} takes 2 to {most} players, not {len(owned)}.")
        seen: dict[str, str] = {}
        for name, animal in owned.items():
            field = f"animals.{name}"
            if not name:
                raise fail("animals", "a player's name must not be empty.")
            if animal not in self.animals:
                raise fail(field, unknown("animal", animal, self.animals))
            if animal in seen:
                raise fail(field, f"{seen[animal]!r} has the {animal} already; each has another.")
            seen[animal] = name
        return tuple(owned), tuple(self.animals.index(animal) for animal in owned.values())

    def _roll(self, value: object, rulings: Mapping[str, Any]) -> tuple[int, ...]:
        roll = check_list(value, "roll", "symbols")
        count = self.dice.DICE
        if len(roll) != count:
            raise fail("roll", f"must be {count} symbols, not {len(roll)}.")
        shown = set(self.faces(rulings))
        numbers = []
        for k, symbol in enumerate(roll):
            if symbol not in self.symbols:
                raise fail(f"roll[{k}]", unknown("symbol", symbol, self.symbols))
            number = self.symbols.index(symbol)
            if number not in shown:
                faces = ", ".join(self.symbols[one] for one in sorted(shown))
                raise fail(f"roll[{k}]", f"the die (die_faces) shows no {symbol}: only {faces}.")
            numbers.append(number)
        return tuple(numbers)

    def _marks(
        self, value: object, players: Sequence[str], animals: Sequence[int]
    ) -> tuple[tuple[int, ...], ...]:
        given = check_table(value, "marks")
        sheets = [[0] * len(self.animals) for _ in players]
        most = kernel_module("kernels.dice.outcomes").COLUMN_BOXES
        for name, columns in given.items():
            if name not in players:
                raise fail(f"marks.{name}", unknown("player", name, players))
            seat = players.index(name)
            for column, boxes in check_table(columns, f"marks.{name}").items():
                field = f"marks.{name}.{column}"
                if column not in self.animals:
                    raise fail(field, unknown("column", column, self.animals))
                number = self.animals.index(column)
                marked = check_whole(boxes, field, 0, most)
                if marked and number == animals[seat]:
                    raise fail(field, "the own column is crossed out; it has no marks.")
                sheets[seat][number] = marked
        return tuple(tuple(sheet) for sheet in sheets)

    def _forgo(self, value: object, players: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        wishes: list[tuple[int, ...]] = [()] * len(players)
        for name, columns in check_table(value, "forgo").items():
            if name not in players:
                raise fail(f"forgo.{name}", unknown("player", name, players))
            named = check_list(columns, f"forgo.{name}", "columns")
            for k, column in enumerate(named):
                if column not in self.animals:
                    raise fail(f"forgo.{name}[{k}]", unknown("column", column, self.animals))
                if column in named[:k]:
                    raise fail(f"forgo.{name}[{k}]", f"{column!r} is there twice.")
            wishes[players.index(name)] = tuple(self.animals.index(one) for one in named)
        return tuple(wishes)

    # Out

    def packed(self, counts: Sequence[int]) -> int:
        """Return a number for each symbol or column as one word."""
        return sum(count << self.dice.NIBBLE * k for k, count in enumerate(counts))

    def table(self, position: Position, setup: np.ndarray) -> np.ndarray:
        """Return the kernel's table of a position, its points and worths filled in.

        Raises
        ------
        UsageError
            When somebody has won already.
        """
        at = kernel_module("kernels.dice.table")
        rules = kernel_module("kernels.dice.rules")
        table = np.zeros(at.TABLE_CELLS, dtype=np.int64)
        table[at.SEATS] = len(position.players)
        table[at.ACTIVE] = position.active
        for seat in range(len(position.players)):
            table[at.ANIMAL + seat * at.LANES] = position.animals[seat]
            table[at.MARKS + seat * at.LANES] = self.packed(position.marks[seat])
            wishes = [rules.wish(column) for column in position.forgo[seat]]
            table[at.WISH + seat * at.LANES] = self.packed(wishes)
        rules.assign_animals(table, setup, 0)
        for seat, name in enumerate(position.players):
            marks, worth = table[at.MARKS + seat * at.LANES], table[at.WORTH + seat * at.LANES]
            if rules.points(marks, worth) >= rules.GOAL:
                raise fail(f"marks.{name}", f"{name!r} has won already; the game is over.")
        return table

    def resolve(self, document: object) -> dict[str, Any]:
        """Evaluate a position.

        Parameters
        ----------
        document
            Position JSON.

        Returns
        -------
        dict
            ``marked``, ``marks``, ``victory_points``, ``winners`` and ``events``.
        """
        at = kernel_module("kernels.dice.table")
        events = kernel_module("kernels.events")
        tally = kernel_module("kernels.dice.tally")
        rules = kernel_module("kernels.dice.rules")
        position = self.read(document)
        setup = self.spec.encode_setup(len(position.players), position.rulings)
        table = self.table(position, setup)
        log = events.new_log(_MOST_EVENTS)
        sums = np.zeros(tally.SUM_CELLS, dtype=np.int64)
        rules.resolve_position(table, setup, self.dice.pack(position.roll), sums, log)
        players = position.players
        marks = [
            self._columns(int(table[at.MARKS + seat * at.LANES])) for seat in range(len(players))
        ]
        new = [
            {
                column: boxes - position.marks[seat][k]
                for k, (column, boxes) in enumerate(columns.items())
                if boxes > position.marks[seat][k]
            }
            for seat, columns in enumerate(marks)
        ]
        winners = int(table[at.WINNERS])
        teller = DiceTeller(players, players, self.symbols)
        told = teller.tell(events.logged(log))
        for seat in range(len(players)):
            if winners >> seat & 1:
                teller.win(seat)
        return {
            "marked": dict(zip(players, new, strict=True)),
            "marks": dict(zip(players, marks, strict=True)),
            "victory_points": {
                name: int(table[at.SCORE + seat * at.LANES]) for seat, name in enumerate(players)
            },
            "winners": [name for seat, name in enumerate(players) if winners >> seat & 1],
            "events": told,
        }

    def _columns(self, marks: int) -> dict[str, int]:
        """Return a sheet as boxes by column."""
        width, mask = self.dice.NIBBLE, self.dice.NIBBLE_MASK
        return {column: marks >> width * k & mask for k, column in enumerate(self.animals)}
