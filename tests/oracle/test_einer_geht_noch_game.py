"""The referee of Einer geht noch! on loading and on whole games."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest

from tests.oracle import einer_geht_noch as egn

SPECIES = egn.SPECIES


def deal(seats, rng, rulings=None, deck=egn.DEFAULT_TILE_DECK):
    """Chance results of a game; the tiles are the whole shuffled deck, so always enough."""
    return {
        "players": seats,
        "start": rng.randrange(seats) if (rulings or {}).get("start_player") == "random" else 0,
        "decks": [rng.sample(SPECIES, len(SPECIES)) for _ in range(seats)],
        "tiles": rng.sample(deck, len(deck)),
        "tile_deck": list(deck),
        "rulings": rulings or {},
    }


def play_out(setup, choose, watch=None):
    """Play a game with `choose(moves)`; its log, and the set-up without the unused tiles."""
    game = egn.Game(setup)
    log = []
    while not game.over:
        if watch:
            watch(game)
        card, boat, face = choose(egn.legal_moves(game.state()))
        log.append([game.seat, card, boat, face])
        game.play(*log[-1])
    return {**setup, "tiles": setup["tiles"][: game.supply.used]}, log


def first(moves):
    return moves[0]


def turn(hand=("fox", "bear", "lion"), boats=(0, 0), ply=1, down_used=False):
    return {"hand": list(hand), "boats": list(boats), "ply": ply, "down_used": down_used}


# -- loading -----------------------------------------------------------------------------------


def test_egn_t32_legal_sequences_of_faces():
    def sequences(faces):
        ply = len(faces) + 1
        if ply > 3:
            return [faces]
        state = turn(SPECIES[: 4 - ply], ply=ply, down_used="down" in faces)
        nexts = sorted({face for _, _, face in egn.legal_moves(state)})
        return [found for face in nexts for found in sequences([*faces, face])]

    short = {"".join(face[0] for face in faces) for faces in sequences([])}
    assert short == {"duu", "udu", "uud"}
    assert {move[2] for move in egn.legal_moves(turn(["fox"], ply=3))} == {"down"}
    assert {move[2] for move in egn.legal_moves(turn(["fox", "bear"], ply=2, down_used=True))} == {
        "up"
    }
    assert {move[2] for move in egn.legal_moves(turn(["fox", "bear"], ply=2))} == {"up", "down"}


def test_egn_t33_last_play_is_forced_to_the_open_boat():
    moves = egn.legal_moves(turn(["elephant"], boats=(3, 2), ply=3, down_used=True))
    assert moves == [("elephant", 1, "up")]


def test_egn_t34_accounting_of_tiles_and_decks():
    # Seats 0, 1 and 2 load boat 0 of round 0 with a mouse, an elephant and a sloth.
    setup = deal(5, random.Random(0))
    for cards, species in zip(setup["decks"], ["mouse", "elephant", "sloth"], strict=False):
        cards.remove(species)
        cards.insert(0, species)
    seen = []

    def watch(game):
        if len(seen) == len(game.rounds):
            assert all(len(hand) == 3 for hand in game.hands)
            seen.append((len(game.supply.face_down), [len(deck) for deck in game.decks]))

    trimmed, _ = play_out(setup, first, watch)
    assert seen == [(25, [9] * 5), (20, [6] * 5), (15, [3] * 5), (10, [0] * 5)]
    assert len(trimmed["tiles"]) > 20  # a mouse was at work


def test_egn_t35_final_ranking():
    def rank(*pairs):
        totals = [points + 2 * cupids for points, cupids in pairs]
        return egn.leading(totals, [cupids for _, cupids in pairs])

    assert rank((34, 3), (32, 4), (40, 0)) == [1]
    assert rank((34, 3), (34, 3), (40, 0)) == [0, 1]
    assert rank((34, 3), (32, 4), (41, 0)) == [2]


def test_random_is_uniform_over_cards_boats_and_faces():
    law = egn.random_distribution(turn(boats=(3, 2, 0), ply=1))
    expected = set(itertools.product(["fox", "bear", "lion"], [1, 2], ["up", "down"]))
    assert set(law) == expected
    assert set(law.values()) == {Fraction(1, 12)}


@pytest.mark.parametrize(
    ("state", "field"),
    [
        ({"hand": []}, "state"),
        (turn(ply=4), "ply"),
        (turn(ply=True), "ply"),
        (turn(down_used=1), "down_used"),
        (turn(down_used=True), "down_used"),
        (turn(["fox", "bear", "octopus"]), "hand"),
        (turn(["fox", "bear", "bear"]), "hand"),
        (turn(["fox", "bear"]), "hand"),
        (turn(boats=(4, 0)), "boats"),
    ],
)
def test_bad_state_names_the_field(state, field):
    with pytest.raises(egn.PositionError, match=f"^{field}: "):
        egn.legal_moves(state)


# -- whole games -------------------------------------------------------------------------------


def some_rulings(rng):
    return {name: rng.choice(values) for name, values in egn.RULINGS.items()}


@pytest.mark.parametrize("chosen", ["defaults", "any"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_replay_agrees_with_resolve_round_by_round(seats, chosen):
    for seed in range(12):
        rng = random.Random(f"{seats} {chosen} {seed}")
        rulings = {} if chosen == "defaults" else some_rulings(rng)
        setup, log = play_out(deal(seats, rng, rulings), rng.choice)
        result = egn.replay(setup, log)
        tiles, stack, points = list(setup["tiles"]), 20, [Fraction(0)] * seats
        for one in result["rounds"]:
            assert one["capacities"] == tiles[:seats]
            del tiles[:seats]
            boats = zip(one["capacities"], one["boats_before"], strict=True)
            outcome = egn.resolve(
                {
                    "players": list("ABCDE"[:seats]),
                    "boats": [
                        {"capacity": cap, "animals": [[s, "ABCDE"[p]] for s, p in animals]}
                        for cap, animals in boats
                    ],
                    "draws": tiles,
                    "cupids_left": max(stack, 0),
                    "rulings": rulings,
                }
            )
            del tiles[: sum(step[0] == "tile" for step in outcome["trace"])]
            assert outcome["boats"] == one["boats"]
            assert list(outcome["kept"].values()) == one["kept"]
            assert list(outcome["cupids"].values()) == one["cupids"]
            stack -= sum(one["cupids"])
            for seat, (score, paid) in enumerate(
                zip(outcome["score"].values(), one["cupids"], strict=True)
            ):
                points[seat] += Fraction(score) - 2 * paid
        assert tiles == []
        assert points == result["points"]
        assert result["totals"] == [
            got + 2 * paid for got, paid in zip(result["points"], result["cupids"], strict=True)
        ]
        assert sum(result["credit"]) == (1 if result["winners"] else 0)
        assert result["leaders"][3] == result["winners"] or not result["winners"]


def test_seats_take_turns_from_the_buoy_which_goes_left():
    _, log = play_out(deal(3, random.Random(1)), first)
    starts = [log[9 * r][0] for r in range(4)]
    assert starts == [0, 1, 2, 0]
    assert [seat for seat, *_ in log[9:18]] == [1, 2, 0] * 3


def test_start_player_other_than_seat_0_needs_the_ruling():
    setup = {**deal(3, random.Random(1)), "start": 2}
    with pytest.raises(egn.PositionError, match="^start: must be 0"):
        egn.Game(setup)
    setup["rulings"] = {"start_player": "random"}
    assert egn.Game(setup).seat == 2


def mouse_and_elephant():
    """Two players whose first boat of round 0 carries a mouse, an elephant and a deer.

    With `first` as the player, seat 0 loads his first two cards on boat 0 and seat 1 his first.
    """
    early = [["mouse", "deer", "bear"], ["elephant", "sloth", "zebra"]]
    decks = [cards + [one for one in SPECIES if one not in cards] for cards in early]
    tiles = list(range(1, 31))
    return {"players": 2, "start": 0, "decks": decks, "tiles": tiles, "tile_deck": tiles}


@pytest.mark.parametrize(
    ("replace", "legal"), [("return_then_draw", True), ("draw_then_return", False)]
)
def test_only_a_tile_that_was_returned_first_can_come_back(replace, legal):
    setup = {**mouse_and_elephant(), "rulings": {"tile_replace": replace}}
    setup["tiles"] = [7, 30, 7, *(tile for tile in range(1, 30) if tile != 7)]
    if legal:
        trimmed, log = play_out(setup, first)
        assert egn.replay(trimmed, log)["rounds"][0]["boats"][0]["capacity"] == 7
    else:
        with pytest.raises(egn.PositionError, match=r"^tiles: tile 2 \(7\)"):
            play_out(setup, first)


def test_a_tile_given_back_may_return_on_another_boat_later():
    for replace in egn.RULINGS["tile_replace"]:
        setup = {**mouse_and_elephant(), "rulings": {"tile_replace": replace}}
        setup["tiles"] = [7, 30, 8, 7, *range(9, 30)]
        trimmed, log = play_out(setup, first)
        result = egn.replay(trimmed, log)
        assert result["rounds"][0]["capacities"] == [7, 30]
        assert result["rounds"][0]["boats"][0]["capacity"] == 8
        assert result["rounds"][1]["capacities"][0] == 7


def test_a_tile_that_left_the_game_cannot_come_back():
    setup = mouse_and_elephant()
    setup["tiles"] = [7, 30, 8, 8, *range(9, 30)]  # 8 lay on boat 0 when the round ended
    with pytest.raises(egn.PositionError, match=r"^tiles: tile 3 \(8\)"):
        play_out(setup, first)


@pytest.mark.parametrize(
    ("final_tie", "winners", "credit"),
    [("shared", [0, 1], [Fraction(1, 2)] * 2), ("no_winner", [], [0, 0])],
)
def test_final_tie(final_tie, winners, credit):
    # Boats that carry nothing: all that can score is each player's squid, and every pair of
    # two players pays both.
    decks = [sorted(SPECIES), sorted(SPECIES)]
    rulings = {"final_tie": final_tie, "eaten_squid": "swims"}
    setup = {"players": 2, "start": 0, "decks": decks, "tiles": [0] * 30, "tile_deck": [0] * 30}
    setup, log = play_out({**setup, "rulings": rulings}, first)
    result = egn.replay(setup, log)
    assert result["points"] == [3, 3]
    assert result["winners"] == winners
    assert result["credit"] == credit
    assert result["leaders"][3] == [0, 1]


def test_half_points_are_counted_over_the_rounds():
    # Both mice board boat 0 with a peacock, which holds 20.
    early = [["mouse", "peacock", "bear"], ["mouse", "sloth", "zebra"]]
    decks = [cards + [one for one in SPECIES if one not in cards] for cards in early]
    setup = {"players": 2, "start": 0, "decks": decks, "tiles": [20] * 30, "tile_deck": [20] * 30}
    halves = []
    for value in egn.RULINGS["loved_mouse_score"]:
        trimmed, log = play_out({**setup, "rulings": {"loved_mouse_score": value}}, first)
        halves.append(egn.replay(trimmed, log)["points"])
    assert [after - before for before, after in zip(*halves, strict=True)] == [0.5, 0.5]


# -- bad games ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played():
    return play_out(deal(2, random.Random(5)), first)


@pytest.mark.parametrize(
    ("index", "change", "why"),
    [
        (0, lambda move: [1, *move[1:]], "turn of seat 0"),
        (0, lambda move: [False, *move[1:]], "turn of seat 0"),
        (3, lambda move: [move[0], "octopus", *move[2:]], "not legal"),
        (3, lambda move: [*move[:2], 0, move[3]], "not legal"),  # boat 0 is full by then
        (3, lambda move: [*move[:2], True, move[3]], "not legal"),
        (3, lambda move: [*move[:2], 2, move[3]], "not legal"),
        (4, lambda move: [*move[:3], "up"], "not legal"),  # the last chance for a face-down card
        (5, lambda move: [*move[:3], "sideways"], "not legal"),
        (5, lambda move: move[:3], "a move is"),
    ],
)
def test_illegal_move_names_move_and_seat(played, index, change, why):
    setup, log = played
    bad = [*log[:index], change(log[index]), *log[index + 1 :]]
    with pytest.raises(egn.IllegalMove, match=f"move {index}: .*{why}") as error:
        egn.replay(setup, bad)
    assert error.value.index == index


def test_second_face_down_card_of_a_round_is_illegal(played):
    setup, log = played
    bad = [list(move) for move in log]
    bad[0][3] = bad[2][3] = "down"
    with pytest.raises(egn.IllegalMove, match="round 0, ply 2, seat 0, move 2: "):
        egn.replay(setup, bad)


def test_log_must_end_with_the_game(played):
    setup, log = played
    with pytest.raises(egn.IllegalMove, match="round 3, ply 3, seat 0, move 23: the log ends"):
        egn.replay(setup, log[:-1])
    with pytest.raises(egn.IllegalMove, match="move 24: the game is over"):
        egn.replay(setup, [*log, log[-1]])


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"players": 6}, "players"),
        ({"players": 1}, "players"),
        ({"start": 2}, "start"),
        ({"decks": 7}, "decks"),
        ({"decks": [sorted(SPECIES)]}, "decks"),
        ({"decks": [sorted(SPECIES), ["fox"] * 12]}, r"decks\[1\]"),
        ({"decks": [sorted(SPECIES), [1, *SPECIES[1:]]]}, r"decks\[1\]"),
        ({"tiles": "20"}, "tiles"),
        ({"tiles": [20.5]}, "tiles"),
        ({"tiles": [20]}, "tiles"),
        ({"tiles": [99, 98]}, "tiles"),
        ({"tile_deck": [20] * 31}, "tile_deck"),
        ({"rulings": {"tile_deck": "20:30"}}, "tile_deck"),
        ({"rulings": {"captain": "me"}}, "rulings.captain"),
        ({"seed": 1}, "setup"),
    ],
)
def test_bad_setup_names_the_field(played, change, field):
    setup, log = played
    with pytest.raises(egn.PositionError, match=f"^{field}: "):
        egn.replay({**setup, **change}, log)


def test_unused_tiles_are_an_error(played):
    setup, log = played
    with pytest.raises(egn.PositionError, match="^tiles: 1 are left over"):
        egn.replay({**setup, "tiles": [*setup["tiles"], 20]}, log)
