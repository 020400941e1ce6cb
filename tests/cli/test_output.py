"""What a terminal shows, however narrow it is."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest
from rich.console import Console

from analyzer import cache, registry
from analyzer.__main__ import run
from analyzer.cli import app
from analyzer.cli.output import fit_columns
from analyzer.games import einfach_tierisch
from reports.text import table

LONG = "boats that sank, by weight or by a fight, of all boats"


@pytest.mark.parametrize("columns", [20, 44, 60, 80, 200])
def test_no_number_and_no_word_is_cut(columns):
    made = table("What happens", "metric", "value", "95 % interval", "meaning", left=(0, 3))
    made.add_row("replacements_per_game", "44.44 %", "43.90 to 44.98 %", LONG)
    console = Console(width=columns, file=io.StringIO(), highlight=False)
    fit_columns(made, console)
    console.print(made)
    lines = console.file.getvalue().splitlines()
    assert any("replacements_per_game" in line and "43.90 to 44.98 %" in line for line in lines)
    words = " ".join(lines).split()
    assert all(word in words for word in LONG.split())
    assert "…" not in console.file.getvalue()
    if columns >= 80:
        assert max(map(len, lines)) <= columns


def shell(line, **environment):
    """Run a line of bash in which ``analyzer`` is this one."""
    line = f'set -o pipefail; analyzer() {{ "{sys.executable}" -m analyzer "$@"; }}; {line}'
    return subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize(
    ("command", "code"),
    [("games all-aboard", 0), ("--help", 0), ("games --help", 0), ("check no.json --json", 4)],
)
def test_the_exit_code_is_the_command_s_own_where_nobody_reads_on(command, code):
    done = shell(f"analyzer {command} | true")
    assert (done.returncode, done.stderr) == (code, "")


def test_a_batch_without_end_ends_with_its_reader():
    done = shell("yes '{}' | (analyzer resolve aa --batch; echo $? >&2) | head -1")
    assert done.stdout.startswith('{"error"')
    assert done.stderr == "2\n"


@pytest.mark.parametrize(
    ("command", "closed", "code"),
    [
        ("games", ">&-", 0),
        ("games", "2>&-", 0),
        ("check no.json", ">&-", 4),
        ("check no.json", "<&- >&- 2>&-", 4),
        ("games no", "2>&-", 2),
        ("games no", "2>/dev/full", 2),
        ("games --no", "2>/dev/full", 2),
    ],
)
def test_a_closed_or_full_stream_changes_no_exit_code(command, closed, code):
    done = shell(f"analyzer {command} {closed}")
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    if "2>" in closed:
        assert "Error" not in done.stdout


@pytest.mark.parametrize("command", ["games --json", "--help", "check no.json"])
def test_a_result_that_cannot_be_written_is_said(command):
    done = shell(f"analyzer {command} >/dev/full")
    assert done.returncode == 2
    assert done.stderr == "Error: Cannot write the result: No space left on device.\n"


def test_no_position_where_stdin_is_closed():
    done = shell("analyzer resolve aa <&-")
    assert done.returncode == 2
    assert done.stderr == "Error: stdin is empty; a position in JSON is needed.\n"


def test_what_a_strategy_s_file_prints_is_no_part_of_the_result(cli, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from kernels.boats.view import first_move\n\nprint('hello')\n\n\n"
        "def first(view, legal, stream):\n    return first_move(legal)\n"
    )
    done = cli("simulate", "aa", "-n", "10", "--players", f"{file}:first,random", "--json")
    assert json.loads(done.out)["game"] == "all-aboard"
    assert "hello" in done.err


@pytest.mark.parametrize("command", [("simulate", "-n", "4"), ("replay", "--game", "0")])
def test_what_a_strategy_prints_is_no_part_of_the_result(command, cli, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from kernels.boats.view import first_move\n\n\n"
        "def first(view, legal, stream):\n    print('mine')\n    return first_move(legal)\n"
    )
    name, *rest = command
    done = cli(name, "aa", *rest, "--players", f"{file}:first,random", "--json")
    assert json.loads(done.out)["game"] == "all-aboard"
    assert done.err.count("mine") >= 3


@pytest.mark.parametrize(("flags", "told"), [((), True), (("-q",), False)])
def test_a_first_run_says_that_it_compiles(monkeypatch, cli, flags, told):
    asked = []
    monkeypatch.setattr(cache, "_is_kept", lambda name: asked.append(name))
    monkeypatch.delitem(sys.modules, "kernels.dice.play", raising=False)
    einfach_tierisch.kernel.cache_clear()
    done = cli("simulate", "tierisch", "-n", "4", *flags)
    assert done.code == 0
    assert asked == ["kernels.dice.play"]
    assert ("Compiling" in done.err) is told


def test_compiled_kernels_are_known_by_their_files():
    for name in registry.names():
        play = registry.load(name).kernel().play_block
        assert cache._is_kept(play.py_func.__module__)
    assert not cache._is_kept("kernels.dice.nothing")


def test_an_interrupted_command_says_so(cli, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(registry, "canonical", interrupt)
    done = cli("simulate", "aa", "-n", "10")
    assert (done.code, done.out, done.err) == (130, "", "Interrupted.\n")
    monkeypatch.setattr(app, "main", interrupt)
    with pytest.raises(SystemExit) as left:
        run()
    assert left.value.code == 130
