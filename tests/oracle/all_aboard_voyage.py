"""The boats of All Aboard! setting sail: love, fights, effects and scales, in plain Python.

This is the half of the referee that resolves one round; `tests.oracle.all_aboard` holds the
game around it. A boat is a list of `Animal` objects in boarding order (arrivals appended), and
every step of the rules is one short method. Ids such as AA-A27 name the entries of the table of
ambiguities.

Weights are counted in half units, because a mouse in love weighs half a kilo. A *single* animal
is one that is not in love.

Ties (our reading). Under the default ``fight_size=ge3`` two single animals aboard never weigh
the same. Under ``eq3`` four or five of a kind stay single, so equal weights are possible; every
choice among equals (the second heaviest for the monkey, the prey of the lion) then takes the
one that boarded first, and animals of one species act in boarding order.

Restricted play (no rule of the game): an *idle* animal comes without its effect. An idle mouse,
monkey or lion does not act, an idle fox does not jump, an idle octopus fares like a bear; but that a
fight spares octopuses is no effect (it holds with effects off), and spares idle ones too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

KILOS = {
    "mouse": 0,
    "peacock": -2,
    "fox": 2,
    "octopus": 3,
    "monkey": 4,
    "sloth": 5,
    "moose": 6,
    "zebra": 7,
    "giraffe": 8,
    "lion": 9,
    "bear": 10,
    "elephant": 11,
}
HALF_KILOS_IN_LOVE = {"mouse": 1, "peacock": 2}
POINTS = {
    "mouse": 1,
    "peacock": 2,
    "fox": 2,
    "octopus": 2,
    "monkey": 3,
    "sloth": 3,
    "moose": 4,
    "zebra": 4,
    "giraffe": 5,
    "lion": 5,
    "bear": 6,
    "elephant": 7,
}
SPECIES = tuple(POINTS)
"""The twelve species in the order in which pairs are paid: mouse first."""


@dataclass(eq=False)
class Animal:
    """One card aboard. Compared by identity."""

    species: str
    owner: int
    in_love: bool = False
    moves: int = 0
    frightened: bool = False
    idle: bool = False

    def half_kilos(self) -> int:
        """Return the current weight in half units; love changes two species (AA-A14)."""
        if self.in_love and self.species in HALF_KILOS_IN_LOVE:
            return HALF_KILOS_IN_LOVE[self.species]
        return 2 * KILOS[self.species]


def monkey_target(monkey: Animal, boat: list[Animal], reading: str) -> Animal | None:
    """Return the animal that a single monkey throws, or None (AA-A27 to AA-A30).

    Always: the monkey does not count himself; with fewer than two animals to rank he does
    nothing; current weights are compared (a mouse in love 0.5, a peacock in love 1); a lover is
    never thrown, and a lover in the place of the target is not passed over.

    ``target_blocks``
        Rank everybody else, lovers included. If the first and the second weigh the same
        (a pair at the top), nothing. If the second is in love (a pair behind a heavier single
        animal), nothing. Otherwise the second is thrown. A pair below the second changes
        nothing.
    ``ignore_lovers``
        Rank the single others only, as if the lovers were not aboard: they are no partner, no
        target, and do not count towards the two that he needs. If the first and the second
        single animal weigh the same (only possible under ``fight_size=eq3``), nothing.
    ``distinct_rank``
        Rank weights instead of animals, lovers included: the target has the greatest weight
        that is strictly lower than the heaviest, so a pair at the top acts as one partner and
        the animal behind it is thrown. If nobody is lighter (all weigh the same), nothing. If
        the target is in love (a pair behind a heavier animal), nothing.
    """
    others = [animal for animal in boat if animal is not monkey]
    if reading == "ignore_lovers":
        others = [animal for animal in others if not animal.in_love]
    if len(others) < 2:
        return None
    # sorted() is stable, with reverse too: equals stay in boarding order.
    ranked = sorted(others, key=Animal.half_kilos, reverse=True)
    heaviest = ranked[0]
    if reading == "distinct_rank":
        lighter = [a for a in ranked if a.half_kilos() < heaviest.half_kilos()]
        if not lighter:
            return None
        target = lighter[0]
    else:
        target = ranked[1]
        if target.half_kilos() == heaviest.half_kilos():
            return None
    if target.in_love:
        return None
    return target


def lion_target(lion: Animal, boat: list[Animal], reading: str) -> Animal | None:
    """Return the animal that a single lion eats, or None (AA-A31, AA-A32).

    It is the heaviest animal strictly lighter than the lion. Under ``target_blocks`` lovers are
    searched too, and a lover in that place saves everybody; under ``ignore_lovers`` only single
    animals are searched.
    """
    lighter = [animal for animal in boat if animal.half_kilos() < lion.half_kilos()]
    if reading == "ignore_lovers":
        lighter = [animal for animal in lighter if not animal.in_love]
    if not lighter:
        return None
    prey = max(lighter, key=Animal.half_kilos)  # max() keeps the first of equals
    if prey.in_love:
        return None
    return prey


class Voyage:
    """The boats of one round setting sail, from left to right, each completely.

    Parameters
    ----------
    boats
        Animals aboard each boat, in boarding order. Modified in place.
    capacities
        What each boat carries, in kilos. Modified in place.
    draw
        Called with the capacity of a boat that a mouse replaces; returns the new capacity.
    cupids_left
        Cards in the stack of cupids; ignored under ``cupid_supply=unlimited``.
    rulings
        All rulings, complete.
    """

    def __init__(
        self,
        boats: list[list[Animal]],
        capacities: list[int],
        draw: Callable[[int], int],
        cupids_left: int,
        rulings: dict,
    ) -> None:
        self.boats = boats
        self.capacities = capacities
        self.draw = draw
        self.cupids_left = cupids_left
        self.rulings = rulings
        self.effects_on = rulings["effects"] == "on"
        self.saved: list[Animal] = []
        self.discarded: list[Animal] = []
        self.cupid_owners: list[int] = []
        self.results: list[dict] = []
        self.replacements = 0
        self.trace: list[tuple] = []

    def resolve(self) -> None:
        """Resolve every boat; `saved`, `discarded`, `results` and the rest hold the outcome."""
        everybody = [animal for boat in self.boats for animal in boat]
        for i in range(len(self.boats)):
            self.resolve_boat(i)
            assert not self.boats[i], "a resolved boat is empty"
        assert Counter(map(id, everybody)) == Counter(map(id, self.saved + self.discarded))
        assert all(animal.moves <= len(self.boats) - 1 for animal in everybody)
        assert not any(animal.in_love and animal.frightened for animal in everybody)
        assert not any(animal.species == "elephant" and animal.moves for animal in everybody)
        if self.rulings["fight_size"] == "ge3":
            assert not any(animal.species == "monkey" and animal.moves for animal in everybody)

    def resolve_boat(self, i: int) -> None:
        """Love and fight first, then the effects, then the scales (AA-A06)."""
        fighters = self.love_and_fight(i)
        if fighters:
            self.sink_by_fight(i, fighters)
            return
        if self.rulings["fight_size"] == "ge3":
            singles = [animal.half_kilos() for animal in self.boats[i] if not animal.in_love]
            assert len(singles) == len(set(singles)), "no tie between single animals"
        if self.effects_on:
            self.act_all(i, "mouse", self.act_mouse)
            self.act_all(i, "monkey", self.act_monkey)
            self.act_all(i, "lion", self.act_lion)
        self.weigh(i)

    def love_and_fight(self, i: int) -> list[str]:
        """Make pairs fall in love and return the species that fight (AA-A07, AA-A12)."""
        fighters = []
        for species in SPECIES:
            group = [animal for animal in self.boats[i] if animal.species == species]
            if len(group) == 2:
                for lover in group:
                    assert not lover.in_love, "nobody falls in love twice"
                    lover.in_love = True
                self.trace.append(("love", i, species))
                self.pay_cupids(i, group)
            elif len(group) == 3 or (len(group) > 3 and self.rulings["fight_size"] == "ge3"):
                self.trace.append(("fight", i, species))
                fighters.append(species)
        return fighters

    def pay_cupids(self, i: int, pair: list[Animal]) -> None:
        """Give both owners a cupid, or neither when fewer than two are left (AA-A39)."""
        if self.rulings["cupid_supply"] == "finite":
            if self.cupids_left < 2:
                self.trace.append(("no_cupids", i, pair[0].species))
                return
            self.cupids_left -= 2
        self.cupid_owners += [lover.owner for lover in pair]

    def sink_by_fight(self, i: int, fighters: list[str]) -> None:
        """Sink a boat before any effect (AA-A08 to AA-A11).

        Octopuses that fight score. Foxes that fight jump only under ``fox_trio=jump``, and
        never when effects are off.
        """
        self.results.append({"capacity": self.capacities[i], "load": None, "sails": False})
        for animal in self.empty(i):
            if animal.species not in fighters:
                if self.rulings["fight_bystanders"] == "normal_sink":
                    self.go_down(i, animal)
                else:
                    self.discarded.append(animal)
            elif animal.species == "octopus":
                self.saved.append(animal)
            elif self.is_active(animal, "fox") and self.rulings["fox_trio"] == "jump":
                self.jump(i, animal)
            else:
                self.discarded.append(animal)

    def act_all(self, i: int, species: str, act: Callable[[int, Animal], None]) -> None:
        """Let each single animal of a species act once, unless it is gone by then."""
        for animal in [a for a in self.boats[i] if a.species == species and not a.in_love]:
            if animal in self.boats[i] and not animal.idle:
                act(i, animal)

    def act_mouse(self, i: int, mouse: Animal) -> None:
        """Replace the boat if a single elephant is aboard; it is no sinking (AA-A15)."""
        elephants = [a for a in self.boats[i] if a.species == "elephant" and not a.in_love]
        if not elephants:
            return
        if self.rulings["fight_size"] == "ge3":
            assert not elephants[0].frightened, "at most one replacement per elephant"
        elephants[0].frightened = True
        old = self.capacities[i]
        self.capacities[i] = self.draw(old)
        self.replacements += 1
        self.trace.append(("replace", i, old, self.capacities[i]))

    def act_monkey(self, i: int, monkey: Animal) -> None:
        """Throw the target to the next boat, or out of the last one (AA-A24 to AA-A26)."""
        target = monkey_target(monkey, self.boats[i], self.rulings["monkey_love"])
        if target is None:
            self.trace.append(("monkey_idle", i))
            return
        self.trace.append(("throw", i, target.species, target.owner))
        self.boats[i].remove(target)
        scores = self.rulings["last_boat_throw"] == "octopus_scores"
        swims = scores and self.is_active(target, "octopus")
        if i + 1 < len(self.boats):
            self.board(i + 1, target)
        elif swims:
            self.saved.append(target)
        else:
            self.discarded.append(target)

    def act_lion(self, i: int, lion: Animal) -> None:
        """Discard the prey; an eaten octopus scores nothing (AA-A33)."""
        prey = lion_target(lion, self.boats[i], self.rulings["lion_love"])
        if prey is None:
            self.trace.append(("lion_idle", i))
            return
        self.trace.append(("eat", i, prey.species, prey.owner))
        self.boats[i].remove(prey)
        self.discarded.append(prey)

    def weigh(self, i: int) -> None:
        """Sail at or below the capacity, else sink; a jump is not weighed again (AA-A20)."""
        half_kilos = sum(animal.half_kilos() for animal in self.boats[i])
        sails = half_kilos <= 2 * self.capacities[i]
        load = half_kilos // 2 if half_kilos % 2 == 0 else half_kilos / 2
        self.results.append({"capacity": self.capacities[i], "load": load, "sails": sails})
        self.trace.append(("weigh", i, load, self.capacities[i], sails))
        for animal in self.empty(i):
            if not sails:
                self.go_down(i, animal)
            elif self.is_active(animal, "octopus") and not animal.in_love:
                self.discarded.append(animal)
            else:
                self.saved.append(animal)

    def go_down(self, i: int, animal: Animal) -> None:
        """Sink with the boat: a single octopus scores, a single fox jumps (AA-A36, AA-A37)."""
        if self.is_active(animal, "octopus") and not animal.in_love:
            self.saved.append(animal)
        elif self.is_active(animal, "fox") and not animal.in_love:
            self.jump(i, animal)
        else:
            self.discarded.append(animal)

    def is_active(self, animal: Animal, species: str) -> bool:
        """Tell whether an animal is of a species and has that species' effect."""
        return self.effects_on and animal.species == species and not animal.idle

    def jump(self, i: int, fox: Animal) -> None:
        """Move a fox to the next boat; there is none after the last (AA-A22)."""
        self.trace.append(("jump", i, fox.species, fox.owner))
        if i + 1 < len(self.boats):
            self.board(i + 1, fox)
        else:
            self.discarded.append(fox)

    def board(self, i: int, animal: Animal) -> None:
        """Append an arrival; the limit of three counts for boarding cards only."""
        assert not animal.in_love, "a lover never moves"
        animal.moves += 1
        self.boats[i].append(animal)

    def empty(self, i: int) -> list[Animal]:
        """Take everybody off boat `i`, in boarding order."""
        animals, self.boats[i] = self.boats[i], []
        return animals
