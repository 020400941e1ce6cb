"""The games there are: one line each, imported when asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from analyzer.errors import UsageError, unknown

if TYPE_CHECKING:
    from analyzer.games.base import GameSpec

#: name: (alias, module with its SPEC)
GAMES: dict[str, tuple[str, str]] = {
    "all-aboard": ("aa", "analyzer.games.all_aboard"),
    "einer-geht-noch": ("egn", "analyzer.games.einer_geht_noch"),
    "gezanke-auf-der-planke": ("planke", "analyzer.games.gezanke_auf_der_planke"),
    "einfach-tierisch": ("tierisch", "analyzer.games.einfach_tierisch"),
}


def names() -> list[str]:
    """Return the names of all games, in order."""
    return list(GAMES)


def canonical(name: str) -> str:
    """Return a game's name from its name or alias, whatever the case.

    Raises
    ------
    UsageError
        When there is no such game; the message lists the games.
    """
    folded = name.strip().casefold().replace("_", "-")
    for game, (alias, _) in GAMES.items():
        if folded in (game, alias):
            return game
    raise UsageError(unknown("game", name, GAMES))


def is_game(name: str) -> bool:
    """Tell whether there is a game of this name or alias."""
    try:
        canonical(name)
    except UsageError:
        return False
    return True


def load(name: str) -> GameSpec:
    """Return the specification of a game by its name or alias."""
    _, module = GAMES[canonical(name)]
    return import_module(module).SPEC
