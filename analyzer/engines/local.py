"""The default engine: a pool of threads over blocks. Kernels release Python's lock."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice

from analyzer.cache import kernel_module
from analyzer.dryrun import EndlessGame, find_endless_game, game_seconds
from analyzer.engines.job import BlockPlayer, BlockResult, Job, prints_aside

#: Tasks that wait in the pool for each thread, so that none is ever idle.
AHEAD = 2
#: Smaller blocks are played several at a time, about so many games: to hand a block over takes as
#: long as some hundred games.
FEWEST_GAMES = 256


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
        with prints_aside(job):
            self._play(job, blocks, sink)

    def _play(self, job: Job, blocks: Iterable[int], sink: Callable[[BlockResult], None]) -> None:
        fine = kernel_module("kernels.abi").OK
        player = BlockPlayer(job)
        left = iter(blocks)
        together = self._blocks_together(job)
        waiting: dict[Future[list[BlockResult]], list[int]] = {}

        def play(bunch: list[int]) -> list[BlockResult]:
            results = []
            for index in bunch:
                results.append(player.play(index))
                if results[-1].status != fine:
                    break
            return results

        watch = Watch(job)
        pool = ThreadPoolExecutor(self.threads, thread_name_prefix="analyzer")
        try:
            while True:
                while len(waiting) < self.threads * AHEAD:
                    bunch = list(islice(left, together))
                    if not bunch:
                        break
                    waiting[pool.submit(play, bunch)] = bunch
                if not waiting:
                    break
                done, _ = wait(waiting, watch.patience, return_when=FIRST_COMPLETED)
                if not done:
                    running = [bunch for future, bunch in waiting.items() if future.running()]
                    watch.look_into([index for bunch in running for index in bunch])
                    continue
                for future in done:
                    del waiting[future]
                results = _results(done)
                if any(result.status != fine for result in results):
                    # Some game cannot go on. Which one is reported must not depend on which thread
                    # was first: let the blocks under way end and hand them over in their order.
                    results += _results([future for future in waiting if not future.cancel()])
                    results.sort(key=lambda result: result.index)
                for result in results:
                    sink(result)
        except KeyboardInterrupt:
            started = [future for future in waiting if not future.cancel()]
            for future in started:  # one by one: a second Ctrl-C may come while one is waited for
                for result in future.result():
                    sink(result)
            raise
        finally:
            pool.shutdown(wait=not watch.hangs, cancel_futures=True)

    def _blocks_together(self, job: Job) -> int:
        """Return how many blocks a thread takes at a time: few enough for all threads to have some.

        A user's strategy may be slow, or hang: its blocks are taken, and watched, one by one.
        """
        if job.user:
            return 1
        plan = job.plan
        return max(min(FEWEST_GAMES // plan.size, plan.blocks // (self.threads * AHEAD)), 1)


def _results(futures: Iterable[Future[list[BlockResult]]]) -> list[BlockResult]:
    """Return what all of some tasks gave, once they are done."""
    return [result for future in futures for result in future.result()]


class Watch:
    """Notices when a user's strategy hangs. Nothing else can: what is compiled runs to its end.

    Attributes
    ----------
    patience
        Seconds without a finished block after which the blocks under way are looked into; None for
        built-in strategies.
    hangs
        Whether one was found: its thread still runs.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self.hangs = False
        self.patience = 2.0 * game_seconds() if job.user else None

    def look_into(self, blocks: list[int]) -> None:
        """Raise EndlessGame when a game of the blocks has no end; else be more patient."""
        try:
            for index in sorted(blocks):
                find_endless_game(self.job, *self.job.plan.block(index))
        except EndlessGame as error:
            self.hangs = error.leaves_a_thread = True
            raise
        self.patience *= 2.0
