"""The events of Einfach tierisch in words.

The kernel logs what it did; `DiceTeller` follows the log, keeps the sheets beside it, and turns every
event into a record with a sentence. Turns count from 1 in sentences and from 0 in records; seats count
from 0 in both.
"""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.cache import kernel_module
from analyzer.errors import InternalError, plural
from analyzer.games.teller import Teller
from analyzer.games.words import listed

_TIMES = {1: "first", 2: "second", 3: "third"}
_PLURALS = {"mouse": "mice", "police": "police"}


def dice_in_words(symbols: Sequence[str]) -> str:
    """Return dice as ``two pigs and a mouse`` is written here: ``2 pigs and 1 mouse``."""
    parts = []
    for symbol in dict.fromkeys(symbols):
        count = symbols.count(symbol)
        name = symbol if count == 1 else _PLURALS.get(symbol, f"{symbol}s")
        parts.append(f"{count} {name}")
    return listed(parts, "nothing")


def symbols_of(counts: int, symbols: Sequence[str]) -> list[str]:
    """Return the dice of packed counts (``kernels.dice.multisets``) as symbols, in their order."""
    dice = kernel_module("kernels.dice.multisets")
    return [
        symbol
        for k, symbol in enumerate(symbols)
        for _ in range(counts >> dice.NIBBLE * k & dice.NIBBLE_MASK)
    ]


class DiceTeller(Teller):
    """Follows one log and tells it.

    Parameters
    ----------
    labels
        How each seat is called in sentences, as in ``"Seat 0"`` or ``"A"``.
    owners
        How each seat is named in records: its number, or the player's name.
    symbols
        Names of the five animals and of the police, in the order of the sheet.
    """

    def __init__(
        self, labels: Sequence[str], owners: Sequence[str | int], symbols: Sequence[str]
    ) -> None:
        super().__init__(labels)
        self.owners = owners
        self.symbols = symbols
        self.code = kernel_module("kernels.dice.events")
        self.dice = kernel_module("kernels.dice.multisets")
        self.boxes = [0] * len(labels)
        self.points = [0] * len(labels)
        self.handlers = {
            self.code.ANIMAL: self._animal,
            self.code.START: self._start,
            self.code.TURN: self._turn,
            self.code.ROLL: self._roll,
            self.code.KEEP: self._keep,
            self.code.RESULT: self._result,
            self.code.VOID: self._void,
            self.code.NOBODY: self._nobody,
            self.code.FORGO: self._forgo,
            self.code.MARK: self._mark,
            self.code.COMPLETE: self._complete,
            self.code.WIN: self.win,
            self.code.SCORE: self._score,
            self.code.TURN_CAP: self._turn_cap,
        }

    def names(self, counts: int) -> list[str]:
        """Return the symbols of packed counts."""
        return symbols_of(counts, self.symbols)

    # Play

    def _animal(self, seat: int, animal: int, *_: int) -> None:
        name = self.symbols[animal]
        self.say("animal", f"{self.labels[seat]} has the {name}.", seat=seat, animal=name)

    def _start(self, seat: int, *_: int) -> None:
        self.say("start", f"{self.labels[seat]} begins.", seat=seat)

    def _turn(self, turn: int, seat: int, *_: int) -> None:
        text = f"Turn {turn + 1}: {self.labels[seat]} rolls."
        self.say("turn", text, turn=turn, seat=seat)

    def _roll(self, seat: int, number: int, counts: int, *_: int) -> None:
        dice = self.names(counts)
        text = f"The {_TIMES[number]} roll: {dice_in_words(dice)}."
        self.say("roll", text, seat=seat, roll=number, dice=dice)

    def _keep(self, seat: int, number: int, counts: int, *_: int) -> None:
        dice = self.names(counts)
        text = f"{self.labels[seat]} sets aside {dice_in_words(dice)}."
        self.say("keep", text, seat=seat, roll=number, dice=dice)

    # Evaluation

    def _result(self, counts: int, leaders: int, *_: int) -> None:
        dice = self.names(counts)
        top = self.dice.NIBBLE - 1
        animals = [
            animal
            for k, animal in enumerate(self.symbols[: self.dice.ANIMALS])
            if leaders >> self.dice.NIBBLE * k + top & 1
        ]
        most = f"most frequent: {listed(animals)}" if animals else "no animal among them"
        text = f"The six dice: {dice_in_words(dice)}; {most}."
        self.say("result", text, dice=dice, leaders=animals)

    def _void(self, police: int, *_: int) -> None:
        text = f"{police} police: nobody marks anything."
        self.say("void", text, police=police)

    def _nobody(self, reason: int, *_: int) -> None:
        reasons = {
            self.code.NOTHING_OFFERED: "no animal is rarer than the most frequent ones",
            self.code.UNOWNED: "nobody has the most frequent animal",
            self.code.NO_ROOM: "the columns are full",
        }
        text = f"Nobody marks anything: {reasons[reason]}."
        self.say("nobody", text, reason=reasons[reason])

    def _forgo(self, seat: int, column: int, chosen: int, *_: int) -> None:
        name = self.symbols[column]
        how = "by choice" if chosen else "the emptiest column"
        text = f"Too many boxes: {self.labels[seat]} leaves out the {name} ({how})."
        self.say("forgo", text, owner=self.owners[seat], column=name, chosen=bool(chosen))

    def _mark(self, seat: int, column: int, marked: int, total: int) -> None:
        self.boxes[seat] += marked
        name = self.symbols[column]
        boxes = plural(marked, "box", "boxes")
        text = f"{self.labels[seat]} marks {boxes} of the {name}, {total} now."
        owner = self.owners[seat]
        self.say("mark", text, owner=owner, column=name, boxes=marked, total=total)

    def _complete(self, seat: int, column: int, worth: int, *_: int) -> None:
        self.points[seat] += worth
        name = self.symbols[column]
        reward = "a victory point" if worth else "but nobody has it, so no victory point"
        text = f"{self.labels[seat]} has the whole column of the {name}: {reward}."
        self.say("complete", text, owner=self.owners[seat], column=name, points=worth)

    # End

    def win(self, seat: int, *_: int) -> None:
        """Tell that a seat has won."""
        self.say("win", f"{self.labels[seat]} has won.", owner=self.owners[seat])

    def _turn_cap(self, turns: int, *_: int) -> None:
        text = f"Nobody has won after {plural(turns, 'turn')}; the game is stopped."
        self.say("turn_cap", text, turns=turns)

    def _score(self, seat: int, points: int, boxes: int, *_: int) -> None:
        if seat == 0:
            self.say("end", "Final result")
        if (self.points[seat], self.boxes[seat]) != (points, boxes):
            raise InternalError(
                f"The event log and the score of {self.labels[seat]} contradict each other "
                f"({self.points[seat]} and {points} points, {self.boxes[seat]} and {boxes} boxes)."
            )
        text = (
            f"{self.labels[seat]} has {plural(points, 'victory point')} and "
            f"{plural(boxes, 'marked box', 'marked boxes')}."
        )
        self.say("score", text, seat=seat, score=points, boxes=boxes)
