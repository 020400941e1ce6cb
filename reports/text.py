"""Tables for a terminal, from Result JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

UNKNOWN = "–"
Renderable = Table | str


def table(title: str, *columns: str, left: Sequence[int] = (0,)) -> Table:
    """Return an empty table; columns are aligned right but for those in `left`.

    Numbers stand on the right and are not wrapped.
    """
    made = Table(
        title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False
    )
    for k, name in enumerate(columns):
        words = k in left
        made.add_column(name, justify="left" if words else "right", no_wrap=not words)
    return made


def percent(value: float | None) -> str:
    """Return a share in percent."""
    return UNKNOWN if value is None else f"{100 * value:.2f} %"


def percent_interval(interval: Sequence[float | None]) -> str:
    """Return an interval in percent."""
    low, high = interval
    if low is None or high is None:
        return UNKNOWN
    return f"{100 * low:.2f} to {100 * high:.2f} %"


def number(value: float | None) -> str:
    """Return a mean."""
    return UNKNOWN if value is None else f"{value:.3f}"


def number_interval(interval: Sequence[float | None]) -> str:
    """Return the interval of a mean."""
    low, high = interval
    return UNKNOWN if low is None or high is None else f"{low:.3f} to {high:.3f}"


def change(value: float | None, rate: bool) -> str:
    """Return a difference with its sign; of shares in percentage points."""
    if value is None:
        return UNKNOWN
    return f"{100 * value:+.2f} pp" if rate else f"{value:+.3f}"


def change_interval(interval: Sequence[float | None], rate: bool) -> str:
    """Return the interval of a difference; of shares in percentage points."""
    low, high = interval
    if low is None or high is None:
        return UNKNOWN
    return f"{100 * low:+.2f} to {100 * high:+.2f}" if rate else f"{low:+.3f} to {high:+.3f}"


def is_rate(name: str) -> bool:
    """Tell whether a metric is a share, by its name."""
    stem = name.partition(".")[0]
    return stem.endswith("_rate") or "_rate_" in stem


def seat_table(document: Mapping[str, Any]) -> Table:
    """Return win rate and score by seat."""
    level = level_of(document)
    made = table(
        "Who wins",
        "seat",
        "strategy",
        "win rate",
        f"{level} interval",
        "mean score",
        f"{level} interval",
        left=(0, 1),
    )
    for seat in document["seats"]:
        made.add_row(
            str(seat["seat"]),
            Text(seat["strategy"]),
            percent(seat["win_rate"]),
            percent_interval(seat["win_rate_ci"]),
            number(seat["mean_score"]),
            number_interval(seat["mean_score_ci"]),
        )
    return made


def metric_table(
    document: Mapping[str, Any],
    meanings: Mapping[str, tuple[str, bool]],
    *,
    verbose: bool,
) -> Table:
    """Return the headline metrics, or all of them."""
    level = level_of(document)
    made = table(
        "What happens", "metric", "value", f"{level} interval", "n", "meaning", left=(0, 4)
    )
    for name, metric in document["metrics"].items():
        meaning, headline = meanings.get(name.partition(".")[0], ("", False))
        if not verbose and not headline:
            continue
        rate = is_rate(name)
        made.add_row(
            name,
            percent(metric["value"]) if rate else number(metric["value"]),
            percent_interval(metric["ci"]) if rate else number_interval(metric["ci"]),
            f"{metric['n']:,}",
            meaning,
        )
    return made


def level_of(document: Mapping[str, Any]) -> str:
    """Return the level of a document's intervals, in words."""
    return f"{100 * document['confidence']:g} %"


def changed_rulings(document: Mapping[str, Any]) -> str:
    """Return the rulings that are not as by default, in words."""
    changed = document["changed_rulings"]
    return ", ".join(f"{name}={value}" for name, value in changed.items()) or "all as by default"


def terms(document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return under which rules a document's numbers hold, as lines of a footer."""
    return [
        ("rules", f"{document['rules_version']}, random numbers {document['rng_scheme']}"),
        ("rulings", changed_rulings(document)),
        *(("assumed", sentence) for sentence in document["assumed"]),
    ]


def footer(lines: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Return what is needed to see numbers again: a label and a text a line."""
    for label, text in lines:
        yield f"{label:<8} {text}"


def simulation(
    document: Mapping[str, Any],
    title: str,
    meanings: Mapping[str, tuple[str, bool]],
    *,
    verbose: bool = False,
    folder: Path | None = None,
) -> Iterator[Renderable]:
    """Return what ``analyzer simulate`` prints, part by part.

    Parameters
    ----------
    document
        Result JSON.
    title
        The game's title.
    meanings
        For each metric's stem its meaning and whether it is a headline.
    verbose
        Every metric, not only headlines.
    folder
        Where the run is kept.
    """
    players = len(document["players"])
    yield f"{title}: {document['games']:,} games of {players} players\n"
    yield seat_table(document)
    yield metric_table(document, meanings, verbose=verbose)
    lines = [
        ("games", f"{document['games']:,}, seed {document['seed']}"),
        *terms(document),
        ("digest", document["digest"]),
        ("again", document["commands"]["again"]),
        ("game 0", document["commands"]["first_game"]),
    ]
    if folder is not None:
        lines.append(("kept in", str(folder)))
    yield from footer(lines)
