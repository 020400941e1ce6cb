"""What can be chosen in both boat games, and the setup array that their kernels read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.games.base import Ruling
from analyzer.games.kinds import Choice, Deck, Numbers

#: Assumed for both games: no rulebook says what the thirty boats carry.
TILE_DECK = "10:2,11:2,12:3,13:3,14:3,15:4,16:3,17:3,18:3,19:2,20:2"


def tile_deck(noun: str, explanation: str, *ids: str) -> Ruling:
    """Return the ruling of the thirty capacities, which are called `noun`."""
    deck = Deck(size=30, low=0, high=999, noun=noun)
    return Ruling("tile_deck", deck, TILE_DECK, explanation, "A", ids, component=True)


def capacities(rulings: Mapping[str, Any]) -> list[int]:
    """Return the distinct capacities of the deck, ascending."""
    return sorted(set(Deck.cards(rulings["tile_deck"])))


def deny_effect(setup: np.ndarray, seat: int, species: int) -> None:
    """Take a species' effect from a seat's card, in place: the last cell holds such cards."""
    setup[-1] |= 1 << species * kernel_module("kernels.boats.cards").SEAT_STRIDE + seat


def encode_setup(
    layout: ModuleType, listed: Sequence[Ruling], players: int, rulings: Mapping[str, Any]
) -> np.ndarray:
    """Return the setup array of a game's ``kernels.boats.*_setup``.

    Parameters
    ----------
    layout
        That module: the cell of a ruling has its name in upper case.
    listed
        The game's rulings. One of a few values is written as its number, the default 0; a whole
        number as it is.
    players
        Number of seats.
    rulings
        Complete and canonical.
    """
    kind_bits = kernel_module("kernels.boats.piles").KIND_BITS
    setup = np.zeros(layout.SETUP_CELLS, dtype=np.int64)
    setup[layout.PLAYERS] = players
    for ruling in listed:
        if isinstance(ruling.kind, Deck):
            continue
        value = rulings[ruling.name]
        if isinstance(ruling.kind, Choice | Numbers):
            value = ruling.kind.values.index(value)
        setup[getattr(layout, ruling.name.upper())] = value
    kinds = capacities(rulings)
    for k, capacity in enumerate(Deck.cards(rulings["tile_deck"])):
        setup[layout.TILES + k] = capacity << kind_bits | kinds.index(capacity)
    return setup
