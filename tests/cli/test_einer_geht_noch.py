"""Einer geht noch! through the command line: points, fates, replays and positions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer import registry
from tests.oracle import einer_geht_noch as referee

ROOT = Path(__file__).parents[2]
VECTORS = json.loads((ROOT / "tests/vectors/einer-geht-noch.json").read_text())["vectors"]
SIMULATE = ("simulate", "egn", "--json", "-n")
GAMES = 2000


@pytest.fixture(scope="module")
def document():
    """Return the Result JSON of a run of four random players."""
    from analyzer.engines.local import LocalEngine
    from analyzer.scenario import Settings, build
    from analyzer.simulate import play

    scenario = build(Settings({"game": "egn"}), Settings({"games": GAMES, "seed": 5}))
    return json.loads(json.dumps(play(scenario, LocalEngine(1)).document()))


def test_the_result_has_what_the_contract_names(document):
    assert document["game"] == "einer-geht-noch"
    assert set(document["rulings"]) == {*referee.RULINGS, "tile_deck"}
    assert {name: document["rulings"][name] for name in referee.RULINGS} == {
        name: values[0] for name, values in referee.RULINGS.items()
    }
    assert any("tile_deck" in sentence for sentence in document["assumed"])
    metrics = document["metrics"]
    for name in (
        "capsize_rate",
        "cupids_per_game",
        "replacements_per_game",
        "eaten_per_game",
        "overboard_per_game",
        "fox_backfires_per_game",
        "shared_win_rate",
        *(f"kept_rate.{animal}" for animal in referee.SPECIES),
    ):
        assert metrics[name]["n"] > 0
        assert metrics[name]["ci"][0] <= metrics[name]["value"] <= metrics[name]["ci"][1]
    assert "fights_per_game" not in metrics


def test_metrics_stand_in_the_order_of_the_list(document):
    stems = list(dict.fromkeys(name.partition(".")[0] for name in document["metrics"]))
    assert stems == [metric.stem for metric in registry.load("egn").metrics]


def test_every_card_has_one_fate(document):
    fates = ("kept", "sunk", "eaten", "overboard", "discarded", "removed", "backfired")
    for row in document["tables"]["fates"]:
        assert row["played"] == 4 * GAMES
        assert sum(row[fate] for fate in fates) == row["played"]
        assert row["backfired"] == 0 or row["animal"] == "fox"
        assert row["sunk"] == 0 or row["animal"] != "squid"
        assert row["discarded"] == 0 or row["animal"] == "squid"


def test_every_boat_is_weighed_and_every_score_counted(document):
    tables = document["tables"]
    boats = tables["boats"]["by_capacity"]
    weighed = sum(sum(one["sailed"]) + sum(one["sank"]) for one in boats)
    assert weighed == GAMES * 4 * 4
    first = tables["boats"]["loads_from"]
    for boat in boats:
        assert not any(boat["sailed"][max(boat["capacity"] - first + 1, 0) :])
        assert not any(boat["sank"][: max(boat["capacity"] - first + 1, 0)])
    for seat, counts in zip(document["seats"], tables["scores"]["games_by_seat"], strict=True):
        assert sum(counts) == GAMES
        mean = sum(points * count for points, count in enumerate(counts)) / GAMES
        assert seat["mean_score"] == pytest.approx(mean)
    margins = tables["margins"]["games"]
    mean = sum(points * count for points, count in enumerate(margins)) / GAMES
    assert document["metrics"]["margin"]["value"] == pytest.approx(mean)


def test_points_of_animals_and_cupids_are_the_scores(document):
    metrics = document["metrics"]
    brought = sum(metrics[f"points_per_game.{animal}"]["value"] for animal in referee.SPECIES)
    scored = sum(seat["mean_score"] for seat in document["seats"])
    assert brought + 2 * metrics["cupids_per_game"]["value"] == pytest.approx(scored)
    assert metrics["points_per_game.mouse"]["value"] == 0
    kept = {row["animal"]: row["kept"] for row in document["tables"]["fates"]}
    for weight, animal in enumerate(referee.SPECIES):
        expected = weight * kept[animal] / GAMES
        assert metrics[f"points_per_game.{animal}"]["value"] == pytest.approx(expected)


def test_actions_and_metrics_tell_the_same(document):
    metrics = document["metrics"]
    rows = {row.pop("animal"): row for row in document["tables"]["actions"]}
    for actor, row in rows.items():
        assert sum(row.values()) == pytest.approx(
            GAMES * metrics[f"turns_per_game.{actor}"]["value"]
        )
        blocked = row["target_in_love"] + row["lovers_aboard"]
        rate = metrics[f"blocked_by_love_rate.{actor}"]
        assert rate["n"] == sum(row.values())
        assert rate["value"] == pytest.approx(blocked / rate["n"])
        assert blocked > 0
    assert rows["lion"]["ate"] == pytest.approx(GAMES * metrics["eaten_per_game"]["value"])
    assert rows["mouse"]["changed_the_tile"] == pytest.approx(
        GAMES * metrics["replacements_per_game"]["value"]
    )
    assert rows["fox"]["backfired"] == pytest.approx(
        GAMES * metrics["fox_backfires_per_game"]["value"]
    )


def test_everybody_plays_one_card_a_round_face_down(document):
    down = document["tables"]["down_cards"]
    assert [row["ply"] for row in down] == [1, 2, 3]
    by_seat = zip(*(row["cards_by_seat"] for row in down), strict=True)
    assert [sum(plies) for plies in by_seat] == [GAMES * 4] * 4
    # Random play takes one of two faces while both are legal.
    assert document["metrics"]["down_ply_rate.1"]["value"] == pytest.approx(1 / 2, abs=0.02)
    assert document["metrics"]["down_ply_rate.2"]["value"] == pytest.approx(1 / 4, abs=0.02)


def test_loving_mice_may_score_half_points(cli):
    words = (*SIMULATE, 1500, "--rule", "loved_mouse_score=0.5", "--seed", 2)
    half = json.loads(cli(*words).out)
    usual = json.loads(cli(*SIMULATE, 1500, "--seed", 2).out)
    assert half["changed_rulings"] == {"loved_mouse_score": 0.5}
    mice = half["metrics"]["points_per_game.mouse"]["value"]
    assert 0 < mice < 4
    gain = sum(seat["mean_score"] for seat in half["seats"])
    gain -= sum(seat["mean_score"] for seat in usual["seats"])
    assert mice == pytest.approx(gain)
    assert half["metrics"]["points_per_game.bear"] == usual["metrics"]["points_per_game.bear"]


def test_a_ruling_with_a_fraction_survives_a_scenario_file(cli, tmp_path):
    file = tmp_path / "mice.toml"
    words = ("--rule", "loved_mouse_score=0.5", "--rule", "peacock_weight=3", "--json")
    flags = cli("simulate", "egn", "-n", "200", *words)
    assert cli("simulate", "egn", "-n", "200", *words, "--save-scenario", file).code == 0
    assert "loved_mouse_score = 0.5" in file.read_text()
    assert cli("simulate", file, "--json").out == flags.out


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_resolve_agrees_with_every_vector(cli, tmp_path, vector):
    cases = [{"rulings": {}, "expect": vector["expect"]}, *vector["variants"]]
    lines = [json.dumps({**vector["position"], "rulings": case["rulings"]}) for case in cases]
    file = tmp_path / "positions.jsonl"
    file.write_text("\n".join(lines))
    done = cli("resolve", "egn", file, "--batch")
    assert done.code == 0
    for case, line in zip(cases, done.out.splitlines(), strict=True):
        answer = json.loads(line)
        assert {key: answer[key] for key in case["expect"]} == case["expect"]


def told(cli, tmp_path, boats, rulings=None, **more):
    """Return what ``resolve --words`` says of ``[(capacity, "fox:A bear:B"), ...]``."""
    position = {
        "players": ["A", "B", "C"],
        "boats": [
            {"capacity": capacity, "animals": [card.split(":") for card in load.split()]}
            for capacity, load in boats
        ],
        "rulings": rulings or {},
        **more,
    }
    file = tmp_path / "position.json"
    file.write_text(json.dumps(position))
    done = cli("resolve", "egn", file, "--words")
    assert done.code == 0, done.err
    return done.out.splitlines()


def test_love_of_the_reveal_comes_before_any_boat_and_names_its_own(cli, tmp_path):
    lines = told(cli, tmp_path, [(20, "deer:A"), (20, "zebra:A zebra:B")])
    love = "On boat 2 A's zebra and B's zebra fall in love; each owner takes a cupid."
    assert lines[0] == love
    assert lines[1] == "Boat 1, which carries 20 kg: A's deer aboard."
    late = told(
        cli, tmp_path, [(20, "deer:A"), (20, "zebra:A zebra:B")], {"love_timing": "boat_start"}
    )
    assert late[late.index(love) - 1] == (
        "Boat 2, which carries 20 kg: A's zebra and B's zebra aboard."
    )


def test_every_event_of_its_own_is_told(cli, tmp_path):
    lines = told(
        cli,
        tmp_path,
        [(4, "fox:A bear:B"), (99, "lion:A lion:B bear:C sloth:C monkey:A"), (9, "squid:B lion:C")],
        {"third_arrival": "love_breaks", "eaten_squid": "swims"},
    )
    assert "A's fox sends B's bear to boat 2." in lines
    assert "On boat 2 B's bear and C's bear fall in love; each owner takes a cupid." in lines
    assert "A's monkey has no effect: lovers are aboard." in lines
    assert "C's lion eats B's squid, which swims ashore and scores." in lines
    lines = told(
        cli,
        tmp_path,
        [(99, "monkey:A elephant:A lion:C"), (99, "lion:A lion:B fox:B")],
        {"third_arrival": "love_breaks"},
    )
    assert "On boat 2 a third lion has arrived, and the love of the two ends." in lines
    assert "B's fox finds the boat not too heavy: its plan fails, and it is lost." in lines
    lines = told(cli, tmp_path, [(12, "mouse:A elephant:B bear:A bear:B bear:C")], draws=[16])
    assert lines[:2] == [
        "Three or more of a kind (bear) leave boat 1.",
        "A's bear is out of the game.",
    ]
    assert (
        "A's mouse frightens the elephant: the tile of 12 kg goes back into the supply, and one of "
        "16 kg is turned up."
    ) in lines


def test_a_saved_mouse_in_love_is_told_with_its_half_point(cli, tmp_path):
    position = {"loved_mouse_score": 0.5}
    lines = told(cli, tmp_path, [(9, "mouse:A mouse:B")], position)
    assert "A's mouse is saved (0.5 points)." in lines
    parted = {"loved_mouse_score": 0.5, "third_arrival": "love_breaks"}
    lines = told(cli, tmp_path, [(9, "monkey:A sloth:B mouse:C"), (9, "mouse:A mouse:B")], parted)
    assert "A's mouse is saved (0 points)." in lines


REPLAY = ("--players", "greedy,bluffer,random", "--seed", "2")


def test_replay_tells_the_game_that_simulate_counted(cli, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    cli("simulate", "egn", *REPLAY, "-n", "70", "-o", tmp_path / "run", "--rows")
    rows = pq.read_table(tmp_path / "run" / "games.parquet").to_pylist()
    for index in (0, 69):
        result = json.loads(cli("replay", "egn", *REPLAY, "--game", index, "--json").out)["result"]
        assert int(result["digest"], 16) == rows[index]["digest"] % 2**64
        for seat in result["seats"]:
            assert 2 * seat["score"] == rows[index][f"half_points_{seat['seat']}"]
            assert seat["credit"] == rows[index][f"credit_{seat['seat']}"] / 60


@pytest.mark.parametrize(
    "rules", [(), ("--rule", "loved_mouse_score=0.5", "--rule", "tie_break=blocked")]
)
def test_replay_agrees_with_the_referee(cli, rules):
    rulings = {}
    for rule in rules[1::2]:
        name, _, value = rule.partition("=")
        rulings[name] = 0.5 if value == "0.5" else value
    for game in range(8):
        done = cli("replay", "egn", *REPLAY, *rules, "--game", game, "--json")
        document = json.loads(done.out)
        events = document["events"]
        setup = {
            "players": 3,
            "start": next(event["seat"] for event in events if event["event"] == "start"),
            "decks": [event["deck"] for event in events if event["event"] == "deck"],
            "tiles": [
                event.get("capacity", event.get("new"))
                for event in events
                if event["event"] in ("capacity", "replaced")
            ],
            "tile_deck": referee.DEFAULT_TILE_DECK,
            "rulings": rulings,
        }
        moves = [
            [event["seat"], event["animal"], event["boat"], event["face"]]
            for event in events
            if event["event"] == "play"
        ]
        judged = referee.replay(setup, moves)
        seats = document["result"]["seats"]
        assert judged["totals"] == [seat["score"] for seat in seats]
        assert judged["cupids"] == [seat["cupids"] for seat in seats]
        assert [float(share) for share in judged["credit"]] == [seat["credit"] for seat in seats]
        assert judged["leaders"] == document["result"]["leaders"]
        standings = [event["scores"] for event in events if event["event"] == "standing"]
        assert standings[-1] == judged["totals"]


def test_a_comparison_counts_points_like_a_simulation(cli):
    words = ("compare", "egn", "greedy", "random", "--seats", 2, "-n", 600, "--json")
    difference = json.loads(cli(*words).out)["score_difference"]["value"]
    seats = json.loads(cli(*SIMULATE, 600, "--players", "greedy,random").out)["seats"]
    gap = seats[0]["mean_score"] - seats[1]["mean_score"]
    assert difference == pytest.approx(gap, rel=0.5)
    assert 0 < difference < 30


def test_squids_that_swim_away_when_eaten_are_eaten(cli):
    words = ("simulate", "egn", "-n", "400", "--rule", "eaten_squid=swims", "--json")
    document = json.loads(cli(*words).out)
    rows = {row["animal"]: row for row in document["tables"]["actions"]}
    eaten = document["metrics"]["eaten_per_game"]["value"]
    assert rows["lion"]["ate"] == pytest.approx(400 * eaten)
    assert document["metrics"]["eaten_rate.squid"]["value"] == 0
