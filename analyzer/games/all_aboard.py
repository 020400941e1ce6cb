"""All Aboard!: what there is to choose, to measure and to tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.games import boats_metrics, boats_report, boats_setup
from analyzer.games.aa_events import AllAboardTeller
from analyzer.games.aa_metrics import METRICS, AllAboardSummary
from analyzer.games.base import GameSpec, Kernel, Ruling
from analyzer.games.boats_position import PositionCodec
from analyzer.games.kinds import Choice

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
#: The animals that do something, and what that is not to be when it is denied.
EFFECTS = {
    "mouse": "does not replace the boat of an elephant",
    "fox": "does not jump off a sinking boat",
    "octopus": "is lost and saved with its boat like other animals",
    "monkey": "throws nobody",
    "lion": "eats nobody",
}
POINTS = (1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7)

#: In the order of the registry; the setup array follows it (``kernels.boats.aa_setup``).
RULINGS = (
    boats_setup.tile_deck("boats", "capacities of the thirty boat cards", "AA-A02"),
    Ruling(
        "cupid_supply",
        Choice(("finite", "unlimited")),
        "finite",
        "twenty cupid cards, or as many as are needed",
        "T",
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
        "I",
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


def encode_setup(players: int, rulings: Mapping[str, Any]) -> np.ndarray:
    """Return the setup array of ``kernels.boats.aa_setup``; `rulings` are complete."""
    layout = kernel_module("kernels.boats.aa_setup")
    return boats_setup.encode_setup(layout, RULINGS, players, rulings)


def estimates(
    sums: np.ndarray, players: int, rulings: Mapping[str, Any], confidence: float
) -> AllAboardSummary:
    """Return the estimates of a run; `sums` has a row a block."""
    fields = boats_metrics.sum_fields()
    kinds = boats_setup.capacities(rulings)
    return AllAboardSummary(sums, fields, players, ANIMALS, POINTS, kinds, confidence)


def teller(
    labels: Sequence[str], owners: Sequence[str | int], rulings: Mapping[str, Any]
) -> AllAboardTeller:
    """Return what turns a log into records; no ruling changes how an event is told."""
    return AllAboardTeller(labels, owners, ANIMALS, POINTS)


def tell(
    events: np.ndarray, labels: Sequence[str], rulings: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return a record with a sentence for every event of a game's log."""
    return teller(labels, range(len(labels)), rulings).tell(events)


def codec() -> PositionCodec:
    """Return the reader and resolver of positions."""
    resolver = kernel_module("kernels.boats.aa_resolve").resolve_position
    tally = kernel_module("kernels.boats.tally")
    return PositionCodec(SPEC, ANIMALS, teller, resolver, tally)


def resolve(document: object) -> dict[str, Any]:
    """Resolve a position (Position JSON in and out)."""
    return codec().resolve(document)


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
    metrics=METRICS,
    kernel=kernel,
    encode_setup=encode_setup,
    estimates=estimates,
    tell=tell,
    resolve=resolve,
    restrictions=(
        *boats_report.card_restrictions(ANIMALS),
        *boats_report.effect_restrictions(ANIMALS, EFFECTS),
    ),
    deny_effect=boats_setup.deny_effect,
    report=boats_report.layout(METRICS, "load in kilos"),
)
