"""Shared by the tests of the dice kernels: setups, positions, games, and the referee's words for them."""

from __future__ import annotations

import os

import numpy as np

from kernels.abi import MAX_SEATS
from kernels.dice import events, play, tally
from kernels.dice import table as at
from kernels.dice import tierisch_setup as setup_
from kernels.dice.multisets import SYMBOLS, pack
from kernels.dice.rules import resolve_position, wish
from kernels.dice.strategies import STRATEGIES
from kernels.events import logged, new_log
from tests.oracle import tierisch as referee

FULL = os.environ.get("ANALYZER_FULL") == "1"
NAMES = list(referee.SYMBOLS)
ANIMALS = list(referee.ANIMALS)
#: Ruling -> its cell of the setup array; the values stand in the registry's order.
CELLS = {
    "box_cap": setup_.BOX_CAP,
    "cap_choice": setup_.CAP_CHOICE,
    "vp_columns": setup_.VP_COLUMNS,
    "simultaneous_win": setup_.SIMULTANEOUS_WIN,
    "animals": setup_.DEAL,
    "start_player": setup_.START_PLAYER,
}
#: Dice beside the plain one: fewer symbols, other shares, more faces.
DICE = [
    NAMES,
    ["pig", "mouse", "cat"],
    ["pig", "pig", "mouse", "penguin", "dog", "cat", "police"],
    ["pig", "mouse", "mouse", "penguin", "penguin", "penguin", "dog", "cat", "police", "police"],
    [*NAMES, *NAMES, "dog"],
]


def symbols_of(counts):
    """Return packed counts as a sorted list of names."""
    counts = int(counts)
    return [NAMES[s] for s in range(SYMBOLS) for _ in range(counts >> 4 * s & 15)]


def packed(dice):
    """Return names as packed counts."""
    return pack([NAMES.index(name) for name in dice])


def setup_of(players, rulings=None, animals=None):
    """Return the setup array of rulings in the referee's words."""
    rulings = dict(rulings or {})
    die = [NAMES.index(name) for name in rulings.pop("die_faces", NAMES)]
    cells = {CELLS[name]: referee.RULINGS[name].index(value) for name, value in rulings.items()}
    given = {} if animals is None else {"animals": [ANIMALS.index(name) for name in animals]}
    return setup_.make_setup(players, cells, die, **given)


def random_rulings(rng, players):
    """Draw rulings, every value of each; `owned_only` needs three players."""
    rulings = {name: rng.choice(values) for name, values in referee.RULINGS.items()}
    if players == 2:
        rulings["vp_columns"] = "any_other_animal"
    rulings["die_faces"] = rng.choice(DICE)
    return rulings


def random_sheet(rng, animal, animals, rulings):
    """Draw a sheet that has not won yet, often one that is about to."""
    choices = rng.choice([[0, 0, 1, 2, 3, 4, 4, 5], [3, 4, 4, 4, 5]])
    while True:
        sheet = {a: rng.choice(choices) for a in ANIMALS}
        sheet[animal] = 0
        points = referee.victory_points(
            list(animals.values()), sheet, list(animals.values()).index(animal), rulings
        )
        if points < referee.WINNING_POINTS:
            return sheet


def resolve(position):
    """Evaluate a position in Position JSON form with the kernel; return what the referee returns."""
    players = list(position["animals"])
    setup = setup_of(len(players), position.get("rulings"))
    table = np.zeros(at.TABLE_CELLS, dtype=np.int64)
    sums = np.zeros(tally.SUM_CELLS, dtype=np.int64)
    log = new_log(64)
    table[at.SEATS] = len(players)
    table[at.ACTIVE] = players.index(position["active"])
    for seat, name in enumerate(players):
        table[at.ANIMAL + seat * at.LANES] = ANIMALS.index(position["animals"][name])
        for column, boxes in position.get("marks", {}).get(name, {}).items():
            table[at.MARKS + seat * at.LANES] |= boxes << 4 * ANIMALS.index(column)
        for k, column in enumerate(position.get("forgo", {}).get(name, [])):
            table[at.WISH + seat * at.LANES] |= wish(ANIMALS.index(column)) << 4 * k
    before = [int(table[at.MARKS + seat * at.LANES]) for seat in range(len(players))]
    resolve_position(table, setup, packed(position["roll"]), sums, log)
    result = {"marked": {}, "marks": {}, "victory_points": {}, "winners": []}
    for seat, name in enumerate(players):
        after = int(table[at.MARKS + seat * at.LANES])
        boxes = {a: after >> 4 * k & 15 for k, a in enumerate(ANIMALS)}
        new = {a: boxes[a] - (before[seat] >> 4 * k & 15) for k, a in enumerate(ANIMALS)}
        result["marks"][name] = boxes
        result["marked"][name] = {a: count for a, count in new.items() if count}
        result["victory_points"][name] = int(table[at.SCORE + seat * at.LANES])
        if table[at.WINNERS] >> seat & 1:
            result["winners"].append(name)
    return result, logged(log)


class Game:
    """The result of a block: sums, rows and events."""

    def __init__(self, names, games, setup=None, seed=7, first=0, log_events=0):
        setup = setup_of(len(names)) if setup is None else setup
        chosen = [STRATEGIES[name] if isinstance(name, str) else name for name in names]
        lineup = (chosen * MAX_SEATS)[:MAX_SEATS]
        self.sums = np.zeros(tally.SUM_CELLS, dtype=np.int64)
        self.rows = np.zeros(games * tally.ROW_CELLS, dtype=np.int64)
        self.log = new_log(log_events)
        self.scratch = np.zeros(play.SCRATCH_CELLS, dtype=np.int64)
        self.status = play.play_block(
            np.uint64(seed),
            first,
            games,
            setup,
            tuple(lineup),
            self.sums,
            self.rows,
            self.log,
            self.scratch,
        )
        self.rows = self.rows.reshape(games, tally.ROW_CELLS)
        self.events = logged(self.log)

    def total(self, cell, count=None):
        """Return a cell of the sums, or the list of `count` cells from there on."""
        return int(self.sums[cell]) if count is None else self.sums[cell : cell + count].tolist()


def told_game(game, rulings=None):
    """Return a logged game as the referee's set-up and moves, and what the log says happened."""
    setup = {"animals": [], "rolls": [], "rulings": rulings or {}}
    moves, turns, winners, scores = [], [], [], {}
    for code, a, b, c, _ in game.events.tolist():
        if code == events.ANIMAL:
            setup["animals"].append(ANIMALS[b])
        elif code == events.START:
            setup["start"] = a
        elif code == events.TURN:
            moves.append({"seat": b, "keeps": [], "forgo": {}})
            turns.append({"marked": {}, "void": False})
            setup["rolls"].append([])
        elif code == events.ROLL:
            setup["rolls"][-1].append(symbols_of(c))
        elif code == events.KEEP and b < 3:
            moves[-1]["keeps"].append(symbols_of(c))
        elif code == events.VOID:
            turns[-1]["void"] = True
        elif code == events.FORGO and c:
            moves[-1]["forgo"][a] = [ANIMALS[b]]
        elif code == events.MARK:
            turns[-1]["marked"].setdefault(a, {})[ANIMALS[b]] = c
        elif code == events.WIN:
            winners.append(a)
        elif code == events.SCORE:
            scores[a] = b
    setup["players"] = len(setup["animals"])
    return setup, moves, turns, winners, scores
