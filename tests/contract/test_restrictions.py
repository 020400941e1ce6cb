"""Restricted play: every game's strategies play on legally, and what is denied is not played."""

from __future__ import annotations

import re

import pytest

from analyzer import registry, simulate
from analyzer.engines.local import LocalEngine
from analyzer.errors import UsageError
from analyzer.lineup import parse_players, proper_names, split_name
from analyzer.replay import replay
from analyzer.scenario import Settings, build

RESTRICTIONS = [
    (game, one.name) for game in registry.names() for one in registry.load(game).restrictions
]


def scenario(game, players, games=64):
    return build(Settings({"game": game}), Settings({"players": players, "games": games}))


def lineup(game, name):
    seats = registry.load(game).default_players
    return f"random~{name},random*{seats - 1}" if seats > 2 else f"random~{name},random"


@pytest.mark.parametrize(("game", "name"), RESTRICTIONS)
def test_a_restricted_seat_plays_whole_legal_games(game, name):
    result = simulate.play(scenario(game, lineup(game, name)), LocalEngine(1))
    assert result.document()["games"] == 64


@pytest.mark.parametrize("game", registry.names())
def test_every_game_can_deny_something_and_says_what(game):
    spec = registry.load(game)
    assert spec.restrictions
    for one in spec.restrictions:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", one.name)
        assert one.kind in ("card", "effect", "option", "schedule")
        if one.kind == "effect":
            assert spec.deny_effect is not None
            assert not one.hide + one.show
        else:
            assert hasattr(spec.kernel().restrictions, one.hide)
            assert hasattr(spec.kernel().restrictions, one.show)
    assert len({one.name for one in spec.restrictions}) == len(spec.restrictions)


def test_names_are_split_at_the_right_sign():
    assert split_name("greedy~late-bear") == ("greedy", ("late-bear",))
    assert split_name("~/mine.py:careful") == ("~/mine.py:careful", ())
    assert split_name("a~b/mine.py:careful~late-fox") == ("a~b/mine.py:careful", ("late-fox",))
    assert proper_names(["light~x~y", "light"]) == ("light", "light")


def test_an_unknown_restriction_lists_the_choices():
    spec = registry.load("all-aboard")
    with pytest.raises(
        UsageError, match=r"Unknown restriction 'late-bar' .*Did you mean 'late-bear'"
    ):
        parse_players("greedy~late-bar,random", spec)


@pytest.mark.parametrize("strategy", ["random", "greedy", "saboteur"])
def test_a_card_held_back_is_its_owners_last(strategy):
    setting = scenario("all-aboard", f"{strategy}~late-bear,{strategy}*2")
    for index in range(8):
        plays = [
            event["text"]
            for event in replay(setting, index).events
            if event["event"] == "play" and event["text"].startswith("Seat 0")
        ]
        assert len(plays) == 12
        assert "bear" in plays[-1]
        assert not any("bear" in text for text in plays[:-1])


@pytest.mark.parametrize("strategy", ["random", "greedy", "bluffer"])
@pytest.mark.parametrize(("name", "ply"), [("down-first", 0), ("down-last", 2)])
def test_the_face_down_card_is_played_when_nothing_else_is_allowed(strategy, name, ply):
    setting = scenario("egn", f"{strategy}~{name},random*2")
    down = simulate.play(setting, LocalEngine(1)).document()["tables"]["down_cards"]
    assert [row["cards_by_seat"][0] for row in down] == [64 * 4 * (k == ply) for k in range(3)]
    assert all(row["cards_by_seat"][1] for row in down)


def test_the_others_deals_are_not_touched():
    free = replay(scenario("all-aboard", "random*3"), 3)
    held = replay(scenario("all-aboard", "random~late-fox,random*2"), 3)
    dealt = [[one for one in told.events if one["event"] == "deck"] for told in (free, held)]
    assert dealt[0] == dealt[1]


def test_a_users_strategy_can_be_denied_something(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from kernels.boats import view as see\n"
        "def first(view, legal, stream):\n"
        "    return see.first_move(legal)\n"
    )
    setting = scenario("all-aboard", f"{file}:first~late-lion,random*2")
    result = simulate.play(setting, LocalEngine(1))
    told = replay(setting, 0)
    plays = [e["text"] for e in told.events if e["event"] == "play" and "Seat 0" in e["text"]]
    assert "lion" in plays[-1]
    assert result.document()["players"][0] == f"{file}:first~late-lion"


def test_a_strategy_that_plays_what_it_is_denied_is_stopped(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from kernels.boats import view as see\n"
        "def third(view, legal, stream):\n"
        "    return see.move_of(2, 0, (legal >> 32) != 0)\n"
    )
    setting = scenario("all-aboard", f"{file}:third~late-lion,random")
    with pytest.raises(UsageError, match="is not legal"):
        simulate.play(setting, LocalEngine(1))


@pytest.mark.parametrize("strategy", ["random", "greedy", "vandal"])
def test_a_symbol_is_not_taken_beside_another(strategy):
    setting = scenario("planke", f"{strategy}~no-push1,{strategy}")
    document = simulate.play(setting, LocalEngine(1)).document()
    denied = free = 0
    for pair in document["tables"]["choices"]:
        if "push1" in pair["shown"] and len(set(pair["shown"])) == 2:
            denied += pair["taken_by_seat"]["push1"][0]
            free += pair["taken_by_seat"]["push1"][1]
    assert denied == 0
    assert free > 0


@pytest.mark.parametrize("strategy", ["random", "own", "race", "cautious", "margin"])
def test_a_schedule_is_never_kept_to(strategy):
    setting = scenario("tierisch", f"{strategy}~no-123~no-321,{strategy}")
    rows = simulate.play(setting, LocalEngine(1)).document()["tables"]["schedules"]
    turns = {row["sizes"]: row["turns_by_seat"] for row in rows}
    assert turns["123"][0] == turns["321"][0] == 0
    assert sum(one[0] for one in turns.values()) > 0
    if strategy == "random":
        assert turns["123"][1] > 0
