"""The manifest of a run: everything needed to play it again, and what it ran on."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

from analyzer import __version__
from analyzer.cache import kernel_module, source_hash
from analyzer.engines.job import Job
from analyzer.errors import UsageError
from analyzer.scenario import Scenario

FORMAT = "tabletop-analyzer run/1"
RUNNING = "running"
COMPLETE = "complete"
_SOFTWARE = ("numpy", "numba", "llvmlite", "pyarrow")

#: What must agree for a folder to be continued, with the words for a message.
_IDENTITY = {
    "game": "game",
    "players": "players",
    "games": "number of games",
    "seed": "seed",
    "rulings": "rulings",
    "strategies": "source of a user's strategy",
    "rows": "choice of --rows",
    "rules_version": "rules version",
    "rng_scheme": "random number scheme",
    "kernels": "source code of the kernels",
    "block_size": "block size",
}


def machine() -> dict[str, Any]:
    """Return what the numbers were computed on."""
    processor = platform.processor()
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                processor = line.partition(":")[2].strip()
                break
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "cpu": processor,
        "cpus": os.cpu_count(),
        "python": platform.python_version(),
        **{name: metadata.version(name) for name in _SOFTWARE},
    }


def manifest_of(scenario: Scenario, job: Job, state: str, digest: str | None = None) -> dict:
    """Return the manifest of a run.

    Parameters
    ----------
    scenario, job
        What is played.
    state
        `RUNNING` or `COMPLETE`.
    digest
        Digest of all games, once they are played.
    """
    spec = scenario.spec
    return {
        "format": FORMAT,
        "state": state,
        "analyzer": __version__,
        "title": scenario.title,
        "description": scenario.description,
        "game": scenario.game,
        "players": list(scenario.players),
        "games": scenario.games,
        "seed": scenario.seed,
        "rulings": dict(scenario.rulings),
        "confidence": scenario.confidence,
        "strategies": {
            label: {"path": one.path, "function": one.function, "source": one.source}
            for label, one in job.user.items()
        },
        "rows": job.rows,
        "rules_version": spec.rules_version,
        "rng_scheme": kernel_module("kernels.rng").RNG_SCHEME,
        "kernels": source_hash(),
        "block_size": job.plan.size,
        "blocks": job.plan.blocks,
        "sums": {part.name: list(part.shape) for part in spec.kernel().sum_fields},
        "machine": machine(),
        "digest": digest,
        "again": scenario.command(),
    }


def check_fit(folder: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise UsageError where a folder's run does not continue the one that is wanted.

    Parameters
    ----------
    folder
        For the message.
    found, wanted
        Manifests: the folder's, and that of what is to be played.
    """
    for key, words in _IDENTITY.items():
        if found.get(key) != wanted[key]:
            differs = f"its {words} differs{_difference(found.get(key), wanted[key])}"
            raise UsageError(
                f"{folder} holds another run: {differs}. Nothing was changed. "
                "Choose another folder with -o."
            )


def _difference(found: object, wanted: object) -> str:
    """Return the two values where they are short enough to be shown."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        for key in wanted:
            if found.get(key) != wanted[key]:
                inner = _difference(found.get(key), wanted[key])
                return f" in {key}{inner}" if inner else f" in {key}"
    shown = [
        ",".join(map(str, value)) if isinstance(value, list) else str(value)
        for value in (found, wanted)
    ]
    return f" ({shown[0]} there, {shown[1]} now)" if max(map(len, shown)) <= 60 else ""
