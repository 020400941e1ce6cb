"""Where words go: results on stdout, everything else on stderr."""

from __future__ import annotations

import codecs
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType
from typing import Any

from analyzer import cache

#: A progress bar appears when a run takes longer than this.
PATIENCE_SECONDS = 1.0
#: Width of tables that go to a file or a pipe.
PLAIN_WIDTH = 110
ESCAPED = "analyzer.escaped"


def prepare_streams() -> None:
    """Let no command fail because of what the streams are that it was started with.

    A closed one (``>&-``) leads nowhere, and what a terminal cannot show is written as in JSON.
    """

    def escaped(error: UnicodeError) -> tuple[str, int]:
        text = error.object[error.start : error.end]
        return "".join(json.dumps(letter)[1:-1] for letter in text), error.end

    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115  as long as the process
            setattr(sys, name, nowhere)
    codecs.register_error(ESCAPED, escaped)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # not where somebody reads the output in this process
            stream.reconfigure(errors=ESCAPED)


def note(text: str) -> None:
    """Say something beside the result; it is no failure if that cannot be written."""
    with suppress(OSError):
        print(text, file=sys.stderr)


def silence() -> None:
    """Let the rest of the results go nowhere: nobody reads on, as in ``analyzer games | head -1``.

    The command goes on to its own exit code: a regression is one whether or not it is read to the end.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def say(text: str) -> bool:
    """Print a result; return whether somebody reads on."""
    try:
        print(text)
    except BrokenPipeError:  # here, since the parser of the command line would exit with 1
        silence()
        return False
    return True


def flush() -> None:
    """Write out the results printed so far."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence()


def show(part: Any) -> None:
    """Print a table, or a line as it is: a command is pasted, so it is never wrapped."""
    if isinstance(part, str):
        say(part)
        return
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            silence()  # rich would exit with 1, which means a regression here

    console = Plain(width=None if sys.stdout.isatty() else PLAIN_WIDTH, highlight=False)
    fit_columns(part, console)
    console.print(part)


def fit_columns(table: Any, console: Any) -> None:
    """Choose the columns' widths; a table is wider than a terminal that would cut a number or a word.

    Parameters
    ----------
    table
        A `rich.table.Table` as `reports.text.table` makes it. Modified in place.
    console
        Its width grows if need be.
    """
    from rich.measure import Measurement

    endless = console.options.update(width=1 << 16)
    widths, least = [], []
    for column in table.columns:
        sizes = [Measurement.get(console, endless, cell) for cell in (column.header, *column.cells)]
        widths.append(max(size.maximum for size in sizes))
        least.append(widths[-1] if column.no_wrap else max(size.minimum for size in sizes))
    around = 3 * len(widths) - 1  # spaces between the columns, and at both ends
    while sum(widths) + around > console.width:
        room, widest = max(
            (widths[k] if widths[k] > least[k] else 0, k) for k in range(len(widths))
        )
        if room == 0:
            break
        widths[widest] -= 1
    for column, width in zip(table.columns, widths, strict=True):
        column.width = width
    console.width = max(console.width, sum(widths) + around)


def say_json(document: object) -> None:
    """Print one JSON document."""
    from analyzer.jsonout import dumps

    say(dumps(document))


def answer(document: object, as_json: bool, page: Callable[[], Iterable[Any]]) -> None:
    """Print what a command found: the document, or the page of tables and lines made of it.

    Parameters
    ----------
    document
        For ``--json``.
    as_json
        Whether that is wanted.
    page
        Makes the parts of the page; called only when they are printed.
    """
    if as_json:
        say_json(document)
        return
    for part in page():
        show(part)


def notes(quiet: bool) -> Callable[[str], None]:
    """Return where sentences for the person go: to stderr, or nowhere."""
    from analyzer.progress import silence

    return silence if quiet else note


class ProgressBar:
    """A bar with rate and time left on stderr, on a terminal, once a run takes over a second.

    Parameters
    ----------
    total
        Games to play; None when nobody knows beforehand.
    quiet
        Never show it.
    """

    def __init__(self, total: int | None, *, quiet: bool) -> None:
        cache.tell_compiling(notes(quiet))
        self.total = total
        self.wanted = not quiet and sys.stderr.isatty()
        self.done = 0
        self.began = time.monotonic()
        self.bar: Any = None
        self.task: Any = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def advance(self, games: int) -> None:
        """Count games as played."""
        self.done += games
        if not self.wanted:
            return
        if self.bar is None:
            if time.monotonic() - self.began < PATIENCE_SECONDS:
                return
            self._open()
        self.bar.update(self.task, completed=self.done, rate=self._rate())

    def _rate(self) -> str:
        return f"{self.done / max(time.monotonic() - self.began, 1e-9):,.0f} games/s"

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        self.bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self.task = self.bar.add_task("games", total=self.total, rate="")
        self.bar.start()
