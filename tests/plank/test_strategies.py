"""The strategies of the plank game: legal, different, and true to their ideas."""

from __future__ import annotations

import numpy as np
import pytest
from numba import config

from kernels.abi import CREDIT_UNIT, OK
from kernels.plank import lookahead, search, strategies, tally
from kernels.plank import position as pos
from kernels.plank import view as see
from kernels.plank.strategies import STRATEGIES
from tests.door import ask
from tests.oracle import planke as referee
from tests.oracle.planke import COLOURS
from tests.plank import helpers

SLOW = config.DISABLE_JIT
UNUSUAL = [
    {"null_move": "yes", "skull_choice": "no", "plank_length": 17},
    {"move_targets": "adjacent_to_group", "end": "one_colour_left"},
    {"impossible_symbol": "must_take_other", "swap_same_colour": "no"},
    {"null_move": "yes", "swap_same_colour": "no", "end": "one_colour_left", "plank_length": 40},
]
COUNT = dict.fromkeys(("lookahead", "endgame"), 2 if SLOW else 20)


def games_for(name):
    return COUNT.get(name, 2 if SLOW else 200)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_plays_only_legal_moves(name, players):
    games = games_for(name)
    assert helpers.play([name] * players, games).status == OK
    assert helpers.play([name] + ["random"] * (players - 1), games).sums[tally.GAMES] == games


@pytest.mark.parametrize("rulings", UNUSUAL)
@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_plays_legal_moves_under_any_rulings(name, rulings):
    for others in (name, "random"):
        block = helpers.play([name, others, others], games_for(name), rulings=rulings)
        assert block.status == OK, block.scratch[:4]


def win_rate(name, against, games):
    """The win rate of one strategy against three others of a kind, over all four seats."""
    credit = 0
    for seat in range(4):
        names = [against] * 4
        names[seat] = name
        credit += helpers.play(names, games).sums[tally.CREDIT + seat]
    return credit / (4 * games * CREDIT_UNIT)


@pytest.mark.skipif(SLOW, reason="too few games without the compiler")
@pytest.mark.parametrize(
    ("name", "against", "games", "least"),
    [
        ("greedy", "random", 500, 0.88),
        ("patient", "random", 500, 0.7),
        ("vandal", "random", 500, 0.55),
        ("lookahead", "random", 100, 0.88),
        ("lookahead", "greedy", 200, 0.28),
    ],
)
def test_a_strategy_wins_against_simpler_ones(name, against, games, least):
    assert win_rate(name, against, games) > least


@pytest.mark.skipif(SLOW, reason="needs games in number")
def test_all_strategies_differ_from_each_other():
    # Without a table, endgame is lookahead (tests/plank/test_endgame.py).
    names = [name for name in STRATEGIES if name != "endgame"]
    digests = {helpers.play([name] * 4, 20).sums[tally.DIGEST] for name in names}
    assert len(digests) == len(names)


# --- single decisions -----------------------------------------------------------------------------


def decide(name, plank, symbols, own, rulings=None):
    """The turn of a strategy in a position, as the referee's move and the position after it."""
    view = helpers.position_of(plank, symbols, rulings)
    view[see.OWN] = COLOURS.index(own)
    move = ask(see.DOOR, STRATEGIES[name], view, pos.legal_set(view))
    turn = helpers.read_move(move, row=True)._asdict()
    outcome = referee.resolve({"plank": plank, "symbols": symbols, "rulings": rulings or {}} | turn)
    return turn, outcome


def worth_of(plank, own, weights):
    """The worth of a plank, the slow way."""
    mine, _, rest, fall = weights
    total = sum(
        (mine if letter == own else rest) * (fall + len(plank) - 1 - cell)
        for cell, letter in enumerate(plank)
        if letter != referee.EMPTY
    )
    standing = plank.replace(referee.EMPTY, "")
    if len(standing) == 1:
        total += search.SURVIVAL * (mine if standing == own else rest)
    return total


@pytest.mark.parametrize("name", ["greedy", "vandal"])
def test_the_search_finds_the_best_of_all_turns(name):
    weights = {"greedy": strategies.GREEDY, "vandal": strategies.VANDAL}[name]
    rng = helpers.seeded("search", name)
    for _ in range(20 if SLOW else 150):
        plank = helpers.random_plank(rng, longest=12)
        if len(plank) - plank.count(referee.EMPTY) > 8:
            continue
        symbols = [rng.choice(referee.SYMBOLS), rng.choice(referee.SYMBOLS)]
        rulings = helpers.random_rulings(rng)
        rulings.pop("end", None)  # strategies count on playing to the last pirate
        own = rng.choice(COLOURS)
        state = {"plank": plank, "symbols": symbols, "rulings": rulings}
        best = max(
            worth_of(referee.resolve(state | move._asdict())["plank"], own, weights)
            for move in referee.legal_moves(state)
        )
        _, outcome = decide(name, plank, symbols, own, rulings)
        assert worth_of(outcome["plank"], own, weights) == best, state


def test_greedy_wins_when_it_can():
    turn, outcome = decide("greedy", "...YR", ["swap", "skull"], "R")
    assert (turn["choice"], outcome["survivor"]) == ("swap", "R")


def test_vandal_drops_two_and_spares_its_own():
    _, outcome = decide("vandal", "Y.R.GB", ["push1", "skull"], "Y")
    assert outcome["fallen"] == ["B", "G"]
    _, outcome = decide("vandal", "...YBR", ["swap", "swap"], "R")
    assert outcome["fallen"] != ["R"]


def test_patient_hides_its_colour_while_two_colours_are_in_danger():
    turns = {own: decide("patient", "Y.RGYRGB", ["push1", "swap"], own)[1] for own in COLOURS}
    assert len({outcome["plank"] for outcome in turns.values()}) == 1
    greedy = {own: decide("greedy", "Y.RGYRGB", ["push1", "swap"], own)[1] for own in COLOURS}
    assert len({outcome["plank"] for outcome in greedy.values()}) > 1
    alone = {own: decide("patient", "Y.RGYR.B", ["push1", "swap"], own)[1] for own in COLOURS}
    assert alone == {
        own: decide("greedy", "Y.RGYR.B", ["push1", "swap"], own)[1] for own in COLOURS
    }


def test_cell_total_adds_up_cell_numbers():
    rng = helpers.seeded("total")
    for _ in range(200):
        word = rng.getrandbits(60)
        assert search.cell_total(word) == sum(cell for cell in range(60) if word >> cell & 1)


# --- looking ahead, checked the slow way ----------------------------------------------------------


def reply_of(plank, symbols, colour, own):
    """What an opponent of a colour leaves, by trying every turn: (what it wants, what is left)."""
    mine, theirs, _, fall = strategies.HARM
    best = None
    for move in referee.legal_moves({"plank": plank, "symbols": symbols, "rulings": {}}):
        after = referee.resolve({"plank": plank, "symbols": symbols} | move._asdict())["plank"]
        want = worth_of_classes(after, {own: mine, colour: theirs}, fall)
        best = want if best is None else max(best, want)
    return best


def worth_of_classes(plank, weights, fall):
    total = sum(
        weights.get(letter, 0) * (fall + len(plank) - 1 - cell)
        for cell, letter in enumerate(plank)
        if letter != referee.EMPTY
    )
    standing = plank.replace(referee.EMPTY, "")
    return total + (search.SURVIVAL * weights.get(standing, 0) if len(standing) == 1 else 0)


def test_the_most_harmful_reply_is_found():
    rng = helpers.seeded("reply")
    wants, leaves = np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64)
    actions = np.zeros(search.MOST_ACTIONS, dtype=np.int64)
    for _ in range(5 if SLOW else 40):
        plank = helpers.random_plank(rng, longest=10)
        if len(plank) - plank.count(referee.EMPTY) > 7:
            continue
        own, colour = rng.sample(range(4), 2)
        position = helpers.position_of(plank, ["skull", "skull"])
        lookahead.replies(
            position, colour, own, strategies.GREEDY, strategies.HARM, actions, wants, leaves
        )
        for symbol, name in enumerate(referee.SYMBOLS):
            expected = reply_of(plank, [name, name], COLOURS[colour], COLOURS[own])
            assert wants[symbol] == expected, (plank, name)


def test_the_rose_average_takes_what_the_opponent_wants_more():
    view = helpers.position_of("Y.R.G.", ["skull", "skull"])
    view[see.ROSE : see.ROSE + 16] = 1 << 28
    position = view[: pos.POSITION_CELLS].copy()
    wants = np.array([5, 9, 1, 3], dtype=np.int64)
    leaves = np.array([10, 20, 30, 40], dtype=np.int64)
    total = lookahead.over_the_rose(view, position, wants, leaves)
    pairs = [max((a, b), key=lambda s: wants[s]) for a in range(4) for b in range(4)]
    assert total == sum(int(leaves[s]) for s in pairs) << 28
