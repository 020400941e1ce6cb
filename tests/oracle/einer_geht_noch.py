"""Referee of *Einer geht noch!* in plain Python (EGN).

It decides quarrels, so it is written to be read: animals are objects, boats are lists, and
every rule is one function that names the point of the rules which it follows. It shares nothing
with the fast code that it judges. Seats, boats, rounds and moves count from 0.

`resolve` settles a position, `replay` referees a logged game, `Game` is the table at which
`replay` plays. What happens between the reveal and the harbour is in
`tests.oracle.einer_geht_noch_voyage`.
"""

from __future__ import annotations

from fractions import Fraction

from tests.oracle.einer_geht_noch_voyage import (
    CUPIDS,
    DEFAULT_TILE_DECK,
    GAME,
    MOST_BOATS,
    PLAYERS,
    RULINGS,
    SPECIES,
    TILES,
    Animal,
    Boat,
    PositionError,
    Voyage,
    check_keys,
    check_rulings,
    fact,
    is_int,
    need,
    plain,
    tile_deck,
)

__all__ = [
    "DEFAULT_TILE_DECK",
    "GAME",
    "PLAYERS",
    "RULINGS",
    "SPECIES",
    "Game",
    "IllegalMove",
    "PositionError",
    "Supply",
    "leading",
    "legal_moves",
    "random_distribution",
    "replay",
    "resolve",
]

ROUNDS, PLIES, SLOTS = 4, 3, 3
UP, DOWN = "up", "down"


class IllegalMove(ValueError):
    """A logged move that the rules forbid.

    Attributes
    ----------
    index : int
        Place of the move in the log, from 0.
    seat : int
        Seat whose turn it is (or the seat that moved when the game was over).
    """

    def __init__(self, index: int, seat: int, where: str, why: str) -> None:
        super().__init__(f"{where}, seat {seat}, move {index}: {why}")
        self.index = index
        self.seat = seat


def resolve(position: dict) -> dict:
    """Resolve loaded boats given as Position JSON; the answer has no ``events``.

    A boat may hold any number of animals, none included; no card may be aboard twice. The
    rulings on tiles, on the start player and on final ties are checked but change nothing here.
    The optional ``idle`` lists animals without effect, ``[species, owner]`` (restricted play).
    """
    optional = {"draws", "cupids_left", "rulings", "idle"}
    check_keys(position, "position", {"players", "boats"}, optional)
    rulings = check_rulings(position.get("rulings", {}))
    players, draws = position["players"], position.get("draws", [])
    need(isinstance(players, list), "players", "must be a list of names")
    low, high = PLAYERS
    need(low <= len(players) <= high, "players", f"{low} to {high} may play")
    named = all(isinstance(name, str) and name for name in players)
    need(named and len(set(players)) == len(players), "players", "names must be distinct texts")
    need(isinstance(draws, list), "draws", "must be a list of tiles")
    need(all(is_int(tile, 0) for tile in draws), "draws", "tiles are whole numbers from 0")
    left = position.get("cupids_left", CUPIDS)
    need(is_int(left, 0, CUPIDS), "cupids_left", f"must be a whole number, 0 to {CUPIDS}")
    boats = _read_boats(position["boats"], players)
    for animal in (animal for boat in boats for animal in boat.animals):
        animal.idle = [animal.species, players[animal.seat]] in position.get("idle", [])

    waiting = list(draws)

    def new_tile(old: int) -> int:
        need(bool(waiting), "draws", f"a mouse needs a tile, after {len(draws)} drawn")
        return waiting.pop(0)

    voyage = Voyage(rulings, boats, len(players), left, new_tile)
    outcome = {"boats": voyage.run(), "kept": {}, "cupids": {}, "score": {}}
    for seat, name in enumerate(players):
        kept = voyage.harbor[seat]
        outcome["kept"][name] = sorted(animal.species for animal in kept)
        outcome["cupids"][name] = voyage.cupids[seat]
        score = sum((voyage.points(animal) for animal in kept), Fraction(2 * voyage.cupids[seat]))
        outcome["score"][name] = plain(score)
    outcome["trace"] = voyage.trace
    return outcome


def _read_boats(given: object, players: list[str]) -> list[Boat]:
    need(isinstance(given, list), "boats", "must be a list")
    need(1 <= len(given) <= MOST_BOATS, "boats", f"must be 1 to {MOST_BOATS}")
    boats, seen = [], set()
    for i, boat in enumerate(given):
        field = f"boats[{i}]"
        check_keys(boat, field, {"capacity", "animals"}, set())
        need(is_int(boat["capacity"], 0), f"{field}.capacity", "must be a whole number from 0")
        need(isinstance(boat["animals"], list), f"{field}.animals", "must be a list")
        animals = []
        for k, card in enumerate(boat["animals"]):
            where = f"{field}.animals[{k}]"
            pair = isinstance(card, list | tuple) and len(card) == 2
            need(pair, where, "must be [species, owner]")
            need(card[0] in SPECIES, where, f"unknown species {card[0]!r}")
            need(card[1] in players, where, f"unknown owner {card[1]!r}")
            need(tuple(card) not in seen, where, f"{card[0]} of {card[1]} is aboard twice")
            seen.add(tuple(card))
            animals.append(Animal(card[0], players.index(card[1])))
        boats.append(Boat(boat["capacity"], animals))
    return boats


# -- loading -------------------------------------------------------------------------------


def legal_moves(state: dict) -> list[tuple[str, int, str]]:
    """All legal plays ``(card, boat, face)`` of the player whose turn it is (EGN 1.3, EGN-A05).

    Parameters
    ----------
    state : dict
        ``{"hand": [species, ...], "boats": [animals aboard, ...], "ply": 1..3, "down_used":
        bool}``: the player's hand, how many animals each boat holds, which of his three plays
        of the round this is, and whether he has played his face-down card of this round.

    Returns
    -------
    list of tuple
        Cards in the order of the hand, boats ascending, ``"up"`` before ``"down"``.
    """
    check_keys(state, "state", {"hand", "boats", "ply", "down_used"}, set())
    hand, boats, ply, down_used = (state[key] for key in ("hand", "boats", "ply", "down_used"))
    need(is_int(ply, 1, PLIES), "ply", f"must be 1 to {PLIES}")
    need(isinstance(down_used, bool), "down_used", "must be true or false")
    need(not (ply == 1 and down_used), "down_used", "nothing was played before the first ply")
    need(all(card in SPECIES for card in hand), "hand", "unknown species")
    distinct = len(set(hand)) == len(hand)
    need(distinct and len(hand) == PLIES + 1 - ply, "hand", f"must be {PLIES + 1 - ply} cards")
    need(all(is_int(held, 0, SLOTS) for held in boats), "boats", f"hold 0 to {SLOTS} animals")
    faces = []
    if down_used or ply < PLIES:  # the last play is the last chance for the face-down card
        faces.append(UP)
    if not down_used:
        faces.append(DOWN)
    return [
        (card, boat, face)
        for card in hand
        for boat, held in enumerate(boats)
        if held < SLOTS
        for face in faces
    ]


def random_distribution(state: dict) -> dict[tuple[str, int, str], Fraction]:
    """The law of the strategy ``random``: uniform over all legal (card, boat, face)."""
    moves = legal_moves(state)
    return {move: Fraction(1, len(moves)) for move in moves}


def leading(totals: list, cupids: list) -> list[int]:
    """Seats with the greatest total; among equals those with the most cupids (EGN 1.5)."""
    best = max(zip(totals, cupids, strict=True))
    return [seat for seat, pair in enumerate(zip(totals, cupids, strict=True)) if pair == best]


class Supply:
    """The face-down tiles, and the list of tiles that are turned up one after the other.

    Parameters
    ----------
    deck : list of int
        All thirty tiles.
    script : list of int
        Values in the order in which tiles are turned up.
    replace : str
        The ruling `tile_replace` (EGN-A16).
    """

    def __init__(self, deck: list[int], script: list[int], replace: str) -> None:
        self.face_down = list(deck)
        self.script = list(script)
        self.used = 0
        self.replace = replace

    def turn_up(self, why: str) -> int:
        """The next tile of the script; it must be one that still lies face down."""
        need(self.used < len(self.script), "tiles", f"{why} needs tile {self.used}")
        tile = self.script[self.used]
        possible = tile in self.face_down
        need(possible, "tiles", f"tile {self.used} ({tile}) for {why} is not in the supply")
        self.face_down.remove(tile)
        self.used += 1
        return tile

    def swap(self, old: int) -> int:
        """The mouse: the old tile returns before or after the new one is turned up."""
        if self.replace == "return_then_draw":
            self.face_down.append(old)
            return self.turn_up("a mouse")
        tile = self.turn_up("a mouse")
        self.face_down.append(old)
        return tile


class Game:
    """A whole game at the table; `play` takes one move after the other.

    Parameters
    ----------
    setup : dict
        As for `replay`.

    Attributes
    ----------
    rounds : list of dict
        Finished rounds, as `replay` returns them.
    removed : list of Animal
        Everything that is out of the game for good.
    """

    def __init__(self, setup: dict) -> None:
        needed = {"players", "start", "decks", "tiles", "tile_deck"}
        check_keys(setup, "setup", needed, {"rulings", "idle"})
        low, high = PLAYERS
        need(is_int(setup["players"], low, high), "players", f"must be {low} to {high}")
        self.seats = setup["players"]
        self.idle = setup.get("idle", [[]] * self.seats)
        self.rulings = check_rulings(setup.get("rulings", {}))
        deck = tile_deck(setup["tile_deck"])
        if "tile_deck" in setup.get("rulings", {}):
            same = sorted(deck) == sorted(self.rulings["tile_deck"])
            need(same, "tile_deck", "differs from rulings.tile_deck")
        need(is_int(setup["start"], 0, self.seats - 1), "start", f"0 to {self.seats - 1}")
        fixed = self.rulings["start_player"] == "seat0"
        need(not fixed or setup["start"] == 0, "start", "must be 0 under start_player=seat0")
        decks = setup["decks"]
        need(isinstance(decks, list | tuple), "decks", "must be a list")
        need(len(decks) == self.seats, "decks", "must be one per seat")
        for seat, cards in enumerate(decks):
            listed = isinstance(cards, list | tuple) and len(cards) == len(SPECIES)
            full = listed and all(species in cards for species in SPECIES)
            need(full, f"decks[{seat}]", "must be the twelve species, each once")
        tiles = setup["tiles"]
        listed = isinstance(tiles, list | tuple) and all(is_int(tile, 0) for tile in tiles)
        need(listed, "tiles", "must be a list of whole numbers from 0")

        self.supply = Supply(deck, tiles, self.rulings["tile_replace"])
        self.decks = [list(cards) for cards in decks]
        self.hands: list[list[str]] = [[] for _ in range(self.seats)]
        self.start = setup["start"]
        self.stack = CUPIDS
        self.points = [Fraction(0)] * self.seats
        self.cupids = [0] * self.seats
        self.harbor: list[list[Animal]] = [[] for _ in range(self.seats)]
        self.removed: list[Animal] = []
        self.rounds: list[dict] = []
        self.leaders: list[list[int]] = []
        self.played = 0
        self.over = False
        self.begin_round()

    # -- the loop --------------------------------------------------------------------------

    @property
    def ply(self) -> int:
        """Which of his three plays the player has before him, from 1."""
        return self.played % (PLIES * self.seats) // self.seats + 1

    @property
    def seat(self) -> int:
        """Whose turn it is; the start player's buoy decides (EGN-A39)."""
        return (self.start + self.played) % self.seats

    def state(self) -> dict:
        """What `legal_moves` needs about the player whose turn it is."""
        return {
            "hand": list(self.hands[self.seat]),
            "boats": [len(boat.animals) for boat in self.boats],
            "ply": self.ply,
            "down_used": self.down_used[self.seat],
        }

    def begin_round(self) -> None:
        """Draw three cards each, one new tile per boat (EGN 1.3, EGN-A07)."""
        done = len(self.rounds)
        for seat in range(self.seats):
            self.hands[seat] = [self.decks[seat].pop(0) for _ in range(PLIES)]
            fact(len(self.decks[seat]) == 3 * (ROUNDS - 1 - done), "deck size after drawing")
        tiles = [self.supply.turn_up(f"boat {i}") for i in range(self.seats)]
        self.boats = [Boat(tile, []) for tile in tiles]
        self.down_used = [False] * self.seats
        left = TILES - self.seats * (done + 1)
        fact(len(self.supply.face_down) == left >= 10, "tiles in the supply (EGN 1.6-2)")

    def play(self, seat: int, card: str, boat: int, face: str) -> None:
        """One move; the last move of a round also resolves it."""
        if self.over:
            raise IllegalMove(self.played, seat, "after the last round", "the game is over")
        where = f"round {len(self.rounds)}, ply {self.ply}"
        if not is_int(seat, 0) or seat != self.seat:
            why = f"it is the turn of seat {self.seat}"
            raise IllegalMove(self.played, seat, where, why)
        moves = legal_moves(self.state())
        fact(bool(moves), "a player cannot place (EGN 1.6-1)")
        if not is_int(boat, 0) or (card, boat, face) not in moves:
            why = f"{(card, boat, face)!r} is not legal; state {self.state()}"
            raise IllegalMove(self.played, seat, where, why)
        last = (self.played + 1) % (PLIES * self.seats) == 0
        fact(
            not last or len({move[1] for move in moves}) == 1, "the last boat is forced (EGN 1.6-1)"
        )
        self.hands[seat].remove(card)
        animal = Animal(card, seat)
        animal.idle = card in self.idle[seat]
        self.boats[boat].animals.append(animal)
        self.down_used[seat] = self.down_used[seat] or face == DOWN
        self.played += 1
        if last:
            self.end_round()

    def end_round(self) -> None:
        """Reveal, resolve, book, pass the buoy to the left; begin the next round if any."""
        fact(
            all(len(boat.animals) == SLOTS for boat in self.boats), "a boat is not full (EGN 1.6-1)"
        )
        fact(all(self.down_used), "somebody played no card face down")
        before = [[[animal.species, animal.seat] for animal in boat.animals] for boat in self.boats]
        capacities = [boat.capacity for boat in self.boats]
        voyage = Voyage(self.rulings, self.boats, self.seats, self.stack, self.supply.swap)
        boats = voyage.run()
        for seat in range(self.seats):
            self.points[seat] += sum(map(voyage.points, voyage.harbor[seat]), Fraction(0))
            self.cupids[seat] += voyage.cupids[seat]
            self.harbor[seat] += voyage.harbor[seat]
        self.removed += voyage.removed
        self.stack = voyage.stack
        self.rounds.append(
            {
                "boats_before": before,
                "capacities": capacities,
                "boats": boats,
                "kept": [sorted(one.species for one in kept) for kept in voyage.harbor],
                "cupids": list(voyage.cupids),
            }
        )
        self.leaders.append(leading(self.totals(), self.cupids))
        self.check_books()
        self.start = (self.start + 1) % self.seats
        if len(self.rounds) < ROUNDS:
            self.begin_round()
        else:
            self.over = True

    def check_books(self) -> None:
        """No card, no cupid and no tile is lost or doubled between two rounds."""
        harbored = [animal for kept in self.harbor for animal in kept]
        gone = {(animal.species, animal.seat) for animal in harbored + self.removed}
        fact(len(gone) == len(harbored + self.removed), "an animal left twice")
        fact(len(gone) == 3 * self.seats * len(self.rounds), "an animal is missing")
        fact(sum(self.cupids) % 2 == 0, "cupids come in pairs (EGN 1.6-6)")
        if self.rulings["cupid_supply"] == "finite":
            fact(sum(self.cupids) + self.stack == CUPIDS, "cupids are missing (EGN 1.6-6)")
        left = TILES - self.seats * len(self.rounds)
        fact(len(self.supply.face_down) == left, "mice keep the number of tiles (EGN 1.6-2)")

    # -- the end ---------------------------------------------------------------------------

    def totals(self) -> list[Fraction]:
        """Harbour weights plus two per cupid (EGN 1.5)."""
        pairs = zip(self.points, self.cupids, strict=True)
        return [points + 2 * cupids for points, cupids in pairs]

    def result(self) -> dict:
        """What `replay` returns."""
        winners = leading(self.totals(), self.cupids)
        if len(winners) > 1 and self.rulings["final_tie"] == "no_winner":
            winners = []
        share = [Fraction(seat in winners, max(len(winners), 1)) for seat in range(self.seats)]
        return {
            "rounds": self.rounds,
            "points": [plain(points) for points in self.points],
            "cupids": list(self.cupids),
            "totals": [plain(total) for total in self.totals()],
            "winners": winners,
            "credit": share,
            "leaders": self.leaders,
        }


def replay(setup: dict, moves: list) -> dict:
    """Referee a whole logged game.

    Parameters
    ----------
    setup : dict
        ``players`` (number), ``start`` (seat with the buoy in the first round), ``decks`` (per
        seat the twelve species in draw order), ``tiles`` (values in the order in which they are
        turned up: each round one per boat, then one per mouse action; all must be used),
        ``tile_deck`` (the thirty tiles), ``rulings`` and ``idle`` (both optional; per seat the
        species that come without their effect, which is restricted play).
    moves : list
        ``[seat, card, boat, face]``, twelve per player; ``face`` is ``"up"`` or ``"down"``.

    Returns
    -------
    dict
        ``rounds``, per seat ``points``, ``cupids``, ``totals`` and ``credit`` (win credit: 1
        shared by the winners), ``winners``, and ``leaders`` after each round: who would be
        first if the game ended there, all who tie. Under ``final_tie=no_winner`` a tie leaves
        no winners and no credit; `leaders` still names who ties.

    Raises
    ------
    PositionError
        If the set-up cannot be, or a tile is turned up that is not in the supply.
    IllegalMove
        At the first illegal move, a missing or a surplus one.
    """
    game = Game(setup)
    for index, move in enumerate(moves):
        if not isinstance(move, list | tuple) or len(move) != 4:
            raise IllegalMove(index, game.seat, "in the log", "a move is [seat, card, boat, face]")
        game.play(*move)
    if not game.over:
        where = f"round {len(game.rounds)}, ply {game.ply}"
        raise IllegalMove(game.played, game.seat, where, "the log ends before the game")
    supply = game.supply
    unused = len(supply.script) - supply.used
    need(unused == 0, "tiles", f"{unused} are left over")
    return game.result()
