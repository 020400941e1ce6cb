"""The parquet files of a run folder: their columns, and the same bytes for the same numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from analyzer.errors import UsageError
from analyzer.games.base import SumField
from analyzer.plan import Plan

#: Fixed, so that the bytes are a function of the numbers.
_OPTIONS = {"compression": "zstd", "version": "2.6", "write_statistics": True}
_LEADING = ("block", "first", "games")


def block_schema(fields: Sequence[SumField]) -> pa.Schema:
    """Return the columns of ``blocks.parquet``: a number or a flat list for each part."""
    columns = [pa.field(name, pa.int64()) for name in _LEADING]
    columns += [
        pa.field(part.name, pa.list_(pa.int64(), part.cells) if part.shape else pa.int64())
        for part in fields
        if part.name not in _LEADING
    ]
    return pa.schema(columns)


def write_blocks(
    stream: BinaryIO,
    plan: Plan,
    indices: np.ndarray,
    sums: np.ndarray,
    fields: Sequence[SumField],
) -> None:
    """Write blocks in index order.

    Parameters
    ----------
    stream
        Where to.
    plan
        Says which games a block has.
    indices
        Numbers of the blocks, ascending.
    sums
        int64, one row a block.
    fields
        The layout of the sums.
    """
    spans = [plan.block(int(index)) for index in indices]
    columns = {
        "block": pa.array(indices.astype(np.int64)),
        "first": pa.array([first for first, _ in spans], pa.int64()),
        "games": pa.array([games for _, games in spans], pa.int64()),
    }
    for part in fields:
        cells = np.ascontiguousarray(sums[:, part.first : part.first + part.cells])
        flat = pa.array(cells.reshape(-1))
        if part.name not in _LEADING:
            columns[part.name] = (
                pa.FixedSizeListArray.from_arrays(flat, part.cells) if part.shape else flat
            )
    schema = block_schema(fields)
    table = pa.table([columns[name] for name in schema.names], schema=schema)
    pq.write_table(table, stream, **_OPTIONS)


def read_blocks(path: Path, fields: Sequence[SumField]) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers of the blocks and their sums, shape (blocks, cells).

    Raises
    ------
    UsageError
        When the file is damaged or of another layout.
    """
    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowException) as error:
        raise UsageError(f"Cannot read {path}: {error}. Delete it to play it again.") from None
    if table.schema.names != block_schema(fields).names:
        raise UsageError(f"{path} was written by another version; its columns differ.")
    cells = max(part.first + part.cells for part in fields)
    sums = np.zeros((table.num_rows, cells), dtype=np.int64)
    for part in fields:
        column = table.column(part.name).combine_chunks()
        flat = column.values if part.shape else column
        values = flat.to_numpy(zero_copy_only=False).reshape(table.num_rows, part.cells)
        sums[:, part.first : part.first + part.cells] = values
    return table.column("block").to_numpy(), sums


def row_schema(columns: Sequence[tuple[str, int]]) -> pa.Schema:
    """Return the columns of ``games.parquet``."""
    return pa.schema([pa.field(name, pa.int64()) for name in ("game", *dict(columns))])


def row_table(
    schema: pa.Schema, columns: Sequence[tuple[str, int]], first: int, rows: np.ndarray
) -> pa.Table:
    """Return a block's rows as a table.

    Parameters
    ----------
    schema
        From `row_schema`.
    columns
        Names and cells.
    first
        Index of the block's first game.
    rows
        int64, shape (games, row cells).
    """
    arrays = [pa.array(np.arange(first, first + len(rows), dtype=np.int64))]
    arrays += [pa.array(np.ascontiguousarray(rows[:, cell])) for _, cell in columns]
    return pa.table(arrays, schema=schema)


def write_rows(stream: BinaryIO, schema: pa.Schema, tables: Iterable[pa.Table]) -> None:
    """Write tables one after the other, a row group each."""
    with pq.ParquetWriter(stream, schema, **_OPTIONS) as writer:
        for table in tables:
            writer.write_table(table, row_group_size=max(table.num_rows, 1))


def row_groups(path: Path) -> Iterator[pa.Table]:
    """Return the row groups of a file, in order."""
    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            yield file.read_row_group(group)


def read_rows(
    path: Path, columns: Sequence[tuple[str, int]], row_cells: int, plan: Plan
) -> Mapping[int, np.ndarray]:
    """Return the kernel's rows of every block in a part of ``games.parquet``."""
    blocks = {}
    for table in row_groups(path):
        rows = np.zeros((table.num_rows, row_cells), dtype=np.int64)
        for name, cell in columns:
            rows[:, cell] = table.column(name).to_numpy()
        blocks[table.column("game")[0].as_py() // plan.size] = rows
    return blocks
