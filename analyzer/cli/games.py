"""``analyzer games``: what there is."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from analyzer.cli import options
from analyzer.cli.output import answer


def games(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="One game, in detail.")] = None,
    as_json: options.JsonOption = False,
) -> None:
    """List the games, or what one game has to choose."""
    from analyzer import catalogue, registry

    if game is None:
        overview = catalogue.overview()
        answer(overview, as_json, lambda: [_overview_table(overview["games"])])
        return
    details = catalogue.details(registry.load(game))

    def page() -> Any:
        from reports.catalogue import game_page

        return game_page(details)

    answer(details, as_json, page)


def _overview_table(found: list[dict[str, Any]]) -> Any:
    from reports.text import table

    made = table("Games", "name", "alias", "title", "players", "what it is", left=(0, 1, 2, 4))
    for one in found:
        low, high = one["players"]
        made.add_row(one["name"], one["alias"], one["title"], f"{low}-{high}", one["summary"])
    return made
