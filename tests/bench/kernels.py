"""The kernels as the bench plays them: four random seats, default rulings, no events."""

from __future__ import annotations

import inspect
import time
from types import ModuleType

import numpy as np

from analyzer import registry
from analyzer.cache import kernel_module

SEATS = 4
SEED = 1


class Bench:
    """A game's kernel with its arrays, ready to play blocks of random games.

    Parameters
    ----------
    name : str
        Game.
    play_block : callable, optional
        Another build of the game's kernel.
    """

    def __init__(self, name: str, play_block=None) -> None:
        spec = registry.load(name)
        kernel = spec.kernel()
        self.name = name
        self.play_block = play_block or kernel.play_block
        self.setup = spec.encode_setup(SEATS, spec.complete({}))
        self.lineup = (kernel.strategies["random"],) * kernel_module("kernels.abi").MAX_SEATS
        self.sums = np.zeros(kernel.sum_cells, dtype=np.int64)
        self.rows = np.zeros(0, dtype=np.int64)
        self.log = kernel_module("kernels.events").new_log()
        self.scratch = np.zeros(kernel.scratch_cells, dtype=np.int64)

    def copy(self) -> Bench:
        """Return the same kernel with arrays of its own, for another thread."""
        return Bench(self.name, self.play_block)

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


def inlined_all_aboard() -> Bench:
    """Build All Aboard!'s kernel anew with `random` in the place of the strategy door."""
    play = kernel_module("kernels.boats.aa_play")
    source = inspect.getsource(play)
    door = "strategies[seat]("
    assert source.count(door) == 1
    source = source.replace(door, "inlined_random(").replace("cache=True", "cache=False")
    module = ModuleType("kernels.boats.aa_play_inlined")
    module.__file__ = play.__file__
    module.inlined_random = kernel_module("kernels.boats.strategies").random
    exec(compile(source, "<aa_play inlined>", "exec"), module.__dict__)
    return Bench("all-aboard", module.play_block)


def door_cost(passes: int, games: int) -> tuple[float, float]:
    """Return the least seconds with `random` through the strategy door, and inlined."""
    door = Bench("all-aboard")
    inlined = inlined_all_aboard()
    least = [float("inf"), float("inf")]
    for bench in (door, inlined):
        bench.play(0, 64)
    for _ in range(passes):
        for k, bench in enumerate((door, inlined)):
            begin = time.perf_counter()
            bench.play(0, games)
            least[k] = min(least[k], time.perf_counter() - begin)
    return least[0], least[1]
