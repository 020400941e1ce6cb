"""The first screen of a report: every answer from its rule, none surer than the games played."""

from __future__ import annotations

import re

import numpy as np
import pytest

from analyzer.engines.local import LocalEngine
from analyzer.fairness import dealt_rows, seat_rows
from analyzer.games.summary import mean_leaders
from analyzer.report import DEFAULT_MARGIN, study_of_result, study_of_run, study_of_suite
from analyzer.simulate import RunResult, play
from reports import load
from tests.reports.pages import check_numbers, made, scenario, told


@pytest.mark.parametrize(
    ("off", "answer", "sentence"),
    [
        (
            (-0.004, -0.008, 0.0),
            "fight_size=eq3",
            "fight_size=eq3 does best: seat 1 is then farthest off, by −0.40 pp",
        ),
        (
            (-0.03, -0.04, -0.02),
            "No other reading",
            "fight_size=eq3 does best: seat 1 is then farthest off, by −3.00 pp",
        ),
        (
            (-0.045, -0.06, -0.03),
            "No other reading",
            "Under none of 11 other readings is the farthest seat surely less off than now (5.00 pp).",
        ),
        ((0.045, 0.005, 0.06), "Not sure yet", "surely less off than now (5.00 pp)."),
    ],
)
def test_unfair_seats_are_told_which_reading_would_even_them_out(suite, off, answer, sentence):
    question = "What would even the seats out?"
    study = study_of_suite(suite, DEFAULT_MARGIN)
    study.seats = study.seats.assign(finding="uneven", difference=0.05)
    rulings = study.tables["rulings"].copy()
    rulings[["off_seat", "off", "off_low", "off_high"]] = (1, 0.07, 0.065, 0.075)
    best = rulings["ruling"] == "fight_size"
    rulings.loc[best, ["off", "off_low", "off_high"]] = off
    lots = rulings["ruling"] == "start_player"
    rulings.loc[lots, ["off", "off_low", "off_high"]] = (0.001, -0.001, 0.003)
    study.tables = {**study.tables, "rulings": rulings}
    word, sentences = told(study, question)
    assert word == answer
    assert sentence in sentences
    assert ("does best" in sentences) == ("does best" in sentence)
    assert "start_player=random draws lots for the places" in sentences
    fair = study_of_suite(suite, DEFAULT_MARGIN)
    fair.seats = fair.seats.assign(finding="fair")
    assert told(fair, question) is None


def of_rulings(suite, **columns):
    """Return a study all of whose other readings change nothing by more than a little."""
    study = study_of_suite(suite, DEFAULT_MARGIN)
    still = {"seat_change": 0.001, "edge_change": 0.001}
    bounds = {
        f"{name}{end}": at for name in still for end, at in (("_low", -0.005), ("_high", 0.005))
    }
    plain = {**still, **bounds, "seat_p": 1.0, "edge_p": 1.0, "same_games": False}
    rulings = study.tables["rulings"].assign(**plain)
    for column, value in columns.items():
        rulings.loc[0, column] = value
    study.tables = {**study.tables, "rulings": rulings}
    return study


@pytest.mark.parametrize(
    ("first", "answer", "sentence", "matters"),
    [
        ({}, "None", "None of 12 other readings surely moves", "hardly"),
        ({"edge_change_high": 0.03}, "None for sure", "Of 1 the games played cannot", "not sure"),
        ({"same_games": True}, "None", "1 changed not a single game.", "never: same games"),
        (
            {
                "edge_change": 0.02,
                "edge_change_low": 0.01,
                "edge_change_high": 0.03,
                "edge_p": 0.01,
            },
            None,
            "1 of 12 other readings moves the balance",
            "yes",
        ),
    ],
)
def test_what_is_not_known_of_a_ruling_is_not_told_as_no_change(
    suite, first, answer, sentence, matters
):
    study = of_rulings(suite, **first)
    word, sentences = told(study, "Which unclear rules matter?")
    name = study.tables["rulings"]["ruling"][0]
    assert word == (answer or name)
    assert sentence in sentences
    text = made(study, drawn=False)["report.md"].decode().replace("\\", "")
    row = next(line for line in text.split("### Other readings")[1].splitlines() if name in line)
    assert f"| {matters} |" in row


def test_dead_weight_is_named_least_first_and_told_apart_from_what_is_not_known(suite):
    question = "What is dead weight?"
    study = study_of_suite(suite, DEFAULT_MARGIN)

    def worth(low, high):
        table = study.tables["restricted"].assign(worth_low=low, worth_high=high)
        study.tables = {**study.tables, "restricted": table}
        return told(study, question)

    things = study.tables["restricted"]["subject"].tolist()
    answer, sentences = worth(0.0, 0.005)
    assert answer == f"{len(things)} of {len(things)}"
    assert f"of the wins to greedy: {things[-1]}, {things[-2]}" in sentences
    assert f"and {len(things) - 5} more." in sentences
    one = [0.0, *[0.05] * (len(things) - 1)]
    assert f"1 of {len(things)} things denied is surely" in worth(one, [x + 0.001 for x in one])[1]
    assert worth(0.02, 0.05)[0] == "Nothing"
    assert worth(0.0, 0.05)[0] == "Nothing for sure"


def test_many_ties_are_told_as_a_fault():
    result = play(scenario(players="random*3", games=640), LocalEngine(1))
    sums = result.sums.copy()
    fields = {one.name: one for one in result.scenario.spec.kernel().sum_fields}
    winners, shared = fields["winner_sets"], fields["shared_wins"]
    sums[:, winners.first : winners.first + winners.cells] = 0
    games = fields["games"].of(sums)
    ties = games.copy()
    ties[48:] = 0  # of 80 blocks
    winners.of(sums)[:, 7] = ties
    winners.of(sums)[:, 1] = games - ties
    sums[:, shared.first] = ties
    study = study_of_result(RunResult(result.scenario, result.plan, sums), DEFAULT_MARGIN)
    text = made(study, drawn=False)["report.md"].decode()
    assert "Too many ties" in text
    assert "60.0 % of the games end in a tie" in text


def test_fairness_is_tested_for_equivalence():
    one = scenario(players="random", games=64)
    sums = play(one, LocalEngine(1)).sums
    assert set(seat_rows(one, sums, 0.49)["finding"]) == {"fair"}
    assert set(seat_rows(one, sums, 0.001)["finding"]) <= {"unsure", "uneven"}
    mixed = scenario(players="greedy,random*3", games=64)
    assert set(seat_rows(mixed, play(mixed, LocalEngine(1)).sums, 0.1)["finding"]) == {"mixed"}
    lopsided = play(scenario(players="greedy,random*3"), LocalEngine(1)).sums
    assert set(seat_rows(scenario(), lopsided, 0.01)["finding"]) == {"uneven"}


def played(game="all-aboard", **values):
    return play(scenario(game, **values), LocalEngine(1))


@pytest.fixture(scope="module")
def plank():
    return played("planke", games=6400)


COLOURS = "Is every colour worth the same?"


def test_what_players_are_dealt_is_tested_as_seats_are(plank):
    study = study_of_result(plank, DEFAULT_MARGIN)
    table = study.tables["dealt_colour"].set_index("of")
    held = {row["colour"]: row for row in plank.document()["tables"]["colours"]}
    equal = sum(row["won"] for row in held.values()) / sum(row["held"] for row in held.values())
    for colour, row in table.iterrows():
        assert row["n"] == held[colour]["held"]
        assert row["win_rate"] == held[colour]["won"] / held[colour]["held"]
        assert row["expected"] == pytest.approx(equal)
        assert row["difference"] == pytest.approx(row["win_rate"] - equal)
        # Those of the tests are of 90 %, those that are shown of 95 %.
        assert row["win_rate_low"] - equal < row["difference_low"] < row["difference"]
        assert row["win_rate_high"] - equal > row["difference_high"] > row["difference"]
    assert table["finding"]["yellow"] == "uneven"
    answer, sentences = told(study, COLOURS)
    assert answer == "No, not fair"
    assert re.search(r"whoever has green wins 2\d\.\d % \(95 % interval 2\d\.\d to", sentences)
    assert "whoever has yellow 2" in sentences
    assert "Surely off: " in sentences
    check_numbers(made(study, drawn=False))


@pytest.mark.parametrize(
    ("finding", "difference", "answer"),
    [
        ("fair", 0.005, "Yes, fair"),
        ("unsure", 0.02, "Not sure yet"),
        ("uneven", 0.009, "Nearly"),
        ("uneven", -0.02, "No, not fair"),
    ],
)
def test_the_answer_for_colours_follows_the_rule_of_the_seats(plank, finding, difference, answer):
    study = study_of_result(plank, DEFAULT_MARGIN)
    table = study.tables["dealt_colour"].assign(finding="fair")
    table.loc[2, ["finding", "difference"]] = finding, difference
    study.tables = {**study.tables, "dealt_colour": table}
    assert told(study, COLOURS)[0] == answer


def test_each_thing_dealt_is_one_of_as_many_comparisons(plank):
    one = plank.scenario

    def off(sums, level):
        metrics = one.spec.estimates(sums, 4, one.rulings, level).metrics()
        bounds = {colour: metrics[f"holder_win_rate.{colour}"]["ci"] for colour in found.index}
        return {
            colour: not low <= found["expected"][colour] <= high
            for colour, (low, high) in bounds.items()
        }

    alone = together = 0
    for blocks in range(8, 101, 4):
        sums = plank.sums[:blocks]
        found = dealt_rows(one, sums, 0.0, "holder_win_rate").set_index("of")
        assert dict(found["finding"] == "uneven") == off(sums, 1 - (1 - 0.95) / 4)
        alone += sum(off(sums, 0.95).values())
        together += (found["finding"] == "uneven").sum()
    assert 0 < together < alone  # what one interval of the report's level excludes need not be off


def test_things_that_nobody_has_are_not_compared_and_mixed_tables_not_at_all():
    result = played("tierisch", players="own", games=64, rulings={"animals": "fixed"})
    study = study_of_result(result, DEFAULT_MARGIN)
    assert study.tables["dealt_animal"]["of"].tolist() == ["pig", "mouse", "penguin", "dog"]
    mixed = study_of_result(played("planke", players="greedy,random*3", games=64), DEFAULT_MARGIN)
    assert list(mixed.tables) == ["ahead"]
    assert told(mixed, COLOURS) is None


def test_a_mixed_table_is_told_who_wins_most_by_the_difference_on_the_same_games():
    result = played(players="random,greedy,random*2")
    study = study_of_result(result, DEFAULT_MARGIN)
    rates = [seat["win_rate"] for seat in result.document()["seats"]]
    first, second = sorted(range(4), key=lambda seat: -rates[seat])[:2]
    (row,) = study.tables["ahead"].itertuples()
    assert (row.seat, row.next_seat) == (first, second) == (1, row.next_seat)
    assert row.ahead == pytest.approx(rates[1] - rates[second])
    # Block by block: the interval is that of the differences, not of two runs.
    credit = result.payoffs().credit / 60
    change = (credit[:, 1] - credit[:, second]) / result.payoffs().games
    error = change.std(ddof=1) / len(change) ** 0.5
    assert row.ahead_high - row.ahead_low == pytest.approx(2 * 1.99 * error, rel=0.05)
    answer, sentences = told(study, "Who wins most?")
    assert answer == "Seat 1, greedy"
    assert sentences.startswith("Seat 1 (greedy) wins ")
    assert f"Next is seat {second} (random) with " in sentences
    check_numbers(made(study, drawn=False))
    study.tables = {"ahead": study.tables["ahead"].assign(ahead_low=-0.01)}
    assert told(study, "Who wins most?")[0] == "Not sure yet"
    assert told(study_of_result(played(games=64), DEFAULT_MARGIN), "Who wins most?") is None


def test_equal_wins_of_a_mixed_table_are_not_told_apart():
    result = played(players="random,greedy", games=64)
    credit = next(one for one in result.scenario.spec.kernel().sum_fields if one.name == "credit")
    sums = result.sums.copy()
    credit.of(sums)[:, 1] = credit.of(sums)[:, 0]
    study = study_of_result(RunResult(result.scenario, result.plan, sums), DEFAULT_MARGIN)
    assert told(study, "Who wins most?")[0] == "Not sure yet"


@pytest.mark.parametrize("rest", ["random*3", "random"])
def test_the_share_that_a_silent_lead_would_have_is_that_of_the_leaders(cli, tmp_path, rest):
    assert cli("simulate", "aa", "--players", f"greedy,{rest}", "-n", 320, "--rows", "-q",
               "-o", tmp_path / "run").code == 0  # fmt: skip
    seats = 1 + int(rest[-1]) if rest[-1].isdigit() else 2
    games = load(tmp_path / "run").games
    settled = study_of_run(tmp_path / "run", DEFAULT_MARGIN).settled_table.data
    for row in settled.itertuples():
        leaders = games[f"leaders_{row.of}"].map(lambda mask: int(mask).bit_count())
        assert row.expected == pytest.approx(leaders.mean() / seats)


def test_shared_leads_that_were_not_counted_have_no_line_and_no_equal_share(plank):
    dice = study_of_result(played("tierisch", players="own", games=64), DEFAULT_MARGIN)
    first = dice.settled_table.value(0, "expected")
    assert 0.25 < first < 1  # four seats: many lead together after the first round
    text = made(dice, drawn=False)["report.md"].decode()
    assert "if the lead said nothing), " in text
    assert "shared leads count in full; dashed" in text
    counted = study_of_result(plank, DEFAULT_MARGIN)
    assert counted.settled_table.data["expected"].isna().all()
    text = made(counted, drawn=False)["report.md"].decode()
    assert "led after so many falls (shared leads count in full)" in text
    assert "if the lead said nothing" not in text
    assert mean_leaders(np.array([0, 2, 1, 5])) == (2 + 1 + 5 * 2) / 8
    assert mean_leaders(np.zeros(4, dtype=np.int64)) is None


@pytest.mark.parametrize(
    ("low", "high", "answer", "sentence"),
    [
        (0.7, 0.8, "Mostly skill", "of the way from chance to always winning (55.0 to 70.0 %)."),
        (0.6, 0.7, "Not sure yet", "One end of that is skill and chance, the other mostly skill."),
        (0.5, 0.6, "Skill and chance", "(25.0 to 40.0 %)."),
        (
            0.35,
            0.5,
            "Not sure yet",
            "One end of that is mostly chance, the other skill and chance.",
        ),
        (0.35, 0.4, "Mostly chance", "(2.50 to 10.0 %)."),
        (None, None, "Not sure yet", "(–)."),
    ],
)
def test_skill_is_only_told_where_both_ends_of_its_interval_agree(
    suite, low, high, answer, sentence
):
    study = study_of_suite(suite, DEFAULT_MARGIN)
    ladder = study.tables["ladder"].assign(against_random_low=low, against_random_high=high)
    study.tables = {**study.tables, "ladder": ladder}
    word, sentences = told(study, "Skill or chance?")
    assert word == answer
    assert sentence in sentences
    assert ("One end" in sentences) == ("One end" in sentence)
