"""`analyzer check`: what passes, what fails, and with which exit code."""

from __future__ import annotations

import json
import math
import os
import shutil
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from analyzer import baseline as baselines
from analyzer import check as checking
from analyzer import registry
from analyzer.engines.local import LocalEngine
from tests.faults import ALL_ABOARD, ROOT, copy_with, run_in

FULL = os.environ.get("ANALYZER_FULL") == "1"
SCENARIO = """
game = "aa"
players = "greedy,random*2"
games = 2048
seed = 5

[check]
alpha = "5%"
beta = "20%"
extensions = 1

[check.delta]
win_rate = "10%"
mean_score = "10%"
capsize_rate = "5%"
fox_jumps_per_game = "20%"
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("baselines")
    (folder / "small.toml").write_text(SCENARIO)
    one = baselines.record(folder / "small.toml", LocalEngine(2))
    baselines.write(folder / "small.json", one)
    return folder / "small.json"


def checked(cli, *words):
    done = cli("check", *words, "--json", "-q")
    return done.code, json.loads(done.out)


def changed(recorded, tmp_path, change):
    """Return a copy of the baseline after a change of its document."""
    document = json.loads(recorded.read_text())
    change(document)
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(document))
    return path


def test_the_same_games_are_identical(cli, recorded):
    for threads in (1, 2, 3):
        code, document = checked(cli, recorded, "-j", threads)
        assert code == 0
        assert document["verdict"] == "IDENTICAL"
        assert document["baselines"][0]["metrics"] == []


def test_recording_again_gives_the_same_bytes(cli, recorded, tmp_path):
    scenario = recorded.with_suffix(".toml")
    done = cli("check", "record", scenario, "-o", tmp_path, "-j", 1)
    assert done.code == 0
    assert (tmp_path / "small.json").read_bytes() == recorded.read_bytes()
    assert "Recorded:" in done.out


def test_a_baseline_can_be_reviewed(recorded):
    text = recorded.read_text()
    document = json.loads(text)
    assert list(document) == sorted(document)
    assert document["deltas"]["capsize_rate"] == 0.05
    assert document["metrics"]["capsize_rate"]["n"] == 4096 * 4 * 3
    assert all(
        document["smallest_shifts_seen"][name] <= delta
        for name, delta in document["deltas"].items()
    )
    assert max(len(line) for line in text.splitlines() if "base64" not in line) < 2000


def test_the_sums_survive_the_file(recorded):
    one = baselines.load(recorded)
    again = baselines.play_blocks(one, LocalEngine(2), range(one.plan.blocks))
    assert np.array_equal(one.sums, again)
    marks = baselines.play_fingerprints(one, LocalEngine(2), range(baselines.BLOCKS))
    assert np.array_equal(one.fingerprints, marks)


def with_other_seed(tmp_path, cli):
    """Return a baseline whose sums come from another seed: the same rules, other deals."""
    (tmp_path / "other.toml").write_text(SCENARIO.replace("seed = 5", "seed = 77"))
    cli("check", "record", tmp_path / "other.toml", "-o", tmp_path)
    document = json.loads((tmp_path / "other.json").read_text())
    document["scenario"]["seed"] = 5
    path = tmp_path / "other.json"
    path.write_text(json.dumps(document))
    return path


def test_other_deals_of_the_same_rules_do_not_shift(cli, tmp_path):
    code, document = checked(cli, with_other_seed(tmp_path, cli))
    (one,) = document["baselines"]
    assert one["verdict"] in ("WITHIN_MARGIN", "INCONCLUSIVE")
    assert code == (0 if one["verdict"] == "WITHIN_MARGIN" else 3)
    assert one["first_difference"]["game"] == 0


def test_other_rules_shift_and_are_named(cli, tmp_path):
    """What was recorded without the animals' effects is not what is played with them."""
    scenario = SCENARIO.split("[check]")[0] + '[rulings]\neffects = "off"\n[check.delta]\n'
    (tmp_path / "off.toml").write_text(scenario + 'win_rate = "10%"\ncapsize_rate = "5%"\n')
    cli("check", "record", tmp_path / "off.toml", "-o", tmp_path)
    path = tmp_path / "off.json"
    document = json.loads(path.read_text())
    document["scenario"]["rulings"]["effects"] = "on"
    path.write_text(json.dumps(document))
    done = cli("check", path, "--junit", tmp_path / "junit.xml")
    assert done.code == 1
    assert "SHIFT" in done.out
    assert "Shifted:" in done.out
    assert "capsize_rate" in done.out
    assert "first game that differs: 0" in done.out
    assert "now       analyzer replay all-aboard" in done.out
    suites = ElementTree.parse(tmp_path / "junit.xml").getroot()
    failed = {
        case.get("name") for case in suites.iter("testcase") if case.find("failure") is not None
    }
    assert "capsize_rate" in failed


def test_the_summary_of_a_job_is_appended(cli, recorded, tmp_path, monkeypatch):
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert cli("check", recorded).code == 0
    text = summary.read_text()
    assert text.startswith("before\n## analyzer check: IDENTICAL")
    assert str(recorded) in text


def test_the_first_game_that_differs_is_found_behind_others(recorded):
    one = baselines.load(recorded)
    now = one.sums[: baselines.BLOCKS].copy()
    now[9, 0] += 1
    marks = one.fingerprints.copy()
    marks[9 * 64 + 17] ^= 1
    faked = baselines.Baseline(
        one.scenario, one.gate, one.deltas, one.plan, one.sums, marks, one.document
    )
    found = checking.first_difference(faked, now, LocalEngine(1), "abc1234")
    assert found["game"] == 9 * 64 + 17
    assert f"--game {9 * 64 + 17}" in found["replay_now"]
    assert found["recorded_at"] == "git worktree add ../recorded abc1234"


def test_games_that_are_only_counted_differently_are_told(recorded):
    one = baselines.load(recorded)
    now = one.sums[: baselines.BLOCKS].copy()
    (part,) = [part for part in one.scenario.spec.kernel().sum_fields if part.name == "fox_jumps"]
    now[3, part.first] += 1
    found = checking.first_difference(one, now, LocalEngine(1), None)
    assert found["game"] is None
    assert found["games"] == [3 * 64, 4 * 64 - 1]
    assert found["counted_differently"] == "fox_jumps"


def test_nondeterminism_is_exit_5(cli, recorded, monkeypatch):
    play = checking.play_blocks

    def flaky(baseline, engine, blocks, *rest):
        sums = play(baseline, engine, blocks, *rest)
        if engine.threads == 1:
            sums = sums.copy()
            sums[0, 5] += 1
        return sums

    monkeypatch.setattr(checking, "play_blocks", flaky)
    code, document = checked(cli, recorded, "-j", 2)
    assert code == 5
    assert document["verdict"] == "NONDETERMINISTIC"
    assert "on one thread and on several" in document["baselines"][0]["message"]


BROKEN = [
    (lambda d: d.update(rules_version="all-aboard/0"), "under the rules all-aboard/0; these are"),
    (lambda d: d.update(format="x"), "is not a baseline of this version"),
    (
        lambda d: d["metrics"].pop("capsize_rate"),
        "other metrics than the game now: added capsize_rate",
    ),
    (lambda d: d["metrics"].update(gone_rate=1), "removed gone_rate"),
    (lambda d: d["sums"]["layout"].update(more=[]), "other sums than the kernel now: removed more"),
    (lambda d: d["sums"]["layout"].pop("digest"), "added digest"),
    (lambda d: d["scenario"]["rulings"].pop("effects"), "with other rulings (effects added"),
    (lambda d: d["scenario"].update(game="chess"), "Unknown game 'chess'"),
    (lambda d: d["scenario"]["rulings"].update(effects="some"), "effects of all-aboard cannot be"),
    (lambda d: d["scenario"].update(players=["gone"] * 3), "Unknown strategy 'gone'"),
    (lambda d: d["scenario"].update(players=["gone.py:f"] * 3), "Cannot read gone.py"),
    (lambda d: d["scenario"].update(players=["random"] * 9), "takes 2 to 5 players, not 9"),
    (lambda d: d["scenario"].update(seed=-1), "seed must be 0 to"),
    (lambda d: d["check"].update(alpha=math.nan), "alpha must be between"),
    (lambda d: d["check"].update(extensions=10**6), "extensions must be 0 to"),
    (lambda d: d["blocks"].update(games_each=0), "is damaged (ValueError: blocks are not those"),
    (lambda d: d["deltas"].update(capsize_rate="5%"), "is damaged (TypeError"),
    (lambda d: d["deltas"].update(gone_rate=0.1), "is damaged (ValueError: deltas holds gone"),
    (lambda d: d.update(smallest_shifts_seen=3), "is damaged (AttributeError"),
    (lambda d: d.pop("smallest_shifts_seen"), "is damaged (KeyError"),
    (lambda d: d.pop("check"), "is damaged (KeyError"),
    (lambda d: d.update(fingerprints_zlib_base64="eA=="), "is damaged"),
]


@pytest.mark.parametrize(("change", "message"), BROKEN, ids=range(len(BROKEN)))
def test_an_incompatible_baseline_is_exit_4_and_says_what_to_do(
    cli, recorded, tmp_path, change, message
):
    done = cli("check", changed(recorded, tmp_path, change))
    assert done.code == 4
    assert message in done.out
    assert "analyzer check record SCENARIO.toml" in done.out
    assert "Traceback" not in done.err


def test_a_missing_baseline_is_exit_4(cli, tmp_path):
    assert cli("check", tmp_path / "none.json").code == 4
    (tmp_path / "text.json").write_text("{")
    assert cli("check", tmp_path / "text.json").code == 4
    (tmp_path / "deep.json").write_text("[" * 100_000)
    assert cli("check", tmp_path / "deep.json").code == 4
    empty = tmp_path / "empty"
    empty.mkdir()
    done = cli("check", empty)
    assert done.code == 4
    assert "holds no baseline. Record one with" in done.out
    junit = tmp_path / "check.xml"
    document = json.loads(cli("check", empty, "--json", "--junit", junit).out)
    assert (document["verdict"], document["count"]) == ("INCOMPATIBLE", 1)
    assert "holds no baseline" in junit.read_text()


def test_a_strategy_that_plays_no_more_spoils_its_own_baseline_only(cli, recorded, tmp_path):
    file = tmp_path / "mine.py"
    text = (
        "from kernels.boats.view import first_move\n\n\n"
        "def first(view, legal, stream):\n    return {}\n"
    )
    file.write_text(text.format("first_move(legal)"))
    scenario = tmp_path / "mine.toml"
    scenario.write_text(
        'game = "all-aboard"\nplayers = ["mine.py:first", "random"]\ngames = 2048\nseed = 4\n'
        '[check]\nextensions = 0\n[check.delta]\nwin_rate = "20%"\nmean_score = "50%"\n'
    )
    made = cli("check", "record", scenario, "-o", tmp_path / "base")
    assert made.code == 0, made.err
    file.write_text(text.format("-1"))
    done = cli("check", tmp_path / "base", recorded)
    assert done.code == 4
    assert "It cannot be played any more." in done.out
    assert "IDENTICAL" in done.out


def test_a_folder_that_cannot_be_written_is_said_before_anything_is_played(cli, tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "small.toml").write_text(SCENARIO)
    done = cli("check", "record", tmp_path / "small.toml", "-o", tmp_path / "file")
    assert done.code == 2
    assert f"Cannot write to {tmp_path / 'file'}" in done.err
    assert (tmp_path / "file").read_text() == ""


def test_the_gravest_verdict_counts():
    assert checking.gravest(["IDENTICAL", "INCONCLUSIVE", "WITHIN_MARGIN"]) == "INCONCLUSIVE"
    assert checking.gravest(["SHIFT", "INCOMPATIBLE"]) == "SHIFT"
    assert checking.gravest(["SHIFT", "NONDETERMINISTIC"]) == "NONDETERMINISTIC"
    assert checking.EXIT_CODES["INCOMPATIBLE"] == 4


BAD_SCENARIOS = [
    ('win_rate = "10%"', 'win_rate = "0.1%"', "cannot see their delta with a chance of 80%"),
    (
        'win_rate = "10%"',
        'win_rat = "10%"',
        "Unknown metric 'win_rat' in {file}, line 13, column 1",
    ),
    (
        'alpha = "5%"',
        'alpha = "70%"',
        "alpha must be between 0% and 50%, not '70%' in {file}, line 8",
    ),
    ('alpha = "5%"', 'alfa = "5%"', "Unknown key 'alfa' in {file}, line 8"),
    ("extensions = 1", "extensions = 99", "extensions must be 0 to 9, not 99 in {file}, line 10"),
    ("games = 2048", "games = 2000", "games must be a multiple of 32 and at least 256"),
    ('mean_score = "10%"', "mean_score = -1", "delta of mean_score.seat0 must be a number above 0"),
]


@pytest.mark.parametrize(("old", "new", "message"), BAD_SCENARIOS, ids=range(len(BAD_SCENARIOS)))
def test_a_gate_that_cannot_work_is_refused(cli, tmp_path, old, new, message):
    file = tmp_path / "bad.toml"
    assert old in SCENARIO
    file.write_text(SCENARIO.replace(old, new))
    done = cli("check", "record", file, "-o", tmp_path / "out")
    assert done.code == 2
    assert message.format(file=file) in done.err
    assert not (tmp_path / "out").exists()


def test_a_blind_gate_says_how_many_games_it_needs(cli, tmp_path):
    file = tmp_path / "blind.toml"
    file.write_text(SCENARIO.replace('capsize_rate = "5%"', 'capsize_rate = "0.4%"'))
    refused = cli("check", "record", file, "-o", tmp_path)
    assert "capsize_rate sees" in refused.err
    games = int(refused.err.partition("games = ")[2].split()[0].replace("_", ""))
    file.write_text(file.read_text().replace("games = 2048", f"games = {games * 11 // 320 * 32}"))
    assert cli("check", "record", file, "-o", tmp_path).code == 0


def test_without_a_table_the_headlines_are_gated(cli, tmp_path):
    file = tmp_path / "plain.toml"
    file.write_text(SCENARIO.split("[check]")[0])
    done = cli("check", "record", file, "-o", tmp_path)
    assert done.code == 2  # too few games for the default margins
    for words in ("cannot see their delta with a chance of 90%", "Write games = "):
        assert words in done.err


def test_a_report_that_cannot_be_written_is_refused_before_anything_is_played(
    cli, recorded, tmp_path, monkeypatch
):
    monkeypatch.setattr(checking, "check", lambda *_, **__: pytest.fail("played"))
    done = cli("check", recorded, "--junit", tmp_path / "none" / "junit.xml")
    assert done.code == 2
    assert done.err.startswith("Error: Cannot write ")
    assert cli("check", recorded, "--junit", tmp_path).code == 2


def test_two_scenarios_of_one_name_do_not_overwrite_each_other(cli, recorded, tmp_path):
    (tmp_path / "small.toml").write_text(SCENARIO)
    done = cli(
        "check", "record", recorded.with_suffix(".toml"), tmp_path / "small.toml", "-o", tmp_path
    )
    assert done.code == 2
    assert "would both be recorded as" in done.err
    assert not (tmp_path / "small.json").exists()


def test_flags_that_do_not_fit_are_refused(cli, recorded):
    assert "Name the scenarios to record" in cli("check", "record").err
    assert "-o is for check record" in cli("check", recorded, "-o", "x").err
    assert "are for checking" in cli("check", "record", "x.toml", "--json").err


# --- the committed baselines


def test_every_game_has_a_committed_baseline_and_its_scenario():
    games = set()
    for path in sorted((ROOT / "seeds/baselines").glob("*.json")):
        games.add(json.loads(path.read_text())["scenario"]["game"])
        assert (ROOT / "seeds/checks" / f"{path.stem}.toml").is_file()
    assert games == set(registry.names())


def test_a_fault_is_found_in_plain_python_where_nothing_is_compiled(cli, tmp_path):
    """A copy whose foxes do not jump, with the JIT off: its games are the same but for that."""
    scenario = (
        SCENARIO.split("[check]")[0].replace("2048", "256").replace("greedy,random", "random")
    )
    (tmp_path / "foxes.toml").write_text(
        scenario + '[check]\nextensions = 0\n[check.delta]\nfox_jumps_per_game = "60%"\n'
    )
    cli("check", "record", tmp_path / "foxes.toml", "-o", tmp_path)
    (fault,) = [fault for fault in ALL_ABOARD if "fox" in fault.name]
    folder = copy_with(fault, tmp_path / "copy")
    done = run_in(folder, "check", tmp_path / "foxes.json", NUMBA_DISABLE_JIT="1")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Shifted: fox_jumps_per_game." in done.stdout
    assert "first game that differs: " in done.stdout


@pytest.mark.skipif(not FULL, reason="compiles a copy of the kernels for every fault")
@pytest.mark.parametrize("fault", [None, *ALL_ABOARD], ids=lambda one: one.name if one else "none")
def test_an_injected_fault_is_exit_1_and_names_the_metric(tmp_path, fault):
    folder = copy_with(fault, tmp_path)
    shutil.copy(ROOT / "seeds/baselines/all-aboard.json", folder / "recorded.json")
    done = run_in(folder, "check", Path("recorded.json"))
    if fault is None:
        assert done.returncode == 0, done.stdout + done.stderr
        return
    assert done.returncode == 1, done.stdout + done.stderr
    shifted = done.stdout.partition("Shifted: ")[2].splitlines()[0]
    assert any(metric in shifted for metric in fault.metrics)
