"""What can go wrong, and the exit code that says so.

Every message is one sentence or two for a person: what, where, the choices and the fix. The exit
codes are part of the contract with build scripts, so a crash never looks like a regression.
"""

from __future__ import annotations

from collections.abc import Iterable

EXIT_OK = 0
EXIT_REGRESSION = 1
EXIT_USAGE = 2
EXIT_INCONCLUSIVE = 3
EXIT_BASELINE = 4
EXIT_NONDETERMINISM = 5
EXIT_INTERNAL = 70
EXIT_INTERRUPTED = 130


class AnalyzerError(Exception):
    """Something to be told in a sentence; subclasses fix the exit code.

    Attributes
    ----------
    exit_code
        Of the process.
    leaves_a_thread
        Whether a thread is still running that never ends.
    """

    exit_code = EXIT_INTERNAL
    leaves_a_thread = False


class UsageError(AnalyzerError):
    """Bad input: a name, a value, a file, a folder."""

    exit_code = EXIT_USAGE


class BaselineError(AnalyzerError):
    """A baseline that is missing or was made by something else."""

    exit_code = EXIT_BASELINE


class InternalError(AnalyzerError):
    """A fault of this program."""

    exit_code = EXIT_INTERNAL


class Interrupted(AnalyzerError):
    """The person pressed Ctrl-C."""

    exit_code = EXIT_INTERRUPTED


def did_you_mean(given: object, choices: Iterable[str]) -> str:
    """Return ``"Did you mean 'x'? "`` for a near miss, or nothing.

    Parameters
    ----------
    given
        What was written; anything but text is near to nothing.
    choices
        What could have been written.
    """
    from difflib import get_close_matches  # imported late: only needed when something is wrong

    if not isinstance(given, str):
        return ""
    by_fold = {choice.casefold(): choice for choice in choices}
    close = get_close_matches(given.casefold(), by_fold, n=1, cutoff=0.6)
    return f"Did you mean {by_fold[close[0]]!r}? " if close else ""


def unknown(what: str, given: object, choices: Iterable[str], where: str = "") -> str:
    """Word the error of an unknown name.

    Parameters
    ----------
    what
        Kind of thing, as in ``"strategy"``.
    given
        What was written.
    choices
        What there is, in the order to be listed.
    where
        Where it was written, as in ``"for all-aboard (seat 2)"``.

    Returns
    -------
    str
        ``Unknown strategy 'gredy' for all-aboard (seat 2). Did you mean 'greedy'? Choices: …``
    """
    choices = list(choices)
    place = f" {where}" if where else ""
    hint = did_you_mean(given, choices)
    listed = ", ".join(choices) if choices else "none"
    return f"Unknown {what} {given!r}{place}. {hint}Choices: {listed}."


def plural(count: float, one: str, many: str = "") -> str:
    """Return ``"1 game"`` or ``"2 games"``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
