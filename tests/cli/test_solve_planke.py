"""``analyzer solve planke``, and the strategy that plays from it."""

from __future__ import annotations

import json
import shlex

import pytest

from analyzer import cache

SOLVE = ("solve", "planke", "-q", "--pirates", "3")
PLANK = "Y..R.......B......"


@pytest.fixture(autouse=True)
def tables(monkeypatch, tmp_path):
    """Keep solved tables apart from those of the user."""
    monkeypatch.setattr(cache, "TABLES", str(tmp_path / "tables"))


def test_solve_gives_the_number_under_value_and_says_what_it_belongs_to(cli):
    document = json.loads(cli(*SOLVE, "--json").out)
    assert document["pirates"] == 3
    assert document["tolerance"] == 1e-7
    assert document["rulings"]["plank_length"] == 18
    by_pirates = document["by_pirates"]
    assert [row["positions"] for row in by_pirates] == [153 * 9, 816 * 27]
    assert document["value"] == by_pirates[-1]["mean_chance_of_mover"]
    assert 0.5 < document["value"] < 0.6


def test_solve_a_position_and_the_best_turn(cli):
    words = (*SOLVE, "--plank", PLANK, "--colours", "y,r")
    before = json.loads(cli(*words, "--json").out)
    assert before["value"] == pytest.approx(0.5505216, abs=2e-7)
    text = cli(*words, "--symbols", "push1,move1").out
    assert f"{PLANK}  Y to move, against R" in text
    after = json.loads(cli(*words, "--symbols", "push1,move1", "--json").out)
    assert after["before_the_spin"] == before["value"]
    assert after["value"] > before["value"]
    assert set(after["best_turn"]) == {"choice", "at", "to", "row"}
    other = json.loads(cli(*SOLVE, "--plank", PLANK, "--colours", "R,Y", "--json").out)
    assert other["value"] != before["value"]


def test_solve_takes_rulings_and_components(cli):
    words = ("--rule", "unowned_survivor=best_player", "--set", "plank_length=17")
    document = json.loads(cli(*SOLVE, *words, "--json").out)
    assert document["changed_rulings"] == {"plank_length": 17, "unowned_survivor": "best_player"}
    assert document["value"] != json.loads(cli(*SOLVE, "--json").out)["value"]


def test_a_second_time_comes_from_the_cache(cli, tmp_path):
    first = cli("solve", "planke", "--pirates", "3", "--json")
    assert "3 pirates: 22,032 positions solved in" in first.err
    (file,) = (tmp_path / "tables").iterdir()
    assert file.name.startswith("planke-endgame-")
    second = cli("solve", "planke", "--pirates", "3", "--json")
    assert second.out == first.out
    assert second.err == ""


def test_a_damaged_table_is_made_again(cli, tmp_path):
    first = cli(*SOLVE, "--json")
    (file,) = (tmp_path / "tables").iterdir()
    file.write_bytes(file.read_bytes()[:1000])
    assert cli(*SOLVE, "--json").out == first.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--pirates", "6"], "pirates (--pirates) must be 2 to 5, not 6"),
        (["--pirates", "x"], "pirates (--pirates) must be a whole number"),
        (["--pirates", "5", "--set", "plank_length=25"], "must be 2 to 4, not 5"),
        (["--rule", "swap_same_colour=no"], "is not solved with swap_same_colour=no"),
        (["--rule", "ends=x"], "Unknown ruling 'ends'"),
        (["--colours", "Y,R"], "belong to a position: give --plank as well"),
        (["--plank", "Y.R"], "--plank has 3 cells, and the plank 18"),
        (["--plank", "X" + PLANK[1:]], "--plank: 'X' is none of Y, R, G, B and '.'"),
        (["--plank", PLANK.replace("B", ".").replace("R", ".")], "--plank has 1 pirates; 2 to 5"),
        (["--plank", PLANK], "--colours takes two different colours"),
        (["--plank", PLANK, "--colours", "Y,Y"], "--colours takes two different colours"),
        (["--plank", PLANK, "--colours", "Y,X"], "Unknown colour 'X' in --colours"),
        (["--plank", PLANK, "--colours", "Y,R", "--symbols", "swap"], "--symbols takes the two"),
        (
            ["--plank", PLANK, "--colours", "Y,R", "--symbols", "swap,pusch1"],
            "Unknown symbol 'pusch1' in --symbols. Did you mean 'push1'?",
        ),
    ],
)
def test_bad_requests_are_refused_before_anything_is_solved(cli, tmp_path, words, message):
    done = cli("solve", "planke", *words)
    assert message in done.err
    assert (done.code, done.out) == (2, "")
    assert not (tmp_path / "tables").exists()


@pytest.mark.parametrize("words", [(), ("--set", "rose=swap,skull,push1,skull,move1@2")])
def test_without_a_table_endgame_names_the_command_that_makes_it(cli, words):
    play = ("simulate", "planke", "--players", "endgame,random", "-n", "64", "--json")
    length = ("--set", "plank_length=17", *words)
    refused = cli(*play, *length)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.count("\n") == 1
    command = refused.err.partition("this makes it: ")[2]
    assert command.startswith("analyzer solve planke --pirates 5 --set plank_length=17")
    assert cli(*shlex.split(command)[1:]).code == 0
    played = cli(*play, *length)
    assert played.code == 0, played.err
    again = json.loads(played.out)["commands"]["again"]
    assert cli(*shlex.split(again)[1:], "--json").out == played.out


def test_endgame_plays_with_two_players_and_rulings_that_are_solved(cli):
    done = cli("simulate", "planke", "--players", "endgame,random*2", "-n", "10")
    assert done.code == 2
    assert "Strategy 'endgame' of gezanke-auf-der-planke plays with 2 players only" in done.err
    words = ("--players", "endgame,random", "--rule", "swap_same_colour=no")
    done = cli("simulate", "planke", *words, "-n", "10")
    assert done.code == 2
    assert "is not solved with swap_same_colour=no" in done.err
