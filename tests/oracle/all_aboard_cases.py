"""Positions and games that the tests of the All Aboard! referee are made of."""

from __future__ import annotations

import random

from tests.oracle import all_aboard as aa


def position(
    boats: str, capacities: list[int], rulings: dict | None = None, **more: object
) -> dict:
    """Return a position from text: cards as `species:owner`, boats split by a bar."""
    aboard = [[card.split(":") for card in boat.split()] for boat in boats.split("|")]
    return {
        "players": list("ABCDE"),
        "boats": [
            {"capacity": capacity, "animals": animals}
            for capacity, animals in zip(capacities, aboard, strict=True)
        ],
        "draws": [],
        "rulings": rulings or {},
    } | more


def outcome(
    boats: str, capacities: list[int], rulings: dict | None = None, **more: object
) -> tuple[list, str]:
    """Return the loads, and who keeps what as text such as `A:bear,fox B:lion`."""
    out = aa.resolve(position(boats, capacities, rulings, **more))
    kept = " ".join(f"{name}:{','.join(cards)}" for name, cards in out["kept"].items() if cards)
    return [boat["load"] for boat in out["boats"]], kept


def random_game(
    n: int, seed: int, rulings: dict | None = None, start: int = 0
) -> tuple[dict, list]:
    """Return the set-up and the moves of a game played at random."""
    dice = random.Random(seed)
    decks = [dice.sample(aa.SPECIES, aa.DECK_SIZE) for _ in range(n)]
    boat_order = dice.sample(aa.TILE_DECK, aa.BOAT_CARDS)
    setup = {
        "players": n,
        "start": start,
        "decks": decks,
        "boats": boat_order,
        "rulings": rulings or {},
    }
    hands = [deck[:3] for deck in decks]
    decks = [deck[3:] for deck in decks]
    moves = []
    for round_index in range(4):
        boats = [[] for _ in range(n)]
        for turn in range(3 * n):
            seat = (start + round_index + turn) % n
            card, boat = dice.choice(aa.legal_moves({"hand": hands[seat], "boats": boats}))
            hands[seat].remove(card)
            hands[seat] += decks[seat][:1]
            decks[seat] = decks[seat][1:]
            boats[boat].append(card)
            moves.append([seat, card, boat])
    return setup, moves


def game_with_one_replacement(boats: list[int], rulings: dict) -> tuple[dict, list]:
    """Return a game of two where mouse and elephant meet once, on the first boat of round 1."""
    rest = [s for s in aa.SPECIES if s not in ("mouse", "elephant", "bear")]
    decks = [["mouse", "bear", *rest, "elephant"], ["elephant", "bear", *rest, "mouse"]]
    setup = {"players": 2, "start": 0, "decks": decks, "boats": boats, "rulings": rulings}
    moves = [[0, "mouse", 0], [1, "elephant", 0], [0, rest[0], 0]]
    moves += [[1, rest[0], 1], [0, rest[1], 1], [1, rest[1], 1]]
    queues = [["bear", *rest[2:], "elephant"], ["bear", *rest[2:], "mouse"]]
    for round_index in range(1, 4):
        for turn in range(6):
            seat = (round_index + turn) % 2
            moves.append([seat, queues[seat].pop(0), turn // 3])
    return setup, moves
