"""What a user's strategy can reach: its own seat's knowledge, cell by cell, and nothing else."""

from __future__ import annotations

import importlib
from functools import lru_cache

import numpy as np
import pytest
from numba import carray, types
from numba.core import cgutils
from numba.extending import intrinsic

from analyzer import registry
from analyzer.engines.job import BlockPlayer, Job
from analyzer.plan import Plan
from kernels import abi
from kernels.events import logged, new_log
from kernels.rng import STREAM_CELLS

GAMES = registry.names()
SEED = 0x1234_5678_9ABC_DEF0
ROOM = 1 << 20


@intrinsic
def _pointer(typingctx, address):
    """Turn a number into a pointer."""

    def codegen(context, builder, signature, args):
        return builder.inttoptr(args[0], cgutils.voidptr_t)

    return types.voidptr(address), codegen


@lru_cache(maxsize=8)
def spy(game):
    """Return a user strategy that notes all it can reach and plays like `random`, and its notes.

    The notes are int64: how many cells are used, then view, legal and stream of every decision.
    """
    spec = registry.load(game)
    kept = np.zeros(ROOM, dtype=np.int64)
    address = kept.ctypes.data
    play = spec.kernel().strategies["random"].move

    def noting(view, legal, stream):
        notes = carray(_pointer(address), (ROOM,), np.int64)
        at = notes[0]
        for k in range(len(view)):
            notes[at + k] = view[k]
        at += len(view)
        notes[at] = legal
        for k in range(len(stream)):
            notes[at + 1 + k] = np.int64(stream[k])
        notes[0] = at + 1 + len(stream)
        return play(view, legal, stream)

    return spec.kernel().compile_strategy(noting), kept


def view_cells(spec):
    family = {"all-aboard": "boats", "einer-geht-noch": "boats", "einfach-tierisch": "dice"}
    module = f"kernels.{family.get(spec.name, 'plank')}.view"
    return importlib.import_module(module)


def noted(spec, players, index, seats):
    """Play one game; return the notes of every decision of some seats, and the game's events."""
    names = ("random",) * players
    job = Job(spec.name, names, SEED, spec.complete({}), Plan(index + 1, 1))
    player = BlockPlayer(job)
    watching, notes = spy(spec.name)
    notes[0] = 1
    own = spec.kernel().strategies["random"]
    chosen = [watching if seat in seats else own for seat in range(players)]
    player.strategies = tuple(chosen + chosen[:1] * (abi.MAX_SEATS - players))
    log = new_log(player.kernel.max_events)
    result = player.play_games(0, index, 1, rows=True, log=log)
    assert result.status == abi.OK
    width = view_cells(spec).VIEW_CELLS + 1 + STREAM_CELLS
    used = notes[1 : notes[0]].reshape(-1, width)
    labels = [f"Seat {seat}" for seat in range(players)]
    return used.copy(), spec.tell(logged(log), labels, job.rulings), result


@pytest.fixture(params=GAMES)
def spec(request):
    return registry.load(request.param)


def test_the_stream_of_a_user_holds_neither_the_seed_nor_the_game(spec):
    index = 0x7654_3210
    notes, _, _ = noted(spec, spec.players[0], index, {0, 1})
    streams = notes[:, -STREAM_CELLS:].astype(np.uint64)
    assert len(streams)
    assert not np.any(streams == np.uint64(SEED))
    assert not np.any(streams == np.uint64(index))


def test_a_seat_that_is_watched_plays_like_one_that_is_not(spec):
    """Noting changes nothing, and a built-in move may be called from a user's function."""
    players = spec.players[0]
    _, _, watched = noted(spec, players, 5, {0, 1})
    _, _, free = noted(spec, players, 5, set())
    if spec.name != "einfach-tierisch" and spec.name != "gezanke-auf-der-planke":
        assert np.array_equal(watched.rows, free.rows)  # these draw from words that are dealt
    _, _, again = noted(spec, players, 5, {0, 1})
    assert np.array_equal(watched.rows, again.rows)


def test_an_index_beyond_the_view_stops_the_game(spec, tmp_path, cli):
    module = view_cells(spec).__name__
    (tmp_path / "peek.py").write_text(
        f"from {module} import VIEW_CELLS\n"
        "def peek(view, legal, stream):\n    return view[VIEW_CELLS]\n"
    )
    players = f"{tmp_path}/peek.py:peek,random"
    done = cli("simulate", spec.name, "--players", players, "-n", 4)
    assert done.code == 2
    assert "raised IndexError: index is out of bounds in game 0" in done.err


# --- All Aboard!: every cell, from what was open to the seat


def expected_view(see, seat, ply, events, deck, capacities, static):
    """Build the view of a seat in the first round from its own deck and what all have seen."""
    from kernels.boats.cards import MAX_SEATS

    animals = importlib.import_module("analyzer.games.all_aboard").ANIMALS
    view = static.copy()
    players = view[see.PLAYERS]
    hand = [animals.index(name) for name in deck]
    seen, hidden, aboard = [0] * players, [0] * players, [0] * players
    down = see.NOTHING_DOWN
    for event in events:
        card, boat = animals.index(event["animal"]), event["boat"]
        aboard[boat] += 1
        if event["face"] == "up":
            seen[boat] |= 1 << (card * MAX_SEATS + event["seat"])
        else:
            hidden[boat] |= 1 << event["seat"]
            if event["seat"] == seat:
                down = boat << 8 | (card * MAX_SEATS + seat)
        if event["seat"] == seat:
            hand.remove(card)
    view[see.SEAT], view[see.PLY] = seat, ply
    view[see.HAND_SIZE_NOW] = 3
    view[see.HAND] = sum(card << 4 * slot for slot, card in enumerate(hand[:3]))
    view[see.OPEN_BOATS] = sum(1 << boat for boat in range(players) if aboard[boat] < 3)
    view[see.FACES] = 2 if ply == 1 else 1
    view[see.ABOARD] = sum(
        (count & 1) << boat | (count >> 1) << (boat + see.TWOS_SHIFT)
        for boat, count in enumerate(aboard)
    )
    view[see.DOWN] = down
    for boat in range(players):
        view[see.CAPACITY + boat] = capacities[boat]
        view[see.SEEN + boat] = seen[boat]
        view[see.HIDDEN + boat] = hidden[boat]
    return view


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_cell_of_all_aboard_follows_from_what_the_seat_has_seen(players, monkeypatch):
    """First round: the whole view is rebuilt from the own deck, the boats and the open moves."""
    spec = registry.load("all-aboard")
    see = view_cells(spec)
    animals = importlib.import_module("analyzer.games.all_aboard").ANIMALS
    monkeypatch.setattr(registry, "importlib_animals", animals, raising=False)
    setup = spec.encode_setup(players, spec.complete({}))
    layout = importlib.import_module("kernels.boats.aa_setup")
    bits = importlib.import_module("kernels.boats.piles").KIND_BITS
    static = np.zeros(see.VIEW_CELLS, dtype=np.int64)
    static[see.PLAYERS] = players
    static[see.CUPIDS_LEFT] = 20
    static[see.RULING : see.RULING + layout.TILES] = setup[: layout.TILES]
    static[see.TILES :] = setup[layout.TILES : layout.TILES + 30] >> bits
    for index in range(10):
        notes, events, _ = noted(spec, players, index, set(range(players)))
        decks = {event["seat"]: event["deck"] for event in events if event["event"] == "deck"}
        boats = [event["capacity"] for event in events if event["event"] == "capacity"][:players]
        plays = [event for event in events if event["event"] == "play"]
        for turn in range(3 * players):
            seat = plays[turn]["seat"]
            expected = expected_view(
                see, seat, turn // players, plays[:turn], decks[seat], boats, static
            )
            assert np.array_equal(notes[turn, : see.VIEW_CELLS], expected), (index, turn)


def test_what_is_open_in_all_aboard_is_the_same_for_every_seat():
    """Later rounds: all cells but the hand and the own face-down card are the table's."""
    spec = registry.load("all-aboard")
    see = view_cells(spec)
    own = [see.SEAT, see.HAND, see.DOWN]
    for index in range(10):
        notes, _, _ = noted(spec, 4, index, {0, 1, 2, 3})
        rounds = [notes[first : first + 12, : see.VIEW_CELLS] for first in range(0, 48, 12)]
        for views in rounds:
            public = np.delete(views, own, axis=1)
            changing = [cell for cell in range(see.VIEW_CELLS) if cell not in own]
            varies = {changing[k] for k in range(public.shape[1]) if np.ptp(public[:, k]) > 0}
            moving = {see.PLY, see.HAND_SIZE_NOW, see.OPEN_BOATS, see.FACES, see.ABOARD}
            moving |= {see.SEEN + boat for boat in range(4)}
            moving |= {see.HIDDEN + boat for boat in range(4)}
            assert varies <= moving


# --- Gezanke auf der Planke!: the other seats' stones


def test_the_same_view_of_the_plank_goes_with_any_stones_of_the_others():
    spec = registry.load("gezanke-auf-der-planke")
    see = view_cells(spec)
    others: dict[bytes, set[tuple[str, ...]]] = {}
    for index in range(240):
        notes, events, _ = noted(spec, 3, index, {0})
        stones = [event["colour"] for event in events if event["event"] == "stone"][:3]
        assert "YBRG".count(stones[0]) == 1
        others.setdefault(notes[0, : see.VIEW_CELLS].tobytes(), set()).add(tuple(stones[1:]))
    together = [group for group in others.values() if len(group) > 1]
    # Six pairs of stones are left to the others; the view says nothing about which.
    assert max(map(len, together)) >= 5
