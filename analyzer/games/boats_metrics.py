"""From a boat game's block sums to the estimates that are reported (both boat games).

The layout of the sums belongs to ``kernels.boats.tally``; here its parts get names, which are also
the columns of ``blocks.parquet``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.games.base import Metric, SumField, hex64
from analyzer.games.summary import Summary, mean_leaders, rectangle, trimmed
from analyzer.games.words import plain
from reports.estimates import as_metric, rate, shares

#: Metrics of both boat games; a game's own stand between the first ones and the others. Headlines
#: stand in the table that `simulate` prints.
FIRST_METRICS = (
    Metric("cupids_per_game", "cupid cards paid", True),
    Metric("replacements_per_game", "boats that mice replaced by others", True),
    Metric("eaten_per_game", "animals eaten by lions", True),
    Metric("overboard_per_game", "animals that left the last boat, swimmers included", True),
)
OTHER_METRICS = (
    Metric("monkey_throws_per_game", "animals that monkeys moved", True),
    Metric("idle_monkeys_per_game", "single monkeys whose turn had no effect"),
    Metric("idle_lions_per_game", "single lions whose turn had no effect"),
    Metric("unpaid_pairs_per_game", "pairs that fell in love when no cupids were left"),
    Metric("shared_win_rate", "games whose winners shared the win", True),
    Metric("no_winner_rate", "games that nobody won because of a tie"),
    Metric("lead_changes_per_game", "rounds after which nobody who led before still leads", True),
    Metric("margin", "points between the best and the second best", True),
    Metric("winner_led_rate.ROUND", "wins of seats that led after that round (shared leads count)"),
    Metric("sail_rate.CAPACITY", "boats of that capacity that sailed, of those weighed"),
    Metric("kept_rate.ANIMAL", "cards of that animal saved, of those played"),
    Metric("sunk_rate.ANIMAL", "cards lost with a sinking boat"),
    Metric("eaten_rate.ANIMAL", "cards eaten by a lion"),
    Metric("overboard_rate.ANIMAL", "cards that left the last boat and were lost"),
    Metric("discarded_rate.ANIMAL", "cards lost although their boat sailed"),
    Metric("points_per_game.ANIMAL", "points that the animal's saved cards brought, all seats"),
    Metric("win_rate_when_kept.ANIMAL", "wins (shared ones whole) of seats that saved that card"),
)

#: Names of the parts of the sums, with the constant of ``tally`` that holds their first cell.
_SCALARS = (
    ("games", "GAMES"),
    ("digest", "DIGEST"),
    ("shared_wins", "SHARED_WINS"),
    ("no_winner", "NO_WINNER"),
    ("cupids", "CUPIDS"),
    ("pairs_unpaid", "PAIRS_UNPAID"),
    ("fights", "FIGHTS"),
    ("fox_jumps", "FOX_JUMPS"),
    ("lion_meals", "LION_MEALS"),
    ("monkey_throws", "MONKEY_THROWS"),
    ("replaced", "REPLACED"),
    ("blocked_monkey", "BLOCKED_MONKEY"),
    ("blocked_lion", "BLOCKED_LION"),
    ("lead_changes", "LEAD_CHANGES"),
    ("boats_not_weighed", "LOADS_OF_FIGHTS"),
    ("swam", "SWAM"),
)


def sum_fields() -> tuple[SumField, ...]:
    """Return the named parts of a block's sums, in the order of their cells."""
    tally = kernel_module("kernels.boats.tally")
    cards = kernel_module("kernels.boats.cards")
    seats = (cards.MAX_SEATS,)
    by_round = (cards.ROUNDS, cards.MAX_SEATS)
    by_card = (cards.SPECIES, cards.MAX_SEATS)
    parts = [SumField(name, getattr(tally, constant)) for name, constant in _SCALARS]
    parts += [
        SumField("credit", tally.CREDIT, seats),
        SumField("credit_squared", tally.CREDIT_SQUARED, seats),
        SumField("score", tally.SCORE, seats),
        SumField("led", tally.LED, by_round),
        SumField("winner_led", tally.WINNER_LED, (cards.ROUNDS,)),
        SumField("winner_sets", tally.WINNER_SETS, (tally.SEAT_SETS,)),
        SumField("leader_sets", tally.LEADER_SETS, (cards.ROUNDS, tally.SEAT_SETS)),
        SumField("scores", tally.SCORES, (cards.MAX_SEATS, tally.SCORE_BINS)),
        SumField("margins", tally.MARGINS, (tally.SCORE_BINS,)),
        SumField("kept_cards", tally.KEPT_CARDS, by_card),
        SumField("kept_by_winners", tally.KEPT_BY_WINNERS, by_card),
        SumField("eaten_cards", tally.EATEN_CARDS, by_card),
        SumField("overboard_cards", tally.OVERBOARD_CARDS, by_card),
        SumField("discarded_cards", tally.DISCARDED_CARDS, by_card),
        SumField("loads", tally.LOADS, (cards.BOAT_CARDS, tally.LOAD_BINS, 2)),
    ]
    return tuple(sorted(parts, key=lambda part: part.first))


def row_columns(players: int, score: str = "score") -> list[tuple[str, int]]:
    """Return the columns of ``games.parquet`` as (name, cell of a row); `score` names the scores."""
    tally = kernel_module("kernels.boats.tally")
    cards = kernel_module("kernels.boats.cards")
    per_seat = (
        ("credit", tally.ROW_CREDIT),
        (score, tally.ROW_SCORE),
        ("cupids", tally.ROW_CUPIDS),
        ("saved", tally.ROW_SAVED),
    )
    columns = [
        (f"{name}_{seat}", cell + seat) for name, cell in per_seat for seat in range(players)
    ]
    columns += [
        (f"leaders_{round_ + 1}", tally.ROW_LEADERS + round_) for round_ in range(cards.ROUNDS)
    ]
    return [*columns, ("first_seat", tally.ROW_START), ("digest", tally.ROW_DIGEST)]


def row_result(row: Sequence[int], players: int, score_unit: int = 1) -> dict[str, Any]:
    """Return one game's row as the ``result`` of `analyzer replay`.

    Parameters
    ----------
    row
        int64, the cells of ``kernels.boats.tally``.
    players
        Number of seats.
    score_unit
        How many units of the row's scores make a point.
    """
    tally = kernel_module("kernels.boats.tally")
    cards = kernel_module("kernels.boats.cards")
    unit = kernel_module("kernels.abi").CREDIT_UNIT
    leaders = [int(row[tally.ROW_LEADERS + round_]) for round_ in range(cards.ROUNDS)]
    return {
        "seats": [
            {
                "seat": seat,
                "score": plain(int(row[tally.ROW_SCORE + seat]) / score_unit),
                "cupids": int(row[tally.ROW_CUPIDS + seat]),
                "saved": int(row[tally.ROW_SAVED + seat]),
                "credit": int(row[tally.ROW_CREDIT + seat]) / unit,
            }
            for seat in range(players)
        ],
        "first_seat": int(row[tally.ROW_START]),
        "leaders": [[seat for seat in range(players) if mask >> seat & 1] for mask in leaders],
        "digest": hex64(int(row[tally.ROW_DIGEST])),
    }


class BoatSummary(Summary):
    """The estimates of one run of a boat game; a game's own summary adds what is its own.

    Parameters
    ----------
    sums, fields, players, confidence, score_unit
        As for `Summary`.
    animals, points
        Names of the twelve species, lightest first, and what a saved card scores in units of the
        scores.
    capacities
        The distinct capacities of the deck, ascending.
    """

    #: The game's metrics, in the order in which they are told.
    listed: tuple[Metric, ...] = ()
    #: Metric name: the part of the sums that it counts a game.
    per_game_parts: Mapping[str, str] = {
        "cupids_per_game": "cupids",
        "replacements_per_game": "replaced",
        "monkey_throws_per_game": "monkey_throws",
        "idle_monkeys_per_game": "blocked_monkey",
        "idle_lions_per_game": "blocked_lion",
        "unpaid_pairs_per_game": "pairs_unpaid",
        "lead_changes_per_game": "lead_changes",
    }
    #: What may become of a card and is counted; whatever is left went down with its boat.
    counted_fates = ("kept", "eaten", "overboard", "discarded")

    def __init__(
        self,
        sums: np.ndarray,
        fields: Sequence[SumField],
        players: int,
        animals: Sequence[str],
        points: Sequence[int],
        capacities: Sequence[int],
        confidence: float,
        score_unit: int = 1,
    ) -> None:
        super().__init__(sums, fields, players, confidence, score_unit)
        self.animals = animals
        self.points = points
        self.capacities = capacities

    def sank(self) -> np.ndarray:
        """Return the boats that sank, shape (blocks,)."""
        return self.part["loads"][..., 0].sum(axis=(1, 2))

    def metrics(self) -> dict[str, dict[str, Any]]:
        """Return every metric, in the order of the game's list."""
        sailed = self.part["loads"][..., 1].sum(axis=2)
        weighed = self.part["loads"].sum(axis=(2, 3))
        sank = self.sank()
        out = {"capsize_rate": self.share(sank, sank + sailed.sum(axis=1))}
        for name, counted in self.per_game_parts.items():
            out[name] = self.per_game(self.part[counted])
        out["eaten_per_game"] = self.per_game(self.part["lion_meals"])
        left = self.part["overboard_cards"].sum(axis=(1, 2)) + self.part["swam"]
        out["overboard_per_game"] = self.per_game(left)
        out.update(self.own_metrics())
        out["shared_win_rate"] = self.share(self.part["shared_wins"], self.games)
        out["no_winner_rate"] = self.share(self.part["no_winner"], self.games)
        margins = self.part["margins"] @ np.arange(self.part["margins"].shape[1])
        out["margin"] = self.points_per_game(margins)
        wins = self.part["credit"].sum(axis=1)
        # After the last round the winners lead by definition.
        for round_ in range(self.part["winner_led"].shape[1] - 1):
            hits = self.part["winner_led"][:, round_]
            led = rate(hits, wins, self.confidence, unit=self.unit)
            out[f"winner_led_rate.{round_ + 1}"] = as_metric(led, int(wins.sum()) // self.unit)
        for kind, capacity in enumerate(self.capacities):
            out[f"sail_rate.{capacity}"] = self.share(sailed[:, kind], weighed[:, kind])
        out.update(self.animal_metrics())
        order = [metric.stem for metric in self.listed]
        return dict(sorted(out.items(), key=lambda item: order.index(item[0].partition(".")[0])))

    def own_metrics(self) -> dict[str, dict[str, Any]]:
        """Return the metrics that only one of the games has, beside `per_game_parts`."""
        return {}

    def fates(self) -> dict[str, np.ndarray]:
        """Return the cards of every fate, shape (blocks, species); they add up to the played."""
        fates = {fate: self.part[f"{fate}_cards"].sum(axis=2) for fate in self.counted_fates}
        played = np.repeat(self.games[:, None] * self.players, len(self.animals), axis=1)
        sunk = played - sum(fates.values())
        return {"kept": fates["kept"], "sunk": sunk, **fates, "played": played}

    def brought(self, kept: np.ndarray) -> np.ndarray:
        """Return what every species' saved cards scored, shape (blocks, species)."""
        return kept * np.asarray(self.points)

    def animal_metrics(self) -> dict[str, dict[str, Any]]:
        """Return the metrics with an animal in their name."""
        fates = self.fates()
        winners = self.part["kept_by_winners"].sum(axis=2)
        brought = self.brought(fates["kept"])
        out = {}
        for fate, cards in fates.items():
            if fate == "played":
                continue
            for k, animal in enumerate(self.animals):
                out[f"{fate}_rate.{animal}"] = self.share(cards[:, k], fates["played"][:, k])
        for k, animal in enumerate(self.animals):
            out[f"points_per_game.{animal}"] = self.points_per_game(brought[:, k])
        for k, animal in enumerate(self.animals):
            out[f"win_rate_when_kept.{animal}"] = self.share(winners[:, k], fates["kept"][:, k])
        return out

    def tables(self) -> dict[str, Any]:
        """Return the histograms and matrices, as integer totals or shares."""
        return {
            "scores": self.scores(),
            "margins": {"points": "0..", "games": trimmed(self.in_whole_points("margins"))},
            "boats": self.boats(),
            "leaders": self.leaders(),
            "fates": self.fate_table(),
        }

    def in_whole_points(self, name: str) -> np.ndarray:
        """Return a histogram over scores with a bin a point; fractions are rounded down."""
        bins = self.total(name)
        return bins.reshape(*bins.shape[:-1], -1, self.score_unit).sum(axis=-1)

    def scores(self) -> dict[str, Any]:
        """Return how often every seat reached every score, from 0 up."""
        counts = self.in_whole_points("scores")[: self.players]
        return {"points": "0..", "games_by_seat": rectangle(counts)}

    def boats(self) -> dict[str, Any]:
        """Return boats by capacity, load in kilos and outcome."""
        tally = kernel_module("kernels.boats.tally")
        loads = self.total("loads")
        used = np.flatnonzero(loads.sum(axis=(0, 2)))
        first, last = (int(used[0]), int(used[-1])) if len(used) else (0, -1)
        return {
            "loads_from": first - tally.LOAD_OFFSET,
            "by_capacity": [
                {
                    "capacity": capacity,
                    "sailed": loads[kind, first : last + 1, 1].tolist(),
                    "sank": loads[kind, first : last + 1, 0].tolist(),
                }
                for kind, capacity in enumerate(self.capacities)
            ],
        }

    def leaders(self) -> list[dict[str, Any]]:
        """Return each seat's share of the lead after every round, and how many seats led."""
        led = self.total("led")[:, : self.players].tolist()
        return [
            {
                "round": round_ + 1,
                "lead_by_seat": shares(row, self.unit * self.total_games),
                "mean_leaders": mean_leaders(sets),
            }
            for round_, (row, sets) in enumerate(zip(led, self.total("leader_sets"), strict=True))
        ]

    def fate_table(self) -> list[dict[str, Any]]:
        """Return what became of every animal's cards, in total and kept by seat."""
        fates = {fate: counts.sum(axis=0) for fate, counts in self.fates().items()}
        kept = self.total("kept_cards")[:, : self.players]
        return [
            {
                "animal": animal,
                **{fate: int(counts[k]) for fate, counts in fates.items()},
                "kept_by_seat": kept[k].tolist(),
            }
            for k, animal in enumerate(self.animals)
        ]
