"""Einer geht noch!: the rulebook's chained examples as the log tells them, and single rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kernels.boats import events
from kernels.boats.cards import SEAT_STRIDE
from tests.boats.egn_cases import SPECIES, resolve, resolved

VECTORS = json.loads(
    (Path(__file__).parents[1] / "vectors" / "einer-geht-noch.json").read_text(encoding="utf-8")
)["vectors"]
POSITIONS = {vector["name"]: vector["position"] for vector in VECTORS}
LANDINGS = {
    events.NEXT_BOAT: "next boat",
    events.OVERBOARD: "overboard",
    events.SWIMS: "swims",
}
REASONS = {
    events.ALONE: "too few",
    events.EQUAL: "tie",
    events.TARGET_LOVES: "target in love",
    events.NOTHING_LIGHTER: "nothing lighter",
    events.LOVERS_ABOARD: "lovers aboard",
}


def story(position, rulings=None):
    """Return what happens before the weighing, one line an event."""
    players = position["players"]
    _, told = resolved({**position, "rulings": rulings or {}})

    def card(number):
        return f"{SPECIES[number // SEAT_STRIDE]}:{players[number % SEAT_STRIDE]}"

    lines = []
    for code, boat, a, b, c in told.tolist():
        where = f"b{boat + 1}"
        if code in (events.SENT, events.THROWN):
            lines.append(f"{where} {card(a)}: {card(b)} -> {LANDINGS[c]}")
        elif code == events.BACKFIRED:
            lines.append(f"{where} {card(a)} fails")
        elif code == events.IDLE:
            lines.append(f"{where} {card(a)} idle: {REASONS[b]}")
        elif code == events.LOVE:
            lines.append(f"{where} love {card(a)} {card(b)}" + ("" if c else " unpaid"))
        elif code == events.EATEN:
            lines.append(f"{where} {card(a)} eats {card(b)}" + (", which swims" if c else ""))
        elif code == events.REPLACED:
            lines.append(f"{where} {card(c)}: tile {a} -> {b}")
        elif code == events.TRIO:
            lines.append(f"{where} trio {SPECIES[a]}")
        elif code == events.PARTED:
            lines.append(f"{where} parted {SPECIES[a]}")
    return lines


CHAINS = {
    "EGN-T01": [
        "b4 love giraffe:A giraffe:B",
        "b1 fox:A: bear:B -> next boat",
        "b2 fox:B fails",
        "b3 fox:C: peacock:A -> next boat",
        "b4 fox:D idle: lovers aboard",
    ],
    "EGN-T02": [
        "b1 monkey:A: mouse:C -> next boat",
        "b2 monkey:B: squid:D -> next boat",
        "b3 monkey:C: monkey:C -> next boat",
        "b4 monkey:C: bear:D -> overboard",
    ],
    "EGN-T03": [
        "b1 monkey:A: zebra:C -> next boat",
        "b2 love zebra:B zebra:C",
        "b1 lion:B eats monkey:A",
        "b2 lion:A idle: target in love",
    ],
    "EGN-T04": ["b1 love zebra:A zebra:B"],
    "EGN-T05": ["b1 love zebra:A zebra:B"],
    "EGN-T06": ["b1 trio squid", "b2 trio zebra", "b3 fox:C fails"],
    "EGN-T23": [
        "b1 lion:A idle: nothing lighter",
        "b2 mouse:A: tile 10 -> 20",
        "b2 lion:B eats mouse:A",
    ],
}


@pytest.mark.parametrize("name", CHAINS)
def test_the_rulebook_s_example_is_told_as_it_happens(name):
    assert story(POSITIONS[name]) == CHAINS[name]


def boats(*loads, caps):
    """Return a position of three players from ``"fox:A bear:B"`` and capacities."""
    aboard = [[card.split(":") for card in load.split()] for load in loads]
    return {
        "players": ["A", "B", "C"],
        "boats": [
            {"capacity": cap, "animals": animals} for cap, animals in zip(caps, aboard, strict=True)
        ],
        "draws": [20, 20],
    }


def test_trios_leave_all_boats_before_anybody_falls_in_love():
    position = boats("zebra:A zebra:B deer:C", "bear:A bear:B bear:C", caps=[40, 40])
    assert story(position) == ["b2 trio bear", "b1 love zebra:A zebra:B"]


def test_a_mouse_is_stopped_by_loving_elephants_but_not_by_other_lovers():
    position = boats(
        "elephant:A elephant:B mouse:A", "elephant:C mouse:B bear:A bear:B", caps=[9, 9]
    )
    assert story(position) == [
        "b1 love elephant:A elephant:B",
        "b2 love bear:A bear:B",
        "b1 mouse:A idle: lovers aboard",
        "b2 mouse:B: tile 9 -> 20",
    ]


def test_an_arrival_parts_lovers_who_then_act_in_boarding_order():
    position = boats("monkey:A bear:A lion:C", "lion:B lion:A deer:B sloth:C", caps=[9, 60])
    assert story(position, {"third_arrival": "love_breaks"}) == [
        "b2 love lion:A lion:B",
        "b1 monkey:A: lion:C -> next boat",
        "b2 parted lion",
        "b2 lion:B eats deer:B",
        "b2 lion:A eats sloth:C",
        "b2 lion:C idle: nothing lighter",
    ]


@pytest.mark.parametrize(
    ("tie_break", "eaten"),
    [
        ("unloved_first_boarded", "eats zebra:C"),
        ("last_boarded", "eats zebra:A"),
        ("lowest_seat", "eats zebra:A"),
        ("blocked", "idle: tie"),
    ],
)
def test_the_tie_break_chooses_among_single_equals(tie_break, eaten):
    rulings = {"love_timing": "reveal_only", "tie_break": tie_break}
    # Equals that are single need an arrival under this timing.
    position = boats("monkey:A bear:B zebra:A", "zebra:C lion:B", caps=[60, 60])
    assert story(position, rulings) == [
        "b1 monkey:A: zebra:A -> next boat",
        f"b2 lion:B {eaten}",
    ]


def test_a_lover_who_loves_again_brings_a_second_cupid():
    position = boats(
        "monkey:A bear:A lion:A", "lion:B lion:C fox:B monkey:B", "", caps=[60, 10, 60]
    )
    rulings = {"third_arrival": "love_breaks"}
    assert story(position, rulings) == [
        "b2 love lion:B lion:C",
        "b1 monkey:A: lion:A -> next boat",
        "b2 parted lion",
        "b2 fox:B: lion:B -> next boat",
        "b2 monkey:B: lion:A -> next boat",
        "b3 love lion:A lion:B",
        "b2 lion:C eats monkey:B",
    ]
    assert resolve({**position, "rulings": rulings})["cupids"] == {"A": 1, "B": 2, "C": 1}
