"""The goldens, line by line."""

from __future__ import annotations

import pytest

from analyzer import registry
from tests.golden.cases import CASES, FOLDER, MOST_LINES


@pytest.mark.parametrize("name", CASES)
def test_golden(name):
    file = FOLDER / name
    assert file.is_file(), "run make golden"
    expected = file.read_text(encoding="utf-8").splitlines()
    assert CASES[name]().splitlines() == expected


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.txt")), ids=lambda file: file.name)
def test_a_golden_can_be_reviewed(file):
    assert len(file.read_text(encoding="utf-8").splitlines()) <= MOST_LINES
    assert file.name in CASES


def test_every_game_has_a_golden():
    aliases = [registry.load(name).alias for name in registry.names()]
    assert all(any(name.startswith(f"{alias}-") for name in CASES) for alias in aliases)
