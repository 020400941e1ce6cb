"""``analyzer solve planke``: the endgame of two players with open colours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from analyzer.cli import options, solved
from analyzer.cli.output import answer, notes
from analyzer.errors import UsageError, unknown


def planke(
    pirates: Annotated[
        str | None,
        typer.Option(
            "--pirates", metavar="K", help="Solve up to so many pirates, 2 to 5 (default 5)."
        ),
    ] = None,
    plank: Annotated[
        str | None,
        typer.Option(
            "--plank", metavar="CELLS", help="A position, as in Y...R....BR.......; ship end first."
        ),
    ] = None,
    colours: Annotated[
        str | None,
        typer.Option(
            "--colours", metavar="A,B", help="Colours of the player to move and the other: Y,R."
        ),
    ] = None,
    symbols: Annotated[
        str | None,
        typer.Option("--symbols", metavar="A,B", help="What the wind rose shows: the best turn."),
    ] = None,
    rule: options.RuleOption = None,
    component: options.SetOption = None,
    as_json: options.JsonOption = False,
    quiet: options.QuietOption = False,
) -> None:
    """Solve the endgame: the chance to win with few pirates left, two players, open colours.

    Solved once (seconds; longer planks up to a minute); the table is kept in the cache folder, and
    the strategy `endgame` plays from it. A survivor whom nobody owns counts half.
    """
    from analyzer import registry
    from analyzer.quantities import parse_whole
    from analyzer.solvers import planke as solver

    spec = registry.load(solver.GAME)
    rulings = solved.rulings_of(spec, rule, component)
    solver.check_solvable(rulings)
    low, high = solver.fewest_and_most(rulings)
    count = high if pirates is None else parse_whole(pirates, "pirates (--pirates)", low, high)
    position = _position(plank, colours, symbols, rulings["plank_length"], low, count)
    endgame = solver.solve(rulings, count, notes(quiet))
    rows = endgame.summary()
    document = {
        **solved.head(spec, "endgame", rulings),
        "players": 2,
        "pirates": count,
        "tolerance": endgame.tolerance,
        "value": rows[-1]["mean_chance_of_mover"],
        "by_pirates": rows,
    }
    if position is not None:
        document |= _answer(endgame, *position)
    answer(document, as_json, lambda: _page(document))


def _position(
    plank: str | None,
    colours: str | None,
    symbols: str | None,
    length: int,
    low: int,
    high: int,
) -> tuple[str, list[str], list[str]] | None:
    """Return plank, both colours and the symbols (none or two), checked."""
    from analyzer.games.planke_events import EMPTY, LETTERS
    from analyzer.games.planke_rose import SYMBOLS

    if plank is None:
        if colours is not None or symbols is not None:
            raise UsageError("--colours and --symbols belong to a position: give --plank as well.")
        return None
    for letter in plank:
        if letter not in LETTERS + EMPTY:
            raise UsageError(f"--plank: {letter!r} is none of {', '.join(LETTERS)} and {EMPTY!r}.")
    if len(plank) != length:
        raise UsageError(
            f"--plank has {len(plank)} cells, and the plank {length}: add {EMPTY!r} for empty "
            f"cells, or --set plank_length={len(plank)}."
        )
    pirates = length - plank.count(EMPTY)
    if not low <= pirates <= high:
        raise UsageError(f"--plank has {pirates} pirates; {low} to {high} are solved.")
    pair = (colours or "").replace(",", " ").upper().split()
    if len(pair) != 2 or pair[0] == pair[1]:
        raise UsageError("--colours takes two different colours, the mover's first, as in Y,R.")
    for letter in pair:
        if letter not in LETTERS:
            raise UsageError(unknown("colour", letter, LETTERS, "in --colours"))
    shown = (symbols or "").replace(",", " ").split()
    if symbols is not None and len(shown) != 2:
        raise UsageError("--symbols takes the two symbols of the wind rose, as in push1,skull.")
    for symbol in shown:
        if symbol not in SYMBOLS:
            raise UsageError(unknown("symbol", symbol, SYMBOLS, "in --symbols"))
    return plank, pair, shown


def _answer(endgame: Any, plank: str, colours: list[str], symbols: list[str]) -> dict[str, Any]:
    """Return what there is to say of a position."""
    told: dict[str, Any] = {
        "position": {"plank": plank, "mover": colours[0], "other": colours[1]},
        "value": endgame.of(plank, *colours),
    }
    if symbols:
        turn, chance = endgame.best_turn(plank, *colours, symbols)
        told["before_the_spin"] = told["value"]
        told["value"] = chance
        told["position"]["symbols"] = symbols
        told["best_turn"] = turn
    return told


def _page(document: dict[str, Any]) -> Iterator[Any]:
    from reports.text import table

    made = table(
        "The endgame of two players, open colours, best play",
        "pirates",
        "positions",
        "mean chance of the player to move, both having pirates",
    )
    for row in document["by_pirates"]:
        made.add_row(
            str(row["pirates"]), f"{row['positions']:,}", f"{row['mean_chance_of_mover']:.6f}"
        )
    yield made
    position = document.get("position")
    if position is not None:
        yield f"{position['plank']}  {position['mover']} to move, against {position['other']}"
        if "best_turn" in document:
            turn = ", ".join(f"{key} {value}" for key, value in document["best_turn"].items())
            yield f"  before the spin           {document['before_the_spin']:.7f}"
            yield f"  {' and '.join(position['symbols'])}: {turn}"
        yield f"  the player to move wins   {document['value']:.7f}"
    yield from solved.foot(document)
    yield f"every chance is off by less than {document['tolerance']:g}; a void round counts half"
