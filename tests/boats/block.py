"""Blocks of games of either boat game, played as every engine plays them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from analyzer import registry
from analyzer.engines.job import BlockPlayer, Job
from analyzer.plan import Plan
from kernels.abi import OK
from kernels.boats.cards import NIBBLE, NIBBLE_MASK
from kernels.events import logged, new_log


class Played(NamedTuple):
    """What some blocks gave.

    Attributes
    ----------
    sums
        int64, added up over the blocks.
    rows
        int64, shape (games, ROW_CELLS).
    events
        int64, shape (events, EVENT_CELLS): the log of the last block.
    """

    sums: np.ndarray
    rows: np.ndarray
    events: np.ndarray


def play(
    game: str,
    players: Sequence[str],
    rulings: Mapping[str, Any] | None = None,
    blocks: Sequence[tuple[int, int]] = ((0, 1),),
    *,
    seed: int = 3,
    logged_too: bool = False,
) -> Played:
    """Play blocks ``(first, games)`` with named strategies, one a seat.

    Parameters
    ----------
    rulings
        As a person would give them; the others keep their defaults.
    logged_too
        True: with the log on, which also plays one game at a time and keeps the boarding order.
    """
    spec = registry.load(game)
    given = {name: spec.parse_ruling(name, value) for name, value in (rulings or {}).items()}
    job = Job(game, tuple(players), seed, spec.complete(given), Plan.of(1))
    player = BlockPlayer(job)
    events = player.kernel.max_events if logged_too else 0
    results = []
    for first, games in blocks:
        log = new_log(events)
        results.append(player.play_games(0, first, games, rows=True, log=log))
        assert results[-1].status == OK, (players, results[-1].fault)
    sums = sum(result.sums for result in results)
    return Played(sums, np.concatenate([result.rows for result in results]), logged(log))


def deck_cards(word: int, species: Sequence[str]) -> list[str]:
    """Return the species of a deck word in the order in which they are drawn."""
    return [species[word >> NIBBLE * k & NIBBLE_MASK] for k in range(len(species))]
