"""The table, the CSV and the figure of ``analyzer sweep``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from reports import text
from reports.text import Renderable, is_rate

if TYPE_CHECKING:
    import pandas as pd

_SEAT = "win_rate.seat"


def sweep_frame(document: Mapping[str, Any]) -> pd.DataFrame:
    """Return one row a variant and quantity.

    Returns
    -------
    DataFrame
        A column for each varied key, ``quantity``, ``value`` with ``low`` and ``high``, and
        ``change`` against the first variant on the same deals with ``change_low``, ``change_high``
        and ``p`` (two-sided, not adjusted).
    """
    import pandas as pd

    rows = []
    for variant in document["variants"]:
        for name, one in variant["quantities"].items():
            change = variant["changes"].get(name, {"value": None, "ci": (None, None), "p": None})
            rows.append(
                {
                    **variant["values"],
                    "quantity": name,
                    "value": one["value"],
                    "low": one["ci"][0],
                    "high": one["ci"][1],
                    "change": change["value"],
                    "change_low": change["ci"][0],
                    "change_high": change["ci"][1],
                    "p": change["p"],
                }
            )
    return pd.DataFrame(rows)


def shown_quantities(document: Mapping[str, Any], wanted: Sequence[str]) -> list[str]:
    """Return the quantities to be shown: the seats' win rates, then those with the stems wanted."""
    names = list(dict.fromkeys(name for one in document["variants"] for name in one["quantities"]))
    seats = [name for name in names if name.startswith(_SEAT)]
    return seats + [name for name in names if name in wanted or name.partition(".")[0] in wanted]


def sweep_tables(
    document: Mapping[str, Any], wanted: Sequence[str], title: str
) -> Iterator[Renderable]:
    """Return what ``analyzer sweep`` prints, part by part.

    Parameters
    ----------
    document
        JSON of the sweep.
    wanted
        Names or stems of the metrics to be shown.
    title
        The game's.
    """
    keys = list(document["varied"])
    level = text.level_of(document)
    variants = document["variants"]
    yield (
        f"{title}: {len(variants)} variants of {document['games']:,} games each, "
        "on the same deals\n"
    )
    for name in shown_quantities(document, wanted):
        rate = is_rate(name)
        value = text.percent if rate else text.number
        interval = text.percent_interval if rate else text.number_interval
        made = text.table(
            name,
            *keys,
            "value",
            f"{level} interval",
            "change",
            f"{level} interval",
            left=range(len(keys)),
        )
        for variant in variants:
            one = variant["quantities"].get(name)
            if one is None:
                continue
            change = variant["changes"].get(name)
            made.add_row(
                *(Text(variant["values"][key]) for key in keys),
                value(one["value"]),
                interval(one["ci"]),
                text.change(change["value"], rate) if change else "",
                text.change_interval(change["ci"], rate) if change else "",
            )
        yield made
    yield f"games    {document['games']:,} a variant, seed {document['seed']}"
    yield f"base     {document['scenario']}"


def figure_files(
    document: Mapping[str, Any], frame: pd.DataFrame, wanted: Sequence[str]
) -> dict[str, bytes]:
    """Draw every shown quantity over the values; return the files by name."""
    from reports import figures, sweep_figure

    names = shown_quantities(document, wanted)
    panels = [(name, _panel(document, frame, name)) for name in names]
    return figures.files("sweep", sweep_figure.sweep(panels, list(document["varied"])))


def _panel(document: Mapping[str, Any], frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the rows of a quantity, the values in the order in which they were given."""
    part = frame[frame["quantity"] == name].copy()
    for key, labels in document["varied"].items():
        order = [*labels, *(one for one in part[key].unique() if one not in labels)]
        part[key] = part[key].astype("category").cat.set_categories(order)
    return part.sort_values(list(document["varied"]))
