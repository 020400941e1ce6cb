"""The kernels as the bench plays them: four random seats, default rulings, no events."""

from __future__ import annotations

import inspect
import sys
import time
import warnings
from importlib import import_module
from pathlib import Path

import numpy as np
from numba.core.errors import NumbaWarning

from analyzer import registry
from analyzer.cache import kernel_module
from analyzer.engines.job import aligned_cells

SEATS = 4
SEED = 1
DOOR = "strategies[seat]("


class Bench:
    """A game's kernel with its arrays, ready to play blocks of games.

    Parameters
    ----------
    name : str
        Game.
    play_block : callable, optional
        Another build of the game's kernel.
    strategy : str
        Who sits on every seat.
    """

    def __init__(self, name: str, play_block=None, strategy: str = "random") -> None:
        spec = registry.load(name)
        kernel = spec.kernel()
        self.name = name
        self.play_block = play_block or kernel.play_block
        self.strategy = strategy
        rulings = spec.complete({})
        setup = spec.encode_setup(SEATS, rulings)
        self.setup = spec.add_tables(setup, [strategy] * SEATS, rulings, print)
        self.lineup = (kernel.strategies[strategy],) * kernel_module("kernels.abi").MAX_SEATS
        self.sums = np.zeros(kernel.sum_cells, dtype=np.int64)
        self.rows = np.zeros(0, dtype=np.int64)
        self.log = kernel_module("kernels.events").new_log()
        self.scratch = aligned_cells(kernel.scratch_cells)

    def copy(self) -> Bench:
        """Return the same kernel with arrays of its own, for another thread."""
        return Bench(self.name, self.play_block, self.strategy)

    def play(self, first: int, games: int) -> None:
        """Play a block."""
        self.sums[:] = 0
        status = self.play_block(
            np.uint64(SEED),
            first,
            games,
            self.setup,
            self.lineup,
            self.sums,
            self.rows,
            self.log,
            self.scratch,
        )
        assert status == kernel_module("kernels.abi").OK

    def play_blocks(self, games: int, blocks: int) -> None:
        """Play some blocks, one after the other."""
        for block in range(blocks):
            self.play(block * games, games)


def inlined_all_aboard(folder: Path) -> Bench:
    """Build All Aboard!'s kernel anew with `random` in the place of the strategy door.

    Parameters
    ----------
    folder : pathlib.Path
        Where the changed sources are put.
    """
    loop = inspect.getsource(kernel_module("kernels.boats.loop"))
    play = inspect.getsource(kernel_module("kernels.boats.aa_play"))
    assert loop.count(DOOR) == 1
    begin = loop.index("import numpy")
    imported = "from kernels.boats.strategies import random as inlined_random\n"
    loop = loop[:begin] + imported + loop[begin:].replace(DOOR, "inlined_random(")
    (folder / "loop_inlined.py").write_text(loop)
    play = play.replace("kernels.boats.loop", "loop_inlined")
    (folder / "aa_play_inlined.py").write_text(play)
    sys.path.insert(0, str(folder))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)  # it cannot be cached, and need not be
        return Bench("all-aboard", import_module("aa_play_inlined").play_block)


def strategy_cost(name: str, strategy: str, passes: int, games: int) -> float:
    """Return a strategy's speed as a share of the speed of `random`, fastest passes."""
    benches = [Bench(name), Bench(name, strategy=strategy)]
    least = [float("inf"), float("inf")]
    for bench in benches:
        bench.play(0, 64)
    for _ in range(passes):
        for k, bench in enumerate(benches):
            begin = time.perf_counter()
            bench.play(0, games)
            least[k] = min(least[k], time.perf_counter() - begin)
    return least[0] / least[1]


def door_cost(passes: int, games: int, folder: Path) -> tuple[float, float]:
    """Return the least seconds with `random` through the strategy door, and inlined."""
    door = Bench("all-aboard")
    inlined = inlined_all_aboard(folder)
    least = [float("inf"), float("inf")]
    for bench in (door, inlined):
        bench.play(0, 64)
    for _ in range(passes):
        for k, bench in enumerate((door, inlined)):
            begin = time.perf_counter()
            bench.play(0, games)
            least[k] = min(least[k], time.perf_counter() - begin)
    return least[0], least[1]
