"""``analyzer check``: do recorded baselines still hold?"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated, Any

import typer

from analyzer.cli import options
from analyzer.cli.output import ProgressBar, answer, note, say
from analyzer.errors import UsageError
from analyzer.run_files import writing

RECORD = "record"


def check(
    targets: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[BASELINE… | record SCENARIO.toml…]",
            help="Baseline files or folders (default seeds/baselines); or, after the word record, "
            "scenarios to record.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", metavar="DIR", help="With record: where baselines are written."
        ),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write a JUnit report as well.")
    ] = None,
    threads: options.ThreadsOption = None,
    as_json: options.JsonOption = False,
    quiet: options.QuietOption = False,
) -> None:
    """Play recorded baselines again and say what has changed.

    Exact first: the same seeds must give the same games. Where they do not, every gated metric is
    judged against its margin. Exit codes: 0 as it was or within every margin, 1 shifted, 3 not
    decided, 4 baseline missing or incompatible, 5 not the same on one thread and on several.
    """
    engine = options.make_engine("local", None, threads)
    words = list(targets or [])
    if words[:1] == [RECORD]:
        if as_json or junit is not None:
            raise UsageError("--json and --junit are for checking, not for check record.")
        _record(words[1:], out, engine, quiet)
        return
    if out is not None:
        raise UsageError("-o is for check record: analyzer check record SCENARIO.toml -o DIR.")
    if junit is not None:
        _try_to_write(junit)
    document, code = _check(words, engine, quiet)
    _report(document, junit)

    def page() -> Any:
        from reports.check_page import check_page

        return check_page(document)

    answer(document, as_json, page)
    if code:
        raise typer.Exit(code)


def _record(scenarios: list[str], out: Path | None, engine: Any, quiet: bool) -> None:
    from analyzer import baseline

    if not scenarios:
        raise UsageError(
            "Name the scenarios to record: analyzer check record SCENARIO.toml -o DIR."
        )
    paths: dict[Path, str] = {}
    for name in scenarios:
        path = (out or baseline.FOLDER) / f"{Path(name).stem}.json"
        if path in paths:
            raise UsageError(
                f"{paths[path]} and {name} would both be recorded as {path}: rename one, or record "
                "them one by one with another -o DIR."
            )
        paths[path] = name
    folder = out or baseline.FOLDER
    with writing(folder):  # before anything is played; it is made when there is a baseline for it
        there = next(one for one in (folder, *folder.absolute().parents) if one.exists())
        TemporaryFile(dir=there).close()
    for path, name in paths.items():
        with ProgressBar(None, quiet=quiet) as bar:
            recorded = baseline.record(Path(name), engine, bar.advance)
        baseline.write(path, recorded)
        gates = len(recorded.deltas)
        say(
            f"Recorded: {path}, {recorded.plan.games:,} games, {gates} gates, alpha "
            f"{recorded.gate.alpha:.3g}, beta {recorded.gate.beta:.3g}"
        )


def _check(words: list[str], engine: Any, quiet: bool) -> tuple[dict[str, Any], int]:
    from analyzer import check as runner
    from analyzer.baseline import found_in
    from analyzer.engines.local import LocalEngine
    from reports.check_page import PASSED

    done = []
    with ProgressBar(None, quiet=quiet) as bar:
        for path in found_in(words):
            checked = runner.check(
                path, engine, LocalEngine(1), progress=bar.advance, commit_of=_commit_of
            )
            done.append(checked)
    verdict = runner.gravest([one.verdict for one in done])
    document = {
        "verdict": verdict,
        "passed": sum(one.verdict in PASSED for one in done),
        "count": len(done),
        "baselines": [one.document() for one in done],
    }
    return document, runner.EXIT_CODES[verdict]


def _try_to_write(junit: Path) -> None:
    """Raise UsageError when a report could not be written, before anything is played."""
    try:
        junit.open("ab").close()  # what is there stays until there is something better
    except OSError as error:
        raise UsageError(f"Cannot write {junit}: {error.strerror}.") from None


def _report(document: dict[str, Any], junit: Path | None) -> None:
    """Write what machines read: a JUnit file, and the summary of a GitHub job."""
    from reports import check_page

    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    try:
        if junit is not None:
            junit.write_bytes(check_page.junit(document))
        if summary:
            with open(summary, "a", encoding="utf-8") as stream:
                stream.write(check_page.markdown(document))
    except OSError as error:
        note(f"Cannot write {error.filename}: {error.strerror}.")


def _commit_of(path: Path) -> str | None:
    """Return the commit that last changed a file, where git knows it."""
    words = ["git", "log", "-1", "--format=%h", "--", path.name]
    try:
        done = subprocess.run(
            words, cwd=path.parent, capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None
