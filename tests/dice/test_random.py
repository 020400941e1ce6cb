"""The strategy `random`: its exact law, and what it leaves of the dice."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from kernels.dice import play, strategies, tally
from kernels.dice import view as see
from kernels.dice.multisets import NO_DIE, gather
from kernels.rng import STRATEGY, STREAM_CELLS, address_of, open_stream
from tests.dice.helpers import NAMES, Game, packed, symbols_of, told_game
from tests.oracle import tierisch as referee

#: Upper 0.1 % points of chi-square by degrees of freedom.
CRITICAL = {2: 13.8, 5: 20.5, 9: 27.9, 19: 43.8}
SIZES = ((1, 2, 3), (2, 3), (1, 3), (1, 2))


def law_of_rows(dice, sizes):
    """Return the law that the table of marks gives for some dice."""
    word = sum(NAMES.index(name) << 3 * k for k, name in enumerate(dice))
    word |= sum(NO_DIE << 3 * k for k in range(len(dice), 6))
    mask = sum(1 << size for size in sizes)
    length = int(strategies._BOUNDS[mask])
    row = strategies._MARKS[strategies._STARTS[mask] :][:length]
    counts = Counter(int(gather(np.int64(word), np.int64(marks))) for marks in row.tolist())
    return {
        tuple(referee.multiset(symbols_of(keep))): Fraction(count, length)
        for keep, count in counts.items()
    }


@pytest.mark.parametrize("sizes", SIZES)
def test_every_draw_is_as_likely_as_the_referee_says(sizes):
    rng = random.Random(1)
    for _ in range(60):
        dice = [rng.choice(NAMES[: rng.randint(1, 6)]) for _ in range(sum(sizes))]
        assert law_of_rows(dice, sizes) == referee.random_distribution(dice, sizes)


def chi_square(counts, chances):
    """Return the statistic of some counts against their chances."""
    total = sum(counts)
    return sum(
        (count - total * float(chance)) ** 2 / (total * float(chance))
        for count, chance in zip(counts, chances, strict=True)
    )


def test_the_keeps_of_logged_games_follow_the_law():
    """Each choice, put at random into its own share of [0, 1) by its law, is uniform there."""
    rng = random.Random(2)
    tenths = [0] * 10
    for number in range(40):
        setup, moves, *_ = told_game(
            Game(["random"] * 4, 1, seed=3, first=number, log_events=play.MAX_EVENTS)
        )
        for rolls, move in zip(setup["rolls"], moves, strict=True):
            left = [1, 2, 3]
            for roll, keep in zip(rolls, move["keeps"], strict=False):
                law = referee.random_distribution(roll, left)
                before = 0.0
                for other, chance in sorted(law.items()):
                    if other == tuple(referee.multiset(keep)):
                        tenths[int((before + rng.random() * float(chance)) * 10)] += 1
                    before += float(chance)
                left.remove(len(keep))
    assert sum(tenths) > 1500
    assert chi_square(tenths, [0.1] * 10) < CRITICAL[9]


def test_all_six_schedules_are_equally_likely():
    game = Game(["random"] * 4, 2000)
    schedules = np.reshape(game.total(tally.SCHEDULE, 5 * tally.SCHEDULES), (5, -1))
    assert schedules.sum() == game.total(tally.TURNS)
    assert chi_square(schedules.sum(axis=0).tolist(), [1 / 6] * 6) < CRITICAL[5]


def test_six_dice_kept_at_random_are_as_one_plain_roll():
    """`random` looks at no face, so voids and boxes are those of ET-T23."""
    game = Game(["random"] * 5, 2000)
    turns = game.total(tally.TURNS)
    chance = 12281 / 46656
    spread = (turns * chance * (1 - chance)) ** 0.5
    assert abs(game.total(tally.VOIDS) - turns * chance) < 4 * spread


def test_a_subset_of_the_dice_is_gathered():
    dice = ["cat", "pig", "pig", "police", "dog", "cat"]
    word = sum(NAMES.index(name) << 3 * k for k, name in enumerate(dice))
    for marks in range(64):
        chosen = [name for k, name in enumerate(dice) if marks >> k & 1]
        assert gather(np.int64(word), np.int64(marks)) == packed(chosen)


def test_no_answer_is_legal_under_the_cap_and_a_column_that_is_not_offered_is_not():
    assert see.is_legal_forgo(see.columns_of(0b11110), see.NO_ANSWER)
    assert not see.is_legal_forgo(see.columns_of(0b11110), 0)


def test_under_the_cap_random_leaves_out_one_of_the_emptiest_by_lot():
    stream = np.zeros(STREAM_CELLS, dtype=np.uint64)
    open_stream(stream, 1, 2, address_of(STRATEGY, 0), np.uint64(3), np.uint64(4))
    sheet = packed(["mouse", "mouse", "dog", "penguin"])  # the cat's column is empty
    legal = np.int64(see.columns_of(0b11110))
    assert {int(strategies.emptiest_by_lot(sheet, legal, stream)) for _ in range(20)} == {4}
    sheet = packed(["mouse", "mouse"])
    drawn = Counter(int(strategies.emptiest_by_lot(sheet, legal, stream)) for _ in range(3000))
    assert set(drawn) == {2, 3, 4}
    assert chi_square([drawn[k] for k in (2, 3, 4)], [1 / 3] * 3) < CRITICAL[2]
