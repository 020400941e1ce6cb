"""Tables in the cache folder: kept once, found again, and nothing of anybody else's is touched."""

from __future__ import annotations

import os

import numpy as np
import pytest

from analyzer import cache


def keep(monkeypatch, folder, key=b"key"):
    monkeypatch.setattr(cache, "prepare", lambda: folder)
    return cache.kept_table("squares", "dice", key, lambda: np.arange(3) ** 2)


def test_a_table_is_made_once(monkeypatch, tmp_path):
    keep(monkeypatch, tmp_path / "kernels-1")
    (file,) = (tmp_path / "tables").iterdir()
    np.save(file, np.arange(5))
    assert keep(monkeypatch, tmp_path / "kernels-2").tolist() == [0, 1, 2, 3, 4]


def test_only_old_tables_are_removed(monkeypatch, tmp_path):
    folder = tmp_path / "tables"
    folder.mkdir()
    names = ("notes.npy", "data.csv", f"squares-{'0' * 16}.npy", f"squares-{'0' * 16}.npy.part")
    for name in names:
        (folder / name).write_bytes(b"")
        os.utime(folder / name, (0, 0))
    keep(monkeypatch, tmp_path / "kernels-1")
    left = {path.name for path in folder.iterdir()}
    assert left >= {"notes.npy", "data.csv"}
    assert left.isdisjoint(names[2:])
    assert len(left) == 3


@pytest.mark.parametrize("name", ["kernels-1", "tabletop-analyzer-xyz"])
def test_beside_a_temporary_folder_nothing_is_written(monkeypatch, tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    keep(monkeypatch, folder)
    inside = folder if name.startswith("tabletop") else tmp_path
    assert len(list((inside / "tables").iterdir())) == 1
    assert (tmp_path / "tables").exists() == (inside == tmp_path)
