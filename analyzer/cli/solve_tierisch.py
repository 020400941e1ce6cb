"""``analyzer solve tierisch``: one turn, the two-player game, two strategies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from analyzer.cli import options
from analyzer.cli.output import note, say, show
from analyzer.errors import UsageError

app = typer.Typer(
    help="Einfach tierisch: a turn, the two-player game, two strategies.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
#: First set-asides that are printed; JSON has all of them.
_SHOWN = 10


def _rulings(rule: Sequence[str] | None, component: Sequence[str] | None) -> dict[str, Any]:
    """Return all rulings, the given ones checked."""
    from analyzer import registry

    spec = registry.load("einfach-tierisch")
    given = {**options.pairs(rule, "--rule"), **options.pairs(component, "--set")}
    return spec.complete({name: spec.parse_ruling(name, text) for name, text in given.items()})


def _head(kind: str, rulings: dict[str, Any]) -> dict[str, Any]:
    """Return what every answer begins with."""
    from analyzer import registry

    spec = registry.load("einfach-tierisch")
    return {
        "game": spec.name,
        "solved": kind,
        "rules_version": spec.rules_version,
        "rulings": rulings,
        "changed_rulings": spec.changed(rulings),
    }


def _foot(head: dict[str, Any]) -> None:
    changed = ", ".join(f"{name}={value}" for name, value in head["changed_rulings"].items())
    say(f"\nrules    {head['rules_version']}")
    say(f"rulings  {changed or 'all as by default'}")


def _print(document: dict[str, Any]) -> None:
    from analyzer.jsonout import dumps

    say(dumps(document))


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
    """Solve one turn on empty sheets: the best expectation, as a float and as a fraction."""
    from analyzer import registry
    from analyzer.quantities import parse_whole
    from analyzer.solvers import tierisch

    rulings = _rulings(rule, component)
    spec = registry.load("einfach-tierisch")
    seats = spec.default_players
    if players is not None:
        seats = parse_whole(players, "players", *spec.players)
    symbols = [] if roll is None else roll.replace(",", " ").split()
    if roll is not None and not symbols:
        raise UsageError(
            "--roll is empty: write the six symbols, as in cat,cat,dog,dog,pig,police."
        )
    objective = maximise.strip().casefold().replace("_", "-")
    solved = tierisch.solve_turn(objective, rulings, seats, animal, symbols)
    head = {**_head("turn", rulings), "objective": objective, "players": seats, "animal": animal}
    if as_json:
        _print({**head, **_turn_document(solved, symbols)})
        return
    say(f"One turn of {spec.title}, played for {tierisch.OBJECTIVES[objective]}")
    say(f"  before the first roll  {_value(solved.value)}")
    if symbols:
        show(_keep_table(solved, symbols))
    _foot(head)


def _value(value: Any) -> str:
    fraction = value.fraction
    return f"{value.value:.10f} = {fraction.numerator}/{fraction.denominator}"


def _turn_document(solved: Any, roll: Sequence[str]) -> dict[str, Any]:
    if not roll:
        return solved.value.document()
    best, value = solved.keeps[0]
    return {
        **value.document(),
        "roll": list(roll),
        "best": list(best),
        "keeps": [{"keep": list(keep), **one.document()} for keep, one in solved.keeps],
        "before_the_roll": solved.value.document(),
    }


def _keep_table(solved: Any, roll: Sequence[str]) -> Any:
    from reports.text import table

    title = f"Best first set-asides of {', '.join(roll)}"
    made = table(title, "set aside", "value", "as a fraction", left=(0, 2))
    for keep, value in solved.keeps[:_SHOWN]:
        fraction = value.fraction
        exact = f"{fraction.numerator}/{fraction.denominator}"
        made.add_row(", ".join(keep), f"{value.value:.10f}", exact)
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
    """Solve the two-player game: the chance to win under best play of both.

    Solved once (about a minute); the table is kept in the cache folder.
    """
    from analyzer.quantities import parse_whole
    from analyzer.solvers import tierisch

    rulings = _rulings(rule, component)
    if parse_whole(players, "players", 2, 5) != 2:
        raise UsageError(
            f"Only the game of two players is solved, not of {players}: with more, the positions "
            "are too many. Leave out --players, or play --players race,… with simulate."
        )
    position = _position(mover, other)
    solved = tierisch.solve_game(rulings, _quiet_note(quiet))
    head = _head("game", rulings)
    document = {
        **head,
        "players": 2,
        "value": solved.of(*position),
        "position": {"mover": position[0], "other": position[1]},
        "start_value": solved.value,
        "first_player_advantage": solved.value - 0.5,
    }
    if check:
        document["checks"] = solved.checks()
    if as_json:
        _print(document)
        return
    say("The two-player game under best play of both")
    if any(position[0]) or any(position[1]):
        say(f"  the player to move wins    {document['value']:.10f}")
    say(f"  the player who starts wins {solved.value:.10f}")
    say(f"  advantage of the start     {100 * (solved.value - 0.5):+.8f} percentage points")
    for name, value in document.get("checks", {}).items():
        say(f"  {name:<26} {value:.3g}")
    _foot(head)


def _quiet_note(quiet: bool) -> Any:
    from analyzer.simulate import silence

    return silence if quiet else note


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
    """Play two strategies against each other exactly: no Monte Carlo error.

    `best` is the best response to the other one; its gain is the other's exploitability.
    """
    from analyzer.solvers import tierisch

    rulings = _rulings(rule, component)
    names = [first, second]
    solved = tierisch.solve_versus(names, rulings, _quiet_note(quiet))
    head = _head("versus", rulings)
    # As `simulate --players A,B` counts seat 0.
    value = solved.first if rulings["start_player"] == "seat0" else solved.even
    document = {
        **head,
        "players": names,
        "value": value,
        "when_first": solved.first,
        "when_second": solved.second,
        "either_seat": solved.even,
    }
    exploited = None
    if tierisch.BEST in names and first != second:
        exploited = names[1 - names.index(tierisch.BEST)]
        gain = solved.even if first == tierisch.BEST else 1.0 - solved.even
        document["exploitability"] = {"strategy": exploited, "value": gain - 0.5}
    if as_json:
        _print(document)
        return
    say(f"{first} against {second}, two players, exactly")
    say(f"  {first} wins when it starts         {solved.first:.10f}")
    say(f"  {first} wins when {second} starts   {solved.second:.10f}")
    say(f"  either seat equally often  {solved.even:.10f}")
    if exploited:
        say(f"  exploitability of {exploited}  {document['exploitability']['value']:.10f}")
    _foot(head)
