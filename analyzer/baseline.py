"""Regression baselines: what a scenario gave, in one file that can be reviewed, and whether it still does.

A baseline holds the integer sums of every block of a scenario with a pinned seed. `record` writes it and
`load` reads it; `analyzer.check` plays the scenario again and compares.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from analyzer import __version__
from analyzer.cache import kernel_module, source_hash
from analyzer.changes import Outcome, quantities
from analyzer.engines.job import BlockResult, Engine, Job
from analyzer.errors import BaselineError, UsageError, unknown
from analyzer.games.base import GameSpec, hex64
from analyzer.lineup import read_user_strategies
from analyzer.plan import Plan
from analyzer.progress import Progress, uncounted
from analyzer.quantities import parse_share, parse_whole
from analyzer.run_files import write_json
from analyzer.scenario import Scenario, Settings, build, read
from analyzer.simulate import Collector, RunResult, job_of
from reports.gates import Gate, detectable, games_needed
from reports.paired import jackknife_variance
from reports.text import is_rate

FORMAT = "tabletop-analyzer baseline/1"
FOLDER = Path("seeds/baselines")
#: Blocks of one look.
BLOCKS = 32
FEWEST_GAMES = BLOCKS * 8
MOST_LOOKS = 10
DEFAULTS = {"alpha": "1%", "beta": "10%", "extensions": 1}
#: Margins of what a scenario does not name: seats and headline metrics.
RATE_MARGIN = 0.02
MEAN_MARGIN = "5%"
_KEYS = (*DEFAULTS, "delta")


@dataclass(frozen=True)
class Baseline:
    """What was recorded.

    Attributes
    ----------
    scenario
        What to play; its games are those of one look.
    gate
        The levels, and how many looks there are.
    deltas
        Margin of every gated metric.
    plan
        Blocks of all looks.
    sums
        int64, shape ``(blocks, cells)``.
    fingerprints
        uint8, one for each game of the first look.
    document
        The file.
    """

    scenario: Scenario
    gate: Gate
    deltas: Mapping[str, float]
    plan: Plan
    sums: np.ndarray
    fingerprints: np.ndarray
    document: Mapping[str, Any]

    def result(self, looks: int, sums: np.ndarray | None = None) -> RunResult:
        """Return the result of the first looks: as recorded, or of other sums of the same blocks."""
        blocks = looks * BLOCKS
        plan = Plan(blocks * self.plan.size, self.plan.size)
        scenario = self.scenario.model_copy(update={"games": plan.games})
        return RunResult(scenario, plan, (self.sums if sums is None else sums)[:blocks])

    def job(self, *, rows: bool = False) -> Job:
        """Return the job of all looks."""
        return job_of(self.scenario, rows=rows, plan=self.plan)


def play_blocks(
    baseline: Baseline, engine: Engine, blocks: range, progress: Progress = uncounted
) -> np.ndarray:
    """Play some blocks of a baseline's plan; return int64 sums, shape ``(len(blocks), cells)``."""
    job = baseline.job()
    collector = Collector(baseline.scenario, job)

    def sink(result: BlockResult) -> None:
        collector.take(result)
        progress(job.plan.size)

    engine.play(job, blocks, sink)
    return collector.sums[blocks.start : blocks.stop]


def fingerprints(rows: np.ndarray, columns: Sequence[tuple[str, int]]) -> np.ndarray:
    """Return a byte for each game that changes, but for one time in 256, when its row does.

    Parameters
    ----------
    rows
        int64, shape ``(games, row cells)``.
    columns
        Names and cells that count.
    """
    mixed = np.zeros(len(rows), dtype=np.uint64)
    with np.errstate(over="ignore"):
        for _, cell in columns:
            mixed = (mixed ^ rows[:, cell].astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(29)
    return (mixed >> np.uint64(56)).astype(np.uint8)


def play_fingerprints(baseline: Baseline, engine: Engine, blocks: range) -> np.ndarray:
    """Return the fingerprints of the games of some blocks."""
    job = baseline.job(rows=True)
    columns = baseline.scenario.spec.kernel().row_columns(len(job.players))
    found: dict[int, np.ndarray] = {}

    def sink(result: BlockResult) -> None:
        found[result.index] = fingerprints(result.rows, columns)

    engine.play(job, blocks, sink)
    return np.concatenate([found[index] for index in blocks])


def block_digests(spec: GameSpec, sums: np.ndarray) -> list[str]:
    """Return the digest of every block."""
    return [hex64(int(word)) for word in spec.kernel().part("digest", sums)]


# --- recording


def record(path: Path, engine: Engine, progress: Progress = uncounted) -> Baseline:
    """Play a scenario file and return its baseline.

    Raises
    ------
    UsageError
        When the file is wrong, or a gate could not see its delta; the message says with how many
        games it could.
    """
    settings = read(path)
    scenario = build(settings, Settings())
    spec = scenario.spec
    gate, margins = _check_table(settings)
    if scenario.games % BLOCKS or scenario.games < FEWEST_GAMES:
        better = max(-(-scenario.games // BLOCKS) * BLOCKS, FEWEST_GAMES)
        raise UsageError(
            f"games must be a multiple of {BLOCKS} and at least {FEWEST_GAMES} for a baseline, not "
            f"{scenario.games:,} {settings.place('games')}. Write games = {better}."
        )
    plan = _plan(scenario, gate)
    empty = np.zeros((0, spec.kernel().sum_cells), dtype=np.int64)
    blank = Baseline(scenario, gate, {}, plan, empty, np.zeros(0, dtype=np.uint8), {})
    sums = play_blocks(blank, engine, range(plan.blocks), progress)
    marks = play_fingerprints(blank, engine, range(BLOCKS))
    whole = Outcome(blank.result(gate.looks, sums))
    deltas = _deltas(spec, whole, margins, settings)
    seen = _smallest_shifts(whole, deltas, gate)
    _refuse_blind(path, scenario, gate, deltas, seen)
    document = _document(scenario, gate, plan, sums, marks, whole, deltas, seen)
    return Baseline(scenario, gate, deltas, plan, sums, marks, document)


def _check_table(settings: Settings) -> tuple[Gate, Mapping[str, Any]]:
    """Return the levels and margins of a scenario's ``[check]`` table."""
    given = settings.values.get("check", {})
    for key in given:
        if key not in _KEYS:
            raise UsageError(unknown("key", key, _KEYS, settings.place("check", key)))
    table = {**DEFAULTS, **given}
    place = {key: settings.place("check", key) if key in given else "" for key in _KEYS}
    margins = table.get("delta", {})
    if not isinstance(margins, dict):
        raise UsageError(f"[check.delta] must be a table of margins {place['delta']}.")
    return _gate(table, place), margins


def _gate(table: Mapping[str, Any], place: Mapping[str, str] = MappingProxyType({})) -> Gate:
    """Return the levels of a ``[check]`` table; `place` says where its keys stand."""
    alpha, beta = (
        parse_share(table[key], key, 0.0, 0.5, place.get(key, "")) for key in ("alpha", "beta")
    )
    extensions = parse_whole(
        table["extensions"], "extensions", 0, MOST_LOOKS - 1, place.get("extensions", "")
    )
    return Gate(alpha, beta, extensions + 1)


def _plan(scenario: Scenario, gate: Gate) -> Plan:
    """Return the blocks of all looks."""
    return Plan(scenario.games * gate.looks, scenario.games // BLOCKS)


def _deltas(
    spec: GameSpec, whole: Outcome, margins: Mapping[str, Any], settings: Settings
) -> dict[str, float]:
    """Return the margin of every gated metric: what the scenario names, else the headlines."""
    headline = {metric.stem for metric in spec.metrics if metric.headline}
    defaults = {"win_rate", "mean_score", *headline}
    stems = {name.partition(".")[0] for name in whole.values}
    for name in margins:
        if name not in whole.values and name not in stems:
            choices = sorted(stems)
            place = settings.place("check.delta", name)
            raise UsageError(unknown("metric", name, choices, place))
    found = {}
    for name, one in whole.values.items():
        stem = name.partition(".")[0]
        given = margins.get(name, margins.get(stem))
        if given is None and (margins or stem not in defaults):
            continue
        if one["value"] is None:
            continue
        place = settings.place("check.delta", name if name in margins else stem) if given else ""
        found[name] = _margin(name, given, one["value"], place)
    return found


def _margin(name: str, given: object, value: float, place: str) -> float:
    """Return a margin: of a rate in points, of a mean absolute or, with a %, relative."""
    rate = is_rate(name)
    if given is None:
        given = RATE_MARGIN if rate else MEAN_MARGIN
    what = f"delta of {name}"
    if rate:
        return parse_share(given, what, 0.0, 1.0, place)
    if isinstance(given, str) and given.strip().endswith("%"):
        share = parse_share(given, what, 0.0, 10.0, place)
        return share * abs(value) if value else share
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0.0 < given < 1e12:
        where = f" {place}" if place else ""
        raise UsageError(
            f"{what} must be a number above 0 or a share such as '5%', not {given!r}{where}."
        )
    return float(given)


def _smallest_shifts(whole: Outcome, deltas: Mapping[str, float], gate: Gate) -> dict[str, float]:
    """Return the smallest shift that each gate sees."""
    found = {}
    games = whole.result.plan.games
    for name in deltas:
        without = whole.without[name]
        if not np.isfinite(without).all():
            continue
        error = max(jackknife_variance(without.tolist()), 0.0) ** 0.5
        if is_rate(name):
            error = max(error, 2.0 / games)  # what never happened may have happened next
        found[name] = detectable(error, len(without), len(deltas), gate)
    return found


def _refuse_blind(
    path: Path,
    scenario: Scenario,
    gate: Gate,
    deltas: Mapping[str, float],
    seen: Mapping[str, float],
) -> None:
    """Raise UsageError when a gate cannot see its delta."""
    blind = [name for name, delta in deltas.items() if seen.get(name, np.inf) > delta]
    if not blind:
        return
    unknown_ones = [name for name in blind if name not in seen]
    if unknown_ones:
        raise UsageError(
            f"{path}: {unknown_ones[0]} is not known in every group of games; give it no delta, or "
            "play more games."
        )
    needed = max(games_needed(scenario.games, seen[name], deltas[name]) for name in blind)
    needed = -(-needed // BLOCKS) * BLOCKS
    listed = "; ".join(
        f"{name} sees {seen[name]:.3g}, not {deltas[name]:.3g}" for name in blind[:5]
    )
    more = f" and {len(blind) - 5} more" if len(blind) > 5 else ""
    raise UsageError(
        f"{path}: with {gate.looks} x {scenario.games:,} games {len(blind)} of {len(deltas)} gates "
        f"cannot see their delta with a chance of {1 - gate.beta:.0%}: {listed}{more}. Write "
        f"games = {needed:_} or wider margins in [check.delta]."
    )


def _document(
    scenario: Scenario,
    gate: Gate,
    plan: Plan,
    sums: np.ndarray,
    marks: np.ndarray,
    whole: Outcome,
    deltas: Mapping[str, float],
    seen: Mapping[str, float],
) -> dict[str, Any]:
    spec = scenario.spec
    return {
        "format": FORMAT,
        "analyzer": __version__,
        "kernels": source_hash(),
        "rules_version": spec.rules_version,
        "rng_scheme": kernel_module("kernels.rng").RNG_SCHEME,
        "scenario": scenario.model_dump(mode="json"),
        "check": {"alpha": gate.alpha, "beta": gate.beta, "extensions": gate.looks - 1},
        "deltas": dict(deltas),
        "smallest_shifts_seen": {name: float(f"{value:.4g}") for name, value in seen.items()},
        "metrics": {
            name: {"value": one["value"], "ci": one["ci"], "n": one.get("n", plan.games)}
            for name, one in whole.values.items()
        },
        "blocks": {"count": plan.blocks, "games_each": plan.size},
        "digests": block_digests(spec, sums),
        "sums": {
            "layout": {one.name: list(one.shape) for one in spec.kernel().sum_fields},
            "int64_by_cell_zlib_base64": _packed(np.ascontiguousarray(sums.T)),
        },
        "fingerprints_zlib_base64": _packed(marks),
    }


def _packed(array: np.ndarray) -> str:
    """Return an array's bytes, little-endian, compressed, as text."""
    little = array.astype(array.dtype.newbyteorder("<"))
    return base64.b64encode(zlib.compress(little.tobytes(), 9)).decode()


def _unpacked(text: str, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    flat = np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype=dtype)
    return flat.reshape(shape)


def write(path: Path, baseline: Baseline) -> None:
    """Write a baseline: keys sorted, so that a difference can be read line by line."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, _sorted(baseline.document))
    except OSError as error:
        raise UsageError(f"Cannot write {path}: {error.strerror}.") from None


def _sorted(value: Any) -> Any:
    """Return a document with sorted keys, but for the layout of the sums, whose order matters."""
    if not isinstance(value, dict):
        return value
    return {
        key: value[key] if key in ("layout", "rulings") else _sorted(value[key])
        for key in sorted(value)
    }


# --- reading


def load(path: Path) -> Baseline:
    """Read a baseline and see whether it can be compared with what is played now.

    Raises
    ------
    BaselineError
        When it is missing, damaged, or of other rules or metrics; the message says what to do.
    """
    if path.is_dir():
        raise BaselineError(
            f"{path} holds no baseline. Record one with: analyzer check record SCENARIO.toml -o {path}."
        )
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BaselineError(
            f"Cannot read the baseline {path}: {error.strerror}. Record it with: "
            "analyzer check record SCENARIO.toml -o DIR."
        ) from None
    except (ValueError, RecursionError) as error:
        raise BaselineError(f"The baseline {path} is damaged: {error}. {_again(path)}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BaselineError(f"{path} is not a baseline of this version ({FORMAT}). {_again(path)}")
    try:
        return _parsed(path, document)
    except UsageError as error:  # a strategy, a value of a ruling or a file that is there no more
        raise BaselineError(f"{path}: {error} {_again(path)}") from None
    except (AttributeError, KeyError, TypeError, ValueError, zlib.error) as error:
        reason = str(error).splitlines()[0]
        raise BaselineError(
            f"The baseline {path} is damaged ({type(error).__name__}: {reason}). {_again(path)}"
        ) from None


def _again(path: Path) -> str:
    return (
        f"If that is meant, record it again: analyzer check record SCENARIO.toml -o {path.parent}."
    )


def _parsed(path: Path, document: Mapping[str, Any]) -> Baseline:
    scenario = Scenario.model_validate(document["scenario"])
    spec = scenario.spec
    rulings = set(scenario.rulings) ^ {one.name for one in spec.rulings}
    if rulings:
        raise BaselineError(
            f"{path} was recorded with other rulings ({', '.join(sorted(rulings))} added or "
            f"removed since). {_again(path)}"
        )
    if document["rules_version"] != spec.rules_version:
        raise BaselineError(
            f"{path} was recorded under the rules {document['rules_version']}; these are "
            f"{spec.rules_version}. {_again(path)}"
        )
    scenario = build(Settings(document["scenario"]), Settings())  # checks names and values
    read_user_strategies(scenario.players)
    kernel = spec.kernel()
    layout = {one.name: list(one.shape) for one in kernel.sum_fields}
    if document["sums"]["layout"] != layout:
        raise BaselineError(
            f"{path} has other sums than the kernel now: "
            f"{_named(document['sums']['layout'], layout)}. {_again(path)}"
        )
    gate = _gate(document["check"])
    plan = _plan(scenario, gate)
    if document["blocks"] != {"count": plan.blocks, "games_each": plan.size}:
        raise ValueError("blocks are not those of the scenario")
    shape = (kernel.sum_cells, plan.blocks)
    sums = _unpacked(document["sums"]["int64_by_cell_zlib_base64"], "<i8", shape)
    marks = _unpacked(document["fingerprints_zlib_base64"], "u1", (scenario.games,))
    baseline = Baseline(
        scenario,
        gate,
        document["deltas"],
        plan,
        np.ascontiguousarray(sums.T).astype(np.int64),
        marks,
        document,
    )
    now = quantities(baseline.result(1).document())
    if set(now) != set(document["metrics"]):
        raise BaselineError(
            f"{path} has other metrics than the game now: {_named(document['metrics'], now)}. "
            f"{_again(path)}"
        )
    for key in ("deltas", "smallest_shifts_seen"):
        for name, value in document[key].items():
            if name not in now or not 0.0 < value < math.inf:
                raise ValueError(f"{key} holds {name}: {value!r}")
    return baseline


def _named(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Return what was added and removed, in words."""
    added, removed = sorted(set(now) - set(before)), sorted(set(before) - set(now))
    parts = [
        f"{word} {', '.join(names[:5])}{' …' if len(names) > 5 else ''}"
        for word, names in (("added", added), ("removed", removed))
        if names
    ]
    return "; ".join(parts) or "their shapes differ"


def found_in(targets: Sequence[str | Path]) -> list[Path]:
    """Return the baselines that files and folders name; without any those of FOLDER.

    A folder without a baseline stands for itself: `load` says what is missing.
    """
    paths: list[Path] = []
    for target in [Path(one) for one in targets] or [FOLDER]:
        paths += sorted(target.glob("*.json")) or [target]
    return paths
