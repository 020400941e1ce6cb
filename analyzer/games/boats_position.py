"""The position codec of a boat game: Position JSON in, resolved Position JSON out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.errors import InternalError, unknown
from analyzer.games.base import GameSpec
from analyzer.games.boats_events import BoatTeller
from analyzer.games.fields import (
    check_list,
    check_object,
    check_rulings,
    check_whole,
    fail,
    told,
)
from analyzer.jsonout import dumps_line

#: Boats of more than this are refused: nothing weighs as much, and it must fit the packed pile.
MAX_CAPACITY = 1_000_000


@dataclass(frozen=True)
class Position:
    """A checked position. Cards are ``(species, seat)`` in boarding order."""

    players: tuple[str, ...]
    capacities: tuple[int, ...]
    boats: tuple[tuple[tuple[int, int], ...], ...]
    draws: tuple[int, ...]
    cupids_left: int
    rulings: dict[str, Any]


class PositionCodec:
    """Reads, resolves and writes the positions of one boat game.

    Parameters
    ----------
    spec
        The game.
    animals
        Names of the species, lightest first.
    teller
        ``(labels, owners, rulings) -> BoatTeller``.
    resolve
        ``(setup, table, sums, log) -> status``: resolves what the table holds.
    tally
        The kernel module that says how many cells `sums` has.
    """

    def __init__(
        self,
        spec: GameSpec,
        animals: Sequence[str],
        teller: Callable[..., BoatTeller],
        resolve: Callable[..., int],
        tally: ModuleType,
    ) -> None:
        self.spec = spec
        self.animals = tuple(animals)
        self.teller = teller
        self.resolve_table = resolve
        self.sum_cells = tally.SUM_CELLS
        self.cards = kernel_module("kernels.boats.cards")

    def read(self, document: object) -> Position:
        """Check a document strictly; every error names its field."""
        needed, optional = ("players", "boats"), ("draws", "cupids_left", "rulings")
        position = check_object(document, "position", needed, optional)
        players = self._players(position["players"])
        capacities, boats = self._boats(position["boats"], players)
        draws = check_list(position.get("draws", []), "draws", "capacities")
        rulings = check_rulings(position.get("rulings", {}), self.spec)
        cupids = self.cards.CUPID_CARDS
        return Position(
            players=players,
            capacities=capacities,
            boats=boats,
            draws=tuple(
                check_whole(draw, f"draws[{k}]", 0, MAX_CAPACITY) for k, draw in enumerate(draws)
            ),
            cupids_left=check_whole(position.get("cupids_left", cupids), "cupids_left", 0, cupids),
            rulings=rulings,
        )

    def _players(self, value: object) -> tuple[str, ...]:
        players = check_list(value, "players", "names")
        low, high = self.spec.players
        if not low <= len(players) <= high:
            allowed = f"{self.spec.name} takes {low} to {high} players, not {len(players)}."
            raise fail("players", allowed)
        for k, name in enumerate(players):
            if not isinstance(name, str) or not name:
                raise fail(f"players[{k}]", f"must be a text that is not empty, not {told(name)}.")
            if name in players[:k]:
                raise fail(f"players[{k}]", f"{name!r} is there twice; the names must differ.")
        return tuple(players)

    def _boats(
        self, value: object, players: tuple[str, ...]
    ) -> tuple[tuple[int, ...], tuple[tuple[tuple[int, int], ...], ...]]:
        boats = check_list(value, "boats", "boats")
        most = self.cards.MAX_SEATS
        if not 1 <= len(boats) <= most:
            raise fail("boats", f"must be 1 to {most} boats, not {len(boats)}.")
        capacities, aboard = [], []
        seen: dict[tuple[int, int], str] = {}
        for b, boat in enumerate(boats):
            field = f"boats[{b}]"
            check_object(boat, field, ("capacity", "animals"), ())
            capacities.append(check_whole(boat["capacity"], f"{field}.capacity", 0, MAX_CAPACITY))
            cards = []
            entries = check_list(boat["animals"], f"{field}.animals", "[animal, player] pairs")
            for a, entry in enumerate(entries):
                place = f"{field}.animals[{a}]"
                card = self._card(entry, place, players)
                if card in seen:
                    raise fail(
                        place,
                        f"the {entry[0]} of {entry[1]!r} is at {seen[card]} already; "
                        "each player has one of each.",
                    )
                seen[card] = place
                cards.append(card)
            aboard.append(tuple(cards))
        return tuple(capacities), tuple(aboard)

    def _card(self, entry: object, place: str, players: tuple[str, ...]) -> tuple[int, int]:
        if not isinstance(entry, list) or len(entry) != 2:
            example = dumps_line(["mouse", players[0]])
            raise fail(place, f"must be a pair such as {example}, not {told(entry)}.")
        animal, owner = entry
        if animal not in self.animals:
            raise fail(f"{place}[0]", unknown("animal", animal, self.animals))
        if owner not in players:
            raise fail(f"{place}[1]", unknown("player", owner, players))
        return self.animals.index(animal), players.index(owner)

    def table(self, position: Position) -> np.ndarray:
        """Return the kernel's table of a position."""
        at = kernel_module("kernels.boats.table")
        piles = kernel_module("kernels.boats.piles")
        table = np.zeros(at.TABLE_CELLS, dtype=np.int64)
        table[at.SEATS] = len(position.players)
        table[at.BOATS] = len(position.boats)
        # One game, in lane 0; a field of a boat has a row of lanes a boat.
        table[at.GAMES] = 1
        table[at.ORDERED] = 1
        table[at.CUPIDS_LEFT] = position.cupids_left
        if position.rulings["cupid_supply"] == "unlimited":
            table[at.CUPIDS_LEFT] = kernel_module("kernels.boats.setup").UNLIMITED_CUPIDS
        for b, cards in enumerate(position.boats):
            table[at.CAPACITY + b * at.LANES] = position.capacities[b]
            table[at.BOARDED + b * at.LANES] = len(cards)
            for k, (species, seat) in enumerate(cards):
                card = species * self.cards.SEAT_STRIDE + seat
                table[at.BOAT + b * at.LANES] |= 1 << card
                table[at.ORDER + b * at.ORDER_STRIDE + k] = card
        # No position needs more draws than there is room for: at most one a mouse and boat.
        draws = position.draws[: at.PILE_STRIDE]
        table[at.SCRIPTED] = 1
        table[at.PILE_BACK] = len(draws)
        for k, capacity in enumerate(draws):
            table[at.PILE + k] = capacity << piles.KIND_BITS
        return table

    def resolve(self, document: object) -> dict[str, Any]:
        """Resolve a position.

        Parameters
        ----------
        document
            Position JSON.

        Returns
        -------
        dict
            ``boats``, ``kept``, ``cupids``, ``score`` and ``events``.
        """
        abi = kernel_module("kernels.abi")
        events = kernel_module("kernels.events")
        position = self.read(document)
        setup = self.spec.encode_setup(len(position.players), position.rulings)
        log = events.new_log(kernel_module("kernels.boats.loop").MAX_EVENTS)
        sums = np.zeros(self.sum_cells, dtype=np.int64)
        status = self.resolve_table(setup, self.table(position), sums, log)
        if status == abi.NO_DRAW:
            raise fail(
                "draws",
                f"a mouse draws a capacity, and all {len(position.draws)} draws are used up; "
                "give the capacities that mice draw, in order.",
            )
        if status != abi.OK:
            raise InternalError(f"The kernel could not resolve the position (status {status}).")
        return self.outcome(position, events.logged(log))

    def outcome(self, position: Position, events: np.ndarray) -> dict[str, Any]:
        """Return the resolved position, as its events tell it."""
        teller = self.teller(position.players, position.players, position.rulings)
        stride = self.cards.SEAT_STRIDE
        for b, cards in enumerate(position.boats):
            packed = [species * stride + seat for species, seat in cards]
            teller.place(b, position.capacities[b], packed)
        told = teller.tell(events)
        kept = {
            name: sorted(
                self.animals[card // stride] for card in teller.kept if card % stride == seat
            )
            for seat, name in enumerate(position.players)
        }
        return {
            "boats": [
                {
                    "capacity": teller.capacities[b],
                    "load": teller.loads[b],
                    "sails": teller.sails[b],
                }
                for b in range(len(position.boats))
            ],
            "kept": kept,
            "cupids": dict(zip(position.players, teller.cupids, strict=True)),
            "score": dict(zip(position.players, teller.totals(), strict=True)),
            "events": told,
        }
