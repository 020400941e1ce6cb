"""One experiment in many variants, on the same deals: what `analyzer sweep` plays."""

from __future__ import annotations

import itertools
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from analyzer import simulate
from analyzer.changes import Outcome
from analyzer.engines.job import Engine
from analyzer.errors import UsageError, unknown
from analyzer.folders import SWEEP
from analyzer.games.base import GameSpec
from analyzer.games.kinds import Choice, Whole, every_value
from analyzer.lineup import compact, parse_players
from analyzer.progress import Note, Progress, silence, uncounted
from analyzer.run_files import write_files
from analyzer.scenario import Scenario

PLAYERS = "players"
EVERY = "*"
MOST_VARIANTS = 1000
#: A range of values without end is not meant.
MOST_VALUES = 200
RUNS = "runs"
DOCUMENT = "result.json"
_PREFIXES = ("rule.", "set.")
_NUMBERS = re.compile(r"[\d\s.,;-]*")
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:\.\.(\d+))?")
#: What is meant as one. A path may have two dots, too, and then the colon of FILE.py:FUNCTION.
_LIKE_RANGE = re.compile(r"[^:]*\.\.[^:]*")


@dataclass(frozen=True)
class Value:
    """One value of an axis: how it is called, and what it is."""

    label: str
    setting: Any


@dataclass(frozen=True)
class Axis:
    """What is varied, and over which values, in the order given.

    Attributes
    ----------
    key
        ``players``, or the name of a ruling or component.
    values
        Each once.
    file
        The TOML file that names them, or nothing.
    """

    key: str
    values: tuple[Value, ...]
    file: str = ""

    def argument(self) -> str:
        """Return the text that `parse_axis` reads back."""
        values = self.file or ";".join(_written(one.setting) for one in self.values)
        return f"{self.key}={values}"


@dataclass(frozen=True)
class Variant:
    """One scenario of a sweep, with the labels of its values by axis."""

    labels: Mapping[str, str]
    scenario: Scenario


def parse_axis(text: str, scenario: Scenario) -> Axis:
    """Read one ``--vary KEY=VALUES``.

    Parameters
    ----------
    text
        ``plank_length=17..24``, ``rule.lion_love=*``, ``tile_deck=decks.toml``, ``players=2..5`` or
        values separated by semicolons.
    scenario
        What is varied.

    Raises
    ------
    UsageError
        On a key or value that the game does not have.
    """
    key, sign, values = text.partition("=")
    key, values = key.strip(), values.strip()
    if not sign or not key or not values:
        raise UsageError(f"--vary takes KEY=VALUES, as in rule.lion_love=*, not {text!r}.")
    for prefix in _PREFIXES:
        key = key.removeprefix(prefix)
    spec = scenario.spec
    file = ""
    if key == PLAYERS:
        found = _player_values(values, scenario)
    elif key not in {one.name for one in spec.rulings}:
        choices = [PLAYERS, *(one.name for one in spec.rulings)]
        raise UsageError(unknown("parameter", key, choices, f"for {spec.name} in --vary"))
    elif values.endswith(".toml"):
        found, file = _named_values(key, values, spec), values
    else:
        found = _ruling_values(key, values, spec)
    unique = list({_written(value.setting): value for value in found}.values())
    _check_count(key, len(unique))
    return Axis(key, tuple(unique), file)


def _check_count(key: str, count: int) -> None:
    if count > MOST_VALUES:
        raise UsageError(f"--vary {key} has {count} values; at most {MOST_VALUES} are taken.")


def _ruling_values(key: str, values: str, spec: GameSpec) -> list[Value]:
    kind = spec.ruling(key).kind
    if values == EVERY:
        every = every_value(kind)
        if every is None:
            raise UsageError(
                f"--vary {key}=* needs a parameter with a list of values; write them out, separated "
                f"by semicolons ({key} takes {kind.describe()})."
            )
        _check_count(key, len(every))  # before they are written out: there may be a billion
        return [Value(str(one), one) for one in every]
    items = _items(values, commas=isinstance(kind, Choice | Whole))
    settings = [spec.parse_ruling(key, item, "in --vary") for item in items]
    return [Value(_written(one), one) for one in settings]


def _player_values(values: str, scenario: Scenario) -> list[Value]:
    spec = scenario.spec
    found = []
    # A lineup may have commas of its own, a list of numbers has none but between them.
    for item in _items(values, commas=_NUMBERS.fullmatch(values) is not None):
        if item.isdecimal():
            if len(set(scenario.players)) > 1:
                raise UsageError(
                    f"--vary players={values} gives numbers of players, but the scenario has "
                    f"several strategies ({compact(scenario.players)}). Write the lineups out, "
                    "separated by semicolons."
                )
            count = spec.check_players(int(item), "in --vary")
            item = f"{scenario.players[0]}*{count}"
        names = parse_players(item, spec, where="in --vary")
        found.append(Value(compact(names), names))
    return found


def _items(values: str, *, commas: bool) -> list[str]:
    """Return the values of a list, ranges written out."""
    parts = re.split(r"[;,]" if commas else ";", values)
    found: list[str] = []
    for part in map(str.strip, parts):
        match = _RANGE.fullmatch(part)
        if match is None and _LIKE_RANGE.fullmatch(part):
            raise UsageError(
                f"--vary {part}: a range goes from one whole number to another, as in 17..24 or "
                "10..40..5."
            )
        if match:
            low, high, step = int(match[1]), int(match[2]), int(match[3] or 1)
            if step < 1 or high < low or (high - low) // step >= MOST_VALUES:
                raise UsageError(
                    f"--vary {part}: a range goes upwards, as in 17..24 or 10..40..5, over at most "
                    f"{MOST_VALUES} values."
                )
            found += [str(number) for number in range(low, high + 1, step)]
        elif part:
            found.append(part)
    if not found:
        raise UsageError(f"--vary has no values in {values!r}.")
    return found


def _named_values(key: str, path: str, spec: GameSpec) -> list[Value]:
    """Read a TOML file of named values, as in ``light = "10:15,12:15"``."""
    try:
        named = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"Cannot read {path} of --vary: {error.strerror}.") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} of --vary is not valid TOML: {error}.") from None
    if not named:
        raise UsageError(f'{path} of --vary names nothing. Write lines such as light = "10:30".')
    return [
        Value(label, spec.parse_ruling(key, one, f"named {label!r} in {path}"))
        for label, one in named.items()
    ]


def _written(setting: Any) -> str:
    return compact(setting) if isinstance(setting, tuple) else str(setting)


@dataclass(frozen=True)
class Sweep:
    """What is played.

    Attributes
    ----------
    scenario
        What is varied.
    axes
        Over what; each key once.
    one_at_a_time
        The scenario as it is, then each value alone; otherwise every combination.
    """

    scenario: Scenario
    axes: tuple[Axis, ...]
    one_at_a_time: bool = False

    def variants(self) -> list[Variant]:
        """Return the scenarios; the first is what the others are compared with.

        It is the scenario's own where that is among them.

        Raises
        ------
        UsageError
            When a key is there twice, there are too many variants, or one cannot be played.
        """
        keys = [axis.key for axis in self.axes]
        twice = next((key for k, key in enumerate(keys) if key in keys[:k]), None)
        if twice is not None:
            raise UsageError(f"--vary {twice} is given twice; join its values with semicolons.")
        own = {axis.key: _own(self.scenario, axis) for axis in self.axes}
        if self.one_at_a_time:
            chosen = [own] + [
                {**own, axis.key: value}
                for axis in self.axes
                for value in axis.values
                if _written(value.setting) != _written(own[axis.key].setting)
            ]
        else:
            grid = itertools.product(*(axis.values for axis in self.axes))
            chosen = [dict(zip(keys, values, strict=True)) for values in grid]
        if len(chosen) > MOST_VARIANTS:
            raise UsageError(
                f"The sweep has {len(chosen):,} variants; at most {MOST_VARIANTS:,} are played. "
                "Vary less, or use --one-at-a-time."
            )
        base = {key: _written(value.setting) for key, value in own.items()}
        chosen.sort(key=lambda one: {k: _written(v.setting) for k, v in one.items()} != base)
        return [
            Variant({key: value.label for key, value in one.items()}, _varied(self.scenario, one))
            for one in chosen
        ]

    def command(self) -> str:
        """Return the command that plays it again."""
        words = ["analyzer", "sweep", *self.scenario.arguments()]
        for axis in self.axes:
            words += ["--vary", axis.argument()]
        return shlex.join(words + ["--one-at-a-time"] * self.one_at_a_time)

    def manifest(self) -> dict[str, Any]:
        """Return what a sweep folder says about itself."""
        return {
            "scenario": self.scenario.model_dump(mode="json"),
            "axes": [asdict(axis) for axis in self.axes],
            "one_at_a_time": self.one_at_a_time,
            "again": self.command(),
        }


def of_folder(folder: Path) -> Sweep:
    """Return the sweep of a folder."""

    def build(found: dict[str, Any]) -> Sweep:
        scenario = Scenario.model_validate(found["scenario"])
        where = f"in {folder / SWEEP.file}"
        axes = tuple(_kept_axis(one, scenario.spec, where) for one in found["axes"])
        return Sweep(scenario, axes, found["one_at_a_time"])

    return SWEEP.load(folder, build)


def _kept_axis(found: Mapping[str, Any], spec: GameSpec, where: str) -> Axis:
    """Return an axis from what a sweep folder says; a file of values is not read again."""
    key = found["key"]
    values = [
        Value(
            one["label"],
            parse_players(one["setting"], spec, where=where)
            if key == PLAYERS
            else spec.parse_ruling(key, one["setting"], where),
        )
        for one in found["values"]
    ]
    return Axis(key, tuple(values), found["file"])


def _own(scenario: Scenario, axis: Axis) -> Value:
    """Return the scenario's own value of an axis, under its name there if it has one."""
    setting = scenario.players if axis.key == PLAYERS else scenario.rulings[axis.key]
    for value in axis.values:
        if _written(value.setting) == _written(setting):
            return value
    return Value(_written(setting), setting)


def _varied(scenario: Scenario, values: Mapping[str, Value]) -> Scenario:
    players = values[PLAYERS].setting if PLAYERS in values else scenario.players
    rulings = {key: value.setting for key, value in values.items() if key != PLAYERS}
    return scenario.with_settings(players=players, rulings=rulings)


@dataclass(frozen=True)
class Swept:
    """A sweep that was played."""

    sweep: Sweep
    variants: tuple[Variant, ...]
    outcomes: tuple[Outcome, ...]

    def document(self) -> dict[str, Any]:
        """Return the JSON of ``analyzer sweep``; it is made once."""
        return self._document

    @cached_property
    def _document(self) -> dict[str, Any]:
        base, scenario = self.outcomes[0], self.sweep.scenario
        return {
            "game": scenario.game,
            "games": scenario.games,
            "seed": scenario.seed,
            "confidence": scenario.confidence,
            "scenario": scenario.command(),
            "varied": {
                axis.key: [value.label for value in axis.values] for axis in self.sweep.axes
            },
            "variants": [
                {
                    "values": dict(variant.labels),
                    "players": list(variant.scenario.players),
                    "rulings": dict(variant.scenario.rulings),
                    "digest": outcome.result.digest,
                    "again": variant.scenario.command(),
                    "quantities": outcome.values,
                    "changes": _changes(base, outcome) if k else {},
                }
                for k, (variant, outcome) in enumerate(
                    zip(self.variants, self.outcomes, strict=True)
                )
            ],
        }


def _changes(base: Outcome, outcome: Outcome) -> dict[str, dict[str, Any]]:
    found = {}
    for name in outcome.values:
        change = base.change(name, outcome)
        if change.value is not None:
            found[name] = {"value": change.value, "ci": list(change.interval), "p": change.p}
    return found


def play(
    sweep: Sweep,
    engine: Engine,
    *,
    folder: Path | None = None,
    progress: Progress = uncounted,
    note: Note = silence,
) -> Swept:
    """Play every variant on the same deals, in memory or into a folder that can be gone on with.

    Parameters
    ----------
    sweep
        What is played.
    engine
        Where.
    folder
        Keeps every variant as a run folder below ``runs/``; what is there already is not played
        again.
    progress, note
        Called with the games of each finished block, and with sentences for the person.
    """
    chosen = tuple(sweep.variants())
    if folder is not None:
        SWEEP.claim(folder, sweep.manifest())
    outcomes = tuple(Outcome(one) for one in _played(chosen, engine, folder, progress, note))
    return Swept(sweep, chosen, outcomes)


def _played(
    chosen: Sequence[Variant],
    engine: Engine,
    folder: Path | None,
    progress: Progress,
    note: Note,
) -> Iterator[simulate.RunResult]:
    from analyzer import runs

    for variant in chosen:
        if folder is None:
            yield simulate.play(variant.scenario, engine, progress=progress, note=note)
            continue
        path = folder / RUNS / run_name(variant.scenario)
        go_on = SWEEP.go_on(folder)
        yield runs.start(path, variant.scenario, engine, go_on=go_on, progress=progress)


def run_name(scenario: Scenario) -> str:
    """Return a name for a scenario's run folder: the same scenario, the same name."""
    from hashlib import sha256

    return sha256(scenario.to_toml().encode()).hexdigest()[:16]


def write(swept: Swept, folder: Path, shown: Sequence[str]) -> list[Path]:
    """Write a sweep's document, table and figure into its folder; return the files.

    Parameters
    ----------
    swept
        What was played.
    folder
        Where the files go.
    shown
        Names or stems of the metrics that are drawn, besides the seats' win rates.
    """
    from analyzer.jsonout import dumps
    from reports import sweeps
    from reports.frames import csv_text

    document = swept.document()
    frame = sweeps.sweep_frame(document)
    files = {
        DOCUMENT: (dumps(document) + "\n").encode(),
        "sweep.csv": csv_text(frame).encode(),
        **sweeps.figure_files(document, frame, shown),
    }
    return write_files(folder, files)
