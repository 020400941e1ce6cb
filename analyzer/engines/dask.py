"""An existing Dask cluster as an engine: the same blocks, and so the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from analyzer.engines.job import BlockPlayer, BlockResult, Job
from analyzer.errors import UsageError

#: Blocks under way or waiting at the cluster for each of its threads.
AHEAD = 4
CONNECT_SECONDS = 10
_INSTALL = "Install it with: pip install 'tabletop-analyzer[dask]'."


@lru_cache(maxsize=4)
def _player(key: str) -> BlockPlayer:
    import pickle

    return BlockPlayer(pickle.loads(bytes.fromhex(key)))


def play_block_of(key: str, index: int) -> BlockResult:
    """Play one block on a worker; the job is compiled once a worker.

    Parameters
    ----------
    key
        The pickled job, in hexadecimal.
    index
        Number of the block.
    """
    return _player(key).play(index)


class DaskEngine:
    """Plays blocks on the workers of a scheduler; they need this package, in this version.

    Parameters
    ----------
    scheduler
        Address, as in ``tcp://10.0.0.5:8786``, or the path of a scheduler file.
    """

    def __init__(self, scheduler: str | None) -> None:
        if not scheduler:
            raise UsageError(
                "--engine dask needs the address of a running scheduler: --scheduler HOST:PORT "
                "(start one with: dask scheduler)."
            )
        self.scheduler = scheduler

    def _connect(self) -> Any:
        try:
            from distributed import Client
        except ImportError:
            raise UsageError(f"--engine dask needs the package distributed. {_INSTALL}") from None
        try:
            if self.scheduler.endswith(".json"):
                return Client(scheduler_file=self.scheduler, timeout=CONNECT_SECONDS)
            return Client(self.scheduler, timeout=CONNECT_SECONDS)
        except (OSError, TimeoutError, ValueError) as error:
            raise UsageError(
                f"No Dask scheduler answers at {self.scheduler!r} ({type(error).__name__}). "
                "Check --scheduler, or leave out --engine dask to play here."
            ) from None

    def play(self, job: Job, blocks: Iterable[int], sink: Callable[[BlockResult], None]) -> None:
        """Play the blocks on the cluster."""
        import pickle

        with self._connect() as client:
            from distributed import as_completed

            threads = sum(client.nthreads().values())
            if not threads:
                raise UsageError(
                    f"The Dask scheduler at {self.scheduler!r} has no workers. Start one with: "
                    "dask worker ADDRESS."
                )
            key = pickle.dumps(job).hex()
            left = iter(blocks)

            def submit() -> Any:
                index = next(left, None)
                if index is None:
                    return None
                return client.submit(play_block_of, key, index, pure=False)

            first = [future for _ in range(threads * AHEAD) if (future := submit())]
            under_way = as_completed(first)
            for future in under_way:
                sink(future.result())
                following = submit()
                if following:
                    under_way.add(following)
