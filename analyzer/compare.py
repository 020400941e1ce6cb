"""Two strategies on the same deals: who is better, by how much, and how sure that is.

Each strategy sits once in every seat, the same others around it, in the same games of the same seed. A
block's difference is the credit that one won in all those seats, less that of the other: whatever
luck the deal brings, it brings to both.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from analyzer.cache import kernel_module
from analyzer.engines.job import Engine
from analyzer.errors import UsageError
from analyzer.folders import COMPARISON
from analyzer.games.base import GameSpec
from analyzer.growing import GrowingRuns, is_within
from analyzer.lineup import compact, parse_players, seated
from analyzer.plan import LARGEST_BLOCK, Plan
from analyzer.progress import Note, Progress, silence, uncounted
from analyzer.run_files import write_json, writing
from analyzer.scenario import Scenario
from analyzer.simulate import RunResult, terms
from reports.estimates import mean, rate
from reports.paired import Arm, Difference, paired_difference
from reports.sequential import SequentialTest, Verdict, decide

#: A sequential test gives up at so many times the games of a test of fixed size.
PATIENCE = 8
#: Blocks of a sequential test, had it the fixed size; and how many are played at a time.
_BLOCKS_OF_FIXED = 512
_FIRST_WAVE = 64
#: Which of the two strategies.
SIDES = range(2)
LINEUPS = "lineups"
DOCUMENT = "result.json"


@dataclass(frozen=True)
class Comparison:
    """What is compared.

    Attributes
    ----------
    base
        Game, seed, rulings, confidence, and the most games of a lineup; its players do not matter.
    strategies
        The two strategies.
    field
        The others at the table, in the order of the seats from the first on; None: copies of the
        other strategy.
    seats
        Number of players.
    precision
        Half-width at which the difference of the win rates is known well enough.
    sprt
        A sequential test instead.
    """

    base: Scenario
    strategies: tuple[str, str]
    field: tuple[str, ...] | None
    seats: int
    precision: float | None = None
    sprt: SequentialTest | None = None

    def others(self, side: int) -> tuple[str, ...]:
        """Return who sits around a strategy."""
        if self.field is not None:
            return self.field
        return (self.strategies[1 - side],) * (self.seats - 1)

    def lineups(self, side: int) -> list[tuple[str, ...]]:
        """Return a strategy's lineups, one for each seat that it takes."""
        others, strategy = self.others(side), self.strategies[side]
        return [seated(strategy, others, seat) for seat in range(self.seats)]

    def scenarios(self) -> dict[tuple[str, ...], Scenario]:
        """Return the runs that are needed, each once, by lineup."""
        found = {}
        for lineup in dict.fromkeys([*self.lineups(0), *self.lineups(1)]):
            self.base.spec.check(lineup, self.base.rulings)
            found[lineup] = self.base.model_copy(update={"players": lineup})
        return found

    def with_games(self, games: int) -> Comparison:
        """Return the same comparison with another number of games, or another limit to it."""
        return replace(self, base=self.base.model_copy(update={"games": games}))

    def command(self, games: int | None) -> str:
        """Return the command that compares again."""
        rest = self.base.model_copy(update={"games": games or self.base.games}).arguments()
        at = rest.index("--players")
        words = ["analyzer", "compare", rest[0], *self.strategies, *rest[1:at], *rest[at + 2 :]]
        words += ["--seats", str(self.seats)]
        if self.field is not None:
            words += ["--field", compact(self.field)]
        if self.sprt is not None:
            words += ["--sprt", f"{self.sprt.d0!r},{self.sprt.d1!r}"]
            words += ["--alpha", repr(self.sprt.alpha), "--beta", repr(self.sprt.beta)]
        return shlex.join(words)

    def manifest(self) -> dict[str, Any]:
        """Return what a folder says about the comparison that it holds."""
        again = self.command(None)
        if self.precision is not None:
            again += f" --precision {self.precision!r}"
        return {
            "scenario": self.base.model_dump(mode="json"),
            "strategies": list(self.strategies),
            "field": None if self.field is None else list(self.field),
            "seats": self.seats,
            "precision": self.precision,
            "sprt": None if self.sprt is None else asdict(self.sprt),
            "again": again,
        }


def of_folder(folder: Path) -> Comparison:
    """Return the comparison of a folder."""

    def build(found: dict[str, Any]) -> Comparison:
        return Comparison(
            Scenario.model_validate(found["scenario"]),
            tuple(found["strategies"]),
            None if found["field"] is None else tuple(found["field"]),
            found["seats"],
            found["precision"],
            None if found["sprt"] is None else SequentialTest(**found["sprt"]),
        )

    return COMPARISON.load(folder, build)


def table_of(
    spec: GameSpec, strategies: Sequence[str], field: str | None, seats: int | None
) -> tuple[tuple[str, ...] | None, int]:
    """Return the field and the number of seats.

    Parameters
    ----------
    spec
        The game.
    strategies
        The two that are compared.
    field
        As on the command line; one name fills every seat but one.
    seats
        Number of players where it is said.
    """
    others = None
    if field is not None:
        # Parsed as a whole table, with the first strategy in a seat of its own.
        alone = not any(mark in field for mark in ",*")
        names = field if not alone else f"{field}*{(seats or spec.default_players) - 1}"
        others = parse_players(f"{strategies[0]},{names}", spec, seats, "in --field")[1:]
        seats = len(others) + 1
    seats = seats or spec.default_players
    for side, strategy in enumerate(strategies):
        rest = others or (strategies[1 - side],) * (seats - 1)
        parse_players([strategy, *rest], spec, seats)
    return others, seats


@dataclass(frozen=True)
class Side:
    """One strategy's blocks, all its seats together: integer numerators and denominators."""

    credit: Arm
    score: Arm


@dataclass(frozen=True)
class Compared:
    """A finished comparison."""

    comparison: Comparison
    runs: Mapping[tuple[str, ...], RunResult]
    verdict: Verdict | None
    reached: bool

    @property
    def plan(self) -> Plan:
        """The blocks that every lineup was played in."""
        return next(iter(self.runs.values())).plan

    def side(self, side: int, seats: Sequence[int] | None = None) -> Side:
        """Return a strategy's blocks, in all seats or in some."""
        comparison = self.comparison
        credit = games = score = scored = 0
        for seat, lineup in enumerate(comparison.lineups(side)):
            if seats is not None and seat not in seats:
                continue
            part = self.runs[lineup].payoffs()
            credit = credit + part.credit[:, seat]
            games = games + part.games
            score = score + part.score[:, seat]
            scored = scored + part.scored
        return Side(Arm(credit, games), Arm(score, scored))

    def differences(self, seats: Sequence[int] | None = None) -> tuple[Difference, Difference]:
        """Return the differences of win rate and mean score, first strategy minus second."""
        comparison = self.comparison
        unit = kernel_module("kernels.abi").CREDIT_UNIT
        first, second = (self.side(side, seats) for side in SIDES)
        level = comparison.base.confidence
        wins, scores = (
            paired_difference(
                one, other, level, unit=units, share=share, played=self._played(seats)
            )
            for one, other, units, share in (
                (first.credit, second.credit, unit, True),
                (first.score, second.score, 1, False),
            )
        )
        if comparison.strategies[0] == comparison.strategies[1]:
            # The same games: there is nothing to be estimated.
            wins, scores = (
                Difference(one.value, (0.0, 0.0), 1.0, 0.0, one.blocks, None)
                for one in (wins, scores)
            )
        return wins, scores

    def _played(self, seats: Sequence[int] | None) -> int:
        """Return the games of all lineups that have one of the strategies in one of the seats."""
        lineups = {
            lineup
            for side in SIDES
            for seat, lineup in enumerate(self.comparison.lineups(side))
            if seats is None or seat in seats
        }
        return len(lineups) * self.plan.games

    def document(self) -> dict[str, Any]:
        """Return the JSON of ``analyzer compare``; it is made once."""
        return self._document

    @cached_property
    def _document(self) -> dict[str, Any]:
        comparison, plan = self.comparison, self.plan
        base, spec = comparison.base, comparison.base.spec
        wins, scores = self.differences()
        lineups = list(self.runs)
        document = {
            "game": spec.name,
            "strategies": list(comparison.strategies),
            "seats": comparison.seats,
            "field": None if comparison.field is None else list(comparison.field),
            "games": plan.games,
            "lineups": len(lineups),
            "games_in_all": plan.games * len(lineups),
            "seed": base.seed,
            **terms(base),
            "blocks": {"count": plan.blocks, "games_each": plan.size},
            "sides": [self._side_document(side) for side in SIDES],
            "win_rate_difference": wins.as_dict(),
            "score_difference": scores.as_dict(),
            "by_seat": [
                {
                    "seat": seat,
                    "win_rate_difference": by_seat[0].as_dict(),
                    "score_difference": by_seat[1].as_dict(),
                }
                for seat in range(comparison.seats)
                for by_seat in [self.differences([seat])]
            ],
            "commands": {
                "again": comparison.command(None if comparison.sprt else plan.games),
                "first_games": [run.scenario.replay_command(0) for run in self.runs.values()][:2],
            },
        }
        if comparison.precision is not None:
            document["precision"] = {"wanted": comparison.precision, "reached": self.reached}
        if self.verdict is not None:
            document["sprt"] = self._sprt_document()
        return document

    def _side_document(self, side: int) -> dict[str, Any]:
        unit = kernel_module("kernels.abi").CREDIT_UNIT
        level = self.comparison.base.confidence
        part = self.side(side)
        wins = rate(part.credit.numerators, part.credit.denominators * unit, level, unit=unit)
        score = mean(part.score.numerators, part.score.denominators, level)
        return {
            "strategy": self.comparison.strategies[side],
            "others": list(self.comparison.others(side)),
            "games": int(np.sum(part.credit.denominators)),
            "win_rate": wins[0],
            "win_rate_ci": list(wins[1]),
            "mean_score": score[0],
            "mean_score_ci": list(score[1]),
        }

    def _sprt_document(self) -> dict[str, Any]:
        test, verdict = self.comparison.sprt, self.verdict
        return {
            "d0": test.d0,
            "d1": test.d1,
            "alpha": test.alpha,
            "beta": test.beta,
            "bounds": list(test.bounds),
            "log_likelihood_ratio": verdict.log_ratio,
            "accepted": verdict.accepted,
            "fixed_games": test.fixed_games(),
        }


def compare(
    comparison: Comparison,
    engine: Engine,
    *,
    folder: Path | None = None,
    progress: Progress = uncounted,
    note: Note = silence,
) -> Compared:
    """Play a comparison.

    Parameters
    ----------
    comparison
        What is compared.
    engine
        Where.
    folder
        Keeps the last finished stage of every lineup as a run folder, and the document.
    progress, note
        Called with the games of each finished block, and with sentences for the person.
    """
    size, most = None, comparison.base.games
    if comparison.sprt is not None:
        size, _ = sequential_plan(comparison, most)
        if most // size < 2:
            raise UsageError(f"A sequential test needs at least {2 * size} games a lineup (-n).")
    if folder is not None:
        COMPARISON.claim(folder, comparison.manifest())
    runs = GrowingRuns(
        comparison.scenarios(),
        engine,
        block_size=size,
        folder=None if folder is None else folder / LINEUPS,
        go_on="" if folder is None else COMPARISON.go_on(folder),
        progress=progress,
        note=note,
    )
    if comparison.sprt is not None:
        outcome = _sequential(comparison, runs, size)
    elif comparison.precision is not None:
        outcome = _precise(comparison, runs)
    else:
        # In stages only where they are kept: the result is the same.
        for games in [most] if folder is None else runs.stages(most):
            played = runs.grow(games)
        outcome = Compared(comparison, played, None, True)
    if folder is not None:
        runs.keep()
        with writing(folder):
            write_json(folder / DOCUMENT, outcome.document())
    return outcome


def _precise(comparison: Comparison, runs: GrowingRuns) -> Compared:
    """Play until the difference of the win rates is known well enough."""
    for games in runs.stages(comparison.base.games):
        outcome = Compared(comparison, runs.grow(games), None, False)
        if is_within(outcome.differences()[0].interval, comparison.precision):
            return replace(outcome, reached=True)
    return outcome


def sequential_plan(comparison: Comparison, most: int | None) -> tuple[int, int]:
    """Return the block size of a sequential test, and the most games of a lineup.

    Parameters
    ----------
    comparison
        With a test.
    most
        What the person says; None: PATIENCE times a test of fixed size.
    """
    fixed = comparison.sprt.fixed_games()
    size = 1 << max(fixed // _BLOCKS_OF_FIXED, 1).bit_length() - 1
    if most is not None:
        # The fewest blocks that allow a decision must fit.
        size = min(size, 1 << max(most // (2 * _FIRST_WAVE), 1).bit_length() - 1)
    size = min(max(size, 1), LARGEST_BLOCK)
    return size, max(most or PATIENCE * fixed, 1)


def _sequential(comparison: Comparison, runs: GrowingRuns, size: int) -> Compared:
    """Play waves of blocks until the test decides; what lies behind the decision is not used."""
    last = comparison.base.games // size
    unit = kernel_module("kernels.abi").CREDIT_UNIT
    for blocks in _waves(last):
        if blocks * size < runs.begun:
            continue
        results = runs.grow(blocks * size)
        outcome = Compared(comparison, results, None, False)
        first, second = (outcome.side(side).credit for side in SIDES)
        games = size * comparison.seats
        verdict = decide(comparison.sprt, first.numerators - second.numerators, games, unit)
        if verdict.accepted:
            break
    cut = {lineup: _first_blocks(run, verdict.blocks) for lineup, run in results.items()}
    return Compared(comparison, cut, verdict, verdict.accepted is not None)


def _waves(last: int) -> Iterator[int]:
    """Return the numbers of blocks at which a sequential test looks: half as many more each time."""
    blocks = min(_FIRST_WAVE, last)
    while blocks < last:
        yield blocks
        blocks = min(blocks + blocks // 2, last)
    yield last


def _first_blocks(run: RunResult, blocks: int) -> RunResult:
    """Return the result of a run's first blocks."""
    plan = Plan(blocks * run.plan.size, run.plan.size)
    scenario = run.scenario.model_copy(update={"games": plan.games})
    return RunResult(scenario, plan, run.sums[:blocks])
