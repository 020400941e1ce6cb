"""Gezanke auf der Planke!: what there is to choose, to measure and to tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.games import planke_metrics, planke_rose
from analyzer.games.base import GameSpec, Kernel, Ruling
from analyzer.games.kinds import Choice, Whole
from analyzer.games.layout import (
    Component,
    HeatMap,
    Histogram,
    ReportLayout,
    Restriction,
    SuiteSizes,
)
from analyzer.games.planke_events import ENDS, PlankTeller
from analyzer.games.planke_position import PlankCodec
from analyzer.progress import Note

NAME = "gezanke-auf-der-planke"
#: The strategy that plays from a solved table.
ENDGAME = "endgame"
#: Bounds of the rulings that are numbers; the first two are the kernel's.
PLANK_LENGTHS = (17, 40)
MOST_ROUNDS = 1 << 24
MOST_TURNS = 10**9

#: In the order of the registry; the setup array has their cells (``kernels.plank.planke_setup``).
RULINGS = (
    Ruling(
        "plank_length",
        Whole(*PLANK_LENGTHS),
        18,
        "cells of the plank",
        "A",
        ("GP-A01",),
        component=True,
    ),
    Ruling(
        "rose",
        planke_rose.Rose(),
        planke_rose.UNIFORM,
        "what the two pointers of the wind rose show",
        "A",
        ("GP-A16",),
        component=True,
    ),
    Ruling(
        "move_targets",
        Choice(("plank_ends", "adjacent_to_group")),
        "plank_ends",
        "where move1 goes: the end cells of the plank, or next to the pirates as they stand",
        "T",
        ("GP-A03",),
    ),
    Ruling(
        "null_move",
        Choice(("no", "yes")),
        "no",
        "a pirate on an end cell may be lifted and put back",
        "I",
        ("GP-A06",),
    ),
    Ruling(
        "impossible_symbol",
        Choice(("noop_allowed", "must_take_other")),
        "noop_allowed",
        "a symbol that cannot be carried out: may be taken and lapses, or the other must be taken",
        "I",
        ("GP-A05",),
    ),
    Ruling(
        "swap_same_colour",
        Choice(("yes", "no")),
        "yes",
        "two pirates of one colour may be swapped, which changes nothing",
        "T",
        ("GP-A09",),
    ),
    Ruling(
        "skull_choice",
        Choice(("yes", "no")),
        "yes",
        "a skull may be taken although the other symbol is an action",
        "T",
        ("GP-A17",),
    ),
    Ruling(
        "end",
        Choice(("one_left", "one_colour_left")),
        "one_left",
        "a round ends with one pirate left, or with one colour left",
        "T",
        ("GP-A15",),
    ),
    Ruling(
        "unowned_survivor",
        Choice(("replay", "no_points", "best_player")),
        "replay",
        "a survivor whose colour nobody holds: the round is void, nobody is first, or the player "
        "who lasted longest wins",
        "T",
        ("GP-A19",),
    ),
    Ruling(
        "rank_scope",
        Choice(("players", "colours")),
        "players",
        "places go to the players' colours only, or to all four, and those of unowned ones are lost",
        "T",
        ("GP-A20",),
    ),
    Ruling(
        "rounds",
        Whole(1, MOST_ROUNDS),
        1,
        "rounds of a game; with several the most points win, shared by equals",
        "A",
        ("GP-A23",),
    ),
    Ruling(
        "round_starter",
        Choice(("fixed", "rotate", "winner")),
        "fixed",
        "who starts the later rounds: the same seat, the next one, or the last winner",
        "A",
        ("GP-A23",),
    ),
    Ruling(
        "turn_cap",
        Whole(1, MOST_TURNS),
        10_000,
        "turns after which a round is stopped, void and counted",
        "A",
        ("GP-A24",),
    ),
    Ruling(
        "start_player",
        Choice(("seat0", "random")),
        "seat0",
        "who starts the first round",
        "A",
        (),
    ),
)


@lru_cache(maxsize=1)
def kernel() -> Kernel:
    """Load the compiled side."""
    play = kernel_module("kernels.plank.play")
    tally = kernel_module("kernels.plank.tally")
    strategies = kernel_module("kernels.plank.strategies")
    return Kernel(
        play_block=play.play_block,
        sum_cells=tally.SUM_CELLS,
        sum_fields=planke_metrics.sum_fields(),
        row_cells=tally.ROW_CELLS,
        row_columns=planke_metrics.row_columns,
        row_result=planke_metrics.row_result,
        scratch_cells=play.SCRATCH_CELLS,
        max_events=play.MAX_EVENTS,
        strategies=strategies.STRATEGIES,
        compile_strategy=kernel_module("kernels.plank.view").DOOR.user_strategy,
        fault_text=fault_text,
        restrictions=kernel_module("kernels.plank.restrict"),
    )


def encode_setup(players: int, rulings: Mapping[str, Any]) -> np.ndarray:
    """Return the setup array of ``kernels.plank.planke_setup``.

    Parameters
    ----------
    players
        Number of seats.
    rulings
        Complete and canonical.
    """
    layout = kernel_module("kernels.plank.planke_setup")
    rose = kernel_module("kernels.plank.rose")
    setup = np.zeros(layout.SETUP_CELLS, dtype=np.int64)
    setup[layout.PLAYERS] = players
    for ruling in RULINGS:
        value = rulings[ruling.name]
        if isinstance(ruling.kind, Choice):
            setup[getattr(layout, ruling.name.upper())] = ruling.kind.values.index(value)
        elif isinstance(ruling.kind, Whole):
            setup[getattr(layout, ruling.name.upper())] = value
    law = planke_rose.law(rulings["rose"])
    chances = rose.rose_chances([chance for row in law for chance in row])
    setup[layout.ROSE_CHANCE : layout.ROSE_END] = rose.rose_cells(chances)
    return setup


def fault_text(fault: Sequence[int]) -> str:
    """Return what was wrong with an illegal move, from the kernel's report of the fault."""
    pos = kernel_module("kernels.plank.position")
    at = kernel_module("kernels.plank.table")
    abi = kernel_module("kernels.abi")
    move, legal, reason = fault[abi.FAULT_MOVE], fault[abi.FAULT_LEGAL], fault[at.FAULT]
    symbols = [symbol for k, symbol in enumerate(planke_rose.SYMBOLS) if pos.may_choose(legal, k)]
    free = [end for k, end in enumerate(ENDS) if pos.is_free(legal, k)]
    reasons = {
        pos.NOT_A_MOVE: "bits beyond those of a move are set",
        pos.NOT_SHOWN: "the wind rose does not show the symbol",
        pos.OTHER_SYMBOL: "the other symbol must be taken",
        pos.USELESS_CELL: "a cell is given where none is taken",
        pos.NO_PIRATE: "nobody stands on that cell",
        pos.SAME_PIRATE: "a swap takes two different pirates",
        pos.SAME_COLOUR: "both pirates have the same colour",
        pos.NO_END: "move1 goes to an end, LAST or FOREMOST",
        pos.END_TAKEN: "that end is not free",
        pos.NOT_A_ROW: "the row is not the last pirate of a row after the action",
    }
    symbol = planke_rose.SYMBOLS[pos.symbol_of(move)]
    return (
        f"{symbol}, at {pos.at_of(move)}, other {pos.other_of(move)}, row {pos.row_of(move)}: "
        f"{reasons[reason]}; symbols: {', '.join(symbols)}; free ends: {', '.join(free) or 'none'}"
    )


def check(players: Sequence[str], rulings: Mapping[str, Any]) -> None:
    """Raise UsageError where the rulings leave a strategy without its table."""
    if ENDGAME in players:
        from analyzer.solvers import planke

        planke.check_solvable(rulings)


def add_tables(
    setup: np.ndarray,
    players: Sequence[str],
    rulings: Mapping[str, Any],
    note: Note,
) -> np.ndarray:
    """Append the solved endgame where a strategy plays from it.

    Raises
    ------
    UsageError
        When it has not been solved; the message is the command that does it.
    """
    if ENDGAME not in players:
        return setup
    from analyzer.solvers import planke

    return planke.with_solved_endgame(setup, rulings)


def estimates(
    sums: np.ndarray, players: int, rulings: Mapping[str, Any], confidence: float
) -> planke_metrics.PlankSummary:
    """Return the estimates of a run; `sums` has a row a block."""
    return planke_metrics.PlankSummary(sums, players, rulings, confidence)


def tell(
    events: np.ndarray, labels: Sequence[str], rulings: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return a record with a sentence for every event of a game's log."""
    return PlankTeller(labels).tell(events)


def resolve(document: object) -> dict[str, Any]:
    """Resolve a position (Position JSON in and out)."""
    return PlankCodec(SPEC).resolve(document)


def _symbol_restrictions() -> tuple[Restriction, ...]:
    """Return the restriction of every symbol: the other one that the rose shows is taken."""
    return tuple(
        Restriction(
            f"no-{symbol}",
            "option",
            f"choosing {symbol}",
            f"{symbol} is never taken where the rose shows another symbol too",
            k,
            "symbol",
            "show_symbol",
        )
        for k, symbol in enumerate(planke_rose.SYMBOLS)
    )


def falls_by_start(tables: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return, for every start cell, how often its pirate was the first, second, … to fall."""
    rows = tables["fall_order"]
    totals = [sum(cells) for cells in zip(*(row["by_start_cell"] for row in rows), strict=True)]
    return [
        {"x": row["fall"], "y": cell, "n": totals[cell], "hits": hits, "marked": False}
        for row in rows
        for cell, hits in enumerate(row["by_start_cell"])
    ]


REPORT = ReportLayout(
    components=(
        Component("COLOUR", "Colours", dots=("holder_win_rate", "colour_win_rate", "mean_fall")),
        Component("SYMBOL", "Symbols of the wind rose", dots=("taken_rate",)),
        Component("CELL", "Start positions", dots=("survivor_start_rate",)),
        Component("PLACE", "Places behind the starter", dots=("starter_win_rate",)),
    ),
    effects=(
        "fall_rate",
        "fall_after_rate",
        "ended_on_rose_rate",
        "impossible_move_rate",
        "unowned_survivor_rate",
        "void_game_rate",
        "turn_cap_rate",
    ),
    tension=(
        "lead_changes_per_round",
        "winner_led_rate",
        "shared_win_rate",
        "no_winner_rate",
    ),
    length=("turns",),
    pictures=(
        HeatMap(
            "falls",
            "components",
            "When the pirate of each start position falls",
            "number of the fall",
            "start position (0: ship end)",
            "share of the falls from there",
            falls_by_start,
        ),
        Histogram(
            "lengths",
            "length",
            "How long a round is",
            "turns",
            "share of rounds",
            lambda tables: tables["lengths"]["rounds"],
        ),
    ),
    unplayed={
        ENDGAME: "two players only, from a table that is solved beforehand; it beats lookahead there"
    },
    slow=("lookahead",),
    dealt=("holder_win_rate",),
    sizes=SuiteSizes(pair=10_000, main=2_000_000, restricted=400_000, ruling=320_000),
)


SPEC = GameSpec(
    name=NAME,
    alias="planke",
    title="Gezanke auf der Planke!",
    players=(2, 4),
    default_players=4,
    rules_version="gezanke-auf-der-planke/1",
    summary="Pirates of four colours push each other along a plank; colours are secret.",
    rulings=RULINGS,
    strategies=("random", "greedy", "patient", "vandal", "lookahead", ENDGAME),
    metrics=planke_metrics.METRICS,
    kernel=kernel,
    encode_setup=encode_setup,
    estimates=estimates,
    tell=tell,
    resolve=resolve,
    restrictions=_symbol_restrictions(),
    report=REPORT,
    counted_games=planke_metrics.counted_games,
    counted_scores=planke_metrics.counted_rounds,
    strategy_players={ENDGAME: (2, 2)},
    check=check,
    add_tables=add_tables,
)
