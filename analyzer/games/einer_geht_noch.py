"""Einer geht noch!: what there is to choose, to measure and to tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.games import boats_metrics, boats_report, boats_setup, egn_metrics
from analyzer.games.base import GameSpec, Kernel, Ruling
from analyzer.games.boats_position import PositionCodec
from analyzer.games.egn_events import EinerGehtNochTeller
from analyzer.games.kinds import Choice, Numbers, Whole
from analyzer.games.layout import Component, SuiteSizes

NAME = "einer-geht-noch"
ANIMALS = (
    "mouse",
    "peacock",
    "fox",
    "squid",
    "monkey",
    "sloth",
    "deer",
    "zebra",
    "giraffe",
    "lion",
    "bear",
    "elephant",
)
#: The animals that do something, and what that is not to be when it is denied.
EFFECTS = {
    "mouse": "does not change the tile beside an elephant",
    "peacock": "dazzles neither fox nor monkey, who go by its weight",
    "fox": "does not act",
    "squid": "cannot swim and arrives with its boat like other animals",
    "monkey": "throws nobody",
    "lion": "eats nobody",
}

#: In the order of the registry; the setup array follows it (``kernels.boats.egn_setup``).
RULINGS = (
    boats_setup.tile_deck("tiles", "capacities of the thirty weight tiles", "EGN-A04"),
    Ruling(
        "cupid_supply",
        Choice(("finite", "unlimited")),
        "finite",
        "twenty cupid cards, or as many as are needed",
        "T",
        ("EGN-A13",),
    ),
    Ruling(
        "start_player",
        Choice(("seat0", "random")),
        "seat0",
        "who begins the first round",
        "A",
        ("EGN-A39",),
    ),
    Ruling(
        "peacock_weight",
        Whole(0, 3),
        1,
        "kilos and points of the peacock; 0, 2 and 3 tie with the mouse, the fox and the squid",
        "A",
        ("EGN-A03",),
    ),
    Ruling(
        "love_timing",
        Choice(("dynamic", "boat_start", "reveal_only")),
        "dynamic",
        "two of a kind fall in love at the reveal and on arrival, at the start of their boat's "
        "turn, or at the reveal only",
        "X",
        ("EGN-A09", "EGN-A12"),
    ),
    Ruling(
        "third_arrival",
        Choice(("love_sticks", "love_breaks", "remove_three")),
        "love_sticks",
        "a third of a kind arrives: the pair stays in love, its love ends, or all three leave the "
        "game (love_timing=dynamic only)",
        "I",
        ("EGN-A10", "EGN-A11", "EGN-A40"),
    ),
    Ruling(
        "fox_love",
        Choice(
            (
                "any_pair_blocks",
                "true_heaviest_blocks",
                "target_blocks",
                "target_blocks_success_only",
                "ignore_lovers",
            )
        ),
        "any_pair_blocks",
        "the fox does nothing when any lover is aboard, when the heaviest is one, when his target "
        "is one, when it is one and the boat is too heavy; or he passes lovers over",
        "X",
        ("EGN-A18", "EGN-A19"),
    ),
    Ruling(
        "fox_self_target",
        Choice(("yes", "no")),
        "yes",
        "a fox that is the heaviest sends himself on, or somebody else",
        "I",
        ("EGN-A20",),
    ),
    Ruling(
        "monkey_love",
        Choice(("any_pair_blocks", "target_blocks", "ignore_lovers")),
        "any_pair_blocks",
        "the monkey does nothing when any lover is aboard, when its target is one; or it passes "
        "lovers over",
        "X",
        ("EGN-A24",),
    ),
    Ruling(
        "monkey_min3_peacock",
        Choice(("nothing", "peacock_throws")),
        "nothing",
        "a monkey alone with a peacock does nothing, or is thrown",
        "T",
        ("EGN-A25",),
    ),
    Ruling(
        "lion_love",
        Choice(("target_blocks", "ignore_lovers")),
        "target_blocks",
        "the lion whose prey is in love eats nobody, or the next single animal",
        "X",
        ("EGN-A30",),
    ),
    Ruling(
        "tie_break",
        Choice(("unloved_first_boarded", "last_boarded", "lowest_seat", "blocked")),
        "unloved_first_boarded",
        "which of several single animals of the same weight is taken, or that none is",
        "A",
        ("EGN-A31",),
    ),
    Ruling(
        "eaten_squid",
        Choice(("removed", "swims")),
        "removed",
        "a squid that a lion eats is out of the game, or swims to the harbour",
        "T",
        ("EGN-A32",),
    ),
    Ruling(
        "loved_squid",
        Choice(("swims", "land_animal")),
        "swims",
        "squids in love swim like any squid, or fare like land animals",
        "I",
        ("EGN-A33",),
    ),
    Ruling(
        "loved_mouse_score",
        Numbers((0, 0.5)),
        0,
        "points of a saved mouse that was in love",
        "I",
        ("EGN-A36",),
    ),
    Ruling(
        "tile_replace",
        Choice(("return_then_draw", "draw_then_return")),
        "return_then_draw",
        "a mouse's tile goes back before the new one is drawn and may come again, or afterwards",
        "T",
        ("EGN-A16",),
    ),
    Ruling(
        "final_tie",
        Choice(("shared", "no_winner")),
        "shared",
        "players tied in points and cupids share the win, or nobody wins",
        "T",
        ("EGN-A41",),
    ),
)


def row_columns(players: int) -> list[tuple[str, int]]:
    """Return the columns of ``games.parquet``; scores are in half points there, and named so."""
    return boats_metrics.row_columns(players, score="half_points")


def row_result(row: Sequence[int], players: int) -> dict[str, Any]:
    """Return one game's row as the ``result`` of `analyzer replay`, in points."""
    unit = kernel_module("kernels.boats.egn_weights").SCORE_UNIT
    return boats_metrics.row_result(row, players, unit)


@lru_cache(maxsize=1)
def kernel() -> Kernel:
    """Load the compiled side."""
    play = kernel_module("kernels.boats.egn_play")
    strategies = kernel_module("kernels.boats.egn_strategies")
    return Kernel(
        play_block=play.play_block,
        sum_cells=kernel_module("kernels.boats.egn_tally").SUM_CELLS,
        sum_fields=egn_metrics.sum_fields(),
        row_cells=kernel_module("kernels.boats.tally").ROW_CELLS,
        row_columns=row_columns,
        row_result=row_result,
        scratch_cells=play.SCRATCH_CELLS,
        max_events=play.MAX_EVENTS,
        strategies=strategies.STRATEGIES,
        compile_strategy=kernel_module("kernels.boats.view").DOOR.user_strategy,
        restrictions=kernel_module("kernels.boats.restrict"),
        score_unit=kernel_module("kernels.boats.egn_weights").SCORE_UNIT,
    )


def encode_setup(players: int, rulings: Mapping[str, Any]) -> np.ndarray:
    """Return the setup array of ``kernels.boats.egn_setup``; `rulings` are complete."""
    layout = kernel_module("kernels.boats.egn_setup")
    return boats_setup.encode_setup(layout, RULINGS, players, rulings)


def points(rulings: Mapping[str, Any]) -> list[int]:
    """Return the points of every saved animal, a mouse in love left out: its weight in kilos."""
    weights = kernel_module("kernels.boats.egn_weights").WEIGHTS
    return [
        rulings["peacock_weight"] if animal == "peacock" else weight
        for animal, weight in zip(ANIMALS, weights, strict=True)
    ]


def estimates(
    sums: np.ndarray, players: int, rulings: Mapping[str, Any], confidence: float
) -> egn_metrics.EinerGehtNochSummary:
    """Return the estimates of a run; `sums` has a row a block."""
    unit = kernel_module("kernels.boats.egn_weights").SCORE_UNIT
    return egn_metrics.EinerGehtNochSummary(
        sums,
        egn_metrics.sum_fields(),
        players,
        ANIMALS,
        [unit * value for value in points(rulings)],
        boats_setup.capacities(rulings),
        confidence,
        unit,
    )


def teller(
    labels: Sequence[str], owners: Sequence[str | int], rulings: Mapping[str, Any]
) -> EinerGehtNochTeller:
    """Return what turns a log into records."""
    unit = kernel_module("kernels.boats.egn_weights").SCORE_UNIT
    return EinerGehtNochTeller(labels, owners, ANIMALS, points(rulings), unit, rulings)


def tell(
    events: np.ndarray, labels: Sequence[str], rulings: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return a record with a sentence for every event of a game's log."""
    return teller(labels, range(len(labels)), rulings).tell(events)


def codec() -> PositionCodec:
    """Return the reader and resolver of positions."""
    resolver = kernel_module("kernels.boats.egn_resolve").resolve_position
    tally = kernel_module("kernels.boats.egn_tally")
    return PositionCodec(SPEC, ANIMALS, teller, resolver, tally)


def resolve(document: object) -> dict[str, Any]:
    """Resolve a position (Position JSON in and out)."""
    return codec().resolve(document)


SPEC = GameSpec(
    name=NAME,
    alias="egn",
    title="Einer geht noch!",
    players=(2, 5),
    default_players=4,
    rules_version="einer-geht-noch/1",
    summary="Animals board boats, one of them unseen; mice, foxes, monkeys and lions decide who is left.",
    rulings=RULINGS,
    strategies=("random", "greedy", "heavy", "light", "cupid", "saboteur", "bluffer"),
    metrics=egn_metrics.METRICS,
    kernel=kernel,
    encode_setup=encode_setup,
    estimates=estimates,
    tell=tell,
    resolve=resolve,
    restrictions=(
        *boats_report.card_restrictions(ANIMALS),
        *boats_report.effect_restrictions(ANIMALS, EFFECTS),
        *boats_report.face_restrictions(),
    ),
    deny_effect=boats_setup.deny_effect,
    report=boats_report.layout(
        egn_metrics.METRICS,
        "load in kilos",
        (
            Component("ACTOR", "Actions", dots=("turns_per_game", "blocked_by_love_rate")),
            Component("PLY", "The face-down card by ply", dots=("down_ply_rate",)),
        ),
        SuiteSizes(pair=60_000, main=2_000_000, restricted=130_000, ruling=130_000),
    ),
)
