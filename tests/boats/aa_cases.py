"""All Aboard!: random positions and logged games in the form that the referee reads."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.games import all_aboard
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
    spec = all_aboard.SPEC
    kernel = spec.kernel()
    abi = kernel_module("kernels.abi")
    log_of = kernel_module("kernels.events")
    complete = spec.complete(rulings)
    functions = [kernel.strategies[name] for name in strategies]
    functions += functions[:1] * (abi.MAX_SEATS - len(functions))
    sums = np.zeros(kernel.sum_cells, dtype=np.int64)
    rows = np.zeros(kernel.row_cells, dtype=np.int64)
    log = log_of.new_log(kernel.max_events)
    scratch = np.zeros(kernel.scratch_cells, dtype=np.int64)
    status = kernel.play_block(
        np.uint64(seed),
        game,
        1,
        spec.encode_setup(players, complete),
        tuple(functions),
        sums,
        rows,
        log,
        scratch,
    )
    assert status == abi.OK
    events = log_of.logged(log)
    return LoggedGame(_setup(players, rulings, events), _moves(events), rows, events)


def _setup(players: int, rulings: dict[str, str], events: np.ndarray) -> dict[str, Any]:
    codes = kernel_module("kernels.boats.events")
    decks: list[list[str]] = [[] for _ in range(players)]
    boats = []
    start = 0
    for code, a, b, c, _ in events.tolist():
        if code == codes.DECK:
            decks[a] = [referee.SPECIES[b >> 4 * k & 15] for k in range(12)]
        elif code == codes.START:
            start = a
        elif code == codes.CAPACITY:
            boats.append(b)
        elif code == codes.REPLACED:
            boats.append(c)
    return {"players": players, "start": start, "decks": decks, "boats": boats, "rulings": rulings}


def _moves(events: np.ndarray) -> list[list[Any]]:
    codes = kernel_module("kernels.boats.events")
    faces = {codes.UP: "up", codes.DOWN: "down"}
    return [
        [seat, referee.SPECIES[card // 5], boat, faces[face]]
        for code, seat, card, boat, face in events.tolist()
        if code == codes.PLAY
    ]
