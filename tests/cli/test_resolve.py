"""`analyzer resolve`: bad positions name their field, a batch answers every line; exit 2, no traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

GOOD = {"players": ["A", "B"], "boats": [{"capacity": 12, "animals": [["mouse", "A"]]}]}
BOAT = GOOD["boats"][0]

POSITIONS = [
    ("", "is empty"),
    ("{", "is not valid JSON, line 1, column 2"),
    ('{"players":\n nope}', "is not valid JSON, line 2, column 2"),
    ('{"players": NaN}', "NaN is not valid JSON"),
    ('{"players": [], "players": []}', "the key 'players' is there twice"),
    ("[]", "position: must be an object, not a list"),
    ("3", "position: must be an object, not a number"),
    ({"boats": []}, "position: the key 'players' is missing"),
    ({**GOOD, "boat": []}, "position: Unknown key 'boat'. Did you mean 'boats'?"),
    ({**GOOD, "players": "AB"}, "players: must be a list of names, not a text"),
    ({**GOOD, "players": ["A"]}, "players: all-aboard takes 2 to 5 players, not 1"),
    ({**GOOD, "players": ["A", "A"]}, "players[1]: 'A' is there twice"),
    (
        {**GOOD, "players": ["A", 3]},
        "players[1]: must be a text that is not empty, not a number (3)",
    ),
    ({**GOOD, "boats": []}, "boats: must be 1 to 5 boats, not 0"),
    ({**GOOD, "boats": [BOAT, 3]}, "boats[1]: must be an object, not a number"),
    ({**GOOD, "boats": [{"capacity": 3}]}, "boats[0]: the key 'animals' is missing"),
    ({**GOOD, "boats": [{**BOAT, "capacity": -1}]}, "boats[0].capacity: must be 0 to"),
    ({**GOOD, "boats": [{**BOAT, "capacity": 1.5}]}, "boats[0].capacity: must be a whole number"),
    ({**GOOD, "boats": [{**BOAT, "capacity": True}]}, "boats[0].capacity: must be a whole number"),
    ({**GOOD, "boats": [{**BOAT, "animals": [["mouse"]]}]}, "boats[0].animals[0]: must be a pair"),
    (
        {**GOOD, "boats": [BOAT, {**BOAT, "animals": [["zebr", "A"]]}]},
        "boats[1].animals[0][0]: Unknown animal 'zebr'. Did you mean 'zebra'? Choices: mouse,",
    ),
    (
        {**GOOD, "boats": [{**BOAT, "animals": [["mouse", "C"]]}]},
        "boats[0].animals[0][1]: Unknown player 'C'",
    ),
    (
        {**GOOD, "boats": [BOAT, BOAT]},
        "boats[1].animals[0]: the mouse of 'A' is at boats[0].animals[0] already",
    ),
    ({**GOOD, "draws": 3}, "draws: must be a list of capacities"),
    ({**GOOD, "draws": [12, "x"]}, "draws[1]: must be a whole number, not a text"),
    ({**GOOD, "cupids_left": 21}, "cupids_left: must be 0 to 20, not 21"),
    ({**GOOD, "rulings": []}, "rulings: must be an object"),
    (
        {**GOOD, "rulings": {"lion": "x"}},
        "Unknown ruling 'lion' for all-aboard in rulings.lion. Did you mean 'lion_love'?",
    ),
    ({**GOOD, "rulings": {"effects": "of"}}, "Ruling effects of all-aboard cannot be 'of'"),
    (
        {**GOOD, "boats": [{**BOAT, "animals": [["mouse", "A"], ["elephant", "B"]]}]},
        "draws: a mouse draws a capacity, and all 0 draws are used up",
    ),
]


@pytest.mark.parametrize(("position", "message"), POSITIONS, ids=range(len(POSITIONS)))
def test_bad_positions_name_the_field(cli, tmp_path, position, message):
    file = tmp_path / "position.json"
    file.write_text(position if isinstance(position, str) else json.dumps(position))
    done = cli("resolve", "all-aboard", file)
    assert message in done.err
    assert (done.code, done.out) == (2, "")


EGN_POSITIONS = [
    (
        {**GOOD, "boats": [{**BOAT, "animals": [["octopus", "A"]]}]},
        "boats[0].animals[0][0]: Unknown animal 'octopus'. Choices: mouse, peacock, fox, squid,",
    ),
    ({**GOOD, "players": list("ABCDEF")}, "players: einer-geht-noch takes 2 to 5 players, not 6"),
    ({**GOOD, "boats": [BOAT] * 6}, "boats: must be 1 to 5 boats, not 6"),
    (
        {**GOOD, "rulings": {"effects": "off"}},
        "Unknown ruling 'effects' for einer-geht-noch in rulings.effects. Choices: tile_deck,",
    ),
    (
        {**GOOD, "rulings": {"peacock_weight": 7}},
        "Ruling peacock_weight of einer-geht-noch cannot be 7 in rulings.peacock_weight. "
        "It takes a whole number from 0 to 3.",
    ),
    ({**GOOD, "rulings": {"loved_mouse_score": "x"}}, "Choices: 0, 0.5."),
    ({**GOOD, "rulings": {"loved_mouse_score": None}}, "Choices: 0, 0.5."),
    ({**GOOD, "rulings": {"fox_love": ["ignore_lovers"]}}, "Choices: any_pair_blocks,"),
    ({**GOOD, "rulings": {"tile_deck": [1] * 29}}, "It needs 30 tiles, not 29"),
    (
        {
            **GOOD,
            "boats": [{**BOAT, "animals": [["mouse", "A"], ["elephant", "B"]]}],
            "draws": [],
        },
        "draws: a mouse draws a capacity, and all 0 draws are used up",
    ),
]


@pytest.mark.parametrize(("position", "message"), EGN_POSITIONS, ids=range(len(EGN_POSITIONS)))
def test_bad_positions_of_einer_geht_noch_name_the_field(cli, tmp_path, position, message):
    file = tmp_path / "position.json"
    file.write_text(json.dumps(position))
    done = cli("resolve", "egn", file)
    assert message in done.err
    assert (done.code, done.out) == (2, "")


def test_a_position_that_is_no_text(cli, tmp_path):
    file = tmp_path / "position.json"
    file.write_bytes(b'{"players": ["\xff"]}')
    done = cli("resolve", "all-aboard", file)
    assert done.code == 2
    assert "is not a text in UTF-8" in done.err


def test_batch_answers_a_bad_line_on_its_line(cli, tmp_path):
    file = tmp_path / "lines.jsonl"
    lines = [json.dumps(GOOD), "{nonsense", json.dumps({**GOOD, "draws": 3}), json.dumps(GOOD)]
    file.write_text("\n".join(lines) + "\n")
    done = cli("resolve", "aa", file, "--batch")
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 2
    assert [sorted(answer) == ["error"] for answer in answers] == [False, True, True, False]
    assert answers[0] == answers[3]
    assert "line 2 is not valid JSON" in answers[1]["error"]
    assert "draws: must be a list" in answers[2]["error"]


def test_numbers_and_letters_that_nobody_can_write_spoil_their_own_line_only(tmp_path):
    def position(capacity="12", name="A"):
        return f'{{"players":["{name}","B"],"boats":[{{"capacity":{capacity},"animals":[]}}]}}'

    file = tmp_path / "positions.jsonl"
    file.write_text("\n".join([position("1" * 5000), position(name="\\ud800"), position()]) + "\n")
    command = [sys.executable, "-m", "analyzer", "resolve", "aa", str(file), "--batch"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert "line 1: a number of 5,000 digits stands there" in answers[0]["error"]
    assert answers[1]["kept"] == {"\ud800": [], "B": []}
    assert answers[2]["kept"] == {"A": [], "B": []}


def test_letters_that_the_terminal_lacks_are_written_as_in_json(tmp_path):
    file = tmp_path / "position.json"
    file.write_text(
        '{"players":["Zoë","B"],"boats":[{"capacity":12,"animals":[]}]}', encoding="utf-8"
    )
    done = subprocess.run(
        [sys.executable, "-m", "analyzer", "resolve", "aa", str(file)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert '"Zo\\u00eb"' in done.stdout
    assert json.loads(done.stdout)["kept"] == {"Zoë": [], "B": []}


def test_batch_of_good_lines_is_exit_0(cli, tmp_path):
    file = tmp_path / "lines.jsonl"
    file.write_text("\ufeff" + json.dumps(GOOD) + "\n\n\n", encoding="utf-8")
    done = cli("resolve", "aa", file, "--batch")
    assert done.code == 0
    assert len(done.out.splitlines()) == 1


def test_an_empty_line_of_a_batch_has_its_answer(cli, tmp_path):
    file = tmp_path / "lines.jsonl"
    file.write_text(f"\n{json.dumps(GOOD)}\n \n\n{json.dumps(GOOD)}\n")
    done = cli("resolve", "aa", file, "--batch")
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 2
    assert [answer.get("error", "").split(";")[0] for answer in answers] == [
        "line 1 is empty",
        "",
        "line 3 is empty",
        "line 4 is empty",
        "",
    ]
