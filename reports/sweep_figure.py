"""The picture of a sweep: quantities over the values of what was varied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reports.figures import (
    COLOURS,
    WIDE,
    Picture,
    draw_intervals,
    new_figure,
    percent_axis,
    positions,
    short,
)
from reports.text import is_rate

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEGEND_LENGTH = 40
_MOST_TICKS = 8


def sweep(panels: Sequence[tuple[str, pd.DataFrame]], keys: Sequence[str]) -> Picture:
    """Draw quantities over the values of a sweep, a panel each.

    Parameters
    ----------
    panels
        Heading and frame: a column a key (ordered categories), ``value``, ``low``, ``high``.
    keys
        The first runs along the axis; each combination of the others is a line.
    """

    def draw(width: float) -> Figure:
        across = min(1 if width < WIDE else 2, max(len(panels), 1))
        down = -(-max(len(panels), 1) // across)
        figure = new_figure(width, 2.2 * down + 0.5)
        grid = figure.subplots(down, across, squeeze=False)
        for axes in list(grid.flat)[len(panels) :]:
            axes.set_axis_off()
        lines: list[str] = []
        for axes, (heading, frame) in zip(grid.flat, panels, strict=False):
            _panel(axes, heading, frame, keys, lines)
        handles = {
            label: handle
            for axes in grid.flat
            for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
        }
        if len(handles) > 1:
            words = {"loc": "outside lower left", "ncols": across}
            figure.legend(list(handles.values()), list(handles), **words)
        return figure

    return draw


def _panel(
    axes: Axes, heading: str, frame: pd.DataFrame, keys: Sequence[str], lines: list[str]
) -> None:
    """Draw one quantity; `lines` collects the lines' names, so that each keeps its colour."""
    labels = [str(one) for one in frame[keys[0]].cat.categories]
    places, numbers = positions(labels)
    where = dict(zip(labels, places, strict=True))
    others = list(keys[1:])
    groups = list(frame.groupby(others, observed=True)) if others else [((), frame)]
    for names, part in groups:
        at = [where[str(one)] for one in part[keys[0]]]
        pairs = zip(others, names, strict=True)
        label = short(", ".join(f"{key}={value}" for key, value in pairs), _LEGEND_LENGTH)
        if label not in lines:
            lines.append(label)
        k = lines.index(label)
        colour = COLOURS[k % len(COLOURS)]
        style = {"color": colour, "label": label or None}
        shift = 0.0 if numbers else 0.05 * (k - (len(groups) - 1) / 2)
        draw_intervals(axes, part, [x + shift for x in at], across=False, **style)
        if numbers:
            axes.plot(at, part["value"].to_numpy(dtype=float), color=colour, linewidth=1)
    if not numbers:
        turn = {"rotation": 25, "ha": "right", "rotation_mode": "anchor"}
        axes.set_xticks(places, [short(label, 16) for label in labels], **turn)
        axes.set_xlim(-0.5, len(labels) - 0.5)
    elif len(places) <= _MOST_TICKS:
        axes.set_xticks(places, [short(label) for label in labels])
    else:
        axes.locator_params(axis="x", integer=all(one.is_integer() for one in places))
    axes.set_title(short(heading, 44))
    axes.set_xlabel(short(keys[0]))
    axes.grid(axis="y")
    if is_rate(heading):
        percent_axis(axes.yaxis)
