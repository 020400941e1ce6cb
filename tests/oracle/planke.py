"""A plain-Python referee of Gezanke auf der Planke!, independent of the kernels.

Whole games, positions, the strategy `random` and scoring; `planke_turn` holds the rulings, the
plank and a single turn. Everything is written for reading: it decides what is right when the
fast code and a person disagree.
"""

from __future__ import annotations

from fractions import Fraction

from tests.oracle.planke_turn import (
    COLOURS,
    EMPTY,
    OPEN_RULINGS,
    PIRATES,
    RULINGS,
    SYMBOLS,
    IllegalMove,
    Move,
    PositionError,
    carry_out,
    check_rulings,
    choosable,
    end_cells,
    executions,
    is_int,
    is_over,
    move1_targets,
    pirates,
    play_turn,
    push_from,
    rose_distribution,
    rows,
    start_plank,
)

__all__ = [
    "COLOURS",
    "EMPTY",
    "GAME",
    "OPEN_RULINGS",
    "PIRATES",
    "PLACE_POINTS",
    "PLAYERS",
    "RULINGS",
    "SYMBOLS",
    "IllegalMove",
    "Move",
    "PositionError",
    "carry_out",
    "check_rulings",
    "choosable",
    "end_cells",
    "executions",
    "is_over",
    "legal_moves",
    "move1_targets",
    "pirates",
    "push_from",
    "random_distribution",
    "replay",
    "resolve",
    "rose_distribution",
    "rows",
    "score_round",
    "start_plank",
]

GAME = "gezanke-auf-der-planke"
PLAYERS = (2, 4)
PLACE_POINTS = (5, 3, 1, 0)

MOVE_KEYS = {"choice", "at", "to", "row"}
POSITION_KEYS = {"plank", "symbols", "rulings"} | MOVE_KEYS
SETUP_KEYS = {"players", "start", "colours", "spins", "plank_length", "rulings"}


def _check_plank(value: object) -> list[str]:
    if not isinstance(value, str) or any(c != EMPTY and c not in COLOURS for c in value):
        raise PositionError(f"plank: {value!r} must be a string of '.', {', '.join(COLOURS)}")
    if len(pirates(list(value))) < 2:
        raise PositionError("plank: fewer than two pirates; the game is over")
    return list(value)


def _check_symbols(value: object, field: str = "symbols") -> list[str]:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise PositionError(f"{field}: must be two symbols")
    if any(symbol not in SYMBOLS for symbol in value):
        raise PositionError(f"{field}: {list(value)}; choices: {SYMBOLS}")
    return list(value)


def _check_keys(given: object, allowed: set[str], what: str) -> dict:
    if not isinstance(given, dict):
        raise PositionError(f"{what}: must be an object")
    for key in given:
        if key not in allowed:
            raise PositionError(f"{key}: unknown field of a {what}; choices: {sorted(allowed)}")
    return given


def resolve(position: dict) -> dict:
    """Position JSON in, Position JSON out (without events, with a debugging `trace`).

    The length of the plank is that of the string, whatever `plank_length` says. The end is
    tested after each action, as in a game: a plank of one colour under `one_colour_left` is
    over after the choice, not refused.
    """
    _check_keys(position, POSITION_KEYS, "position")
    rulings = check_rulings(position.get("rulings", {}))
    cells = _check_plank(position.get("plank"))
    symbols = _check_symbols(position.get("symbols"))
    turn = play_turn(cells, symbols, position, rulings)
    return {
        "plank": "".join(turn["plank"]),
        "after_choice": "".join(turn["after_choice"]),
        "fallen": turn["fallen"],
        "over": turn["over"],
        "survivor": turn["survivor"],
        "row_skipped": turn["row_skipped"],
        "trace": turn["trace"],
    }


# ---------------------------------------------------------------- legal moves, `random`


def _full_turns(cells: list[str], action: Move, rulings: dict) -> list[Move]:
    after, _ = carry_out(cells, action, rulings)
    if is_over(after, rulings):
        return [action]
    return [action._replace(row=row) for row in rows(after)]


def _read_state(state: dict) -> tuple[list[str], list[str], dict]:
    _check_keys(state, {"plank", "symbols", "rulings"}, "state")
    rulings = check_rulings(state.get("rulings", {}))
    return _check_plank(state.get("plank")), _check_symbols(state.get("symbols")), rulings


def legal_moves(state: dict) -> list[Move]:
    """All legal full turns of a state ``{"plank", "symbols", "rulings"}``, without repeats.

    `row` is None where the choice ends the game, `at` is None for a skull or a lapsed action.
    """
    cells, symbols, rulings = _read_state(state)
    moves = []
    for symbol in dict.fromkeys(choosable(cells, symbols, rulings)):
        for action in executions(cells, symbol, rulings) or [Move(symbol)]:
            moves.extend(_full_turns(cells, action, rulings))
    return moves


def random_distribution(state: dict) -> dict[Move, Fraction]:
    """The exact law of `random`: pointer, then the symbol's execution, then the row.

    Each pointer has 1/2; where a ruling forbids one of the two, the other is taken.
    """
    cells, symbols, rulings = _read_state(state)
    law: dict[Move, Fraction] = {}
    pointers = choosable(cells, symbols, rulings)
    for symbol in pointers:
        actions = executions(cells, symbol, rulings) or [Move(symbol)]
        for action in actions:
            turns = _full_turns(cells, action, rulings)
            for move in turns:
                chance = Fraction(1, len(pointers) * len(actions) * len(turns))
                law[move] = law.get(move, Fraction(0)) + chance
    assert sum(law.values()) == 1
    return law


# ---------------------------------------------------------------- scoring


def score_round(colours: list[str], fallen: list[str], survivor: str, rulings: dict) -> dict:
    """Points per seat, the winning seat, whether the round is void (GP-A19 to GP-A21).

    Colours rank by the moment when their last pirate fell, the survivor's colour first.

    rank_scope=players: only the players' colours are ranked. rank_scope=colours: all four are,
    and a place that an unowned colour holds is lost. The survivor's place is never handed down:
    under `no_points` first place stays vacant and the best player is second, whatever the
    scope. Under `best_player` the player whose last pirate fell latest wins, with a winner's
    points; with rank_scope=players the others follow as second and third, with
    rank_scope=colours they keep the places of their colours.
    """
    moment = {colour: at for at, colour in enumerate(fallen)}  # a later fall overwrites
    moment[survivor] = len(fallen)
    # A colour that is missing here would still be on the plank: only the survivor's is.
    ranked = sorted(COLOURS, key=lambda colour: moment[colour], reverse=True)
    assert ranked[0] == survivor
    points = [0] * len(colours)
    unowned = survivor not in colours
    if unowned and rulings["unowned_survivor"] == "replay":
        return {"points": points, "winner_seat": None, "void": True}
    if rulings["rank_scope"] == "players":
        vacant = [survivor] if unowned and rulings["unowned_survivor"] == "no_points" else []
        ranked = vacant + [colour for colour in ranked if colour in colours]
    for place, colour in enumerate(ranked):
        if colour in colours:
            points[colours.index(colour)] = PLACE_POINTS[place]
    winner = None
    if not unowned:
        winner = colours.index(survivor)
    elif rulings["unowned_survivor"] == "best_player":
        best = max(colours, key=lambda colour: moment[colour])
        winner = colours.index(best)
        points[winner] = PLACE_POINTS[0]
    return {"points": points, "winner_seat": winner, "void": False}


# ---------------------------------------------------------------- a whole logged game


def _check_setup(setup: dict) -> tuple[int, list[list[str]], list[list[str]], int, dict]:
    _check_keys(setup, SETUP_KEYS, "setup")
    rulings = check_rulings(setup.get("rulings", {}))
    length = setup.get("plank_length", rulings["plank_length"])
    check_rulings({"plank_length": length})
    if length != setup.get("rulings", {}).get("plank_length", length):
        raise PositionError("plank_length: differs from rulings.plank_length")
    n, start = setup.get("players"), setup.get("start")
    if not is_int(n) or not PLAYERS[0] <= n <= PLAYERS[1]:
        raise PositionError(f"players: {n!r}; {PLAYERS[0]} to {PLAYERS[1]}")
    if not is_int(start) or not 0 <= start < n:
        raise PositionError(f"start: {start!r} is not a seat")
    if rulings["start_player"] == "seat0" and start != 0:
        raise PositionError("start: must be 0 under start_player=seat0")
    stones = setup.get("colours")
    if not isinstance(stones, list):
        raise PositionError("colours: must be a list")
    if rulings["rounds"] == 1:
        stones = [stones]
    if len(stones) != rulings["rounds"]:
        raise PositionError(f"colours: one list a round, {rulings['rounds']} in all")
    for drawn in stones:
        if not isinstance(drawn, list) or len(drawn) != n or any(c not in COLOURS for c in drawn):
            raise PositionError(f"colours: {drawn!r}; one of {COLOURS} per seat")
        if len(set(drawn)) != n:
            raise PositionError(f"colours: {drawn!r}; no stone can be drawn twice")
    if not isinstance(setup.get("spins"), list):
        raise PositionError("spins: must be a list")
    spins = [_check_symbols(spin, f"spins[{t}]") for t, spin in enumerate(setup["spins"])]
    law = rose_distribution(rulings["rose"])
    for t, (left, right) in enumerate(spins):
        if law[left, right] == 0:
            raise PositionError(f"spins[{t}]: the rose cannot show {left} and {right}")
    return length, stones, spins, start, rulings


def _starter(number: int, start: int, earlier: list[dict], n: int, rulings: dict) -> int:
    """Who begins round `number` (GP-A23); after a round without a winner its starter again."""
    if number == 0 or rulings["round_starter"] == "fixed":
        return start
    if rulings["round_starter"] == "rotate":
        return (start + number) % n
    last = earlier[-1]
    return last["start"] if last["winner_seat"] is None else last["winner_seat"]


def _height(cells: list[str]) -> int:
    """The sum of (L - index) over the pirates, which only move1 can raise (fact 3)."""
    return sum(len(cells) - i for i in pirates(cells))


def _check_logged(given: object, ply: int, seat: int) -> dict:
    if not isinstance(given, dict):
        raise IllegalMove(f"ply {ply}, seat {seat}: a move must be an object")
    for key in given:
        if key not in MOVE_KEYS | {"seat"}:
            raise IllegalMove(f"ply {ply}, seat {seat}: {key}: unknown field of a move")
    if not is_int(given.get("seat")) or given["seat"] != seat:
        raise IllegalMove(f"ply {ply}, seat {seat}: seat: it is not {given.get('seat')!r}'s turn")
    return given


def _play_round(
    length: int, colours: list[str], start: int, spins: list, moves: list, ply: int, rulings: dict
) -> dict:
    """Referee one round whose first turn is `moves[ply]`."""
    cells, fallen, seat, turns = start_plank(length), [], start, 0
    chosen, lapsed = dict.fromkeys(SYMBOLS, 0), 0
    decided = None  # the score as soon as one colour is left (fact 4)
    over = on_rose = moved = False
    while not over and turns < rulings["turn_cap"]:
        if ply + turns >= len(moves):
            raise PositionError(f"moves: the log ends at ply {ply + turns} in mid-game")
        given = _check_logged(moves[ply + turns], ply + turns, seat)
        try:
            turn = play_turn(cells, spins[ply + turns], given, rulings)
        except PositionError as error:
            raise IllegalMove(f"ply {ply + turns}, seat {seat}: {error}") from error
        lifted = turn["move"].choice == "move1" and not turn["lapsed"]
        assert lifted or _height(turn["plank"]) < _height(cells), "fact 3"
        moved = moved or lifted
        chosen[turn["move"].choice] += 1
        lapsed += turn["lapsed"]
        cells, over, on_rose = turn["plank"], turn["over"], turn["row_skipped"]
        fallen.extend(turn["fallen"])
        assert len(pirates(cells)) + len(fallen) == PIRATES
        left = {cells[i] for i in pirates(cells)}
        if decided is None and len(left) == 1:
            decided = (left, score_round(colours, list(fallen), min(left), rulings))
        turns += 1
        seat = (seat + 1) % len(colours)  # an eliminated player keeps playing (GP-A22)
    assert moved or turns <= _height(start_plank(length)), "fact 3"
    survivor = cells[pirates(cells)[0]] if over else None
    score = {"points": [0] * len(colours), "winner_seat": None, "void": True}
    if over:
        score = score_round(colours, fallen, survivor, rulings)
        assert decided == ({survivor}, score), "fact 4"
        assert rulings["end"] != "one_left" or len(fallen) == PIRATES - 1, "fact 1"
    last_fall = [
        max((at for at, fell in enumerate(fallen) if fell == colour), default=None)
        for colour in colours
    ]
    return {
        "start": start,
        "survivor": survivor,
        "fallen": fallen,
        "turns": turns,
        "ended_on_rose": on_rose,
        "capped": not over,
        "last_fall": last_fall,
        "chosen": chosen,
        "lapsed": lapsed,
        **score,
    }


def replay(setup: dict, moves: list) -> dict:
    """Referee a whole logged game, every round of it.

    Parameters
    ----------
    setup
        ``players``, ``start`` (first seat), ``colours`` (the drawn stones by seat; a list of
        such lists when the ruling `rounds` is above 1), ``spins`` ([left, right] of every turn
        of the game), and optionally ``plank_length`` and ``rulings``.
    moves
        One ``{"seat", "choice", "at", "to", "row"}`` a turn, all rounds in one list.

    Returns
    -------
    dict
        ``rounds``: for each its start, survivor, fallen, turns, ended_on_rose, capped, points,
        winner_seat, void, chosen (how often each symbol), lapsed (impossible actions) and
        last_fall (by seat: the index in `fallen` of his last pirate that fell, None without
        one). ``points``: totals by seat. ``winners`` and ``credit`` (a Fraction by seat): with
        one round its winner, with more the highest total, shared by equals; a game without
        any points has no winner. A void round (unowned survivor under `replay`, turn cap) is a
        round played, without points; the turn cap counts each round's turns anew.

    Raises
    ------
    PositionError
        The set-up is bad, or the log ends in mid-game.
    IllegalMove
        A move is against the rules, out of turn, or made after the end.
    """
    length, stones, spins, start, rulings = _check_setup(setup)
    n = setup["players"]
    if not isinstance(moves, list):
        raise PositionError("moves: must be a list")
    if len(spins) != len(moves):
        raise PositionError(f"spins: {len(spins)} for {len(moves)} moves; one a turn")
    rounds: list[dict] = []
    ply = 0
    for number, colours in enumerate(stones):
        starter = _starter(number, start, rounds, n, rulings)
        rounds.append(_play_round(length, colours, starter, spins, moves, ply, rulings))
        ply += rounds[-1]["turns"]
    if ply < len(moves):
        raise IllegalMove(f"ply {ply}, seat {moves[ply].get('seat')}: the game is over")
    points = [sum(played["points"][seat] for played in rounds) for seat in range(n)]
    if len(rounds) == 1:
        winner = rounds[0]["winner_seat"]
        winners = [] if winner is None else [winner]
    else:
        winners = [seat for seat in range(n) if points[seat] == max(points) > 0]
    credit = [Fraction(1, len(winners)) if s in winners else Fraction(0) for s in range(n)]
    return {"rounds": rounds, "points": points, "winners": winners, "credit": credit}
