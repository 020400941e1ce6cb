"""All Aboard!: what there is to choose, to measure and to tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.games import boats_metrics, boats_report
from analyzer.games.base import Choice, Deck, GameSpec, Kernel, Ruling
from analyzer.games.boats_events import BoatTeller
from analyzer.games.boats_position import PositionCodec

NAME = "all-aboard"
ANIMALS = (
    "mouse",
    "peacock",
    "fox",
    "octopus",
    "monkey",
    "sloth",
    "moose",
    "zebra",
    "giraffe",
    "lion",
    "bear",
    "elephant",
)
POINTS = (1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7)

TILE_DECK = "10:2,11:2,12:3,13:3,14:3,15:4,16:3,17:3,18:3,19:2,20:2"

#: In the order of the registry; the setup array follows it (``kernels.boats.aa_setup``).
RULINGS = (
    Ruling(
        "tile_deck",
        Deck(size=30, low=0, high=999, noun="boats"),
        TILE_DECK,
        "capacities of the thirty boat cards",
        "A",
        ("AA-A02",),
        component=True,
    ),
    Ruling(
        "cupid_supply",
        Choice(("finite", "unlimited")),
        "finite",
        "twenty cupid cards, or as many as are needed",
        "I",
        ("AA-A39",),
    ),
    Ruling(
        "start_player",
        Choice(("seat0", "random")),
        "seat0",
        "who begins the first round",
        "A",
        (),
    ),
    Ruling(
        "fight_size",
        Choice(("ge3", "eq3")),
        "ge3",
        "three or more of a kind fight, or exactly three",
        "I",
        ("AA-A07",),
    ),
    Ruling(
        "fight_bystanders",
        Choice(("normal_sink", "all_discarded")),
        "normal_sink",
        "others on a boat that a fight sinks: as on any sinking boat, or all lost",
        "I",
        ("AA-A08", "AA-A23"),
    ),
    Ruling(
        "fox_trio",
        Choice(("discard", "jump")),
        "discard",
        "foxes that fight are lost, or jump like any fox",
        "T",
        ("AA-A09",),
    ),
    Ruling(
        "monkey_love",
        Choice(("target_blocks", "ignore_lovers", "distinct_rank")),
        "target_blocks",
        "the monkey when lovers are aboard: they may stop it, are passed over, or it takes the "
        "next lower weight",
        "T",
        ("AA-A27", "AA-A28", "AA-A29"),
    ),
    Ruling(
        "lion_love",
        Choice(("target_blocks", "ignore_lovers")),
        "target_blocks",
        "the lion whose prey is in love eats nobody, or the next single animal",
        "I",
        ("AA-A31",),
    ),
    Ruling(
        "last_boat_throw",
        Choice(("discard", "octopus_scores")),
        "discard",
        "whoever is thrown from the last boat is lost, or an octopus scores",
        "X",
        ("AA-A25", "AA-A26"),
    ),
    Ruling(
        "replaced_boat",
        Choice(("discard", "reshuffle")),
        "discard",
        "a boat that a mouse had replaced leaves the game, or is shuffled back in",
        "X",
        ("AA-A16",),
    ),
    Ruling(
        "effects",
        Choice(("on", "off")),
        "on",
        "off is the children's variant: weights, love and fights only",
        "A",
        ("AA-A43",),
    ),
    Ruling(
        "final_tie",
        Choice(("shared", "no_winner")),
        "shared",
        "players tied after both tie-breaks share the win, or nobody wins",
        "A",
        ("AA-A42",),
    ),
)


@lru_cache(maxsize=1)
def kernel() -> Kernel:
    """Load the compiled side."""
    play = kernel_module("kernels.boats.aa_play")
    tally = kernel_module("kernels.boats.tally")
    strategies = kernel_module("kernels.boats.aa_strategies")
    return Kernel(
        play_block=play.play_block,
        sum_cells=tally.SUM_CELLS,
        sum_fields=boats_metrics.sum_fields(),
        row_cells=tally.ROW_CELLS,
        row_columns=boats_metrics.row_columns,
        row_result=boats_metrics.row_result,
        scratch_cells=play.SCRATCH_CELLS,
        max_events=play.MAX_EVENTS,
        strategies=strategies.STRATEGIES,
        compile_strategy=kernel_module("kernels.boats.view").DOOR.user_strategy,
        restrictions=kernel_module("kernels.boats.restrict"),
    )


def capacities(rulings: Mapping[str, Any]) -> list[int]:
    """Return the distinct capacities of the boat deck, ascending."""
    return sorted(set(Deck.cards(rulings["tile_deck"])))


def encode_setup(players: int, rulings: Mapping[str, Any]) -> np.ndarray:
    """Return the setup array of ``kernels.boats.aa_setup``.

    Parameters
    ----------
    players
        Number of seats.
    rulings
        Complete and canonical.
    """
    layout = kernel_module("kernels.boats.aa_setup")
    kind_bits = kernel_module("kernels.boats.piles").KIND_BITS
    setup = np.zeros(layout.SETUP_CELLS, dtype=np.int64)
    setup[layout.PLAYERS] = players
    for ruling in RULINGS:
        if isinstance(ruling.kind, Choice):
            cell = getattr(layout, ruling.name.upper())
            setup[cell] = ruling.kind.values.index(rulings[ruling.name])
    kinds = capacities(rulings)
    for k, capacity in enumerate(Deck.cards(rulings["tile_deck"])):
        setup[layout.TILES + k] = capacity << kind_bits | kinds.index(capacity)
    return setup


def summarize(
    sums: np.ndarray, players: int, rulings: Mapping[str, Any], confidence: float
) -> dict[str, Any]:
    """Return ``seats``, ``metrics`` and ``tables`` of a run; `sums` has a row a block."""
    summary = boats_metrics.BoatSummary(
        sums, players, ANIMALS, POINTS, capacities(rulings), confidence
    )
    return summary.document()


def tell(events: np.ndarray, labels: Sequence[str]) -> list[dict[str, Any]]:
    """Return a record with a sentence for every event of a game's log."""
    per_cupid = kernel_module("kernels.boats.cards").POINTS_PER_CUPID
    return BoatTeller(labels, range(len(labels)), ANIMALS, POINTS, per_cupid).tell(events)


def resolve(document: object) -> dict[str, Any]:
    """Resolve a position (Position JSON in and out)."""
    resolver = kernel_module("kernels.boats.aa_resolve").resolve_position
    codec = PositionCodec(
        NAME, ANIMALS, POINTS, SPEC.parse_ruling, SPEC.complete, encode_setup, resolver
    )
    return codec.resolve(document)


SPEC = GameSpec(
    name=NAME,
    alias="aa",
    title="All Aboard!",
    players=(2, 5),
    default_players=4,
    rules_version="all-aboard/1",
    summary="Animals board boats of unknown fate; boat resolution and animal effects.",
    rulings=RULINGS,
    strategies=("random", "greedy", "heavy", "light", "cupid", "saboteur"),
    metrics=boats_metrics.METRICS,
    kernel=kernel,
    encode_setup=encode_setup,
    summarize=summarize,
    tell=tell,
    resolve=resolve,
    restrictions=boats_report.card_restrictions(ANIMALS),
    report=boats_report.layout(boats_metrics.METRICS, "load in kilos"),
)
