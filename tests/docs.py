"""The pages of docs/ that come from the program; ``make docs`` writes, ``make check`` compares.

Usage: ``python -m tests.docs --write`` or ``--check``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from analyzer import registry
from analyzer.catalogue import details

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
COMMANDS = (
    "games",
    "simulate",
    "compare",
    "tournament",
    "check",
    "sweep",
    "report",
    "replay",
    "resolve",
    "solve",
    "solve gezanke-auf-der-planke",
    "solve einfach-tierisch turn",
    "solve einfach-tierisch game",
    "solve einfach-tierisch versus",
)
NOTICE = "<!-- Written by `make docs` from the program. Do not edit. -->"


def help_of(*words: str) -> str:
    """Return what a command's --help prints, 80 columns wide."""
    done = subprocess.run(
        [sys.executable, "-m", "analyzer", *words, "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={"COLUMNS": "80", "PATH": "", "PYTHONPATH": str(ROOT), "TERM": "dumb"},
    )
    return done.stdout.rstrip()


def commands_page() -> str:
    """Return the page of all commands."""
    parts = [NOTICE, "# Commands", f"```\n{help_of()}\n```"]
    for words in COMMANDS:
        help_text = help_of(*words.split())
        parts.append(f"## analyzer {words}\n\n```\n{help_text}\n```")
    return "\n\n".join(parts) + "\n"


def row(*cells: object) -> str:
    """Return a row of a Markdown table."""
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def game_page(game: dict[str, Any]) -> str:
    """Return the reference page of a game."""
    low, high = game["players"]
    lines = [
        NOTICE,
        f"# {game['title']}: rulings, strategies, metrics",
        "",
        f"{game['summary']} {low} to {high} players, default {game['default_players']}; "
        f"rules version `{game['rules_version']}`; alias `{game['alias']}`.",
        "",
        "## Rulings and components",
        "",
        "Set a ruling with `--rule NAME=VALUE`, a component with `--set NAME=VALUE`. Evidence: "
        "T stated in the rulebook, X forced by one of its examples, I inferred, A assumed.",
        "",
        row("name", "values", "default", "evidence", "what it says", "settles"),
        row(*["---"] * 6),
    ]
    for one in game["rulings"]:
        name = f"`{one['name']}`" + (" (component)" if one["component"] else "")
        lines.append(
            row(
                name,
                one["values"],
                f"`{one['default']}`",
                one["evidence"],
                one["explanation"],
                ", ".join(one["ids"]),
            )
        )
    lines += ["", "## Strategies", "", row("name", "idea"), row("---", "---")]
    lines += [row(f"`{one['name']}`", one["idea"]) for one in game["strategies"]]
    if game["restrictions"]:
        lines += ["", "## What a strategy can be denied", ""]
        lines += [
            "Write it behind a strategy, as in `greedy~" + game["restrictions"][0]["name"] + "`."
        ]
        lines += ["", row("name", "kind", "how it plays then"), row("---", "---", "---")]
        lines += [
            row(f"`{one['name']}`", one["kind"], one["meaning"]) for one in game["restrictions"]
        ]
    lines += ["", "## Metrics", "", row("name", "meaning"), row("---", "---")]
    lines += [row(f"`{one['name']}`", one["meaning"]) for one in game["metrics"]]
    return "\n".join(lines) + "\n"


def pages() -> dict[Path, str]:
    """Return every generated page."""
    found = {DOCS / "commands.md": commands_page()}
    for name in registry.names():
        found[DOCS / "reference" / f"{name}.md"] = game_page(details(registry.load(name)))
    return found


def main(arguments: list[str]) -> int:
    """Write the pages, or say which ones are out of date."""
    if arguments not in (["--write"], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    stale = 0
    for path, text in pages().items():
        name = path.relative_to(ROOT)
        if arguments == ["--write"]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"written: {name}")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale += 1
            print(f"{name} is out of date: run make docs and commit it.", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
