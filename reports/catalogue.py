"""The page of ``analyzer games GAME`` for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reports.text import Renderable, table


def _setting_table(title: str, settings: list[Mapping[str, Any]]) -> Renderable:
    made = table(title, "name", "values", "default", "evidence", "what it says", left=range(5))
    for one in settings:
        ids = f" ({', '.join(one['ids'])})" if one["ids"] else ""
        made.add_row(
            one["name"],
            one["values"],
            str(one["default"]),
            f"{one['evidence']}: {one['evidence_means']}",
            f"{one['explanation']}{ids}",
        )
    return made


def game_page(details: Mapping[str, Any]) -> Iterator[Renderable]:
    """Return the page, part by part.

    Parameters
    ----------
    details
        As of ``analyzer games GAME --json``.
    """
    low, high = details["players"]
    yield f"{details['title']} ({details['name']}, {details['alias']})"
    yield details["summary"]
    yield (
        f"{low} to {high} players (default {details['default_players']}), "
        f"rules version {details['rules_version']}\n"
    )
    components = [one for one in details["rulings"] if one["component"]]
    rulings = [one for one in details["rulings"] if not one["component"]]
    if components:
        yield _setting_table("Components (--set NAME=VALUE)", components)
    yield _setting_table("Rulings (--rule NAME=VALUE), the default first", rulings)
    strategies = table("Strategies (--players NAMES)", "name", "idea", left=(0, 1))
    for one in details["strategies"]:
        strategies.add_row(one["name"], one["idea"])
    yield strategies
    if details["restrictions"]:
        denied = table(
            "Restrictions (--players STRATEGY~NAME)",
            "name",
            "kind",
            "how it plays then",
            left=range(3),
        )
        for one in details["restrictions"]:
            denied.add_row(one["name"], one["kind"], one["meaning"])
        yield denied
    metrics = table("Metrics (simulate --json)", "name", "meaning", left=(0, 1))
    for one in details["metrics"]:
        metrics.add_row(one["name"], one["meaning"])
    yield metrics
