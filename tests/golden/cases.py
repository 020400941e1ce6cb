"""The goldens: what a person would read, kept short enough to be reviewed.

Each is a function that returns a text; ``make golden`` writes the texts, ``test_golden`` compares.
A golden that changes asks for a new rules version and a line in the changelog.
"""

from __future__ import annotations

import json
from pathlib import Path

from analyzer import registry
from analyzer.replay import replay
from analyzer.scenario import Settings, build

FOLDER = Path(__file__).parent
VECTORS = FOLDER.parent / "vectors"
MOST_LINES = 80


def position(game: str, name: str) -> str:
    """Return a vector's position told step by step, and its outcome."""
    vectors = json.loads((VECTORS / f"{game}.json").read_text(encoding="utf-8"))["vectors"]
    (vector,) = [one for one in vectors if one["name"] == name]
    outcome = registry.load(game).resolve(vector["position"])
    lines = [event["text"] for event in outcome["events"]]
    lines += [
        f"{player}: {score} points, {outcome['cupids'][player]} cupids, "
        f"saved {', '.join(outcome['kept'][player]) or 'nobody'}"
        for player, score in outcome["score"].items()
    ]
    return "\n".join(lines) + "\n"


def dice_position(name: str) -> str:
    """Return a vector of Einfach tierisch told step by step, and its outcome."""
    vectors = json.loads((VECTORS / "einfach-tierisch.json").read_text(encoding="utf-8"))["vectors"]
    (vector,) = [one for one in vectors if one["name"] == name]
    outcome = registry.load("einfach-tierisch").resolve(vector["position"])
    lines = [event["text"] for event in outcome["events"]]
    lines += [
        f"{player}: {score} points, marks {json.dumps(outcome['marks'][player])}"
        for player, score in outcome["victory_points"].items()
    ]
    return "\n".join([*lines, f"winners {json.dumps(outcome['winners'])}"]) + "\n"


def first_turns(players: str, seed: int, turns: int) -> str:
    """Return the first turns of a game of Einfach tierisch, and how the whole game ended."""
    game = {"game": "einfach-tierisch"}
    told = replay(build(Settings(game), Settings({"players": players, "seed": seed})), 0)
    lines = []
    for event in told.events:
        if event["event"] == "turn" and event["turn"] == turns:
            break
        lines.append(event["text"])
    lines += [json.dumps(seat) for seat in told.result["seats"]]
    return "\n".join([*lines, f"digest {told.result['digest']}"]) + "\n"


def first_round(game: str, players: str, seed: int) -> str:
    """Return the first round of a game, and how the whole game ended."""
    scenario = build(Settings({"game": game}), Settings({"players": players, "seed": seed}))
    told = replay(scenario, 0)
    lines = []
    for event in told.events:
        if event["event"] == "round" and event["round"] == 1:
            break
        lines.append(event["text"])
    lines += [json.dumps(seat) for seat in told.result["seats"]]
    return "\n".join([*lines, f"digest {told.result['digest']}"]) + "\n"


def turn(game: str, name: str) -> str:
    """Return a vector's turn told step by step, and the plank after it."""
    vectors = json.loads((VECTORS / f"{game}.json").read_text(encoding="utf-8"))["vectors"]
    (vector,) = [one for one in vectors if one["name"] == name]
    outcome = registry.load(game).resolve(vector["position"])
    lines = [event["text"] for event in outcome["events"]]
    return "\n".join([vector["position"]["plank"], *lines, outcome["plank"]]) + "\n"


def last_turns(game: str, players: str, seed: int) -> str:
    """Return how a game begins and ends, and its result."""
    scenario = build(Settings({"game": game}), Settings({"players": players, "seed": seed}))
    told = replay(scenario, 0)
    lines = [event["text"] for event in told.events]
    lines = [*lines[:16], "…", *lines[-40:]]
    lines += [json.dumps(seat) for seat in told.result["seats"]]
    return "\n".join([*lines, f"digest {told.result['digest']}"]) + "\n"


CASES = {
    "aa-t01.txt": lambda: position("all-aboard", "AA-T01"),
    "aa-first-round.txt": lambda: first_round("all-aboard", "random*3", 1),
    "egn-t01-fox.txt": lambda: position("einer-geht-noch", "EGN-T01"),
    "egn-t02-monkey.txt": lambda: position("einer-geht-noch", "EGN-T02"),
    "egn-t03-lion.txt": lambda: position("einer-geht-noch", "EGN-T03"),
    "egn-t04-harbour-holds.txt": lambda: position("einer-geht-noch", "EGN-T04"),
    "egn-t05-harbour-capsizes.txt": lambda: position("einer-geht-noch", "EGN-T05"),
    "egn-first-round.txt": lambda: first_round("einer-geht-noch", "greedy,random*2", 1),
    "planke-t12.txt": lambda: turn("gezanke-auf-der-planke", "GP-T12"),
    "planke-last-turns.txt": lambda: last_turns("gezanke-auf-der-planke", "greedy,random*3", 1),
    "tierisch-t10.txt": lambda: dice_position("ET-T10"),
    "tierisch-two-win.txt": lambda: dice_position("ET-A18/Cat rolls"),
    "tierisch-first-turns.txt": lambda: first_turns("own,random,margin", 1, 4),
}
