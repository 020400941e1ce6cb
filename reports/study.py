"""What a balance report is made from: frames, and the words that go with them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reports.content import Cell, Frame
from reports.frames import metric_frame
from reports.text import is_rate

if TYPE_CHECKING:
    import pandas as pd

FAIR, UNEVEN, UNSURE, MIXED = "fair", "uneven", "unsure", "mixed"


def form_of(name: str) -> str:
    """Return how a metric is written: as a share, or as a number."""
    return "share" if is_rate(name) else "number"


def dealt_name(thing: str) -> str:
    """Return the name of the table of what players are dealt, such as colours."""
    return f"dealt_{thing}"


@dataclass(frozen=True)
class ComponentGroup:
    """A group of metrics over the same things (see `analyzer.games.layout.Component`)."""

    key: str
    title: str
    fates: tuple[str, ...] = ()
    dots: tuple[str, ...] = ()


@dataclass(frozen=True)
class Drawing:
    """A further picture: its words, its rows, and which form it has (``heat`` or ``bars``)."""

    name: str
    section: str
    title: str
    words: tuple[str, ...]
    form: str
    rows: pd.DataFrame


@dataclass
class Study:
    """Everything that a report shows.

    Attributes
    ----------
    title, heading
        Of the scenario, which may be empty, and of the game.
    players
        A strategy a seat, of the run in the middle of the report.
    document
        Result JSON of that run, of the games that were played.
    total
        Games that the run is to have; more than `document` tells in an unfinished run.
    confidence, margin
        Level of the intervals; how far from an equal share a seat may be and still be called fair.
    meanings
        For each metric's stem its meaning, in order.
    tags
        For each metric's stem the upper-case word behind it, empty for a single metric.
    groups, effects, tension, length, always, settled, dealt, lots
        See `analyzer.games.layout.ReportLayout`.
    led_by_chance
        For each point of `settled` its share if the lead said nothing about the win: the mean share
        of the seats that led then, shared leads counted in full. Empty where that is not known.
    assumptions
        Records with ``name``, ``value``, ``explanation`` and ``ids``.
    commands
        Words and commands to see everything again.
    seats
        A row a seat: win rate and mean score with intervals, the equal share (``expected``), the
        difference from it, and the ``finding`` (FAIR, UNEVEN, UNSURE or MIXED).
    drawings
        Further pictures.
    tables
        Further frames by name: ``matrix``, ``ladder``, ``lead``, ``restricted``, ``rulings``; only
        those that were played. ``ahead``, where strategies differ: the seat that wins most, the
        next one, and their difference. One for each of `dealt` (see `dealt_tables`).
    left_out
        Strategies that were not played, and why.
    facts
        Single numbers that sentences quote, by name; `fact` adds to them.
    """

    title: str
    heading: str
    players: Sequence[str]
    document: Mapping[str, Any]
    total: int
    confidence: float
    margin: float
    meanings: Mapping[str, str]
    tags: Mapping[str, str]
    groups: Sequence[ComponentGroup]
    effects: Sequence[str]
    tension: Sequence[str]
    length: Sequence[str]
    always: str
    settled: str
    assumptions: Sequence[Mapping[str, str]]
    commands: Sequence[tuple[str, str]]
    seats: pd.DataFrame
    dealt: Sequence[str] = ()
    lots: Sequence[str] = ()
    led_by_chance: Mapping[str, float] = field(default_factory=dict)
    drawings: Sequence[Drawing] = ()
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    facts: dict[str, float | int | None] = field(default_factory=dict)

    @property
    def level(self) -> str:
        """The level of the intervals, in words."""
        return f"{100 * self.confidence:g} %"

    @property
    def played(self) -> str:
        """What was played, as a word behind a number."""
        return "game" if self.document["games"] == 1 else "games"

    @property
    def finished(self) -> bool:
        """Whether all games were played."""
        return self.document["games"] >= self.total

    @property
    def alike(self) -> bool:
        """Whether one strategy sits on every seat."""
        return len(set(self.players)) == 1

    def table(self, name: str) -> Frame | None:
        """Return a frame that may be there."""
        return Frame(name, self.tables[name]) if name in self.tables else None

    @cached_property
    def seat_table(self) -> Frame:
        """The seats, with what their fairness test found."""
        return Frame("seats", self.seats)

    @property
    def dealt_tables(self) -> list[tuple[str, Frame]]:
        """What players are dealt, in a word, and how often whoever has it wins.

        The columns are those of `seats`: ``of``, ``win_rate``, ``expected``, ``difference``,
        ``finding``. There is none where strategies differ.
        """
        words = [self.tags[stem].lower() for stem in self.dealt]
        return [(one, table) for one in words if (table := self.table(dealt_name(one)))]

    @cached_property
    def metrics(self) -> pd.DataFrame:
        """All metrics with their meanings."""
        frame = metric_frame(self.document)
        frame["meaning"] = [self.meanings.get(stem, "") for stem in frame["stem"]]
        return frame

    def metric_table(self, name: str, stems: Sequence[str]) -> Frame:
        """Return the metrics with some stems, in the order of the stems."""
        order = {stem: k for k, stem in enumerate(stems)}
        part = self.metrics[self.metrics["stem"].isin(order)]
        keys = part["stem"].map(order)
        return Frame(
            name, part.assign(_at=keys).sort_values("_at", kind="stable").drop(columns="_at")
        )

    @cached_property
    def effect_table(self) -> Frame:
        """How often each effect matters."""
        return self.metric_table("effects", self.effects)

    @cached_property
    def tension_table(self) -> Frame:
        """The lead, ties and margins; when the winner is settled has a table of its own."""
        return self.metric_table("tension", [one for one in self.tension if one != self.settled])

    @cached_property
    def settled_table(self) -> Frame:
        """How many wins go to seats that led at some point, in the order of play; the others are
        comebacks.
        """
        found = self.metric_table("settled", [self.settled])
        data = found.data[found.data["n"] > 0]  # some games are over sooner
        comebacks = {
            "comeback": 1 - data["value"],
            "comeback_low": 1 - data["high"],
            "comeback_high": 1 - data["low"],
        }
        by_chance = data["of"].map(self.led_by_chance).astype(float)
        return Frame(found.name, data.assign(expected=by_chance, **comebacks))

    @cached_property
    def length_table(self) -> Frame:
        """How long a game is."""
        return self.metric_table("length", self.length)

    @cached_property
    def other_table(self) -> Frame:
        """The metrics that stand nowhere else."""
        shown = {*self.effects, *self.tension, *self.length, self.settled}
        tagged = set(self.metrics[self.metrics["of"] != ""]["stem"])
        stems = [one for one in self.meanings if one not in shown and one not in tagged]
        return self.metric_table("other", stems)

    @cached_property
    def group_tables(self) -> list[tuple[ComponentGroup, Frame]]:
        """A wide table for each group of metrics over the same things."""
        found = []
        shown = {*self.effects, *self.tension, *self.length, self.settled}
        metrics = self.metrics
        for group in self.groups:
            stems = [
                stem
                for stem in dict.fromkeys([*group.fates, *group.dots, *self._stems_of(group.key)])
                if stem not in shown and (metrics["stem"] == stem).any()
            ]
            if stems:
                wide = self._wide(stems, group.dots)
                found.append((group, Frame(f"by_{group.key.lower()}", wide)))
        return found

    def _stems_of(self, key: str) -> list[str]:
        return [stem for stem, tag in self.tags.items() if tag == key]

    def _wide(self, stems: Sequence[str], compared: Sequence[str]) -> pd.DataFrame:
        """Return a row a thing; some stems are compared with what is expected of each thing.

        Expected is the average, each thing counted as often as it was seen: of two animals that are
        kept, the one kept twice as often counts twice. If all were alike, each would have it.
        """
        import pandas as pd

        things = list(dict.fromkeys(self.metrics[self.metrics["stem"].isin(stems)]["of"]))
        wide: dict[str, list] = {"of": things}
        for stem in stems:
            part = self.metrics[self.metrics["stem"] == stem].set_index("of").reindex(things)
            for column, source in (
                (stem, "value"),
                (f"{stem}_low", "low"),
                (f"{stem}_high", "high"),
            ):
                wide[column] = pd.to_numeric(part[source]).tolist()
            if stem in compared:
                known = part.dropna(subset=["value"])
                seen = pd.to_numeric(known["n"]).sum()
                expected = (known["value"] * known["n"]).sum() / seen if seen else math.nan
                wide[f"{stem}_expected"] = [expected] * len(things)
                wide[f"{stem}_difference"] = (pd.to_numeric(part["value"]) - expected).tolist()
        return pd.DataFrame(wide)

    @property
    def fact_table(self) -> Frame:
        """Single numbers that sentences quote."""
        import pandas as pd

        return Frame("facts", pd.DataFrame([self.facts]))

    def fact(self, name: str, value: float | int | None, form: str) -> Cell:
        """Note a single number, and return it as a cell."""
        if isinstance(value, float) and math.isnan(value):
            value = None
        self.facts[name] = value
        return self.fact_table.cell(0, name, form)

    def all_tables(self) -> list[Frame]:
        """Return every frame that the page shows a number of, none of them empty."""
        frames = [
            self.fact_table,
            self.seat_table,
            *(Frame(name, frame) for name, frame in self.tables.items()),
            *(frame for _, frame in self.group_tables),
            self.effect_table,
            self.tension_table,
            self.settled_table,
            self.length_table,
            self.other_table,
            *(Frame(f"picture_{one.name}", one.rows) for one in self.drawings),
        ]
        return [frame for frame in frames if len(frame)]
