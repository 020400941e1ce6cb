"""What the tests of the plank kernel share: positions, moves and games in both languages."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numba import njit

from kernels.abi import MAX_SEATS, OK
from kernels.bits import cells
from kernels.events import logged, new_log
from kernels.plank import events, rose, rules, tally
from kernels.plank import planke_setup as setup_
from kernels.plank import play as kernel
from kernels.plank import position as pos
from kernels.plank import table as at
from kernels.plank import view as see
from kernels.plank.strategies import STRATEGIES
from kernels.rng import STRATEGY, STREAM_CELLS, address_of, open_stream, words_at
from tests.oracle import planke as referee
from tests.oracle.planke import COLOURS, EMPTY, RULINGS, SYMBOLS, Move

ENDS = ("last", "foremost")
#: Cell of the setup of each ruling with named values.
SETUP_CELL = {
    "move_targets": setup_.MOVE_TARGETS,
    "null_move": setup_.NULL_MOVE,
    "impossible_symbol": setup_.IMPOSSIBLE_SYMBOL,
    "swap_same_colour": setup_.SWAP_SAME_COLOUR,
    "skull_choice": setup_.SKULL_CHOICE,
    "end": setup_.END,
    "unowned_survivor": setup_.UNOWNED_SURVIVOR,
    "rank_scope": setup_.RANK_SCOPE,
    "round_starter": setup_.ROUND_STARTER,
    "start_player": setup_.START_PLAYER,
}
RANDOM = STRATEGIES["random"]


def encode(players=4, rulings=None):
    """Return the setup array of rulings as they are written in positions and set-ups."""
    full = referee.check_rulings(rulings or {})
    setup = np.zeros(setup_.SETUP_CELLS, dtype=np.int64)
    setup[setup_.PLAYERS] = players
    setup[setup_.PLANK_LENGTH] = full["plank_length"]
    setup[setup_.ROUNDS] = full["rounds"]
    setup[setup_.TURN_CAP] = full["turn_cap"]
    for name, cell in SETUP_CELL.items():
        setup[cell] = RULINGS[name].index(full[name])
    law = referee.rose_distribution(full["rose"])
    chances = rose.rose_chances([law[a, b] for a in SYMBOLS for b in SYMBOLS])
    setup[setup_.ROSE_CHANCE : setup_.ROSE_END] = rose.rose_cells(chances)
    return setup


def pack(plank):
    """Return the three words of a plank string."""
    words = [0, 0, 0]
    for cell, letter in enumerate(plank):
        if letter != EMPTY:
            colour = COLOURS.index(letter)
            words[0] |= 1 << cell
            words[1] |= (colour & 1) << cell
            words[2] |= (colour >> 1) << cell
    return words


def unpack(words, length):
    """Return the plank string of three words."""
    plank, low, high = (int(word) for word in words)
    letters = [
        COLOURS[low >> k & 1 | (high >> k & 1) << 1] if plank >> k & 1 else EMPTY
        for k in range(length)
    ]
    return "".join(letters)


def position_of(plank, symbols, rulings=None):
    """Return a position array, with the cells of a view behind it."""
    view = np.zeros(see.VIEW_CELLS, dtype=np.int64)
    pos.take_rulings(view, encode(rulings=rulings))
    view[pos.PLANK : pos.HIGH + 1] = pack(plank)
    view[pos.LENGTH] = len(plank)
    view[pos.LEFT], view[pos.RIGHT] = (SYMBOLS.index(symbol) for symbol in symbols)
    return view


def packed_move(move):
    """Return the number of a turn given as ``choice``, ``at``, ``to`` and ``row``, None if absent."""
    cell, other = move.get("at"), pos.NOWHERE
    if isinstance(cell, tuple | list):
        cell, other = cell
    elif move.get("to") is not None:
        other = ENDS.index(move["to"])
    cell = pos.NOWHERE if cell is None else cell
    action = pos.action_of(SYMBOLS.index(move["choice"]), cell, other)
    return pos.move_of(action, pos.NOWHERE if move.get("row") is None else move["row"])


def read_move(number, row):
    """Return a packed move as the referee's; `row` tells whether that part counts."""
    symbol = SYMBOLS[pos.symbol_of(number)]
    cell, other = pos.at_of(number), pos.other_of(number)
    last = pos.row_of(number) if row else None
    if cell == pos.NOWHERE:
        return Move(symbol, row=last)
    if symbol == "swap":
        return Move(symbol, at=tuple(sorted((cell, other))), row=last)
    return Move(symbol, at=cell, to=ENDS[other] if symbol == "move1" else None, row=last)


@njit
def _resolve(table, setup, sums, log):
    return rules.resolve_position(cells(table), cells(setup), cells(sums), cells(log))


def kernel_resolve(position):
    """Resolve a position with the kernel.

    Returns
    -------
    (status, dict)
        With OK the keys of `referee.resolve` but ``trace``; else ``fault``.
    """
    plank = position["plank"]
    table = np.zeros(at.TABLE_CELLS, dtype=np.int64)
    table[at.PLANK : at.HIGH + 1] = pack(plank)
    table[at.LENGTH] = len(plank)
    table[at.LEFT], table[at.RIGHT] = (SYMBOLS.index(one) for one in position["symbols"])
    table[at.MOVE] = packed_move(position)
    sums = np.zeros(tally.SUM_CELLS, dtype=np.int64)
    log = new_log(8)
    status = _resolve(table, encode(rulings=position.get("rulings")), sums, log)
    if status != OK:
        return status, {"fault": int(table[at.FAULT])}
    fallen = [COLOURS[table[at.FALLEN] >> 2 * k & 3] for k in range(table[at.FALLS])]
    over = bool(table[at.OVER])
    outcome = {
        "plank": unpack(table[at.PLANK : at.HIGH + 1], len(plank)),
        "after_choice": unpack(table[at.AFTER_CHOICE : at.AFTER_CHOICE + 3], len(plank)),
        "fallen": fallen,
        "over": over,
        "survivor": COLOURS[table[at.SURVIVOR]] if over else None,
        "row_skipped": bool(table[at.ON_ROSE]),
    }
    falls = [COLOURS[row[1]] for row in logged(log) if row[0] == events.FALL]
    assert falls == fallen
    return status, outcome


@dataclass
class Block:
    """What a block of games left."""

    sums: np.ndarray
    rows: np.ndarray
    log: np.ndarray
    status: int
    scratch: np.ndarray


def play(names, games=1, first=0, seed=7, rulings=None, log_events=0, with_rows=False, table=None):
    """Play a block of games; strategies by name, or compiled ones; with an endgame table or none."""
    sums = np.zeros(tally.SUM_CELLS, dtype=np.int64)
    rows = np.zeros(games * tally.ROW_CELLS if with_rows else 0, dtype=np.int64)
    log = new_log(log_events)
    scratch = np.zeros(kernel.SCRATCH_CELLS, dtype=np.int64)
    line = [STRATEGIES[name] if isinstance(name, str) else name for name in names]
    lineup = tuple((line * MAX_SEATS)[:MAX_SEATS])
    setup = encode(len(names), rulings)
    if table is not None:
        setup = setup_.with_endgame(setup, table)
    status = kernel.play_block(
        np.uint64(seed), first, games, setup, lineup, sums, rows, log, scratch
    )
    return Block(sums, rows.reshape(-1, tally.ROW_CELLS), logged(log), status, scratch)


def rebuild(log, rulings=None):
    """Read a logged game back: the referee's set-up and moves, and what the kernel said of it."""
    full = referee.check_rulings(rulings or {})
    stones, spins, moves = [], [], []
    said = {"rounds": [], "start": None}
    for code, *args in log.tolist():
        if code == events.START:
            said["start"] = args[0]
        elif code == events.ROUND:
            stones.append([])
            said["rounds"].append({"start": args[1], "points": [], "turns": 0, "fallen": []})
        elif code == events.STONE:
            stones[-1].append(COLOURS[args[1]])
        elif code == events.TURN:
            spins.append([SYMBOLS[args[1]], SYMBOLS[args[2]]])
            said["rounds"][-1]["turns"] += 1
        elif code == events.SWAPPED:
            moves.append({"seat": args[0], "choice": "swap", "at": args[1:3]})
        elif code == events.PUSHED:
            moves.append({"seat": args[0], "choice": "push1", "at": args[1]})
        elif code == events.MOVED:
            moves.append({"seat": args[0], "choice": "move1", "at": args[1], "to": ENDS[args[2]]})
        elif code == events.SKULL:
            moves.append({"seat": args[0], "choice": "skull"})
        elif code == events.LAPSED:
            moves.append({"seat": args[0], "choice": SYMBOLS[args[1]]})
        elif code == events.ROW:
            moves[-1]["row"] = args[1]
        elif code == events.FALL:
            said["rounds"][-1]["fallen"].append(COLOURS[args[0]])
        elif code == events.OVER:
            said["rounds"][-1] |= {"survivor": COLOURS[args[0]], "on_rose": bool(args[1])}
        elif code == events.CAPPED:
            said["rounds"][-1] |= {"survivor": None, "on_rose": False}
        elif code == events.POINTS:
            said["rounds"][-1]["points"].append(args[1])
        elif code == events.WON:
            said["rounds"][-1] |= {"winner": args[0] if args[0] >= 0 else None, "void": args[1]}
    setup = {
        "players": len(stones[0]),
        "start": said["start"],
        "colours": stones if full["rounds"] > 1 else stones[0],
        "spins": spins,
        "plank_length": full["plank_length"],
        "rulings": rulings or {},
    }
    return setup, moves, said


def random_rulings(rng, turn_only=True):
    """Return random values for a random choice of the rulings."""
    names = list(RULINGS)
    if turn_only:
        names = [
            "move_targets", "null_move", "impossible_symbol", "swap_same_colour", "skull_choice", "end",
        ]  # fmt: skip
    return {name: rng.choice(RULINGS[name]) for name in names if rng.random() < 0.5}


def random_plank(rng, longest=40):
    """Return a random plank with two pirates or more; few colours and full ends now and then."""
    while True:
        length = rng.choice([rng.randint(2, 8), rng.randint(2, 20), rng.randint(2, longest)])
        letters = COLOURS[: rng.choice([1, 2, 4, 4, 4])]
        full = rng.choice([0.2, 0.5, 0.9])
        plank = [rng.choice(letters) if rng.random() < full else EMPTY for _ in range(length)]
        if rng.random() < 0.4:
            plank[0], plank[-1] = rng.choice(letters), rng.choice(letters)
        if length - plank.count(EMPTY) >= 2:
            return "".join(plank)


def random_move(rng, position):
    """Return a legal turn of a position mostly, and now and then a turn of random numbers."""
    if rng.random() < 0.7:
        state = {key: position[key] for key in ("plank", "symbols", "rulings")}
        return rng.choice(referee.legal_moves(state))._asdict()
    length = len(position["plank"])
    choice = rng.choice(SYMBOLS)
    move = {"choice": choice, "at": None, "to": None, "row": rng.randrange(length)}
    if choice == "swap":
        move["at"] = (rng.randrange(length), rng.randrange(length))
    elif choice != "skull":
        move["at"] = rng.randrange(length)
        move["to"] = rng.choice(ENDS) if choice == "move1" else None
    return move


@njit
def _draw(view, legal, stream, moves):
    for k in range(len(moves)):
        RANDOM(cells(view), cells(legal), cells(stream), cells(moves[k:]), 1)


def draw_random(plank, symbols, rulings, count, seed=1):
    """Return how often `random` makes each move in a position, as the referee's moves."""
    view = position_of(plank, symbols, rulings)
    legal = np.array([pos.legal_set(view)])
    stream = np.zeros(STREAM_CELLS, dtype=np.uint64)
    word, spare = words_at(np.uint64(seed), 0, STRATEGY, 0, 0)
    open_stream(stream, np.uint64(seed), 0, address_of(STRATEGY, 0), word, spare)
    moves = np.zeros(count, dtype=np.int64)
    _draw(view, legal, stream, moves)
    counts = {}
    for number, times in zip(*np.unique(moves, return_counts=True), strict=True):
        number = int(number)
        action = read_move(number, row=False)
        full = referee.check_rulings(rulings)
        after, _ = referee.carry_out(list(plank), action, full)
        move = read_move(number, row=not referee.is_over(after, full))
        counts[move] = counts.get(move, 0) + int(times)
    return counts


def credit_of(sums, players):
    """Return every seat's win credit as fractions of a game."""
    return [Fraction(int(sums[tally.CREDIT + seat]), 60) for seat in range(players)]


def seeded(*parts):
    """Return a random source for a test case."""
    return random.Random(repr(parts))
