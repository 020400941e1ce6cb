"""What all ``analyzer solve`` commands share: their rulings, and how an answer begins and ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analyzer.cli import options


def rulings_of(
    spec: Any, rule: Sequence[str] | None, component: Sequence[str] | None
) -> dict[str, Any]:
    """Return all rulings of a game, those of ``--rule`` and ``--set`` checked."""
    given = {**options.pairs(rule, "--rule"), **options.pairs(component, "--set")}
    return spec.complete({name: spec.parse_ruling(name, text) for name, text in given.items()})


def head(spec: Any, solved: str, rulings: dict[str, Any]) -> dict[str, Any]:
    """Return what the document of every answer begins with."""
    return {
        "game": spec.name,
        "solved": solved,
        "rules_version": spec.rules_version,
        "rulings": rulings,
        "changed_rulings": spec.changed(rulings),
    }


def foot(document: Mapping[str, Any]) -> Iterator[str]:
    """Return the lines that say to which rules an answer belongs."""
    from reports.text import changed_rulings

    yield f"\nrules    {document['rules_version']}"
    yield f"rulings  {changed_rulings(document)}"
