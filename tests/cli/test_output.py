"""What a terminal shows, however narrow it is."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from analyzer.cli.output import fit_columns
from reports.text import table

LONG = "boats that sank, by weight or by a fight, of all boats"


@pytest.mark.parametrize("columns", [20, 44, 60, 80, 200])
def test_no_number_and_no_word_is_cut(columns):
    made = table("What happens", "metric", "value", "95 % interval", "meaning", left=(0, 3))
    made.add_row("replacements_per_game", "44.44 %", "43.90 to 44.98 %", LONG)
    console = Console(width=columns, file=io.StringIO(), highlight=False)
    fit_columns(made, console)
    console.print(made)
    lines = console.file.getvalue().splitlines()
    assert any("replacements_per_game" in line and "43.90 to 44.98 %" in line for line in lines)
    words = " ".join(lines).split()
    assert all(word in words for word in LONG.split())
    assert "…" not in console.file.getvalue()
    if columns >= 80:
        assert max(map(len, lines)) <= columns
