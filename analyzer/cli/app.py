"""The command ``analyzer``: its commands, and what an exit code means."""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

import typer

from analyzer import __version__, cache
from analyzer.cli import (
    check,
    compare,
    games,
    replay,
    report,
    resolve,
    simulate,
    solve,
    sweep,
    tournament,
)
from analyzer.cli.groups import Group
from analyzer.cli.output import flush, note, prepare_streams, silence
from analyzer.errors import (
    EXIT_INTERNAL,
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_USAGE,
    AnalyzerError,
)

DEBUG = "--debug"
#: What the operating system says when something does not fit.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

app = typer.Typer(
    name="analyzer",
    cls=Group,
    help="Monte Carlo strategy analyzer for table games.",
    epilog="Exit codes: 0 done; 1 regression found; 2 bad input; 3 inconclusive; "
    "4 baseline missing or incompatible; 5 nondeterminism; 70 internal error; 130 interrupted.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("games")(games.games)
app.command("simulate")(simulate.simulate)
app.command("compare")(compare.compare)
app.command("sweep")(sweep.sweep)
app.command("tournament")(tournament.tournament)
app.command("check")(check.check)
app.command("report")(report.report)
app.command("replay")(replay.replay)
app.command("resolve")(resolve.resolve)
app.add_typer(solve.app, name="solve")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"analyzer {__version__}")
        raise typer.Exit()


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
    debug: Annotated[
        bool, typer.Option(DEBUG, help="Show a traceback when something goes wrong.")
    ] = False,
) -> None:
    """Monte Carlo strategy analyzer for table games."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    Parameters
    ----------
    arguments
        Without the program's name; default: those of the process.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    prepare_streams()
    cache.tell_compiling(note)
    debug = DEBUG in words
    words = [word for word in words if word != DEBUG]
    _save_cpu_time()
    try:
        code = typer.main.get_command(app).main(
            args=words, prog_name="analyzer", standalone_mode=False
        )
        flush()
        if code == EXIT_INTERRUPTED:  # the parser takes a Ctrl-C for an exit with this code
            return _fail("Interrupted.", EXIT_INTERRUPTED)
        return code if isinstance(code, int) else EXIT_OK
    except SystemExit:
        # The parser's way to say that nobody reads its help; commands' own words go through `say`.
        silence()
        return EXIT_OK
    except (KeyboardInterrupt, typer.Abort):
        return _fail("Interrupted.", EXIT_INTERRUPTED)
    except AnalyzerError as error:
        if debug:
            raise
        code = _fail(str(error), error.exit_code)
        if error.leaves_a_thread:
            os._exit(code)  # nothing ends a thread that is in compiled code
        return code
    except Exception as error:
        if hasattr(error, "show") and hasattr(error, "exit_code"):  # the parser's own errors
            with suppress(OSError):
                error.show()
            return error.exit_code
        if debug:
            raise
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            silence()  # what is left of the result would fail once more
            return _fail(f"Cannot write the result: {error.strerror}.", EXIT_USAGE)
        return _fail(
            f"Internal error: {type(error).__name__}: {_first_line(error)} "
            f"Run it again with {DEBUG} to see where, and report it.",
            EXIT_INTERNAL,
        )


def _save_cpu_time() -> None:
    """Set what makes a short command twice as fast and changes no result."""
    # No kernel uses BLAS, whose idle threads would wait busily.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # Imports make more than a hundred thousand objects and no garbage; to look at them all takes 40 ms.
    gc.set_threshold(500_000, 20, 20)


def _first_line(error: Exception) -> str:
    lines = str(error).splitlines()
    return (lines[0] if lines else "no message").rstrip(".") + "."


def _fail(message: str, code: int) -> int:
    try:
        flush()
    except OSError:  # the message is what counts now
        silence()
    note(f"Error: {message}" if code != EXIT_INTERRUPTED else message)
    return code
