"""``analyzer replay``: one game, move by move, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from analyzer.cli import options
from analyzer.cli.output import answer, note

#: Events that begin a paragraph, and those that only a curious reader wants.
_HEADINGS = {"round", "end"}
_PARAGRAPHS = {"boat", "standing", "reveal", "turn", "over", "capped"}
_VERBOSE = {"deck"}


def replay(
    game: options.GameArgument,
    index: Annotated[
        str, typer.Option("--game", metavar="I", help="Which game of the seed, from 0.")
    ] = "0",
    players: options.PlayersOption = None,
    seats: options.SeatsOption = None,
    seed: options.SeedOption = None,
    rule: options.RuleOption = None,
    component: options.SetOption = None,
    as_json: options.JsonOption = False,
    verbose: options.VerboseOption = False,
) -> None:
    """Tell one game of a seed move by move.

    It is the very game that `simulate` counted.
    """
    from analyzer.quantities import MAX_GAMES, parse_whole
    from analyzer.replay import replay as play_again

    flags = options.settings(
        players=players, seats=seats, seed=seed, rule=rule, component=component
    )
    number = parse_whole(index, "game (--game)", 0, MAX_GAMES - 1)
    played = play_again(options.scenario_of(game, flags), number, note)
    document = played.document()
    answer(document, as_json, lambda: _page(document, played.scenario.spec.title, verbose))
    if played.fault is not None:
        raise played.fault


def _page(document: dict[str, Any], title: str, verbose: bool) -> Iterator[str]:
    yield f"{title}, game {document['index']} of seed {document['seed']}"
    for seat, strategy in enumerate(document["players"]):
        yield f"  seat {seat}: {strategy}"
    for event in document["events"]:
        kind = event["event"]
        if kind in _VERBOSE and not verbose:
            continue
        if kind in _HEADINGS:
            yield f"\n{event['text']}"
        elif kind in _PARAGRAPHS:
            yield f"\n  {event['text']}"
        else:
            yield f"  {event['text']}"
    result = document["result"]
    if result is not None:
        winners = [str(seat["seat"]) for seat in result["seats"] if seat["credit"]]
        yield f"\nWinner: {_winners(winners, result.get('nobody_because', 'a tie'))}."
    yield f"\nagain    {document['command']}"


def _winners(seats: list[str], nobody_because: str) -> str:
    if not seats:
        return f"nobody, because of {nobody_because}"
    if len(seats) == 1:
        return f"seat {seats[0]}"
    return f"seats {', '.join(seats[:-1])} and {seats[-1]} share the win"
