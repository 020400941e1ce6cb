"""Plain-Python referee of Einfach tierisch: slow, literal, and independent of every kernel.

Dice are lists of symbols, a sheet is a dict animal -> marked boxes, seats count clockwise from 0.
Ids such as ET-A13 name the entry of the rules' table of ambiguities that a line decides. What dice
can show and what may be kept of them stands in `tierisch_dice`; its names are reached from here.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

from tests.oracle.tierisch_dice import (
    ANIMALS,
    KEEP_SIZES,
    POLICE,
    SYMBOLS,
    PositionError,
    best_turn,
    check_dice,
    check_keys,
    enumerate_policies,
    keep_values,
    legal_moves,
    multiset,
    policy_value,
    random_distribution,
    require,
    roll_law,
)

__all__ = [
    "ANIMALS", "BOXES", "DEFAULT_DIE_FACES", "DICE", "GAME", "KEEP_SIZES", "PLAYERS", "POLICE",
    "RULINGS", "SYMBOLS", "IllegalMove", "PositionError", "best_turn", "boxes_offered",
    "boxes_open", "enumerate_policies", "evaluate", "is_void", "keep_values", "leading_animals",
    "legal_moves", "multiset", "policy_value", "random_distribution", "read_rulings", "replay",
    "resolve", "roll_law", "setup_law", "turn_value", "victory_points", "winning_seats",
]  # fmt: skip

GAME = "einfach-tierisch"
PLAYERS = (2, 5)  # ET-A02
DEFAULT_DIE_FACES = SYMBOLS  # ET-A01; the only ruling that is a list and not a choice
DICE = 6
BOXES = 5
POLICE_LIMIT = 2  # ET-A07
WINNING_POINTS = 2

RULINGS: dict[str, tuple] = {
    "box_cap": (3, 0),
    "cap_choice": ("policy", "fullest_first"),
    "vp_columns": ("any_other_animal", "owned_only"),
    "simultaneous_win": ("shared", "active_first"),
    "animals": ("random", "fixed"),
    "start_player": ("seat0", "random"),
}

# Fact 1: boxes offered to each leader by (animal counts, police), for all rolls that are not void.
# Written out instead of computed, so that it checks the computation.
BOXES_BY_PATTERN = {
    ((6,), 0): 0, ((5,), 1): 0, ((3, 3), 0): 0, ((2, 2, 2), 0): 0, ((1, 1, 1, 1, 1), 1): 0,
    ((5, 1), 0): 1, ((4, 1), 1): 1, ((2, 2, 1), 1): 1,
    ((4, 2), 0): 2, ((4, 1, 1), 0): 2, ((3, 2), 1): 2, ((3, 1, 1), 1): 2, ((2, 2, 1, 1), 0): 2,
    ((3, 2, 1), 0): 3, ((3, 1, 1, 1), 0): 3, ((2, 1, 1, 1), 1): 3,
    ((2, 1, 1, 1, 1), 0): 4,
}  # fmt: skip


class IllegalMove(ValueError):
    """A move that the rules do not allow; the message names ply and seat (both from 0)."""


# ---------------------------------------------------------------- validation


def _check_owned(owned: list, field: str) -> None:
    low, high = PLAYERS
    require(low <= len(owned) <= high, field, f"{low} to {high} players, not {len(owned)}")
    for animal in owned:
        require(animal in ANIMALS, field, f"unknown animal {animal!r}; choices: {ANIMALS}")
    require(len(set(owned)) == len(owned), field, "two players cannot have the same animal")


def _check_columns(columns: object, field: str) -> None:
    require(isinstance(columns, (list, tuple)), field, "must be a list of columns")
    for column in columns:
        require(column in ANIMALS, field, f"unknown column {column!r}; choices: {ANIMALS}")
    require(len(set(columns)) == len(columns), field, "names a column twice")


def read_rulings(given: dict | None, players: int) -> dict:
    """Return every ruling with its value, defaults filled in.

    Raises
    ------
    PositionError
        Unknown ruling or value, or `owned_only` with two players: nobody could ever win (ET-A17).
    """
    given = {} if given is None else given
    require(isinstance(given, dict), "rulings", "must be an object")
    rulings = {name: values[0] for name, values in RULINGS.items()}
    rulings["die_faces"] = DEFAULT_DIE_FACES
    for name, value in given.items():
        field = f"rulings.{name}"
        require(name in rulings, field, f"unknown ruling; choices: {sorted(rulings)}")
        if name == "die_faces":
            require(isinstance(value, (list, tuple)) and len(value) > 0, field, "needs symbols")
            for symbol in value:
                require(symbol in SYMBOLS, field, f"unknown symbol {symbol!r}")
            rulings[name] = tuple(value)
        else:
            # the type too, because True == 1 and 3.0 == 3 in Python
            known = any(type(value) is type(v) and value == v for v in RULINGS[name])
            require(known, field, f"unknown value {value!r}; choices: {RULINGS[name]}")
            rulings[name] = value
    require(
        not (rulings["vp_columns"] == "owned_only" and players == 2),
        "rulings.vp_columns",
        "with owned_only and two players nobody can ever win",
    )
    return rulings


# ---------------------------------------------------------------- evaluation


def leading_animals(kept) -> list:
    """Return the most frequent animals, owned or not; police are no animal (ET-A08)."""
    counts = Counter(symbol for symbol in kept if symbol != POLICE)
    top = max(counts.values(), default=0)
    return [animal for animal in ANIMALS if top > 0 and counts[animal] == top]


def boxes_offered(kept) -> dict:
    """Return column -> boxes that the roll offers every leader: one a die (ET-A12, ET-A16)."""
    counts = Counter(symbol for symbol in kept if symbol != POLICE)
    top = max(counts.values(), default=0)
    return {animal: counts[animal] for animal in ANIMALS if 0 < counts[animal] < top}


def is_void(kept) -> bool:
    """Two or more police among the final dice (ET-A07)."""
    return list(kept).count(POLICE) >= POLICE_LIMIT


def boxes_open(offered: dict, sheet: dict) -> dict:
    """Return the offered boxes for which the sheet has room; surplus is lost (ET-A15)."""
    room = {column: min(boxes, BOXES - sheet[column]) for column, boxes in offered.items()}
    return {column: boxes for column, boxes in room.items() if boxes > 0}


def dispensable_order(open_boxes: dict, sheet: dict, forgo: list) -> list:
    """Return the open columns, the first to leave out first (ET-A14).

    First those that the player forgoes, in his order; then the emptiest, among equals the last in
    the order of the sheet: so the fullest are marked first.
    """
    wanted = [column for column in forgo if column in open_boxes]
    others = [column for column in open_boxes if column not in wanted]
    others.sort(key=lambda column: (sheet[column], -ANIMALS.index(column)))
    return wanted + others


def boxes_marked(open_boxes: dict, sheet: dict, cap: int, forgo: list) -> dict:
    """Return what is marked of the open boxes: all (fact 4), or `cap` (ET-A13; 0 is no cap)."""
    marked = dict(open_boxes)
    for column in dispensable_order(open_boxes, sheet, forgo):
        while cap != 0 and sum(marked.values()) > cap and marked[column] > 0:
            marked[column] -= 1
    return {column: boxes for column, boxes in marked.items() if boxes > 0}


def victory_points(owned: list, sheet: dict, seat: int, vp_columns: str) -> int:
    """Count the complete columns of a seat that are worth a point (ET-A17, ET-A23)."""
    points = 0
    for column in ANIMALS:
        counts = column != owned[seat]
        if vp_columns == "owned_only" and column not in owned:
            counts = False
        if counts and sheet[column] == BOXES:
            points += 1
    return points


def winning_seats(points: list, roller: int, simultaneous_win: str) -> list:
    """Return the winners after an evaluation (ET-A18, ET-A19), in seat order."""
    reached = [seat for seat in range(len(points)) if points[seat] >= WINNING_POINTS]
    if simultaneous_win == "active_first" and reached:
        return [min(reached, key=lambda seat: (seat - roller) % len(points))]
    return reached


def evaluate(owned: list, sheets: list, roller: int, kept, rulings: dict, forgo: dict) -> dict:
    """Evaluate one finished roll of any number of dice; changes nothing that it is given.

    Parameters
    ----------
    owned, sheets
        Animal and sheet (all five columns) of each seat.
    roller
        The seat that rolled; it matters only to `simultaneous_win=active_first` (ET-A09).
    kept
        The final dice.
    rulings
        From `read_rulings`.
    forgo
        Seat -> columns to leave out when the cap binds, most dispensable first.

    Returns
    -------
    dict
        `void`, `leaders`, and by seat `marked`, `marks`, `victory_points`; `winners` (seats).
    """
    void = is_void(kept)
    leaders = leading_animals(kept)
    offered = {} if void else boxes_offered(kept)
    marked = []
    for seat, animal in enumerate(owned):
        if animal in leaders:  # every owner of a leader (ET-A09); an unowned one promotes nobody
            open_boxes = boxes_open(offered, sheets[seat])
            asked = rulings["cap_choice"] == "policy"
            wishes = forgo.get(seat, []) if asked else []
            marked.append(boxes_marked(open_boxes, sheets[seat], rulings["box_cap"], wishes))
        else:
            marked.append({})
    # all marks of all players, and only then the points (ET-A20)
    marks = [
        {column: sheet[column] + new.get(column, 0) for column in ANIMALS}
        for sheet, new in zip(sheets, marked, strict=True)
    ]
    points = [
        victory_points(owned, marks[seat], seat, rulings["vp_columns"])
        for seat in range(len(owned))
    ]
    return {
        "void": void,
        "leaders": leaders,
        "marked": marked,
        "marks": marks,
        "victory_points": points,
        "winners": winning_seats(points, roller, rulings["simultaneous_win"]),
    }


def _assert_facts(owned: list, sheets: list, kept, outcome: dict, rulings: dict) -> None:
    """Assert what the rules prove about any evaluation of six dice."""
    counts = Counter(symbol for symbol in kept if symbol != POLICE)
    pattern = tuple(sorted(counts.values(), reverse=True))
    offered = sum(boxes_offered(kept).values())
    if outcome["void"]:
        assert all(new == {} for new in outcome["marked"])
    else:
        assert offered == BOXES_BY_PATTERN[pattern, list(kept).count(POLICE)]  # fact 1
    if len(set(pattern)) == 1:
        assert all(new == {} for new in outcome["marked"])  # fact 3
    assert sum(1 for new in outcome["marked"] if new) <= 2  # no third leader leaves a die over
    for seat, new in enumerate(outcome["marked"]):
        assert sum(new.values()) <= (rulings["box_cap"] or 4)
        assert all(boxes in (1, 2) for boxes in new.values())  # fact 2
        assert outcome["marks"][seat][owned[seat]] == 0  # ET-A23
        for column in ANIMALS:
            assert sheets[seat][column] <= outcome["marks"][seat][column] <= BOXES


# ---------------------------------------------------------------- one position


def resolve(position: dict) -> dict:
    """Evaluate one position in Position JSON form.

    Parameters
    ----------
    position
        `animals` (player -> animal, in clockwise order), `active`, `roll` (the six final dice);
        optional `marks` (missing columns are empty), `rulings`, `forgo`.

    Returns
    -------
    dict
        `marked` (every player, only columns with new boxes), `marks` (all five columns; the own
        one is 0), `victory_points`, `winners` (names), `trace`.

    Raises
    ------
    PositionError
        The message begins with the field at fault.
    """
    check_keys(position, "position", {"animals", "active", "roll"}, {"marks", "rulings", "forgo"})
    require(isinstance(position["animals"], dict), "animals", "must be an object")
    names = list(position["animals"])
    owned = list(position["animals"].values())
    for name in names:
        require(isinstance(name, str) and name != "", "animals", f"bad player name {name!r}")
    _check_owned(owned, "animals")
    rulings = read_rulings(position.get("rulings"), len(names))
    require(position["active"] in names, "active", f"unknown player; choices: {names}")
    check_dice(position["roll"], "roll", DICE, rulings["die_faces"])

    given = position.get("marks", {})
    require(isinstance(given, dict), "marks", "must be an object")
    sheets = [dict.fromkeys(ANIMALS, 0) for _ in names]
    for name, columns in given.items():
        field = f"marks.{name}"
        require(name in names, field, f"unknown player; choices: {names}")
        require(isinstance(columns, dict), field, "must be an object")
        seat = names.index(name)
        for column, boxes in columns.items():
            require(column in ANIMALS, f"{field}.{column}", f"unknown; choices: {ANIMALS}")
            whole = type(boxes) is int and 0 <= boxes <= BOXES
            require(whole, f"{field}.{column}", f"needs 0 to {BOXES}, not {boxes!r}")
            own = column == owned[seat]
            require(not own or boxes == 0, f"{field}.{column}", "the own column is crossed out")
            sheets[seat][column] = boxes
    for seat, name in enumerate(names):
        points = victory_points(owned, sheets[seat], seat, rulings["vp_columns"])
        require(points < WINNING_POINTS, f"marks.{name}", "the position is already won")

    wishes = position.get("forgo", {})
    require(isinstance(wishes, dict), "forgo", "must be an object")
    for name, columns in wishes.items():
        require(name in names, f"forgo.{name}", f"unknown player; choices: {names}")
        _check_columns(columns, f"forgo.{name}")
    forgo = {names.index(name): list(columns) for name, columns in wishes.items()}

    kept = position["roll"]
    outcome = evaluate(owned, sheets, names.index(position["active"]), kept, rulings, forgo)
    _assert_facts(owned, sheets, kept, outcome, rulings)
    by_name = {key: dict(zip(names, outcome[key], strict=True)) for key in ("marked", "marks")}
    return {
        **by_name,
        "victory_points": dict(zip(names, outcome["victory_points"], strict=True)),
        "winners": [names[seat] for seat in outcome["winners"]],
        "trace": [("void", outcome["void"]), ("leaders", *outcome["leaders"])],
    }


# ---------------------------------------------------------------- one turn, one game


def setup_law(players: int, rulings: dict | None = None, animals: list | None = None) -> dict:
    """Return (animals by seat, start seat) -> Fraction: the law of the set-up (ET-A22).

    `animals` is needed, and used, under the ruling `animals=fixed` only.
    """
    ruled = read_rulings(rulings, players)
    deals = list(permutations(ANIMALS, players))
    if ruled["animals"] == "fixed":
        _check_owned(list(animals or []), "animals")
        require(len(animals) == players, "animals", f"needs {players}")
        deals = [tuple(animals)]
    starts = [0] if ruled["start_player"] == "seat0" else list(range(players))
    share = Fraction(1, len(deals) * len(starts))
    return {(deal, start): share for deal in deals for start in starts}


def _play_turn(ply: int, seat: int, move: dict, rolls, faces: tuple) -> list:
    """Referee three rolls and two decisions of one turn; return the six kept dice."""
    field, where = f"rolls[{ply}]", f"ply {ply}, seat {seat}"
    require(isinstance(rolls, (list, tuple)) and len(rolls) == 3, field, "needs three rolls")
    keeps = move["keeps"]
    if not isinstance(keeps, (list, tuple)) or len(keeps) != 2:
        raise IllegalMove(f"{where}: keeps needs two lists, the third roll is kept whole")
    kept: list = []
    sizes = list(KEEP_SIZES)
    for number, roll in enumerate(rolls):
        check_dice(roll, f"{field}[{number}]", DICE - len(kept), faces)
        keep = roll if number == 2 else keeps[number]
        if not isinstance(keep, (list, tuple)) or len(keep) not in sizes:
            raise IllegalMove(f"{where}: {keep!r} after roll {number + 1}; sizes left: {sizes}")
        if any(symbol not in roll for symbol in keep) or Counter(keep) - Counter(roll):
            raise IllegalMove(f"{where}: {keep!r} is not among the dice rolled, {roll!r}")
        kept.extend(keep)
        sizes.remove(len(keep))
    assert len(kept) == DICE
    return kept


def _read_forgo(ply: int, seat: int, given: object, players: int) -> dict:
    """Return seat -> columns; seats may be written as text, as JSON does with keys."""
    where = f"ply {ply}, seat {seat}: forgo"
    if not isinstance(given, dict):
        raise IllegalMove(f"{where} must be an object")
    forgo = {}
    for key, columns in given.items():
        if str(key) not in [str(number) for number in range(players)]:
            raise IllegalMove(f"{where} of the unknown seat {key!r}")
        try:
            _check_columns(columns, f"{where}[{key}]")
        except PositionError as error:
            raise IllegalMove(str(error)) from None
        if int(key) in forgo:
            raise IllegalMove(f"{where} names seat {key} twice")
        forgo[int(key)] = list(columns)
    return forgo


def replay(setup: dict, moves: list, complete: bool = True) -> dict:
    """Referee a whole logged game.

    Parameters
    ----------
    setup
        `players`, `start` (seat), `animals` (by seat), `rolls` (three lists of symbols a turn),
        optional `rulings`.
    moves
        One a turn: `seat`, `keeps` (the dice kept after roll 1 and after roll 2), optional `forgo`.
    complete
        Whether the log must end with the game; a log that stops early has no winners.

    Returns
    -------
    dict
        `log` (per turn `seat`, `kept`, `marked` by seat, `void`), then by seat `marks`,
        `victory_points`, `credit`; `winners` (seats) and `turns`.

    Raises
    ------
    PositionError
        Bad set-up or chance results.
    IllegalMove
        A move out of turn, against the rules, after the end, or missing.
    """
    check_keys(setup, "setup", {"players", "start", "animals", "rolls"}, {"rulings"})
    players, start, owned = setup["players"], setup["start"], setup["animals"]
    require(type(players) is int, "players", "must be a whole number")
    require(isinstance(owned, (list, tuple)), "animals", "must be a list, one a seat")
    _check_owned(list(owned), "animals")
    require(len(owned) == players, "animals", f"{len(owned)} animals for {players} players")
    rulings = read_rulings(setup.get("rulings"), players)
    require(type(start) is int and 0 <= start < players, "start", "is no seat")
    require(start == 0 or rulings["start_player"] == "random", "start", "seat 0 starts")
    require(isinstance(setup["rolls"], (list, tuple)), "rolls", "must be a list, one a turn")

    sheets = [dict.fromkeys(ANIMALS, 0) for _ in range(players)]
    points, winners, log, seat = [0] * players, [], [], start
    for ply, move in enumerate(moves):
        where = f"ply {ply}, seat {seat}"
        if winners:
            raise IllegalMove(f"{where}: the game is over (ET-A19)")
        if not isinstance(move, dict) or not {"seat", "keeps"} <= set(move):
            raise IllegalMove(f"{where}: a move needs seat and keeps")
        if set(move) - {"seat", "keeps", "forgo"}:
            raise IllegalMove(f"{where}: unknown key in {list(move)}")
        if type(move["seat"]) is not int or move["seat"] != seat:
            raise IllegalMove(f"{where}: seat {move['seat']!r} is not to move")
        require(ply < len(setup["rolls"]), f"rolls[{ply}]", "missing")
        kept = _play_turn(ply, seat, move, setup["rolls"][ply], rulings["die_faces"])
        forgo = _read_forgo(ply, seat, move.get("forgo", {}), players)
        outcome = evaluate(list(owned), sheets, seat, kept, rulings, forgo)
        _assert_facts(list(owned), sheets, kept, outcome, rulings)
        log.append({"seat": seat, "kept": list(multiset(kept))})
        log[-1].update(marked=outcome["marked"], void=outcome["void"])
        sheets, points = outcome["marks"], outcome["victory_points"]
        winners = outcome["winners"]
        assert len(winners) <= 2
        assert bool(winners) == (max(points) >= WINNING_POINTS)
        seat = (seat + 1) % players
    if complete and not winners:
        raise IllegalMove(f"ply {len(moves)}, seat {seat}: the game is not over, a move is missing")
    require(len(setup["rolls"]) == len(moves), "rolls", "there are rolls after the last turn")
    share = Fraction(1, len(winners)) if winners else Fraction(0)
    return {
        "log": log,
        "marks": sheets,
        "victory_points": points,
        "winners": winners,
        "credit": [share if number in winners else Fraction(0) for number in range(players)],
        "turns": len(log),
    }


def turn_value(owned, sheets, seat, objective, *, faces=SYMBOLS, sizes=KEEP_SIZES, rulings=None):
    """Return the best expectation of `objective(outcome, seat)` over one turn of `seat`.

    `objective` sees what `evaluate` returns. Under `cap_choice=policy` a marker whom the cap binds
    takes what is best for himself, `objective(outcome, marker)`; among equals the fullest columns.
    """
    ruled = read_rulings(rulings, len(owned))

    def value(kept: tuple) -> Fraction:
        outcome = evaluate(owned, sheets, seat, kept, ruled, {})
        for marker, animal in enumerate(owned):
            open_boxes = boxes_open({} if is_void(kept) else boxes_offered(kept), sheets[marker])
            cap = ruled["box_cap"]
            if animal not in outcome["leaders"] or not 0 < cap < sum(open_boxes.values()):
                continue
            # only a single leader is ever offered more than three, so no two markers interact
            outcomes = [
                evaluate(owned, sheets, seat, kept, ruled, {marker: [column]})
                for column in dispensable_order(open_boxes, sheets[marker], [])
            ]
            outcome = max(outcomes, key=lambda result: objective(result, marker))
        return Fraction(objective(outcome, seat))

    return best_turn(faces, sum(sizes), sizes, value)
