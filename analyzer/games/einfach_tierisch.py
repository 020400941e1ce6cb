"""Einfach tierisch: what there is to choose, to measure and to tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import permutations
from math import gcd
from typing import Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.errors import UsageError, did_you_mean
from analyzer.games import tierisch_metrics
from analyzer.games.base import GameSpec, Kernel, Ruling
from analyzer.games.kinds import Choice, is_count, multiset_items
from analyzer.games.layout import Component, Histogram, ReportLayout, Restriction, SuiteSizes
from analyzer.games.tierisch_events import DiceTeller, dice_in_words, symbols_of
from analyzer.games.tierisch_position import PositionCodec
from analyzer.progress import Note

NAME = "einfach-tierisch"
ANIMALS = ("pig", "mouse", "penguin", "dog", "cat")
POLICE = "police"
SYMBOLS = (*ANIMALS, POLICE)
#: As many as ``kernels.dice`` has room for, once what all counts have in common is divided out.
MAX_FACES = 20
#: Events of most games; a longer one gets more room.
_EVENTS = 4_000
#: Strategies that look their moves up in a table of turn play.
_TABLED = ("own", "cautious")
OPTIMAL = "optimal"


@dataclass(frozen=True)
class Faces:
    """The faces of a die: a multiset of symbols, written ``pig:2,mouse,police``."""

    symbols: tuple[str, ...]
    most: int

    def parse(self, value: object) -> str:
        """Return the faces in canonical form: in the order of the symbols, repeated ones counted."""
        counts: Counter[str] = Counter()
        for symbol, count in multiset_items(value, self):
            self._check(symbol, count)
            counts[symbol] += int(count)
        common = reduce(gcd, counts.values(), 0)
        if not common:
            raise ValueError(f"A die needs at least one face. {self._example()}")
        if counts.total() // common > self.most:
            raise ValueError(f"A die has at most {self.most} faces, not {counts.total()}.")
        return ",".join(
            symbol if counts[symbol] == 1 else f"{symbol}:{counts[symbol]}"
            for symbol in self.symbols
            if counts[symbol]
        )

    def describe(self) -> str:
        """Return the way to write a die."""
        return f"1 to {self.most} faces out of {', '.join(self.symbols)}; pig:2 is two faces"

    def faces(self, canonical: str) -> list[int]:
        """Return the number of the symbol on each face of a canonical die."""
        numbers: list[int] = []
        for item in canonical.split(","):
            symbol, _, count = item.partition(":")
            numbers += [self.symbols.index(symbol)] * int(count or 1)
        return numbers

    def _example(self) -> str:
        return f"Write it as {self.symbols[0]}:2,{self.symbols[1]},{self.symbols[-1]}."

    def _check(self, symbol: str, count: str) -> None:
        if symbol not in self.symbols:
            hint = did_you_mean(symbol, self.symbols)
            raise ValueError(f"{symbol!r} is no symbol. {hint}Choices: {', '.join(self.symbols)}.")
        if not is_count(count):
            raise ValueError(f"{count!r} is no number of faces. {self._example()}")


DIE = Faces(SYMBOLS, MAX_FACES)

#: In the order of the registry; the setup array follows it (``kernels.dice.tierisch_setup``).
RULINGS = (
    Ruling(
        "die_faces",
        DIE,
        ",".join(SYMBOLS),
        "symbols on the faces of a die",
        "A",
        ("ET-A01",),
        component=True,
    ),
    Ruling(
        "box_cap",
        Choice((3, 0)),
        3,
        "boxes that a player may mark in a turn; 0 is no limit, so four can be",
        "T",
        ("ET-A13",),
    ),
    Ruling(
        "cap_choice",
        Choice(("policy", "fullest_first")),
        "policy",
        "which box is left out under the limit: the player decides, or the emptiest column's",
        "A",
        ("ET-A14",),
    ),
    Ruling(
        "vp_columns",
        Choice(("any_other_animal", "owned_only")),
        "any_other_animal",
        "complete columns of animals that nobody has bring a point too, or do not (three players "
        "or more)",
        "I",
        ("ET-A17",),
    ),
    Ruling(
        "simultaneous_win",
        Choice(("shared", "active_first")),
        "shared",
        "players who reach two points at once share the win, or the roller comes first, then "
        "clockwise",
        "I",
        ("ET-A18",),
    ),
    Ruling(
        "animals",
        Choice(("random", "fixed")),
        "random",
        "animals are dealt at random, or seat by seat in the order of the sheet",
        "A",
        ("ET-A22",),
    ),
    Ruling(
        "start_player",
        Choice(("seat0", "random")),
        "seat0",
        "who rolls first",
        "A",
        ("ET-A22",),
    ),
)

#: Rulings with a cell of their own in the setup array, and the name of the cell.
_CELLS = {
    "box_cap": "BOX_CAP",
    "cap_choice": "CAP_CHOICE",
    "vp_columns": "VP_COLUMNS",
    "simultaneous_win": "SIMULTANEOUS_WIN",
    "animals": "DEAL",
    "start_player": "START_PLAYER",
}


@lru_cache(maxsize=1)
def kernel() -> Kernel:
    """Load the compiled side."""
    play = kernel_module("kernels.dice.play")
    tally = kernel_module("kernels.dice.tally")
    strategies = kernel_module("kernels.dice.strategies")
    return Kernel(
        play_block=play.play_block,
        sum_cells=tally.SUM_CELLS,
        sum_fields=tierisch_metrics.sum_fields(),
        row_cells=tally.ROW_CELLS,
        row_columns=tierisch_metrics.row_columns,
        row_result=tierisch_metrics.row_result(ANIMALS),
        scratch_cells=play.SCRATCH_CELLS,
        max_events=_EVENTS,
        strategies=strategies.STRATEGIES,
        compile_strategy=kernel_module("kernels.dice.view").DOOR.user_strategy,
        fault_text=_fault_text,
        restrictions=kernel_module("kernels.dice.restrict"),
    )


def _fault_text(fault: Sequence[int]) -> str:
    """Return what the moves would have been, from the legal word of a fault."""
    see = kernel_module("kernels.dice.view")
    dice = kernel_module("kernels.dice.multisets")
    legal = fault[kernel_module("kernels.abi").FAULT_LEGAL]
    if legal & see.FORGO_FLAG:
        columns = [f"{k} ({name})" for k, name in enumerate(ANIMALS) if legal >> k & 1]
        return f"legal: {', '.join(columns)}, or {see.NO_ANSWER} for no answer"
    roll = symbols_of(int(see.rolled(legal)), SYMBOLS)
    sizes = [str(size) for size in dice.KEEP_SIZES if int(see.sizes_left(legal)) >> size & 1]
    return f"legal: packed counts of {' or '.join(sizes)} dice out of {dice_in_words(roll)}"


def check_two_players(count: int, rulings: Mapping[str, Any], where: str = "") -> None:
    """Raise UsageError for a game of two that nobody could win (ET-A17)."""
    if count == 2 and rulings["vp_columns"] == "owned_only":
        place = f" {where}" if where else ""
        raise UsageError(
            f"Ruling vp_columns of {NAME} cannot be 'owned_only' with two players{place}: one "
            "column would bring a point, and a win takes two. Play with three or more, or leave "
            "vp_columns=any_other_animal."
        )


def check(players: Sequence[str], rulings: Mapping[str, Any]) -> None:
    """Raise UsageError where strategies and rulings do not go together."""
    check_two_players(len(players), rulings)
    if OPTIMAL in players:
        from analyzer.solvers import tierisch

        tierisch.check_solvable(rulings)


def encode_setup(players: int, rulings: Mapping[str, Any]) -> np.ndarray:
    """Return the setup array of ``kernels.dice.tierisch_setup``, without tables.

    Parameters
    ----------
    players
        Number of seats.
    rulings
        Complete and canonical.
    """
    layout = kernel_module("kernels.dice.tierisch_setup")
    values = {one.name: one.kind.values for one in RULINGS if isinstance(one.kind, Choice)}
    cells = {
        getattr(layout, cell): values[name].index(rulings[name]) for name, cell in _CELLS.items()
    }
    return layout.make_setup(players, cells, DIE.faces(rulings["die_faces"]))


def add_tables(
    setup: np.ndarray,
    players: Sequence[str],
    rulings: Mapping[str, Any],
    note: Note,
) -> np.ndarray:
    """Append the tables that some strategies play from: turn play, and the solved game.

    The solved game is worked out when it is not in the cache yet, which takes a minute or two.
    """
    if any(name in _TABLED for name in players):
        setup = _with_policies(setup.tobytes())
    if OPTIMAL in players:
        from analyzer.solvers import tierisch

        setup = tierisch.with_solved_game(setup, note)
    return setup


@lru_cache(maxsize=8)
def _with_policies(setup: bytes) -> np.ndarray:
    policies = kernel_module("kernels.dice.policies")
    return policies.with_policies(np.frombuffer(setup, dtype=np.int64))


def estimates(
    sums: np.ndarray, players: int, rulings: Mapping[str, Any], confidence: float
) -> tierisch_metrics.DiceSummary:
    """Return the estimates of a run; `sums` has a row a block."""
    return tierisch_metrics.DiceSummary(sums, players, ANIMALS, confidence)


def tell(
    events: np.ndarray, labels: Sequence[str], rulings: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return a record with a sentence for every event of a game's log."""
    return DiceTeller(labels, range(len(labels)), SYMBOLS).tell(events)


def resolve(document: object) -> dict[str, Any]:
    """Resolve a position (Position JSON in and out)."""
    codec = PositionCodec(
        SPEC, SYMBOLS, check_two_players, lambda rulings: DIE.faces(rulings["die_faces"])
    )
    return codec.resolve(document)


def _schedule_restrictions() -> tuple[Restriction, ...]:
    """Return the restriction of each order of setting one, two and three dice aside."""
    return tuple(
        Restriction(
            "no-" + "".join(map(str, sizes)),
            "schedule",
            "setting aside " + ", ".join(map(str, sizes)),
            f"after setting {sizes[0]} aside, never {sizes[1]} next: {sizes[2]} are instead",
            sizes[0] << 2 | sizes[1],  # kernels.dice.restrict.schedule_of
            "schedule",
            "show_schedule",
        )
        for sizes in permutations((1, 2, 3))
    )


REPORT = ReportLayout(
    components=(
        Component("SIZES", "Schedules", dots=("schedule_rate", "void_rate_by_schedule")),
        Component(
            "ANIMAL",
            "Animals",
            dots=("win_rate_of", "own_turn_marks", "other_turn_marks", "completed_per_game"),
        ),
    ),
    effects=(
        "void_rate",
        "lost_to_police_per_game",
        "marks_per_turn",
        "marking_rate",
        "double_marking_rate",
        "own_turn_rate",
        "cap_bound_per_game",
        "unowned_columns_per_game",
        "unowned_win_rate",
    ),
    tension=(
        "lead_changes_per_game",
        "comeback_rate",
        "winner_deficit",
        "shared_win_rate",
        "winner_led_rate",
    ),
    length=("turns", "turn_cap_rate"),
    pictures=(
        Histogram(
            "lengths",
            "length",
            "How long a game is",
            "turns",
            "share of games",
            lambda tables: tables["lengths"]["games"],
        ),
        Histogram(
            "comebacks",
            "tension",
            "How far behind winners once were",
            "boxes behind the leader, at worst",
            "share of winners",
            lambda tables: tables["comebacks"]["winners"],
        ),
    ),
    unplayed={OPTIMAL: "two players only, from a game that is solved beforehand"},
    dealt=("win_rate_of",),
    sizes=SuiteSizes(pair=2_400, main=80_000, restricted=10_000, ruling=10_000),
)


SPEC = GameSpec(
    name=NAME,
    alias="tierisch",
    title="Einfach tierisch",
    players=(2, 5),
    default_players=4,
    rules_version="einfach-tierisch/1",
    summary="Dice set aside one, two and three at a time; the most frequent animals mark boxes.",
    rulings=RULINGS,
    strategies=("random", "own", "margin", "cautious", "race", OPTIMAL),
    metrics=tierisch_metrics.METRICS,
    kernel=kernel,
    encode_setup=encode_setup,
    estimates=estimates,
    tell=tell,
    resolve=resolve,
    strategy_players={OPTIMAL: (2, 2)},
    check=check,
    add_tables=add_tables,
    restrictions=_schedule_restrictions(),
    report=REPORT,
)
