"""Einer geht noch!: the estimates that it has beside those of both boat games.

Its kernel counts scores in half points (``kernels.boats.egn_tally``); everything here is in points.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.games import boats_metrics
from analyzer.games.base import Metric, SumField
from analyzer.games.boats_metrics import FIRST_METRICS, OTHER_METRICS, BoatSummary

METRICS = (
    Metric("capsize_rate", "boats that capsized, of all boats", True),
    *FIRST_METRICS,
    Metric("fox_sends_per_game", "animals that foxes sent on", True),
    Metric("fox_backfires_per_game", "foxes whose plan failed and who left the game", True),
    Metric("loves_on_arrival_per_game", "pairs that fell in love because one arrived", True),
    Metric("third_arrivals_per_game", "arrivals that made three or more of a kind"),
    Metric("trios_per_game", "three or more of a kind that left their boat at the reveal"),
    Metric("turns_per_game.ACTOR", "turns of single animals that may act (mice: beside elephants)"),
    Metric("blocked_by_love_rate.ACTOR", "those turns that lovers made void"),
    Metric("down_ply_rate.PLY", "face-down cards that were played in that ply of a round"),
    *OTHER_METRICS,
    Metric("removed_rate.ANIMAL", "cards that left the game as three of a kind and did not swim"),
    Metric("backfired_rate.ANIMAL", "cards of foxes whose plan failed"),
)

#: Parts of the sums behind those of both games: name, constant of ``egn_tally``.
_SCALARS = (
    ("fox_sends", "FOX_SENDS"),
    ("loves_on_arrival", "LOVES_ON_ARRIVAL"),
    ("third_arrivals", "THIRD_ARRIVALS"),
    ("trios", "TRIOS"),
)
#: Reasons of IDLE (``kernels.boats.events``) that are love.
_LOVE = ("TARGET_LOVES", "LOVERS_ABOARD")
#: What each reason is called in tables.
_REASONS = {
    "ALONE": "too_few",
    "EQUAL": "tie",
    "TARGET_LOVES": "target_in_love",
    "NOTHING_LIGHTER": "nothing_lighter",
    "LOVERS_ABOARD": "lovers_aboard",
}


def sum_fields() -> tuple[SumField, ...]:
    """Return the named parts of a block's sums, in the order of their cells."""
    tally = kernel_module("kernels.boats.egn_tally")
    cards = kernel_module("kernels.boats.cards")
    by_card = (cards.SPECIES, cards.MAX_SEATS)
    own = [SumField(name, getattr(tally, constant)) for name, constant in _SCALARS]
    own += [
        SumField("down_cards", tally.DOWN_CARDS, (cards.PLIES, cards.MAX_SEATS)),
        SumField("idle", tally.IDLE, (cards.SPECIES, tally.REASONS)),
        SumField("removed_cards", tally.REMOVED_CARDS, by_card),
        SumField("backfired_cards", tally.BACKFIRED_CARDS, by_card),
        SumField("backfired_sets", tally.BACKFIRED_SETS, (tally.FOX_SETS,)),
    ]
    return (*boats_metrics.sum_fields(), *own)


class EinerGehtNochSummary(BoatSummary):
    """Adds the reveal, foxes, arrivals, the face-down card, and how often love blocks whom."""

    listed = METRICS
    per_game_parts: Mapping[str, str] = {
        **BoatSummary.per_game_parts,
        "fox_sends_per_game": "fox_sends",
        "loves_on_arrival_per_game": "loves_on_arrival",
        "third_arrivals_per_game": "third_arrivals",
        "trios_per_game": "trios",
    }
    counted_fates = (*BoatSummary.counted_fates, "removed", "backfired")

    def actions(self) -> dict[str, dict[str, np.ndarray]]:
        """Return what the turns of each acting animal came to, every entry of shape (blocks,)."""
        events = kernel_module("kernels.boats.events")
        idle = self.part["idle"]
        effects = {
            "mouse": {"changed_the_tile": self.part["replaced"]},
            "fox": {
                "sent_on": self.part["fox_sends"],
                "backfired": self.part["backfired_cards"].sum(axis=(1, 2)),
            },
            "monkey": {"threw": self.part["monkey_throws"]},
            "lion": {"ate": self.part["lion_meals"]},
        }
        for actor, counts in effects.items():
            of_actor = idle[:, self.animals.index(actor)]
            for constant, reason in _REASONS.items():
                counts[reason] = of_actor[:, getattr(events, constant)]
        return effects

    def own_metrics(self) -> dict[str, dict[str, Any]]:
        """Return backfires, turns, how often love makes them void, and the face-down card's ply."""
        actions = self.actions()
        out = {"fox_backfires_per_game": self.per_game(actions["fox"]["backfired"])}
        for actor, counts in actions.items():
            turns = sum(counts.values())
            blocked = sum(counts[_REASONS[constant]] for constant in _LOVE)
            out[f"turns_per_game.{actor}"] = self.per_game(turns)
            out[f"blocked_by_love_rate.{actor}"] = self.share(blocked, turns)
        down = self.part["down_cards"].sum(axis=2)
        for ply in range(down.shape[1]):
            out[f"down_ply_rate.{ply + 1}"] = self.share(down[:, ply], down.sum(axis=1))
        return out

    def brought(self, kept: np.ndarray) -> np.ndarray:
        """Return what every species' saved cards scored, shape (blocks, species), in half points.

        What a loving mouse scores is a ruling (EGN-A36) and loving mice are not counted by
        themselves: the mice brought what neither another animal nor a cupid did.
        """
        cards = kernel_module("kernels.boats.cards")
        brought = super().brought(kept)
        cupids = self.score_unit * cards.POINTS_PER_CUPID * self.part["cupids"]
        scored = self.part["score"].sum(axis=1)
        brought[:, cards.MOUSE] += scored - cupids - brought.sum(axis=1)
        return brought

    def tables(self) -> dict[str, Any]:
        """Return the tables of both games, what each action did, and when cards lie face down."""
        actions = [
            {"animal": actor, **{name: int(count.sum()) for name, count in counts.items()}}
            for actor, counts in self.actions().items()
        ]
        down = self.total("down_cards")[:, : self.players]
        return {
            **super().tables(),
            "actions": actions,
            "down_cards": [
                {"ply": ply + 1, "cards_by_seat": row} for ply, row in enumerate(down.tolist())
            ],
        }
