"""``analyzer solve tierisch``: one turn, the two-player game, two strategies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from analyzer.cli import options, solved
from analyzer.cli.groups import Group
from analyzer.cli.output import answer, notes
from analyzer.errors import UsageError

app = typer.Typer(
    cls=Group,
    help="Einfach tierisch: a turn, the two-player game, two strategies.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
#: First set-asides that are printed; JSON has all of them.
_SHOWN = 10


@app.command("turn")
def turn(
    maximise: Annotated[
        str,
        typer.Option(
            "--maximise",
            metavar="OBJECTIVE",
            help="own (boxes), margin (own boxes less the others'), at-least-1 to at-least-4 "
            "(boxes), not-void.",
        ),
    ] = "own",
    roll: Annotated[
        str | None,
        typer.Option(
            "--roll", metavar="CAT,CAT,…", help="A first roll: what is best to set aside of it."
        ),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option("--players", "--seats", metavar="N", help="Number of players (default 4)."),
    ] = None,
    animal: Annotated[
        str, typer.Option("--animal", metavar="ANIMAL", help="The roller's animal.")
    ] = "pig",
    rule: options.RuleOption = None,
    component: options.SetOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Solve one turn on empty sheets: the best expectation.

    As a float and as a fraction; with --roll the best first set-asides.
    """
    from analyzer import registry
    from analyzer.quantities import parse_whole
    from analyzer.solvers import tierisch

    spec = registry.load(tierisch.GAME)
    rulings = solved.rulings_of(spec, rule, component)
    seats = spec.default_players
    if players is not None:
        seats = parse_whole(players, "players", *spec.players)
    symbols = [] if roll is None else roll.replace(",", " ").split()
    if roll is not None and not symbols:
        raise UsageError(
            "--roll is empty: write the six symbols, as in cat,cat,dog,dog,pig,police."
        )
    objective = maximise.strip().casefold().replace("_", "-")
    best = tierisch.solve_turn(objective, rulings, seats, animal, symbols)
    document = {
        **solved.head(spec, "turn", rulings),
        "objective": objective,
        "players": seats,
        "animal": animal,
        **_turn_document(best, symbols),
    }

    def page() -> Iterator[Any]:
        yield f"One turn of {spec.title}, played for {tierisch.OBJECTIVES[objective]}"
        yield f"  before the first roll  {best.value.value:.10f} = {_exact(best.value)}"
        if symbols:
            yield _keep_table(best, symbols)
        yield from solved.foot(document)

    answer(document, as_json, page)


def _exact(value: Any) -> str:
    fraction = value.fraction
    return f"{fraction.numerator}/{fraction.denominator}"


def _turn_document(turn: Any, roll: Sequence[str]) -> dict[str, Any]:
    if not roll:
        return turn.value.document()
    best, value = turn.keeps[0]
    return {
        **value.document(),
        "roll": list(roll),
        "best": list(best),
        "keeps": [{"keep": list(keep), **one.document()} for keep, one in turn.keeps],
        "before_the_roll": turn.value.document(),
    }


def _keep_table(turn: Any, roll: Sequence[str]) -> Any:
    from reports.text import table

    title = f"Best first set-asides of {', '.join(roll)}"
    made = table(title, "set aside", "value", "as a fraction", left=(0, 2))
    for keep, value in turn.keeps[:_SHOWN]:
        made.add_row(", ".join(keep), f"{value.value:.10f}", _exact(value))
    return made


@app.command("game")
def game(
    players: Annotated[
        str, typer.Option("--players", metavar="N", help="Number of players: 2 are solved.")
    ] = "2",
    mover: Annotated[
        str | None,
        typer.Option(
            "--mover",
            metavar="B,B,B,B",
            help="A position: boxes of the player to move, in the other's column and in the three "
            "that nobody owns.",
        ),
    ] = None,
    other: Annotated[
        str | None,
        typer.Option("--other", metavar="B,B,B,B", help="The same of the other player."),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Check the solution: residual, monotonicity, a best response (some minutes).",
        ),
    ] = False,
    rule: options.RuleOption = None,
    component: options.SetOption = None,
    as_json: options.JsonOption = False,
    quiet: options.QuietOption = False,
) -> None:
    """Solve the two-player game under best play of both.

    The chance to win from every position. Solved once (about a minute); the table is kept in the
    cache folder.
    """
    from analyzer import registry
    from analyzer.quantities import parse_whole
    from analyzer.solvers import tierisch

    spec = registry.load(tierisch.GAME)
    rulings = solved.rulings_of(spec, rule, component)
    if parse_whole(players, "players", *spec.players) != 2:
        raise UsageError(
            f"Only the game of two players is solved, not of {players}: with more, the positions "
            "are too many. Leave out --players, or play --players race,… with simulate."
        )
    position = _position(mover, other)
    best = tierisch.solve_game(rulings, notes(quiet))
    document = {
        **solved.head(spec, "game", rulings),
        "players": 2,
        "value": best.of(*position),
        "position": {"mover": position[0], "other": position[1]},
        "start_value": best.value,
        "first_player_advantage": best.value - 0.5,
    }
    if check:
        document["checks"] = best.checks()
    answer(document, as_json, lambda: _game_page(document))


def _game_page(document: dict[str, Any]) -> Iterator[str]:
    position, advantage = document["position"], document["first_player_advantage"]
    yield "The two-player game under best play of both"
    if any(position["mover"]) or any(position["other"]):
        yield f"  the player to move wins    {document['value']:.10f}"
    yield f"  the player who starts wins {document['start_value']:.10f}"
    yield f"  advantage of the start     {100 * advantage:+.8f} percentage points"
    for name, value in document.get("checks", {}).items():
        yield f"  {name:<26} {value:.3g}"
    yield from solved.foot(document)


def _position(mover: str | None, other: str | None) -> tuple[list[int], list[int]]:
    from analyzer.quantities import parse_whole

    sheets = []
    for flag, text in (("--mover", mover), ("--other", other)):
        parts = ["0"] * 4 if text is None else text.replace(",", " ").split()
        if len(parts) != 4:
            raise UsageError(
                f"{flag} takes four numbers of boxes, as in 3,0,0,5, not {len(parts)}: the other "
                "player's column, then the three that nobody owns."
            )
        sheets.append([parse_whole(part, f"boxes ({flag})", 0, 5) for part in parts])
    return sheets[0], sheets[1]


@app.command("versus")
def versus(
    first: Annotated[str, typer.Argument(metavar="A", help="A strategy, or best.")],
    second: Annotated[str, typer.Argument(metavar="B", help="A strategy, or best.")],
    rule: options.RuleOption = None,
    component: options.SetOption = None,
    as_json: options.JsonOption = False,
    quiet: options.QuietOption = False,
) -> None:
    """Play two strategies against each other exactly.

    The chances have no Monte Carlo error. `best` is the best response to the other one; its gain is
    the other's exploitability.
    """
    from analyzer import registry
    from analyzer.solvers import tierisch

    spec = registry.load(tierisch.GAME)
    rulings = solved.rulings_of(spec, rule, component)
    names = [first, second]
    exact = tierisch.solve_versus(names, rulings, notes(quiet))
    # As `simulate --players A,B` counts seat 0.
    value = exact.first if rulings["start_player"] == "seat0" else exact.even
    document = {
        **solved.head(spec, "versus", rulings),
        "players": names,
        "value": value,
        "when_first": exact.first,
        "when_second": exact.second,
        "either_seat": exact.even,
    }
    if tierisch.BEST in names and first != second:
        exploited = names[1 - names.index(tierisch.BEST)]
        gain = exact.even if first == tierisch.BEST else 1.0 - exact.even
        document["exploitability"] = {"strategy": exploited, "value": gain - 0.5}
    answer(document, as_json, lambda: _versus_page(document))


def _versus_page(document: dict[str, Any]) -> Iterator[str]:
    first, second = document["players"]
    yield f"{first} against {second}, two players, exactly"
    yield f"  {first} wins when it starts         {document['when_first']:.10f}"
    yield f"  {first} wins when {second} starts   {document['when_second']:.10f}"
    yield f"  either seat equally often  {document['either_seat']:.10f}"
    if "exploitability" in document:
        one = document["exploitability"]
        yield f"  exploitability of {one['strategy']}  {one['value']:.10f}"
    yield from solved.foot(document)
