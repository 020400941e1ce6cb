"""The answers about who wins: are seats, and what players are dealt, worth the same; who wins most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reports.content import Cell, Frame, Name, Sentence, Verdict, listed, say
from reports.study import FAIR, UNEVEN, Study

#: How many of the seats, colours or animals that are off are named.
NAMED = 2


@dataclass(frozen=True)
class _Equals:
    """What ought to be worth the same: rows with a ``win_rate``, a ``difference`` and a ``finding``."""

    thing: str
    table: Frame
    rows: list[int]
    named: Callable[[int], Sentence]
    off_by: Callable[[int], Sentence]
    section: str

    @property
    def lowest(self) -> int:
        return min(self.rows, key=lambda row: self.table.value(row, "win_rate"))

    @property
    def highest(self) -> int:
        return max(self.rows, key=lambda row: self.table.value(row, "win_rate"))

    def off(self, row: int) -> float:
        """Return how far a row is from an equal share."""
        return abs(self.table.value(row, "difference"))


def seats(study: Study) -> Verdict | None:
    """Say whether every seat is worth the same; nothing where strategies differ."""
    table = study.seat_table
    if not study.alike or table.value(0, "win_rate") is None:
        return None
    level = study.fact("level", study.confidence, "level")
    equals = _Equals(
        "seat",
        table,
        list(range(len(study.players))),  # those behind are of random play
        lambda row: say("seat {}", table.cell(row, "seat", "whole")),
        lambda row: say(
            "seat {} by {} (its wins: {} interval {})",
            table.cell(row, "seat", "whole"),
            table.cell(row, "difference", "points"),
            level,
            _wins(table, row),
        ),
        "seats",
    )
    low, high = equals.lowest, equals.highest
    spread = say(
        "With {} on every seat, seats win between {} ({}) and {} ({}); an equal share is {}.",
        Name(study.players[0]),
        table.cell(low, "win_rate", "share"),
        equals.named(low),
        table.cell(high, "win_rate", "share"),
        equals.named(high),
        table.cell(low, "expected", "share"),
    )
    return _same_worth(study, equals, spread)


def dealt(study: Study) -> list[Verdict]:
    """Say of everything that players are dealt whether it is worth the same to who has it."""
    return [_dealt(study, thing, table) for thing, table in study.dealt_tables if len(table)]


def _dealt(study: Study, thing: str, table: Frame) -> Verdict:
    equals = _Equals(
        thing,
        table,
        list(range(len(table))),
        lambda row: say("{}", table.name_in(row, "of")),
        lambda row: say(
            "{} by {}", table.name_in(row, "of"), table.cell(row, "difference", "points")
        ),
        "components",
    )
    low, high = equals.lowest, equals.highest
    level = study.fact("level", study.confidence, "level")
    spread = say(
        "With {} on every seat, whoever has {} wins {} ({} interval {}), whoever has {} {} ({}); were "
        "all alike, each would win {}.",
        Name(study.players[0]),
        equals.named(high),
        table.cell(high, "win_rate", "share"),
        level,
        _wins(table, high),
        equals.named(low),
        table.cell(low, "win_rate", "share"),
        _wins(table, low),
        table.cell(low, "expected", "share"),
    )
    return _same_worth(study, equals, spread)


def _wins(table: Frame, row: int) -> Sentence:
    return table.interval(row, "win_rate_low", "win_rate_high", "share")


def _same_worth(study: Study, equals: _Equals, spread: Sentence) -> Verdict:
    """Answer whether things are worth the same, from what the test of each found."""
    table, thing, section = equals.table, equals.thing, equals.section
    findings = [table.value(row, "finding") for row in equals.rows]
    margin = study.fact("margin", study.margin, "size")
    question = f"Is every {thing} worth the same?"
    if all(finding == FAIR for finding in findings):
        sure = say(f"Every {thing} is within {{}} of it (tested for equivalence).", margin)
        return Verdict(question, "Yes, fair", "good", (spread, sure), section)
    uneven = [row for row in equals.rows if table.value(row, "finding") == UNEVEN]
    if not uneven:
        unsure = say(
            f"The games played cannot tell whether all {thing}s are within {{}} of it.", margin
        )
        return Verdict(question, "Not sure yet", "unsure", (spread, unsure), section)
    worst = sorted(uneven, key=lambda row: -equals.off(row))
    sure = say("Surely off: {}.", listed([equals.off_by(row) for row in worst[:NAMED]]))
    if equals.off(worst[0]) <= study.margin:
        return Verdict(question, "Nearly", "unsure", (spread, sure), section)
    return Verdict(question, "No, not fair", "bad", (spread, sure), section)


def remedy(study: Study) -> Verdict | None:
    """Say which other reading would even out the seats, and which would only draw lots for them."""
    table = study.table("rulings")
    if table is None:
        return None
    rows = [row for row in range(len(table)) if table.value(row, "off") is not None]
    rows.sort(key=lambda row: abs(table.value(row, "off")))
    lots = [row for row in rows if table.value(row, "ruling") in study.lots]
    others = [row for row in rows if row not in lots]
    if not others:
        return None
    best = others[0]
    told = _best_reading(study, table, best, len(others))
    by_lot = [
        say(
            "{} draws lots for the places, which evens out the seats ({} at most) and leaves every "
            "place what it is worth.",
            reading(table, row),
            table.cell(row, "off", "size"),
        )
        for row in lots
        if table.within(row, "off", study.margin)
    ]
    question = "What would even the seats out?"
    if table.within(best, "off", study.margin):
        return Verdict(question, reading(table, best), "good", (told, *by_lot), "rulings")
    sweep = say("What other components would change is for {}.", Name("analyzer sweep"))
    if not all(table.beyond(row, "off", study.margin) for row in others):
        return Verdict(question, "Not sure yet", "unsure", (told, *by_lot, sweep), "rulings")
    return Verdict(question, "No other reading", "bad", (told, *by_lot, sweep), "rulings")


def _best_reading(study: Study, table: Frame, best: int, count: int) -> Sentence:
    """Say what the reading with the least uneven seats does, if it surely does better than none."""
    seat_rows = range(len(study.players))
    now = max(seat_rows, key=lambda row: abs(study.seat_table.value(row, "difference")))
    readings = study.fact("readings", count, "count")
    if not table.within(best, "off", abs(study.seat_table.value(now, "difference"))):
        return say(
            "Under none of {} other readings is the farthest seat surely less off than now ({}).",
            readings,
            study.seat_table.cell(now, "difference", "size"),
        )
    return say(
        "Of {} other readings {} does best: seat {} is then farthest off, by {} ({} interval {}).",
        readings,
        reading(table, best),
        table.cell(best, "off_seat", "whole"),
        table.cell(best, "off", "points"),
        study.fact("level", study.confidence, "level"),
        table.interval(best, "off_low", "off_high", "points"),
    )


def reading(table: Frame, row: int) -> Sentence:
    """Return another reading of the rules as it is set."""
    return say("{}={}", table.name_in(row, "ruling"), table.name_in(row, "value"))


def winner(study: Study) -> Verdict | None:
    """Say which seat of a mixed table wins most, and whether it surely wins more than the next."""
    ahead = study.table("ahead")
    if ahead is None or ahead.value(0, "ahead") is None:
        return None
    seats = study.seat_table
    first, second = ahead.value(0, "seat"), ahead.value(0, "next_seat")
    level = study.fact("level", study.confidence, "level")

    def wins(row: int) -> tuple[Cell, Name, Cell, Sentence]:
        return (
            seats.cell(row, "seat", "whole"),
            seats.name_in(row, "strategy"),
            seats.cell(row, "win_rate", "share"),
            _wins(seats, row),
        )

    seat, strategy, share, interval = wins(first)
    told = (
        say("Seat {} ({}) wins {} ({} interval {}).", seat, strategy, share, level, interval),
        say("Next is seat {} ({}) with {} ({}).", *wins(second)),
    )
    more = say(
        "The difference on the same games is {} ({}).",
        ahead.cell(0, "ahead", "points"),
        ahead.interval(0, "ahead_low", "ahead_high", "points"),
    )
    question = "Who wins most?"
    low = ahead.value(0, "ahead_low")
    if low is None or low <= 0:
        return Verdict(question, "Not sure yet", "unsure", (*told, more), "seats")
    return Verdict(question, say("Seat {}, {}", seat, strategy), "plain", (*told, more), "seats")
