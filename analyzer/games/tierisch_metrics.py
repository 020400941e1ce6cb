"""From the block sums of Einfach tierisch to the estimates that are reported.

The layout of the sums belongs to ``kernels.dice.tally``; here its parts get names, which are also the
columns of ``blocks.parquet``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.games.base import Metric, SumField, hex64
from analyzer.games.summary import Summary, mean_leaders, rectangle, trimmed
from reports.estimates import shares

#: A comeback is a win from this many boxes behind: a whole column.
COMEBACK_BOXES = 5
#: The sizes set aside, in the order of the schedules' numbers.
SCHEDULES = ("123", "132", "213", "231", "312", "321")
#: What comes of a turn, in the order of the kinds.
KINDS = ("void", "nobody", "one", "two")
_OTHERS, _OWN = 0, 1  # whose turn it was

METRICS = (
    Metric("turns", "turns a game", True),
    Metric("void_rate", "turns with two or more police, of all turns", True),
    Metric("marks_per_turn", "boxes marked, all players", True),
    Metric("marking_rate", "turns in which anybody marks"),
    Metric("double_marking_rate", "turns in which two players mark", True),
    Metric("own_turn_rate", "boxes marked on one's own turn, of all boxes", True),
    Metric("lost_to_police_per_game", "boxes that the void turns would have brought", True),
    Metric("cap_bound_per_game", "times that the box cap takes a box", True),
    Metric("shared_win_rate", "games whose winners share the win", True),
    Metric("turn_cap_rate", "games stopped without a winner after ten thousand turns"),
    Metric("unowned_columns_per_game", "complete columns of animals that nobody has"),
    Metric("unowned_win_rate", "winners with such a column, of all winners", True),
    Metric("lead_changes_per_game", "rounds after which nobody who led before still leads", True),
    Metric("comeback_rate", "winners who were five boxes or more behind the leader once", True),
    Metric("winner_deficit", "boxes that a winner was behind the leader, at worst"),
    Metric(
        "winner_led_rate.ROUND",
        "wins of seats that led after that round (shared leads count), of games that long",
    ),
    Metric("schedule_rate.SIZES", "turns whose dice were set aside in these sizes, of all turns"),
    Metric("void_rate_by_schedule.SIZES", "turns of these sizes with two or more police"),
    Metric("win_rate_of.ANIMAL", "games that the player with that animal wins, of those with one"),
    Metric("own_turn_marks.ANIMAL", "boxes that its player marks on his own turns, a game"),
    Metric("other_turn_marks.ANIMAL", "boxes that its player marks on others' turns, a game"),
    Metric("completed_per_game.ANIMAL", "sheets on which that animal's column is complete"),
)


def _layout() -> list[tuple[str, str, tuple[int, ...]]]:
    """Return every part of the sums: its name, the tally's constant for it, and its shape."""
    tally = kernel_module("kernels.dice.tally")
    seats = (kernel_module("kernels.abi").MAX_SEATS,)
    animals = (kernel_module("kernels.dice.multisets").ANIMALS,)
    rounds = (kernel_module("kernels.dice.table").LEADER_ROUNDS,)
    shapes: dict[str, tuple[int, ...]] = {
        **dict.fromkeys(("credit", "credit_squared", "score"), seats),
        "turn_kinds": (*seats, tally.SCHEDULES, tally.KINDS),
        **dict.fromkeys(("turns_by_seat", "voids_by_seat"), seats),
        "schedule": (*seats, tally.SCHEDULES),
        "boxes": (*seats, tally.TURN_PARTIES),
        **dict.fromkeys(("column_totals", "completed"), animals * 2),
        **dict.fromkeys(("dealt", "animal_credit"), animals),
        "animal_boxes": (*animals, tally.TURN_PARTIES),
        "led": rounds + seats,
        "winner_led": rounds,
        "winner_sets": (tally.SEAT_SETS,),
        "leader_sets": (*rounds, tally.SEAT_SETS),
        "scores": (*seats, tally.SCORE_BINS),
        "comebacks": (tally.BOX_BINS,),
        "lengths": (tally.TURN_BINS,),
    }
    scalars = (
        "games", "digest", "shared_wins", "no_winner", "turns", "voids", "marks", "marking_turns",
        "double_marks", "lost_to_police", "cap_bound", "lead_changes", "unowned_columns",
        "unowned_wins",
    )  # fmt: skip
    named = {**dict.fromkeys(scalars, ()), **shapes}
    return [(name, name.upper(), shape) for name, shape in named.items()]


def sum_fields() -> tuple[SumField, ...]:
    """Return the named parts of a block's sums, in the order of their cells."""
    tally = kernel_module("kernels.dice.tally")
    parts = [SumField(name, getattr(tally, cell), shape) for name, cell, shape in _layout()]
    return tuple(sorted(parts, key=lambda part: part.first))


def row_columns(players: int) -> list[tuple[str, int]]:
    """Return the columns of ``games.parquet`` as (name, cell of a row)."""
    tally = kernel_module("kernels.dice.tally")
    per_seat = (
        ("credit", tally.ROW_CREDIT),
        ("score", tally.ROW_SCORE),
        ("boxes", tally.ROW_BOXES),
        ("animal", tally.ROW_ANIMAL),
    )
    columns = [
        (f"{name}_{seat}", cell + seat) for name, cell in per_seat for seat in range(players)
    ]
    return [
        *columns,
        ("turns", tally.ROW_TURNS),
        ("first_seat", tally.ROW_START),
        ("digest", tally.ROW_DIGEST),
    ]


def row_result(animals: Sequence[str]) -> Callable[[Sequence[int], int], dict[str, Any]]:
    """Return what turns one game's row into the ``result`` of `analyzer replay`."""
    tally = kernel_module("kernels.dice.tally")
    unit = kernel_module("kernels.abi").CREDIT_UNIT

    def result(row: Sequence[int], players: int) -> dict[str, Any]:
        won = any(row[tally.ROW_CREDIT + seat] for seat in range(players))
        return {
            "seats": [
                {
                    "seat": seat,
                    "animal": animals[int(row[tally.ROW_ANIMAL + seat])],
                    "score": int(row[tally.ROW_SCORE + seat]),
                    "boxes": int(row[tally.ROW_BOXES + seat]),
                    "credit": int(row[tally.ROW_CREDIT + seat]) / unit,
                }
                for seat in range(players)
            ],
            "first_seat": int(row[tally.ROW_START]),
            "turns": int(row[tally.ROW_TURNS]),
            **({} if won else {"nobody_because": "the turn cap"}),
            "digest": hex64(int(row[tally.ROW_DIGEST])),
        }

    return result


class DiceSummary(Summary):
    """The estimates of one run of Einfach tierisch.

    Parameters
    ----------
    sums, players, confidence
        As for `Summary`.
    animals
        Names of the five animals, in the order of the sheet.
    """

    def __init__(
        self, sums: np.ndarray, players: int, animals: Sequence[str], confidence: float
    ) -> None:
        super().__init__(sums, sum_fields(), players, confidence)
        self.animals = animals
        self.turns = self.part["turns"]

    def metrics(self) -> dict[str, dict[str, Any]]:
        """Return every metric, in the order of METRICS."""
        part = self.part
        out = {
            "turns": self.per_game(self.turns),
            "void_rate": self.share(part["voids"], self.turns),
            "marks_per_turn": self.per(part["marks"], self.turns),
            "marking_rate": self.share(part["marking_turns"], self.turns),
            "double_marking_rate": self.share(part["double_marks"], self.turns),
            "own_turn_rate": self.share(part["boxes"][..., _OWN].sum(axis=1), part["marks"]),
            "lost_to_police_per_game": self.per_game(part["lost_to_police"]),
            "cap_bound_per_game": self.per_game(part["cap_bound"]),
            "shared_win_rate": self.share(part["shared_wins"], self.games),
            "turn_cap_rate": self.share(part["no_winner"], self.games),
            "unowned_columns_per_game": self.per_game(part["unowned_columns"]),
            "unowned_win_rate": self.share(part["unowned_wins"], part["comebacks"].sum(axis=1)),
            "lead_changes_per_game": self.per_game(part["lead_changes"]),
        }
        out.update(self.comeback_metrics())
        out.update(self.schedule_metrics())
        out.update(self.animal_metrics())
        return out

    def comeback_metrics(self) -> dict[str, dict[str, Any]]:
        """Return how far behind winners were, and how often they led."""
        winners = self.part["comebacks"]
        behind = winners @ np.arange(winners.shape[1])
        far = winners[:, COMEBACK_BOXES:].sum(axis=1)
        out = {
            "comeback_rate": self.share(far, winners.sum(axis=1)),
            "winner_deficit": self.per(behind, winners.sum(axis=1)),
        }
        lasted = self.part["leader_sets"].sum(axis=2)
        for round_ in range(lasted.shape[1]):
            led = self.part["winner_led"][:, round_]
            out[f"winner_led_rate.{round_ + 1}"] = self.credit_share(led, lasted[:, round_])
        return out

    def schedule_metrics(self) -> dict[str, dict[str, Any]]:
        """Return how often each schedule was chosen, and how often police voided it."""
        chosen = self.part["schedule"].sum(axis=1)
        void = self.part["turn_kinds"][..., KINDS.index("void")].sum(axis=1)
        out = {}
        for k, sizes in enumerate(SCHEDULES):
            out[f"schedule_rate.{sizes}"] = self.share(chosen[:, k], self.turns)
        for k, sizes in enumerate(SCHEDULES):
            out[f"void_rate_by_schedule.{sizes}"] = self.share(void[:, k], chosen[:, k])
        return out

    def animal_metrics(self) -> dict[str, dict[str, Any]]:
        """Return the metrics with an animal in their name."""
        part = self.part
        completed = part["completed"].sum(axis=1)
        boxes = part["animal_boxes"]
        out = {}
        for k, animal in enumerate(self.animals):
            credit = part["animal_credit"][:, k]
            out[f"win_rate_of.{animal}"] = self.credit_share(credit, part["dealt"][:, k])
        for party, name in ((_OWN, "own_turn_marks"), (_OTHERS, "other_turn_marks")):
            for k, animal in enumerate(self.animals):
                out[f"{name}.{animal}"] = self.per(boxes[:, k, party], part["dealt"][:, k])
        for k, animal in enumerate(self.animals):
            out[f"completed_per_game.{animal}"] = self.per_game(completed[:, k])
        return out

    def tables(self) -> dict[str, Any]:
        """Return the histograms and matrices, as integer totals or shares."""
        seats = slice(0, self.players)
        comebacks = trimmed(self.total("comebacks"))
        return {
            "scores": {
                "points": "0..",
                "games_by_seat": rectangle(self.total("scores")[seats]),
            },
            "lengths": {"turns": "0..", "games": trimmed(self.total("lengths"))},
            "comebacks": {"boxes_behind": "0..", "winners": comebacks},
            "schedules": self.schedules(),
            "boxes_by_seat": [
                {"seat": seat, "own_turns": int(boxes[_OWN]), "other_turns": int(boxes[_OTHERS])}
                for seat, boxes in enumerate(self.total("boxes")[seats])
            ],
            "police": [
                {"seat": seat, "turns": int(turns), "void": int(void)}
                for seat, (turns, void) in enumerate(
                    zip(
                        self.total("turns_by_seat")[seats],
                        self.total("voids_by_seat")[seats],
                        strict=True,
                    )
                )
            ],
            "columns": self.columns(),
            "leaders": self.leaders(),
        }

    def schedules(self) -> list[dict[str, Any]]:
        """Return the turns of every schedule by seat, and what came of them."""
        kinds = self.total("turn_kinds")
        by_seat = self.total("schedule")[: self.players]
        return [
            {
                "sizes": sizes,
                "turns_by_seat": by_seat[:, k].tolist(),
                **dict(zip(KINDS, kinds[:, k].sum(axis=0).tolist(), strict=True)),
            }
            for k, sizes in enumerate(SCHEDULES)
        ]

    def columns(self) -> list[dict[str, Any]]:
        """Return, for each player's animal, the boxes marked and the columns completed."""
        boxes, complete = self.total("column_totals"), self.total("completed")
        return [
            {
                "animal": animal,
                "games": int(self.total("dealt")[k]),
                "boxes_by_column": boxes[k].tolist(),
                "complete_by_column": complete[k].tolist(),
            }
            for k, animal in enumerate(self.animals)
        ]

    def leaders(self) -> list[dict[str, Any]]:
        """Return each seat's share of the lead after every round and how many seats led, of the games
        that had it.
        """
        led = self.total("led")[:, : self.players].tolist()
        leaders = self.total("leader_sets")
        return [
            {
                "round": k + 1,
                "games": lasted,
                "lead_by_seat": shares(row, self.unit * lasted),
                "mean_leaders": mean_leaders(sets),
            }
            for k, (row, sets) in enumerate(zip(led, leaders, strict=True))
            if (lasted := int(sets.sum()))
        ]
