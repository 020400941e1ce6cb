"""docs/cookbook.md does what it says: its files are strategies, its commands run."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from analyzer import registry

PAGE = (Path(__file__).parents[1] / "docs/cookbook.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"```python\n# (\w+\.py)\n(.*?)```", PAGE, flags=re.S))
COMMANDS = re.findall(r"^    (analyzer compare (?!GAME).*)$", PAGE, flags=re.M)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, source in FILES.items():
        (tmp_path / name).write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_page_run(cli, folder, command):
    done = cli(*shlex.split(command)[1:], "-n", 640, "--json")
    assert done.code == 0, done.err
    document = json.loads(done.out)
    assert document["win_rate_difference"]["value"] != 0.0


def test_there_is_a_strategy_for_every_game():
    games = {shlex.split(command)[2] for command in COMMANDS}
    assert games == set(registry.names())
    assert len(FILES) == len(games)


def test_the_collector_is_better_than_random(cli, folder):
    words = ("einfach-tierisch", "./collector.py:collector", "random", "--seats", 2, "-n", 2000)
    difference = json.loads(cli("compare", *words, "--json").out)["win_rate_difference"]
    assert difference["ci"][0] > 0.1


def test_keeping_a_lead_with_light_animals_is_no_good(cli, folder):
    words = ("all-aboard", "./keeper.py:keeper", "greedy", "--field", "random", "-n", 3000)
    difference = json.loads(cli("compare", *words, "--json").out)["win_rate_difference"]
    assert difference["ci"][1] < 0.0
