"""The evaluation of six dice: the kernel against the referee and the vectors."""

from __future__ import annotations

import json
import random
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from kernels.dice import events, multisets, outcomes
from kernels.dice import tierisch_setup as setup_
from kernels.dice.multisets import COUNTS, FINALS, FIRST_FINAL, MULTISETS
from tests.dice.helpers import (
    ANIMALS,
    FULL,
    NAMES,
    random_rulings,
    random_sheet,
    resolve,
    setup_of,
    symbols_of,
)
from tests.oracle import tierisch as referee

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "einfach-tierisch.json").read_text())[
    "vectors"
]


def cases():
    """Yield (name, position, expectation) of every vector and every variant that is a position."""
    for vector in VECTORS:
        if "position" not in vector:
            continue
        yield vector["name"], vector["position"], vector["expect"]
        for k, variant in enumerate(vector.get("variants", [])):
            position = {**vector["position"], **variant.get("position", {})}
            position["rulings"] = {**position.get("rulings", {}), **variant.get("rulings", {})}
            yield f"{vector['name']} variant {k}", position, variant["expect"]


CASES = list(cases())


@pytest.mark.parametrize(("name", "position", "expect"), CASES, ids=[case[0] for case in CASES])
def test_a_vector_comes_out_as_written(name, position, expect):
    result, _ = resolve(position)
    for key, value in expect.items():
        assert result[key] == value, (name, key)


def test_there_are_vectors():
    assert len(CASES) >= 25


FULL_COLUMN = {"pig": {"mouse": 5}}


@pytest.mark.parametrize(
    ("roll", "marks", "reason"),
    [
        ("dog dog dog pig mouse penguin", {}, events.UNOWNED),
        ("dog dog cat cat pig mouse", {}, events.UNOWNED),
        ("dog dog dog pig pig pig", {}, events.NOTHING_OFFERED),
        ("pig pig pig pig mouse mouse", FULL_COLUMN, events.NO_ROOM),
        ("pig pig dog dog mouse police", FULL_COLUMN, events.NO_ROOM),
    ],
)
def test_the_log_says_why_nobody_marked(roll, marks, reason):
    position = {
        "animals": {"pig": "pig", "mouse": "mouse"},
        "active": "pig",
        "marks": marks,
        "roll": roll.split(),
    }
    _, log = resolve(position)
    assert [event[1] for event in log.tolist() if event[0] == events.NOBODY] == [reason]


def random_position(rng):
    """Draw a position of any players, rulings and sheets; often with the cap binding."""
    players = rng.randint(2, 5)
    rulings = random_rulings(rng, players)
    animals = dict(zip("ABCDE", rng.sample(ANIMALS, players), strict=False))
    marks = {
        name: random_sheet(rng, animal, animals, rulings["vp_columns"])
        for name, animal in animals.items()
    }
    roll = [rng.choice(rulings["die_faces"]) for _ in range(referee.DICE)]
    if rng.random() < 0.4:
        rulings["die_faces"] = NAMES
        pair = rng.sample(ANIMALS, 4)
        roll = rng.choice([[*ANIMALS, pair[0]], [*pair, pair[0], pair[1]]])
    forgo = {name: rng.sample(ANIMALS, rng.randint(0, 5)) for name in animals if rng.random() < 0.5}
    rng.shuffle(roll)
    return {
        "animals": animals,
        "active": rng.choice(list(animals)),
        "roll": roll,
        "marks": marks,
        "rulings": rulings,
        "forgo": forgo,
    }


def test_random_positions_come_out_as_the_referee_says():
    rng = random.Random(20240501)
    winners = shared = bound = 0
    for _ in range(100_000 if FULL else 2_000):
        position = random_position(rng)
        result, told = resolve(position)
        expected = referee.resolve(position)
        for key, value in result.items():
            assert value == expected[key], (key, position)
        winners += len(expected["winners"]) > 0
        shared += len(expected["winners"]) > 1
        bound += any(code == 8 for code in told[:, 0])
    assert winners > 50
    assert shared > 20
    assert bound > 50


def test_every_result_offers_what_the_referee_says():
    for number in range(FIRST_FINAL, MULTISETS):
        kept = symbols_of(COUNTS[number])
        leaders = referee.leading_animals(kept)
        mask = int(outcomes.LEADERS[number - FIRST_FINAL])
        assert [a for k, a in enumerate(ANIMALS) if mask >> 4 * k & 8] == leaders
        offered = referee.boxes_offered(kept)
        word = int(outcomes.OFFERED[number - FIRST_FINAL])
        assert {
            a: word >> 4 * k & 15 for k, a in enumerate(ANIMALS) if word >> 4 * k & 15
        } == offered
        assert (number - FIRST_FINAL in outcomes.VOIDED) == referee.is_void(kept)


def test_et_t23_the_distribution_of_one_plain_roll():
    found: dict = {}
    for number in range(FINALS):
        ways = int(multisets.ORDERS[FIRST_FINAL + number])
        if number in outcomes.VOIDED:
            key = "void"
        else:
            word = int(outcomes.OFFERED[number])
            boxes = sum(word >> 4 * k & 15 for k in range(5))
            leaders = bin(int(outcomes.LEADERS[number])).count("1")
            key = (leaders, boxes) if boxes else "none"
        found[key] = found.get(key, 0) + ways
    assert found == {
        (1, 1): 720, (1, 2): 6000, (1, 3): 13200, (1, 4): 1800, (2, 1): 5400, (2, 2): 5400,
        "none": 1855, "void": 12281,
    }  # fmt: skip


def test_every_multiset_is_found_by_its_counts():
    assert MULTISETS == 924
    for number in range(MULTISETS):
        assert multisets.number_of(np.int64(COUNTS[number])) == number


def test_a_die_is_rolled_as_often_as_its_faces_say():
    for die in (NAMES, ["pig", "pig", "mouse"], [*NAMES, *NAMES], ["cat"] * 4 + ["police"] * 6):
        setup = setup_of(3, {"die_faces": die})
        faces = int(setup[setup_.FACES])
        for dice, cell, results in (
            (2, setup_.PAIRS, setup_.PAIR_RESULTS),
            (3, setup_.TRIPLES, setup_.TRIPLE_RESULTS),
        ):
            assert setup[results] == faces**dice
            rolled: dict = {}
            for word in setup[setup[cell] : setup[cell] + setup[results]].tolist():
                digits = [word >> 3 * k & 7 for k in range(3)]
                assert digits[dice:] == [7] * (3 - dice)
                key = tuple(sorted(NAMES[d] for d in digits[:dice]))
                rolled[key] = rolled.get(key, 0) + 1
            law = referee.roll_law(tuple(die), dice)
            expected = {tuple(sorted(key)): chance * faces**dice for key, chance in law.items()}
            assert rolled == expected


def test_a_die_needs_faces_and_not_too_many():
    with pytest.raises(ValueError, match="1 to 20 faces"):
        setup_.make_setup(3, die=[])
    with pytest.raises(ValueError, match="1 to 20 faces"):
        setup_.make_setup(3, die=[0] * 11 + [1] * 10)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_only_columns_in_play_bring_points_under_owned_only(players):
    for owned in list(permutations(ANIMALS, players))[:20]:
        animals = dict(zip("ABCDE", owned, strict=False))
        marks = {"A": {a: 5 for a in ANIMALS if a not in owned}}
        if len(marks["A"]) > 1 or players == 2:
            rulings = {"vp_columns": "owned_only"} if players > 2 else {}
            if players == 2:
                continue
            position = {"animals": animals, "active": "A", "roll": ["pig"] * 6}
            position |= {"marks": marks, "rulings": rulings}
            result, _ = resolve(position)
            assert result["victory_points"]["A"] == 0
