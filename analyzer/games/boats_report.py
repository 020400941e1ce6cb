"""What a strategy of a boat game can be denied, and how the balance report shows a boat game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analyzer.games.base import Metric
from analyzer.games.layout import (
    Component,
    HeatMap,
    Histogram,
    ReportLayout,
    Restriction,
    SuiteSizes,
)

FATES = (
    "kept_rate",
    "sunk_rate",
    "eaten_rate",
    "overboard_rate",
    "discarded_rate",
    "removed_rate",
    "backfired_rate",
)
_EFFECTS = (
    "capsize_rate",
    "cupids_per_game",
    "fights_per_game",
    "replacements_per_game",
    "fox_jumps_per_game",
    "fox_sends_per_game",
    "fox_backfires_per_game",
    "loves_on_arrival_per_game",
    "third_arrivals_per_game",
    "trios_per_game",
    "monkey_throws_per_game",
    "eaten_per_game",
    "overboard_per_game",
    "idle_monkeys_per_game",
    "idle_lions_per_game",
    "unpaid_pairs_per_game",
)
_TENSION = (
    "lead_changes_per_game",
    "margin",
    "shared_win_rate",
    "no_winner_rate",
    "winner_led_rate",
)


def card_restrictions(animals: Sequence[str]) -> tuple[Restriction, ...]:
    """Return the restriction of every animal: it is held back."""
    return tuple(
        Restriction(
            f"late-{animal}",
            "card",
            f"choosing when to play the {animal}",
            f"the {animal} is played only when no other card is in hand",
            species,
            "card_in_hand",
            "show_card",
        )
        for species, animal in enumerate(animals)
    )


def effect_restrictions(
    animals: Sequence[str], effects: Mapping[str, str]
) -> tuple[Restriction, ...]:
    """Return the restriction of every animal that does something: it does not.

    Parameters
    ----------
    animals
        All of them, by species.
    effects
        What an animal does not do then, by its name.
    """
    return tuple(
        Restriction(
            f"idle-{animal}",
            "effect",
            f"the {animal}'s effect",
            f"the {animal} {idle}; it weighs and scores as ever, and the strategy is not told",
            animals.index(animal),
        )
        for animal, idle in effects.items()
    )


def face_restrictions() -> tuple[Restriction, ...]:
    """Return the restrictions of when a card is played face down, where that is free."""
    return tuple(
        Restriction(
            name,
            "option",
            subject,
            meaning,
            face,
            "face",
            "show_face",
        )
        for name, subject, meaning, face in (
            (
                "down-first",
                "showing a round's first card",
                "the first card of a round is played face down",
                0,
            ),
            (
                "down-last",
                "showing a round's last card",
                "the last card of a round is played face down",
                1,
            ),
        )
    )


def boats_by_load(tables: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return, for every capacity and load, how many of the boats weighed had that load."""
    boats = tables["boats"]
    cells = []
    for one in boats["by_capacity"]:
        totals = [sum(pair) for pair in zip(one["sailed"], one["sank"], strict=True)]
        for k, hits in enumerate(totals):
            cells.append(
                {
                    "x": boats["loads_from"] + k,
                    "y": one["capacity"],
                    "n": sum(totals),
                    "hits": hits,
                    "marked": boats["loads_from"] + k > one["capacity"],
                }
            )
    return cells


def layout(
    metrics: Sequence[Metric],
    load_unit: str,
    components: Sequence[Component] = (),
    sizes: SuiteSizes | None = None,
) -> ReportLayout:
    """Return the layout of a boat game's report.

    Parameters
    ----------
    metrics
        Those of the game; what it does not have is left out.
    load_unit
        Word for the load's axis.
    components
        Groups that the other boat game does not have.
    sizes
        How much the suite plays, where that is not the usual.
    """
    stems = {metric.stem for metric in metrics}
    return ReportLayout(
        components=(
            Component(
                "ANIMAL",
                "Animals",
                fates=tuple(stem for stem in FATES if stem in stems),
                dots=("points_per_game", "win_rate_when_kept"),
            ),
            Component("CAPACITY", "Boats by capacity", dots=("sail_rate",)),
            *components,
        ),
        effects=tuple(stem for stem in _EFFECTS if stem in stems),
        tension=tuple(stem for stem in _TENSION if stem in stems),
        sizes=sizes or SuiteSizes(),
        always="Every game has four rounds, and everybody boards three animals in each: no game is "
        "longer or shorter than another.",
        pictures=(
            HeatMap(
                "loads",
                "components",
                "Loads of boats by capacity",
                load_unit,
                "capacity",
                "share of the boats of that capacity; right of the line they sink",
                boats_by_load,
            ),
            Histogram(
                "margins",
                "tension",
                "By how much games are won",
                "points between the best and the second best",
                "share of games",
                lambda tables: tables["margins"]["games"],
            ),
        ),
    )
