"""What there is, as data: for ``analyzer games`` and for the documentation."""

from __future__ import annotations

import inspect
from typing import Any

from analyzer import registry
from analyzer.games.base import EVIDENCE, GameSpec


def overview() -> dict[str, Any]:
    """Return the games, without loading their kernels."""
    specs = [registry.load(name) for name in registry.names()]
    return {
        "games": [
            {
                "name": spec.name,
                "alias": spec.alias,
                "title": spec.title,
                "players": list(spec.players),
                "summary": spec.summary,
            }
            for spec in specs
        ]
    }


def rulings(spec: GameSpec) -> list[dict[str, Any]]:
    """Return a game's rulings with values, default, evidence and explanation."""
    return [
        {
            "name": one.name,
            "component": one.component,
            "values": one.kind.describe(),
            "default": one.default,
            "explanation": one.explanation,
            "evidence": one.evidence,
            "evidence_means": EVIDENCE[one.evidence],
            "ids": list(one.ids),
        }
        for one in spec.rulings
    ]


def ideas(spec: GameSpec) -> dict[str, str]:
    """Return every built-in strategy's idea: the first line of what is written at its function."""
    built_in = spec.kernel().strategies
    found = {}
    for name in spec.strategies:
        function = getattr(built_in[name], "py_func", built_in[name])
        found[name] = (inspect.getdoc(function) or "").partition("\n")[0]
    return found


def details(spec: GameSpec) -> dict[str, Any]:
    """Return everything there is to choose and to measure in a game."""
    return {
        "name": spec.name,
        "alias": spec.alias,
        "title": spec.title,
        "summary": spec.summary,
        "players": list(spec.players),
        "default_players": spec.default_players,
        "rules_version": spec.rules_version,
        "rulings": rulings(spec),
        "strategies": [{"name": name, "idea": idea} for name, idea in ideas(spec).items()],
        "restrictions": [
            {"name": one.name, "kind": one.kind, "meaning": one.meaning}
            for one in spec.restrictions
        ],
        "metrics": [{"name": metric.name, "meaning": metric.meaning} for metric in spec.metrics],
    }
