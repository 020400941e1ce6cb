"""What ``analyzer check`` reports: a table, Markdown for a job's summary, and JUnit XML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from reports.comparison import p_value
from reports.text import UNKNOWN, Renderable, is_rate, number, percent, table

#: Verdicts with which a metric or a baseline passes.
PASSED = ("IDENTICAL", "WITHIN_MARGIN")
_HEADINGS = ("verdict", "metric", "recorded", "now", "change", "p (Holm)", "margin")


def _cells(metric: Mapping[str, Any]) -> tuple[str, ...]:
    show = percent if is_rate(metric["metric"]) else number
    change = metric["change"]
    sign = "" if change is None or change < 0 else "+"
    return (
        metric["verdict"],
        metric["metric"],
        show(metric["recorded"]),
        show(metric["now"]),
        UNKNOWN if change is None else f"{sign}{show(change)}",
        p_value(metric["p_holm"]),
        f"±{show(metric['delta'])}",
    )


def summary_line(one: Mapping[str, Any]) -> str:
    """Return one baseline in a line."""
    games = f", {one['games']:,} games" if one["games"] else ""
    return f"{one['verdict']:<16} {one['baseline']}{games}"


def difference_lines(one: Mapping[str, Any]) -> Iterator[str]:
    """Return where the games begin to differ, and how to see it."""
    first = one["first_difference"]
    if first is None:
        return
    if first["game"] is None:
        low, high = first["games"]
        yield f"games {low} to {high} are the same, but counted differently: " + str(
            first["counted_differently"]
        )
        return
    yield f"first game that differs: {first['game']}"
    yield f"  now       {first['replay_now']}"
    where = first["recorded_at"] or f"a version with the kernels {first['recorded_by_kernels']}"
    yield f"  recorded  {first['replay_recorded']}   (in {where})"


def check_page(document: Mapping[str, Any]) -> Iterator[Renderable]:
    """Return what is printed, part by part.

    Parameters
    ----------
    document
        JSON of the check.
    """
    for one in document["baselines"]:
        yield summary_line(one)
        if one["metrics"]:
            made = table("", *_HEADINGS, left=(0, 1))
            for metric in one["metrics"]:
                made.add_row(*map(Text, _cells(metric)))
            yield made
        if one["message"]:
            yield one["message"]
        yield from difference_lines(one)
        if one["smallest_shifts_seen"] and one["verdict"] == "IDENTICAL":
            worst = max(one["smallest_shifts_seen"].items(), key=lambda item: _share(one, *item))
            yield f"  {len(one['smallest_shifts_seen'])} gates; {_sharpness(*worst)}"
        if one["again"]:
            yield f"  again  {one['again']}"
    yield f"\n{document['verdict']}: {document['passed']} of {document['count']} baselines pass"


def _share(one: Mapping[str, Any], name: str, shift: float) -> float:
    """Return which part of its margin a gate's smallest shift is."""
    return shift / one["deltas"].get(name, shift)


def _sharpness(name: str, shift: float) -> str:
    shown = percent(shift) if is_rate(name) else number(shift)
    return f"the least sharp one, {name}, sees a shift of {shown} on other deals"


def markdown(document: Mapping[str, Any]) -> str:
    """Return a summary in Markdown."""
    lines = [f"## analyzer check: {document['verdict']}", ""]
    for one in document["baselines"]:
        lines += [f"### {one['baseline']}: {one['verdict']}", ""]
        if one["message"]:
            lines += [one["message"], ""]
        if one["metrics"]:
            lines += ["| " + " | ".join(_HEADINGS) + " |", "|" + " --- |" * len(_HEADINGS)]
            lines += ["| " + " | ".join(_cells(metric)) + " |" for metric in one["metrics"]]
            lines += [""]
        differs = list(difference_lines(one))
        if differs:
            lines += ["```", *differs, "```", ""]
    return "\n".join(lines) + "\n"


def junit(document: Mapping[str, Any]) -> bytes:
    """Return a JUnit report: a suite a baseline, a case a gated metric."""
    from xml.etree import ElementTree

    suites = ElementTree.Element("testsuites", name="analyzer check")
    for one in document["baselines"]:
        cases = one["metrics"] or [{"metric": "sums", "verdict": one["verdict"]}]
        failures = sum(case["verdict"] not in PASSED for case in cases)
        suite = ElementTree.SubElement(
            suites,
            "testsuite",
            name=one["baseline"],
            tests=str(len(cases)),
            failures=str(failures),
            errors="0",
        )
        for case in cases:
            node = ElementTree.SubElement(
                suite, "testcase", classname=one["baseline"], name=case["metric"]
            )
            if case["verdict"] not in PASSED:
                failure = ElementTree.SubElement(node, "failure", type=case["verdict"])
                failure.set("message", _failure(case, one))
                failure.text = "\n".join([one["message"], *difference_lines(one)])
    return ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)


def _failure(case: Mapping[str, Any], one: Mapping[str, Any]) -> str:
    if "recorded" not in case:
        return str(one["message"])
    cells: Sequence[str] = _cells(case)
    return f"{case['metric']}: {cells[2]} recorded, {cells[3]} now, margin {cells[6]}"
