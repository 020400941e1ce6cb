"""All Aboard!: random positions and logged games in the form that the referee reads."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from analyzer.games import all_aboard
from kernels.boats import events as codes
from kernels.boats.cards import SEAT_STRIDE
from tests.boats.block import deck_cards, play
from tests.oracle import all_aboard as referee

ENUMERATED = {name: values for name, values in referee.RULINGS.items() if name != "tile_deck"}
IN_POSITIONS = [name for name in ENUMERATED if name not in ("start_player", "final_tie")]


def random_rulings(dice: random.Random, names: list[str]) -> dict[str, str]:
    """Choose values at random; every second ruling keeps its default."""
    return {name: dice.choice(ENUMERATED[name]) for name in names if dice.random() < 0.5}


def random_position(dice: random.Random) -> dict[str, Any]:
    """Return a position with one to five boats; some are crowded with few species.

    Crowds of a kind are what the rulings differ in, and shuffled play hardly ever makes them.
    """
    names = list("ABCDE")[: dice.randint(2, 5)]
    species = dice.sample(referee.SPECIES, dice.choice([3, 5, 8, 12]))
    cards = [[one, name] for one in species for name in names]
    dice.shuffle(cards)
    boats = []
    for _ in range(dice.randint(1, 5)):
        size = dice.choice([0, 1, 2, 3, 3, 3, 3, 4, 5, 6, 8])
        aboard, cards = cards[:size], cards[size:]
        boats.append({"capacity": dice.randint(0, 40), "animals": aboard})
    return {
        "players": names,
        "boats": boats,
        "draws": [dice.randint(5, 40) for _ in range(40)],
        "cupids_left": dice.choice([20, 20, dice.randint(0, 20)]),
        "rulings": random_rulings(dice, IN_POSITIONS),
    }


@dataclass(frozen=True)
class LoggedGame:
    """A game of the kernel: what the referee needs to judge it, and what the kernel made of it."""

    setup: dict[str, Any]
    moves: list[list[Any]]
    row: np.ndarray
    events: np.ndarray


def logged_game(
    seed: int, game: int, players: int, rulings: dict[str, str], strategies: list[str]
) -> LoggedGame:
    """Play one game with the log on."""
    played = play(all_aboard.NAME, strategies, rulings, [(game, 1)], seed=seed, logged_too=True)
    events = played.events
    return LoggedGame(_setup(players, rulings, events), _moves(events), played.rows[0], events)


def _setup(players: int, rulings: dict[str, str], events: np.ndarray) -> dict[str, Any]:
    decks: list[list[str]] = [[] for _ in range(players)]
    boats = []
    start = 0
    for code, a, b, c, _ in events.tolist():
        if code == codes.DECK:
            decks[a] = deck_cards(b, referee.SPECIES)
        elif code == codes.START:
            start = a
        elif code == codes.CAPACITY:
            boats.append(b)
        elif code == codes.REPLACED:
            boats.append(c)
    return {"players": players, "start": start, "decks": decks, "boats": boats, "rulings": rulings}


def _moves(events: np.ndarray) -> list[list[Any]]:
    faces = {codes.UP: "up", codes.DOWN: "down"}
    return [
        [seat, referee.SPECIES[card // SEAT_STRIDE], boat, faces[face]]
        for code, seat, card, boat, face in events.tolist()
        if code == codes.PLAY
    ]
