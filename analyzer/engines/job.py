"""What an engine plays: one job, cut into blocks, and how one block is played."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from analyzer import registry
from analyzer.cache import kernel_module
from analyzer.lineup import compiled, deny_effects, proper_names
from analyzer.plan import Plan
from analyzer.progress import silence
from analyzer.user_strategies import UserStrategy

#: Cells. The rows of a kernel's scratch array then lie on lines of their own.
CACHE_LINE = 8


@dataclass(frozen=True)
class Job:
    """Everything that a worker needs to play any block of a run; can be pickled.

    Attributes
    ----------
    user
        Sources of the user's strategies by label.
    rows
        Whether a row a game is wanted.
    """

    game: str
    players: tuple[str, ...]
    seed: int
    rulings: Mapping[str, Any]
    plan: Plan
    user: Mapping[str, UserStrategy] = field(default_factory=dict)
    rows: bool = False


@dataclass(frozen=True)
class BlockResult:
    """What a block gave.

    Attributes
    ----------
    status
        `OK`, or what stopped the block.
    sums
        int64 totals.
    rows
        int64, shape ``(games, row_cells)``; no rows unless they were wanted.
    fault
        The first cells of the kernel's scratch array: what stopped the block, and where.
    """

    index: int
    status: int
    sums: np.ndarray
    rows: np.ndarray
    fault: tuple[int, ...]


@contextmanager
def prints_aside(job: Job) -> Iterator[None]:
    """Let what a user's strategy prints while a job is played go to stderr: it is no result."""
    if not job.user:
        yield
        return
    with redirect_stdout(sys.stderr):
        yield


class Engine(Protocol):
    """Plays blocks and hands each result to `sink`, in the caller's thread, in any order."""

    def play(self, job: Job, blocks: Iterable[int], sink: Callable[[BlockResult], None]) -> None:
        """Play the blocks. On KeyboardInterrupt, hand over what is finished, then raise it."""


class BlockPlayer:
    """Plays blocks of one job: the kernel, setup and strategies, made ready once."""

    def __init__(self, job: Job) -> None:
        spec = registry.load(job.game)
        self.job = job
        self.kernel = spec.kernel()
        self.play_block = _entry(self.kernel.play_block)
        setup = spec.encode_setup(len(job.players), job.rulings)
        deny_effects(setup, job.players, spec)
        names = proper_names(job.players)
        self.setup = spec.add_tables(setup, names, job.rulings, silence)
        self.setup.setflags(write=False)
        self.strategies = compiled(job.players, spec, job.user)
        _load(self.strategies)
        self.fault_cells = kernel_module("kernels.abi").FAULT_CELLS
        self.no_log = kernel_module("kernels.events").new_log(0)

    def play(self, index: int) -> BlockResult:
        """Play one block of the job's plan."""
        first, games = self.job.plan.block(index)
        return self.play_games(index, first, games, rows=self.job.rows)

    def play_games(
        self, index: int, first: int, games: int, *, rows: bool, log: np.ndarray | None = None
    ) -> BlockResult:
        """Play any run of games; `log` is filled with the events."""
        kernel = self.kernel
        sums = np.zeros(kernel.sum_cells, dtype=np.int64)
        cells = np.zeros(games * kernel.row_cells if rows else 0, dtype=np.int64)
        scratch = aligned_cells(kernel.scratch_cells)
        log = self.no_log.copy() if log is None else log
        status = self.play_block(
            np.uint64(self.job.seed),
            first,
            games,
            self.setup,
            self.strategies,
            sums,
            cells,
            log,
            scratch,
        )
        fault = tuple(int(cell) for cell in scratch[: self.fault_cells])
        return BlockResult(index, int(status), sums, cells.reshape(-1, kernel.row_cells), fault)


def _entry(play_block: Callable[..., int]) -> Callable[..., int]:
    """Return the compiled kernel itself, without the look at every argument's type before it.

    There is one signature. To find that out for each block took 60 µs under Python's lock, as long as
    a hundred games.
    """
    if not hasattr(play_block, "get_overload"):
        return play_block  # plain Python, with the JIT off
    return play_block.get_overload(kernel_module("kernels.abi").PLAY_BLOCK.args)


def _load(strategies: Iterable[Callable]) -> None:
    """Compile built-in strategies, or load them from the cache, before a game is played.

    A kernel would do so in its first game. That may take longer than a game is given in a dry run,
    and a user's strategy at the same table would be blamed for it.
    """
    for strategy in dict.fromkeys(strategies):
        address = getattr(strategy, "__wrapper_address__", None)
        if address and hasattr(strategy.loop, "compile"):  # else plain Python, with the JIT off
            address()


def aligned_cells(count: int) -> np.ndarray:
    """Return int64 cells that begin on a cache line; what they hold means nothing."""
    cells = np.empty(count + CACHE_LINE, dtype=np.int64)
    skipped = -cells.ctypes.data // cells.itemsize % CACHE_LINE
    return cells[skipped : skipped + count]
