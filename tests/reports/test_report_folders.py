"""Where `analyzer report` writes, and which folders are runs to be reported."""

from __future__ import annotations

import shlex
from pathlib import Path


def test_an_experiment_is_no_run_and_the_command_that_shows_it_is_named(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    few = ("--seats", "2", "-n", "64")
    made = {
        "tournament": ("tournament", "aa", "--strategies", "random,light", *few),
        "comparison": ("compare", "aa", "random", "light", *few),
        "sweep": ("sweep", "aa", "--vary", "lion_love=*", *few),
    }
    for name, words in made.items():
        assert cli(*words, "-q", "-o", name).code == 0
        for target in (name, f"./{name}", tmp_path / name):
            done = cli("report", target, "-o", "out")
            again = f"analyzer {words[0]} --resume {Path(target)}"
            assert (
                f"{Path(target)} holds a {name} and no run. It is shown, or gone on with "
                f"where it was stopped, by: {again}\n" in done.err
            )
            assert (done.code, done.out) == (2, "")
        assert cli(*shlex.split(again)[1:], "-q").code == 0
        assert f"holds a {name} and no run" in cli("simulate", "--resume", name).err
    (tmp_path / "empty").mkdir()
    assert "empty is not a run folder: it has no manifest" in cli("report", "empty", "-o", "x").err
    (tmp_path / "aa").mkdir()  # a game's name means the game
    assert "seats must be 2 to 5, not 9" in cli("report", "aa", "--seats", "9", "-o", "x").err
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "x").exists()


def test_a_report_is_written_again_but_into_no_other_folder(cli, tmp_path):
    def contents():
        files = (path for path in tmp_path.rglob("*") if path.is_file())
        return {path: path.read_bytes() for path in files}

    few = ("--seats", "2", "-n", "64", "-q")
    run, file = tmp_path / "run", tmp_path / "one.toml"
    file.write_text('game = "aa"\nplayers = "greedy*2"\ngames = 64\n')
    assert cli("simulate", file, "-q", "-o", run).code == 0
    assert (
        cli("tournament", "aa", "--strategies", "random,light", *few, "-o", tmp_path / "t").code
        == 0
    )
    assert cli("sweep", "aa", "--vary", "lion_love=*", *few, "-o", tmp_path / "s").code == 0
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "thesis.txt").write_text("mine")
    before = contents()
    for folder, held in (
        ("run", "blocks.parquet"),
        ("t", "lineups"),
        ("s", "result.json"),
        ("strange", "thesis.txt"),
    ):
        for target in (run, file, "aa"):
            done = cli("report", target, "-o", tmp_path / folder)
            assert (done.code, done.out) == (2, "")
            assert f"{folder} is not empty and not a report (it holds {held!r})" in done.err
    assert contents() == before
    # A run's report may lie beside its files, and is written again, whatever lies beside its own.
    for target, out in ((run, run / "report"), (file, tmp_path / "of-file")):
        assert cli("report", target, "-o", out, "-q").code == 0
        page = (out / "report.html").read_bytes()
        (out / "report.html").write_text("old")
        (out / "remarks.txt").write_text("mine")
        assert cli("report", target, "-o", out, "-q").code == 0
        assert (out / "report.html").read_bytes() == page
    assert cli("simulate", "--resume", run, "-q").code == 0
