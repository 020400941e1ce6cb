"""The default engine: a pool of threads over blocks. Kernels release Python's lock."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from analyzer.cache import kernel_module
from analyzer.engines.job import BlockPlayer, BlockResult, Job

#: Blocks that wait in the pool for each thread, so that none is ever idle.
AHEAD = 2


class LocalEngine:
    """Plays blocks on threads of this process.

    Parameters
    ----------
    threads
        How many.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def play(self, job: Job, blocks: Iterable[int], sink: Callable[[BlockResult], None]) -> None:
        """Play the blocks; on Ctrl-C those under way are finished and handed over first."""
        fine = kernel_module("kernels.abi").OK
        player = BlockPlayer(job)
        left = iter(blocks)
        waiting: set[Future[BlockResult]] = set()
        pool = ThreadPoolExecutor(self.threads, thread_name_prefix="analyzer")
        try:
            while True:
                for index in left:
                    waiting.add(pool.submit(player.play, index))
                    if len(waiting) >= self.threads * AHEAD:
                        break
                if not waiting:
                    break
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                waiting -= done
                results = [future.result() for future in done]
                if any(result.status != fine for result in results):
                    # Some game cannot go on. Which one is reported must not depend on which thread
                    # was first: let the blocks under way end and hand them over in their order.
                    results += [future.result() for future in waiting if not future.cancel()]
                    results.sort(key=lambda result: result.index)
                for result in results:
                    sink(result)
        except KeyboardInterrupt:
            started = [future for future in waiting if not future.cancel()]
            for future in started:
                sink(future.result())
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
