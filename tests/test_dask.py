"""The Dask engine: the same bytes as here, and clear words when there is no cluster."""

from __future__ import annotations

import builtins
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from analyzer import simulate
from analyzer.cache import kernel_module
from analyzer.engines import dask
from analyzer.engines.local import LocalEngine
from analyzer.errors import UsageError
from analyzer.scenario import Settings, build


def scenario():
    flags = Settings({"players": "light,random*2", "games": 640, "seed": 3})
    return build(Settings({"game": "aa"}), flags)


def test_a_cluster_gives_the_same_bytes():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as cluster:
        there = simulate.play(scenario(), dask.DaskEngine(cluster.scheduler_address))
    here = simulate.play(scenario(), LocalEngine(1))
    assert there.digest == here.digest
    assert np.array_equal(there.sums, here.sums)


def test_no_scheduler_answers(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(dask, "CONNECT_SECONDS", 1)
    with pytest.raises(UsageError, match="No Dask scheduler answers at"):
        simulate.play(scenario(), dask.DaskEngine("tcp://127.0.0.1:9"))


def test_distributed_is_not_installed(monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name == "distributed":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UsageError, match=r"pip install 'tabletop-analyzer\[dask\]'"):
        simulate.play(scenario(), dask.DaskEngine("tcp://127.0.0.1:9"))


def test_a_kernel_that_another_thread_imports_is_waited_for(tmp_path, monkeypatch):
    (tmp_path / "slow_kernel.py").write_text("import time\ntime.sleep(0.5)\nREADY = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    with ThreadPoolExecutor(4) as pool:
        ready = pool.map(lambda name: kernel_module(name).READY, ["slow_kernel"] * 4)
        assert list(ready) == [True] * 4
    sys.modules.pop("slow_kernel")
