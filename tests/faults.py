"""A copy of the program with one rule changed, to see whether the gate notices."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("analyzer", "kernels", "reports")


@dataclass(frozen=True)
class Fault:
    """One rule that is changed by one.

    Attributes
    ----------
    file, line, instead
        What stands once in the file, and what stands there instead.
    metrics
        Metrics of which at least one must be named.
    """

    name: str
    file: str
    line: str
    instead: str
    metrics: tuple[str, ...]


ALL_ABOARD = (
    Fault(
        "a lion that weighs 8",
        "kernels/boats/aa_rules.py",
        "WEIGHTS = (0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)",
        "WEIGHTS = (0, 0, 2, 3, 4, 5, 6, 7, 8, 8, 10, 11)",
        ("capsize_rate", "kept_rate.lion"),
    ),
    Fault(
        "a cupid that is worth 1",
        "kernels/boats/cards.py",
        "POINTS_PER_CUPID = 2",
        "POINTS_PER_CUPID = 1",
        ("mean_score.seat0",),
    ),
    Fault(
        "a fox that does not jump",
        "kernels/boats/aa_rules.py",
        "jumping |= ((",
        "jumping |= 0 * ((",
        ("fox_jumps_per_game",),
    ),
)


def copy_with(fault: Fault | None, folder: Path) -> Path:
    """Copy the program into a folder, with a fault if there is one."""
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    if fault is not None:
        path = folder / fault.file
        text = path.read_text(encoding="utf-8")
        assert text.count(fault.line) == 1, fault
        path.write_text(text.replace(fault.line, fault.instead), encoding="utf-8")
    return folder


def run_in(folder: Path, *words: object, **environment: str) -> subprocess.CompletedProcess:
    """Run the copy's command line."""
    return subprocess.run(
        [sys.executable, "-m", "analyzer", *map(str, words)],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(folder), **environment},
        check=False,
    )
