"""How a run is cut into blocks: the unit of work, resuming, distribution and statistics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

#: A run has at least this many blocks where it has as many games, and less than twice as many until
#: blocks reach their largest size.
FEWEST_BLOCKS = 64
LARGEST_BLOCK = 1 << 16
#: A run folder is written in at most this many parts, until blocks reach their largest size.
PARTS = 64
#: With a row a game, a part holds no more blocks than this: the rows wait in memory.
BLOCKS_OF_ROWS = 4


def block_size(games: int) -> int:
    """Return the number of games of a block: a power of two.

    Parameters
    ----------
    games
        Games of the run, at least 1.
    """
    share = max(games // FEWEST_BLOCKS, 1)
    return min(1 << (share.bit_length() - 1), LARGEST_BLOCK)


@dataclass(frozen=True)
class Plan:
    """A run's blocks.

    Attributes
    ----------
    games
        Games of the run.
    size
        Games of a block; the last one may be shorter.
    """

    games: int
    size: int

    @classmethod
    def of(cls, games: int) -> Plan:
        """Return the plan for a number of games."""
        return cls(games, block_size(games))

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return -(-self.games // self.size)

    def block(self, index: int) -> tuple[int, int]:
        """Return the first game of a block, and how many it has."""
        first = index * self.size
        return first, min(self.size, self.games - first)

    def part_size(self, rows: bool) -> int:
        """Return the number of blocks that are written to disk together."""
        share = -(-self.blocks // PARTS)
        return min(share, BLOCKS_OF_ROWS) if rows else share

    def parts(self, rows: bool) -> Iterator[range]:
        """Return the blocks of each part."""
        size = self.part_size(rows)
        for first in range(0, self.blocks, size):
            yield range(first, min(first + size, self.blocks))
