"""Plain-Python referee of All Aboard!, written from the rules and from nothing else.

It decides quarrels, so it is slow and literal. `resolve` judges one round that is given as a
position, `replay` a whole logged game; the boats themselves set sail in
`tests.oracle.all_aboard_voyage`. Ids such as AA-A27 name the entries of the table of
ambiguities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from tests.oracle.all_aboard_voyage import POINTS, SPECIES, Animal, Voyage

GAME = "all-aboard"
PLAYERS = (2, 5)

RULINGS: dict[str, tuple] = {
    "cupid_supply": ("finite", "unlimited"),
    "start_player": ("seat0", "random"),
    "fight_size": ("ge3", "eq3"),
    "fight_bystanders": ("normal_sink", "all_discarded"),
    "fox_trio": ("discard", "jump"),
    "monkey_love": ("target_blocks", "ignore_lovers", "distinct_rank"),
    "lion_love": ("target_blocks", "ignore_lovers"),
    "last_boat_throw": ("discard", "octopus_scores"),
    "replaced_boat": ("discard", "reshuffle"),
    "effects": ("on", "off"),
    "final_tie": ("shared", "no_winner"),
}
"""The enumerated rulings, default first; `tile_deck` is read by `read_tile_deck`."""

TILE_COUNTS = {10: 2, 11: 2, 12: 3, 13: 3, 14: 3, 15: 4, 16: 3, 17: 3, 18: 3, 19: 2, 20: 2}
TILE_DECK = [capacity for capacity, count in TILE_COUNTS.items() for _ in range(count)]
"""The assumed thirty boats (AA-A02)."""

FACES = ("up", "down", "up")
"""The face of each of the three plies of a round; nobody has a choice (AA-A04)."""

ROUNDS = 4
DECK_SIZE = 12
HAND_SIZE = 3
BOARDING_LIMIT = 3
BOAT_CARDS = 30
CUPID_CARDS = 20
CUPID_POINTS = 2


class PositionError(ValueError):
    """A bad position or set-up; the message names the field."""


class IllegalMove(ValueError):
    """A move that the rules forbid; the message names round, ply and seat."""


def kept_by(animals: list[Animal], owner: int) -> list[str]:
    """Return the species of one owner among `animals`, sorted by name."""
    return sorted(animal.species for animal in animals if animal.owner == owner)


def is_whole(value: object, low: int, high: int | None = None) -> bool:
    """Tell whether a value is a true integer (no bool) of at least `low`, at most `high`."""
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return value >= low and (high is None or value <= high)


def check_keys(document: object, what: str, needed: set[str], optional: set[str]) -> None:
    """Raise PositionError unless `document` is a dict with the right keys."""
    if not isinstance(document, dict):
        raise PositionError(f"{what}: must be an object, got {type(document).__name__}")
    for key in sorted(needed - set(document)):
        raise PositionError(f"{what}: the key {key!r} is missing")
    for key in document:
        if key not in needed | optional:
            raise PositionError(f"{what}: unknown key {key!r}; known: {sorted(needed | optional)}")


def read_tile_deck(value: object, field: str = "tile_deck") -> list[int]:
    """Return thirty capacities from integers or from ``value:count`` pairs (AA-A02).

    Pairs come as a list of strings, or as one string with commas or blanks between them.
    """
    if isinstance(value, str):
        value = value.replace(",", " ").split()
    if not isinstance(value, list | tuple):
        raise PositionError(f"{field}: must be a list of thirty integers or of value:count pairs")
    deck = []
    for item in value:
        if is_whole(item, 0):
            deck.append(item)
            continue
        capacity, colon, count = item.partition(":") if isinstance(item, str) else ("", "", "")
        if not (colon and capacity.isdecimal() and count.isdecimal()):
            raise PositionError(f"{field}: {item!r} is neither a capacity nor value:count")
        deck += [int(capacity)] * int(count)
    if len(deck) != BOAT_CARDS:
        raise PositionError(f"{field}: needs {BOAT_CARDS} boats, got {len(deck)}")
    return deck


def read_rulings(given: object) -> dict:
    """Return every ruling, defaults filled in; `tile_deck` only where it was given."""
    if not isinstance(given, dict):
        raise PositionError("rulings: must be an object")
    rulings = {name: values[0] for name, values in RULINGS.items()}
    for name, value in given.items():
        if name == "tile_deck":
            rulings[name] = read_tile_deck(value, "rulings.tile_deck")
            continue
        if name not in RULINGS:
            choices = sorted([*RULINGS, "tile_deck"])
            raise PositionError(f"rulings: unknown ruling {name!r}; known: {choices}")
        if value not in RULINGS[name]:
            raise PositionError(f"rulings.{name}: {value!r} is not one of {RULINGS[name]}")
        rulings[name] = value
    return rulings


def resolve(position: dict) -> dict:
    """Resolve one round given as a position.

    A position need not be a full table: a boat may hold any number of cards, and the boats need
    not be as many as the players. Each card (species and owner) exists once.

    Parameters
    ----------
    position
        ``players``, ``boats`` (``capacity`` and ``animals`` in boarding order), and optionally
        ``draws`` (capacities that mice draw, in order), ``cupids_left`` (20), ``rulings`` and
        ``idle`` (animals without effect, ``[species, owner]``; restricted play).

    Returns
    -------
    dict
        ``boats`` (``capacity``, ``load``, ``sails``), ``kept``, ``cupids`` and ``score`` of
        this round by player, and ``trace``, the steps as tuples.

    Raises
    ------
    PositionError
        When a field is bad, or a mouse draws and ``draws`` is used up.
    """
    optional = {"draws", "cupids_left", "rulings", "idle"}
    check_keys(position, "position", {"players", "boats"}, optional)
    players = read_players(position["players"])
    boats, capacities = read_boats(position["boats"], players)
    for animal in (animal for boat in boats for animal in boat):
        animal.idle = [animal.species, players[animal.owner]] in position.get("idle", [])
    draws = position.get("draws", [])
    if not isinstance(draws, list | tuple) or not all(is_whole(draw, 0) for draw in draws):
        raise PositionError("draws: must be a list of capacities, whole numbers from 0")
    cupids_left = position.get("cupids_left", CUPID_CARDS)
    if not is_whole(cupids_left, 0, CUPID_CARDS):
        raise PositionError(f"cupids_left: must be a whole number from 0 to {CUPID_CARDS}")
    rulings = read_rulings(position.get("rulings", {}))
    to_draw = list(draws)

    def draw(old: int) -> int:
        if not to_draw:
            raise PositionError(f"draws: a mouse replaces a boat of {old} and no draw is left")
        return to_draw.pop(0)

    voyage = Voyage(boats, capacities, draw, cupids_left, rulings)
    voyage.resolve()
    kept, cupids, score = {}, {}, {}
    for seat, name in enumerate(players):
        kept[name] = kept_by(voyage.saved, seat)
        cupids[name] = voyage.cupid_owners.count(seat)
        score[name] = sum(POINTS[species] for species in kept[name]) + CUPID_POINTS * cupids[name]
    return {
        "boats": voyage.results,
        "kept": kept,
        "cupids": cupids,
        "score": score,
        "trace": voyage.trace,
    }


def read_players(players: object) -> list[str]:
    """Return the names of two to five players."""
    if not isinstance(players, list | tuple) or not PLAYERS[0] <= len(players) <= PLAYERS[1]:
        raise PositionError(f"players: must be a list of {PLAYERS[0]} to {PLAYERS[1]} names")
    if not all(isinstance(name, str) and name for name in players):
        raise PositionError("players: every name must be a text that is not empty")
    if len(set(players)) != len(players):
        raise PositionError("players: the names must differ")
    return list(players)


def read_boats(given: object, players: list[str]) -> tuple[list[list[Animal]], list[int]]:
    """Return the animals aboard each boat, owners as seats, and the capacities."""
    if not isinstance(given, list | tuple) or not 1 <= len(given) <= PLAYERS[1]:
        raise PositionError(f"boats: must be a list of 1 to {PLAYERS[1]} boats")
    boats, capacities, seen = [], [], set()
    for i, boat in enumerate(given):
        field = f"boats[{i}]"
        check_keys(boat, field, {"capacity", "animals"}, set())
        if not is_whole(boat["capacity"], 0):
            raise PositionError(f"{field}.capacity: must be a whole number from 0")
        if not isinstance(boat["animals"], list | tuple):
            raise PositionError(f"{field}.animals: must be a list of [species, owner]")
        aboard = []
        for j, card in enumerate(boat["animals"]):
            where = f"{field}.animals[{j}]"
            if not isinstance(card, list | tuple) or len(card) != 2:
                raise PositionError(f"{where}: must be [species, owner]")
            species, owner = card
            if species not in SPECIES:
                raise PositionError(f"{where}: unknown species {species!r}; known: {SPECIES}")
            if owner not in players:
                raise PositionError(f"{where}: {owner!r} is not among the players {players}")
            if (species, owner) in seen:
                raise PositionError(f"{where}: the {species} of {owner} is aboard already")
            seen.add((species, owner))
            aboard.append(Animal(species, players.index(owner)))
        boats.append(aboard)
        capacities.append(boat["capacity"])
    return boats, capacities


def legal_moves(state: dict) -> list[tuple[str, int]]:
    """Return every legal (card, boat), in the order of hand and boats.

    Parameters
    ----------
    state
        ``hand``: species in hand; ``boats``: the list of what is aboard each boat. A boat is
        open while fewer than three cards are aboard. The face is no part of the move, since
        the ply forces it (`FACES`).
    """
    open_boats = [i for i, boat in enumerate(state["boats"]) if len(boat) < BOARDING_LIMIT]
    return [(card, boat) for card in state["hand"] for boat in open_boats]


def random_distribution(state: dict) -> dict[tuple[str, int], Fraction]:
    """Return the law of the strategy `random`: uniform over all legal (card, boat)."""
    moves = legal_moves(state)
    return {move: Fraction(1, len(moves)) for move in moves}


def final_winners(
    points: list[int], cupids: list[int], saved: list[int], final_tie: str = "shared"
) -> tuple[list[int], list[int], list[Fraction]]:
    """Return totals, winners and credit: total, then cupids, then saved cards (AA-A41, AA-A42).

    Parameters
    ----------
    points, cupids, saved
        Points of the saved cards, number of cupids, and number of saved cards of each seat.
    final_tie
        Under ``shared`` those who still tie share the credit of 1; under ``no_winner`` nobody
        wins.
    """
    totals = [p + CUPID_POINTS * c for p, c in zip(points, cupids, strict=True)]
    standing = list(zip(totals, cupids, saved, strict=True))
    winners = [seat for seat, result in enumerate(standing) if result == max(standing)]
    if len(winners) > 1 and final_tie == "no_winner":
        winners = []
    credit = [Fraction(seat in winners, max(1, len(winners))) for seat in range(len(totals))]
    return totals, winners, credit


class BoatDeck:
    """The boat cards, checked while they are turned up.

    The order is not ours to choose: `turned_up` tells it. What we hold is the multiset that
    the cards may still come from.
    """

    def __init__(self, tile_deck: list[int], turned_up: Iterable[int], reshuffle: bool) -> None:
        self.left = Counter(tile_deck)
        self.turned_up = iter(turned_up)
        self.reshuffle = reshuffle
        self.replaced: list[int] = []
        self.used = 0

    def turn_up(self) -> int:
        """Turn up the next boat."""
        if not self.left.total():
            # Only possible under fight_size=eq3, where one elephant may be frightened often.
            self.left, self.replaced = Counter(self.replaced), []  # (AA-A17)
        capacity = next(self.turned_up, None)
        if capacity is None:
            raise PositionError(f"boats: boat card {self.used + 1} is turned up but not given")
        if not self.left[capacity]:
            raise PositionError(f"boats[{self.used}]: no boat of {capacity} is left in the deck")
        self.left[capacity] -= 1
        self.used += 1
        return capacity

    def replace(self, old: int) -> int:
        """Turn up the boat that replaces `old`; draw first, then put it away (AA-A16)."""
        new = self.turn_up()
        if self.reshuffle:
            self.left[old] += 1
        else:
            self.replaced.append(old)
        return new


def replay(setup: dict, moves: list) -> dict:
    """Referee a whole game from its chance results and the moves of its players.

    Parameters
    ----------
    setup
        ``players`` (number), ``start`` (seat), ``decks`` (per seat the twelve species in the
        order of drawing), ``boats`` (capacities in the order in which they are turned up: one
        per player each round, and each replacement as it happens; a surplus stays unused), and
        optionally ``tile_deck``, ``rulings`` and ``idle`` (per seat the species that come
        without their effect; restricted play).
    moves
        ``[seat, card, boat]`` for each of the twelve cards of every player, in order. A fourth
        item, ``"up"`` or ``"down"``, is optional and checked.

    Returns
    -------
    dict
        ``rounds`` (``boats_before``, ``capacities``, ``boats``, ``kept``, ``cupids``),
        ``points``, ``cupids``, ``saved`` (counts), ``totals``, ``winners``, ``credit``,
        ``leaders`` (after each round, by points and cupids alone), ``discarded`` (species per
        seat, sorted), ``refills`` (per seat, ``[hand, deck]`` sizes after each of its plays),
        ``boats_used`` (cards turned up when each round begins, and at the end).

    Raises
    ------
    PositionError
        When the set-up is bad, or its boats cannot come from the deck.
    IllegalMove
        When a move breaks the rules, is missing, or comes after the end.
    """
    n, start, decks, boat_deck, rulings = read_setup(setup)
    idle = setup.get("idle", [[]] * n)
    hands = [deck[:HAND_SIZE] for deck in decks]
    decks = [deck[HAND_SIZE:] for deck in decks]
    refills: list[list[list[int]]] = [[] for _ in range(n)]
    points, cupids = [0] * n, [0] * n
    saved: list[Animal] = []
    discarded: list[Animal] = []
    rounds, leaders, boats_used = [], [], []
    replacements = 0
    to_play = list(moves)

    for round_index in range(ROUNDS):
        # The boats of the last round are out of the game (AA-A44).
        capacities = [boat_deck.turn_up() for _ in range(n)]
        boats_used.append(boat_deck.used)
        boats: list[list[Animal]] = [[] for _ in range(n)]
        for ply, face in enumerate(FACES, start=1):
            for turn in range(n):
                seat = (start + turn) % n
                where = f"round {round_index + 1}, ply {ply}, seat {seat}"
                state = {"hand": hands[seat], "boats": boats}
                assert legal_moves(state), "placing is always possible (AA-A05)"
                card, boat = read_move(to_play, where, seat, face, state)
                hands[seat].remove(card)
                boats[boat].append(Animal(card, seat, idle=card in idle[seat]))
                if decks[seat]:
                    hands[seat].append(decks[seat].pop(0))  # (AA-A03)
                refills[seat].append([len(hands[seat]), len(decks[seat])])
        assert all(len(boat) == BOARDING_LIMIT for boat in boats), "every boat is full"

        cupids_left = CUPID_CARDS - sum(cupids)
        before = [[[animal.species, animal.owner] for animal in boat] for boat in boats]
        capacities_before = list(capacities)
        voyage = Voyage(boats, capacities, boat_deck.replace, max(0, cupids_left), rulings)
        voyage.resolve()
        replacements += voyage.replacements
        saved += voyage.saved
        discarded += voyage.discarded
        kept = [kept_by(voyage.saved, seat) for seat in range(n)]
        cupids_now = [voyage.cupid_owners.count(seat) for seat in range(n)]
        for seat in range(n):
            points[seat] += sum(POINTS[species] for species in kept[seat])
            cupids[seat] += cupids_now[seat]
        rounds.append(
            {
                "boats_before": before,
                "capacities": capacities_before,
                "boats": voyage.results,
                "kept": kept,
                "cupids": cupids_now,
            }
        )
        totals = [points[seat] + CUPID_POINTS * cupids[seat] for seat in range(n)]
        leaders.append([seat for seat in range(n) if totals[seat] == max(totals)])
        start = (start + 1) % n

    if to_play:
        raise IllegalMove(f"after round {ROUNDS}: {len(to_play)} moves too many")
    boats_used.append(boat_deck.used)
    assert refills == [expected_refills()] * n
    assert len(saved) + len(discarded) == DECK_SIZE * n
    if rulings["cupid_supply"] == "finite":
        assert sum(cupids) <= CUPID_CARDS
    if rulings["fight_size"] == "ge3":
        assert replacements <= n, "at most one replacement per elephant"
        assert boat_deck.used <= (ROUNDS + 1) * n < BOAT_CARDS, "the deck never runs out (AA-A17)"

    saved_counts = [sum(animal.owner == seat for animal in saved) for seat in range(n)]
    totals, winners, credit = final_winners(points, cupids, saved_counts, rulings["final_tie"])
    return {
        "rounds": rounds,
        "points": points,
        "cupids": cupids,
        "saved": saved_counts,
        "totals": totals,
        "winners": winners,
        "credit": credit,
        "leaders": leaders,
        "discarded": [kept_by(discarded, seat) for seat in range(n)],
        "refills": refills,
        "boats_used": boats_used,
    }


def expected_refills() -> list[list[int]]:
    """Return hand and deck after each of a player's twelve plays, by arithmetic."""
    sizes = []
    for played in range(1, DECK_SIZE + 1):
        in_deck = max(0, DECK_SIZE - HAND_SIZE - played)
        sizes.append([DECK_SIZE - played - in_deck, in_deck])
    return sizes


def read_move(to_play: list, where: str, seat: int, face: str, state: dict) -> tuple[str, int]:
    """Take the next move off the list and return its card and boat, if it is legal."""
    if not to_play:
        raise IllegalMove(f"{where}: the move is missing")
    move = to_play.pop(0)
    if not isinstance(move, list | tuple) or len(move) not in (3, 4):
        raise IllegalMove(f"{where}: {move!r} is not [seat, card, boat]")
    if not is_whole(move[0], 0) or move[0] != seat:
        raise IllegalMove(f"{where}: seat {move[0]!r} is not to move")
    if len(move) == 4 and move[3] != face:
        raise IllegalMove(f"{where}: the card lies {face} in this ply, not {move[3]!r}")
    card, boat = move[1], move[2]
    if card not in state["hand"]:
        raise IllegalMove(f"{where}: {card!r} is not in the hand {state['hand']}")
    if not is_whole(boat, 0, len(state["boats"]) - 1):
        raise IllegalMove(f"{where}: there is no boat {boat!r}")
    if (card, boat) not in legal_moves(state):
        raise IllegalMove(f"{where}: boat {boat} is full")
    return card, boat


def read_setup(setup: object) -> tuple[int, int, list[list[str]], BoatDeck, dict]:
    """Return players, start seat, decks, boat deck and rulings of a checked set-up."""
    optional = {"tile_deck", "rulings", "idle"}
    check_keys(setup, "setup", {"players", "start", "decks", "boats"}, optional)
    n, start, decks = setup["players"], setup["start"], setup["decks"]
    if not is_whole(n, *PLAYERS):
        raise PositionError(f"players: must be a whole number from {PLAYERS[0]} to {PLAYERS[1]}")
    rulings = read_rulings(setup.get("rulings", {}))
    if not is_whole(start, 0, n - 1):
        raise PositionError(f"start: must be a seat from 0 to {n - 1}")
    if rulings["start_player"] == "seat0" and start != 0:
        raise PositionError(f"start: seat {start} cannot begin under start_player=seat0")
    if not isinstance(decks, list | tuple) or len(decks) != n:
        raise PositionError(f"decks: must be a list of {n} decks")
    for seat, deck in enumerate(decks):
        complete = isinstance(deck, list | tuple) and all(species in deck for species in SPECIES)
        if not complete or len(deck) != DECK_SIZE:
            raise PositionError(f"decks[{seat}]: must hold each of the twelve species once")
    boats = setup["boats"]
    if not isinstance(boats, list | tuple) or not all(is_whole(boat, 0) for boat in boats):
        raise PositionError("boats: must be a list of capacities, whole numbers from 0")
    ruled = rulings.get("tile_deck", TILE_DECK)
    tile_deck = read_tile_deck(setup.get("tile_deck", ruled))
    if "tile_deck" in rulings and Counter(tile_deck) != Counter(ruled):
        raise PositionError("tile_deck: differs from the ruling tile_deck")
    boat_deck = BoatDeck(tile_deck, boats, rulings["replaced_boat"] == "reshuffle")
    return n, start, [list(deck) for deck in decks], boat_deck, rulings
