"""The complete description of an experiment: from flags, from TOML, and back to both."""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from analyzer import registry
from analyzer.errors import UsageError, unknown
from analyzer.games.base import GameSpec
from analyzer.lineup import compact, parse_players, proper_names, split_name
from analyzer.quantities import parse_confidence, parse_games, parse_seed, parse_whole
from analyzer.user_strategies import is_user_strategy

DEFAULT_GAMES = 100_000
DEFAULT_SEED = 1
DEFAULT_CONFIDENCE = 0.95

#: Keys of a scenario file, in the order in which they are written.
KEYS = (
    "title",
    "description",
    "game",
    "players",
    "seats",
    "games",
    "seed",
    "confidence",
    "rulings",
    "components",
    "check",
)
_TABLES = ("rulings", "components", "check")


class Scenario(BaseModel):
    """An experiment, complete and checked.

    Attributes
    ----------
    game
        Canonical name.
    players
        One strategy a seat.
    games
        How many games are played: games 0 to ``games - 1`` of the seed.
    seed
        Master seed.
    rulings
        Every ruling of the game, in canonical form.
    confidence
        Level of all intervals.
    title, description
        Text of whoever wrote the file; no result depends on it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: str
    players: tuple[str, ...]
    games: int
    seed: int
    rulings: dict[str, Any]
    confidence: float
    title: str = ""
    description: str = ""

    @property
    def spec(self) -> GameSpec:
        """The game's specification."""
        return registry.load(self.game)

    def with_settings(
        self,
        *,
        players: tuple[str, ...] | None = None,
        games: int | None = None,
        rulings: Mapping[str, Any] | None = None,
    ) -> Scenario:
        """Return the scenario with other players, games or rulings, all of them canonical.

        Raises
        ------
        UsageError
            When strategies and rulings do not go together.
        """
        names = self.players if players is None else players
        settings = {**self.rulings, **(rulings or {})}
        self.spec.check(proper_names(names), settings)
        return self.model_copy(
            update={
                "players": tuple(names),
                "games": self.games if games is None else games,
                "rulings": settings,
            }
        )

    def to_toml(self, folder: Path | None = None) -> str:
        """Return the scenario as a file that `read` turns into the same scenario.

        Parameters
        ----------
        folder
            Where the file will lie, if not here: files of users' strategies are named from there.
        """
        lines = [
            f"{key} = {_toml_text(value)}"
            for key, value in (("title", self.title), ("description", self.description))
            if value
        ]
        players = self.players if folder is None else [_from(folder, one) for one in self.players]
        names = ", ".join(_toml_text(name) for name in players)
        lines += [
            f"game = {_toml_text(self.game)}",
            f"players = [{names}]",
            f"games = {self.games:_}",
            # TOML's integers are signed: a seed above 2**63 is written as text.
            f"seed = {self.seed if self.seed < 1 << 63 else _toml_text(str(self.seed))}",
            f"confidence = {self.confidence!r}",
        ]
        changed = self.spec.changed(self.rulings)
        for table, component in (("rulings", False), ("components", True)):
            chosen = [one for one in self.spec.rulings if one.component is component]
            settings = [
                f"{one.name} = {_toml_value(changed[one.name])}"
                for one in chosen
                if one.name in changed
            ]
            if settings:
                lines += ["", f"[{table}]", *settings]
        return "\n".join(lines) + "\n"

    def arguments(self, *, games: bool = True) -> list[str]:
        """Return the arguments that give the same scenario on a command line."""
        words = [self.game, "--players", compact(self.players), "--seed", str(self.seed)]
        if games:
            words += ["-n", str(self.games)]
            if self.confidence != DEFAULT_CONFIDENCE:
                words += ["--confidence", repr(self.confidence)]
        return words + self.spec.flags(self.spec.changed(self.rulings))

    def command(self) -> str:
        """Return the command that plays the scenario again."""
        return shlex.join(["analyzer", "simulate", *self.arguments()])

    def replay_command(self, index: int) -> str:
        """Return the command that tells one of its games move by move."""
        words = self.arguments(games=False)
        return shlex.join(["analyzer", "replay", *words, "--game", str(index)])


def _toml_text(text: str) -> str:
    """Return a TOML basic string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda c: f"\\u{ord(c[0]):04x}", escaped) + '"'


def _toml_value(value: Any) -> str:
    return str(value) if isinstance(value, int | float) else _toml_text(str(value))


@dataclass
class Settings:
    """What a file or a command line says, before it is checked and completed.

    Attributes
    ----------
    values
        Any of KEYS; `rulings` and `components` are mappings.
    place
        Says where a key stands, for messages: ``(key,) -> "in four.toml, line 3, column 1"``.
    """

    values: dict[str, Any] = field(default_factory=dict)
    place: Callable[..., str] = lambda *_: ""


def read(path: str | Path) -> Settings:
    """Read a scenario file.

    Raises
    ------
    UsageError
        When it cannot be read, is not TOML, or has a key that means nothing; the message names
        file, line and column.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"The scenario {path} is not a text in UTF-8.") from None
    except OSError as error:
        raise UsageError(f"Cannot read the scenario {path}: {error.strerror}.") from None
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(_toml_error(path, text, error)) from None

    def place(*keys: str) -> str:
        line, column = _find(text, keys)
        return f"in {path}, line {line}, column {column}"

    for key, value in values.items():
        if key not in KEYS:
            raise UsageError(unknown("key", key, KEYS, place(key)))
        if key in _TABLES and not isinstance(value, dict):
            raise UsageError(f"[{key}] must be a table of settings {place(key)}.")
    if "game" not in values:
        games = ", ".join(registry.names())
        raise UsageError(f"{path} does not name a game. Write game = NAME. Choices: {games}.")
    _anchor_files(values, path.parent)
    return Settings(values, place)


def _anchor_files(values: dict[str, Any], folder: Path) -> None:
    """Make user strategies relative to the scenario's folder, as whoever wrote it means."""
    players = values.get("players")
    items = players.split(",") if isinstance(players, str) else players
    if not isinstance(items, list):
        return
    values["players"] = [
        str(folder / item.strip())
        if isinstance(item, str) and is_user_strategy(item.partition("*")[0].strip())
        else item
        for item in items
    ]


def _from(folder: Path, name: str) -> str:
    """Return a strategy's name with the path of a user's file as it is from a folder."""
    path, colon, rest = name.rpartition(":")
    if not is_user_strategy(split_name(name)[0]) or os.path.isabs(path):
        return name
    return f"{os.path.relpath(path, folder)}{colon}{rest}"


def _toml_error(path: Path, text: str, error: tomllib.TOMLDecodeError) -> str:
    message = str(error)
    match = re.search(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$", message)
    if match and match[1]:
        line, column = int(match[1]), int(match[2])
    else:
        lines = text.splitlines() or [""]
        line, column = len(lines), len(lines[-1]) + 1
    reason = message[: match.start()] if match else message
    return f"The scenario {path} is not valid TOML, line {line}, column {column}: {reason}."


def _find(text: str, keys: tuple[str, ...]) -> tuple[int, int]:
    """Return line and column of a key of a TOML text, as far as lines tell."""
    table, wanted = "", keys[-1]
    parent = keys[0] if len(keys) > 1 else ""
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[\s*([\w.-]+)\s*\]", line)
        if header:
            table = header[1]
            if table == wanted and not parent:
                return number, line.index("[") + 1
        key = re.match(rf"\s*(?:{re.escape(parent)}\s*\.\s*)?[\"']?({re.escape(wanted)})\b", line)
        if key and table in (parent, ""):
            return number, key.start(1) + 1
    return 1, 1


def build(base: Settings, flags: Settings) -> Scenario:
    """Complete and check a scenario; flags go over the file.

    Parameters
    ----------
    base
        From a file, or just the game.
    flags
        From the command line.

    Raises
    ------
    UsageError
        Naming what is wrong, where, and the choices.
    """

    def pick(key: str) -> tuple[Any, str]:
        for settings in (flags, base):
            if settings.values.get(key) is not None:
                return settings.values[key], settings.place(key)
        return None, ""

    def number(key: str, parse: Callable[..., Any], default: Any) -> Any:
        value, place = pick(key)
        return default if value is None else parse(value, where=place)

    def text(key: str) -> str:
        value, place = pick(key)
        if value is not None and not isinstance(value, str):
            raise UsageError(f"{key} must be a text {place}.")
        return value or ""

    game, place = pick("game")
    if not isinstance(game, str):
        raise UsageError(f"game must be a name {place}. Choices: {', '.join(registry.names())}.")
    try:
        spec = registry.load(game)
    except UsageError:
        raise UsageError(unknown("game", game, registry.names(), place)) from None
    players, place = pick("players")
    names = parse_players(players, spec, _seats(spec, base, flags), place)
    rulings = spec.complete({**_rulings(spec, base), **_rulings(spec, flags)})
    spec.check(proper_names(names), rulings)
    return Scenario(
        game=spec.name,
        players=names,
        games=number("games", parse_games, DEFAULT_GAMES),
        seed=number("seed", parse_seed, DEFAULT_SEED),
        confidence=number("confidence", parse_confidence, DEFAULT_CONFIDENCE),
        rulings=rulings,
        title=text("title"),
        description=text("description"),
    )


def _seats(spec: GameSpec, base: Settings, flags: Settings) -> int | None:
    """Return the number of seats where something other than the list of strategies fixes it."""

    def given(settings: Settings) -> int | None:
        value = settings.values.get("seats")
        if value is None:
            return None
        return parse_whole(value, "seats", *spec.players, where=settings.place("seats"))

    players = flags.values.get("players")
    if given(flags) is not None or players is None:
        return given(flags) or given(base)
    alone = isinstance(players, str) and not any(mark in players for mark in ",*")
    if not alone or players.strip().isdecimal():
        return None
    # One name on the command line sits on every seat that the file has.
    if given(base) is None and base.values.get("players") is not None:
        return len(parse_players(base.values["players"], spec, None, base.place("players")))
    return given(base)


def _rulings(spec: GameSpec, settings: Settings) -> Mapping[str, Any]:
    chosen = {}
    for table in ("rulings", "components"):
        for name, value in settings.values.get(table, {}).items():
            place = settings.place(table, name)
            chosen[name] = spec.parse_ruling(name, value, place)
    return chosen


def is_file_name(target: str) -> bool:
    """Tell whether a target means a scenario file rather than a game."""
    return target.endswith(".toml") or "/" in target or Path(target).is_file()
