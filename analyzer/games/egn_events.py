"""Einer geht noch!: its own events in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analyzer.games.boats_events import BoatTeller

#: The only animal whose points depend on love.
MOUSE = "mouse"


class EinerGehtNochTeller(BoatTeller):
    """Tells the reveal, the foxes' plans and arrivals too.

    Trios and love of the reveal come before any boat's turn, and an arrival may fall in love on a
    boat that has not had its turn, so these sentences name the boat.

    Parameters
    ----------
    rulings
        Complete: when love is looked at, and what a loving mouse scores.
    """

    sink = "capsize"

    def __init__(
        self,
        labels: Sequence[str],
        owners: Sequence[str | int],
        animals: Sequence[str],
        points: Sequence[int],
        score_unit: int,
        rulings: Mapping[str, Any],
    ) -> None:
        super().__init__(labels, owners, animals, points, score_unit)
        self.loving_mouse = rulings["loved_mouse_score"]
        self.in_love: set[int] = set()
        self.handlers |= {
            self.code.SENT: self._sent,
            self.code.BACKFIRED: self._backfired,
            self.code.TRIO: self._trio,
            self.code.REMOVED: self._removed,
            self.code.PARTED: self._parted,
        }
        self.of_a_boat |= {self.code.SENT, self.code.BACKFIRED}
        if rulings["love_timing"] == "boat_start":
            self.of_a_boat.add(self.code.LOVE)

    def worth(self, card: int) -> int | float:
        """Return the points of a saved card; a loving mouse has a ruling of its own."""
        if card in self.in_love and self.animals[card // self.stride] == MOUSE:
            return self.loving_mouse
        return super().worth(card)

    def replacement(self, old: int, new: int) -> str:
        """Return in words what a mouse changes."""
        return f"the tile of {old} kg goes back into the supply, and one of {new} kg is turned up"

    def love_text(self, boat: int, one: int, other: int, reward: str) -> str:
        """Return the sentence of two animals that fall in love."""
        return f"On boat {boat + 1} {super().love_text(boat, one, other, reward)}"

    def _love(self, boat: int, one: int, other: int, paid: int) -> None:
        self.reveal()
        self.in_love |= {one, other}
        super()._love(boat, one, other, paid)

    def _parted(self, boat: int, species: int, *_: int) -> None:
        kind = {card for card in self.aboard[boat] if card // self.stride == species}
        self.in_love -= kind
        animal = self.animals[species]
        text = f"On boat {boat + 1} a third {animal} has arrived, and the love of the two ends."
        self.say("parted", text, boat=boat, animal=animal)

    def _trio(self, boat: int, species: int, *_: int) -> None:
        self.reveal()
        animal = self.animals[species]
        text = f"Three or more of a kind ({animal}) leave boat {boat + 1}."
        self.say("trio", text, boat=boat, animal=animal)

    def _removed(self, boat: int, card: int, *_: int) -> None:
        self.aboard[boat].remove(card)
        text = f"{self.card(card)} is out of the game."
        self.say("removed", text, boat=boat, **self.fields(card))

    def _kept(self, boat: int, card: int, *_: int) -> None:
        self.aboard[boat].remove(card)
        super()._kept(boat, card)

    def _sent(self, boat: int, fox: int, card: int, landing: int) -> None:
        where = self.move_on(boat, card, landing)
        text = f"{self.card(fox)} sends {self.object(fox, card)} {where}."
        fields = {**self.fields(fox), **self.fields(card, "sent_")}
        self.say("sent", text, boat=boat, **fields, **self.landing(boat, landing))

    def _backfired(self, boat: int, fox: int, *_: int) -> None:
        self.aboard[boat].remove(fox)
        text = f"{self.card(fox)} finds the boat not too heavy: its plan fails, and it is lost."
        self.say("backfired", text, boat=boat, **self.fields(fox))
