"""The Einfach tierisch referee against the rules' test vectors, ruling by ruling, and in games."""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path

import pytest

from tests.oracle import tierisch as et

VECTORS = json.loads(
    (Path(__file__).parents[1] / "vectors" / "einfach-tierisch.json").read_text(encoding="utf-8")
)["vectors"]
FIVE = {"A": "pig", "B": "mouse", "C": "penguin", "D": "dog", "E": "cat"}
CAPPED = ["pig", "pig", "mouse", "penguin", "dog", "cat"]  # 2+1+1+1+1, led by the pig
MICE = ["mouse", "mouse", "mouse", "dog", "dog", "penguin"]


def cases() -> list:
    found = []
    for vector in VECTORS:
        found.append(pytest.param(vector["position"], vector["expect"], id=vector["name"]))
        for variant in vector.get("variants", []):
            rulings = {**vector["position"].get("rulings", {}), **variant["rulings"]}
            label = ",".join(f"{key}={value}" for key, value in variant["rulings"].items())
            position = {**vector["position"], "rulings": rulings}
            found.append(pytest.param(position, variant["expect"], id=f"{vector['name']}[{label}]"))
    return found


@pytest.mark.parametrize(("position", "expect"), cases())
def test_vector(position, expect):
    result = et.resolve(position)
    assert {key: result[key] for key in expect} == expect


def test_vector_names_are_unique_and_cover_every_position_of_the_rules():
    names = [vector["name"] for vector in VECTORS]
    assert len(set(names)) == len(names)
    expected = [*range(1, 11), *range(12, 17), 18, 19, 21]
    assert {f"ET-T{number:02d}" for number in expected} <= set(names)


def position(**changes) -> dict:
    return {"animals": dict(FIVE), "active": "A", "roll": list(CAPPED), **changes}


# ------------------------------------------------------------ vectors that are no positions


def test_et_t21_unowned_columns_are_worth_a_point_or_not():
    sheet = {**dict.fromkeys(et.ANIMALS, 0), "mouse": 5, "penguin": 5}
    assert et.victory_points(["pig", "mouse"], sheet, 0, "any_other_animal") == 2
    assert et.victory_points(["pig", "mouse"], sheet, 0, "owned_only") == 1
    assert et.winning_seats([2, 0], 0, "shared") == [0]


def test_et_t21_owned_only_is_refused_with_two_players():
    with pytest.raises(et.PositionError, match=r"^rulings\.vp_columns: .*two players"):
        et.read_rulings({"vp_columns": "owned_only"}, 2)
    assert et.read_rulings({"vp_columns": "owned_only"}, 3)["vp_columns"] == "owned_only"


def turn(first, second, third, *keeps, seat=0, **more):
    return [list(first), list(second), list(third)], {"seat": seat, "keeps": list(keeps), **more}


def setup(rolls, **changes) -> dict:
    base = {"players": 2, "start": 0, "animals": ["mouse", "cat"], "rolls": rolls}
    return {**base, **changes}


def play(*turns, complete=False, **changes) -> dict:
    rolls, moves = [list(part) for part in zip(*turns, strict=True)]
    return et.replay(setup(rolls, **changes), moves, complete)


@pytest.mark.parametrize("schedule", list(permutations((1, 2, 3))))
def test_et_t22_every_order_of_the_three_sizes_is_legal(schedule):
    first, second, third = schedule
    six = ["dog"] * 6
    result = play(
        turn(six, six[first:], six[:third], six[:first], six[:second]),
    )
    assert result["log"][0]["kept"] == six


@pytest.mark.parametrize("sizes", [(2, 2), (1, 1), (3, 3), (0, 1), (4, 1), (1, 0), (2, 4), (6, 0)])
def test_et_t22_no_size_twice_and_no_other_size(sizes):
    six = ["dog"] * 6
    second = six[sizes[0] :]
    third = six[: 6 - sum(sizes)]
    with pytest.raises(et.IllegalMove, match=r"^ply 0, seat 0: .*sizes left"):
        play(turn(six, second, third, six[: sizes[0]], six[: sizes[1]]))


def test_et_t22_after_two_dice_the_choice_is_three_or_one_and_then_forced():
    four = ["pig", "mouse", "dog", "cat"]
    moves = et.legal_moves({"roll": four, "sizes_left": [1, 3]})
    assert {len(keep) for keep in moves} == {1, 3}
    assert len(moves) == 4 + 4
    forced = et.legal_moves({"roll": ["cat", "pig", "cat"], "sizes_left": [3]})
    assert forced == [("pig", "cat", "cat")]


def test_et_t22_the_worked_example_keeps_two_three_and_one():
    result = play(
        turn(
            ["mouse", "dog", "police", "police", "cat", "pig"],
            ["mouse", "dog", "penguin", "police"],
            ["mouse"],
            ["mouse", "dog"],
            ["mouse", "dog", "penguin"],
        )
    )
    assert result["log"] == [
        {
            "seat": 0,
            "kept": ["mouse", "mouse", "mouse", "penguin", "dog", "dog"],
            "marked": [{"penguin": 1, "dog": 2}, {}],
            "void": False,
        }
    ]


def test_et_t23_distribution_of_one_plain_roll():
    classes: Counter = Counter()
    rolls = Counter(et.multiset(roll) for roll in product(et.SYMBOLS, repeat=6))
    empty = [dict.fromkeys(et.ANIMALS, 0) for _ in et.ANIMALS]
    uncapped = et.read_rulings({"box_cap": 0}, 5)
    for roll, ways in rolls.items():
        outcome = et.evaluate(list(et.ANIMALS), empty, 0, roll, uncapped, {})
        boxes = [sum(new.values()) for new in outcome["marked"] if new]
        assert len(set(boxes)) <= 1
        label = "void" if outcome["void"] else (len(boxes), boxes[0]) if boxes else "no boxes"
        classes[label] += ways
    assert classes == {
        (1, 1): 720,
        (1, 2): 6000,
        (1, 3): 13200,
        (1, 4): 1800,
        (2, 1): 5400,
        (2, 2): 5400,
        "no boxes": 1855,
        "void": 12281,
    }


def test_every_roll_of_six_holds_the_provable_facts():
    """The referee asserts them as it goes; all 462 rolls, so the table of fact 1 is complete."""
    for roll in combinations_with_replacement(et.SYMBOLS, 6):
        for cap in et.RULINGS["box_cap"]:
            et.resolve(position(roll=list(roll), rulings={"box_cap": cap}))


# ------------------------------------------------------------ rulings


def test_die_faces_decide_what_can_be_rolled_and_how_often():
    assert et.roll_law(et.DEFAULT_DIE_FACES, 1)[("police",)] == Fraction(1, 6)
    assert et.roll_law(("pig", "pig", "police"), 2) == {
        ("pig", "pig"): Fraction(4, 9),
        ("pig", "police"): Fraction(4, 9),
        ("police", "police"): Fraction(1, 9),
    }
    tame = {"die_faces": ["pig", "mouse", "penguin", "dog"]}
    with pytest.raises(et.PositionError, match=r"^roll: 'cat' is not on the die"):
        et.resolve(position(rulings=tame))
    with pytest.raises(et.PositionError, match=r"^rolls\[0\]\[0\]: 'cat' is not on the die"):
        play(turn(["cat"] * 6, ["pig"] * 5, ["pig"] * 3, ["cat"], ["pig"] * 2), rulings=tame)


def test_box_cap():
    assert sum(et.resolve(position())["marked"]["A"].values()) == 3
    assert sum(et.resolve(position(rulings={"box_cap": 0}))["marked"]["A"].values()) == 4


def test_cap_choice_asks_the_player_or_does_not():
    wish = {"A": ["mouse"]}
    assert "mouse" not in et.resolve(position(forgo=wish))["marked"]["A"]
    fixed = et.resolve(position(forgo=wish, rulings={"cap_choice": "fullest_first"}))
    assert fixed["marked"]["A"] == {"mouse": 1, "penguin": 1, "dog": 1}


def test_a_wish_skips_columns_that_are_not_on_offer_and_falls_back_on_the_emptiest():
    marks = {"A": {"penguin": 2, "dog": 1, "cat": 1, "mouse": 1}}
    result = et.resolve(position(marks=marks, forgo={"A": ["pig"], "B": ["dog"]}))
    assert result["marked"]["A"] == {"mouse": 1, "penguin": 1, "dog": 1}
    result = et.resolve(position(marks=marks, forgo={"A": ["pig", "dog", "penguin"]}))
    assert result["marked"]["A"] == {"mouse": 1, "penguin": 1, "cat": 1}


def test_vp_columns():
    trio = {"A": "pig", "B": "mouse", "C": "dog"}
    marks = {"A": {"cat": 5, "penguin": 5}}
    over = position(animals=trio, marks=marks)
    with pytest.raises(et.PositionError, match=r"^marks\.A: the position is already won"):
        et.resolve(over)
    result = et.resolve({**over, "rulings": {"vp_columns": "owned_only"}})
    assert result["victory_points"] == {"A": 0, "B": 0, "C": 0}


@pytest.mark.parametrize(
    ("roller", "first"), [(0, 1), (1, 1), (2, 3), (3, 3), (4, 1)], ids=lambda seat: str(seat)
)
def test_simultaneous_win(roller, first):
    points = [0, 2, 1, 2, 0]
    assert et.winning_seats(points, roller, "shared") == [1, 3]
    assert et.winning_seats(points, roller, "active_first") == [first]


def shared_win_log():
    # the mouse and the cat lead together twice a round, each filling pig and penguin
    rolls, moves = [], []
    for ply in range(5):
        first = ["mouse", "mouse", "cat", "cat", "pig", "penguin"]
        plan = turn(first, first[3:], first[5:], first[:3], first[3:5], seat=ply % 2)
        rolls.append(plan[0])
        moves.append(plan[1])
    return rolls, moves


def test_replay_shares_a_win_or_gives_it_to_the_roller():
    rolls, moves = shared_win_log()
    result = et.replay(setup(rolls), moves)
    assert (result["winners"], result["turns"]) == ([0, 1], 5)
    assert result["credit"] == [Fraction(1, 2), Fraction(1, 2)]
    assert result["victory_points"] == [2, 2]
    assert result["marks"] == [{**dict.fromkeys(et.ANIMALS, 0), "pig": 5, "penguin": 5}] * 2
    alone = et.replay(setup(rolls, rulings={"simultaneous_win": "active_first"}), moves)
    assert (alone["winners"], alone["credit"]) == ([0], [1, 0])


def test_start_player():
    six = ["dog"] * 6
    plan = turn(six, six[1:], six[3:], six[:1], six[:2], seat=1)
    with pytest.raises(et.PositionError, match=r"^start: seat 0 starts"):
        play(plan, start=1)
    assert play(plan, start=1, rulings={"start_player": "random"})["log"][0]["seat"] == 1
    assert {start for _, start in et.setup_law(3)} == {0}
    assert {start for _, start in et.setup_law(3, {"start_player": "random"})} == {0, 1, 2}


def test_animals_change_the_deal_and_nothing_after_it():
    law = et.setup_law(2)
    assert len(law) == 20
    assert set(law.values()) == {Fraction(1, 20)}
    fixed = et.setup_law(2, {"animals": "fixed"}, ["dog", "pig"])
    assert fixed == {(("dog", "pig"), 0): 1}
    with pytest.raises(et.PositionError, match=r"^animals: "):
        et.setup_law(2, {"animals": "fixed"})
    assert et.resolve(position(rulings={"animals": "fixed"})) == et.resolve(position())


# ------------------------------------------------------------ errors


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dice": []}, r"position\.dice: unknown key"),
        ({"animals": ["pig", "mouse"]}, "animals: must be an object"),
        ({"animals": {"A": "pig"}}, "animals: 2 to 5 players"),
        ({"animals": {"A": "pig", "B": "pig"}}, "animals: two players"),
        ({"animals": {"A": "pig", "B": "police"}}, "animals: unknown animal 'police'"),
        ({"animals": {"": "pig", "B": "dog"}}, "animals: bad player name"),
        ({"active": "Z"}, "active: unknown player"),
        ({"roll": CAPPED[:5]}, "roll: needs 6 dice, has 5"),
        ({"roll": [*CAPPED, "pig"]}, "roll: needs 6 dice, has 7"),
        ({"roll": "pigpig"}, "roll: must be a list"),
        ({"roll": [*CAPPED[:5], "cow"]}, "roll: unknown symbol 'cow'"),
        ({"marks": []}, "marks: must be an object"),
        ({"marks": {"Z": {}}}, r"marks\.Z: unknown player"),
        ({"marks": {"A": 3}}, r"marks\.A: must be an object"),
        ({"marks": {"A": {"police": 1}}}, r"marks\.A\.police: unknown"),
        ({"marks": {"A": {"dog": 6}}}, r"marks\.A\.dog: needs 0 to 5"),
        ({"marks": {"A": {"dog": -1}}}, r"marks\.A\.dog: needs 0 to 5"),
        ({"marks": {"A": {"dog": True}}}, r"marks\.A\.dog: needs 0 to 5"),
        ({"marks": {"A": {"pig": 1}}}, r"marks\.A\.pig: the own column"),
        ({"marks": {"B": {"dog": 5, "cat": 5}}}, r"marks\.B: the position is already won"),
        ({"forgo": ["dog"]}, "forgo: must be an object"),
        ({"forgo": {"Z": []}}, r"forgo\.Z: unknown player"),
        ({"forgo": {"A": "dog"}}, r"forgo\.A: must be a list"),
        ({"forgo": {"A": ["dog", "dog"]}}, r"forgo\.A: names a column twice"),
        ({"forgo": {"A": ["police"]}}, r"forgo\.A: unknown column"),
        ({"rulings": ["box_cap"]}, "rulings: must be an object"),
        ({"rulings": {"police_limit": 3}}, r"rulings\.police_limit: unknown ruling"),
        ({"rulings": {"box_cap": 4}}, r"rulings\.box_cap: unknown value 4"),
        ({"rulings": {"box_cap": False}}, r"rulings\.box_cap: unknown value False"),
        ({"rulings": {"cap_choice": "emptiest"}}, r"rulings\.cap_choice: unknown value"),
        ({"rulings": {"die_faces": []}}, r"rulings\.die_faces: needs symbols"),
        ({"rulings": {"die_faces": ["cow"]}}, r"rulings\.die_faces: unknown symbol"),
    ],
)
def test_a_bad_position_names_its_field(changes, message):
    with pytest.raises(et.PositionError, match=f"^{message}"):
        et.resolve(position(**changes))


@pytest.mark.parametrize("missing", ["animals", "active", "roll"])
def test_a_missing_field_is_named(missing):
    bad = position()
    del bad[missing]
    with pytest.raises(et.PositionError, match=rf"^position\.{missing}: missing"):
        et.resolve(bad)


GOOD = turn(MICE, MICE[1:], MICE[3:], MICE[:1], MICE[1:3])


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ({"seat": 1}, "ply 0, seat 0: seat 1 is not to move"),
        ({"keeps": [["mouse"]]}, "ply 0, seat 0: keeps needs two lists"),
        ({"keeps": [["cat"], MICE[1:3]]}, "ply 0, seat 0: .* not among the dice rolled"),
        ({"keeps": [["mouse"], ["penguin"] * 2]}, "ply 0, seat 0: .* not among the dice rolled"),
        ({"forgo": ["dog"]}, "ply 0, seat 0: forgo must be an object"),
        ({"forgo": {2: ["dog"]}}, "ply 0, seat 0: forgo of the unknown seat 2"),
        ({"forgo": {0: ["cow"]}}, r"ply 0, seat 0: forgo\[0\]: unknown column"),
        ({"forgo": {0: [], "0": []}}, "ply 0, seat 0: forgo names seat 0 twice"),
        ({"pass": True}, "ply 0, seat 0: unknown key"),
    ],
)
def test_an_illegal_move_names_ply_and_seat(move, message):
    with pytest.raises(et.IllegalMove, match=f"^{message}"):
        play((GOOD[0], {**GOOD[1], **move}))


def test_a_log_ends_with_the_game_and_not_before_or_after():
    rolls, moves = shared_win_log()
    with pytest.raises(et.IllegalMove, match=r"^ply 4, seat 0: the game is not over"):
        et.replay(setup(rolls), moves[:4])
    with pytest.raises(et.IllegalMove, match=r"^ply 5, seat 1: the game is over"):
        et.replay(setup(rolls + rolls[:1]), moves + moves[1:2])
    with pytest.raises(et.PositionError, match=r"^rolls: there are rolls after"):
        et.replay(setup(rolls + rolls[:1]), moves)
    with pytest.raises(et.PositionError, match=r"^rolls\[4\]: missing"):
        et.replay(setup(rolls[:4]), moves)
    assert et.replay(setup(rolls[:4]), moves[:4], complete=False)["credit"] == [0, 0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": 3}, "animals: 2 animals for 3 players"),
        ({"start": 2}, "start: is no seat"),
        ({"animals": ["cat", "cat"]}, "animals: two players"),
        ({"rolls": [[MICE, MICE[1:], MICE[2:]]]}, r"rolls\[0\]\[2\]: needs 3 dice, has 4"),
        ({"rolls": [[MICE, MICE[1:]]]}, r"rolls\[0\]: needs three rolls"),
        ({"seed": 1}, r"setup\.seed: unknown key"),
    ],
)
def test_a_bad_setup_names_its_field(changes, message):
    with pytest.raises(et.PositionError, match=f"^{message}"):
        et.replay({**setup([GOOD[0]]), **changes}, [GOOD[1]], complete=False)


@pytest.mark.parametrize(
    ("roll", "sizes"), [(["pig"] * 5, [1, 2, 3]), (["pig"] * 2, [1, 1]), (["pig"] * 4, [4])]
)
def test_a_bad_decision_is_refused(roll, sizes):
    with pytest.raises(et.PositionError, match=r"^(roll|sizes_left): "):
        et.legal_moves({"roll": roll, "sizes_left": sizes})
    with pytest.raises(et.PositionError, match=r"^(roll|sizes_left): "):
        et.random_distribution(roll, sizes)


# ------------------------------------------------------------ whole random games


@pytest.mark.parametrize("seed", range(12))
def test_random_games_are_refereed_and_hold_the_facts(seed):
    dice = random.Random(seed)
    players = 2 + seed % 4
    rulings = {name: values[(seed // 2) % 2] for name, values in et.RULINGS.items()}
    if players == 2:
        del rulings["vp_columns"]
    owned = dice.sample(et.ANIMALS, players)
    seat = start = dice.randrange(players) if rulings["start_player"] == "random" else 0
    read = et.read_rulings(rulings, players)
    sheets = [dict.fromkeys(et.ANIMALS, 0) for _ in owned]
    rolls, moves, winners = [], [], []
    while not winners:
        sizes, kept, shown, keeps = [1, 2, 3], [], [], []
        while sizes:
            shown.append(dice.choices(et.SYMBOLS, k=6 - len(kept)))
            law = et.random_distribution(shown[-1], sizes)
            assert sum(law.values()) == 1
            assert set(law) == set(et.legal_moves({"roll": shown[-1], "sizes_left": sizes}))
            keeps.append(dice.choices(list(law), [float(p) for p in law.values()])[0])
            kept.extend(keeps[-1])
            sizes.remove(len(keeps[-1]))
        forgo = {number: dice.sample(et.ANIMALS, 2) for number in range(players)}
        outcome = et.evaluate(owned, sheets, seat, kept, read, forgo)
        sheets, winners = outcome["marks"], outcome["winners"]
        rolls.append(shown)
        moves.append({"seat": seat, "keeps": keeps[:2], "forgo": forgo})
        seat = (seat + 1) % players
    given = {"players": players, "start": start, "animals": owned, "rolls": rolls}
    result = et.replay({**given, "rulings": rulings}, moves)
    assert (result["marks"], result["winners"]) == (sheets, winners)
    assert sum(result["credit"]) == 1
    assert result["turns"] == len(moves)
    total = sum(sum(sum(new.values()) for new in entry["marked"]) for entry in result["log"])
    assert total == sum(sum(sheet.values()) for sheet in sheets)
