"""A tournament: every strategy against every other one, what each wins, and how they rank.

Designs:

- ``all``: every seating of the strategies, m to the power of the seats.
- ``pairs``: one seat of each strategy against a table of each other one, in every seat, and every
  strategy among its own. With two players that is ``all``.

All lineups play the same deals, and each of them is a run like any other.
"""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.engines.job import Engine
from analyzer.errors import UsageError, unknown
from analyzer.folders import TOURNAMENT
from analyzer.lineup import seated
from analyzer.progress import Note, Progress, silence, uncounted
from analyzer.runs import start
from analyzer.scenario import Scenario
from analyzer.simulate import RunResult, play, terms
from reports.estimates import rate, ratio_variance
from reports.paired import floored, holm, two_sided
from reports.quantiles import t_quantile
from reports.ratings import (
    alpha_rank,
    bradley_terry,
    cyclic_share,
    edge_matrix,
    nash_mixture,
    order_of,
    ranking_stability,
    resample_weights,
)

ALL, PAIRS = "all", "pairs"
DESIGNS = (ALL, PAIRS)
#: Lineups up to which all seatings are played when nothing is said, and at most.
FEW_LINEUPS = 256
MOST_LINEUPS = 20_000
LINEUPS = "lineups"
#: Resamples of the blocks, and the seed of the resampling.
RESAMPLES = 500
RESAMPLING_SEED = 1


@dataclass(frozen=True)
class Tournament:
    """What is played.

    Attributes
    ----------
    base
        Game, seed, rulings, confidence and the games of each lineup; its players do not matter.
    strategies
        Two or more, each once.
    seats
        Number of players.
    design
        ``all`` or ``pairs``.
    """

    base: Scenario
    strategies: tuple[str, ...]
    seats: int
    design: str

    def lineups(self) -> list[tuple[str, ...]]:
        """Return every lineup once, in a fixed order."""
        if self.design == ALL:
            return list(itertools.product(self.strategies, repeat=self.seats))
        found = [(one,) * self.seats for one in self.strategies]
        for one, other in itertools.permutations(self.strategies, 2):
            found += [self.alone(one, other, seat) for seat in range(self.seats)]
        return list(dict.fromkeys(found))

    def alone(self, one: str, other: str, seat: int) -> tuple[str, ...]:
        """Return the lineup of one seat of a strategy against a table of another."""
        return seated(one, (other,) * (self.seats - 1), seat)

    def scenario(self, lineup: tuple[str, ...]) -> Scenario:
        """Return the run of a lineup."""
        self.base.spec.check(lineup, self.base.rulings)
        return self.base.model_copy(update={"players": lineup})

    def command(self) -> str:
        """Return the command that plays it again."""
        rest = self.base.arguments()
        at = rest.index("--players")
        words = ["analyzer", "tournament", rest[0], "--strategies", ",".join(self.strategies)]
        words += ["--seats", str(self.seats), "--design", self.design, *rest[1:at], *rest[at + 2 :]]
        return shlex.join(words)

    def manifest(self) -> dict[str, Any]:
        """Return what a tournament folder says about itself."""
        return {
            "scenario": self.base.model_dump(mode="json"),
            "strategies": list(self.strategies),
            "seats": self.seats,
            "design": self.design,
            "again": self.command(),
        }


def tournament_of(
    base: Scenario, strategies: Sequence[str], seats: int | None, design: str | None
) -> Tournament:
    """Check and complete a tournament.

    Parameters
    ----------
    base
        Game, seed, rulings and games.
    strategies
        Names, known ones.
    seats, design
        None: the game's default; all seatings where there are few.
    """
    names = tuple(strategies)
    if len(set(names)) != len(names) or len(names) < 2:
        raise UsageError(
            f"A tournament takes two strategies or more, each once, not {', '.join(names) or 'none'}."
        )
    seats = seats or base.spec.default_players
    seatings = len(names) ** seats
    if design is None:
        design = ALL if seatings <= FEW_LINEUPS else PAIRS
    if design not in DESIGNS:
        raise UsageError(unknown("design", design, DESIGNS))
    if design == ALL and seatings > MOST_LINEUPS:
        raise UsageError(
            f"All seatings of {len(names)} strategies at {seats} seats are {seatings:,} lineups, more "
            f"than {MOST_LINEUPS:,}. Take --design pairs, fewer strategies or fewer seats."
        )
    return Tournament(base, names, seats, design)


@dataclass(frozen=True)
class Played:
    """A finished tournament: the runs of all its lineups."""

    tournament: Tournament
    runs: Mapping[tuple[str, ...], RunResult]

    def document(self, resamples: int = RESAMPLES) -> dict[str, Any]:
        """Return the JSON of ``analyzer tournament``."""
        tournament = self.tournament
        base, spec = tournament.base, tournament.base.spec
        totals = Totals(self)
        whole = np.ones((1, totals.blocks))
        one, others = totals.rates(whole)
        edge = edge_matrix(one[0], others[0])
        ratings = bradley_terry(totals.wins(whole)[0])
        order = order_of(ratings)
        drawn = resample_weights(totals.blocks, resamples, RESAMPLING_SEED).astype(np.float64)
        stability = _stability(totals, drawn, order, base.confidence)
        nash, evolution = nash_mixture(edge), alpha_rank(edge)
        cells = self.cells()
        return {
            "game": spec.name,
            "strategies": list(tournament.strategies),
            "seats": tournament.seats,
            "design": tournament.design,
            "lineups": len(self.runs),
            "games": base.games,
            "games_in_all": base.games * len(self.runs),
            "seed": base.seed,
            **terms(base),
            "blocks": {"count": totals.blocks, "resamples": resamples},
            "ranking": [
                {
                    "rank": place + 1,
                    "strategy": tournament.strategies[k],
                    "elo": float(ratings[k]),
                    "elo_ci": stability["intervals"][k],
                    "nash": float(nash[k]),
                    "alpha_rank": float(evolution[k]),
                    "rank_shares": stability["rank_shares"][k],
                }
                for place, k in enumerate(order)
            ],
            "stability": {name: stability[name] for name in ("same", "kendall_tau", "neighbours")},
            "cyclic_share": cyclic_share(edge),
            "cyclic_share_ci": stability["cyclic"],
            "payoff": cells,
            "commands": {
                "again": tournament.command(),
                "first_game": tournament.scenario(tournament.lineups()[0]).replay_command(0),
            },
        }

    def cells(self) -> list[dict[str, Any]]:
        """Return the payoff matrix: one seat of the row against a table of the column.

        The test of a cell is against an equal share of the wins; Holm's adjustment is over all
        cells off the diagonal.
        """
        tournament = self.tournament
        unit = kernel_module("kernels.abi").CREDIT_UNIT
        found = []
        for row, column in itertools.product(tournament.strategies, repeat=2):
            credit, games = self._one_against(row, column)
            value, interval = rate(credit, games * unit, tournament.base.confidence, unit=unit)
            found.append(
                {
                    "strategy": row,
                    "against": column,
                    "win_rate": value,
                    "win_rate_ci": list(interval),
                    "n": int(games.sum()),
                    "p": self._p_of(credit, games * unit, value) if row != column else None,
                }
            )
        tested = [one for one in found if one["p"] is not None]
        for one, p in zip(tested, holm([one["p"] for one in tested]), strict=True):
            one["p_holm"] = p
        return found

    def _one_against(self, row: str, column: str) -> tuple[np.ndarray, np.ndarray]:
        """Return credit and games a block of one seat among others, over all seats."""
        tournament = self.tournament
        credit = games = 0
        for seat in range(tournament.seats):
            part = self.runs[tournament.alone(row, column, seat)].payoffs()
            credit = credit + part.credit[:, seat]
            games = games + part.games
        return credit, games

    def _p_of(self, credit: np.ndarray, units: np.ndarray, value: float | None) -> float | None:
        variance = None if value is None else ratio_variance(credit, units)
        if variance is None:
            return None
        quantile = t_quantile(0.5 + self.tournament.base.confidence / 2.0, len(credit) - 1)
        unit = kernel_module("kernels.abi").CREDIT_UNIT
        error = floored(variance, int(units.sum()) // unit, quantile) ** 0.5
        return two_sided(value - 1.0 / self.tournament.seats, error, len(credit))


class Totals:
    """A tournament's wins as arrays, to be added up over any choice of blocks."""

    def __init__(self, played: Played) -> None:
        self.tournament = played.tournament
        self.lineups = list(played.runs)
        unit = kernel_module("kernels.abi").CREDIT_UNIT
        parts = [run.payoffs() for run in played.runs.values()]
        seats = self.tournament.seats
        self.credit = np.stack([part.credit[:, :seats] for part in parts]) / unit
        self.games = np.stack([part.games for part in parts]).astype(np.float64)
        self.blocks = self.games.shape[1]
        self.index = {name: k for k, name in enumerate(self.tournament.strategies)}

    def wins(self, weights: np.ndarray) -> np.ndarray:
        """Return how much each strategy won beside each other one, shape (resamples, m, m).

        Parameters
        ----------
        weights
            How often each block counts, shape (resamples, blocks).
        """
        kinds, seats = len(self.index), self.tournament.seats
        total = np.tensordot(weights, self.credit, axes=(1, 1)).reshape(len(weights), -1)
        pairs = np.zeros((len(self.lineups), seats, kinds, kinds))
        for number, lineup in enumerate(self.lineups):
            for seat, other in itertools.permutations(range(seats), 2):
                row, column = self.index[lineup[seat]], self.index[lineup[other]]
                pairs[number, seat, row, column] += row != column
        return (total @ pairs.reshape(-1, kinds * kinds)).reshape(-1, kinds, kinds)

    def rates(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the win rate of one seat of a strategy among others, and those others' mean.

        Both have the shape (resamples, m, m): row among column.
        """
        kinds, seats = len(self.index), self.tournament.seats
        total = np.tensordot(weights, self.credit, axes=(1, 1))
        games = weights @ self.games.T
        number = {lineup: k for k, lineup in enumerate(self.lineups)}
        one = np.zeros((len(weights), kinds, kinds))
        others, played = np.zeros_like(one), np.zeros_like(one)
        for row, column in itertools.product(self.tournament.strategies, repeat=2):
            at = (slice(None), self.index[row], self.index[column])
            for seat in range(seats):
                k = number[self.tournament.alone(row, column, seat)]
                one[at] += total[:, k, seat]
                others[at] += (total[:, k].sum(axis=1) - total[:, k, seat]) / (seats - 1)
                played[at] += games[:, k]
        return one / played, others / played


def _stability(
    totals: Totals, drawn: np.ndarray, order: tuple[int, ...], confidence: float
) -> dict[str, Any]:
    """Rank every resample of the blocks."""
    wins = totals.wins(drawn)
    one, others = totals.rates(drawn)
    ratings = np.array([bradley_terry(each) for each in wins])
    found = ranking_stability([order_of(each) for each in ratings], order)
    ends = [50.0 * (1.0 - confidence), 50.0 * (1.0 + confidence)]
    cyclic = [cyclic_share(edge_matrix(a, b)) for a, b in zip(one, others, strict=True)]
    known = [share for share in cyclic if share is not None]
    return {
        **found,
        "intervals": np.percentile(ratings, ends, axis=0).T.tolist(),
        "cyclic": np.percentile(known, ends).tolist() if known else [None, None],
    }


# --- playing


def run(
    tournament: Tournament,
    engine: Engine,
    *,
    folder: Path | None = None,
    progress: Progress = uncounted,
    note: Note = silence,
) -> Played:
    """Play a tournament, in memory or into a folder that can be gone on with.

    Parameters
    ----------
    tournament
        What is played.
    engine
        Where.
    folder
        Holds a run folder a lineup; finished ones are not played again.
    progress, note
        Called with the games of each finished block, and with sentences for the person.
    """
    if folder is not None:
        TOURNAMENT.claim(folder, tournament.manifest())
    found = {}
    for number, lineup in enumerate(tournament.lineups()):
        scenario = tournament.scenario(lineup)
        if folder is None:
            found[lineup] = play(scenario, engine, progress=progress, note=note)
            continue
        path = folder / LINEUPS / f"{number:05d}"
        go_on = TOURNAMENT.go_on(folder)
        found[lineup] = start(path, scenario, engine, go_on=go_on, progress=progress)
    return Played(tournament, found)


def of_folder(folder: Path) -> Tournament:
    """Return the tournament of a folder."""

    def build(found: dict[str, Any]) -> Tournament:
        base = Scenario.model_validate(found["scenario"])
        return Tournament(base, tuple(found["strategies"]), found["seats"], found["design"])

    return TOURNAMENT.load(folder, build)
