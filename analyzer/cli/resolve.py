"""``analyzer resolve``: a position in JSON to its outcome and every step."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from analyzer.cli import options
from analyzer.cli.output import say, say_json
from analyzer.errors import EXIT_USAGE, UsageError

STDIN = Path("-")
BATCH_LINE = "line "
BYTE_ORDER_MARK = "\ufeff"  # some editors begin a file with it
#: Digits of a whole number in a position, more than any field takes.
MOST_DIGITS = 18


def resolve(
    game: options.GameArgument,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A position in JSON; - or nothing: stdin.")
    ] = STDIN,
    batch: Annotated[
        bool,
        typer.Option("--batch", help="A position a line; an answer a line, in order."),
    ] = False,
    words: Annotated[
        bool, typer.Option("--words", help="Print the steps in words instead of JSON.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON (always so, but for --words).")
    ] = False,
) -> None:
    """Resolve a position, with every step."""
    from analyzer import registry
    from analyzer.jsonout import dumps_line

    spec = registry.load(game)
    if words and (as_json or batch):
        raise UsageError("--words prints sentences: leave out --json and --batch.")
    if batch:
        failed = False
        with _opened(file) as lines:
            for answer in _answers(spec, lines):
                failed = failed or "error" in answer
                if not say(dumps_line(answer)):
                    break  # there may be no end of lines
        raise typer.Exit(EXIT_USAGE if failed else 0)
    with _opened(file) as stream:
        outcome = spec.resolve(_parse(_read(stream, file), str(file)))
    if words:
        for event in outcome["events"]:
            say(event["text"])
        return
    say_json(outcome)


def _answers(spec: Any, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    empty = 0  # lines since the last answer: at the end of a file they are nothing
    for number, line in enumerate(_decoded(lines), 1):
        if isinstance(line, str) and not line.strip():
            empty += 1
            continue
        for skipped in range(number - empty, number):
            yield {"error": f"{BATCH_LINE}{skipped} is empty; a position in JSON is needed."}
        empty = 0
        try:
            if isinstance(line, UsageError):
                raise UsageError(f"{BATCH_LINE}{number}: {line}")
            # Without its end, which would be a line of its own to the parser.
            yield spec.resolve(_parse(line.rstrip("\r\n"), f"{BATCH_LINE}{number}"))
        except UsageError as error:
            yield {"error": str(error)}


def _decoded(lines: Iterable[str]) -> Iterator[str | UsageError]:
    """Return the lines; bytes that are no UTF-8 spoil their own line only."""
    for line in lines:
        try:
            line.encode("utf-8")
        except UnicodeEncodeError:
            yield UsageError("it is not a text in UTF-8.")
        else:
            yield line


def _opened(file: Path) -> Any:
    """Return a stream that keeps foreign bytes as surrogates, to be told apart later."""
    try:
        if file == STDIN:
            return open(
                sys.stdin.fileno(), encoding="utf-8", errors="surrogateescape", closefd=False
            )
        return open(file, encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise UsageError(f"Cannot read {file}: {error.strerror}.") from None


def _read(stream: Any, file: Path) -> str:
    try:
        text = stream.read()
        text.encode("utf-8")
    except OSError as error:
        raise UsageError(f"Cannot read {file}: {error.strerror}.") from None
    except UnicodeEncodeError:
        raise UsageError(f"{_name(str(file))} is not a text in UTF-8.") from None
    return text


def _name(where: str) -> str:
    return "stdin" if where == "-" else where


def _parse(text: str, where: str) -> Any:
    def no_constant(name: str) -> Any:
        raise UsageError(f"{_name(where)}: {name} is not valid JSON.")

    def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise UsageError(f"{_name(where)}: the key {twice!r} is there twice.")
        return found

    def whole(digits: str) -> int:
        if len(digits) > MOST_DIGITS:
            raise UsageError(
                f"{_name(where)}: a number of {len(digits):,} digits stands there; no field takes "
                f"one of more than {MOST_DIGITS}."
            )
        return int(digits)

    text = text.removeprefix(BYTE_ORDER_MARK)
    if not text.strip():
        raise UsageError(f"{_name(where)} is empty; a position in JSON is needed.")
    try:
        return json.loads(
            text, parse_constant=no_constant, object_pairs_hook=no_duplicates, parse_int=whole
        )
    except json.JSONDecodeError as error:
        place = f"column {error.colno}"
        if not where.startswith(BATCH_LINE):
            place = f"line {error.lineno}, {place}"
        raise UsageError(f"{_name(where)} is not valid JSON, {place}: {error.msg}.") from None
    except RecursionError:
        raise UsageError(f"{_name(where)} is nested too deeply.") from None
