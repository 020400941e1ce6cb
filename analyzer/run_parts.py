"""The finished blocks of a running run, a file a group of neighbouring blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from analyzer import run_tables
from analyzer.cache import kernel_module
from analyzer.engines.job import BlockResult, Job
from analyzer.run_files import whole_file
from analyzer.scenario import Scenario
from analyzer.simulate import Collector

PARTS = "parts"
#: Of a run that grows until it is precise enough: its last finished stage, and the precision.
STAGES = "stages"
PRECISION = "precision.json"
BLOCKS = "blocks.parquet"
GAMES = "games.parquet"


class PartWriter:
    """Keeps the finished blocks of a running run, a file a group of neighbouring blocks."""

    def __init__(self, folder: Path, scenario: Scenario, job: Job) -> None:
        kernel = scenario.spec.kernel()
        self.folder = folder
        self.job = job
        self.fields = kernel.sum_fields
        self.columns = kernel.row_columns(len(scenario.players))
        self.row_cells = kernel.row_cells
        self.schema = run_tables.row_schema(self.columns)
        self.groups = list(job.plan.parts(job.rows))
        self.size = job.plan.part_size(job.rows)
        self.waiting: dict[int, dict[int, BlockResult]] = {}

    def restore(self, collector: Collector) -> list[int]:
        """Hand the blocks that were finished before to the collector; return their numbers."""
        found = []
        for group, blocks in enumerate(self.groups):
            results = {result.index: result for result in self._read(group)}
            for result in results.values():
                collector.take(result)
            found += results
            if 0 < len(results) < len(blocks):
                self.waiting[group] = results
        return found

    def take(self, result: BlockResult) -> None:
        """Take a finished block, and write its group when that is whole."""
        group = result.index // self.size
        results = self.waiting.setdefault(group, {})
        results[result.index] = result
        if len(results) == len(self.groups[group]):
            self._write(group, results)
            del self.waiting[group]

    def flush(self) -> None:
        """Write the groups that are not whole yet."""
        for group, results in self.waiting.items():
            self._write(group, results)

    def _names(self, group: int) -> tuple[str, str]:
        return f"{PARTS}/{group:05d}-{BLOCKS}", f"{PARTS}/{group:05d}-{GAMES}"

    def _write(self, group: int, results: Mapping[int, BlockResult]) -> None:
        blocks_name, rows_name = self._names(group)
        ordered = [results[index] for index in sorted(results)]
        if self.job.rows:
            # Before the blocks: a block that is listed has its rows.
            with whole_file(self.folder / rows_name) as stream:
                tables = (self._row_table(result) for result in ordered)
                run_tables.write_rows(stream, self.schema, tables)
        indices = np.array([result.index for result in ordered])
        sums = np.stack([result.sums for result in ordered])
        with whole_file(self.folder / blocks_name) as stream:
            run_tables.write_blocks(stream, self.job.plan, indices, sums, self.fields)

    def _row_table(self, result: BlockResult) -> Any:
        first, _ = self.job.plan.block(result.index)
        return run_tables.row_table(self.schema, self.columns, first, result.rows)

    def _read(self, group: int) -> list[BlockResult]:
        blocks_name, rows_name = self._names(group)
        path = self.folder / blocks_name
        if not path.is_file():
            return []
        indices, sums = run_tables.read_blocks(path, self.fields)
        rows: Mapping[int, np.ndarray] = {}
        if self.job.rows:
            rows = run_tables.read_rows(
                self.folder / rows_name, self.columns, self.row_cells, self.job.plan
            )
        ok = kernel_module("kernels.abi").OK
        nothing = np.zeros((0, self.row_cells), dtype=np.int64)
        return [
            BlockResult(int(index), ok, sums[k], rows.get(int(index), nothing), ())
            for k, index in enumerate(indices)
        ]

    def rows_of_parts(self) -> Iterator[Any]:
        """Return the tables of the rows, one a block, in order."""
        for group in range(len(self.groups)):
            _, rows_name = self._names(group)
            yield from run_tables.row_groups(self.folder / rows_name)
