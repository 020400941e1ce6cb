"""``analyzer solve``: exact answers, a group of commands for every game that has some."""

from __future__ import annotations

import typer

from analyzer.cli import solve_planke, solve_tierisch
from analyzer.cli.groups import Group

app = typer.Typer(
    cls=Group,
    help="Exact answers where a game allows them: no Monte Carlo error.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("gezanke-auf-der-planke")(solve_planke.planke)
app.command("planke", hidden=True)(solve_planke.planke)
app.add_typer(solve_tierisch.app, name="einfach-tierisch")
app.add_typer(solve_tierisch.app, name="tierisch", hidden=True)
