"""Makes reports for tests, and reads their numbers."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser

import pandas as pd
import pytest

from analyzer.scenario import Settings, build
from reports import figures, page
from reports.content import written


def scenario(game="all-aboard", **values):
    defaults = {"players": "greedy", "games": 640, "seed": 3}
    return build(Settings({"game": game}), Settings({**defaults, **values}))


def made(study, *, drawn=True):
    """Return the files of a report; where no picture is looked at, none is drawn."""
    if drawn:
        return page.files(study)
    with pytest.MonkeyPatch.context() as patch:
        nothing = figures.Drawn({}, {"wide": "", "narrow": ""})
        patch.setattr(figures, "draw", lambda name, picture: nothing)
        return page.files(study)


class Numbers(HTMLParser):
    """Collects the numbers of a page with their cells, and the text around them."""

    def __init__(self):
        super().__init__()
        self.cells = []
        self.inside = None
        self.skip = 0
        self.names = 0
        self.rest = []
        self.tags = []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag in ("style", "svg", "pre"):
            self.skip += 1
        elif tag == "b":
            self.names += 1
        elif tag == "data":
            self.inside = dict(attributes)

    def handle_endtag(self, tag):
        if tag in ("style", "svg", "pre"):
            self.skip -= 1
        elif tag == "b":
            self.names -= 1
        elif tag == "data":
            self.inside = None

    def handle_data(self, text):
        if self.inside is not None:
            self.cells.append((self.inside, text))
        elif not self.skip and not self.names:
            self.rest.append(text)


def parsed(files):
    parser = Numbers()
    parser.feed(files["report.html"].decode())
    return parser


def csv_of(files, table):
    return pd.read_csv(
        io.BytesIO(files[f"tables/{table}.csv"]), dtype=object, keep_default_na=False
    )


def number(text):
    if text == "":
        return None
    return {"True": 1, "False": 0}.get(text) or float(text)


def told(study, question):
    """Return an answer of the first screen: its word, and its sentences."""
    files = made(study, drawn=False)
    found = re.search(rf"\*\*{re.escape(question)} (.*?)\.\*\* (.*)", files["report.md"].decode())
    return found and (found[1].replace("\\", ""), found[2].replace("\\", ""))


def check_numbers(files):
    """Check that every number of a page is a cell of one of the tables beside it."""
    page_parts = parsed(files)
    frames = {}
    for place, text in page_parts.cells:
        table = place["data-table"]
        frame = frames.setdefault(table, csv_of(files, table))
        value = number(frame[place["data-column"]].iloc[int(place["data-row"])])
        assert text == written(value, place["data-form"]), place
    # Outside of cells, names, commands and pictures there is no number but the level of intervals.
    rest = " ".join(page_parts.rest).replace("95 % interval", "")
    assert re.findall(r"\d+", rest) == []
