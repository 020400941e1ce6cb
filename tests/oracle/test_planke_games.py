"""The referee of Gezanke auf der Planke!: rose, scoring, rounds and whole logged games."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from tests.oracle import planke
from tests.oracle.planke import IllegalMove, Move, PositionError

SKULLS = ["skull", "skull"]


# ------------------------------------------------------------ rose, scoring


def test_rose_laws():
    uniform = planke.rose_distribution("uniform")
    assert set(uniform.values()) == {Fraction(1, 16)}
    table = [[0, 0, 0, 0.25], [0, 0, 0, 0], [0, 0, 0, 0], [0.25, 0, 0, 0.5]]
    law = planke.rose_distribution(table)
    assert law["swap", "skull"] == law["skull", "swap"] == Fraction(1, 4)
    assert (law["skull", "skull"], law["swap", "swap"]) == (Fraction(1, 2), 0)
    wheel = {"wheel": ["swap", "push1", "skull", "skull", "move1"], "distance": 1}
    law = planke.rose_distribution(wheel)
    neighbours = ["swap push1", "push1 skull", "skull skull", "skull move1", "move1 swap"]
    assert law == dict.fromkeys(law, Fraction(0)) | {
        tuple(pair.split()): Fraction(1, 5) for pair in neighbours
    }


@pytest.mark.parametrize(
    "rose",
    [
        [[0.25] * 4] * 3,
        [[0.25] * 4] * 4,
        [[-1, 0, 0, 1], [0] * 4, [0] * 4, [0, 0, 0, 1]],
        [[0] * 4, [0] * 4, [0] * 4, [0, 0, 0, 1]],  # a skull never beside another symbol
        [[1, 0, 0, 0], [0] * 4, [0] * 4, [0] * 4],  # never two skulls
        {"wheel": ["swap", "skull"], "distance": 1},
        {"wheel": [], "distance": 1},
        {"wheel": ["skull", "swap", "skull"]},
        {"wheel": ["skull", "swap", "skull"], "distance": 0.5},
        None,
    ],
)
def test_bad_rose(rose):
    with pytest.raises(PositionError, match=r"^rulings\.rose: "):
        planke.check_rulings({"rose": rose})


# With two skulls every turn the one row is pushed: the second push drops the first pirate, and
# blue, green, red, yellow fall in turn until yellow from the ship end is alone.
FALLS = list("BGRYBGRYBGRYBGR")


@pytest.mark.parametrize(
    ("stones", "unowned", "scope", "points", "winner"),
    [
        ("YRGB", "replay", "players", [5, 3, 1, 0], 0),
        ("YB", "replay", "players", [5, 3], 0),
        ("YB", "replay", "colours", [5, 0], 0),
        ("BGY", "replay", "players", [1, 3, 5], 2),
        ("BGY", "no_points", "colours", [0, 1, 5], 2),
        ("BR", "replay", "players", [0, 0], None),
        ("BR", "replay", "colours", [0, 0], None),
        ("BR", "no_points", "players", [1, 3], None),
        ("BR", "no_points", "colours", [0, 3], None),
        ("BRG", "no_points", "players", [0, 3, 1], None),
        ("BR", "best_player", "players", [3, 5], 1),
        ("BR", "best_player", "colours", [0, 5], 1),
        ("BG", "best_player", "colours", [0, 5], 1),
        ("BRG", "best_player", "players", [1, 5, 3], 1),
        ("BRG", "best_player", "colours", [0, 5, 1], 1),
    ],
)
def test_points_and_winner(stones, unowned, scope, points, winner):
    played = skull_game([stones], unowned_survivor=unowned, rank_scope=scope)["rounds"][0]
    assert (played["fallen"], played["survivor"]) == (FALLS, "Y")
    assert (played["points"], played["winner_seat"]) == (points, winner)
    assert played["void"] == (unowned == "replay" and "Y" not in stones)


# ------------------------------------------------------------ whole games


def skull_game(rounds, length=17, start=0, first=(), turns=None, **rulings):
    """A game of skulls, one list of stones a round; `first` names the later starters."""
    n, turns = len(rounds[0]), turns or length - 1
    stones = [list(drawn) for drawn in rounds]
    starters = [start, *first]
    moves = [
        {"seat": (starter + t) % n, "choice": "skull", "row": t}
        for starter in starters
        for t in range(turns)
    ]
    rulings |= {"rounds": len(rounds)} if len(rounds) > 1 else {}
    setup = {
        "players": n,
        "start": start,
        "colours": stones if len(rounds) > 1 else stones[0],
        "spins": [SKULLS] * len(moves),
        "plank_length": length,
        "rulings": rulings,
    }
    return planke.replay(setup, moves)


def test_a_game_of_skulls():
    game = skull_game(["GRYB"])
    assert game == {
        "rounds": [
            {
                "start": 0,
                "survivor": "Y",
                "fallen": FALLS,
                "turns": 16,
                "ended_on_rose": False,
                "capped": False,
                "last_fall": [13, 14, 11, 12],
                "chosen": {"swap": 0, "push1": 0, "move1": 0, "skull": 16},
                "lapsed": 0,
                "points": [1, 3, 5, 0],
                "winner_seat": 2,
                "void": False,
            }
        ],
        "points": [1, 3, 5, 0],
        "winners": [2],
        "credit": [0, 0, 1, 0],
    }


def test_plank_length_adds_pushes():
    assert skull_game(["YR"], length=40)["rounds"][0]["turns"] == 39
    with pytest.raises(PositionError, match="^plank_length: differs"):
        skull_game(["YR"], plank_length=18)
    assert skull_game(["YR"], plank_length=17)["winners"] == [0]


def test_turn_cap_makes_the_game_void_unless_the_last_turn_ends_it():
    assert not skull_game(["YR"], turn_cap=16)["rounds"][0]["capped"]
    for unowned in planke.RULINGS["unowned_survivor"]:
        game = skull_game(["YR"], turns=15, turn_cap=15, unowned_survivor=unowned)
        played = game["rounds"][0]
        assert (played["capped"], played["void"], played["survivor"]) == (True, True, None)
        assert (game["points"], game["winners"], game["credit"]) == ([0, 0], [], [0, 0])
    assert played["last_fall"] == [11, 10]  # so far: both still have a pirate on the plank


def test_no_points_gives_no_credit_in_a_single_game():
    game = skull_game(["BR"], unowned_survivor="no_points")
    assert (game["points"], game["winners"], game["credit"]) == ([1, 3], [], [0, 0])
    assert skull_game(["BR"], unowned_survivor="best_player")["winners"] == [1]


def test_rounds_add_points_and_equals_share():
    game = skull_game(["YR", "BY"], first=[0])
    assert (game["points"], game["winners"]) == ([8, 8], [0, 1])
    assert game["credit"] == [Fraction(1, 2)] * 2
    game = skull_game(["BG", "BY"], first=[0])  # the first round is void
    assert [r["void"] for r in game["rounds"]] == [True, False]
    assert (game["points"], game["winners"]) == ([3, 5], [1])
    assert skull_game(["BG", "RG"], first=[0])["winners"] == []


@pytest.mark.parametrize(
    ("ruling", "stones", "first"),
    [
        ("fixed", ["RGY", "RGY"], [0]),
        ("rotate", ["RGY", "RGY", "RGY", "RGY"], [1, 2, 0]),
        ("winner", ["RGY", "RYG", "YRG"], [2, 1]),
        ("winner", ["RGY", "RGB", "YRG"], [2, 2]),  # a void round: the same starter again
    ],
)
def test_round_starter(ruling, stones, first):
    game = skull_game(stones, first=first, round_starter=ruling)
    assert [played["start"] for played in game["rounds"]] == [0, *first]
    with pytest.raises(IllegalMove, match=f"^ply 16, seat {first[0]}: seat: "):
        skull_game(stones, first=[(first[0] + 1) % 3, *first[1:]], round_starter=ruling)


def test_start_player():
    assert skull_game(["YR"], start=1, start_player="random")["winners"] == [0]
    with pytest.raises(PositionError, match="^start: must be 0"):
        skull_game(["YR"], start=1)


def log(turns=16, **change):
    moves = [{"seat": t % 2, "choice": "skull", "row": t} for t in range(turns)]
    setup = {"players": 2, "start": 0, "colours": ["Y", "R"], "spins": [SKULLS] * turns}
    return setup | {"plank_length": 17} | change, moves


def test_a_game_that_ends_on_the_rose():
    setup, moves = log()
    setup["spins"] = [*setup["spins"][:15], ["push1", "skull"]]
    moves[15] = {"seat": 1, "choice": "push1", "at": 15}
    played = planke.replay(setup, moves)["rounds"][0]
    assert (played["ended_on_rose"], played["turns"], played["survivor"]) == (True, 16, "Y")


def test_illegal_moves_name_ply_and_seat():
    for change, message in (
        ({"row": 0}, r"^ply 3, seat 1: row: 0 .*choices: \[3\]"),
        ({"choice": "swap"}, "^ply 3, seat 1: choice: "),
        ({"seat": 0}, "^ply 3, seat 1: seat: it is not 0's turn"),
        ({"colour": "Y"}, "^ply 3, seat 1: colour: unknown field"),
    ):
        setup, moves = log()
        moves[3] |= change
        with pytest.raises(IllegalMove, match=message):
            planke.replay(setup, moves)
    setup, moves = log()
    moves[3] = None
    with pytest.raises(IllegalMove, match="^ply 3, seat 1: a move must be an object"):
        planke.replay(setup, moves)
    with pytest.raises(IllegalMove, match="^ply 16, seat 0: the game is over"):
        planke.replay(*log(turns=17))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": 5}, "^players: "),
        ({"start": 2}, "^start: "),
        ({"colours": ["Y"]}, "^colours: "),
        ({"colours": ["Y", "Y"]}, "^colours: .*twice"),
        ({"colours": ["Y", "K"]}, "^colours: "),
        ({"colours": "YR"}, "^colours: must be a list"),
        ({"rulings": {"rounds": 3}}, "^colours: one list a round"),
        ({"spins": None}, "^spins: must be a list"),
        ({"spins": [SKULLS] * 15}, "^spins: 15 for 16"),
        ({"spins": [["skull", "mast"]] * 16}, r"^spins\[0\]: "),
        ({"plank_length": 16}, r"^rulings\.plank_length: 16"),
        ({"plank_length": 18}, "^moves: the log ends at ply 16"),
        ({"wind": 1}, "^wind: unknown field"),
        (
            {"rulings": {"rose": {"wheel": ["skull", "swap", "skull"], "distance": 1}}},
            None,
        ),
        (
            {"rulings": {"rose": [[0.5, 0, 0, 0.25], [0] * 4, [0] * 4, [0, 0, 0, 0.25]]}},
            None,
        ),
        (
            {
                "rulings": {"rose": {"wheel": ["skull", "swap", "skull"], "distance": 1}},
                "spins": [["swap", "swap"]] * 16,
            },
            r"^spins\[0\]: the rose cannot show swap and swap",
        ),
    ],
)
def test_bad_setup(change, message):
    if message is None:
        assert planke.replay(*log(**change))["winners"] == [0]
        return
    with pytest.raises(PositionError, match=message):
        planke.replay(*log(**change))


def random_game(seed, n, rulings, length=18):
    """Play out a game of random legal moves; the set-up and the log."""
    rng = random.Random(seed)
    cells, spins, moves, over = planke.start_plank(length), [], [], False
    full = planke.check_rulings(rulings)
    while not over:
        spins.append([rng.choice(planke.SYMBOLS) for _ in range(2)])
        symbol = rng.choice(planke.choosable(cells, spins[-1], full))
        action = rng.choice(planke.executions(cells, symbol, full) or [Move(symbol)])
        move = {key: value for key, value in action._asdict().items() if value is not None}
        position = {"plank": "".join(cells), "symbols": spins[-1], "rulings": rulings}
        rows = [m.row for m in planke.legal_moves(position) if m._replace(row=None) == action]
        outcome = planke.resolve(position | move | {"row": rng.choice(rows)})
        move |= {"seat": len(moves) % n}
        moves.append(
            move | {"row": outcome["trace"][-1][1]} if not outcome["row_skipped"] else move
        )
        cells, over = list(outcome["plank"]), outcome["over"]
    stones = rng.sample(planke.COLOURS, n)
    setup = {"players": n, "start": 0, "colours": stones, "spins": spins, "rulings": rulings}
    return setup | {"plank_length": length}, moves


RULING_MIXES = [
    {},
    {"null_move": "yes", "skull_choice": "no", "rank_scope": "colours"},
    {"move_targets": "adjacent_to_group", "unowned_survivor": "no_points"},
    {"impossible_symbol": "must_take_other", "swap_same_colour": "no"},
    {"end": "one_colour_left", "unowned_survivor": "best_player"},
]


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("rulings", RULING_MIXES)
def test_random_games_are_accepted_and_keep_the_facts(n, rulings):
    setup, moves = random_game(n, n, rulings)
    game = planke.replay(setup, moves)
    played = game["rounds"][0]
    assert played["turns"] == len(moves)
    assert (sum(game["credit"]) == 1) == (played["winner_seat"] is not None)
    if n == 4:
        assert sorted(game["points"]) == [0, 1, 3, 5]


def test_stopping_at_one_colour_changes_only_the_number_of_turns():
    shorter = 0
    for seed in range(12):
        setup, moves = random_game(seed, 3, {"unowned_survivor": "no_points"})
        late = planke.replay(setup, moves)
        setup["rulings"] |= {"end": "one_colour_left"}
        turns = len(moves)
        while True:  # the log is too long by so many turns that the early end does not need
            try:
                early = planke.replay(setup | {"spins": setup["spins"][:turns]}, moves[:turns])
                break
            except IllegalMove:
                turns -= 1
        assert (early["points"], early["winners"]) == (late["points"], late["winners"])
        shorter += turns < len(moves)
    assert shorter > 0


def test_enumerated_and_open_rulings_are_the_registry():
    defaults = {name: values[0] for name, values in planke.RULINGS.items()} | planke.OPEN_RULINGS
    assert planke.check_rulings({}) == defaults
    assert (len(defaults), planke.PLAYERS) == (14, (2, 4))
