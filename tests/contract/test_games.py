"""What every game of the registry must be."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer import registry, simulate
from analyzer.catalogue import details
from analyzer.engines.local import LocalEngine
from analyzer.errors import UsageError
from analyzer.games.base import EVIDENCE
from analyzer.games.kinds import Choice, Numbers, Whole
from analyzer.replay import replay
from analyzer.scenario import Settings, build

GAMES = registry.names()
#: Another value of every component.
OTHER_COMPONENTS = {
    "tile_deck": "10:30",
    "plank_length": 20,
    "rose": "swap,skull,push1,skull,move1@2",
    "die_faces": "pig:2,mouse,penguin,dog,cat,police",
}


@pytest.fixture(params=GAMES)
def spec(request):
    return registry.load(request.param)


def scenario(spec, **values):
    return build(Settings({"game": spec.name}), Settings({"games": 200, "seed": 9, **values}))


def test_names_and_aliases_find_the_game(spec):
    assert registry.load(spec.alias) is spec
    assert registry.load(spec.name.upper()) is spec


def test_the_named_sums_are_all_the_sums(spec):
    """A cell without a name would be lost with the run folder."""
    kernel = spec.kernel()
    first = 0
    for part in kernel.sum_fields:
        assert part.first == first, part.name
        first += part.cells
    assert first == kernel.sum_cells


def test_the_listed_strategies_are_the_compiled_ones_and_have_an_idea(spec):
    assert list(spec.kernel().strategies) == list(spec.strategies)
    assert spec.strategies[0] == "random"
    assert all(one["idea"] for one in details(spec)["strategies"])


def test_rulings_have_evidence_and_a_default_that_is_one_of_the_values(spec):
    for one in spec.rulings:
        assert one.evidence in EVIDENCE
        assert one.kind.parse(one.default) == one.default
        assert one.explanation
        if isinstance(one.kind, Choice | Numbers):
            assert one.kind.values[0] == one.default


def test_a_component_is_assumed_until_somebody_sets_it(spec):
    as_it_is = scenario(spec)
    for one in [one for one in spec.rulings if one.component]:
        other = as_it_is.with_settings(rulings={one.name: OTHER_COMPONENTS[one.name]})
        assert any(text.startswith(one.name) for text in simulate.assumptions(as_it_is))
        assert not any(text.startswith(one.name) for text in simulate.assumptions(other))


def test_the_start_player_is_seat_0_by_default(spec):
    assert spec.ruling("start_player").default == "seat0"


def test_every_number_of_players_and_every_strategy_plays(spec):
    low, high = spec.players
    for players in range(low, high + 1):
        for name in spec.strategies:
            if not spec.plays(name, players):
                continue
            result = simulate.play(scenario(spec, players=f"{name}*{players}"), LocalEngine(2))
            document = result.document()
            assert len(document["seats"]) == players
            rates = [seat["win_rate"] for seat in document["seats"]]
            assert sum(rates) <= 1 + 1e-9


def test_a_strategy_that_does_not_play_with_so_many_is_refused_with_the_others(spec):
    low, high = spec.players
    for players in range(low, high + 1):
        for name in spec.strategies:
            if not spec.plays(name, players):
                with pytest.raises(UsageError, match=f"{name}.*players only, not with {players}"):
                    scenario(spec, players=f"{name},random*{players - 1}")


def values_of(kind):
    """Return the values of a ruling that has only a few."""
    if isinstance(kind, Whole) and kind.high is not None and kind.high - kind.low < 10:
        return range(kind.low, kind.high + 1)
    return getattr(kind, "values", ())


def test_every_value_of_every_ruling_plays(spec):
    for one in spec.rulings:
        for value in values_of(one.kind):
            chosen = scenario(spec, rulings={one.name: value})
            assert simulate.play(chosen, LocalEngine(2)).plan.games == 200


def test_an_unknown_ruling_lists_the_choices(spec):
    with pytest.raises(UsageError, match=f"Choices: {spec.rulings[0].name}"):
        spec.parse_ruling("nonsense", "x")


def test_a_replay_is_the_game_that_was_counted(spec):
    chosen = scenario(spec, games=1)
    result = simulate.play(chosen, LocalEngine(1))
    assert replay(chosen, 0).result["digest"] == result.digest


def test_the_log_changes_nothing_and_every_event_has_a_sentence(spec):
    for index in range(20):
        told = replay(scenario(spec), index)
        assert told.fault is None
        assert all(event["text"] and event["event"] for event in told.events)


def test_every_metric_is_explained(spec):
    document = simulate.play(scenario(spec), LocalEngine(1)).document()
    stems = {metric.stem for metric in spec.metrics}
    assert {name.partition(".")[0] for name in document["metrics"]} == stems
    for name, metric in document["metrics"].items():
        assert set(metric) == {"value", "ci", "n"}, name
        low, high = metric["ci"]
        if metric["value"] is not None and low is not None:
            assert low <= metric["value"] <= high, name


def test_seats_beyond_the_players_stay_empty(spec):
    result = simulate.play(scenario(spec, players=f"random*{spec.players[0]}"), LocalEngine(1))
    (credit,) = [part for part in spec.kernel().sum_fields if part.name == "credit"]
    assert not np.any(credit.of(result.sums)[:, spec.players[0] :])
