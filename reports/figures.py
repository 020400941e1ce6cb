"""Pictures of frames: drawn once for every place where they are shown.

A picture is a function ``(inches wide) -> matplotlib Figure``. `files` makes the SVG and PNG beside a
page, `draw` also the SVG within it, wide and narrow, whose colours follow the page (light, dark, print).
Colours are those of Okabe and Ito, which the colour-blind can tell apart; no picture needs colour alone.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reports.content import MINUS

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Picture = Callable[[float], "Figure"]

#: Inches at 96 pixels: what a page of 1280 and one of 400 pixels have room for.
WIDE, NARROW = 7.6, 3.6
INK, MUTED, GRID, PAPER = "#1c2128", "#58616c", "#d5dae0", "#ffffff"
#: What stands for them in a page.
_MAIN = "#0072b2"
_THEME = {
    _MAIN: "var(--data)",
    INK: "var(--ink)",
    MUTED: "var(--muted)",
    GRID: "var(--line)",
    PAPER: "var(--paper)",
}
COLOURS = (_MAIN, "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#999999", "#f0e442")
#: On strong colours: white, but not the paper's, which is dark in a dark page.
LIGHT = "#fffffe"
LOW_COLOUR, MIDDLE_COLOUR, HIGH_COLOUR = "#d55e00", "#f2f2f2", _MAIN
_HATCHES = ("", "////", "....", "\\\\\\\\", "xxxx", "----")
_ROW_INCHES, _TWO_LINES_INCHES = 0.27, 0.4
_UNITS = {"share": "%", "points": "pp"}
_DOTS = 110  # an inch
_LABEL_LENGTH = 26
_STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "tabletop-analyzer",
    "text.parse_math": False,  # names are not formulas
    "font.size": 9.5,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": GRID,
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 9,
}


@contextmanager
def _drawing() -> Iterator[None]:
    import matplotlib as mpl

    with mpl.rc_context(_STYLE), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a name may have letters that no font has
        yield


def new_figure(width: float, height: float) -> Figure:
    from matplotlib.figure import Figure

    # Laid out as it is written: at 100 dots an inch hinted letters are a tenth narrower.
    return Figure(figsize=(width, height), layout="constrained", dpi=_DOTS)


def short(label: object, most: int = _LABEL_LENGTH) -> str:
    """Return a label that fits, on one line."""
    words = " ".join("".join(c if c.isprintable() else " " for c in str(label)).split())
    return words if len(words) <= most else words[: most - 1] + "…"


def fitted(label: object, most: int) -> str:
    """Return a label that fits: of a setting that is too long, the value on a line of its own."""
    name, equals, value = str(label).partition("=")
    if not equals or len(str(label)) <= most:
        return short(label, most)
    return f"{short(name, most)}\n= {short(value, most - 2)}"


@dataclass(frozen=True)
class Drawn:
    """A picture as it is shown: files by name, and SVG text for a page, ``wide`` and ``narrow``."""

    files: dict[str, bytes]
    inline: dict[str, str]


def draw(name: str, picture: Picture) -> Drawn:
    """Draw a picture for every place where it is shown."""
    with _drawing():
        figure = _laid_out(picture(WIDE))
        wide, png = _svg(figure), _png(figure)
        narrow = _svg(_laid_out(picture(NARROW)))
    inline = {"wide": themed(wide, f"{name}-wide"), "narrow": themed(narrow, f"{name}-narrow")}
    return Drawn({f"{name}.svg": _on_paper(wide).encode(), f"{name}.png": png}, inline)


def files(name: str, picture: Picture) -> dict[str, bytes]:
    """Return ``NAME.svg`` and ``NAME.png``."""
    with _drawing():
        figure = _laid_out(picture(WIDE))
        svg, png = _on_paper(_svg(figure)), _png(figure)
    return {f"{name}.svg": svg.encode(), f"{name}.png": png}


def _laid_out(figure: Figure) -> Figure:
    """Find the places of a figure's parts once, for every file that it is written to."""
    figure.get_layout_engine().execute(figure)
    figure.set_layout_engine("none")
    return figure


# `Figure.savefig` draws a figure twice, the first time to lay it out. The canvases draw it once.


def _svg(figure: Figure) -> str:
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    figure.set_dpi(72)  # as SVG counts
    stream = io.StringIO()
    FigureCanvasSVG(figure).print_svg(stream, metadata={"Date": None})
    return stream.getvalue()


def _png(figure: Figure) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure.set_dpi(_DOTS)
    figure.set_facecolor(PAPER)
    stream = io.BytesIO()
    FigureCanvasAgg(figure).print_png(stream)
    return stream.getvalue()


def _on_paper(svg: str) -> str:
    """Return an SVG with a white ground, for viewers whose own is dark."""
    return svg.replace("<svg ", f'<svg style="background: {PAPER}" ', 1)


def themed(svg: str, prefix: str) -> str:
    """Return an SVG for a page: its colours follow the page's, and its ids are its own."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, count=1, flags=re.DOTALL)
    svg = re.sub(r'(<svg [^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg [^>]*?) height="[^"]*"', r"\1", svg, count=1)
    for colour, variable in _THEME.items():
        svg = svg.replace(colour, variable)
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    svg = re.sub(r'href="#', f'href="#{prefix}-', svg)
    svg = re.sub(r"url\(#", f"url(#{prefix}-", svg)
    return svg.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1)


def percent_axis(axis: Any, unit: str = "%") -> None:
    from matplotlib.ticker import FuncFormatter

    def written(value: float, _: int) -> str:
        return f"{100 * value:.6g} {unit}".replace("-", MINUS)

    axis.set_major_formatter(FuncFormatter(written))


def _rows(axes: Axes, labels: Sequence[str]) -> None:
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def draw_intervals(
    axes: Axes, part: pd.DataFrame, at: Sequence[float], *, across: bool, **style: Any
):
    """Draw values with their intervals; where there is none, the value alone."""
    values = part["value"].to_numpy(dtype=float)
    low = part["low"].to_numpy(dtype=float, na_value=float("nan"))
    high = part["high"].to_numpy(dtype=float, na_value=float("nan"))
    drawer, dots = (axes.hlines, (values, at)) if across else (axes.vlines, (at, values))
    colour = style.get("color", COLOURS[0])
    drawer(at, low, high, color=colour, linewidth=2.2, alpha=0.55)
    axes.plot(*dots, style.pop("marker", "o"), markersize=4.6, **style)


def dots(frame: pd.DataFrame, panels: Mapping[str, str], forms: Mapping[str, str]) -> Picture:
    """Draw ranked values with intervals, a panel for each kind of value.

    Parameters
    ----------
    frame
        ``label``, ``panel`` (a key of `panels`), ``value``, ``low``, ``high`` and ``expected`` (NaN
        for none), in the order of the first panel's rows.
    panels
        Heading by key.
    forms
        How a panel's values are written, by key: ``share``, ``points`` (a difference of shares) or
        ``number``.
    """

    def draw(width: float) -> Figure:
        labels = list(dict.fromkeys(frame["label"]))
        most = 18 if width < WIDE else _LABEL_LENGTH
        rows = [fitted(label, most) for label in labels]
        across = 1 if width < WIDE else len(panels)
        down = -(-len(panels) // across)
        row_inches = _TWO_LINES_INCHES if any("\n" in row for row in rows) else _ROW_INCHES
        height = down * (len(labels) * row_inches + 0.75) + (0.2 if len(panels) == 1 else 0)
        figure = new_figure(width, height)
        grid = figure.subplots(down, across, squeeze=False, sharey=across > 1)
        for axes, (key, heading) in zip(grid.flat, panels.items(), strict=True):
            part = frame[frame["panel"] == key]
            at = [labels.index(label) for label in part["label"]]
            for expected in part["expected"].dropna().unique():
                axes.axvline(expected, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
            draw_intervals(axes, part, at, across=True, color=COLOURS[0])
            _rows(axes, rows)
            if len(panels) > 1:
                axes.set_title(short(heading, 44))
            else:
                axes.set_xlabel(short(heading, 44))
            axes.grid(axis="x")
            axes.spines["left"].set_visible(False)
            axes.locator_params(axis="x", nbins=max(3, 6 - across) if width >= WIDE else 4)
            if forms[key] in _UNITS:
                percent_axis(axes.xaxis, _UNITS[forms[key]])
        return figure

    return draw


def stacked(frame: pd.DataFrame, parts: Mapping[str, str]) -> Picture:
    """Draw what becomes of each thing as a bar of parts that add up to the whole.

    Parameters
    ----------
    frame
        ``label`` and a share for each part.
    parts
        Words by column, in the order of the bars.
    """

    def draw(width: float) -> Figure:
        figure = new_figure(width, len(frame) * _ROW_INCHES + (1.1 if width < WIDE else 0.95))
        axes = figure.subplots()
        left = [0.0] * len(frame)
        for k, (column, words) in enumerate(parts.items()):
            values = frame[column].fillna(0.0).tolist()
            axes.barh(
                range(len(frame)),
                values,
                left=left,
                height=0.72,
                color=COLOURS[k],
                edgecolor=PAPER,
                linewidth=0.6,
                hatch=_HATCHES[k % len(_HATCHES)],
                label=words,
            )
            left = [a + b for a, b in zip(left, values, strict=True)]
        _rows(axes, [short(label) for label in frame["label"]])
        axes.set_xlim(0, 1)
        percent_axis(axes.xaxis)
        axes.spines["left"].set_visible(False)
        columns = 3 if width < WIDE else len(parts)
        figure.legend(loc="outside lower left", ncols=columns, handlelength=1.3, columnspacing=1.2)
        return figure

    return draw


def _diverging() -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("", [LOW_COLOUR, MIDDLE_COLOUR, HIGH_COLOUR])


def matrix(frame: pd.DataFrame, names: Sequence[str], middle: float, label: str) -> Picture:
    """Draw shares by row and column, coloured from a middle, the numbers written in.

    Parameters
    ----------
    frame
        ``row``, ``column``, ``value``; what is missing stays empty.
    names
        Rows and columns in order.
    middle
        The share that means neither.
    label
        What the columns are.
    """

    def draw(width: float) -> Figure:
        import numpy as np
        from matplotlib.colors import TwoSlopeNorm

        values = np.full((len(names), len(names)), np.nan)
        for row in frame.itertuples():
            values[names.index(row.row), names.index(row.column)] = row.value
        figure = new_figure(width, len(names) * (0.36 if width < WIDE else 0.4) + 1.2)
        axes = figure.subplots()
        reach = max(float(np.nanmax(np.abs(values - middle), initial=0.0)), 1e-9)
        norm = TwoSlopeNorm(middle, middle - reach, middle + reach)
        axes.imshow(values, cmap=_diverging(), norm=norm, aspect="auto")
        for (row, column), value in np.ndenumerate(values):
            if not np.isnan(value):
                strong = abs(value - middle) > 0.6 * reach
                axes.text(
                    column,
                    row,
                    f"{100 * value:.0f}",
                    ha="center",
                    va="center",
                    color=LIGHT if strong else "#111111",
                )
        most = 9 if width < WIDE else 14
        turn = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}
        axes.set_xticks(range(len(names)), [short(name, most) for name in names], **turn)
        axes.set_yticks(range(len(names)), [short(name, 16) for name in names])
        axes.set_xlabel(label)
        axes.tick_params(length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)
        return figure

    return draw


def heat(frame: pd.DataFrame, x: str, y: str) -> Picture:
    """Draw shares over two numbers; a line runs between the marked cells and the others.

    Parameters
    ----------
    frame
        ``x``, ``y`` (numbers), ``value`` (share) and ``marked``.
    x, y
        Words for the axes.
    """

    def draw(width: float) -> Figure:
        import numpy as np
        from matplotlib.colors import LinearSegmentedColormap

        xs, ys = sorted(frame["x"].unique()), sorted(frame["y"].unique())
        values = np.zeros((len(ys), len(xs)))
        figure = new_figure(width, len(ys) * _ROW_INCHES + 1.1)
        axes = figure.subplots()
        for row in frame.itertuples():
            values[ys.index(row.y), xs.index(row.x)] = row.value
        colours = LinearSegmentedColormap.from_list("", ["#f4f7fa", "#56b4e9", "#003a5c"])
        image = axes.imshow(values, cmap=colours, aspect="auto", origin="lower", vmin=0.0)
        marked = np.zeros(values.shape, dtype=bool)
        for row in frame[frame["marked"]].itertuples():
            marked[ys.index(row.y), xs.index(row.x)] = True
        line = {"color": "#d55e00", "linewidth": 1.6}
        for y_at, x_at in zip(*np.nonzero(marked[:, 1:] != marked[:, :-1]), strict=True):
            axes.vlines(x_at + 0.5, y_at - 0.5, y_at + 0.5, **line)
        for y_at, x_at in zip(*np.nonzero(marked[1:] != marked[:-1]), strict=True):
            axes.hlines(y_at + 0.5, x_at - 0.5, x_at + 0.5, **line)
        axes.set_xlim(-0.5, len(xs) - 0.5)
        axes.set_ylim(-0.5, len(ys) - 0.5)
        step = max(1, len(xs) // (7 if width < WIDE else 16))
        axes.set_xticks(range(0, len(xs), step), [f"{one:g}" for one in xs[::step]])
        axes.set_yticks(range(len(ys)), [f"{one:g}" for one in ys])
        axes.set_xlabel(x)
        axes.set_ylabel(y)
        bar = figure.colorbar(image, ax=axes, shrink=0.8, aspect=16)
        percent_axis(bar.ax.yaxis)
        bar.outline.set_visible(False)
        axes.tick_params(length=0)
        return figure

    return draw


def bars(frame: pd.DataFrame, x: str, y: str) -> Picture:
    """Draw a distribution over whole numbers: ``x`` and ``value`` (share)."""

    def draw(width: float) -> Figure:
        figure = new_figure(width, 2.3)
        axes = figure.subplots()
        axes.bar(frame["x"], frame["value"], width=0.9, color=COLOURS[0])
        percent_axis(axes.yaxis)
        axes.set_xlabel(x)
        axes.set_ylabel(y if width >= WIDE else "")
        axes.grid(axis="y")
        return figure

    return draw


def course(frame: pd.DataFrame, x: str, y: str) -> Picture:
    """Draw shares over the course of a game: ``label``, ``value``, ``low``, ``high``, ``expected``.

    Where it is known, a dashed line shows what is ``expected``.
    """

    def draw(width: float) -> Figure:
        figure = new_figure(width, 2.5)
        axes = figure.subplots()
        places, _ = positions([str(label) for label in frame["label"]])
        expected = frame["expected"].to_numpy(dtype=float)
        axes.plot(places, expected, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
        axes.plot(places, frame["value"].to_numpy(dtype=float), color=COLOURS[0], linewidth=1.4)
        draw_intervals(axes, frame, places, across=False, color=COLOURS[0])
        axes.set_xticks(places, [short(label) for label in frame["label"]])
        if len(places) > 12:
            axes.locator_params(axis="x", nbins=8)
        axes.set_ylim(0, 1.03)
        percent_axis(axes.yaxis)
        axes.set_xlabel(short(x))
        axes.set_ylabel(y)
        axes.grid(axis="y")
        return figure

    return draw


def positions(labels: Sequence[str]) -> tuple[list[float], bool]:
    """Return where values stand on an axis: at their number, or one after the other."""
    try:
        return [float(label) for label in labels], True
    except ValueError:
        return [float(k) for k in range(len(labels))], False
