"""The events of Gezanke auf der Planke! in words.

The kernel logs what it did; `PlankTeller` follows the log with a plank of its own and turns every event
into a record with a sentence. Cells count from 0 at the ship end, as in positions; rounds and turns
count from 1 in sentences and from 0 in records; seats count from 0 in both.
"""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.cache import kernel_module
from analyzer.errors import InternalError, plural
from analyzer.games.planke_rose import SYMBOLS
from analyzer.games.teller import Teller

#: Names of the colours, and the letters that planks are written with.
COLOURS = ("yellow", "red", "green", "blue")
LETTERS = "YRGB"
EMPTY = "."
#: The ends of move1.
ENDS = ("last", "foremost")
#: How many times each colour stands on the plank at the start.
EACH = 4


class PlankTeller(Teller):
    """Follows one log and tells it.

    Parameters
    ----------
    labels
        How each seat is called in sentences.

    Attributes
    ----------
    cells
        The plank as it stands, a letter or `EMPTY` a cell.
    """

    def __init__(self, labels: Sequence[str]) -> None:
        super().__init__(labels)
        self.cells: list[str] = []
        self.turn = 0
        self.starts_known = True
        self.fallen: list[str] = []
        self.dropped: list[str] = []
        code = kernel_module("kernels.plank.events")
        self.handlers = {
            code.START: self._start,
            code.ROUND: self._round,
            code.STONE: self._stone,
            code.TURN: self._turn,
            code.SWAPPED: self._swapped,
            code.PUSHED: self._pushed,
            code.MOVED: self._moved,
            code.SKULL: self._skull,
            code.LAPSED: self._lapsed,
            code.ROW: self._row,
            code.FALL: self._fall,
            code.OVER: self._over,
            code.CAPPED: self._capped,
            code.POINTS: self._points,
            code.WON: self._won,
        }

    def place(self, plank: str) -> None:
        """Begin with a given plank; where its pirates started is not known."""
        self.cells = list(plank)
        self.starts_known = False

    def plank(self) -> str:
        """Return the plank as a text, ship end first."""
        return "".join(self.cells)

    def pirate(self, cell: int) -> str:
        """Return the pirate on a cell in words."""
        return f"the {COLOURS[LETTERS.index(self.cells[cell])]} pirate on {cell}"

    # The round

    def _start(self, seat: int, *_: int) -> None:
        self.say("start", f"{self.labels[seat]} begins.", seat=seat)

    def _round(self, round_: int, starter: int, length: int, *_: int) -> None:
        self.cells = list(LETTERS) * EACH + [EMPTY] * (length - EACH * len(LETTERS))
        self.turn = 0
        self.fallen.clear()
        text = f"Round {round_ + 1}, {self.labels[starter]} starts"
        self.say("round", text, round=round_, seat=starter, plank=self.plank())

    def _stone(self, seat: int, colour: int, *_: int) -> None:
        text = f"{self.labels[seat]} draws {COLOURS[colour]}."
        self.say("stone", text, seat=seat, colour=LETTERS[colour])

    def _turn(self, seat: int, left: int, right: int, *_: int) -> None:
        symbols = [SYMBOLS[left], SYMBOLS[right]]
        text = (
            f"{self.plank()}  turn {self.turn + 1}, {self.labels[seat]}: the wind rose shows "
            f"{symbols[0]} and {symbols[1]}."
        )
        self.say("turn", text, turn=self.turn, seat=seat, symbols=symbols, plank=self.plank())
        self.turn += 1

    # The turn

    def _swapped(self, seat: int, cell: int, other: int, *_: int) -> None:
        first, second = sorted((cell, other))
        text = f"{self.labels[seat]} swaps {self.pirate(first)} and {self.pirate(second)}."
        self.cells[first], self.cells[second] = self.cells[second], self.cells[first]
        self.say("swap", text, seat=seat, at=[first, second], plank=self.plank())

    def _push(self, cell: int, landing: int) -> None:
        """Push the block from `cell`; it ends on `landing`, behind the edge if somebody falls."""
        block = self.cells[cell:landing]
        if landing == len(self.cells):
            self.dropped.append(block.pop())
        self.cells[cell : cell + 1 + len(block)] = [EMPTY, *block]

    def _pushed(self, seat: int, cell: int, landing: int, *_: int) -> None:
        text = f"{self.labels[seat]} pushes {self.pirate(cell)}{self._carried(cell, landing)}."
        self._push(cell, landing)
        self.say("push1", text, seat=seat, at=cell, plank=self.plank())

    def _carried(self, cell: int, landing: int) -> str:
        others = landing - cell - 1
        return f" and {plural(others, 'other')} in front" if others else ""

    def _moved(self, seat: int, cell: int, end: int, target: int) -> None:
        text = f"{self.labels[seat]} moves {self.pirate(cell)} to the {ENDS[end]} position."
        letter = self.cells[cell]
        self.cells[cell] = EMPTY
        self.cells[target] = letter
        self.say("move1", text, seat=seat, at=cell, to=ENDS[end], plank=self.plank())

    def _skull(self, seat: int, *_: int) -> None:
        text = f"{self.labels[seat]} takes the skull: nothing happens."
        self.say("skull", text, seat=seat, plank=self.plank())

    def _lapsed(self, seat: int, symbol: int, *_: int) -> None:
        text = f"{self.labels[seat]} takes {SYMBOLS[symbol]}, which is impossible here: it lapses."
        self.say("lapsed", text, seat=seat, symbol=SYMBOLS[symbol], plank=self.plank())

    def _row(self, seat: int, cell: int, landing: int, *_: int) -> None:
        pirates = plural(landing - cell, "pirate")
        text = f"{self.labels[seat]} pushes the row from {cell} ({pirates})."
        self._push(cell, landing)
        self.say("row", text, seat=seat, row=cell, plank=self.plank())

    def _fall(self, colour: int, start: int, number: int, *_: int) -> None:
        letter = LETTERS[colour]
        if self.dropped.pop() != letter or len(self.fallen) != number:
            raise InternalError("The event log and the plank contradict each other.")
        self.fallen.append(letter)
        left = len(self.cells) - self.cells.count(EMPTY)
        text = f"A {COLOURS[colour]} pirate falls; {plural(left, 'pirate')} left."
        where = {"started_on": start} if self.starts_known else {}
        self.say("fall", text, colour=letter, **where, left=left)

    # The end

    def _over(self, colour: int, on_rose: int, *_: int) -> None:
        when = "no row is pushed" if on_rose else "the round is over"
        text = f"{self.plank()}  only {COLOURS[colour]} is left: {when}."
        self.say(
            "over", text, survivor=LETTERS[colour], row_skipped=bool(on_rose), plank=self.plank()
        )

    def _capped(self, turns: int, *_: int) -> None:
        text = f"The turn cap stops the round after {plural(turns, 'turn')}: nobody gets points."
        self.say("capped", text, turns=turns, plank=self.plank())

    def _points(self, seat: int, points: int, total: int, colour: int) -> None:
        text = f"{self.labels[seat]} ({COLOURS[colour]}) gets {plural(points, 'point')}"
        text += f", {total} so far." if total != points else "."
        self.say("points", text, seat=seat, points=points, total=total, colour=LETTERS[colour])

    def _won(self, seat: int, void: int, *_: int) -> None:
        if seat >= 0:
            text = f"{self.labels[seat]} wins the round."
        elif void:
            text = "Nobody holds the colour that is left: the round is void."
        else:
            text = "Nobody wins the round."
        self.say("won", text, seat=seat if seat >= 0 else None, void=bool(void))
