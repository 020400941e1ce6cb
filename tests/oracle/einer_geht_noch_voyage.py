"""One round of *Einer geht noch!* (EGN), from the reveal to the harbour.

The half of the referee that knows what animals do; `tests.oracle.einer_geht_noch` is its front.

Seats and boats count from 0. An animal is *single* unless it is love-struck. Weights are exact:
a loving mouse weighs a half (EGN-A35), everything else whole kilos.

Restricted play (no rule of the game): an *idle* animal comes without what its species does. An idle
mouse, fox, monkey or lion does not act, an idle peacock dazzles nobody, an idle squid cannot swim and
arrives with its boat like a land animal.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

GAME = "einer-geht-noch"
PLAYERS = (2, 5)

SPECIES = (
    "mouse", "peacock", "fox", "squid", "monkey", "sloth",
    "deer", "zebra", "giraffe", "lion", "bear", "elephant",
)  # fmt: skip
WEIGHT = {species: rank for rank, species in enumerate(SPECIES)}  # EGN-A03, peacock: a ruling
ACTIVE = ("mouse", "fox", "monkey", "lion")  # in the order in which they act on a boat

MOST_BOATS, CUPIDS, TILES = 5, 20, 30

RULINGS: dict[str, tuple] = {
    "cupid_supply": ("finite", "unlimited"),
    "start_player": ("seat0", "random"),
    "peacock_weight": (1, 0, 2, 3),
    "love_timing": ("dynamic", "boat_start", "reveal_only"),
    "third_arrival": ("love_sticks", "love_breaks", "remove_three"),
    "fox_love": (
        "any_pair_blocks",
        "true_heaviest_blocks",
        "target_blocks",
        "target_blocks_success_only",
        "ignore_lovers",
    ),
    "fox_self_target": ("yes", "no"),
    "monkey_love": ("any_pair_blocks", "target_blocks", "ignore_lovers"),
    "monkey_min3_peacock": ("nothing", "peacock_throws"),
    "lion_love": ("target_blocks", "ignore_lovers"),
    "tie_break": ("unloved_first_boarded", "last_boarded", "lowest_seat", "blocked"),
    "eaten_squid": ("removed", "swims"),
    "loved_squid": ("swims", "land_animal"),
    "loved_mouse_score": (0, 0.5),
    "tile_replace": ("return_then_draw", "draw_then_return"),
    "final_tie": ("shared", "no_winner"),
}
_TILE_COUNTS = {10: 2, 11: 2, 12: 3, 13: 3, 14: 3, 15: 4, 16: 3, 17: 3, 18: 3, 19: 2, 20: 2}
DEFAULT_TILE_DECK = tuple(tile for tile, count in _TILE_COUNTS.items() for _ in range(count))


class PositionError(ValueError):
    """A position or a set-up that cannot be; the message begins with the field."""


def need(condition: bool, field: str, why: str) -> None:
    """Refuse an input that does not meet the condition."""
    if not condition:
        raise PositionError(f"{field}: {why}")


def fact(condition: bool, text: str) -> None:
    """Assert what the rules prove; unlike ``assert`` it stays under ``python -O``."""
    if not condition:
        raise AssertionError(text)


def is_int(value: object, low: int, high: int | None = None) -> bool:
    """Whether `value` is a whole number of that range (truth values are none)."""
    right_type = isinstance(value, int) and not isinstance(value, bool)
    return right_type and value >= low and (high is None or value <= high)


def check_keys(given: object, field: str, needed: set, optional: set) -> None:
    """Refuse an object that lacks a key or has an unknown one."""
    need(isinstance(given, dict), field, "must be an object")
    missing, unknown = needed - set(given), set(given) - needed - optional
    need(not missing, field, f"lacks {sorted(missing)}")
    need(not unknown, field, f"unknown {sorted(map(str, unknown))}")


def plain(number: Fraction) -> int | float:
    """A number for JSON: whole where it is whole."""
    return int(number) if number.denominator == 1 else float(number)


def tile_deck(given: object, field: str = "tile_deck") -> list[int]:
    """Thirty tile values, from a list or from text such as ``"10:15 20:15"``."""
    if isinstance(given, str):
        tiles = []
        for pair in given.replace(",", " ").split():
            value, colon, count = pair.partition(":")
            well_formed = bool(colon) and value.isdecimal() and count.isdecimal()
            need(well_formed and len(count) < 4, field, f"{pair!r} is no value:count pair")
            tiles += [int(value)] * int(count)
    else:
        need(isinstance(given, list | tuple), field, "must be a list or value:count pairs")
        tiles = list(given)
    need(all(is_int(tile, 0) for tile in tiles), field, "tiles are whole numbers from 0")
    need(len(tiles) == TILES, field, f"must be {TILES} tiles, not {len(tiles)}")
    return tiles


def check_rulings(given: object) -> dict:
    """All rulings in force: the defaults, overridden by what is given."""
    need(isinstance(given, dict), "rulings", "must be an object")
    rulings = {name: values[0] for name, values in RULINGS.items()}
    rulings["tile_deck"] = list(DEFAULT_TILE_DECK)
    for name, value in given.items():
        field = f"rulings.{name}"
        need(name in rulings, field, f"unknown ruling; choices: {', '.join(sorted(rulings))}")
        if name == "tile_deck":
            rulings[name] = tile_deck(value, field)
            continue
        known = value in RULINGS[name] and not isinstance(value, bool)
        need(known, field, f"unknown value {value!r}; choices: {RULINGS[name]}")
        rulings[name] = value
    return rulings


class Animal:
    """One card: its species, the seat that owns it, and what happened to it."""

    def __init__(self, species: str, seat: int) -> None:
        self.species = species
        self.seat = seat
        self.loved = False
        self.cupids = 0
        self.idle = False


class Boat:
    """A boat: its weight tile, and the animals aboard in boarding order."""

    def __init__(self, capacity: int, animals: list[Animal]) -> None:
        self.capacity = capacity
        self.animals = animals

    def of(self, species: str) -> list[Animal]:
        return [animal for animal in self.animals if animal.species == species]


class Voyage:
    """One round from the reveal to the harbour (EGN 1.4).

    Parameters
    ----------
    rulings : dict
        As `check_rulings` returns them.
    boats : list of Boat
        Loaded boats; changed in place.
    seats : int
        Number of players.
    stack : int
        Cupid cards left; without meaning under ``cupid_supply=unlimited``.
    new_tile : callable
        Takes the old tile of a boat and returns the new one (the mouse).
    """

    def __init__(
        self, rulings: dict, boats: list[Boat], seats: int, stack: int,
        new_tile: Callable[[int], int],
    ) -> None:  # fmt: skip
        self.rulings = rulings
        self.boats = boats
        self.stack = stack
        self.new_tile = new_tile
        self.harbor: list[list[Animal]] = [[] for _ in range(seats)]
        self.removed: list[Animal] = []
        self.cupids = [0] * seats
        self.trace: list[tuple] = []
        self.acting = -1  # the boat whose animals act now

    def run(self) -> list[dict]:
        """Resolve the round; one ``{"capacity", "load", "sails"}`` per boat."""
        self.remove_trios()
        if self.rulings["love_timing"] != "boat_start":
            for i in range(len(self.boats)):
                self.find_love(i)
        for i in range(len(self.boats)):
            self.acting = i
            if self.rulings["love_timing"] == "boat_start":
                self.find_love(i)
            self.act(i)
        return [self.weigh(i) for i in range(len(self.boats))]

    # -- weights ---------------------------------------------------------------------------

    def card_weight(self, species: str) -> Fraction:
        """Kilos of one card (EGN-A03)."""
        if species == "peacock":
            return Fraction(self.rulings["peacock_weight"])
        return Fraction(WEIGHT[species])

    def weight(self, animal: Animal) -> Fraction:
        """Kilos aboard: as on the card, but each of two loving mice weighs a half (EGN-A35)."""
        if animal.species == "mouse" and animal.loved:
            return Fraction(1, 2)
        return self.card_weight(animal.species)

    def load(self, boat: Boat) -> Fraction:
        """Everybody aboard counts: lovers, squid, the fox himself (EGN-A21)."""
        return sum((self.weight(animal) for animal in boat.animals), Fraction(0))

    def points(self, animal: Animal) -> Fraction:
        """Worth in the harbour; `loved_mouse_score` for a mouse still in love (EGN-A36)."""
        if animal.species == "mouse":
            return Fraction(self.rulings["loved_mouse_score"]) if animal.loved else Fraction(0)
        return self.weight(animal)

    def heaviest(self, animals: list[Animal]) -> Animal | None:
        """The heaviest of `animals` (in boarding order), ties by `tie_break` (EGN-A31).

        All animals of the greatest weight tie, whatever their species: `peacock_weight` 0, 2 or
        3 makes different species equal. Single animals come before love-struck ones. Among the
        single ones: *unloved_first_boarded* takes the first in boarding order, *last_boarded*
        the last, *lowest_seat* the lowest seat (then the first boarded: one seat can own two
        equally heavy species). *blocked*: None, the action does not happen. A tie among
        nothing but love-struck animals needs no breaking: whichever is meant is in love.
        """
        top = max((self.weight(animal) for animal in animals), default=None)
        tied = [animal for animal in animals if self.weight(animal) == top]
        single = [animal for animal in tied if not animal.loved]
        if not single:
            return tied[0] if tied else None
        rule = self.rulings["tie_break"]
        if rule == "blocked":
            return tied[0] if len(tied) == 1 else None
        if rule == "last_boarded":
            return single[-1]
        if rule == "lowest_seat":
            return min(single, key=lambda animal: animal.seat)
        return single[0]

    # -- leaving the table -----------------------------------------------------------------

    def to_harbor(self, animal: Animal) -> None:
        self.harbor[animal.seat].append(animal)

    def to_box(self, animal: Animal) -> None:
        self.removed.append(animal)

    def swim_or_box(self, animal: Animal) -> None:
        """Squid swim to the harbour, any other animal is out of the game."""
        swims = animal.species == "squid" and not animal.idle
        (self.to_harbor if swims else self.to_box)(animal)

    def leave(self, animal: Animal, i: int) -> None:
        """Take a single animal off boat i; no action touches lovers (EGN 1.6-5)."""
        fact(not animal.loved, "a love-struck animal left its boat")
        self.boats[i].animals.remove(animal)

    # -- trios and love --------------------------------------------------------------------

    def remove_trios(self) -> None:
        """Three or more of one species on a boat at the reveal leave it (EGN R1, A40)."""
        for i, boat in enumerate(self.boats):
            for species in SPECIES:
                trio = boat.of(species)
                if len(trio) >= 3:
                    self.trace.append(("trio", i, species))
                    for animal in trio:
                        boat.animals.remove(animal)
                        self.swim_or_box(animal)

    def find_love(self, i: int) -> None:
        """Exactly two of a species on boat i fall in love (EGN R2), the lightest species first.

        Species of one weight (a ruling's peacock) follow the order of `SPECIES`; the order
        matters only when the cupids run out.
        """
        for species in sorted(SPECIES, key=self.card_weight):  # sorted() keeps equals in order
            pair = self.boats[i].of(species)
            if len(pair) == 2:
                self.fall_in_love(pair, i)

    def fall_in_love(self, pair: list[Animal], i: int) -> None:
        """Mark the pair and pay it: two cupids at once or none (EGN-A13, 1.6-6)."""
        fact(not pair[0].loved and not pair[1].loved, "love needs two single animals")
        endless = self.rulings["cupid_supply"] == "unlimited"
        paid = endless or self.stack >= 2
        for animal in pair:
            animal.loved = True
            if paid:
                animal.cupids += 1
                self.cupids[animal.seat] += 1
                once = animal.cupids == 1 or self.rulings["third_arrival"] == "love_breaks"
                fact(once, "an animal took two cupids (EGN 1.6-5)")
        if paid and not endless:
            self.stack -= 2
        self.trace.append(("love", i, pair[0].species, pair[0].seat, pair[1].seat, paid))

    def arrive(self, animal: Animal, i: int) -> None:
        """Put a moved animal on boat i, which has not acted yet (EGN 1.6-3).

        Only ``love_timing=dynamic`` looks at love here: two of the species now fall in love;
        with three or more `third_arrival` decides. *love_sticks*: the pair stays in love, the
        newcomer is single (and so is any later one). *love_breaks*: all of the species are
        single; cupids stay where they are. *remove_three*: all of them leave the game, squid
        swim, in love or not. Under *boat_start* and *reveal_only* nothing happens.
        """
        fact(i > self.acting, "an animal arrived on a boat that had acted")
        boat = self.boats[i]
        boat.animals.append(animal)
        if self.rulings["love_timing"] != "dynamic":
            return
        same = boat.of(animal.species)
        if len(same) == 2:
            self.fall_in_love(same, i)
        elif len(same) >= 3:
            self.trace.append(("third", i, animal.species))
            if self.rulings["third_arrival"] == "love_breaks":
                for one in same:
                    one.loved = False
            elif self.rulings["third_arrival"] == "remove_three":
                for one in same:
                    boat.animals.remove(one)
                    self.swim_or_box(one)

    # -- actions ---------------------------------------------------------------------------

    def act(self, i: int) -> None:
        """All actions on boat i: lightest species first, one species in boarding order.

        The queue is made once. Who has left or is in love does not act; who was sent here acts
        here even if it acted before (EGN-A14, A15).
        """
        boat = self.boats[i]
        self.check_singles(boat)
        queue = [animal for species in ACTIVE for animal in boat.of(species)]
        for animal in queue:
            if animal in boat.animals and not animal.loved and not animal.idle:
                getattr(self, animal.species)(animal, i)

    def check_singles(self, boat: Boat) -> None:
        """Two single animals of a species stand beside a loving pair of it (EGN 1.6-4)."""
        usual = (self.rulings["love_timing"], self.rulings["third_arrival"])
        if usual == ("dynamic", "love_sticks"):
            for species in SPECIES:
                loved = [animal.loved for animal in boat.of(species)]
                fact(loved.count(False) < 2 or loved.count(True) == 2, "a single pair")

    def send(self, animal: Animal, i: int) -> None:
        """From boat i to the next one; from the last one overboard, where squid swim."""
        self.leave(animal, i)
        self.trace.append(("send", i, animal.species, animal.seat))
        if i + 1 < len(self.boats):
            self.arrive(animal, i + 1)
        else:
            self.swim_or_box(animal)

    def mouse(self, mouse: Animal, i: int) -> None:
        """A new tile if an elephant is aboard and no mouse or elephant is in love (A17)."""
        boat = self.boats[i]
        elephants = boat.of("elephant")
        if elephants and not any(animal.loved for animal in boat.of("mouse") + elephants):
            self.trace.append(("tile", i, boat.capacity))
            boat.capacity = self.new_tile(boat.capacity)

    def single_peacocks(self, boat: Boat) -> list[Animal]:
        """Peacocks that dazzle: those not in love (EGN-A23)."""
        return [a for a in boat.of("peacock") if not a.loved and not a.idle]

    def fox_target(self, fox: Animal, boat: Boat) -> Animal | None:
        """Whom the fox would send: a single peacock before the heaviest animal.

        The fox is among the candidates unless ``fox_self_target=no``. Lovers are candidates
        unless ``fox_love=ignore_lovers``. None if nobody is left or a tie is blocked.
        """
        peacocks = self.single_peacocks(boat)
        if peacocks:
            return self.heaviest(peacocks)
        candidates = list(boat.animals)
        if self.rulings["fox_self_target"] == "no":
            candidates.remove(fox)
        if self.rulings["fox_love"] == "ignore_lovers":
            candidates = [animal for animal in candidates if not animal.loved]
        return self.heaviest(candidates)

    def love_stops_fox(self, target: Animal | None, boat: Boat) -> bool:
        """Whether love keeps the fox from his plan, be the boat overloaded or not (A18, A19).

        *any_pair_blocks*: any love-struck animal aboard. *true_heaviest_blocks*: some animal
        of the greatest weight of all aboard (the fox counts, the peacock at its true weight)
        is love-struck. *target_blocks*: the animal that he would send is love-struck; a
        single peacock never is. *target_blocks_success_only*, *ignore_lovers*: never.
        """
        ruling = self.rulings["fox_love"]
        if ruling == "any_pair_blocks":
            return any(animal.loved for animal in boat.animals)
        if ruling == "true_heaviest_blocks":
            top = max(self.weight(animal) for animal in boat.animals)
            return any(animal.loved for animal in boat.animals if self.weight(animal) == top)
        return ruling == "target_blocks" and target is not None and target.loved

    def fox(self, fox: Animal, i: int) -> None:
        """Overloaded boat: send the target. Else the fox leaves the game (EGN-A18 to A23).

        A love-struck target stays even where love does not stop the fox beforehand:
        *target_blocks_success_only*, and *true_heaviest_blocks* when the fox is the heaviest
        but may not send himself.
        """
        boat = self.boats[i]
        target = self.fox_target(fox, boat)
        if self.love_stops_fox(target, boat):
            self.trace.append(("fox idle", i))
        elif self.load(boat) <= boat.capacity:
            self.trace.append(("fox fails", i, fox.seat))
            self.leave(fox, i)
            self.to_box(fox)
        elif target is not None and not target.loved:
            if target is fox and boat.capacity >= 3:
                names = ("love_timing", "third_arrival", "fox_love")
                usual = all(self.rulings[name] == RULINGS[name][0] for name in names)
                fact(not usual, "the fox sent himself off a boat that holds him (EGN 1.6-7)")
            self.send(target, i)

    def monkey_target(self, monkey: Animal, boat: Boat) -> Animal | None:
        """Whom the monkey has thrown, or None (EGN-A24 to A27).

        *ignore_lovers* does as if lovers were not aboard. Fewer than three animals: nothing,
        but under ``monkey_min3_peacock=peacock_throws`` a single peacock beside him throws the
        monkey. With single peacocks, one of them (`tie_break`) throws the heaviest of all the
        others, the monkey included. Without, the heaviest animal but the monkey throws the
        heaviest of the rest; `tie_break` settles both choices, in this order.
        """
        aboard = list(boat.animals)
        if self.rulings["monkey_love"] == "ignore_lovers":
            aboard = [animal for animal in aboard if not animal.loved]
        peacocks = self.single_peacocks(boat)
        throws = self.rulings["monkey_min3_peacock"] == "peacock_throws" and bool(peacocks)
        if len(aboard) < (2 if throws else 3):
            return None
        if peacocks:
            thrower = self.heaviest(peacocks)
            victims = [animal for animal in aboard if animal is not thrower]
        else:
            others = [animal for animal in aboard if animal is not monkey]
            thrower = self.heaviest(others)
            victims = [animal for animal in others if animal is not thrower]
        return None if thrower is None else self.heaviest(victims)

    def monkey(self, monkey: Animal, i: int) -> None:
        """Send `monkey_target` on its way, unless love forbids.

        *any_pair_blocks*: any love-struck animal aboard. *target_blocks*: only a love-struck
        target; a loving thrower is no obstacle.
        """
        boat = self.boats[i]
        pair_blocks = self.rulings["monkey_love"] == "any_pair_blocks"
        if pair_blocks and any(animal.loved for animal in boat.animals):
            return
        target = self.monkey_target(monkey, boat)
        if target is not None and not target.loved:
            self.send(target, i)

    def lion(self, lion: Animal, i: int) -> None:
        """Eat the heaviest of the strictly lighter animals (EGN-A29, A30, A32).

        *target_blocks*: lovers are among them, and a love-struck one is left alone without a
        substitute. *ignore_lovers*: the heaviest single one. A blocked tie: nobody.
        """
        prey = [a for a in self.boats[i].animals if self.weight(a) < self.weight(lion)]
        if self.rulings["lion_love"] == "ignore_lovers":
            prey = [animal for animal in prey if not animal.loved]
        target = self.heaviest(prey)
        if target is None or target.loved:
            return
        self.trace.append(("eaten", i, target.species, target.seat))
        self.leave(target, i)
        (self.swim_or_box if self.rulings["eaten_squid"] == "swims" else self.to_box)(target)

    def weigh(self, i: int) -> dict:
        """Within the tile (equality too): land animals arrive; above: only squid do (EGN R4).

        Under ``loved_squid=land_animal`` a love-struck squid fares like a land animal.
        """
        boat = self.boats[i]
        load = self.load(boat)
        sails = load <= boat.capacity
        as_land = self.rulings["loved_squid"] == "land_animal"
        for animal in boat.animals:
            on_land = animal.idle or (animal.loved and as_land)
            swimmer = animal.species == "squid" and not on_land
            (self.to_harbor if swimmer != sails else self.to_box)(animal)
        boat.animals = []
        return {"capacity": boat.capacity, "load": plain(load), "sails": sails}
