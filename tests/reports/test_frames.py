"""Frames: the same numbers as the Result JSON, from a folder, finished or not."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest

from analyzer import runs
from analyzer.engines.local import LocalEngine
from analyzer.errors import Interrupted
from analyzer.scenario import Settings, build
from reports import load
from reports.frames import csv_text, table_frame


def scenario(**values):
    defaults = {"players": "greedy,random*2", "games": 640, "seed": 7}
    return build(Settings({"game": "all-aboard"}), Settings({**defaults, **values}))


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("frames") / "run"
    return folder, runs.start(folder, scenario(), LocalEngine(1), rows=True)


def test_seats_and_metrics_are_those_of_the_result(finished):
    folder, result = finished
    run, document = load(folder), result.document()
    assert run.finished
    assert run.seats["win_rate"].tolist() == [seat["win_rate"] for seat in document["seats"]]
    assert run.seats["win_rate_low"].tolist() == [s["win_rate_ci"][0] for s in document["seats"]]
    assert run.seats["strategy"].tolist() == ["greedy", "random", "random"]
    bear = run.metrics.set_index("metric").loc["kept_rate.bear"]
    assert (bear["stem"], bear["of"], bear["share"]) == ("kept_rate", "bear", True)
    assert bear["value"] == document["metrics"]["kept_rate.bear"]["value"]
    assert len(run.metrics) == len(document["metrics"])


def test_blocks_games_and_tables_agree_with_each_other(finished):
    run = load(finished[0])
    assert run.blocks["games"].sum() == 640 == len(run.games)
    credit = run.games["credit_0"].sum()
    assert sum(cells[0] for cells in run.blocks["credit"]) == credit
    fates = run.tables["fates"].set_index("animal")
    assert (fates["played"] == 640 * 3).all()
    kept = fates[[f"kept_by_seat_{seat}" for seat in range(3)]].sum(axis=1)
    assert (kept == fates["kept"]).all()
    margins = run.tables["margins"]
    assert margins["games"].sum() == 640
    assert margins["points"].tolist() == list(range(len(margins)))


def test_an_unfinished_run_has_the_blocks_that_were_played(tmp_path):
    class Stopping:
        def play(self, job, blocks, sink):
            LocalEngine(1).play(job, list(blocks)[:16], sink)
            raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        runs.start(tmp_path / "half", scenario(), Stopping())
    run = load(tmp_path / "half")
    assert not run.finished
    assert run.blocks["games"].sum() == 128
    with pytest.raises(ValueError, match="Go on with: analyzer simulate --resume"):
        _ = run.seats


def test_a_run_without_any_block_has_none(finished, tmp_path):
    manifest = json.loads((finished[0] / "manifest.json").read_text())
    manifest["state"] = "running"
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    assert load(tmp_path).blocks.empty


def test_what_is_no_run_is_said_so(tmp_path):
    with pytest.raises(FileNotFoundError, match="is not a run folder"):
        load(tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(ValueError, match="is damaged"):
        load(tmp_path)


def test_rows_are_asked_for_when_there_are_none(tmp_path):
    runs.start(tmp_path / "run", scenario(games=3), LocalEngine(1))
    with pytest.raises(ValueError, match="--rows"):
        _ = load(tmp_path / "run").games


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", " =1", "\r=1"])
def test_no_text_of_a_csv_begins_like_a_formula(text):
    frame = pd.DataFrame({"name": [text], "value": [-1.5], text: [0]})
    lines = csv_text(frame)
    back = pd.read_csv(io.StringIO(lines))
    assert back["name"][0].startswith("'")
    assert back["value"][0] == -1.5
    assert back.columns[2].startswith("'")


def test_floats_of_a_csv_read_back_exactly():
    frame = pd.DataFrame({"x": [0.1, 1 / 3, 1e-17, -2.5e300, None]})
    back = pd.read_csv(io.StringIO(csv_text(frame)))
    pd.testing.assert_frame_equal(back, frame, check_exact=True)


def test_tables_of_every_form_become_frames():
    assert table_frame([{"a": 1, "b": [2, 3]}]).to_dict("list") == {
        "a": [1],
        "b_0": [2],
        "b_1": [3],
    }
    counted = table_frame({"points": "0..", "games": [4, 5]})
    assert counted.to_dict("list") == {"points": [0, 1], "games": [4, 5]}
    by_seat = table_frame({"points": "0..", "games_by_seat": [[1, 2], [3, 4]]})
    assert by_seat["games_by_seat_1"].tolist() == [3, 4]
    assert by_seat["points"].tolist() == [0, 1]
