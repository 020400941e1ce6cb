"""Einer geht noch!: random positions and logged games in the form that the referee reads."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from analyzer.games import einer_geht_noch
from kernels.abi import CREDIT_UNIT, NO_DRAW, OK
from kernels.boats import egn_resolve, egn_tally, events, tally
from kernels.boats import table as at
from kernels.boats.cards import BOAT_CARDS, POINTS_PER_CUPID, SEAT_STRIDE
from kernels.boats.egn_weights import SCORE_UNIT, WEIGHTS
from kernels.boats.loop import MAX_EVENTS
from kernels.boats.table import LANES
from kernels.events import logged, new_log
from tests.boats.block import deck_cards, play
from tests.oracle import einer_geht_noch as referee

SPECIES = referee.SPECIES
RULINGS = referee.RULINGS
ONLY_IN_GAMES = ("start_player", "tile_replace", "final_tie")
IN_POSITIONS = [name for name in RULINGS if name not in ONLY_IN_GAMES]
FACES = {events.UP: "up", events.DOWN: "down"}


def random_rulings(dice: random.Random, names: Sequence[str]) -> dict[str, Any]:
    """Choose values at random; every second ruling keeps its default."""
    return {name: dice.choice(RULINGS[name]) for name in names if dice.random() < 0.5}


def random_position(dice: random.Random) -> dict[str, Any]:
    """Return a position with one to five boats; some are crowded with few species.

    Crowds of a kind are what the rulings differ in, and shuffled play hardly ever makes them.
    """
    names = list("ABCDE")[: dice.randint(2, 5)]
    acting = ["mouse", "fox", "monkey", "lion", "peacock", "squid"]
    known = dice.choice([SPECIES, acting, [*acting, "zebra", "elephant"]])
    species = dice.sample(known, min(len(known), dice.choice([3, 5, 8, 12])))
    cards = [[one, name] for one in species for name in names]
    dice.shuffle(cards)
    boats = []
    for _ in range(dice.randint(1, 5)):
        size = dice.choice([0, 1, 2, 3, 3, 3, 3, 4, 5, 6, 8])
        aboard, cards = cards[:size], cards[size:]
        boats.append({"capacity": dice.randint(0, dice.choice([5, 20, 40])), "animals": aboard})
    return {
        "players": names,
        "boats": boats,
        "draws": [dice.randint(5, 40) for _ in range(40)],
        "cupids_left": dice.choice([20, 20, dice.randint(0, 20)]),
        "rulings": random_rulings(dice, IN_POSITIONS),
    }


def card_of(species: str, seat: int) -> int:
    """Return a card's number."""
    return SPECIES.index(species) * SEAT_STRIDE + seat


def named(card: int) -> list[Any]:
    """Return a card as ``[species, seat]``."""
    return [SPECIES[card // SEAT_STRIDE], card % SEAT_STRIDE]


def plain(value: Fraction) -> int | float:
    """Return a score as JSON would have it."""
    return int(value) if value.denominator == 1 else float(value)


def kept_cards(told: np.ndarray) -> list[int]:
    """Return the cards that a log says are saved."""
    kept = []
    for code, _, a, b, c in told.tolist():
        if code == events.KEPT:
            kept.append(a)
        elif (code in (events.SENT, events.THROWN) and c == events.SWIMS) or (
            code == events.EATEN and c
        ):
            kept.append(b)
    return kept


def resolved(position: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Resolve a position with the kernel; return the table, and the events of the log."""
    codec = einer_geht_noch.codec()
    read = codec.read(position)
    table = codec.table(read)
    setup = einer_geht_noch.encode_setup(len(read.players), read.rulings)
    sums = np.zeros(egn_tally.SUM_CELLS, dtype=np.int64)
    log = new_log(MAX_EVENTS)
    status = egn_resolve.resolve_position(setup, table, sums, log)
    if status == NO_DRAW:
        raise referee.PositionError("draws: all used up")
    assert status == OK
    return table, logged(log)


def resolve(position: dict[str, Any]) -> dict[str, Any]:
    """Resolve a position with the kernel, in the form of the referee's answer.

    What the log tells and what the table holds must be the same.
    """
    players = position["players"]
    rulings = position.get("rulings", {})
    table, told = resolved(position)
    cards = kept_cards(told)
    assert len(set(cards)) == len(cards)
    assert sum(1 << card for card in cards) == table[at.KEPT]
    paid = [0] * len(players)
    for code, _, a, b, c in told.tolist():
        if code == events.LOVE and c:
            paid[a % SEAT_STRIDE] += 1
            paid[b % SEAT_STRIDE] += 1
    answer: dict[str, Any] = {"boats": [], "kept": {}, "cupids": {}, "score": {}}
    for code, _, load, capacity, sails in told.tolist():
        if code == events.WEIGHED:
            answer["boats"].append({"capacity": capacity, "load": load, "sails": bool(sails)})
    half = rulings.get("loved_mouse_score", 0) == 0.5
    for seat, name in enumerate(players):
        mine = [card for card in cards if card % SEAT_STRIDE == seat]
        repaid = table[at.REPAID + seat * LANES]
        own_bits = sum(1 << card_of(species, seat) for species in SPECIES)
        assert (int(table[at.PAID]) & own_bits).bit_count() + repaid == paid[seat]
        score = Fraction(POINTS_PER_CUPID * paid[seat])
        for card in mine:
            species = SPECIES[card // SEAT_STRIDE]
            if species == "peacock":
                score += rulings.get("peacock_weight", 1)
            elif species == "mouse":
                score += Fraction(int(half and table[at.LOVED] >> card & 1), 2)
            else:
                score += WEIGHTS[card // SEAT_STRIDE]
        answer["kept"][name] = sorted(SPECIES[card // SEAT_STRIDE] for card in mine)
        answer["cupids"][name] = paid[seat]
        answer["score"][name] = plain(score)
    return answer


@dataclass(frozen=True)
class LoggedGame:
    """A game of the kernel: what the referee needs to judge it, and what the kernel made of it."""

    setup: dict[str, Any]
    moves: list[list[Any]]
    rounds: list[dict[str, Any]]
    row: np.ndarray
    sums: np.ndarray

    def result(self) -> dict[str, Any]:
        """Return what the row says, in the words of the referee."""
        players = self.setup["players"]

        def columns(first: int) -> list[int]:
            return self.row[first : first + players].tolist()

        credit = [Fraction(share, CREDIT_UNIT) for share in columns(tally.ROW_CREDIT)]
        return {
            "totals": [plain(Fraction(half, SCORE_UNIT)) for half in columns(tally.ROW_SCORE)],
            "cupids": columns(tally.ROW_CUPIDS),
            "credit": credit,
            "winners": [seat for seat in range(players) if credit[seat]],
            "rounds": self.rounds,
        }


def logged_game(
    seed: int, game: int, rulings: dict[str, Any], strategies: Sequence[str]
) -> LoggedGame:
    """Play one game with the log on; `strategies` are the seats'."""
    players = len(strategies)
    played = play(
        einer_geht_noch.NAME, strategies, rulings, [(game, 1)], seed=seed, logged_too=True
    )
    tiles = rulings.get("tile_deck", referee.DEFAULT_TILE_DECK)
    return LoggedGame(
        setup={
            **_told_setup(players, played.events),
            "tile_deck": list(tiles),
            "rulings": rulings,
        },
        moves=[
            [seat, SPECIES[card // SEAT_STRIDE], boat, FACES[face]]
            for code, seat, card, boat, face in played.events.tolist()
            if code == events.PLAY
        ],
        rounds=[_told_round(players, part) for part in _by_round(played.events)],
        row=played.rows[0],
        sums=played.sums,
    )


def _told_setup(players: int, told: np.ndarray) -> dict[str, Any]:
    decks: list[list[str]] = [[] for _ in range(players)]
    tiles = []
    start = 0
    for code, a, b, c, _ in told.tolist():
        if code == events.DECK:
            decks[a] = deck_cards(b, SPECIES)
        elif code == events.START:
            start = a
        elif code == events.CAPACITY:
            tiles.append(b)
        elif code == events.REPLACED:
            tiles.append(c)
    return {"players": players, "start": start, "decks": decks, "tiles": tiles}


def _by_round(told: np.ndarray) -> list[np.ndarray]:
    starts = np.flatnonzero(told[:, 0] == events.ROUND)
    return np.split(told, starts)[1:]


def _told_round(players: int, told: np.ndarray) -> dict[str, Any]:
    """Return a round as the referee writes it down."""
    before: list[list[Any]] = [[] for _ in range(players)]
    capacities = [0] * players
    boats = []
    cupids = [0] * players
    for code, a, b, c, d in told.tolist():
        if code == events.CAPACITY:
            capacities[a] = b
        elif code == events.PLAY:
            before[c].append(named(b))
        elif code == events.WEIGHED:
            boats.append({"capacity": c, "load": b, "sails": bool(d)})
        elif code == events.LOVE and d:
            cupids[b % SEAT_STRIDE] += 1
            cupids[c % SEAT_STRIDE] += 1
    kept: list[list[str]] = [[] for _ in range(players)]
    for card in kept_cards(told):
        kept[card % SEAT_STRIDE].append(SPECIES[card // SEAT_STRIDE])
    return {
        "boats_before": before,
        "capacities": capacities,
        "boats": boats,
        "kept": [sorted(cards) for cards in kept],
        "cupids": cupids,
    }


def all_tiles(value: int) -> list[int]:
    """Return a deck of thirty equal tiles."""
    return [value] * BOAT_CARDS
