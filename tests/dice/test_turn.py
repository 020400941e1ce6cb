"""The exact turn: against the referee's recursion and the golden figures."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from kernels.dice import policies, turn
from kernels.dice import tierisch_setup as setup_
from kernels.dice import view as see
from kernels.dice.frames import frame_of, into_frame, out_of_frame
from kernels.dice.multisets import COUNTS, FINALS, FIRST_FINAL, MULTISETS, SMALL, number_of
from kernels.dice.outcomes import VOIDED
from kernels.dice.rewards import fill_boxes
from kernels.dice.rules import FULL_SHEET
from kernels.dice.strategies import AIM_CAUTIOUS, AIM_MARGIN, AIM_OWN, AIM_RACE, best_keep
from tests.dice.helpers import (
    ANIMALS,
    FULL,
    NAMES,
    Game,
    packed,
    random_sheet,
    setup_of,
    symbols_of,
)
from tests.oracle import tierisch as referee

EXACT_TURN = 14  # a turn's value comes in units of 1 / faces**14


def value_turn(reward, times):
    """Return the greatest expectation of integer rewards over a turn, as a fraction."""
    times = np.array(times, dtype=np.int64)
    faces = int(times.sum())
    ways = np.zeros(MULTISETS, dtype=np.int64)
    later = np.zeros(FIRST_FINAL, dtype=np.int64)
    work = np.zeros(turn.WORK_CELLS, dtype=np.int64)
    values = np.zeros(SMALL, dtype=np.int64)
    keeps = np.zeros(SMALL + turn.LANES, dtype=np.int64)
    turn.fill_ways(times, ways)
    turn.fill_later(reward, times, faces, later)
    turn.value_keeps(policies.EVERY_KEEP, later, ways, faces, keeps, work, values)
    return Fraction(int(turn.value_of_turn(values, ways, work)), faces**EXACT_TURN)


def own_reward(capped=True):
    """Return the own boxes of every result on an empty sheet."""
    reward = np.zeros(FINALS, dtype=np.int64)
    sheets = np.full(5, FULL_SHEET, dtype=np.int64)
    sheets[0] = 0
    fill_boxes(sheets, 1, 0, capped, reward)
    return reward


def test_the_most_own_boxes_to_expect_in_a_turn():
    assert value_turn(own_reward(), [1] * 6) == Fraction(921601541, 612220032)


def test_the_least_chance_of_a_void_turn():
    reward = np.zeros(FINALS, dtype=np.int64)
    reward[VOIDED] = -1
    assert value_turn(reward, [1] * 6) == -Fraction(134066423, 39182082048)


@pytest.mark.parametrize(
    "faces", [["pig", "police"], ["pig", "mouse", "mouse"], ["cat"] * 3 + ["dog"]]
)
def test_the_turn_is_the_referees_best_turn(faces):
    rng = np.random.default_rng(5)
    for _ in range(5):
        reward = rng.integers(-9, 10, FINALS)
        worth = {
            referee.multiset(symbols_of(COUNTS[FIRST_FINAL + k])): int(reward[k])
            for k in range(FINALS)
        }
        times = [faces.count(name) for name in NAMES]
        expected = referee.best_turn(faces, 6, (1, 2, 3), worth.__getitem__)
        assert value_turn(reward, times) == expected


# --- one decision -----------------------------------------------------------------------------------


def view_of(animals, sheets, rulings, seat, roll, kept, sizes):
    """Return a view of a decision, from the referee's words."""
    setup = setup_of(len(animals), rulings)
    view = np.zeros(see.VIEW_CELLS, dtype=np.int64)
    view[see.RULING : see.RULING + setup_.RULINGS_END] = setup[: setup_.RULINGS_END]
    view[see.FACES : see.POLICIES] = setup[setup_.FACES :][: see.POLICIES - see.FACES]
    view[see.SEAT] = view[see.ACTIVE] = seat
    view[see.OWNER : see.OWNER + 5] = 5
    for number, animal in enumerate(animals):
        view[see.ANIMAL + number] = ANIMALS.index(animal)
        view[see.OWNER + ANIMALS.index(animal)] = number
        view[see.MARKS + number] = sum(
            boxes << 4 * ANIMALS.index(column) for column, boxes in sheets[number].items()
        )
        worth = 0
        for k, column in enumerate(ANIMALS):
            everyones = (rulings or {}).get("vp_columns") != "owned_only"
            if column != animal and (everyones or column in animals):
                worth |= 8 << 4 * k
        view[see.WORTH + number] = worth
    view[see.ROLL] = packed(roll)
    view[see.KEPT] = packed(kept)
    view[see.SIZES] = sum(1 << size for size in sizes)
    return view


def random_decision(rng, players, faces):
    """Draw animals, sheets and a decision."""
    animals = rng.sample(ANIMALS, players)
    named = dict(zip("ABCDE", animals, strict=False))
    sheets = [random_sheet(rng, animal, named, "any_other_animal") for animal in animals]
    sizes = rng.choice([[1, 2, 3], [1, 2], [1, 3], [2, 3]])
    roll = [rng.choice(faces) for _ in range(sum(sizes))]
    kept = [rng.choice(faces) for _ in range(6 - len(roll))]
    return animals, sheets, rng.randrange(players), roll, kept, sizes


def in_frame_order(view, keeps):
    """Sort keeps by the tie-break: fewest dice, then most of the first slots."""
    frame = frame_of(view, int(view[see.SEAT]))
    return sorted(keeps, key=lambda keep: number_of(into_frame(np.int64(packed(keep)), frame)))


def boxes_of(animals, sheets, seat, rulings):
    """Return the referee's own boxes and margin of some final dice, as a function."""
    ruled = referee.read_rulings(rulings, len(animals))

    def values(kept):
        marked = referee.evaluate(animals, sheets, seat, kept, ruled, {})["marked"]
        counts = [sum(new.values()) for new in marked]
        own = counts.pop(seat)
        return own, own - sum(counts), -int(referee.is_void(kept))

    return values


@pytest.mark.parametrize("aim", [AIM_OWN, AIM_MARGIN, AIM_CAUTIOUS])
def test_a_keep_is_the_first_of_the_best(aim):
    rng = random.Random(aim)
    for _ in range(300 if FULL else 25):
        faces = rng.choice(
            [
                ["pig", "mouse", "police"],
                ["pig", "mouse", "mouse", "dog"],
                ["cat", "dog", "penguin"],
            ]
        )
        players = rng.randint(2, 5)
        animals, sheets, seat, roll, kept, sizes = random_decision(rng, players, faces)
        rulings = {"die_faces": faces, "box_cap": rng.choice([3, 0])}
        view = view_of(animals, sheets, rulings, seat, roll, kept, sizes)
        values = boxes_of(animals, sheets, seat, rulings)

        def value(final, values=values, aim=aim):
            own, margin, void = values(final)
            return {AIM_OWN: own, AIM_MARGIN: margin, AIM_CAUTIOUS: 10**9 * void + own}[aim]

        worth = referee.keep_values(
            tuple(faces), tuple(referee.multiset(kept)), tuple(roll), tuple(sizes), value
        )
        best = [keep for keep, val in worth.items() if val == max(worth.values())]
        move = symbols_of(best_keep(view, aim))
        assert move == sorted(in_frame_order(view, best)[0], key=NAMES.index)


@pytest.mark.parametrize("aim", [AIM_OWN, AIM_MARGIN, AIM_CAUTIOUS, AIM_RACE])
def test_no_animal_is_preferred_for_its_name(aim):
    """With other names for the animals, the same dice are set aside under their other names."""
    rng = random.Random(10 + aim)
    for _ in range(1000 if FULL else 60):
        players = rng.randint(2, 5)
        animals, sheets, seat, roll, kept, sizes = random_decision(rng, players, NAMES)
        if rng.random() < 0.5:  # many equal columns
            sheets = [{a: min(boxes, 1) for a, boxes in sheet.items()} for sheet in sheets]
        names = dict(zip(ANIMALS, rng.sample(ANIMALS, 5), strict=True)) | {"police": "police"}
        view = view_of(animals, sheets, {}, seat, roll, kept, sizes)
        renamed = view_of(
            [names[a] for a in animals],
            [{names[a]: boxes for a, boxes in sheet.items()} for sheet in sheets],
            {},
            seat,
            [names[s] for s in roll],
            [names[s] for s in kept],
            sizes,
        )
        frame, other = frame_of(view, seat), frame_of(renamed, seat)
        rolls = into_frame(view[see.ROLL], frame), into_frame(renamed[see.ROLL], other)
        if rolls[0] != rolls[1] or into_frame(view[see.KEPT], frame) != into_frame(
            renamed[see.KEPT], other
        ):
            continue  # columns that are alike in all respects changed places
        moves = best_keep(view, aim), best_keep(renamed, aim)
        assert into_frame(moves[0], frame) == into_frame(moves[1], other)


def test_a_frame_begins_with_the_own_animal_and_is_turned_back():
    rng = random.Random(6)
    for _ in range(300):
        animals, sheets, seat, roll, kept, sizes = random_decision(rng, rng.randint(2, 5), NAMES)
        view = view_of(animals, sheets, {}, seat, roll, kept, sizes)
        frame = int(frame_of(view, seat))
        slots = [frame >> 4 * k & 15 for k in range(6)]
        assert sorted(slots) == list(range(6))
        assert slots[0] == ANIMALS.index(animals[seat])
        assert slots[5] == 5
        marks = [sheets[seat][ANIMALS[k]] for k in slots[1:5]]
        assert marks == sorted(marks, reverse=True)
        assert out_of_frame(into_frame(view[see.ROLL], frame), frame) == view[see.ROLL]


@pytest.mark.parametrize(
    "rulings", [{}, {"box_cap": 0}, {"die_faces": ["pig", "pig", "mouse", "dog", "cat", "police"]}]
)
def test_tables_change_no_move(rulings):
    setup = setup_of(4, rulings)
    games = 300 if FULL else 40
    for name in ("own", "cautious"):
        names = [name, "random", name, name]
        plain = Game(names, games, setup)
        tables = Game(names, games, policies.with_policies(setup))
        assert (plain.rows == tables.rows).all()


def test_there_are_fifteen_classes_on_the_plain_die():
    tables = policies.policy_tables(setup_of(5))
    cells = policies.AIMS * (policies.HEAD_CELLS + 15 * policies.TABLE_CELLS)
    assert len(tables) == cells
    assert len(policies.policy_tables(setup_of(5))) <= policies.MAX_POLICY_CELLS
