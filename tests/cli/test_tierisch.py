"""Einfach tierisch from the command line."""

from __future__ import annotations

import json
import random
import shlex
from fractions import Fraction
from pathlib import Path

import pytest

from analyzer import registry
from analyzer.games.einfach_tierisch import DIE
from tests.dice.helpers import random_rulings, random_sheet
from tests.oracle import tierisch as referee

ROOT = Path(__file__).parents[2]
VECTORS = json.loads((ROOT / f"tests/vectors/{referee.GAME}.json").read_text())["vectors"]
SIMULATE = ("simulate", "tierisch", "-n", "300")
SOLVE = ("solve", "tierisch")
ANIMALS = list(referee.ANIMALS)
POSITION = {
    "animals": {"A": "penguin", "B": "cat"},
    "active": "A",
    "roll": ["cat", "cat", "penguin", "penguin", "mouse", "dog"],
}


def document_of(cli, *words):
    done = cli(*words, "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


# --- resolve --------------------------------------------------------------------------------------


def told_marks(answer):
    """Return what the events say that everybody marked."""
    told = {name: {} for name in answer["marked"]}
    for event in answer["events"]:
        if event["event"] == "mark":
            told[event["owner"]][event["column"]] = event["boxes"]
    return told


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_resolve_agrees_with_every_vector(cli, tmp_path, vector):
    cases = [
        {"rulings": vector["position"].get("rulings", {}), "expect": vector["expect"]},
        *vector.get("variants", []),
    ]
    lines = [json.dumps({**vector["position"], "rulings": case["rulings"]}) for case in cases]
    file = tmp_path / "positions.jsonl"
    file.write_text("\n".join(lines))
    done = cli("resolve", "tierisch", file, "--batch")
    assert done.code == 0, done.out
    for case, line in zip(cases, done.out.splitlines(), strict=True):
        answer = json.loads(line)
        assert told_marks(answer) == answer["marked"]
        for key, value in case["expect"].items():
            assert answer[key] == value
        assert set(answer) == {"marked", "marks", "victory_points", "winners", "events"}


def test_resolve_agrees_with_the_referee_on_random_positions():
    rng = random.Random(3)
    spec = registry.load("tierisch")
    for _ in range(300):
        players = rng.randint(2, 5)
        rulings = random_rulings(rng, players)
        animals = dict(zip("ABCDE", rng.sample(ANIMALS, players), strict=False))
        position = {
            "animals": animals,
            "active": rng.choice(list(animals)),
            "roll": [rng.choice(rulings["die_faces"]) for _ in range(6)],
            "marks": {
                name: random_sheet(rng, animal, animals, rulings["vp_columns"])
                for name, animal in animals.items()
            },
            "forgo": {name: rng.sample(ANIMALS, rng.randint(0, 5)) for name in animals},
            "rulings": rulings,
        }
        answer = spec.resolve(position)
        events = answer.pop("events")
        expected = referee.resolve(position)
        expected.pop("trace")
        assert answer == expected
        assert all(event["text"] for event in events)
        winners = [event["owner"] for event in events if event["event"] == "win"]
        assert winners == expected["winners"]


def test_resolve_in_words(cli, tmp_path):
    file = tmp_path / "position.json"
    file.write_text(json.dumps({**POSITION, "marks": {"A": {"mouse": 4}}}))
    assert cli("resolve", "tierisch", file, "--words").out.splitlines() == [
        "The six dice: 1 mouse, 2 penguins, 1 dog and 2 cats; most frequent: penguin and cat.",
        "A marks 1 box of the mouse, 5 now.",
        "A has the whole column of the mouse: a victory point.",
        "A marks 1 box of the dog, 1 now.",
        "B marks 1 box of the mouse, 1 now.",
        "B marks 1 box of the dog, 1 now.",
    ]


def test_nobody_marks_for_three_reasons_and_for_police(cli, tmp_path):
    file = tmp_path / "position.json"
    rolls = {
        "no animal is rarer": ["cat", "cat", "cat", "penguin", "penguin", "penguin"],
        "nobody has the most frequent": ["dog", "dog", "dog", "cat", "cat", "police"],
        "the columns are full": ["cat", "cat", "cat", "cat", "penguin", "police"],
        "2 police": ["cat", "cat", "cat", "mouse", "police", "police"],
    }
    for reason, roll in rolls.items():
        file.write_text(json.dumps({**POSITION, "roll": roll, "marks": {"B": {"penguin": 5}}}))
        assert reason in cli("resolve", "tierisch", file, "--words").out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"roll": ["cat"] * 5}, "roll: must be 6 symbols, not 5"),
        ({"roll": ["cat"] * 5 + ["cow"]}, "roll[5]: Unknown symbol 'cow'"),
        ({"roll": ["cat"] * 5 + [["cat"]]}, "roll[5]: Unknown symbol"),
        ({"roll": "cat"}, "roll: must be a list of symbols"),
        ({"active": "C"}, "active: Unknown player 'C'"),
        ({"active": []}, "active: Unknown player"),
        ({"animals": {"A": "cat"}}, "animals: einfach-tierisch takes 2 to 5 players, not 1"),
        ({"animals": {"A": "cat", "B": "cat"}}, "animals.B: 'A' has the cat already"),
        ({"animals": {"A": "cat", "B": "cow"}}, "animals.B: Unknown animal 'cow'"),
        ({"animals": {"A": "cat", "": "dog"}}, "animals: a player's name must not be empty"),
        ({"animals": ["cat"]}, "animals: must be an object"),
        ({"marks": {"C": {}}}, "marks.C: Unknown player 'C'"),
        ({"marks": {"A": {"cow": 1}}}, "marks.A.cow: Unknown column 'cow'"),
        ({"marks": {"A": {"cat": 6}}}, "marks.A.cat: must be 0 to 5, not 6"),
        ({"marks": {"A": {"cat": 1.5}}}, "marks.A.cat: must be a whole number"),
        ({"marks": {"A": {"penguin": 1}}}, "marks.A.penguin: the own column is crossed out"),
        ({"marks": {"A": {"cat": 5, "dog": 5}}}, "marks.A: 'A' has won already"),
        ({"forgo": {"A": ["cow"]}}, "forgo.A[0]: Unknown column 'cow'"),
        ({"forgo": {"A": ["dog", "dog"]}}, "forgo.A[1]: 'dog' is there twice"),
        ({"forgo": {"C": []}}, "forgo.C: Unknown player 'C'"),
        ({"rulings": {"vp_columns": "owned_only"}}, "rulings.vp_columns: Ruling vp_columns"),
        ({"rulings": {"box_cap": 2}}, "Ruling box_cap of einfach-tierisch cannot be 2"),
        ({"rulings": {"die_faces": ["cat", "dog"]}}, "roll[2]: the die (die_faces) shows no"),
        ({"rulings": {"nonsense": 1}}, "Unknown ruling 'nonsense'"),
        ({"colour": 1}, "position: Unknown key 'colour'"),
    ],
)
def test_bad_positions_name_the_field(cli, tmp_path, change, message):
    file = tmp_path / "position.json"
    file.write_text(json.dumps({**POSITION, **change}))
    done = cli("resolve", "tierisch", file)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err


# --- the die --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "canonical"),
    [
        ("police,pig,mouse", "pig,mouse,police"),
        ("pig pig mouse", "pig:2,mouse"),
        ("pig:2,mouse:1", "pig:2,mouse"),
        (["cat", "pig", "cat"], "pig,cat:2"),
        ({"cat": 2, "dog": 1}, "dog,cat:2"),
        ("pig:40,mouse:20", "pig:40,mouse:20"),
    ],
)
def test_a_die_has_one_canonical_text(value, canonical):
    assert DIE.parse(value) == canonical
    assert DIE.parse(canonical) == canonical
    assert [ANIMALS[k] for k in DIE.faces("pig:2,cat")] == ["pig", "pig", "cat"]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("cow", "'cow' is no symbol"),
        ("pgi,cat", "Did you mean 'pig'?"),
        ("", "at least one face"),
        ("pig:0", "at least one face"),
        ("pig:19,mouse:2", "at most 20 faces, not 21"),
        ("pig:x", "'x' is no number of faces"),
        ("pig:99999", "'99999' is no number of faces"),
    ],
)
def test_a_bad_die_is_refused(cli, value, message):
    done = cli(*SIMULATE, "--set", f"die_faces={value}")
    assert done.code == 2
    assert message in done.err


def test_a_die_without_police_voids_nothing(cli):
    document = document_of(cli, *SIMULATE, "--set", "die_faces=pig,mouse,penguin,dog,cat")
    assert document["metrics"]["void_rate"]["value"] == 0
    assert document["metrics"]["lost_to_police_per_game"]["value"] == 0


# --- simulate and replay --------------------------------------------------------------------------


def test_the_result_has_what_the_contract_names(cli):
    document = document_of(cli, *SIMULATE)
    assert document["players"] == ["random"] * 4
    assert set(document["rulings"]) == {*referee.RULINGS, "die_faces"}
    metrics = document["metrics"]
    assert {"turns", "void_rate", "marks_per_turn", "shared_win_rate"} <= set(metrics)
    assert metrics["void_rate"]["n"] == round(metrics["turns"]["value"] * document["games"])
    law = 12281 / 46656  # ET-T23: dice set aside unseen are as one plain roll
    low, high = metrics["void_rate"]["ci"]
    assert low - 0.01 < law < high + 0.01
    assert document["assumed"][0].startswith("die_faces")


def test_tables_add_up(cli):
    document = document_of(cli, *SIMULATE, "--players", "own,random*3")
    tables, metrics = document["tables"], document["metrics"]
    turns = round(metrics["turns"]["value"] * 300)
    boxes = round(metrics["marks_per_turn"]["value"] * turns)
    assert sum(tables["lengths"]["games"]) == 300
    assert sum(sum(one["turns_by_seat"]) for one in tables["schedules"]) == turns
    assert sum(one[k] for one in tables["schedules"] for k in ("void", "nobody", "one", "two")) == (
        turns
    )
    assert sum(one["turns"] for one in tables["police"]) == turns
    assert sum(one["void"] for one in tables["police"]) == round(
        metrics["void_rate"]["value"] * turns
    )
    assert sum(one["own_turns"] + one["other_turns"] for one in tables["boxes_by_seat"]) == boxes
    assert sum(sum(one["boxes_by_column"]) for one in tables["columns"]) == boxes
    assert sum(one["games"] for one in tables["columns"]) == 4 * 300
    for k, one in enumerate(tables["columns"]):
        assert one["boxes_by_column"][k] == one["complete_by_column"][k] == 0
    points = sum(k * n for row in tables["scores"]["games_by_seat"] for k, n in enumerate(row))
    assert points == sum(sum(one["complete_by_column"]) for one in tables["columns"])
    winners = sum(tables["comebacks"]["winners"])
    assert winners == 300 + round(metrics["shared_win_rate"]["value"] * 300)
    for one in tables["leaders"]:
        assert sum(one["lead_by_seat"]) == pytest.approx(1)
    assert tables["leaders"][0]["games"] <= 300


def test_nobody_can_win_with_two_players_under_owned_only(cli):
    words = ("--rule", "vp_columns=owned_only")
    done = cli(*SIMULATE, "--players", "random*2", *words)
    assert done.code == 2
    assert "with two players" in done.err
    assert "a win takes two" in done.err
    assert cli(*SIMULATE, "--players", "random*3", *words).code == 0


def test_optimal_is_for_two_and_the_error_lists_what_else_there_is(cli):
    done = cli(*SIMULATE, "--players", "optimal,random*2")
    assert done.code == 2
    assert "'optimal' of einfach-tierisch plays with 2 players only, not with 3" in done.err
    assert "random, own, margin, cautious, race" in done.err
    assert document_of(cli, *SIMULATE, "--players", "optimal,random")["seats"][0]["win_rate"] > 0.9


def test_optimal_under_rulings_that_are_not_solved_says_which(cli):
    done = cli(*SIMULATE, "--players", "optimal*2", "--rule", "cap_choice=fullest_first")
    assert done.code == 2
    assert "cap_choice=policy" in done.err
    done = cli(
        *SIMULATE, "--players", "optimal*2", "--set", "die_faces=pig:2,mouse,dog,cat,penguin"
    )
    assert "all equally often" in done.err


def test_a_game_that_never_ends_is_counted(cli):
    words = ("simulate", "tierisch", "-n", "2", "--set", "die_faces=pig,police")
    document = document_of(cli, *words)
    assert document["metrics"]["turn_cap_rate"]["value"] == 1
    assert [seat["win_rate"] for seat in document["seats"]] == [0] * 4
    replay = shlex.split(document["commands"]["first_game"])[1:]
    told = cli(*replay).out
    assert "Winner: nobody, because of the turn cap." in told
    assert "Nobody has won after 10,000 turns" in told


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--players", "own,margin"),
        ("--players", "race,cautious,random,own,margin", "--rule", "start_player=random"),
        ("--rule", "box_cap=0", "--rule", "animals=fixed", "--players", "own*5"),
    ],
)
def test_replay_agrees_with_the_referee(cli, words):
    told = document_of(cli, "replay", "tierisch", "--game", "3", *words)
    events = told["events"]
    setup = {
        "players": len(told["players"]),
        "start": told["result"]["first_seat"],
        "animals": [event["animal"] for event in events if event["event"] == "animal"],
        "rolls": [],
        "rulings": {k: v for k, v in told["rulings"].items() if k != "die_faces"},
    }
    moves = []
    for event in events:
        if event["event"] == "turn":
            moves.append({"seat": event["seat"], "keeps": [], "forgo": {}})
            setup["rolls"].append([])
        elif event["event"] == "roll":
            setup["rolls"][-1].append(event["dice"])
        elif event["event"] == "keep" and event["roll"] < 3:
            moves[-1]["keeps"].append(event["dice"])
        elif event["event"] == "forgo" and event["chosen"]:
            moves[-1]["forgo"][event["owner"]] = [event["column"]]
    verdict = referee.replay(setup, moves)
    for seat in told["result"]["seats"]:
        number = seat["seat"]
        assert seat["score"] == verdict["victory_points"][number]
        assert seat["boxes"] == sum(verdict["marks"][number].values())
        assert seat["credit"] == float(verdict["credit"][number])
        assert seat["animal"] == setup["animals"][number]
    assert told["result"]["turns"] == verdict["turns"]


def test_an_illegal_move_is_told_in_the_words_of_the_game(cli, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def all_of_it(view, legal, stream):\n    return view[5]\n")
    done = cli(*SIMULATE, "--players", f"{file}:all_of_it,random")
    assert done.code == 2
    assert "packed counts of 1 or 2 or 3 dice out of" in done.err


# --- solve ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("objective", "fraction"),
    [
        ("own", Fraction(921601541, 612220032)),
        ("not-void", 1 - Fraction(134066423, 39182082048)),
    ],
)
def test_the_exact_turn(cli, objective, fraction):
    document = document_of(cli, *SOLVE, "turn", "--maximise", objective)
    assert Fraction(document["fraction"]) == fraction
    assert Fraction(document["numerator"], document["denominator"]) == fraction
    assert document["denominator"] == 6**14
    assert document["value"] == float(fraction)
    assert str(document["fraction"]) in cli(*SOLVE, "turn", "--maximise", objective).out


def boxes_reward(animal, owners):
    """Return the referee's own boxes and margin of six dice on empty sheets."""
    sheets = [dict.fromkeys(ANIMALS, 0) for _ in owners]
    rulings = referee.read_rulings({}, len(owners))
    seat = owners.index(animal)

    def value(outcome, marker):
        return sum(outcome["marked"][marker].values())

    return sheets, rulings, seat, value


@pytest.mark.parametrize("animal", ["pig", "penguin", "cat"])
@pytest.mark.parametrize("faces", [["pig", "penguin", "cat"], ["pig", "cat", "cat", "police"]])
def test_the_turn_is_the_referees_best_turn(cli, animal, faces):
    owners = ["pig", "penguin", "cat"]
    order = [animal, *(one for one in ANIMALS if one != animal)][:3]
    sheets, _, _, count = boxes_reward(animal, order)
    objectives = {
        "own": count,
        "margin": lambda outcome, seat: (
            count(outcome, seat) - sum(count(outcome, k) for k in range(3) if k != seat)
        ),
        "at-least-1": lambda outcome, seat: count(outcome, seat) >= 1,
        "at-least-2": lambda outcome, seat: count(outcome, seat) >= 2,
        "not-void": lambda outcome, seat: not outcome["void"],
    }
    assert set(owners) >= set(faces) - {"police"}
    for objective, value in objectives.items():
        expected = referee.turn_value(order, sheets, 0, value, faces=faces)
        words = ("--maximise", objective, "--animal", animal, "--players", 3)
        document = document_of(cli, *SOLVE, "turn", *words, "--set", f"die_faces={','.join(faces)}")
        assert Fraction(document["fraction"]) == expected, objective


def test_the_best_first_set_aside_of_a_roll_is_the_referees(cli):
    faces = ["pig", "cat", "cat", "police"]
    roll = ["cat", "pig", "pig", "police", "cat", "cat"]
    sheets, rulings, seat, count = boxes_reward("cat", ["cat", "pig"])

    def value(kept):
        return count(referee.evaluate(["cat", "pig"], sheets, seat, kept, rulings, {}), seat)

    worth = referee.keep_values(faces, (), tuple(roll), (1, 2, 3), value)
    words = ("--roll", ",".join(roll), "--animal", "cat", "--set", "die_faces=pig,cat:2,police")
    document = document_of(cli, *SOLVE, "turn", *words)
    found = {tuple(one["keep"]): Fraction(one["fraction"]) for one in document["keeps"]}
    assert found == worth
    assert Fraction(document["fraction"]) == max(worth.values())
    assert found[tuple(document["best"])] == max(worth.values())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("turn", "--maximise", "wins"), "Unknown objective 'wins'"),
        (("turn", "--roll", "cat,cat"), "--roll takes the 6 symbols"),
        (("turn", "--roll", ""), "--roll is empty"),
        (("turn", "--roll", "cat,cat,cat,cat,cat,cow"), "Unknown symbol 'cow' in --roll"),
        (("turn", "--animal", "cow"), "Unknown animal 'cow'"),
        (("turn", "--players", "6"), "players must be 2 to 5, not 6"),
        (("turn", "--rule", "box_cap=7"), "Choices: 3, 0"),
        (("game", "--players", "3"), "Only the game of two players is solved"),
        (("game", "--mover", "1,2"), "--mover takes four numbers of boxes"),
        (("game", "--mover", "1,2,3,6"), "boxes (--mover) must be 0 to 5"),
        (("game", "--mover", "5,5,0,0"), "won already"),
        (("game", "--rule", "vp_columns=owned_only"), "with two players"),
        (("game", "--rule", "cap_choice=fullest_first"), "not solved under these rulings"),
        (("versus", "own", "nobody"), "Unknown strategy 'nobody'"),
        (("versus", "own"), "Missing argument"),
    ],
)
def test_bad_questions_are_refused(cli, words, message):
    done = cli(*SOLVE, *words)
    assert done.code == 2
    assert message in " ".join(done.err.split())
    assert "Traceback" not in done.err


def test_the_game_is_solved_and_its_value_printed_to_ten_digits(cli):
    assert "0.5422882574" in cli(*SOLVE, "game").out
    document = document_of(cli, *SOLVE, "game")
    assert document["value"] == document["start_value"]
    assert document["value"] == pytest.approx(0.5422882574, abs=5e-11)
    assert document["first_player_advantage"] == pytest.approx(document["value"] - 0.5)
    assert document["rulings"]["box_cap"] == 3
    near = document_of(cli, *SOLVE, "game", "--mover", "5,4,4,4")
    assert near["value"] > 0.9
    order = document_of(cli, *SOLVE, "game", "--mover", "1,2,3,4", "--other", "0,4,1,0")
    other = document_of(cli, *SOLVE, "game", "--mover", "1,4,2,3", "--other", "0,0,4,1")
    assert order["value"] == other["value"]  # the columns that nobody owns are alike


def test_versus_says_what_either_seat_wins(cli):
    document = document_of(cli, *SOLVE, "versus", "random", "random")
    assert document["value"] == document["when_first"] == pytest.approx(0.5)
    assert document["either_seat"] == pytest.approx(0.5)
    again = document_of(cli, *SOLVE, "versus", "random", "random", "--rule", "start_player=random")
    assert again["value"] == again["either_seat"]
