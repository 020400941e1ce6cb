"""Positions of Gezanke auf der Planke!: one turn in JSON to its outcome and every step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.errors import InternalError, UsageError, unknown
from analyzer.games.base import GameSpec
from analyzer.games.fields import (
    check_list,
    check_object,
    check_rulings,
    check_whole,
    fail,
    kind_of,
)
from analyzer.games.planke_events import EMPTY, ENDS, LETTERS, PlankTeller
from analyzer.games.planke_rose import SYMBOLS

_NEEDED = ("plank", "symbols", "choice")
_OPTIONAL = ("at", "to", "row", "rulings")
#: Seats of the setup that a turn is resolved with; no rule of a turn depends on them.
_SEATS = 2
#: A turn is told in fewer events.
_EVENTS = 16
_PLAYER = "The player"


@dataclass(frozen=True)
class Turn:
    """A checked position with the decisions of its turn; what is absent is None."""

    plank: str
    symbols: tuple[str, str]
    choice: str
    at: tuple[int, ...] | None
    to: str | None
    row: object
    rulings: dict[str, Any]


class PlankCodec:
    """Reads, resolves and writes positions.

    Parameters
    ----------
    spec
        The game.
    """

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self.position = kernel_module("kernels.plank.position")
        self.at = kernel_module("kernels.plank.table")

    # In

    def read(self, document: object) -> Turn:
        """Check a document strictly; every error names its field."""
        given = check_object(document, "position", _NEEDED, _OPTIONAL)
        plank = self._plank(given["plank"])
        symbols = check_list(given["symbols"], "symbols", "two symbols")
        if len(symbols) != 2:
            raise fail("symbols", f"the wind rose shows 2 symbols, not {len(symbols)}.")
        for k, symbol in enumerate(symbols):
            _check_name(symbol, SYMBOLS, f"symbols[{k}]", "symbol")
        choice = _check_name(given["choice"], SYMBOLS, "choice", "symbol")
        if choice not in symbols:
            shown = " and ".join(symbols)
            raise fail("choice", f"the wind rose shows {shown}, not {choice}.")
        to = given.get("to")
        if to is not None:
            _check_name(to, ENDS, "to", "end")
            if choice != "move1":
                raise fail("to", f"only move1 takes an end, not {choice}.")
        rulings = check_rulings(given.get("rulings", {}), self.spec)
        return Turn(
            plank=plank,
            symbols=(symbols[0], symbols[1]),
            choice=choice,
            at=self._cells(given.get("at"), choice, len(plank)),
            to=to,
            row=given.get("row"),
            rulings=rulings,
        )

    def _plank(self, value: object) -> str:
        if not isinstance(value, str):
            raise fail("plank", f'must be a text such as "BYR.G..R", not {kind_of(value)}.')
        for cell, letter in enumerate(value):
            if letter not in LETTERS + EMPTY:
                letters = ", ".join(LETTERS)
                raise fail("plank", f"{letter!r} (cell {cell}) is none of {letters} and {EMPTY!r}.")
        most = self.position.MAX_LENGTH
        if len(value) > most:
            raise fail("plank", f"has {len(value)} cells; at most {most} can be resolved.")
        pirates = len(value) - value.count(EMPTY)
        if pirates < 2:
            raise fail("plank", f"has {pirates} of the 2 pirates or more that a turn needs.")
        return value

    def _cells(self, value: object, choice: str, length: int) -> tuple[int, ...] | None:
        """Return the cells of `at`."""
        if value is None:
            return None
        last = length - 1
        if choice == "swap":
            pair = check_list(value, "at", "two cells")
            if len(pair) != 2:
                raise fail("at", f"a swap takes 2 cells, not {len(pair)}.")
            return tuple(check_whole(cell, f"at[{k}]", 0, last) for k, cell in enumerate(pair))
        return (check_whole(value, "at", 0, last),)

    def move(self, turn: Turn) -> int:
        """Return the kernel's number of a turn; what does not fit is left to its judgement."""
        nowhere = self.position.NOWHERE
        cell = turn.at[0] if turn.at else nowhere
        other = nowhere
        if turn.choice == "swap" and turn.at:
            other = turn.at[1]
        elif turn.to is not None:
            other = ENDS.index(turn.to)
        row = turn.row if _is_cell(turn.row, len(turn.plank)) else nowhere
        action = self.position.action_of(SYMBOLS.index(turn.choice), cell, other)
        return int(self.position.move_of(action, row))

    def table(self, turn: Turn) -> np.ndarray:
        """Return the kernel's table of a turn."""
        at = self.at
        table = np.zeros(at.TABLE_CELLS, dtype=np.int64)
        for cell, letter in enumerate(turn.plank):
            if letter != EMPTY:
                colour = LETTERS.index(letter)
                table[at.PLANK] |= 1 << cell
                table[at.LOW] |= (colour & 1) << cell
                table[at.HIGH] |= (colour >> 1) << cell
        table[at.LENGTH] = len(turn.plank)
        table[at.LEFT] = SYMBOLS.index(turn.symbols[0])
        table[at.RIGHT] = SYMBOLS.index(turn.symbols[1])
        table[at.MOVE] = self.move(turn)
        return table

    # Out

    def resolve(self, document: object) -> dict[str, Any]:
        """Resolve a position (Position JSON in and out).

        Returns
        -------
        dict
            ``plank``, ``after_choice``, ``fallen``, ``over``, ``survivor``, ``row_skipped`` and
            ``events``.
        """
        abi = kernel_module("kernels.abi")
        events = kernel_module("kernels.events")
        tally = kernel_module("kernels.plank.tally")
        resolver = kernel_module("kernels.plank.resolve").resolve_position
        turn = self.read(document)
        table = self.table(turn)
        log = events.new_log(_EVENTS)
        sums = np.zeros(tally.SUM_CELLS, dtype=np.int64)
        status = resolver(self.spec.encode_setup(_SEATS, turn.rulings), table, sums, log)
        if status == abi.ILLEGAL_MOVE:
            raise self._refusal(turn, table)
        if status != abi.OK:
            raise InternalError(f"The kernel could not resolve the position (status {status}).")
        at = self.at
        teller = PlankTeller([_PLAYER])
        teller.place(turn.plank)
        told = teller.tell(events.logged(log))
        plank = self._text(table[at.PLANK : at.PLANK + 3], len(turn.plank))
        if plank != teller.plank():
            raise InternalError("The event log and the plank contradict each other.")
        over = bool(table[at.OVER])
        return {
            "plank": plank,
            "after_choice": self._text(
                table[at.AFTER_CHOICE : at.AFTER_CHOICE + 3], len(turn.plank)
            ),
            "fallen": list(teller.fallen),
            "over": over,
            "survivor": LETTERS[table[at.SURVIVOR]] if over else None,
            "row_skipped": bool(table[at.ON_ROSE]),
            "events": told,
        }

    def _text(self, planes: np.ndarray, length: int) -> str:
        """Return the plank of three words."""
        plank, low, high = (int(word) for word in planes)
        return "".join(
            LETTERS[low >> cell & 1 | (high >> cell & 1) << 1] if plank >> cell & 1 else EMPTY
            for cell in range(length)
        )

    def _refusal(self, turn: Turn, table: np.ndarray) -> UsageError:
        """Say why the kernel refuses a turn: which field, and what could stand there."""
        pos = self.position
        fault = table[self.at.FAULT]
        if fault == pos.OTHER_SYMBOL:
            other = turn.symbols[turn.symbols[0] == turn.choice]
            return fail("choice", f"{turn.choice} may not be taken here; {other} must be.")
        if fault == pos.USELESS_CELL:
            what = "a skull" if turn.choice == "skull" else f"{turn.choice}, impossible here,"
            return fail("to" if turn.at is None else "at", f"{what} takes none; leave it out.")
        if fault == pos.NO_PIRATE:
            if turn.at is None:
                need = "the cells of two pirates" if turn.choice == "swap" else "a pirate's cell"
                return fail("at", f"is missing; {turn.choice} takes {need}.")
            empty = next(cell for cell in turn.at if turn.plank[cell] == EMPTY)
            return fail("at", f"nobody stands on {empty}. Pirates: {_listed(turn.plank)}.")
        if fault == pos.SAME_PIRATE:
            return fail("at", "a swap takes two different pirates.")
        if fault == pos.SAME_COLOUR:
            return fail("at", "both pirates have the same colour, and swap_same_colour is no.")
        if fault in (pos.NO_END, pos.END_TAKEN):
            legal = int(table[self.at.LEGAL])
            free = [end for k, end in enumerate(ENDS) if pos.is_free(legal, k)]
            choices = f"Choices: {', '.join(free)}."
            if turn.to is None:
                return fail("to", f"is missing; move1 takes an end. {choices}")
            return fail("to", f"the {turn.to} position is not free for that pirate. {choices}")
        after = self._text(table[self.at.AFTER_CHOICE : self.at.AFTER_CHOICE + 3], len(turn.plank))
        rows = ", ".join(
            str(cell)
            for cell, letter in enumerate(after)
            if letter != EMPTY and (cell == 0 or after[cell - 1] == EMPTY)
        )
        if turn.row is None:
            return fail("row", f"is missing; {after} goes on with a row. Choices: {rows}.")
        return fail(
            "row", f"{turn.row!r} is not the last pirate of a row of {after}. Choices: {rows}."
        )


def _check_name(value: object, names: tuple[str, ...], field: str, what: str) -> str:
    """Return one of a few names, or raise UsageError naming the field."""
    if value not in names:
        raise fail(field, unknown(what, value, names))
    return str(value)


def _is_cell(value: object, length: int) -> bool:
    """Tell whether a value is the number of a cell."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < length


def _listed(plank: str) -> str:
    """Return the occupied cells in words."""
    return ", ".join(str(cell) for cell, letter in enumerate(plank) if letter != EMPTY)
