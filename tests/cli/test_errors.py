"""Every error says what, where, the choices and the fix; exit 2, no traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer import dryrun, registry
from analyzer.engines import job
from analyzer.errors import InternalError
from analyzer.scenario import Scenario
from analyzer.simulate import job_of

SIMULATE = ("simulate", "all-aboard", "-n", "10")
EGN = ("simulate", "einer-geht-noch", "-n", "10")

COMMAND_LINES = [
    (["simulate", "all-abord"], "Unknown game 'all-abord'. Did you mean 'all-aboard'?"),
    (["games", "chess"], "Unknown game 'chess'. Choices: all-aboard"),
    (["replay", "chess"], "Unknown game 'chess'"),
    (["resolve", "chess"], "Unknown game 'chess'"),
    (["simulate"], "Name a game or a scenario file"),
    (
        [*SIMULATE, "--players", "random,gredy"],
        "Unknown strategy 'gredy' for all-aboard (seat 1). Did you mean 'greedy'? Choices: random",
    ),
    ([*SIMULATE, "--players", "6"], "all-aboard takes 2 to 5 players, not 6"),
    ([*SIMULATE, "--players", "1"], "all-aboard takes 2 to 5 players, not 1"),
    ([*SIMULATE, "--seats", "7"], "seats must be 2 to 5, not 7"),
    ([*SIMULATE, "--seats", "3", "--players", "random,light"], "2 strategies for 3 seats"),
    (
        [*SIMULATE, "--rule", "lion_lov=x"],
        "Unknown ruling 'lion_lov' for all-aboard in --rule. Did you mean 'lion_love'?",
    ),
    (
        [*SIMULATE, "--rule", "lion_love=ignore"],
        "Ruling lion_love of all-aboard cannot be 'ignore' in --rule. "
        "Did you mean 'ignore_lovers'? Choices: target_blocks, ignore_lovers.",
    ),
    ([*SIMULATE, "--rule", "lion_love"], "--rule takes KEY=VALUE, not 'lion_love'"),
    ([*SIMULATE, "--set", "tile_deck=10:29"], "It needs 30 boats, not 29"),
    ([*SIMULATE, "--set", "tile_deck=10:x"], "'10:x' is neither a number nor value:count"),
    ([*SIMULATE, "--set", "tile_deck=1000:30"], "1000 is outside 0 to 999"),
    (
        [*EGN, "--rule", "peacock_weight=4"],
        "Ruling peacock_weight of einer-geht-noch cannot be '4' in --rule. "
        "It takes a whole number from 0 to 3.",
    ),
    ([*EGN, "--rule", "peacock_weight=1.5"], "It takes a whole number from 0 to 3."),
    (
        [*EGN, "--rule", "loved_mouse_score=1"],
        "Ruling loved_mouse_score of einer-geht-noch cannot be '1' in --rule. Choices: 0, 0.5.",
    ),
    ([*EGN, "--rule", "loved_mouse_score=half"], "cannot be 'half' in --rule. Choices: 0, 0.5."),
    (
        [*EGN, "--rule", "fox_love=true_heaviest"],
        "Did you mean 'true_heaviest_blocks'? Choices: any_pair_blocks, true_heaviest_blocks, ",
    ),
    (
        [*EGN, "--rule", "fight_size=ge3"],
        "Unknown ruling 'fight_size' for einer-geht-noch in --rule. Choices: tile_deck, ",
    ),
    ([*EGN, "--set", "tile_deck=15:31"], "It needs 30 tiles, not 31"),
    ([*EGN, "--set", "tile_deck=-1:30"], "-1 is outside 0 to 999"),
    (
        [*EGN, "--players", "blufer,random"],
        "Unknown strategy 'blufer' for einer-geht-noch (seat 0). Did you mean 'bluffer'?",
    ),
    ([*SIMULATE, "--players", "bluffer"], "Unknown strategy 'bluffer' for all-aboard (seat 0)."),
    ([*EGN, "--players", "6"], "einer-geht-noch takes 2 to 5 players, not 6"),
    (["simulate", "aa", "-n", "0"], "games (-n) must be 1 to 1,000,000,000,000, not 0"),
    (["simulate", "aa", "-n", "2e12"], "games (-n) must be 1 to 1,000,000,000,000"),
    (["simulate", "aa", "-n", "many"], "games (-n) must be a whole number, not 'many'"),
    ([*SIMULATE, "--seed", "-1"], "seed must be 0 to 18,446,744,073,709,551,615, not -1"),
    ([*SIMULATE, "--confidence", "100%"], "confidence must be from 50% to below 100%"),
    ([*SIMULATE, "-j", "0"], "threads (-j) must be 1 to 1,024, not 0"),
    ([*SIMULATE, "--engine", "dusk"], "Unknown engine 'dusk'. Did you mean 'dask'?"),
    ([*SIMULATE, "--engine", "dask"], "--scheduler HOST:PORT"),
    ([*SIMULATE, "--scheduler", "x:1"], "--scheduler is for --engine dask only"),
    ([*SIMULATE, "--rows"], "name one with -o DIR"),
    ([*SIMULATE, "-o", "/dev/null/run"], "Cannot write to /dev/null/run: Not a directory"),
    (["simulate", "--resume", "/dev/null"], "is not a run folder"),
    (["simulate", "aa", "--resume", "runs/x"], "--resume takes everything from the folder"),
    (["simulate", "no/such.toml"], "Cannot read the scenario no/such.toml: No such file"),
    (["replay", "aa", "--game", "-1"], "game (--game) must be 0 to"),
    (["replay", "aa", "--game", "x"], "game (--game) must be a whole number"),
    (["resolve", "aa", "/no/such.json"], "Cannot read /no/such.json: No such file"),
    ([*SIMULATE, "--players", "./no.py:f"], "Cannot read ./no.py for the strategy './no.py:f'"),
    (
        [*SIMULATE, "--players", "./no.py,random"],
        "'./no.py' for all-aboard (seat 0) is a file of strategies: name the function as well, as in "
        "./no.py:FUNCTION.",
    ),
    (
        ["simulat"],
        "Unknown command 'simulat' of analyzer. Did you mean 'simulate'? Choices: games,",
    ),
    (
        ["solve", "aa"],
        "Unknown command 'aa' of analyzer solve. Choices: gezanke-auf-der-planke, einfach-tierisch.",
    ),
    (["solve", "tierisch", "trun"], "Unknown command 'trun' of analyzer solve tierisch. Did you"),
    (["simulate", "--gmaes", "3"], "No such option"),
]


@pytest.mark.parametrize(("words", "message"), COMMAND_LINES, ids=lambda value: str(value)[:60])
def test_bad_command_lines(cli, words, message):
    done = cli(*words)
    assert message in done.err
    assert done.code == 2
    assert done.out == ""
    assert "Traceback" not in done.err


SCENARIOS = [
    ("game = \n", "is not valid TOML, line 1, column 8: Invalid value"),
    ('game = "aa"\nplayers = [\n', "is not valid TOML, line 2, column"),
    ('game = "aa"\ngame = "aa"\n', "is not valid TOML, line 2, column"),
    (
        'game = "aa"\ngamez = 3\n',
        "Unknown key 'gamez' in {file}, line 2, column 1. Did you mean 'game",
    ),
    ("games = 3\n", "does not name a game"),
    ('game = "chess"\n', "Unknown game 'chess' in {file}, line 1, column 1"),
    (
        'game = "aa"\n\n  games = "x"\n',
        "must be a whole number, not 'x' in {file}, line 3, column 3",
    ),
    ('game = "aa"\nseed = -1\n', "seed must be 0 to"),
    ('game = "aa"\nplayers = 9\n', "takes 2 to 5 players, not 9 in {file}, line 2, column 1"),
    (
        'game = "aa"\nplayers = ["random", "gready"]\n',
        "'gready' for all-aboard (seat 1) in {file}, line 2, column 1. Did you mean 'greedy'",
    ),
    ('game = "aa"\nrulings = 3\n', "[rulings] must be a table of settings in {file}, line 2"),
    (
        'game = "aa"\n[rulings]\nlion_lov = "x"\n',
        "'lion_lov' for all-aboard in {file}, line 3, column 1. Did you mean 'lion_love'",
    ),
    (
        'game = "aa"\n[rulings]\nfox_trio = "discard"\nlion_love = "x"\n',
        "Ruling lion_love of all-aboard cannot be 'x' in {file}, line 4, column 1. Choices:",
    ),
    ('game = "aa"\n[components]\ntile_deck = [1, 2]\n', "It needs 30 boats, not 2"),
    (
        'game = "egn"\n[rulings]\nloved_mouse_score = 0.25\n',
        "loved_mouse_score of einer-geht-noch cannot be 0.25 in {file}, line 3, column 1. "
        "Choices: 0, 0.5.",
    ),
    ('game = "egn"\n[rulings]\npeacock_weight = true\n', "cannot be True in {file}, line 3"),
    ('game = "egn"\n[components]\ntile_deck = 15\n', "It takes 30 tiles as value:count pairs"),
    ('game = "aa"\ntitle = 3\n', "title must be a text in {file}, line 2"),
    ('game = "aa"\nconfidence = 1.5\n', "confidence must be from 50%"),
]


@pytest.mark.parametrize(("text", "message"), SCENARIOS, ids=range(len(SCENARIOS)))
def test_bad_scenarios_name_file_line_and_column(cli, tmp_path, text, message):
    file = tmp_path / "bad.toml"
    file.write_text(text)
    done = cli("simulate", file)
    assert message.format(file=file) in done.err
    assert str(file) in done.err
    assert (done.code, done.out) == (2, "")


def test_a_scenario_that_is_no_text(cli, tmp_path):
    file = tmp_path / "bad.toml"
    file.write_bytes(b"\xff\xfe\x00")
    done = cli("simulate", file)
    assert done.code == 2
    assert "is not a text in UTF-8" in done.err


GOOD_MOVE = "see.first_move(legal)"
HEAD = """import numba
from kernels.boats import view as see
from kernels.boats.aa_strategies import greedy
from kernels.rng import random_below
def helper(x):
    return x
def f(view, legal, stream):
"""
USER_STRATEGIES = [
    ("def f(view, legal, stream)\n", "line 1 cannot be run: SyntaxError"),
    ("x = 1 / 0\n", "line 1 cannot be run: ZeroDivisionError"),
    ("def g(view, legal, stream):\n    return 0\n", "Unknown function 'f' in"),
    ("f = 3\n", "Unknown function 'f' in"),
    (
        "def f(view):\n    return 0\n",
        "must take 3 arguments (view, legal, stream), not 1 (view)",
    ),
    ("def f(view, legal, *rest):\n    return 0\n", "not 3 (view, legal, *rest)"),
    (HEAD + "    return open('x')", "line 8: it uses open, which compiled code cannot"),
    (HEAD + "    return helper(legal)", "line 8: it calls helper, a plain function: write @numba"),
    (HEAD + "    view[0] = 1\n    return 0", "line 8: the view is read-only"),
    (
        HEAD + "    return greedy(view, legal, stream)",
        "a built-in strategy is called by its move",
    ),
    (HEAD + "    return greedy.move(view, legal, stream)", "outside the function: greedy_move = "),
    (HEAD + "    return view.seat", "line 8: the view has no attribute 'seat'"),
    (HEAD + "    return view['seat']", "line 8: a cell is read by its number"),
    (HEAD + "    return view[see.NOPE]", "has no attribute 'NOPE'"),
    (HEAD + "    return nope", "the name 'nope' is not defined"),
    (HEAD + "    return 0.5", "it must return a whole number, not float64"),
    (HEAD + "    pass", "it must return a whole number, and returns nothing (or never returns)"),
    (
        "import numpy as np\nA = np.zeros(3)\ndef f(view, legal, stream):\n"
        "    A[0] += 1\n    return 0",
        "line 4: the view is read-only, and so is an array from outside the function",
    ),
    (
        "N = 0\ndef f(view, legal, stream):\n    global N\n    N += 1\n    return 0",
        "it assigns to a global variable: nothing is kept from one move to the next",
    ),
    (
        "import numpy as np\ndef f(view, legal, stream):\n    return np.random.randint(0, 2)",
        "draws from np.random or random, so its games could not be played again",
    ),
    (
        "import random, numba\n@numba.njit\ndef die(n):\n    return random.randint(1, n)\n"
        "def f(view, legal, stream):\n    return die(6)",
        "draws from np.random or random, so its games could not be played again",
    ),
    (HEAD + "    with open('x') as y:\n        return 1", "construct is not supported"),
    (
        HEAD + "    if view[see.ROUND] == 2:\n        raise ValueError('no idea')\n    return "
        f"{GOOD_MOVE}",
        "(seat 0) raised ValueError: no idea (line 9) in game 0 of seed 1. See it: analyzer replay",
    ),
    (
        HEAD + f"    return {GOOD_MOVE} + view[see.VIEW_CELLS]",
        "(seat 0) raised IndexError: index is out of bounds in game 0 of seed 1",
    ),
    (
        HEAD + f"    return {GOOD_MOVE} // (view[see.ROUND] - view[see.ROUND])",
        "(seat 0) raised ZeroDivisionError",
    ),
]


@pytest.mark.parametrize(("source", "message"), USER_STRATEGIES, ids=range(len(USER_STRATEGIES)))
def test_bad_user_strategies(cli, tmp_path, source, message):
    file = tmp_path / "mine.py"
    file.write_text(source)
    done = cli(*SIMULATE, "--players", f"{file}:f,random")
    assert message in done.err
    assert "Traceback" not in done.err
    assert (done.code, done.out) == (2, "")


def user_run(tmp_path: Path, source: str, *words: object) -> subprocess.CompletedProcess:
    """Run a simulation with a strategy of a user in a process of its own."""
    file = tmp_path / "mine.py"
    file.write_text(source)
    command = [sys.executable, "-m", "analyzer", *words, "--players", f"{file}:f,random"]
    environment = {**os.environ, "ANALYZER_GAME_SECONDS": "2"}
    return subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
    )


ENDLESS = (
    "    while {condition}:\n        legal += random_below(stream, 2)\n"
    "    return see.first_move(legal)\n"
)


@pytest.mark.parametrize(
    "command", [("simulate", "-n", 9), ("replay",)], ids=["simulate", "replay"]
)
def test_an_endless_loop_is_found_before_the_run(tmp_path, command):
    source = HEAD + ENDLESS.format(condition="legal > 0")
    done = user_run(tmp_path, source, command[0], "aa", *command[1:])
    assert done.returncode == 2
    assert "mine.py:f' did not finish game 0 of seed 1 within 2 seconds" in done.stderr
    assert "analyzer replay all-aboard" in done.stderr


def test_an_endless_loop_in_a_rare_position_is_found_during_the_run(tmp_path):
    rare = "view[see.CAPACITY] == 10 and view[see.CAPACITY + 1] == 20 and view[see.SCORE] > 12"
    source = (
        HEAD + "    found = legal\n" + ENDLESS.format(condition=rare).replace("(legal)", "(found)")
    )
    done = user_run(tmp_path, source, "simulate", "aa", "-n", 2000)
    assert done.returncode == 2
    assert "mine.py:f' did not finish game 81 of seed 1 within 2 seconds" in done.stderr
    assert done.stdout == ""


def test_an_endless_loop_in_the_file_itself_is_found(tmp_path, monkeypatch, cli):
    monkeypatch.setattr(dryrun, "COMPILE_SECONDS", 3.0)
    file = tmp_path / "mine.py"
    file.write_text("while True:\n    pass\n")
    done = cli(*SIMULATE, "--players", f"{file}:f,random")
    assert done.code == 2
    assert "could not be read and compiled within 3 seconds" in done.err


def test_a_recursion_without_end_is_told(tmp_path):
    source = (
        "import numba\n@numba.njit\ndef deep(n):\n    if n < 0:\n        return 0\n"
        "    return deep(n + 1) + 1\n\ndef f(view, legal, stream):\n    return deep(legal)\n"
    )
    done = user_run(tmp_path, source, "simulate", "aa", "-n", 9)
    assert done.returncode == 2
    assert "ended its process in game 0 of seed 1" in done.stderr


def test_a_limit_that_is_no_number_is_refused(cli, tmp_path, monkeypatch):
    monkeypatch.setenv("ANALYZER_GAME_SECONDS", "long")
    file = tmp_path / "mine.py"
    file.write_text(HEAD + f"    return {GOOD_MOVE}")
    done = cli(*SIMULATE, "--players", f"{file}:f,random")
    assert "ANALYZER_GAME_SECONDS must be a number of seconds above 0, not 'long'" in done.err
    assert done.code == 2


def test_an_illegal_move_names_strategy_seat_seed_game_and_the_replay(cli, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def bad(view, legal, stream):\n    return 31\n")
    done = cli(*SIMULATE, "--players", f"random,{file}:bad", "--seed", 3)
    assert done.code == 2
    assert f"Strategy '{file}:bad' (seat 1) answered move 31 in game 0 of seed 3" in done.err
    replay = f"analyzer replay all-aboard --players random,{file}:bad --seed 3 --game 0"
    assert replay in done.err
    told = cli(*replay.split()[1:])
    assert told.code == 2
    assert "Seat 0 plays" in told.out
    assert "which is not legal there" in told.err


def test_a_user_strategy_that_is_sound_plays(cli, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from kernels.boats.view import first_move\n\n\n"
        "def first(view, legal, stream):\n    return first_move(legal)\n"
    )
    done = cli(*SIMULATE, "--players", f"{file}:first,random", "--json")
    assert done.code == 0
    assert json.loads(done.out)["players"] == [f"{file}:first", "random"]


def test_a_lambda_plays_and_what_its_file_prints_is_no_result(cli, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from kernels.boats.view import first_move\nprint('greetings')\n"
        "first = lambda view, legal, stream: first_move(legal)\n"
    )
    done = cli(*SIMULATE, "--players", f"{file}:first,random", "--json")
    assert done.code == 0
    assert json.loads(done.out)["players"] == [f"{file}:first", "random"]
    assert "greetings" in done.err


def test_strategies_are_ready_before_a_game_is_timed(monkeypatch):
    class Slow:
        loads = 0

        def loop(self):
            """Stand for the loop over the games."""

        loop.compile = None

        def __wrapper_address__(self):
            self.loads += 1

    slow = Slow()
    monkeypatch.setattr(job, "compiled", lambda *_: (slow, slow))
    scenario = Scenario(
        game="all-aboard",
        players=("random", "random"),
        games=1,
        seed=1,
        confidence=0.95,
        rulings=registry.load("all-aboard").complete({}),
    )
    job.BlockPlayer(job_of(scenario))
    assert slow.loads == 1


def test_a_crash_is_exit_70_in_one_sentence(cli, monkeypatch):
    def crash(name):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(registry, "canonical", crash)
    done = cli(*SIMULATE)
    assert done.code == 70
    assert done.err.count("\n") == 1
    assert done.err.startswith("Error: Internal error: ZeroDivisionError: division by zero.")
    assert "--debug" in done.err
    with pytest.raises(ZeroDivisionError):
        cli("--debug", *SIMULATE)
    with pytest.raises(ZeroDivisionError):
        cli(*SIMULATE, "--debug")


def test_an_internal_error_is_never_exit_1(cli, monkeypatch):
    def contradict(name):
        raise InternalError("The log and the score contradict each other.")

    monkeypatch.setattr(registry, "canonical", contradict)
    done = cli(*SIMULATE)
    assert done.err == "Error: The log and the score contradict each other.\n"
    assert (done.code, done.out) == (70, "")


def test_a_reader_who_leaves_is_no_error():
    process = subprocess.Popen(
        [sys.executable, "-m", "analyzer", "games", "all-aboard"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert err == b""


def test_scenarios_in_the_repository_are_sound(cli):
    folder = Path(__file__).parents[2] / "seeds" / "scenarios"
    files = sorted(folder.glob("*.toml"))
    assert files
    for file in files:
        done = cli("simulate", file, "-n", "64", "--json")
        assert done.code == 0, done.err
        assert json.loads(done.out)["games"] == 64
