"""What ``analyzer compare`` prints, from its JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.text import Text

from reports.text import (
    UNKNOWN,
    Renderable,
    footer,
    level_of,
    number,
    number_interval,
    percent,
    percent_interval,
    table,
    terms,
)


def p_value(p: float | None) -> str:
    """Return a p value."""
    if p is None:
        return UNKNOWN
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def signed_percent(value: float | None) -> str:
    """Return a difference of shares in percentage points."""
    return UNKNOWN if value is None else f"{100 * value:+.2f} %"


def signed(value: float | None) -> str:
    """Return a difference of means."""
    return UNKNOWN if value is None else f"{value:+.3f}"


def saved(games: int | None) -> str:
    """Return the games that pairing saved."""
    return UNKNOWN if games is None else f"{games:,}"


def comparison_page(document: Mapping[str, Any], title: str) -> Iterator[Renderable]:
    """Return what is printed, part by part.

    Parameters
    ----------
    document
        JSON of the comparison.
    title
        The game's title.
    """
    first, second = document["strategies"]
    lineups = document["lineups"]
    level = level_of(document)
    yield (
        f"{title}: {first} against {second}, {document['seats']} players, "
        f"{lineups} lineup{'s' if lineups > 1 else ''} of {document['games']:,} games\n"
    )
    sides = table(
        "Each in every seat", "strategy", "among", "win rate", f"{level} interval", "mean score",
        f"{level} interval", left=(0, 1),
    )  # fmt: skip
    for side in document["sides"]:
        sides.add_row(
            Text(side["strategy"]),
            Text(", ".join(side["others"])),
            percent(side["win_rate"]),
            percent_interval(side["win_rate_ci"]),
            number(side["mean_score"]),
            number_interval(side["mean_score_ci"]),
        )
    yield sides
    yield _differences(document, f"{first} minus {second}", level)
    yield from _verdict(document)
    yield from _footer(document)


def _differences(document: Mapping[str, Any], title: str, level: str) -> Renderable:
    made = table(
        title, "of", "difference", f"{level} interval", "p", "games that pairing saved", left=(0,)
    )
    wins, scores = document["win_rate_difference"], document["score_difference"]
    made.add_row(
        "win rate",
        signed_percent(wins["value"]),
        percent_interval(wins["ci"]),
        p_value(wins["p"]),
        saved(wins["games_saved"]),
    )
    made.add_row(
        "mean score",
        signed(scores["value"]),
        number_interval(scores["ci"]),
        p_value(scores["p"]),
        saved(scores["games_saved"]),
    )
    for seat in document["by_seat"]:
        by_seat = seat["win_rate_difference"]
        made.add_row(
            f"win rate in seat {seat['seat']}",
            signed_percent(by_seat["value"]),
            percent_interval(by_seat["ci"]),
            p_value(by_seat["p"]),
            saved(by_seat["games_saved"]),
        )
    return made


def _verdict(document: Mapping[str, Any]) -> Iterator[str]:
    test = document.get("sprt")
    if test is not None:
        accepted = {
            "d0": f"accepted: the difference is {100 * test['d0']:g} % or less",
            "d1": f"accepted: the difference is {100 * test['d1']:g} % or more",
            None: "not decided: neither bound was met",
        }[test["accepted"]]
        ratio = test["log_likelihood_ratio"]
        low, high = test["bounds"]
        yield (
            f"test     {100 * test['d0']:g} % against {100 * test['d1']:g} %, error rates "
            f"{100 * test['alpha']:g} % and {100 * test['beta']:g} %: {accepted}"
        )
        yield (
            f"         log likelihood ratio {UNKNOWN if ratio is None else f'{ratio:.2f}'} "
            f"(bounds {low:.2f} and {high:.2f}) after {document['games']:,} games a lineup"
        )
    precision = document.get("precision")
    if precision is not None and not precision["reached"]:
        yield (
            f"wanted   ±{100 * precision['wanted']:g} %, which {document['games']:,} games a lineup "
            "did not reach: raise -n"
        )


def _footer(document: Mapping[str, Any]) -> Iterator[str]:
    lines = [
        (
            "games",
            f"{document['games_in_all']:,} in all, seed {document['seed']}, "
            f"{document['blocks']['count']:,} blocks",
        ),
        *terms(document),
        ("again", document["commands"]["again"]),
        *(("game 0", command) for command in document["commands"]["first_games"]),
    ]
    return footer(lines)
