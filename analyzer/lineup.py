"""Who sits where: ``greedy,random*2,./mine.py:cautious`` to names, names to compiled code.

A name may end in what the strategy is denied, as in ``greedy~late-bear`` (`Restriction`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from analyzer import registry
from analyzer.cache import kernel_module
from analyzer.errors import UsageError, unknown
from analyzer.games.base import GameSpec
from analyzer.games.layout import Restriction
from analyzer.user_strategies import UserStrategy, compile_user, is_user_strategy

DEFAULT_STRATEGY = "random"
#: Stands between a strategy and what it is denied.
WITHOUT = "~"


def split_name(name: str) -> tuple[str, tuple[str, ...]]:
    """Return a strategy's name proper and what it is denied: ``greedy~late-bear``.

    In ``~/mine.py:cautious`` the sign belongs to the path.
    """
    path, colon, rest = name.rpartition(":") if is_user_strategy(name) else ("", "", name)
    proper, *denied = rest.split(WITHOUT)
    return path + colon + proper, tuple(denied)


def proper_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the strategies' names without what they are denied."""
    return tuple(split_name(name)[0] for name in names)


def parse_players(
    value: object, spec: GameSpec, seats: int | None = None, where: str = ""
) -> tuple[str, ...]:
    """Return one strategy name a seat.

    Parameters
    ----------
    value
        ``"greedy,random*3"``, a list of such texts, a number of players (all `random`), or None.
        One name alone sits on every seat.
    spec
        The game.
    seats
        Number of players where it is fixed beforehand.
    where
        Place for messages.

    Raises
    ------
    UsageError
        On an unknown strategy, or a number of names that does not fit.
    """
    place = f" {where}" if where else ""
    if seats is not None:
        spec.check_players(seats, where)
    if value is None:
        value = DEFAULT_STRATEGY
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if isinstance(value, str) and value.strip().isdecimal():
        value = f"{DEFAULT_STRATEGY}*{spec.check_players(int(value), where)}"
    items = value.split(",") if isinstance(value, str) else value
    if not isinstance(items, Sequence) or not all(isinstance(item, str) for item in items):
        raise UsageError(
            f"players must be a text such as 'greedy,random*3', a list or a number{place}."
        )
    names = [name for item in items for name in _repeated(item, spec, place)]
    if len(names) == 1 and "*" not in items[0]:
        names *= seats or spec.default_players
    if seats is not None and len(names) != seats:
        raise UsageError(
            f"{len(names)} strategies for {seats} seats{place}. Name one for each seat, or one for "
            "all; 'random*3' stands for three."
        )
    spec.check_players(len(names), where)
    for seat, name in enumerate(names):
        proper, denied = split_name(name)
        if proper not in spec.strategies and not is_user_strategy(proper):
            at = f"for {spec.name} (seat {seat}){place}"
            if proper.endswith(".py"):
                raise UsageError(
                    f"{proper!r} {at} is a file of strategies: name the function as well, as in "
                    f"{proper}:FUNCTION."
                )
            choices = [*spec.strategies, "FILE.py:FUNCTION"]
            raise UsageError(unknown("strategy", proper, choices, at))
        spec.check_strategy_players(proper, len(names), where)
        for one in denied:
            spec.restriction(one, f"(seat {seat}){place}")
    return tuple(names)


def _repeated(item: str, spec: GameSpec, place: str) -> list[str]:
    name, star, times = item.strip().partition("*")
    name, times = name.strip(), times.strip()
    if not name:
        raise UsageError(f"A strategy's name is empty in {item!r}{place}.")
    if not star:
        return [name]
    most = spec.players[1]
    if not times.isdecimal() or not 1 <= int(times) <= most:
        raise UsageError(f"{item.strip()!r}: after '*' comes a number from 1 to {most}{place}.")
    return [name] * int(times)


def seated(one: str, others: Sequence[str], seat: int) -> tuple[str, ...]:
    """Return a lineup: a strategy on a seat, the others around it in their order."""
    return (*others[:seat], one, *others[seat:])


def compact(names: Sequence[str]) -> str:
    """Return the shortest text that `parse_players` reads back: ``greedy,random*3``."""
    runs: list[list] = []
    for name in names:
        if runs and runs[-1][0] == name:
            runs[-1][1] += 1
        else:
            runs.append([name, 1])
    return ",".join(name if times == 1 else f"{name}*{times}" for name, times in runs)


def read_user_strategies(names: Sequence[str]) -> dict[str, UserStrategy]:
    """Read the files of all user strategies among the names.

    Raises
    ------
    UsageError
        When a file cannot be read.
    """
    found = {}
    for name in dict.fromkeys(proper_names(names)):
        if not is_user_strategy(name):
            continue
        path, _, function = name.rpartition(":")
        try:
            source = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not a text in UTF-8"
            raise UsageError(f"Cannot read {path} for the strategy {name!r}: {reason}.") from None
        found[name] = UserStrategy(name, function, path, source)
    return found


def denials(name: str, spec: GameSpec) -> list[Restriction]:
    """Return what a seat's name says that it is denied."""
    return [spec.restriction(one) for one in split_name(name)[1]]


def deny_effects(setup: np.ndarray, names: Sequence[str], spec: GameSpec) -> None:
    """Take from the seats the effects that their names say they are denied, in place of `setup`."""
    for seat, name in enumerate(names):
        for one in denials(name, spec):
            if not one.hide:
                spec.deny_effect(setup, seat, one.what)


def compiled(
    names: Sequence[str],
    spec: GameSpec,
    user: Mapping[str, UserStrategy],
    *,
    catch: bool = True,
) -> tuple[Callable, ...]:
    """Return the compiled strategies of all seats, padded to the kernel's number of seats.

    Parameters
    ----------
    names
        One a seat.
    spec
        The game.
    user
        Sources of the user's strategies by label.
    catch
        Whether an exception of a user's strategy stops its game; else it leaves the kernel.
    """
    functions = [_compiled_one(name, spec, user, catch) for name in names]
    most = kernel_module("kernels.abi").MAX_SEATS
    return tuple(functions + functions[:1] * (most - len(functions)))


def _compiled_one(
    name: str, spec: GameSpec, user: Mapping[str, UserStrategy], catch: bool
) -> Callable:
    """Return a seat's compiled strategy, denied what its name says."""
    proper, _ = split_name(name)
    own = user.get(proper)
    hidden = tuple(one.name for one in denials(name, spec) if one.hide)
    if hidden:
        return _restricted(proper, hidden, spec.name, own, catch)
    return compile_user(own, spec.name, catch) if own else spec.kernel().strategies[proper]


@lru_cache(maxsize=256)
def _restricted(
    proper: str, denied: tuple[str, ...], game: str, own: UserStrategy | None, catch: bool
) -> Callable:
    """Compile a strategy that is denied something, once a process."""
    spec = registry.load(game)
    kernel = spec.kernel()
    function = compile_user(own, game, catch) if own else kernel.strategies[proper]
    restricted = kernel_module("kernels.restrict").restricted
    for one in map(spec.restriction, denied):
        hide = getattr(kernel.restrictions, one.hide)
        show = getattr(kernel.restrictions, one.show)
        function = restricted(function, hide, show, one.what)
    return function
