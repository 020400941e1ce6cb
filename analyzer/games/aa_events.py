"""All Aboard!: its own events in words."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.games.boats_events import BoatTeller


class AllAboardTeller(BoatTeller):
    """Tells fights and jumps too; love belongs to a boat's turn."""

    def __init__(
        self,
        labels: Sequence[str],
        owners: Sequence[str | int],
        animals: Sequence[str],
        points: Sequence[int],
    ) -> None:
        super().__init__(labels, owners, animals, points)
        self.handlers |= {self.code.FIGHT: self._fight, self.code.JUMPED: self._jumped}
        self.of_a_boat |= {self.code.LOVE, self.code.FIGHT, self.code.JUMPED}

    def _fight(self, boat: int, species: int, *_: int) -> None:
        self.loads[boat], self.sails[boat] = None, False
        animal = self.animals[species]
        text = f"Too many of a kind ({animal}) fight, and the boat sinks."
        self.say("fight", text, boat=boat, animal=animal)

    def _jumped(self, boat: int, fox: int, landing: int, *_: int) -> None:
        where = self.move_on(boat, fox, landing)
        text = f"{self.card(fox)} jumps {where}."
        self.say("jumped", text, boat=boat, **self.fields(fox), **self.landing(boat, landing))
