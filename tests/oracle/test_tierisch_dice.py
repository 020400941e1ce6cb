"""The laws of dice and keeps of the Einfach tierisch referee, and its exact values of turns."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb

import pytest

from tests.oracle import tierisch as et


def test_random_takes_a_size_first_and_then_any_dice():
    assert et.random_distribution(["pig", "mouse", "pig"], [1, 2]) == {
        ("pig",): Fraction(1, 3),
        ("mouse",): Fraction(1, 6),
        ("pig", "pig"): Fraction(1, 6),
        ("pig", "mouse"): Fraction(1, 3),
    }


def test_random_keeps_leave_the_law_of_a_plain_roll():
    """The strategy looks at no face, so its six kept dice are as one plain roll: exact checks."""

    def law_after(kept, sizes):
        if not sizes:
            return {kept: Fraction(1)}
        law = Counter()
        for roll, chance in et.roll_law(faces, sum(sizes)).items():
            for keep, share in et.random_distribution(roll, sizes).items():
                left = tuple(size for size in sizes if size != len(keep))
                for final, part in law_after(et.multiset(kept + keep), left).items():
                    law[final] += chance * share * part
        return law

    faces = ("pig", "pig", "police")
    assert law_after((), (1, 2, 3)) == et.roll_law(faces, 6)


def test_best_turn_by_hand():
    # ppp keeps two, ppm keeps pp, pmm keeps p, mmm keeps one m: (5/2 + 3*5/2 + 3*2 + 1) / 8
    assert et.best_turn(("pig", "mouse"), 3, (1, 2), lambda kept: kept.count("pig")) == (
        Fraction(17, 8)
    )
    assert et.best_turn(et.SYMBOLS, 6, (1, 2, 3), lambda _: 7) == 7
    with pytest.raises(et.PositionError, match=r"^sizes: must sum to 6"):
        et.best_turn(et.SYMBOLS, 6, (1, 2), lambda _: 7)


def odd_value(kept) -> Fraction:
    """Return something with no structure that a wrong recursion could share."""
    return Fraction(sum(comb(7, i) * et.SYMBOLS.index(s) for i, s in enumerate(kept)) % 11, 3)


@pytest.mark.parametrize("value", [odd_value, lambda kept: len(set(kept)), et.is_void])
@pytest.mark.parametrize("faces", [("pig", "police"), ("pig", "mouse", "mouse")])
def test_best_turn_is_the_best_of_all_policies(faces, value):
    policies = list(et.enumerate_policies(faces, 3, (1, 2)))
    assert len(policies) == 2 * 4 * 4 * 2
    best = max(et.policy_value(policy, faces, (1, 2), value) for policy in policies)
    assert best == et.best_turn(faces, 3, (1, 2), value)


def test_the_policy_of_the_recursion_earns_its_value_in_the_whole_turn():
    faces, sizes = ("pig", "police"), (1, 2, 3)

    class Greedy(dict):
        def __missing__(self, key):
            kept, left, roll = key
            values = et.keep_values(faces, kept, roll, left, odd_value)
            self[key] = max(values, key=values.get)
            return self[key]

    assert et.policy_value(Greedy(), faces, sizes, odd_value) == (
        et.best_turn(faces, 6, sizes, odd_value)
    )


def test_the_least_risk_of_a_void_roll_needs_only_police_or_not():
    def safe(kept):
        return not et.is_void(kept)

    every = et.best_turn(et.SYMBOLS, 6, (1, 2, 3), safe)
    assert every == et.best_turn(("pig",) * 5 + ("police",), 6, (1, 2, 3), safe)


def test_turn_value_lets_the_marker_choose_under_the_cap():
    owned, sheets = ["pig", "mouse"], [dict.fromkeys(et.ANIMALS, 0) for _ in range(2)]
    sheets[0].update(dog=4, penguin=4, mouse=2)

    def cats(outcome, seat):
        return outcome["marked"][seat].get("cat", 0)

    faces = ("pig", "pig", "mouse", "penguin", "dog", "cat")
    values = {
        ruling: et.turn_value(owned, sheets, 0, cats, faces=faces, rulings={"cap_choice": ruling})
        for ruling in et.RULINGS["cap_choice"]
    }
    # the cat is the emptiest column, so only a free choice marks it
    assert values["policy"] > values["fullest_first"] > 0


def test_turn_value_on_a_reduced_turn():
    owned, sheets = ["pig", "mouse"], [dict.fromkeys(et.ANIMALS, 0) for _ in range(2)]

    def boxes(outcome, seat):
        return sum(outcome["marked"][seat].values())

    # Only two pigs and a mouse pay, one box. Any roll with a pig leaves one half (keep p, reroll
    # two, or keep pp or pm, reroll one); mmm leaves one quarter (keep m, reroll two).
    faces = ("pig", "mouse")
    expected = Fraction(7, 8) * Fraction(1, 2) + Fraction(1, 8) * Fraction(1, 4)
    assert et.turn_value(owned, sheets, 0, boxes, faces=faces, sizes=(1, 2)) == expected
