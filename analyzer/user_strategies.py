"""Somebody's own strategies: ``./mine.py:cautious`` to compiled code, or to a sentence that helps."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from types import ModuleType

from analyzer import registry
from analyzer.cache import kernel_module
from analyzer.errors import UsageError, unknown

#: What a strategy function is called with.
PARAMETERS = ("view", "legal", "stream")


@dataclass(frozen=True)
class UserStrategy:
    """A strategy from a file of the user: what is compiled, and what it is called."""

    label: str
    function: str
    path: str
    source: str

    @property
    def module_name(self) -> str:
        """A name for the module that depends on what is in it."""
        return f"analyzer_user_{sha256((self.path + self.source).encode()).hexdigest()[:16]}"


def is_user_strategy(name: str) -> bool:
    """Tell whether a name means a function in a file, as in ``./mine.py:cautious``."""
    path, colon, _ = name.rpartition(":")
    return bool(colon) and path.endswith(".py")


@lru_cache(maxsize=64)
def compile_user(strategy: UserStrategy, game: str, catch: bool = True) -> Callable:
    """Compile a user's function for the one door of all strategies of a game.

    Parameters
    ----------
    strategy
        What to compile.
    game
        For which game.
    catch
        Whether an exception stops the game like an illegal move; else it leaves the kernel.

    Raises
    ------
    UsageError
        When the file does not run, has no such function, or Numba cannot compile it.
    """
    function = _find_function(strategy)
    plain = getattr(function, "py_func", function)
    _check_parameters(strategy, plain)
    if not plain.__name__.isidentifier():  # a lambda: the loop around it needs a name
        plain.__name__ = strategy.function
    try:
        compiled = registry.load(game).kernel().compile_strategy(plain, catch=catch)
    except Exception as error:  # Numba's errors have no common ancestor but this
        raise UsageError(
            f"Strategy {strategy.label!r} cannot be compiled: {_reason(error)} "
            "docs/strategies.md says what a strategy may use."
        ) from error
    if _draws_elsewhere(compiled):
        raise UsageError(
            f"Strategy {strategy.label!r} draws from np.random or random, so its games could not be "
            "played again. Draw from the strategy's own stream: random_below(stream, n) of "
            "kernels.rng."
        )
    return compiled


#: How machine code asks for the state of ``np.random`` and of ``random``.
_FOREIGN_STATES = ("numba_get_np_random_state", "numba_get_py_random_state")


def _draws_elsewhere(compiled: Callable) -> bool:
    """Tell whether compiled code, or a helper of it, draws from a generator that has no address."""
    if not hasattr(compiled, "inspect_llvm"):
        return False  # plain Python, with the JIT off
    return any(
        state in text for text in compiled.inspect_llvm().values() for state in _FOREIGN_STATES
    )


def _check_parameters(strategy: UserStrategy, function: Callable) -> None:
    given = list(inspect.signature(function).parameters.values())
    plain = [one for one in given if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    if len(plain) != len(PARAMETERS) or len(given) != len(PARAMETERS):
        names = f" ({', '.join(map(str, given))})" if given else ""
        raise UsageError(
            f"Strategy {strategy.label!r} must take {len(PARAMETERS)} arguments "
            f"({', '.join(PARAMETERS)}), not {len(given)}{names}."
        )


def _find_function(strategy: UserStrategy) -> Callable:
    module = ModuleType(strategy.module_name)
    module.__file__ = strategy.path
    sys.modules[strategy.module_name] = module
    kernel_module("kernels.abi")  # the file may import kernels: the cache must be chosen before
    try:
        with redirect_stdout(sys.stderr):  # what the file prints is not part of a result
            exec(compile(strategy.source, strategy.path, "exec"), module.__dict__)
    except Exception as error:
        line = getattr(error, "lineno", None) or line_of(error, strategy.path)
        at = f", line {line}" if line else ""
        raise UsageError(
            f"{strategy.path}{at} cannot be run: {type(error).__name__}: {error}."
        ) from error
    function = getattr(module, strategy.function, None)
    if inspect.isfunction(getattr(function, "py_func", function)):
        return function
    functions = [
        name
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    ]
    where = f"in {strategy.path}"
    raise UsageError(unknown("function", strategy.function, functions, where))


def line_of(error: BaseException, path: str) -> int | None:
    """Return the line of a file where an exception came from, the innermost one."""
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


#: What Numba says, and what the author of a strategy must know; groups of the pattern go into the
#: sentence. The first pattern that is found counts.
_ADVICE = (
    (
        r"Cannot modify readonly array",
        "the view is read-only, and so is an array from outside the function: keep notes in "
        "variables of the function instead.",
    ),
    (
        r"STORE_GLOBAL|DELETE_GLOBAL",
        "it assigns to a global variable: nothing is kept from one move to the next.",
    ),
    (
        r"Unknown attribute 'move' of type FunctionType|mismatch of arguments number: \d+ vs 5",
        "a built-in strategy is called by its move, which gets a name outside the function: "
        "greedy_move = greedy.move.",
    ),
    (
        r"Untyped global name '(\w+)': Cannot determine Numba type of <class 'function'>",
        "it calls {0}, a plain function: write @numba.njit above it.",
    ),
    (
        r"Untyped global name '(\w+)'",
        "it uses {0}, which compiled code cannot: only whole numbers, floats, tuples, arrays and "
        "functions that are compiled themselves.",
    ),
    (
        r"Unknown attribute '(\w+)' of type readonly array",
        "the view has no attribute {0!r}: its cells are read by their numbers, as view[see.SEAT].",
    ),
    (
        r"Unsupported array index type",
        "a cell is read by its number, as view[see.SEAT], not by a text or a float.",
    ),
    (r"name '(\w+)' is not defined", "the name {0!r} is not defined."),
    (r"Cannot unify (.+?) and (.+?) for '(\w+)", "the variable {2} is {0} here and {1} there."),
    (
        r"it returns none, not a whole number",
        "it must return a whole number, and returns nothing (or never returns).",
    ),
    (r"it returns (.+), not a whole number", "it must return a whole number, not {0}."),
    (r"Cannot bind 'args", "a function is called with the wrong arguments."),
    (r"Invalid use of .*", "an operation on values that it does not take."),
)


def _reason(error: Exception) -> str:
    """Return what is wrong, and in which line, as one sentence for the author of a strategy."""
    text = str(error)
    lines = [line.strip() for line in text.splitlines()]
    for pattern, advice in _ADVICE:
        found = re.search(pattern, text)
        if found:
            reason = advice.format(*found.groups())
            break
    else:
        told = [line for line in lines if line and not line.startswith(("Failed in", "-", ">>>"))]
        reason = (
            f"{(told or lines or [type(error).__name__])[0].partition('. Raised')[0].rstrip('.')}."
        )
    place = re.search(r'File "[^"]*", line (\d+)', text) or re.search(r" at \S+ \((\d+)\)", text)
    return f"line {place[1]}: {reason}" if place else reason
