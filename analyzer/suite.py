"""The runs behind a balance report of a game: ladder, mirror, restricted play, rulings.

Everything is played on the same deals (one master seed), so all comparisons are paired. Every run that
was finished is kept in a folder and not played again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from analyzer import run_tables, simulate
from analyzer.cache import kernel_module, source_hash
from analyzer.changes import Outcome
from analyzer.engines.job import Engine
from analyzer.errors import UsageError
from analyzer.games.base import GameSpec, Ruling
from analyzer.games.kinds import Choice, every_value
from analyzer.games.layout import Restriction, SuiteSizes
from analyzer.lineup import WITHOUT, seated
from analyzer.plan import FEWEST_BLOCKS, Plan
from analyzer.progress import Progress, uncounted
from analyzer.run_files import whole_file, writing
from analyzer.scenario import Scenario
from reports.estimates import Estimate, rate
from reports.paired import Arm, Difference, paired_difference, together

#: How much less ``--quick`` plays.
QUICK = 64
#: A whole number with more values than this is not varied.
MOST_VALUES = 8


def suite_sizes(spec: GameSpec, seats: int, *, quick: bool) -> SuiteSizes:
    """Return how many games the runs of a suite have, each a multiple of the seats.

    Of `quick` ones a seat has FEWEST_BLOCKS times a power of two: runs as short as these take as
    long as they have blocks, and then have fewest.
    """

    def games(full: int) -> int:
        share = full // seats
        if quick:
            share = 1 << (share // QUICK).bit_length() >> 1
        return max(share, FEWEST_BLOCKS) * seats

    sizes = spec.report.sizes
    return replace(
        sizes,
        pair=games(sizes.pair),
        main=games(sizes.main),
        restricted=games(sizes.restricted),
        ruling=games(sizes.ruling),
    )


class Kept:
    """Plays scenarios, each once; keeps the sums in a folder where there is one.

    Parameters
    ----------
    engine
        Where.
    folder
        For the sums; None: they are kept in memory only.
    progress
        Called with the games of each block, those found included.
    """

    def __init__(
        self,
        engine: Engine,
        folder: Path | None,
        progress: Progress = uncounted,
    ) -> None:
        self.engine = engine
        self.folder = folder
        self.progress = progress
        self.known: dict[str, Outcome] = {}

    def __call__(self, scenario: Scenario, *, again: bool = True) -> Outcome:
        """Return the outcome of a scenario.

        Parameters
        ----------
        scenario
            What to play.
        again
            Whether it may be asked for again, and so stays in memory.
        """
        text = scenario.to_toml() + source_hash() + scenario.spec.rules_version
        key = sha256(text.encode()).hexdigest()[:20]
        if key in self.known:
            self.progress(scenario.games)
            return self.known[key]
        outcome = Outcome(self._result(scenario, key))
        if again:
            self.known[key] = outcome
        return outcome

    def _result(self, scenario: Scenario, key: str) -> simulate.RunResult:
        if self.folder is None:
            return simulate.play(scenario, self.engine, progress=self.progress)
        with writing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{key}.parquet"
        fields = scenario.spec.kernel().sum_fields
        plan = Plan.of(scenario.games)
        if path.is_file():
            _, sums = run_tables.read_blocks(path, fields)
            self.progress(scenario.games)
            return simulate.RunResult(scenario, plan, sums)
        result = simulate.play(scenario, self.engine, progress=self.progress)
        with writing(self.folder), whole_file(path) as stream:
            run_tables.write_blocks(stream, plan, np.arange(plan.blocks), result.sums, fields)
        return result


@dataclass(frozen=True)
class RulingChange:
    """A ruling's other value: the runs with it."""

    ruling: Ruling
    value: Any
    mirror: Outcome
    field: Outcome


class Suite:
    """The runs of a game's report.

    Parameters
    ----------
    base
        Game, number of players, seed, rulings and confidence; its players do not matter.
    play
        How a scenario is played.
    quick
        Whether to play less.
    """

    def __init__(self, base: Scenario, play: Kept, *, quick: bool) -> None:
        self.base = base
        self.spec = base.spec
        self.seats = len(base.players)
        self.play = play
        self.quick = quick
        self.sizes = suite_sizes(self.spec, self.seats, quick=quick)
        self.unit = kernel_module("kernels.abi").CREDIT_UNIT

    # What is played

    @property
    def strategies(self) -> list[str]:
        """The strategies that take part."""
        return [
            name
            for name in self.spec.strategies
            if name not in self.spec.report.unplayed and self.spec.plays(name, self.seats)
        ]

    @property
    def left_out(self) -> dict[str, str]:
        """The strategies that do not, and why."""
        why = self.spec.report.unplayed
        return {
            name: why.get(name, "not with so many players")
            for name in self.spec.strategies
            if name not in self.strategies
        }

    def total_games(self) -> int:
        """Return how many games are played in all."""
        sizes, count = self.sizes, len(self.strategies)
        restricted = len(self.spec.restrictions) * sizes.restricted
        if self.spec.restrictions:
            restricted += sizes.restricted // self.seats
        changed = list(self.other_values())
        rulings = (len(changed) + 1) * 2 * sizes.ruling if changed else 0
        mirrors = sizes.main + max(sizes.main // 4, self.seats)
        return count * (count - 1) * sizes.pair + mirrors + restricted + rulings

    def lineup(self, one: str, others: str, seat: int) -> tuple[str, ...]:
        """Return a table of `others` with `one` on a seat."""
        return seated(one, (others,) * (self.seats - 1), seat)

    def outcome(self, players: tuple[str, ...], games: int, **rulings: Any) -> Outcome:
        """Play a lineup."""
        return self.play(self.base.with_settings(players=players, games=games, rulings=rulings))

    def arm(self, outcome: Outcome, seat: int) -> Arm:
        """Return a seat's wins and the games that they are shares of, by block."""
        part = outcome.result.payoffs()
        return Arm(part.credit[:, seat], part.games)

    def change(self, before: Outcome, after: Outcome, seat: int) -> Difference:
        """Return how much more a seat wins in another run of the same deals."""
        arms = (self.arm(after, seat), self.arm(before, seat))
        return paired_difference(*arms, self.base.confidence, unit=self.unit, share=True)

    def rotated(self, one: str, others: str, games: int) -> Arm:
        """Return the wins of `one` at a table of `others`, summed over all seats it can have."""
        share = games // self.seats
        arms = []
        for seat in range(self.seats):
            table = self.base.with_settings(players=self.lineup(one, others, seat), games=share)
            arms.append(self.arm(self.play(table, again=False), seat))
        return together(arms)

    # Ladder

    @cached_property
    def pairs(self) -> dict[tuple[str, str], Arm]:
        """The wins of one of the first strategy at a table of the second."""
        names = self.strategies
        return {
            (one, others): self.rotated(one, others, self.sizes.pair)
            for one in names
            for others in names
            if one != others
        }

    def win_rate(self, arm: Arm) -> Estimate:
        """Estimate a win rate from an arm."""
        return rate(
            arm.numerators, self.unit * arm.denominators, self.base.confidence, unit=self.unit
        )

    def against_all(self, one: str) -> Arm:
        """Return the wins of a strategy at the tables of every other one."""
        arms = [self.pairs[one, others] for others in self.strategies if others != one]
        return together(arms)

    @cached_property
    def ranking(self) -> list[str]:
        """The strategies, the one with the most wins against the others first."""
        if len(self.strategies) < 2:
            return list(self.strategies)

        def score(name: str) -> float:
            arm = self.against_all(name)
            return int(arm.numerators.sum()) / max(int(arm.denominators.sum()), 1)

        return sorted(self.strategies, key=lambda name: (-score(name), name))

    @property
    def strongest(self) -> str:
        """The first of the ranking that is quick enough for long runs."""
        return next(name for name in self.ranking if name not in self.spec.report.slow)

    def lead(self) -> Difference:
        """Return how much the first of the ranking wins more than the second."""
        first, second = (self.against_all(name) for name in self.ranking[:2])
        return paired_difference(first, second, self.base.confidence, unit=self.unit, share=True)

    # Mirrors

    @cached_property
    def mirror(self) -> Outcome:
        """The strongest strategy on every seat."""
        return self.outcome((self.strongest,) * self.seats, self.sizes.main)

    @cached_property
    def random_mirror(self) -> Outcome:
        """Random play on every seat."""
        return self.outcome(
            (self.spec.strategies[0],) * self.seats, max(self.sizes.main // 4, self.seats)
        )

    # Restricted play

    def restricted(self) -> Iterator[tuple[Restriction, Difference]]:
        """Yield what each restriction costs the strongest strategy: its wins with and without.

        One seat is restricted, each in turn, at a table of the same strategy; the deals are the same.
        """
        games = self.sizes.restricted // self.seats
        if not self.spec.restrictions:
            return
        free = self.outcome((self.strongest,) * self.seats, games)
        arms = [self.arm(free, seat) for seat in range(self.seats)]
        without = together(arms)
        for one in self.spec.restrictions:
            denied = f"{self.strongest}{WITHOUT}{one.name}"
            arm = self.rotated(denied, self.strongest, self.sizes.restricted)
            yield (
                one,
                paired_difference(without, arm, self.base.confidence, unit=self.unit, share=True),
            )

    # Rulings

    def other_values(self) -> Iterator[tuple[Ruling, Any]]:
        """Yield every value of every ruling that is not the one played."""
        players = (self.strategies[0],) * self.seats
        for one in self.spec.rulings:
            if one.component:
                continue
            for value in _values(one):
                if value == self.base.rulings[one.name]:
                    continue
                try:
                    self.base.with_settings(players=players, rulings={one.name: value})
                except UsageError:
                    continue  # not with so many players
                yield one, value

    @cached_property
    def ruling_base(self) -> tuple[Outcome, Outcome]:
        """The mirror and the strongest among random players, with the rulings as they are."""
        return self._both({})

    def ruling_changes(self) -> Iterator[RulingChange]:
        """Yield the runs with every other value."""
        for one, value in self.other_values():
            mirror, field = self._both({one.name: value})
            yield RulingChange(one, value, mirror, field)

    def _both(self, rulings: Mapping[str, Any]) -> tuple[Outcome, Outcome]:
        games, others = self.sizes.ruling, self.spec.strategies[0]
        mirror = self.outcome((self.strongest,) * self.seats, games, **rulings)
        field = self.outcome(self.lineup(self.strongest, others, 0), games, **rulings)
        return mirror, field


def _values(ruling: Ruling) -> tuple[Any, ...]:
    values = every_value(ruling.kind) or ()
    short = isinstance(ruling.kind, Choice) or len(values) <= MOST_VALUES
    return tuple(values) if short else ()
