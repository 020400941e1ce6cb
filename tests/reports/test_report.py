"""`analyzer report`: every number from the CSV, every name as text, every run a page."""

from __future__ import annotations

import html
import json
import re

import pytest

from analyzer import registry, runs
from analyzer.engines.local import LocalEngine
from analyzer.report import DEFAULT_MARGIN, study_of_result, study_of_run, study_of_suite
from analyzer.simulate import play
from analyzer.suite import Kept, Suite, suite_sizes
from reports.content import UNKNOWN, written
from tests.reports.browser import BROWSER, look
from tests.reports.pages import check_numbers, csv_of, made, parsed, scenario

HOSTILE = '=cmd|"/c x"!A1 <img src=x onerror=alert(1)> | *b* `c` [d](e) {{ 7*7 }} \u202e & $x$'


def test_every_number_on_the_page_comes_from_the_csv_beside_it(suite_files):
    assert len(parsed(suite_files).cells) > 500
    check_numbers(suite_files)


def test_the_markdown_says_the_same_numbers(suite_files):
    text = suite_files["report.md"].decode()
    for _, number_text in parsed(suite_files).cells:
        assert number_text in text


def test_every_table_and_figure_is_written(suite_files):
    names = set(suite_files)
    markdown = suite_files["report.md"].decode()
    for figure in re.findall(r"\(figures/(\w+)\.svg\)", markdown):
        assert {f"figures/{figure}.svg", f"figures/{figure}.png"} <= names
    for table in ("seats", "ladder", "matrix", "restricted", "rulings", "by_animal", "settled"):
        assert f"tables/{table}.csv" in names
    figure_tags = [a for tag, a in parsed(suite_files).tags if tag == "figure"]
    assert len(figure_tags) >= 8
    assert all(len(one["aria-label"]) > 30 for one in figure_tags)


def test_components_are_compared_with_what_they_would_be_if_all_were_alike(suite_files):
    animals = csv_of(suite_files, "by_animal").set_index("of").astype(float)
    # Every animal is played as often, so what is kept of it weighs as its rate does.
    wins = animals["win_rate_when_kept"] * animals["kept_rate"]
    wanted = {
        "points_per_game": animals["points_per_game"].mean(),
        "win_rate_when_kept": wins.sum() / animals["kept_rate"].sum(),
    }
    for stem, expected in wanted.items():
        assert animals[f"{stem}_expected"].tolist() == pytest.approx([expected] * 12)
        off = animals[stem] - expected
        assert animals[f"{stem}_difference"].tolist() == pytest.approx(off.tolist())
    assert "against the average" in suite_files["report.md"].decode()


def test_comebacks_are_the_wins_of_others_than_the_leaders(suite_files):
    settled = csv_of(suite_files, "settled")
    assert len(settled) == 3
    for row in settled.itertuples():
        assert float(row.comeback) == pytest.approx(1 - float(row.value))
        assert float(row.comeback_low) <= float(row.comeback) <= float(row.comeback_high)


def test_the_page_has_no_script_and_asks_for_nothing(suite_files):
    parser = parsed(suite_files)
    assert not [tag for tag, _ in parser.tags if tag in ("script", "iframe", "object", "embed")]
    for tag, attributes in parser.tags:
        assert not [name for name in attributes if name.startswith("on")], tag
        for name in ("src", "href", "xlink:href"):
            assert attributes.get(name, "#").startswith(("#", "data:")), (tag, attributes)


def test_the_suite_answers_every_question(suite_files):
    text = suite_files["report.md"].decode()
    for question in (
        "Is every seat worth the same?",
        "Skill or chance?",
        "Which strategy is strongest? greedy.",
        "Is it tense?",
        "What decides games?",
        "What is dead weight?",
        "Which unclear rules matter?",
    ):
        assert question in text


def test_the_ladder_is_what_single_runs_give(suite):
    share = suite.sizes.pair // 3
    won = total = 0
    for seat in range(3):
        names = ["random"] * 3
        names[seat] = "greedy"
        document = play(scenario(players=",".join(names), games=share), LocalEngine(1)).document()
        won += document["seats"][seat]["win_rate"] * share
        total += share
    value, (low, high) = suite.win_rate(suite.pairs["greedy", "random"])
    assert value == pytest.approx(won / total)
    assert low < value < high


def test_what_a_restriction_costs_is_the_difference_of_two_runs(suite):
    share = suite.sizes.restricted // 3
    change = {one.name: difference for one, difference in suite.restricted()}["late-bear"]
    lost = 0.0
    free = play(scenario(players="greedy", seats=3, games=share), LocalEngine(1)).document()
    for seat in range(3):
        names = ["greedy"] * 3
        names[seat] = "greedy~late-bear"
        held = play(scenario(players=",".join(names), games=share), LocalEngine(1)).document()
        lost += free["seats"][seat]["win_rate"] - held["seats"][seat]["win_rate"]
    assert change.value == pytest.approx(lost / 3)
    assert change.interval[0] > 0  # holding the bear back costs wins


def test_a_ruling_that_changes_no_game_is_said_to_change_none(suite):
    files = made(study_of_suite(suite, DEFAULT_MARGIN), drawn=False)
    frame = csv_of(files, "rulings").set_index(["ruling", "value"])
    row = frame.loc["final_tie", "no_winner"]
    assert row["played"] == "shared"
    off = frame.loc["effects", "off"]
    assert off["same_games"] == "False"
    assert (
        float(off["edge_change_low"]) <= float(off["edge_change"]) <= float(off["edge_change_high"])
    )


def test_the_seat_farthest_off_under_another_reading_is_that_of_the_run(suite):
    row = next(
        csv_of(made(study_of_suite(suite, DEFAULT_MARGIN), drawn=False), "rulings").itertuples()
    )
    games = suite.sizes.ruling
    other = play(
        scenario(players="greedy", seats=3, games=games, rulings={row.ruling: row.value}),
        LocalEngine(1),
    )
    rates = [seat["win_rate"] for seat in other.document()["seats"]]
    off = [rate - sum(rates) / 3 for rate in rates]
    farthest = max(range(3), key=lambda seat: abs(off[seat]))
    assert int(row.off_seat) == farthest
    assert float(row.off) == pytest.approx(off[farthest])
    assert float(row.off_low) < off[farthest] < float(row.off_high)


def test_a_second_report_plays_nothing_again(tmp_path):
    class Counting:
        def __init__(self):
            self.blocks = 0

        def play(self, job, blocks, sink):
            blocks = list(blocks)
            self.blocks += len(blocks)
            LocalEngine(1).play(job, blocks, sink)

    one, other = scenario(games=64), scenario(games=64, players="light")
    engine = Counting()
    first = Kept(engine, tmp_path)
    sums = [first(one).result.sums, first(other).result.sums]
    assert engine.blocks == 128
    again = Kept(engine, tmp_path)
    assert [
        (again(each).result.sums == old).all() for each, old in zip((one, other), sums, strict=True)
    ]
    assert engine.blocks == 128


def test_the_suites_plan_counts_what_is_played(suite):
    games = []
    kept = Kept(LocalEngine(2), None, games.append)
    kept.known = dict(suite.play.known)  # those that were played tell their games all the same
    counted = Suite(suite.base, kept, quick=True)
    study_of_suite(counted, DEFAULT_MARGIN)
    assert sum(games) == counted.total_games()


@pytest.mark.parametrize("game", registry.names())
def test_quick_is_a_small_part_of_the_whole(game):
    spec = registry.load(game)
    for seats in range(spec.players[0], spec.players[1] + 1):
        quick = suite_sizes(spec, seats, quick=True)
        for name in ("pair", "main", "restricted", "ruling"):
            assert getattr(quick, name) % seats == 0
            assert getattr(quick, name) >= 64


def test_a_run_and_its_scenario_give_the_same_report(cli, tmp_path):
    file = tmp_path / "one.toml"
    file.write_text('game = "all-aboard"\nplayers = ["greedy", "random"]\ngames = 320\nseed = 8\n')
    assert cli("simulate", file, "-o", tmp_path / "run", "-q").code == 0
    assert cli("report", tmp_path / "run", "-o", tmp_path / "a").code == 0
    assert cli("report", file, "-o", tmp_path / "b", "-q").code == 0
    names = sorted(
        p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*") if p.is_file()
    )
    assert len(names) > 20
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def hostile_study(tmp_path):
    folder = tmp_path / "it's <b>&|"
    folder.mkdir()
    file = folder / "=1+1;`x`$y$.py"
    file.write_text(
        "from kernels.boats import view as see\n"
        "def first(view, legal, stream):\n"
        "    return see.first_move(legal)\n"
    )
    one = scenario(players=[f"{file}:first", "random"], title=HOSTILE, games=64)
    return study_of_result(play(one, LocalEngine(1)), DEFAULT_MARGIN), str(file)


def test_names_and_titles_are_text_everywhere(tmp_path):
    study, name = hostile_study(tmp_path)
    files = made(study, drawn=False)
    text = files["report.html"].decode()
    assert "<img src=x" not in text
    assert html.escape(HOSTILE.split("|")[0]) in text or "&lt;img src=x" in text
    assert "49" not in text[text.index("<h1>") : text.index("</h1>")]
    assert not [a for tag, a in parsed(files).tags if tag == "img"]
    markdown = files["report.md"].decode()
    assert "<img" not in markdown.replace("\\<img", "")
    assert "[d](e)" not in markdown
    assert "| *b*" not in markdown
    seats = files["tables/seats.csv"].decode()
    cells = [cell for line in seats.splitlines()[1:] for cell in line.split(",")]
    assert not [cell for cell in cells if re.match(r'"?[=@+]', cell)]
    assert name.replace('"', "") in text.replace("&#39;", "'").replace("&lt;", "<").replace(
        "&amp;", "&"
    ).replace("&gt;", ">")


def test_a_formula_as_a_name_is_quoted_in_the_csv():
    study = study_of_result(play(scenario(games=64), LocalEngine(1)), DEFAULT_MARGIN)
    study.seats["strategy"] = '=HYPERLINK("x")'
    cell = csv_of(made(study, drawn=False), "seats")["strategy"][0]
    assert cell == '\'=HYPERLINK("x")'


@pytest.mark.parametrize("games", [1, 2, 5])
@pytest.mark.parametrize("players", ["greedy*5", "random*2"])
def test_a_few_games_give_a_page(games, players):
    study = study_of_result(play(scenario(players=players, games=games), LocalEngine(1)), 0.01)
    files = made(study)
    assert b"Win rate and score by seat" in files["report.html"]
    text = files["report.md"].decode()
    assert f"· {games} game{'s' if games > 1 else ''}\n" in text
    assert "**Is it tense? Not sure yet.**" in text


@pytest.mark.parametrize("game", registry.names())
def test_every_game_and_number_of_players_gives_a_page(game):
    spec = registry.load(game)
    for seats in range(spec.players[0], spec.players[1] + 1):
        result = play(scenario(game, players="random", seats=seats, games=64), LocalEngine(1))
        study = study_of_result(result, DEFAULT_MARGIN)
        files = made(study, drawn=seats == spec.players[0])
        assert study.fact_table.value(0, "players") == seats
        assert study.group_tables
        for place, text in parsed(files).cells:
            assert text, place


def unfinished(tmp_path, blocks):
    from analyzer.errors import Interrupted

    class Stopping:
        def play(self, job, wanted, sink):
            LocalEngine(1).play(job, list(wanted)[:blocks], sink)
            raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        runs.start(tmp_path / "run", scenario(), Stopping())
    return tmp_path / "run"


def test_an_unfinished_run_says_so_at_the_top_and_reports_what_it_has(tmp_path):
    study = study_of_run(unfinished(tmp_path, 16), DEFAULT_MARGIN)
    text = made(study, drawn=False)["report.md"].decode()
    assert "not finished: 128 of 640 games" in text.split("##")[0]
    whole = study_of_result(play(scenario(games=128), LocalEngine(1)), DEFAULT_MARGIN)
    assert study.seats["win_rate"].tolist() == pytest.approx(whole.seats["win_rate"].tolist())


def test_a_run_without_a_block_is_a_page_that_says_so(tmp_path, cli):
    folder = unfinished(tmp_path, 0)
    outcome = cli("report", folder, "-o", tmp_path / "out")
    assert outcome.code == 0
    text = (tmp_path / "out" / "report.md").read_text()
    assert "nothing to report" in text
    assert "Is every seat" not in text


def test_missing_numbers_are_dashes():
    assert written(None, "share") == UNKNOWN
    assert written(float("nan"), "number") == UNKNOWN
    assert written(-0.0123, "points") == "−1.23 pp"
    assert written(0.0004, "p") == "below 0.001"


def test_errors_of_the_command(cli, tmp_path):
    assert "Unknown game" in cli("report", "chess", "-o", tmp_path / "x").err
    assert cli("report", "aa").code == 2
    assert "margin (--margin) must be" in cli("report", "aa", "-o", tmp_path, "--margin", "60%").err
    assert cli("simulate", "aa", "-n", 64, "-o", tmp_path / "run", "-q").code == 0
    outcome = cli("report", tmp_path / "run", "-o", tmp_path / "y", "--rule", "a=b", "--quick")
    assert outcome.code == 2
    assert "--rule, --quick cannot be used with a run folder" in outcome.err
    refused = cli("report", tmp_path / "run", "-o", "/dev/null/x")
    assert "Cannot write to /dev/null/x: Not a directory. Choose another folder" in refused.err
    assert refused.code == 2
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["state"] == "complete"
    (tmp_path / "file").touch()
    for target in (tmp_path / "run", "aa"):
        outcome = cli("report", target, "-o", tmp_path / "file", "-q")
        assert outcome.code == 2
        assert "Choose another folder with -o" in outcome.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), " The runs that were finished are safe in {}. Go on with: the same command"),
        (("--quick",), ""),
    ],
)
def test_a_suite_that_is_stopped_says_what_is_safe(cli, tmp_path, monkeypatch, words, said):
    def stopped(self, job, blocks, sink):
        raise KeyboardInterrupt

    monkeypatch.setattr(LocalEngine, "play", stopped)
    outcome = cli("report", "aa", "-o", tmp_path / "x", "-q", *words)
    assert outcome.code == 130
    assert outcome.err == f"Interrupted.{said.format(tmp_path / 'x' / 'runs')}\n"


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium here")
@pytest.mark.parametrize("width", [1280, 400])
def test_a_browser_shows_the_page_without_error_and_nothing_overflows(suite_files, tmp_path, width):
    (tmp_path / "report.html").write_bytes(suite_files["report.html"])
    seen = look(tmp_path / "report.html", width, tmp_path)
    assert seen.console == []
    assert seen.measured["requests"] == []
    assert seen.measured["width"] == width
    assert seen.measured["scroll"] <= seen.measured["client"]
    assert seen.measured["outside"] == []
    assert seen.measured["figures"] >= 8
    assert seen.measured["smallest"] >= 8.5  # CSS pixels


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium here")
def test_a_browser_shows_hostile_names_as_text(tmp_path):
    study, _ = hostile_study(tmp_path)
    (tmp_path / "report.html").write_bytes(made(study)["report.html"])
    seen = look(tmp_path / "report.html", 400, tmp_path)
    assert seen.console == []
    assert seen.measured["requests"] == []
    assert seen.measured["outside"] == []


def test_who_is_left_out_says_why_and_slow_strategies_play_in_the_ladder_alone():
    suite = Suite(scenario("planke", players="random"), Kept(LocalEngine(1), None), quick=True)
    assert "lookahead" in suite.strategies
    assert list(suite.left_out) == ["endgame"]
    assert "solved beforehand" in suite.left_out["endgame"]
    suite.ranking = ["lookahead", "greedy", "random"]
    assert suite.strongest == "greedy"
