"""What Einfach tierisch dice can show, what may be kept of them, and exact values of small turns.

Part of the referee `tests.oracle.tierisch`, which says what kept dice are worth. Multisets are
tuples in the order pig, mouse, penguin, dog, cat, police.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product

ANIMALS = ("pig", "mouse", "penguin", "dog", "cat")
POLICE = "police"
SYMBOLS = (*ANIMALS, POLICE)
KEEP_SIZES = (1, 2, 3)  # ET-A03: each once a turn, in any order


class PositionError(ValueError):
    """A bad position, set-up or chance result; the message begins with the field."""


def require(condition: bool, field: str, message: str) -> None:
    if not condition:
        raise PositionError(f"{field}: {message}")


def check_keys(given: object, field: str, required: set, optional: set) -> None:
    require(isinstance(given, dict), field, "must be an object")
    for key in given:
        require(key in required | optional, f"{field}.{key}", "unknown key")
    for key in sorted(required):
        require(key in given, f"{field}.{key}", "missing")


def check_dice(dice: object, field: str, number: int, faces: tuple) -> None:
    require(isinstance(dice, (list, tuple)), field, "must be a list of symbols")
    require(len(dice) == number, field, f"needs {number} dice, has {len(dice)}")
    for symbol in dice:
        require(symbol in SYMBOLS, field, f"unknown symbol {symbol!r}; choices: {SYMBOLS}")
        require(symbol in faces, field, f"{symbol!r} is not on the die {faces}")


def multiset(dice) -> tuple:
    """Return the dice as a tuple in the order pig, mouse, penguin, dog, cat, police."""
    return tuple(sorted(dice, key=SYMBOLS.index))


def _check_decision(roll, sizes_left) -> None:
    require(isinstance(sizes_left, (list, tuple)), "sizes_left", "must be a list of sizes")
    sizes = list(sizes_left)
    known = all(type(size) is int and size in KEEP_SIZES for size in sizes)
    require(
        known and len(set(sizes)) == len(sizes) > 0,
        "sizes_left",
        f"needs different sizes out of {KEEP_SIZES}",
    )
    check_dice(roll, "roll", sum(sizes), SYMBOLS)


def _keeps(roll, sizes) -> list:
    """Return the different sub-multisets of one of the sizes; the last size takes every die."""
    keeps = {multiset(part) for size in sizes for part in combinations(roll, size)}
    return sorted(keeps, key=lambda keep: (len(keep), [SYMBOLS.index(s) for s in keep]))


def legal_moves(state: dict) -> list:
    """Return the multisets that may be set aside (ET-A03, ET-A04, ET-A06).

    `state` has `roll` (the dice just rolled) and `sizes_left`, whose sum is the number of dice.
    """
    check_keys(state, "state", {"roll", "sizes_left"}, set())
    _check_decision(state["roll"], state["sizes_left"])
    return _keeps(state["roll"], state["sizes_left"])


def random_distribution(roll, sizes_left) -> dict:
    """Return the law of the strategy `random`: kept multiset -> Fraction.

    The size is uniform among those left; then every set of that many dice is equally likely.
    """
    _check_decision(roll, sizes_left)
    law: dict = {}
    for size in sizes_left:
        parts = list(combinations(roll, size))
        for part in parts:
            keep = multiset(part)
            law[keep] = law.get(keep, Fraction(0)) + Fraction(1, len(sizes_left) * len(parts))
    return law


@cache
def roll_law(faces: tuple, dice: int) -> dict:
    """Return multiset -> Fraction for dice with these faces (multinomial). Do not change it."""
    law = {(): Fraction(1)}
    for _ in range(dice):
        longer: dict = {}
        for roll, chance in law.items():
            for face in faces:
                key = multiset((*roll, face))
                longer[key] = longer.get(key, Fraction(0)) + chance / len(faces)
        law = longer
    return law


def keep_values(faces, kept: tuple, roll: tuple, sizes, value, memo: dict | None = None) -> dict:
    """Return legal keep -> best expectation of `value` after it, having `kept` already."""
    memo = {} if memo is None else memo
    values = {}
    for keep in _keeps(roll, sizes):
        left = tuple(size for size in sizes if size != len(keep))
        values[keep] = _before_roll(tuple(faces), multiset((*kept, *keep)), left, value, memo)
    return values


def _before_roll(faces: tuple, kept: tuple, sizes: tuple, value, memo: dict) -> Fraction:
    if (kept, sizes) not in memo:
        if not sizes:
            total = Fraction(value(kept))
        else:
            total = Fraction(0)
            for roll, chance in roll_law(faces, sum(sizes)).items():
                total += chance * max(keep_values(faces, kept, roll, sizes, value, memo).values())
        memo[kept, sizes] = total
    return memo[kept, sizes]


def best_turn(faces, n_dice: int, sizes, value) -> Fraction:
    """Return the greatest expectation of `value(final multiset)` over all ways to play a turn.

    `sizes` are the numbers of dice to set aside, each once; they sum to `n_dice`, and there are as
    many rolls as sizes: (1, 2, 3) with six dice is the game, (1, 2) with three a reduced one.
    """
    sizes = tuple(sorted(sizes))
    require(len(set(sizes)) == len(sizes), "sizes", "must differ")
    require(sum(sizes) == n_dice, "sizes", f"must sum to {n_dice}")
    return _before_roll(tuple(faces), (), sizes, value, {})


def _decisions(faces: tuple, kept: tuple, sizes: tuple, found: dict) -> dict:
    """Collect (kept, sizes, roll) -> keeps of every point where there is a choice."""
    if len(sizes) > 1:
        for roll in roll_law(faces, sum(sizes)):
            if (kept, sizes, roll) not in found:
                found[kept, sizes, roll] = _keeps(roll, sizes)
                for keep in found[kept, sizes, roll]:
                    left = tuple(size for size in sizes if size != len(keep))
                    _decisions(faces, multiset((*kept, *keep)), left, found)
    return found


def enumerate_policies(faces, n_dice: int, sizes):
    """Yield every deterministic policy of a small turn as a dict (kept, sizes, roll) -> keep."""
    require(sum(sizes) == n_dice, "sizes", f"must sum to {n_dice}")
    found = _decisions(tuple(faces), (), tuple(sorted(sizes)), {})
    for choice in product(*found.values()):
        yield dict(zip(found, choice, strict=True))


def policy_value(policy: dict, faces, sizes, value, kept: tuple = ()) -> Fraction:
    """Return the expectation under a policy, by going through every ordered roll of the dice."""
    sizes = tuple(sorted(sizes))
    if not sizes:
        return Fraction(value(kept))
    rolls = list(product(faces, repeat=sum(sizes)))
    total = Fraction(0)
    for ordered in rolls:
        roll = multiset(ordered)
        keep = policy[kept, sizes, roll] if len(sizes) > 1 else roll
        left = tuple(size for size in sizes if size != len(keep))
        total += policy_value(policy, faces, left, value, multiset((*kept, *keep)))
    return total / len(rolls)
