"""A boat game's events in words (both boat games).

The kernel logs what it did; `BoatTeller` follows the log, keeps the boats and the scores beside it,
and turns every event into a record with a sentence. Boats and rounds count from 1 in sentences, as
people do, and from 0 in records, as everywhere else in JSON; seats count from 0 in both.
"""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.cache import kernel_module
from analyzer.errors import InternalError, plural
from analyzer.games.teller import Record, Teller
from analyzer.games.words import listed, plain


class BoatTeller(Teller):
    """Follows one log and tells it; a game's own teller adds its own events.

    Parameters
    ----------
    labels
        How each seat is called in sentences, as in ``"Seat 0"`` or ``"A"``.
    owners
        How each seat is named in records: its number, or the player's name.
    animals, points
        Names and points of the species, lightest first.
    score_unit
        How many units of a logged score make a point.
    """

    #: What a boat does that is too heavy, as a verb.
    sink = "sink"

    def __init__(
        self,
        labels: Sequence[str],
        owners: Sequence[str | int],
        animals: Sequence[str],
        points: Sequence[int],
        score_unit: int = 1,
    ) -> None:
        cards = kernel_module("kernels.boats.cards")
        super().__init__(labels)
        self.owners = owners
        self.animals = animals
        self.points = points
        self.score_unit = score_unit
        self.points_per_cupid = cards.POINTS_PER_CUPID
        self.stride = cards.SEAT_STRIDE
        self.nibble, self.nibble_mask = cards.NIBBLE, cards.NIBBLE_MASK
        self.code = kernel_module("kernels.boats.events")
        self.capacities: dict[int, int] = {}
        self.loads: dict[int, int | None] = {}
        self.sails: dict[int, bool] = {}
        self.aboard: dict[int, list[int]] = {}
        self.hidden: list[tuple[int, int]] = []
        self.kept: list[int] = []
        self.cupids = [0] * len(labels)
        self.round = -1
        self.boat = -1
        self.handlers = {
            self.code.ROUND: self._round,
            self.code.CAPACITY: self._capacity,
            self.code.DECK: self._deck,
            self.code.PLAY: self._play,
            self.code.LOVE: self._love,
            self.code.REPLACED: self._replaced,
            self.code.THROWN: self._thrown,
            self.code.EATEN: self._eaten,
            self.code.IDLE: self._idle,
            self.code.WEIGHED: self._weighed,
            self.code.KEPT: self._kept,
            self.code.DISCARDED: self._discarded,
            self.code.SUNK: self._sunk,
            self.code.START: self._start,
            self.code.SCORE: self._score,
        }
        #: Events of a boat's turn: the first one of each boat is preceded by who is aboard.
        self.of_a_boat = {
            self.code.REPLACED,
            self.code.THROWN,
            self.code.EATEN,
            self.code.IDLE,
            self.code.WEIGHED,
        }

    def before(self, code: int, cells: Sequence[int]) -> None:
        """Turn to the boat of an event."""
        if code in self.of_a_boat:
            self._turn_to(cells[0])

    def place(self, boat: int, capacity: int, cards: Sequence[int]) -> None:
        """Set a boat up: its capacity and who is aboard, in boarding order."""
        self.capacities[boat] = capacity
        self.aboard[boat] = list(cards)

    def card(self, card: int) -> str:
        """Return a card in words: ``seat 0's bear``."""
        return f"{self.labels[card % self.stride]}'s {self.animals[card // self.stride]}"

    def object(self, actor: int, card: int) -> str:
        """Return in words the card that another one, or itself, moves."""
        return "itself" if card == actor else self.card(card)

    def fields(self, card: int, prefix: str = "") -> Record:
        """Return a card as record fields."""
        return {
            f"{prefix}animal": self.animals[card // self.stride],
            f"{prefix}owner": self.owners[card % self.stride],
        }

    def worth(self, card: int) -> int | float:
        """Return the points of a saved card."""
        return self.points[card // self.stride]

    def totals(self) -> list[int | float]:
        """Return every seat's points so far, cupids included."""
        totals = [self.points_per_cupid * cupids for cupids in self.cupids]
        for card in self.kept:
            totals[card % self.stride] += self.worth(card)
        return [plain(total) for total in totals]

    # Play

    def _start(self, seat: int, *_: int) -> None:
        self.say("start", f"{self.labels[seat]} begins.", seat=seat)

    def _deck(self, seat: int, deck: int, *_: int) -> None:
        names = [
            self.animals[deck >> self.nibble * k & self.nibble_mask]
            for k in range(len(self.animals))
        ]
        text = f"{self.labels[seat]} will draw {', '.join(names)}."
        self.say("deck", text, seat=seat, deck=names)

    def _round(self, round_: int, *_: int) -> None:
        self.close_round()
        self.round = round_
        self.boat = -1
        self.capacities.clear()
        self.aboard.clear()
        self.say("round", f"Round {round_ + 1}", round=round_)

    def _capacity(self, boat: int, capacity: int, *_: int) -> None:
        self.place(boat, capacity, [])
        text = f"Boat {boat + 1} carries {capacity} kg."
        self.say("capacity", text, boat=boat, capacity=capacity)

    def _play(self, seat: int, card: int, boat: int, face: int) -> None:
        down = face == self.code.DOWN
        self.aboard[boat].append(card)
        if down:
            self.hidden.append((card, boat))
        way = "face down" if down else "face up"
        animal = self.animals[card // self.stride]
        text = f"{self.labels[seat]} plays the {animal} {way} to boat {boat + 1}."
        face_name = "down" if down else "up"
        self.say("play", text, seat=seat, animal=animal, boat=boat, face=face_name)

    def close_round(self) -> None:
        """Tell the standing after a round that has been resolved."""
        if self.round < 0:
            return
        totals = self.totals()
        parts = [f"{label} {total}" for label, total in zip(self.labels, totals, strict=True)]
        text = f"After round {self.round + 1}: {', '.join(parts)} points."
        self.say("standing", text, round=self.round, scores=totals, cupids=list(self.cupids))

    # Resolution

    def reveal(self) -> None:
        """Tell which cards lay face down, once a round."""
        if self.hidden:
            shown = [f"{self.card(card)} on boat {where + 1}" for card, where in self.hidden]
            cards = [{**self.fields(card), "boat": where} for card, where in self.hidden]
            text = f"The cards lying face down are turned up: {listed(shown)}."
            self.say("reveal", text, cards=cards)
            self.hidden = []

    def _turn_to(self, boat: int) -> None:
        if boat == self.boat:
            return
        self.reveal()
        self.boat = boat
        cards = self.aboard.setdefault(boat, [])
        capacity = self.capacities[boat]
        text = (
            f"Boat {boat + 1}, which carries {capacity} kg: "
            f"{listed([self.card(card) for card in cards])} aboard."
        )
        owners = [[self.animals[c // self.stride], self.owners[c % self.stride]] for c in cards]
        self.say("boat", text, boat=boat, capacity=capacity, animals=owners)

    def _love(self, boat: int, one: int, other: int, paid: int) -> None:
        if paid:
            for card in (one, other):
                self.cupids[card % self.stride] += 1
            reward = "each owner takes a cupid"
        else:
            reward = "but too few cupids are left"
        text = self.love_text(boat, one, other, reward)
        owners = [self.owners[card % self.stride] for card in (one, other)]
        animal = self.animals[one // self.stride]
        self.say("love", text, boat=boat, animal=animal, owners=owners, cupids=paid)

    def love_text(self, boat: int, one: int, other: int, reward: str) -> str:
        """Return the sentence of two animals that fall in love."""
        return f"{self.card(one)} and {self.card(other)} fall in love; {reward}."

    def _replaced(self, boat: int, old: int, new: int, mouse: int) -> None:
        self.capacities[boat] = new
        text = f"{self.card(mouse)} frightens the elephant: {self.replacement(old, new)}."
        self.say("replaced", text, boat=boat, old=old, new=new, **self.fields(mouse))

    def replacement(self, old: int, new: int) -> str:
        """Return in words what a mouse changes."""
        return f"the boat of {old} kg is replaced by one of {new} kg"

    def move_on(self, boat: int, card: int, landing: int) -> str:
        """Take a card off its boat to where it lands; return that in words."""
        self.aboard[boat].remove(card)
        if landing == self.code.NEXT_BOAT:
            self.aboard.setdefault(boat + 1, []).append(card)
            return f"to boat {boat + 2}"
        if landing == self.code.SWIMS:
            self.kept.append(card)
            return "out of the last boat, and it swims ashore and scores"
        return "out of the last boat, and it is lost"

    def landing(self, boat: int, landing: int) -> Record:
        """Return where a card of a boat lands as record fields."""
        names = {
            self.code.NEXT_BOAT: "boat",
            self.code.OVERBOARD: "lost",
            self.code.SWIMS: "saved",
        }
        to = {"to": names[landing]}
        return {**to, "to_boat": boat + 1} if landing == self.code.NEXT_BOAT else to

    def _thrown(self, boat: int, monkey: int, card: int, landing: int) -> None:
        where = self.move_on(boat, card, landing)
        text = f"{self.card(monkey)} throws {self.object(monkey, card)} {where}."
        fields = {**self.fields(monkey), **self.fields(card, "thrown_")}
        self.say("thrown", text, boat=boat, **fields, **self.landing(boat, landing))

    def _eaten(self, boat: int, lion: int, card: int, swims: int) -> None:
        self.aboard[boat].remove(card)
        escape = ""
        if swims:
            self.kept.append(card)
            escape = ", which swims ashore and scores"
        text = f"{self.card(lion)} eats {self.card(card)}{escape}."
        fields = {**self.fields(lion), **self.fields(card, "eaten_")}
        self.say("eaten", text, boat=boat, **fields, **({"to": "saved"} if swims else {}))

    def _idle(self, boat: int, card: int, reason: int, *_: int) -> None:
        reasons = {
            self.code.ALONE: "too few others to choose from are aboard",
            self.code.EQUAL: "the heaviest others weigh the same",
            self.code.TARGET_LOVES: "the one it would choose is in love",
            self.code.NOTHING_LIGHTER: "nobody lighter to choose is aboard",
            self.code.LOVERS_ABOARD: "lovers are aboard",
        }
        text = f"{self.card(card)} has no effect: {reasons[reason]}."
        self.say("idle", text, boat=boat, **self.fields(card), reason=reasons[reason])

    def _weighed(self, boat: int, load: int, capacity: int, sails: int) -> None:
        # Whole: the mice of a pair, which weigh half a kilo each, never part.
        self.loads[boat], self.sails[boat] = load, bool(sails)
        outcome = "sails" if sails else f"{self.sink}s"
        text = f"Boat {boat + 1} holds {load} kg of {capacity} kg and {outcome}."
        self.say("weighed", text, boat=boat, load=load, capacity=capacity, sails=bool(sails))

    def _kept(self, boat: int, card: int, *_: int) -> None:
        self.kept.append(card)
        text = f"{self.card(card)} is saved ({plural(self.worth(card), 'point')})."
        self.say("kept", text, boat=boat, **self.fields(card))

    def _discarded(self, boat: int, card: int, *_: int) -> None:
        text = f"{self.card(card)} is discarded, since the boat did not {self.sink}."
        self.say("discarded", text, boat=boat, **self.fields(card))

    def _sunk(self, boat: int, card: int, *_: int) -> None:
        self.say("sunk", f"{self.card(card)} is lost.", boat=boat, **self.fields(card))

    # End

    def _score(self, seat: int, units: int, cupids: int, saved: int) -> None:
        score = plain(units / self.score_unit)
        if seat == 0:
            self.close_round()
            self.say("end", "Final result")
        told = sum(card % self.stride == seat for card in self.kept)
        if (self.totals()[seat], self.cupids[seat], told) != (score, cupids, saved):
            raise InternalError(
                f"The event log and the score of {self.labels[seat]} contradict each other "
                f"({self.totals()[seat]} and {score} points)."
            )
        text = (
            f"{self.labels[seat]} has {plural(score, 'point')}, {plural(cupids, 'cupid')} among "
            f"them, and {plural(saved, 'saved animal')}."
        )
        self.say("score", text, seat=seat, score=score, cupids=cupids, saved=saved)
