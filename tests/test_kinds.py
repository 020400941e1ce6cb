"""Decks and dice: however a multiset is written, it has one canonical form, or a sentence says why not."""

from __future__ import annotations

import pytest

from analyzer.errors import UsageError
from analyzer.registry import load

MULTISETS = [
    ("aa", "tile_deck", "10:15,20:15"),
    ("egn", "tile_deck", "10:15,20:15"),
    ("tierisch", "die_faces", "pig:2,police"),
]


def ways_to_write(canonical):
    """Return a canonical multiset as a text, a list, a list of pairs and a table, in another order."""
    pairs = [item.partition(":")[::2] for item in reversed(canonical.split(","))]
    counts = {name: int(count or 1) for name, count in pairs}
    yield " , ".join(f"{name}:{count}" for name, count in counts.items())
    yield [name for name, count in counts.items() for _ in range(count)]
    yield [f"{name}:1" for name, count in counts.items() for _ in range(count)]
    yield counts


@pytest.mark.parametrize(("game", "ruling", "canonical"), MULTISETS)
def test_a_multiset_has_one_canonical_form(game, ruling, canonical):
    spec = load(game)
    assert spec.parse_ruling(ruling, canonical) == canonical
    for written in ways_to_write(canonical):
        assert spec.parse_ruling(ruling, written) == canonical


@pytest.mark.parametrize(("game", "ruling", "canonical"), MULTISETS)
def test_what_is_there_no_time_is_not_there(game, ruling, canonical):
    spec = load(game)
    other = {"tile_deck": "11", "die_faces": "cat"}[ruling]
    assert spec.parse_ruling(ruling, f"{other}:0,{canonical}") == canonical
    *_, table = ways_to_write(canonical)
    assert spec.parse_ruling(ruling, {**table, other: 0}) == canonical


@pytest.mark.parametrize(("game", "ruling", "canonical"), MULTISETS)
@pytest.mark.parametrize("count", ["", "x", "-1", "1.5", "10000", "1" * 5000])
def test_a_count_is_a_whole_number_that_somebody_means(game, ruling, canonical, count):
    first = canonical.partition(":")[0]
    with pytest.raises(UsageError, match=f"Ruling {ruling} of .* is (neither a|no) number"):
        load(game).parse_ruling(ruling, f"{first}:{count}")
