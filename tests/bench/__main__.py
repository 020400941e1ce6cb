"""`make bench`: games per second, each kernel beside a plain C program, in one run.

Speeds are ratios of what the same machine did in the same minutes: the kernel and the C program take
turns, and the fastest pass of each counts. Nothing here is a test; no threshold fails a build.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.table import Table

from analyzer.cache import prepare

prepare()

from analyzer import registry  # noqa: E402  (numba's cache must be chosen first)
from tests.bench.kernels import Bench, door_cost, strategy_cost  # noqa: E402

#: What one thread takes for a pass that is compared with the same on two.
SCALING_SECONDS = 0.2
C_FOLDER = Path(__file__).parent / "c"
C_SOURCES = {
    "all-aboard": "all_aboard.c",
    "einer-geht-noch": "einer_geht_noch.c",
    "gezanke-auf-der-planke": "planke.c",
    "einfach-tierisch": "tierisch.c",
}


def compile_c(source: Path, folder: Path) -> Path | None:
    """Compile a C program; None when there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    program = folder / source.stem
    flags = ["-O3", "-march=native", "-o", str(program), str(source)]
    subprocess.run([compiler, *flags], check=True)
    return program


def c_seconds(program: Path, games: int) -> float:
    """Run a C program and return the seconds of its play loop."""
    done = subprocess.run([program, str(games), "1"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["seconds"]


def kernel_seconds(bench: Bench, games: int) -> float:
    """Return the seconds that a kernel takes on one thread."""
    begin = time.perf_counter()
    bench.play(0, games)
    return time.perf_counter() - begin


def scaling(bench: Bench, passes: int, games: int) -> float:
    """Return how many times as fast two threads are as one, on the same blocks of games."""
    benches = [bench, bench.copy()]
    # Long enough for the start of a thread not to matter, short enough for some pass to be undisturbed.
    blocks = max(int(SCALING_SECONDS / kernel_seconds(bench, games)), 2) // 2 * 2

    def seconds(pool: ThreadPoolExecutor, threads: int) -> float:
        begin = time.perf_counter()
        jobs = [pool.submit(one.play_blocks, games, blocks // threads) for one in benches[:threads]]
        for job in jobs:
            job.result()
        return time.perf_counter() - begin

    with ThreadPoolExecutor(2) as pool:
        one, two = fastest(passes, lambda: seconds(pool, 1), lambda: seconds(pool, 2))
    return one / two


def fastest(passes: int, *measures: Callable[[], float]) -> list[float]:
    """Take turns at several measures and return the least of each."""
    least = [float("inf")] * len(measures)
    for _ in range(passes):
        for k, measure in enumerate(measures):
            least[k] = min(least[k], measure())
    return least


def cpu_seconds(*arguments: str, **environment: str) -> float:
    """Run the command line and return its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "analyzer", *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def speed_table(passes: int, games: int, folder: Path) -> Table:
    """Measure every game's random play against its C program."""
    table = Table(title="Random play, 4 seats, one thread; games per second, fastest pass")
    for column in ("game", "kernel", "plain C", "ratio", "2 threads / 1"):
        table.add_column(column, justify="left" if column == "game" else "right")
    for name in registry.names():
        bench = Bench(name)
        bench.play(0, 64)  # compiles
        program = compile_c(C_FOLDER / C_SOURCES[name], folder) if name in C_SOURCES else None
        measures = [lambda bench=bench: kernel_seconds(bench, games)]
        if program is not None:
            measures.append(lambda program=program: c_seconds(program, games))
        one, *c = fastest(passes, *measures)
        two = scaling(bench, passes // 2, games)
        plain = f"{games / c[0]:,.0f}" if c else "no compiler"
        ratio = f"{c[0] / one:.2f}" if c else "-"
        table.add_row(name, f"{games / one:,.0f}", plain, ratio, f"{two:.2f}")
    return table


def start_table() -> Table:
    """Measure the start of the command line, with and without compiled kernels at hand."""
    table = Table(title="CPU seconds of a command, least of 5 (cold: once)")
    table.add_column("command")
    table.add_column("seconds", justify="right")
    simulate = ("simulate", "all-aboard", "-n", "1000")
    with tempfile.TemporaryDirectory() as empty:
        cold = cpu_seconds(*simulate, ANALYZER_CACHE_DIR=empty)
        (warm,) = fastest(5, lambda: cpu_seconds(*simulate, ANALYZER_CACHE_DIR=empty))
    (help_,) = fastest(5, lambda: cpu_seconds("--help"))
    table.add_row("analyzer --help", f"{help_:.2f}")
    table.add_row("analyzer simulate all-aboard -n 1000, cached", f"{warm:.2f}")
    table.add_row("the same, nothing compiled yet", f"{cold:.1f}")
    return table


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--passes", type=int, default=40, help="turns of each measure")
    parser.add_argument("--games", type=int, default=16_384, help="games of a pass")
    options = parser.parse_args()
    console = Console(width=100)
    console.print(
        f"{platform.processor() or platform.machine()}, Python {platform.python_version()}"
    )
    with tempfile.TemporaryDirectory() as folder:
        console.print(speed_table(options.passes, options.games, Path(folder)))
        door, inlined = door_cost(options.passes, options.games, Path(folder))
    console.print(
        f"all-aboard, `random` through the strategy door: {door / inlined:.2f} x the time with "
        "the strategy inlined"
    )
    share = strategy_cost("einfach-tierisch", "own", options.passes, options.games)
    console.print(f"einfach-tierisch, `own`: {share:.2f} x the speed of `random`")
    console.print(start_table())


if __name__ == "__main__":
    main()
