"""Animals that come without their effect (restricted play): the kernels against the referees."""

from __future__ import annotations

import json
import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import simulate
from analyzer.engines.local import LocalEngine
from analyzer.games import all_aboard, einer_geht_noch
from analyzer.lineup import denials
from analyzer.replay import replay
from analyzer.scenario import Settings, build
from kernels.boats import table as at
from kernels.boats import tally
from kernels.boats.cards import SEAT_STRIDE
from tests.boats import aa_cases, egn_cases
from tests.oracle import all_aboard as aa_referee
from tests.oracle import einer_geht_noch as egn_referee

FULL = bool(os.environ.get("ANALYZER_FULL"))
POSITIONS = 50_000 if FULL else 150
GAMES = 1_500 if FULL else 24
JUDGED = ("boats", "kept", "cupids", "score")
BOTH = [
    pytest.param(all_aboard, aa_cases, aa_referee, id="aa"),
    pytest.param(einer_geht_noch, egn_cases, egn_referee, id="egn"),
]


def resolved(game, position, idle):
    """Resolve a position with the kernel, some of its animals idle."""
    codec = game.codec()
    packed = sum(
        1 << game.ANIMALS.index(species) * SEAT_STRIDE + position["players"].index(owner)
        for species, owner in idle
    )
    plain_table = codec.table

    def table(read):
        made = plain_table(read)
        made[at.IDLE] = packed
        return made

    codec.table = table
    return codec.resolve(position)


def agree(game, referee, position, idle):
    ours = resolved(game, position, idle)
    theirs = referee.resolve({**position, "idle": idle})
    assert {key: ours[key] for key in JUDGED} == {key: theirs[key] for key in JUDGED}, json.dumps(
        {**position, "idle": idle}
    )
    return ours


@pytest.mark.parametrize(("game", "cases", "referee"), BOTH)
def test_kernel_and_referee_agree_on_random_positions(game, cases, referee):
    @settings(max_examples=POSITIONS, deadline=None, derandomize=not FULL)
    @given(st.randoms(use_true_random=False))
    def judge(dice):
        position = cases.random_position(dice)
        cards = [[species, name] for species in game.ANIMALS for name in position["players"]]
        idle = [card for card in cards if dice.random() < 0.4]
        agree(game, referee, position, idle)

    judge()


def random_lineup(dice, game, players):
    effects = [one.name for one in game.SPEC.restrictions if one.kind == "effect"]
    names = [dice.choice(game.SPEC.strategies) for _ in range(players)]
    return ["~".join([name, *dice.sample(effects, dice.randint(0, 3))]) for name in names]


def idle_species(game, lineup):
    return [[game.ANIMALS[one.what] for one in denials(name, game.SPEC)] for name in lineup]


@pytest.mark.parametrize("case", range(GAMES))
def test_the_referee_of_all_aboard_confirms_whole_games(case):
    dice = random.Random(case)
    rulings = aa_cases.random_rulings(dice, list(aa_cases.ENUMERATED))
    lineup = random_lineup(dice, all_aboard, 2 + case % 4)
    game = aa_cases.logged_game(
        dice.getrandbits(64), dice.getrandbits(40), len(lineup), rulings, lineup
    )
    setup = {**game.setup, "idle": idle_species(all_aboard, lineup)}
    judged = aa_referee.replay(setup, game.moves)
    scores = game.row[tally.ROW_SCORE : tally.ROW_SCORE + len(lineup)].tolist()
    saved = game.row[tally.ROW_SAVED : tally.ROW_SAVED + len(lineup)].tolist()
    assert (scores, saved) == (judged["totals"], judged["saved"])


@pytest.mark.parametrize("case", range(GAMES))
def test_the_referee_of_einer_geht_noch_confirms_whole_games(case):
    dice = random.Random(case)
    rulings = egn_cases.random_rulings(dice, list(egn_cases.RULINGS)) if case % 2 else {}
    lineup = random_lineup(dice, einer_geht_noch, 2 + case % 4)
    game = egn_cases.logged_game(dice.getrandbits(64), dice.getrandbits(39), rulings, lineup)
    setup = {**game.setup, "idle": idle_species(einer_geht_noch, lineup)}
    judged = egn_referee.replay(setup, game.moves)
    ours = game.result()
    assert ours == {key: judged[key] for key in ours}


#: Game, animals aboard, capacity, who is idle, and who is kept then.
CASES = [
    ("aa", "lion:A fox:B", 30, "lion:A", "fox:B lion:A"),
    ("aa", "lion:A fox:B", 30, "lion:B", "lion:A"),
    ("aa", "fox:A elephant:B bear:C", 5, "fox:A", ""),
    ("aa", "octopus:A bear:B", 5, "octopus:A", ""),
    ("aa", "octopus:A bear:B", 30, "octopus:A", "bear:B octopus:A"),
    ("aa", "octopus:A octopus:B octopus:C", 30, "octopus:A", "octopus:A octopus:B octopus:C"),
    ("aa", "monkey:A zebra:B bear:C", 30, "monkey:A", "bear:C monkey:A zebra:B"),
    ("aa", "mouse:A elephant:B", 5, "mouse:A", ""),
    ("aa", "mouse:A elephant:B", 5, "mouse:B", "elephant:B mouse:A"),
    ("egn", "lion:A fox:B", 30, "lion:A fox:B", "fox:B lion:A"),
    ("egn", "fox:A bear:B", 30, "fox:A", "bear:B fox:A"),
    ("egn", "squid:A bear:B", 30, "squid:A", "bear:B squid:A"),
    ("egn", "squid:A squid:B squid:C", 30, "squid:B", "squid:A squid:C"),
    ("egn", "monkey:A zebra:B bear:C", 30, "monkey:A", "bear:C monkey:A zebra:B"),
    # A single peacock has the truly heaviest thrown; without that the bear has the zebra thrown.
    ("egn", "monkey:A peacock:B zebra:C bear:D", 30, "", "monkey:A peacock:B zebra:C"),
    ("egn", "monkey:A peacock:B zebra:C bear:D", 30, "peacock:B", "bear:D monkey:A peacock:B"),
    ("egn", "mouse:A elephant:B", 5, "mouse:A", ""),
]


def pairs(text):
    return [card.split(":") for card in text.split()]


@pytest.mark.parametrize(("name", "aboard", "capacity", "idle", "kept"), CASES)
def test_what_an_idle_animal_does_not_do(name, aboard, capacity, idle, kept):
    game, _, referee = next(one for one in BOTH if one.id == name).values
    position = {
        "players": list("ABCD"),
        "boats": [{"capacity": capacity, "animals": pairs(aboard)}],
        "draws": [40],
    }
    outcome = agree(game, referee, position, pairs(idle))
    found = [f"{card}:{owner}" for owner, cards in outcome["kept"].items() for card in cards]
    assert sorted(found) == kept.split()


def scenario(game, players, games=640):
    return build(Settings({"game": game}), Settings({"players": players, "games": games}))


@pytest.mark.parametrize("game", ["aa", "egn"])
def test_only_the_denied_seats_own_animals_are_idle(game):
    setting = scenario(game, "random~idle-lion,random*2")
    told = (event for index in range(60) for event in replay(setting, index).events)
    assert {event["owner"] for event in told if event["event"] == "eaten"} == {1, 2}


@pytest.mark.parametrize("game", ["aa", "egn"])
def test_the_strategy_plays_as_if_nothing_were_denied(game):
    def first_round(players):
        events = replay(scenario(game, players), 5).events
        return [one["text"] for one in events if one["event"] == "play"][:9]

    free = first_round("greedy*3")
    denied = first_round("greedy~idle-lion~idle-fox,greedy*2")
    assert [text.replace("~idle-lion~idle-fox", "") for text in denied] == free


def test_an_effect_and_a_card_can_be_denied_together():
    both = simulate.play(scenario("aa", "greedy~idle-fox~late-bear,greedy*2"), LocalEngine(1))
    effect = simulate.play(scenario("aa", "greedy~idle-fox,greedy*2"), LocalEngine(1))
    card = simulate.play(scenario("aa", "greedy~late-bear,greedy*2"), LocalEngine(1))
    assert len({both.digest, effect.digest, card.digest}) == 3
