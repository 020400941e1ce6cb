"""Gezanke auf der Planke! from the command line."""

from __future__ import annotations

import json
import shlex
from fractions import Fraction
from pathlib import Path

import pytest

from analyzer import registry
from analyzer.games import planke_rose
from tests.oracle import planke as referee

ROOT = Path(__file__).parents[2]
VECTORS = json.loads((ROOT / f"tests/vectors/{referee.GAME}.json").read_text())["vectors"]
SIMULATE = ("simulate", "planke", "-n", "300")
COLOURS = ("yellow", "red", "green", "blue")


def document_of(cli, *words):
    done = cli(*SIMULATE, *words, "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


# --- resolve --------------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_resolve_agrees_with_every_vector(cli, tmp_path, vector):
    cases = [{"rulings": {}, "expect": vector["expect"]}, *vector.get("variants", [])]
    lines = [json.dumps({**vector["position"], "rulings": case["rulings"]}) for case in cases]
    file = tmp_path / "positions.jsonl"
    file.write_text("\n".join(lines))
    done = cli("resolve", "planke", file, "--batch")
    assert done.code == 0, done.out
    for case, line in zip(cases, done.out.splitlines(), strict=True):
        answer = json.loads(line)
        events = answer.pop("events")
        assert answer == case["expect"]
        assert [event["colour"] for event in events if event["event"] == "fall"] == answer["fallen"]


def test_resolve_takes_any_length_and_ignores_a_row_that_is_not_played(cli, tmp_path):
    file = tmp_path / "position.json"
    position = {"plank": "RY", "symbols": ["push1", "skull"], "choice": "push1", "at": 0, "row": 99}
    file.write_text(json.dumps(position))
    answer = json.loads(cli("resolve", "planke", file).out)
    assert (answer["plank"], answer["survivor"], answer["row_skipped"]) == (".R", "R", True)
    file.write_text(json.dumps({**position, "plank": "." * 58 + "RY", "at": 58}))
    assert json.loads(cli("resolve", "planke", file).out)["plank"] == "." * 59 + "R"


def test_resolve_in_words(cli, tmp_path):
    file = tmp_path / "position.json"
    (vector,) = [one for one in VECTORS if one["name"] == "GP-T12"]
    file.write_text(json.dumps(vector["position"]))
    assert cli("resolve", "planke", file, "--words").out.splitlines() == [
        "The player pushes the yellow pirate on 1 and 1 other in front.",
        "The player pushes the row from 2 (3 pirates).",
    ]


GOOD = {"plank": "BYR.G..R", "symbols": ["push1", "skull"], "choice": "push1", "at": 1, "row": 2}
POSITIONS = [
    ({}, "position: the key 'plank' is missing"),
    ({**GOOD, "plan": 1}, "position: Unknown key 'plan'. Did you mean 'plank'?"),
    ({**GOOD, "plank": 3}, "plank: must be a text such as"),
    ({**GOOD, "plank": "BYX"}, "plank: 'X' (cell 2) is none of Y, R, G, B and '.'"),
    ({**GOOD, "plank": "..R"}, "plank: has 1 of the 2 pirates or more"),
    ({**GOOD, "plank": "RY" + "." * 59}, "plank: has 61 cells; at most 60"),
    ({**GOOD, "symbols": "push1"}, "symbols: must be a list of two symbols, not a text"),
    ({**GOOD, "symbols": ["push1"]}, "symbols: the wind rose shows 2 symbols, not 1"),
    ({**GOOD, "symbols": ["push1", "scull"]}, "symbols[1]: Unknown symbol 'scull'. Did you mean"),
    ({**GOOD, "choice": "push"}, "choice: Unknown symbol 'push'. Did you mean 'push1'? Choices:"),
    ({**GOOD, "choice": "swap"}, "choice: the wind rose shows push1 and skull, not swap"),
    ({**GOOD, "at": [1, 2]}, "at: must be a whole number, not a list"),
    ({**GOOD, "at": 8}, "at: must be 0 to 7, not 8"),
    ({**GOOD, "at": 3}, "at: nobody stands on 3. Pirates: 0, 1, 2, 4, 7."),
    ({**GOOD, "at": None}, "at: is missing; push1 takes a pirate's cell"),
    ({**GOOD, "to": "last"}, "to: only move1 takes an end, not push1"),
    ({**GOOD, "row": 0}, None),
    ({**GOOD, "row": 1}, "row: 1 is not the last pirate of a row of B.YRG..R. Choices: 0, 2, 7."),
    ({**GOOD, "row": "x"}, "row: 'x' is not the last pirate of a row"),
    ({**GOOD, "row": None}, "row: is missing; B.YRG..R goes on with a row. Choices: 0, 2, 7."),
    ({**GOOD, "choice": "skull"}, "at: a skull takes none; leave it out"),
    ({**GOOD, "symbols": ["swap", "swap"], "choice": "swap"}, "at: must be a list of two cells"),
    (
        {**GOOD, "symbols": ["swap", "swap"], "choice": "swap", "at": [1, 1]},
        "at: a swap takes two different pirates",
    ),
    (
        {**GOOD, "symbols": ["swap", "swap"], "choice": "swap", "at": [1, 2, 4]},
        "at: a swap takes 2 cells, not 3",
    ),
    (
        {**GOOD, "symbols": ["swap", "swap"], "choice": "swap", "at": [1, 3]},
        "at: nobody stands on 3",
    ),
    (
        {
            **GOOD,
            "symbols": ["swap", "swap"],
            "choice": "swap",
            "at": [2, 7],
            "rulings": {"swap_same_colour": False},
        },
        "at: both pirates have the same colour, and swap_same_colour is no",
    ),
    (
        {**GOOD, "plank": ".YR.G..R", "symbols": ["move1", "skull"], "choice": "move1"},
        "to: is missing; move1 takes an end. Choices: last.",
    ),
    (
        {
            **GOOD,
            "plank": ".YR.G..R",
            "symbols": ["move1", "skull"],
            "choice": "move1",
            "to": "foremost",
        },
        "to: the foremost position is not free for that pirate. Choices: last.",
    ),
    (
        {**GOOD, "symbols": ["move1", "skull"], "choice": "move1", "to": "first"},
        "to: Unknown end 'first'",
    ),
    (
        {**GOOD, "symbols": ["move1", "skull"], "choice": "move1", "to": "last"},
        "at: move1, impossible here, takes none",
    ),
    (
        {
            "plank": "BYR.G..R",
            "symbols": ["move1", "skull"],
            "choice": "move1",
            "row": 0,
            "rulings": {"impossible_symbol": "must_take_other"},
        },
        "choice: move1 may not be taken here; skull must be",
    ),
    ({**GOOD, "rulings": {"ends": "x"}}, "Unknown ruling 'ends' for gezanke-auf-der-planke in rul"),
    ({**GOOD, "rulings": {"end": "x"}}, "Ruling end of gezanke-auf-der-planke cannot be 'x'"),
    ({**GOOD, "rulings": 3}, "rulings: must be an object"),
]


@pytest.mark.parametrize(("position", "message"), POSITIONS, ids=range(len(POSITIONS)))
def test_bad_positions_name_the_field(cli, tmp_path, position, message):
    file = tmp_path / "position.json"
    file.write_text(json.dumps(position))
    done = cli("resolve", "planke", file)
    if message is None:
        assert done.code == 0
        return
    assert message in done.err
    assert (done.code, done.out) == (2, "")


# --- the wind rose --------------------------------------------------------------------------------

WHEEL = "swap,skull,push1,skull,move1@2"
WHEELS = [WHEEL, " swap, skull, push1, skull, move1 @ 7", WHEEL.replace("@2", "@-3")]
PARTS = "2,2,2,2/2,2,2,2/2,2,2,2/2,2,2,4"
ROSES = [
    *((text, WHEEL) for text in WHEELS),
    ({"wheel": ["swap", "skull", "push1", "skull", "move1"], "distance": 2}, WHEEL),
    ("Uniform", "uniform"),
    ("3,3,3,3/3,3,3,3/3,3,3,3/3,3,3,3", "uniform"),
    ([[0.0625] * 4] * 4, "uniform"),
    (PARTS, "1,1,1,1/1,1,1,1/1,1,1,1/1,1,1,2"),
    ([[2] * 4] * 3 + [[2, 2, 2, 4]], "1,1,1,1/1,1,1,1/1,1,1,1/1,1,1,2"),
    ("0,0,0,0.250/0,0,0,0.25/0,0,0,0.25/0,0,0,2.5e-1", "0,0,0,0.25/0,0,0,0.25/0,0,0,0.25/0,0,0,0.25"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "canonical"), ROSES, ids=range(len(ROSES)))
def test_a_rose_has_one_canonical_text(value, canonical):
    kind = planke_rose.Rose()
    assert kind.parse(value) == canonical
    assert kind.parse(canonical) == canonical
    assert sum(map(sum, planke_rose.law(canonical))) == 1


@pytest.mark.parametrize(
    ("text", "as_the_referee_writes_it"),
    [
        ("uniform", "uniform"),
        (WHEEL, {"wheel": WHEEL[:-2].split(","), "distance": 2}),
        ("0.1,0,0,0.2/0,0.1,0,0.1/0,0.1,0.1,0/0.1,0,0.1,0.1",
         [[0.1, 0, 0, 0.2], [0, 0.1, 0, 0.1], [0, 0.1, 0.1, 0], [0.1, 0, 0.1, 0.1]]),
    ],
)  # fmt: skip
def test_the_law_of_a_rose_is_the_referees(text, as_the_referee_writes_it):
    law = planke_rose.law(planke_rose.Rose().parse(text))
    expected = referee.rose_distribution(as_the_referee_writes_it)
    for a, left in enumerate(referee.SYMBOLS):
        for b, right in enumerate(referee.SYMBOLS):
            assert law[a][b] == expected[left, right]


BAD_ROSES = [
    ("round", "It takes uniform; a table of 4 rows"),
    ("swap,skul,skull@1", "Unknown symbol 'skul' on sector 2. Did you mean 'skull'?"),
    ("swap,skull@x", "distance must be a whole number of sectors, not 'x'"),
    ("skull,skull,swap@0", "A skull beside another symbol must be possible"),
    ("skull,swap,push1,move1@1", "Two skulls must be possible"),
    ("1,1/1,1", "A table has 4 rows of 4 chances"),
    ("1,1,1,x/1,1,1,1/1,1,1,1/1,1,1,1", "'x' is not a chance"),
    ("1,1,1,-1/1,1,1,1/1,1,1,1/1,1,1,1", "-1 is not a chance: it must be 0 or more"),
    ("0.1,0.1,0.1,0.1/0.1,0.1,0.1,0.1/0,0,0,0/0,0,0,0.1", "add up to 0.9, not 1"),
    ("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0", "The chances are all 0"),
    ("1,1,1,0/1,1,1,0/1,1,1,0/0,0,0,1", "A skull beside another symbol must be possible"),
    ("nan,1,1,1/1,1,1,1/1,1,1,1/1,1,1,1", "nan is not a chance"),
    ("1e99,1,1,1/1,1,1,1/1,1,1,1/1,1,1,1", "1e99 is no chance that is meant"),
]


@pytest.mark.parametrize(("value", "message"), BAD_ROSES, ids=range(len(BAD_ROSES)))
def test_a_bad_rose_is_refused(cli, value, message):
    done = cli(*SIMULATE, "--set", f"rose={value}")
    assert message in done.err
    assert (done.code, done.out) == (2, "")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("rose = {wheel = 3, distance = 1}", "The wheel must be a list of symbols"),
        ("rose = {wheel = [], distance = 1}", "A wheel has 1 to 360 sectors, not 0"),
        ("rose = {wheels = [], distance = 1}", "A wheel has the keys wheel and distance"),
        ('rose = {wheel = ["skull"], distance = 0.5}', "must be a whole number of sectors"),
        ("rose = [1, 2]", "A table has 4 rows of 4 chances"),
        ("rose = 3", "It takes uniform"),
        ("plank_length = 16", "It takes a whole number from 17 to 40"),
        ("turn_cap = 0", "It takes a whole number from 1 to 1000000000"),
    ],
)
def test_a_bad_component_in_a_file_names_its_line(cli, tmp_path, lines, message):
    file = tmp_path / "bad.toml"
    file.write_text(f'game = "planke"\n[components]\n{lines}\n')
    done = cli("simulate", file)
    assert message in done.err
    assert f"{file}, line 3" in done.err
    assert done.code == 2


def test_a_rose_in_a_file_and_as_a_flag_give_the_same_bytes(cli, tmp_path):
    file = tmp_path / "wheel.toml"
    file.write_text(
        'game = "planke"\ngames = 300\n[components]\n'
        'rose = {wheel = ["swap", "skull", "push1", "skull", "move1"], distance = 2}\n'
    )
    flags = cli(*SIMULATE, "--set", f"rose={WHEEL}", "--json")
    by_rule = cli(*SIMULATE, "--rule", f"rose={WHEEL}", "--json")
    assert cli("simulate", file, "--json").out == flags.out == by_rule.out
    saved = tmp_path / "saved.toml"
    assert cli(*SIMULATE, "--set", f"rose={WHEEL}", "--save-scenario", saved).code == 0
    assert cli("simulate", saved, "--json").out == flags.out
    again = json.loads(flags.out)["commands"]["again"]
    assert cli(*shlex.split(again)[1:], "--json").out == flags.out


# --- simulate -------------------------------------------------------------------------------------


def test_the_result_has_what_the_contract_names(cli):
    document = document_of(cli)
    metrics = document["metrics"]
    for name in (
        "turns",
        *(f"colour_win_rate.{colour}" for colour in COLOURS),
        "unowned_survivor_rate",
        "ended_on_rose_rate",
        "impossible_move_rate",
        "turn_cap_rate",
    ):
        assert metrics[name]["ci"][0] <= metrics[name]["value"] <= metrics[name]["ci"][1]
    assert set(document["rulings"]) == {*referee.RULINGS, *referee.OPEN_RULINGS}
    assert sum(seat["win_rate"] for seat in document["seats"]) == pytest.approx(1)
    assert sum(seat["mean_score"] for seat in document["seats"]) == pytest.approx(9)
    assert sum(metrics[f"colour_win_rate.{one}"]["value"] for one in COLOURS) == pytest.approx(1)


def test_win_rates_are_shares_of_the_games_that_were_not_void(cli):
    """With two players half of the survivors belong to nobody."""
    replayed = document_of(cli, "--players", "2")
    void = replayed["metrics"]["void_game_rate"]["value"]
    assert 0.3 < void < 0.7
    assert void == replayed["metrics"]["unowned_survivor_rate"]["value"]
    assert sum(seat["win_rate"] for seat in replayed["seats"]) == pytest.approx(1)
    assert sum(seat["mean_score"] for seat in replayed["seats"]) == pytest.approx(8)
    lost = document_of(cli, "--players", "2", "--rule", "unowned_survivor=no_points")
    assert sum(seat["win_rate"] for seat in lost["seats"]) == pytest.approx(1 - void)
    best = document_of(cli, "--players", "2", "--rule", "unowned_survivor=best_player")
    assert sum(seat["win_rate"] for seat in best["seats"]) == pytest.approx(1)
    assert best["metrics"]["void_game_rate"]["value"] == 0


def test_tables_add_up(cli):
    tables = document_of(cli, "--players", "3")["tables"]
    assert sum(tables["lengths"]["rounds"]) == 300
    assert sum(one["falls"] for one in tables["falls"]) == 300 * 15
    assert [sum(one["by_start_cell"]) for one in tables["fall_order"]] == [300] * 15
    assert sum(tables["survivors"]["by_start_cell"]) == 300
    assert sum(one["survived"] for one in tables["colours"]) == 300
    assert sum(one["held"] for one in tables["colours"]) == 900
    for one in tables["leaders"]:
        assert sum(one["lead_by_seat"]) == pytest.approx(1)
    for seat in tables["round_points"]["rounds_by_seat"]:
        assert sum(seat) == 300
    turns = sum(sum(seats) for one in tables["choices"] for seats in one["taken_by_seat"].values())
    assert turns == sum(k * rounds for k, rounds in enumerate(tables["lengths"]["rounds"]))


def test_several_rounds_share_wins(cli):
    document = document_of(cli, "--rule", "rounds=2", "--players", "3")
    assert document["metrics"]["shared_win_rate"]["value"] > 0
    assert document["metrics"]["turns"]["n"] == 600


# --- games that the turn cap stops ----------------------------------------------------------------

STALL = '''
from kernels.plank import view as see


def stall(view, legal, stream):
    """Lift the foremost pirate to the ship end whenever that is free, else do the least."""
    action = see.first_action(view, legal)
    if see.may_choose(legal, see.MOVE1) and see.is_free(legal, see.LAST):
        foremost = 0
        for cell in range(view[see.LENGTH]):
            if view[see.PLANK] >> cell & 1:
                foremost = cell
        action = see.move_action(foremost, see.LAST)
    rows = see.row_starts(see.plank_after(view, legal, action))
    return see.move_of(action, see.nth_cell(rows, 0))
'''
MOVES = "0,0,0,0/0,0,0,0/0,0,98,1/0,0,0,1"


@pytest.fixture
def stalling(tmp_path):
    file = tmp_path / "stall.py"
    file.write_text(STALL)
    setting = ("--players", f"{file}:stall*2", "--set", f"rose={MOVES}", "--set", "plank_length=40")
    return [str(word) for word in setting]


def test_a_game_that_would_never_end_is_counted_and_reported(cli, stalling):
    document = document_of(cli, *stalling, "--rule", "turn_cap=500")
    assert document["metrics"]["turn_cap_rate"]["value"] == 1
    assert document["metrics"]["void_game_rate"]["value"] == 1
    assert document["metrics"]["turns"]["value"] == 500
    assert document["metrics"]["colour_win_rate.red"]["value"] is None
    assert [seat["win_rate"] for seat in document["seats"]] == [None, None]
    text = cli(*SIMULATE, *stalling, "--rule", "turn_cap=500").out
    assert "turn_cap_rate" in text
    assert "100.00 %" in text


def test_a_capped_game_longer_than_the_first_log_is_told(cli, stalling):
    words = ("replay", "planke", *stalling, "--rule", "turn_cap=30000")
    document = json.loads(cli(*words, "--json").out)
    kinds = [event["event"] for event in document["events"]]
    assert kinds.count("turn") == 30_000
    assert len(kinds) > registry.load("planke").kernel().max_events
    assert document["result"]["nobody_because"] == "the turn cap"
    assert document["result"]["survivor"] is None


def test_a_game_too_long_to_be_told_says_so(cli, stalling):
    done = cli("replay", "planke", *stalling, "--rule", "turn_cap=900000")
    assert done.code == 2
    assert "has more than 2,097,152 events, which is too long to be told" in done.err


# --- replay ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [(), ("--rule", "rounds=2", "--rule", "round_starter=winner")])
def test_replay_agrees_with_the_referee(cli, words):
    flags = ("--players", "random*3", "--seed", "2", "--game", "17", *words)
    document = json.loads(cli("replay", "planke", *flags, "--json").out)
    stones, spins, moves = [], [], []
    for event in document["events"]:
        kind = event["event"]
        if kind == "round":
            stones.append([])
        elif kind == "stone":
            stones[-1].append(event["colour"])
        elif kind == "turn":
            spins.append(event["symbols"])
            moves.append({"seat": event["seat"]})
        elif kind in ("swap", "push1", "move1", "skull"):
            moves[-1] |= {"choice": kind, **{k: event[k] for k in ("at", "to") if k in event}}
        elif kind == "lapsed":
            moves[-1]["choice"] = event["symbol"]
        elif kind == "row":
            moves[-1]["row"] = event["row"]
    rulings = {"rounds": 2, "round_starter": "winner"} if words else {}
    setup = {"players": 3, "start": 0, "colours": stones if words else stones[0], "spins": spins}
    judged = referee.replay({**setup, "rulings": rulings}, moves)
    result = document["result"]
    assert [seat["score"] for seat in result["seats"]] == judged["points"]
    assert [Fraction(seat["credit"]).limit_denominator(60) for seat in result["seats"]] == judged[
        "credit"
    ]
    fallen = [event["colour"] for event in document["events"] if event["event"] == "fall"]
    assert fallen == [colour for one in judged["rounds"] for colour in one["fallen"]]
    assert result["turns"] == len(moves)


def test_replay_in_words(cli):
    text = cli("replay", "planke", "--seed", "3").out
    for words in ("Round 1", "YRGBYRGBYRGBYRGB..  turn 1, Seat 0: the wind rose shows", "Winner: "):
        assert words in text


def test_an_illegal_move_is_told_in_the_words_of_the_game(cli, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def bad(view, legal, stream):\n    return 63 << 14 | 63 << 8 | 63 << 2 | 1\n")
    done = cli(*SIMULATE, "--players", f"{file}:bad*2", "--seed", 5)
    assert done.code == 2
    assert "push1, at 63, other 63, row 63:" in done.err
    assert "symbols:" in done.err
    assert "free ends: foremost" in done.err


@pytest.mark.parametrize("ruling", ["replay", "no_points", "best_player"])
def test_rounds_won_by_colour_are_the_rounds_won(cli, ruling):
    words = ("simulate", "planke", "-n", "400", "--seats", "2", "--json")
    document = json.loads(cli(*words, "--rule", f"unowned_survivor={ruling}").out)
    won = sum(row["won"] for row in document["tables"]["colours"])
    unowned = document["metrics"]["unowned_survivor_rate"]["value"]
    # Every round is won under best_player; else those with an unowned survivor by nobody.
    share = 1.0 if ruling == "best_player" else 1.0 - unowned
    assert won == pytest.approx(400 * share)
    assert unowned > 0.2
