"""From the plank game's block sums to the estimates that are reported.

The layout of the sums belongs to ``kernels.plank.tally``; here its parts get names, which are also the
columns of ``blocks.parquet``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.games.base import Metric, SumField, hex64
from analyzer.games.planke_events import COLOURS
from analyzer.games.planke_rose import SYMBOLS
from analyzer.games.summary import Summary, trimmed
from reports.estimates import shares

#: Which action drops a pirate, and how he had come to the edge.
FALLS_BY = ("push1", "row")
FALLS_AFTER = ("pushed", "swapped", "moved")

#: The first ones stand in the table that `simulate` prints.
METRICS = (
    Metric("turns", "turns of a round", True),
    Metric("colour_win_rate.COLOUR", "rounds whose survivor has that colour, of those ended", True),
    Metric("ended_on_rose_rate", "rounds ended by the wind-rose action, of those ended", True),
    Metric("impossible_move_rate", "move1 chosen with no free end, of all move1 chosen", True),
    Metric(
        "unowned_survivor_rate", "rounds whose survivor belongs to nobody, of those ended", True
    ),
    Metric("void_game_rate", "games all of whose rounds were void or capped", True),
    Metric("turn_cap_rate", "games with a round that the turn cap stopped", True),
    Metric("shared_win_rate", "games whose winners shared the win (several rounds)"),
    Metric("no_winner_rate", "games that nobody won, void ones included"),
    Metric("lead_changes_per_round", "checkpoints where nobody who led before still leads", True),
    Metric("taken_rate.SYMBOL", "turns that took the symbol, of those that showed it and another"),
    Metric("fall_rate.ACTION", "falls by push1 and by the row push"),
    Metric("fall_after_rate.ARRIVAL", "how the fallen had come to the edge: by push, swap, move1"),
    Metric("mean_fall.COLOUR", "mean number of a fall of that colour, the first fall being 1"),
    Metric("survivor_start_rate.CELL", "single survivors who started on that cell (0 = ship end)"),
    Metric("holder_win_rate.COLOUR", "rounds won with that colour, of those in which it is held"),
    Metric("starter_win_rate.PLACE", "won rounds by the winner's place behind the starter (0)"),
    Metric(
        "winner_led_rate.FALLS",
        "won rounds whose winner led after so many falls (shared leads count)",
    ),
)

#: Names of single totals, with the constant of ``tally`` that holds their cell.
_SCALARS = (
    ("games", "GAMES"),
    ("digest", "DIGEST"),
    ("shared_wins", "SHARED_WINS"),
    ("no_winner", "NO_WINNER"),
    ("void_games", "VOID_GAMES"),
    ("capped_games", "CAPPED_GAMES"),
    ("rounds", "ROUNDS"),
    ("turns", "TURNS"),
    ("capped_rounds", "CAPPED_ROUNDS"),
    ("void_rounds", "VOID_ROUNDS"),
    ("unowned_survivors", "UNOWNED_SURVIVORS"),
    ("ended_on_rose", "ENDED_ON_ROSE"),
    ("lead_changes", "LEAD_CHANGES"),
)


def sum_fields() -> tuple[SumField, ...]:
    """Return the named parts of a block's sums, in the order of their cells."""
    tally = kernel_module("kernels.plank.tally")
    table = kernel_module("kernels.plank.table")
    seats = kernel_module("kernels.abi").MAX_SEATS
    symbols, colours, pirates = len(SYMBOLS), len(COLOURS), tally.PIRATES
    parts = [SumField(name, getattr(tally, constant)) for name, constant in _SCALARS]
    parts += [
        SumField("credit", tally.CREDIT, (seats,)),
        SumField("credit_squared", tally.CREDIT_SQUARED, (seats,)),
        SumField("score", tally.SCORE, (seats,)),
        SumField("led", tally.LED, (table.CHECKPOINTS, seats)),
        SumField("winner_led", tally.WINNER_LED, (table.CHECKPOINTS,)),
        SumField("chosen", tally.CHOSEN, (seats, symbols, symbols, symbols)),
        SumField("lapsed", tally.LAPSED, (symbols,)),
        SumField("falls", tally.FALLS, (tally.FALL_KINDS, table.ARRIVALS)),
        SumField("fall_order", tally.FALL_ORDER, (pirates, pirates)),
        SumField("survivor_start", tally.SURVIVOR_START, (pirates,)),
        SumField("survivor_colour", tally.SURVIVOR_COLOUR, (colours,)),
        SumField("held_wins", tally.HELD_WINS, (colours,)),
        SumField("stones", tally.STONES, (seats, colours)),
        SumField("round_points", tally.ROUND_POINTS, (seats, tally.POINT_BINS)),
        SumField("won_after", tally.WON_AFTER, (seats,)),
        SumField("lengths", tally.LENGTHS, (tally.LENGTH_BINS,)),
    ]
    return tuple(sorted(parts, key=lambda part: part.first))


def checkpoints() -> tuple[int, ...]:
    """Return the falls after which the lead is looked at."""
    return kernel_module("kernels.plank.scoring").CHECKPOINT_FALLS


def row_columns(players: int) -> list[tuple[str, int]]:
    """Return the columns of ``games.parquet`` as (name, cell of a row)."""
    tally = kernel_module("kernels.plank.tally")
    per_seat = (
        ("credit", tally.ROW_CREDIT),
        ("score", tally.ROW_SCORE),
        ("colour", tally.ROW_STONE),
    )
    columns = [
        (f"{name}_{seat}", cell + seat) for name, cell in per_seat for seat in range(players)
    ]
    columns += [
        (f"leaders_{falls}", tally.ROW_LEADERS + k) for k, falls in enumerate(checkpoints())
    ]
    return [
        *columns,
        ("turns", tally.ROW_TURNS),
        ("survivor", tally.ROW_SURVIVOR),
        ("ended_on_rose", tally.ROW_ON_ROSE),
        ("undecided_rounds", tally.ROW_UNDECIDED),
        ("capped_rounds", tally.ROW_CAPPED),
        ("first_seat", tally.ROW_START),
        ("digest", tally.ROW_DIGEST),
    ]


def row_result(row: Sequence[int], players: int) -> dict[str, Any]:
    """Return one game's row as the ``result`` of `analyzer replay`; colours are the last round's."""
    tally = kernel_module("kernels.plank.tally")
    unit = kernel_module("kernels.abi").CREDIT_UNIT
    survivor = int(row[tally.ROW_SURVIVOR])
    leaders = [int(row[tally.ROW_LEADERS + k]) for k in range(len(checkpoints()))]
    because = {}
    if not any(row[tally.ROW_CREDIT : tally.ROW_CREDIT + players]):
        capped = row[tally.ROW_CAPPED] > 0
        reason = "the turn cap" if capped else "a survivor whose colour nobody holds"
        because = {"nobody_because": reason}
    return {
        "seats": [
            {
                "seat": seat,
                "score": int(row[tally.ROW_SCORE + seat]),
                "colour": COLOURS[row[tally.ROW_STONE + seat]],
                "credit": int(row[tally.ROW_CREDIT + seat]) / unit,
            }
            for seat in range(players)
        ],
        "turns": int(row[tally.ROW_TURNS]),
        "survivor": COLOURS[survivor] if survivor >= 0 else None,
        "ended_on_rose": bool(row[tally.ROW_ON_ROSE]),
        "undecided_rounds": int(row[tally.ROW_UNDECIDED]),
        "capped_rounds": int(row[tally.ROW_CAPPED]),
        "first_seat": int(row[tally.ROW_START]),
        "leaders": [[seat for seat in range(players) if mask >> seat & 1] for mask in leaders],
        **because,
        "digest": hex64(int(row[tally.ROW_DIGEST])),
    }


def counted_games(sums: np.ndarray, rulings: Mapping[str, Any]) -> np.ndarray:
    """Return the games of each block that win rates are shares of (see `PlankSummary`)."""
    part = {one.name: one.of(sums) for one in sum_fields()}
    return part["games"] - part["void_games"] * (rulings["unowned_survivor"] == "replay")


def counted_rounds(sums: np.ndarray, rulings: Mapping[str, Any]) -> np.ndarray:
    """Return the rounds of each block that mean scores are over (see `PlankSummary`)."""
    part = {one.name: one.of(sums) for one in sum_fields()}
    void = part["void_rounds"] + part["capped_rounds"]
    return part["rounds"] - void * (rulings["unowned_survivor"] == "replay")


class PlankSummary(Summary):
    """The estimates of one run.

    Parameters
    ----------
    sums
        int64, shape ``(blocks, cells)``.
    players
        Number of seats.
    rulings
        Complete and canonical. Under ``unowned_survivor=replay`` win rates and scores are those of
        the games and rounds that were not void; under its other values those of all.
    confidence
        Level of all intervals.
    """

    def __init__(
        self, sums: np.ndarray, players: int, rulings: Mapping[str, Any], confidence: float
    ) -> None:
        super().__init__(sums, sum_fields(), players, confidence)
        self.rounds = self.part["rounds"]
        self.ended = self.rounds - self.part["capped_rounds"]
        self.counted_games = counted_games(sums, rulings)
        self.counted_scores = counted_rounds(sums, rulings)

    def metrics(self) -> dict[str, dict[str, Any]]:
        """Return every metric, in the order of METRICS where it matters to a reader."""
        part = self.part
        out = {"turns": self.per(part["turns"], self.rounds)}
        for k, colour in enumerate(COLOURS):
            survived = part["survivor_colour"][:, k]
            out[f"colour_win_rate.{colour}"] = self.share(survived, self.ended)
        move1 = SYMBOLS.index("move1")
        moves = part["chosen"][..., move1].sum(axis=(1, 2, 3))
        out["ended_on_rose_rate"] = self.share(part["ended_on_rose"], self.ended)
        out["impossible_move_rate"] = self.share(part["lapsed"][:, move1], moves)
        out["unowned_survivor_rate"] = self.share(part["unowned_survivors"], self.ended)
        out["void_game_rate"] = self.share(part["void_games"], self.games)
        out["turn_cap_rate"] = self.share(part["capped_games"], self.games)
        out["shared_win_rate"] = self.share(part["shared_wins"], self.games)
        out["no_winner_rate"] = self.share(part["no_winner"], self.games)
        out["lead_changes_per_round"] = self.per(part["lead_changes"], self.ended)
        out.update(self.choice_metrics())
        out.update(self.fall_metrics())
        out.update(self.winner_metrics())
        return out

    def choice_metrics(self) -> dict[str, dict[str, Any]]:
        """Return which symbol is taken where the rose shows two different ones."""
        chosen = self.part["chosen"].sum(axis=1)
        pairs = chosen.sum(axis=3)
        out = {}
        for k, symbol in enumerate(SYMBOLS):
            twice = pairs[:, k, k]
            shown = pairs[:, k, :].sum(axis=1) + pairs[:, :, k].sum(axis=1) - 2 * twice
            taken = chosen[..., k].sum(axis=(1, 2)) - chosen[:, k, k, k]
            out[f"taken_rate.{symbol}"] = self.share(taken, shown)
        return out

    def fall_metrics(self) -> dict[str, dict[str, Any]]:
        """Return how, and in which order, pirates fall."""
        falls = self.part["falls"]
        total = falls.sum(axis=(1, 2))
        out = {}
        for k, action in enumerate(FALLS_BY):
            out[f"fall_rate.{action}"] = self.share(falls[:, k, :].sum(axis=1), total)
        for k, arrival in enumerate(FALLS_AFTER):
            out[f"fall_after_rate.{arrival}"] = self.share(falls[:, :, k].sum(axis=1), total)
        order = self.part["fall_order"]
        numbers = np.arange(1, order.shape[1] + 1)
        for k, colour in enumerate(COLOURS):
            by_number = order[:, :, k :: len(COLOURS)].sum(axis=2)
            out[f"mean_fall.{colour}"] = self.per(by_number @ numbers, by_number.sum(axis=1))
        return out

    def winner_metrics(self) -> dict[str, dict[str, Any]]:
        """Return who wins: where the survivor started, by colour, by place, by early lead."""
        part = self.part
        out = {}
        singles = part["survivor_start"].sum(axis=1)
        for cell in range(part["survivor_start"].shape[1]):
            started = part["survivor_start"][:, cell]
            out[f"survivor_start_rate.{cell}"] = self.share(started, singles)
        held = part["stones"].sum(axis=1)
        for k, colour in enumerate(COLOURS):
            out[f"holder_win_rate.{colour}"] = self.share(part["held_wins"][:, k], held[:, k])
        won = part["won_after"].sum(axis=1)
        for place in range(self.players):
            out[f"starter_win_rate.{place}"] = self.share(part["won_after"][:, place], won)
        for k, falls in enumerate(checkpoints()):
            out[f"winner_led_rate.{falls}"] = self.share(part["winner_led"][:, k], won)
        return out

    def tables(self) -> dict[str, Any]:
        """Return the histograms and matrices, as integer totals or shares."""
        order = self.total("fall_order")
        return {
            "lengths": {"turns": "0..", "rounds": trimmed(self.total("lengths"))},
            "choices": self.choices(),
            "falls": self.falls(),
            "fall_order": [
                {"fall": nth + 1, "by_start_cell": order[nth].tolist()}
                for nth in range(len(order))
                if order[nth].any()
            ],
            "survivors": {"by_start_cell": self.total("survivor_start").tolist()},
            "colours": self.colours(),
            "leaders": self.leaders(),
            "round_points": {
                "points": "0..",
                "rounds_by_seat": self.total("round_points")[: self.players].tolist(),
            },
        }

    def choices(self) -> list[dict[str, Any]]:
        """Return what every seat took of the symbols that were shown; pairs in any order."""
        chosen = self.total("chosen")[: self.players]
        rows = []
        for a, first in enumerate(SYMBOLS):
            for b, second in enumerate(SYMBOLS[a:], a):
                both = chosen[:, a, b] + (chosen[:, b, a] if a != b else 0)
                taken = {first: both[:, a].tolist()}
                if a != b:
                    taken[second] = both[:, b].tolist()
                rows.append({"shown": [first, second], "taken_by_seat": taken})
        return rows

    def falls(self) -> list[dict[str, Any]]:
        """Return the falls by action and by how the fallen had come to the edge."""
        falls = self.total("falls")
        return [
            {"by": by, "after": after, "falls": int(falls[k, j])}
            for k, by in enumerate(FALLS_BY)
            for j, after in enumerate(FALLS_AFTER)
        ]

    def colours(self) -> list[dict[str, Any]]:
        """Return every colour's rounds: survived, held by a player, won by its holder."""
        held = self.total("stones").sum(axis=0)
        return [
            {
                "colour": colour,
                "survived": int(self.total("survivor_colour")[k]),
                "held": int(held[k]),
                "won": int(self.total("held_wins")[k]),
            }
            for k, colour in enumerate(COLOURS)
        ]

    def leaders(self) -> list[dict[str, Any]]:
        """Return each seat's share of the lead (most own pirates left) at every checkpoint.

        How many seats shared a lead was not counted.
        """
        led = self.total("led")[:, : self.players]
        rounds = self.unit * int(self.ended.sum())
        return [
            {"falls": falls, "lead_by_seat": shares(row, rounds)}
            for falls, row in zip(checkpoints(), led.tolist(), strict=True)
        ]
