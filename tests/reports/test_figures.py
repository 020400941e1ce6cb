"""Figures by their data: what is drawn is what the frame says."""

from __future__ import annotations

import math
import re

import pandas as pd
import pytest

from reports import figures, sweep_figure


def test_a_dot_plot_draws_the_values_and_their_intervals():
    frame = pd.DataFrame(
        {
            "label": ["a", "$b$"],
            "panel": "x",
            "value": [0.2, 0.4],
            "low": [0.1, None],
            "high": [0.3, None],
            "expected": 0.25,
        }
    )
    figure = figures.dots(frame, {"x": "win rate"}, {"x": "share"})(figures.WIDE)
    (axes,) = figure.axes
    points = next(line for line in axes.lines if line.get_marker() == "o")
    assert points.get_xdata().tolist() == [0.2, 0.4]
    segment = axes.collections[0].get_segments()[0]
    assert segment[:, 0].tolist() == [0.1, 0.3]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "$b$"]
    assert axes.get_xlabel() == "win rate"


@pytest.mark.parametrize(("form", "written"), [("share", "−2.5 %"), ("points", "−2.5 pp")])
def test_an_axis_has_the_unit_and_the_minus_of_the_tables(form, written):
    frame = pd.DataFrame({"label": ["a"], "panel": "x", "value": [-0.02], "expected": 0.0})
    figure = figures.dots(frame.assign(low=-0.03, high=0.02), {"x": "change"}, {"x": form})(7.6)
    assert figure.axes[0].xaxis.get_major_formatter()(-0.025, 0) == written


def test_a_setting_that_is_too_long_has_its_value_on_a_line_of_its_own():
    assert figures.fitted("end=one", 10) == "end=one"
    assert figures.fitted("round_starter=rotate", 16) == "round_starter\n= rotate"
    assert figures.fitted("unowned_survivor=best_player", 12) == "unowned_sur…\n= best_play…"
    assert figures.fitted("a long name of something", 8) == "a long …"


def swept(key, values, **others):
    rows = [
        {key: value, "value": 0.2 + 0.0001 * k, "low": 0.19, "high": 0.21, **others}
        for k, value in enumerate(values)
    ]
    frame = pd.DataFrame(rows)
    for name in (key, *others):
        frame[name] = frame[name].astype("category")
    return frame


def test_a_sweep_over_whole_numbers_has_a_tick_at_each_and_lines_are_named_by_key_and_value():
    frame = swept("length", ["17", "18", "19"])
    (axes,) = sweep_figure.sweep([("margin", frame)], ["length"])(figures.WIDE).axes
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["17", "18", "19"]
    assert axes.get_xticks().tolist() == [17, 18, 19]
    both = pd.concat([swept("lion", ["a", "b"], fox=fox) for fox in ("x", "y")])
    both["lion"] = both["lion"].astype("category")
    figure = sweep_figure.sweep([("margin", both)], ["lion", "fox"])(figures.WIDE)
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["fox=x", "fox=y"]
    dots = [line.get_xdata().tolist() for line in figure.axes[0].lines]
    assert dots == [pytest.approx([-0.025, 0.975]), pytest.approx([0.025, 1.025])]


@pytest.mark.parametrize("width", [figures.WIDE, figures.NARROW])
def test_every_label_lies_within_the_picture_that_is_written(width):
    frame = swept("length", ["17", "18", "19"]).assign(value=0.0005, low=0.0, high=0.002)
    panels = [(name, frame) for name in ("a_rate", "b_rate", "c_rate", "d_rate")]
    with figures._drawing():
        figure = figures._laid_out(sweep_figure.sweep(panels, ["length"])(width))
        figures._png(figure)
        boxes = [axes.get_tightbbox() for axes in figure.axes]
    assert min(box.x0 for box in boxes) >= 0
    assert max(box.x1 for box in boxes) <= figure.bbox.width


def test_stacked_bars_have_the_shares_as_their_lengths():
    frame = pd.DataFrame({"label": ["a", "b"], "kept": [0.6, 0.5], "sunk": [0.4, 0.5]})
    figure = figures.stacked(frame, {"kept": "kept", "sunk": "sunk"})(figures.WIDE)
    widths = [[bar.get_width() for bar in group] for group in figure.axes[0].containers]
    assert widths[0] == pytest.approx([0.6, 0.5])
    assert widths[1] == pytest.approx([0.4, 0.5])


def test_a_matrix_holds_each_pairs_value():
    frame = pd.DataFrame({"row": ["a", "b"], "column": ["b", "a"], "value": [0.7, 0.1]})
    figure = figures.matrix(frame, ["a", "b"], 0.25, "others")(figures.NARROW)
    image = figure.axes[0].images[0].get_array()
    assert image.tolist() == [[None, 0.7], [0.1, None]]
    assert [text.get_text() for text in figure.axes[0].texts] == ["70", "10"]


def test_a_heat_map_has_its_cells_and_a_line_where_the_marked_begin():
    cells = [(0, 10, 0.5, False), (1, 10, 0.5, True), (0, 11, 0.25, False), (1, 11, 0.75, False)]
    frame = pd.DataFrame(cells, columns=["x", "y", "value", "marked"])
    figure = figures.heat(frame, "load", "capacity")(figures.WIDE)
    assert figure.axes[0].images[0].get_array().tolist() == [[0.5, 0.5], [0.25, 0.75]]
    lines = [line.get_segments()[0].tolist() for line in figure.axes[0].collections]
    # Left of the marked cell, and above it; not along the edge of the picture.
    assert lines == [[[0.5, -0.5], [0.5, 0.5]], [[0.5, 0.5], [1.5, 0.5]]]


def test_a_figure_within_the_page_follows_its_colours_and_keeps_ids_apart():
    frame = pd.DataFrame({"x": [0, 1], "value": [0.5, 0.5]})
    drawn = figures.draw("one", figures.bars(frame, "points", "share"))
    assert "var(--ink)" in drawn.inline["wide"]
    assert figures.INK not in drawn.inline["wide"]
    ids = [set(re.findall(r'\bid="([^"]+)"', drawn.inline[size])) for size in ("wide", "narrow")]
    assert not ids[0] & ids[1]
    assert figures.INK in drawn.files["one.svg"].decode()
    again = figures.draw("one", figures.bars(frame, "points", "share"))
    assert again.files["one.svg"] == drawn.files["one.svg"]


def test_numbers_on_strong_cells_stay_light_in_a_dark_page():
    frame = pd.DataFrame({"row": ["a", "b"], "column": ["b", "a"], "value": [0.9, 0.1]})
    drawn = figures.draw("pairs", figures.matrix(frame, ["a", "b"], 0.5, "others"))
    assert figures.LIGHT in drawn.inline["wide"]
    assert figures.LIGHT in drawn.inline["narrow"]


def test_a_course_shows_what_is_expected_where_that_is_known():
    rows = {"label": ["1", "2"], "value": [0.5, 0.6], "low": [0.4, 0.5], "high": [0.6, 0.7]}
    frame = pd.DataFrame(rows)
    for expected in ([0.37, 0.31], [math.nan, math.nan]):
        picture = figures.course(frame.assign(expected=expected), "rounds", "wins")
        lines = picture(7.6).axes[0].get_lines()
        dashed = [line.get_ydata().tolist() for line in lines if line.is_dashed()]
        assert dashed == [pytest.approx(expected, nan_ok=True)]
