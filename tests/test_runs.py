"""Runs: the same bytes on any thread, in any order, after any interruption."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from analyzer import runs, simulate
from analyzer.engines import local
from analyzer.engines.job import CACHE_LINE, aligned_cells
from analyzer.engines.local import LocalEngine
from analyzer.errors import InternalError, Interrupted, UsageError
from analyzer.run_files import sole_writer
from analyzer.scenario import Settings, build

ROOT = Path(__file__).parents[1]
FILES = ("manifest.json", "blocks.parquet", "games.parquet", "result.json")


def scenario(**values):
    defaults = {"players": "greedy,random*3", "games": 3000, "seed": 11}
    return build(Settings({"game": "all-aboard"}), Settings({**defaults, **values}))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return a run that nothing interrupted."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    result = runs.start(folder, scenario(), LocalEngine(2), rows=True)
    return folder, result


def test_threads_and_block_order_change_nothing(whole):
    reference = whole[1]
    backwards = range(reference.plan.blocks - 1, -1, -1)
    for result in (
        simulate.play(scenario(), LocalEngine(1)),
        simulate.play(scenario(), LocalEngine(3)),
        simulate.play(scenario(), LocalEngine(2), blocks=backwards),
    ):
        assert result.digest == reference.digest
        assert np.array_equal(result.sums, reference.sums)


@pytest.mark.parametrize(
    ("games", "threads", "tasks"), [(128, 1, 2), (128, 2, 4), (3000, 2, 12), (64 * 256, 2, 64)]
)
def test_small_blocks_are_played_several_at_a_time(monkeypatch, games, threads, tasks):
    submitted = []

    class Pool(local.ThreadPoolExecutor):
        def submit(self, play, bunch):
            submitted.append(bunch)
            return super().submit(play, bunch)

    monkeypatch.setattr(local, "ThreadPoolExecutor", Pool)
    result = simulate.play(scenario(games=games), LocalEngine(threads))
    assert len(submitted) == tasks
    assert [one for bunch in submitted for one in bunch] == list(range(result.plan.blocks))


def test_the_block_size_changes_no_game(whole):
    _, result = whole
    fewer = simulate.play(scenario(games=1500), LocalEngine(2))
    rows = pq.read_table(whole[0] / "games.parquet", columns=["digest"]).column(0).to_numpy()
    digests = rows[:1500].astype(np.uint64).sum(dtype=np.uint64)
    assert fewer.digest == f"{int(digests):016x}"
    assert fewer.plan.size != result.plan.size


def test_each_game_of_a_run_differs(whole):
    rows = pq.read_table(whole[0] / "games.parquet")
    assert rows.column("game").to_pylist() == list(range(3000))
    assert len(set(rows.column("digest").to_pylist())) == 3000


def test_rows_and_sums_agree(whole):
    folder, result = whole
    rows = pq.read_table(folder / "games.parquet")
    document = result.document()
    for seat in range(4):
        scores = rows.column(f"score_{seat}").to_numpy()
        assert document["seats"][seat]["mean_score"] == pytest.approx(scores.mean())
        credit = rows.column(f"credit_{seat}").to_numpy()
        assert document["seats"][seat]["win_rate"] == pytest.approx(credit.mean() / 60)


def test_a_finished_folder_holds_what_is_promised(whole):
    folder, result = whole
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["state"] == "complete"
    assert manifest["digest"] == result.digest
    assert manifest["machine"]["numba"]
    assert "--players 'greedy,random*3'" in manifest["again"]
    blocks = pq.read_table(folder / "blocks.parquet")
    assert blocks.column("games").to_pylist()[-1] + blocks.column("first").to_pylist()[-1] == 3000
    loaded = runs.RunFolder(folder).load()
    assert loaded.document() == result.document()


class StoppingEngine:
    """Plays some blocks in a scattered order, then is interrupted."""

    def __init__(self, blocks: int) -> None:
        self.blocks = blocks

    def play(self, job, blocks, sink):
        scattered = sorted(blocks, key=lambda index: index * 37 % 101)[: self.blocks]
        LocalEngine(2).play(job, scattered, sink)
        raise KeyboardInterrupt


def test_a_run_that_was_stopped_again_and_again_ends_with_the_same_bytes(whole, tmp_path):
    folder = tmp_path / "stopped"
    for blocks in (0, 1, 30, 17):
        with pytest.raises(Interrupted, match=r"are safe in .* --resume"):
            runs.start(folder, scenario(), StoppingEngine(blocks), rows=True)
    notes = []
    runs.resume(folder, LocalEngine(2), note=notes.append)
    assert notes[0].startswith("48 blocks (")
    assert contents(folder) == contents(whole[0])


def test_a_folder_with_another_run_is_refused_and_left_alone(whole, tmp_path):
    folder, _ = whole
    before = contents(folder)
    others = [
        (scenario(seed=12), True, r"its seed differs \(11 there, 12 now\)"),
        (scenario(games=2000), True, "its number of games differs"),
        (scenario(players="random"), True, "its players differs"),
        (scenario(rulings={"effects": "off"}), True, r"its rulings differs in effects \(on"),
        (scenario(), False, "its choice of --rows differs"),
    ]
    for other, rows, message in others:
        with pytest.raises(UsageError, match=message):
            runs.start(folder, other, LocalEngine(1), rows=rows)
    assert contents(folder) == before
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    (stranger / "thesis.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"not a run folder \(it holds 'thesis.txt'\)"):
        runs.start(stranger, scenario(), LocalEngine(1))
    assert contents(stranger) == {"thesis.txt": b"mine"}


def test_a_run_of_other_kernels_is_not_continued(tmp_path):
    folder = tmp_path / "old"
    with pytest.raises(Interrupted):
        runs.start(folder, scenario(), StoppingEngine(5))
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["kernels"] = "0" * 16
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(UsageError, match="its source code of the kernels differs"):
        runs.resume(folder, LocalEngine(1))


def test_a_finished_run_is_not_played_again(whole):
    class NoEngine:
        def play(self, job, blocks, sink):
            raise AssertionError("nothing is left to play")

    before = contents(whole[0])
    again = runs.start(whole[0], scenario(), NoEngine(), rows=True)
    assert again.document() == whole[1].document()
    assert contents(whole[0]) == before


def test_an_engine_that_loses_a_block_gets_no_result():
    class Forgetful:
        def play(self, job, blocks, sink):
            LocalEngine(1).play(job, list(blocks)[:-1], sink)

    with pytest.raises(InternalError, match="Not played: 1 of 94 blocks"):
        simulate.play(scenario(), Forgetful())


def test_a_second_process_is_kept_out(whole, tmp_path):
    folder = tmp_path / "busy"
    with pytest.raises(Interrupted):
        runs.start(folder, scenario(), StoppingEngine(3))
    with (
        sole_writer(folder),
        pytest.raises(UsageError, match="Another analyzer is writing"),
    ):
        runs.resume(folder, LocalEngine(1))


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "analyzer", *map(str, arguments)]


def wait_for_parts(folder: Path, process: subprocess.Popen, parts: int) -> None:
    deadline = time.monotonic() + 120
    while len(list(folder.glob("parts/*-blocks.parquet"))) < parts:
        assert process.poll() is None, "the run ended before it could be stopped"
        assert time.monotonic() < deadline
        time.sleep(0.005)


#: Long enough to be still playing when somebody looks, on a machine that is busy with other things.
LONG = ("simulate", "all-aboard", "--players", "greedy", "-n", "200k", "--seed", 5)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_process_loses_nothing_that_was_finished(how, tmp_path):
    folder = tmp_path / "run"
    process = subprocess.Popen(
        command(*LONG, "-o", folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Tests that run in the background of a script were told to ignore it, and so would this.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    wait_for_parts(folder, process, 3)
    process.send_signal(how)
    out, err = process.communicate(timeout=120)
    assert out == ""
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert "are safe in" in err
        assert "Traceback" not in err
    resumed = subprocess.run(
        command("simulate", "--resume", folder, "--json"), capture_output=True, check=True
    )
    assert b"were there already" in resumed.stderr
    reference = tmp_path / "reference"
    fresh = subprocess.run(
        command(*LONG, "-o", reference, "--json", "-j", 1), capture_output=True, check=True
    )
    assert resumed.stdout == fresh.stdout
    assert contents(folder) == contents(reference)


def test_a_full_disk_says_so_and_loses_nothing(whole, tmp_path):
    """A limit on file sizes stands for the full disk: the last, largest file does not fit."""
    folder = tmp_path / "full"
    words = command(
        *("simulate", "all-aboard", "--players", "greedy,random*3", "-n", 3000, "--seed", 11),
        *("--rows", "-o", folder),
    )
    limit = (whole[0] / "games.parquet").stat().st_size * 2 // 3
    script = (
        "import resource, runpy, sys; "
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit})); "
        f"sys.argv = {words[2:]!r}; runpy.run_module('analyzer', run_name='__main__')"
    )
    subprocess.run(
        command(*LONG[:2], "-n", 1, "--players", "greedy,random*3"), check=True, capture_output=True
    )  # the kernels are compiled before the limit holds
    failed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert failed.returncode == 2
    assert "Cannot write to" in failed.stderr
    assert "File too large" in failed.stderr
    assert f"--resume {folder}" in failed.stderr
    assert "Traceback" not in failed.stderr
    subprocess.run(command("simulate", "--resume", folder), check=True, capture_output=True)
    assert contents(folder) == contents(whole[0])


@pytest.mark.parametrize("moment", ["manifest.json", "blocks.parquet"])
def test_a_disk_that_fills_up_at_any_moment_loses_nothing(whole, tmp_path, monkeypatch, moment):
    folder = tmp_path / "full"
    replace = os.replace

    def full(source, target):
        if Path(target).name.endswith(moment):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(UsageError, match="No space left on device"):
        runs.start(folder, scenario(), LocalEngine(2), rows=True)
    monkeypatch.undo()
    runs.start(folder, scenario(), LocalEngine(2), rows=True)
    assert contents(folder) == contents(whole[0])


def test_a_generic_processor_plays_the_same_games(whole):
    environment = {**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    words = command("simulate", "all-aboard", "--players", "greedy,random*3", "-n", 3000)
    done = subprocess.run(
        [*words, "--seed", "11", "--json"], env=environment, capture_output=True, check=True
    )
    assert json.loads(done.stdout) == json.loads(json.dumps(whole[1].document()))


@pytest.mark.parametrize("count", [1, 8, 4097, 1 << 20])
def test_scratch_begins_on_a_cache_line(count):
    cells = aligned_cells(count)
    assert cells.shape == (count,)
    assert cells.dtype == np.int64
    assert cells.ctypes.data % (CACHE_LINE * cells.itemsize) == 0
