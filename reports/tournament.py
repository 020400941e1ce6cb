"""What ``analyzer tournament`` prints, from its JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from reports.text import UNKNOWN, Renderable, footer, level_of, percent, table, terms


def tournament_page(document: Mapping[str, Any], title: str) -> Iterator[Renderable]:
    """Return what is printed, part by part.

    Parameters
    ----------
    document
        JSON of the tournament.
    title
        The game's title.
    """
    yield (
        f"{title}: {len(document['strategies'])} strategies, {document['seats']} players, "
        f"{document['lineups']:,} lineups ({document['design']}) of {document['games']:,} games\n"
    )
    yield _ranking(document)
    yield _payoff(document)
    yield from _footer(document)


def _ranking(document: Mapping[str, Any]) -> Renderable:
    level = level_of(document)
    made = table(
        "Ranking", "rank", "strategy", "Elo", f"{level} interval", "Nash", "alpha-Rank",
        "this rank", left=(1,),
    )  # fmt: skip
    for one in document["ranking"]:
        low, high = one["elo_ci"]
        made.add_row(
            str(one["rank"]),
            Text(one["strategy"]),
            f"{one['elo']:.0f}",
            f"{low:.0f} to {high:.0f}",
            f"{one['nash']:.3f}",
            f"{one['alpha_rank']:.3f}",
            percent(one["rank_shares"][one["rank"] - 1]),
        )
    return made


def _payoff(document: Mapping[str, Any]) -> Renderable:
    """Show every cell; a star marks those that differ from an equal share after Holm."""
    made = table(
        f"Win rate of one seat of the row among the column ({level_of(document)} interval)",
        "",
        *document["strategies"],
        left=(0,),
    )
    cells = {(one["strategy"], one["against"]): one for one in document["payoff"]}
    for row in document["strategies"]:
        shown = []
        for column in document["strategies"]:
            one = cells[row, column]
            p = one.get("p_holm")
            star = "*" if p is not None and p < 1.0 - document["confidence"] else " "
            shown.append(f"{percent(one['win_rate'])}{star}\n{_short(one['win_rate_ci'])}")
        made.add_row(Text(row), *map(Text, shown))
    return made


def _short(interval: Sequence[float | None]) -> str:
    """Return an interval of shares in percent, short enough for a cell."""
    low, high = interval
    return UNKNOWN if low is None else f"{100 * low:.1f} to {100 * high:.1f}"


def _footer(document: Mapping[str, Any]) -> Iterator[str]:
    stability = document["stability"]
    cyclic = document["cyclic_share"]
    low, high = document["cyclic_share_ci"]
    interval = UNKNOWN if low is None else f"{100 * low:.1f} to {100 * high:.1f} %"
    resamples = document["blocks"]["resamples"]
    lines = [
        ("*", f"differs from an equal share, 1 in {document['seats']} (Holm over all cells)"),
        (
            "stable",
            f"the same ranking in {percent(stability['same'])} of {resamples} resamples of the "
            f"blocks, mean rank correlation {stability['kendall_tau']:.3f}",
        ),
        (
            "cyclic",
            f"{UNKNOWN if cyclic is None else f'{100 * cyclic:.1f} %'} ({interval}) of the edges are "
            "cycles that no ranking explains",
        ),
        ("games", f"{document['games_in_all']:,} in all, seed {document['seed']}"),
        *terms(document),
        ("again", document["commands"]["again"]),
        ("game 0", document["commands"]["first_game"]),
    ]
    return footer(lines)
