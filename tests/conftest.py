"""What all tests share: the kernels' cache, chosen before anything imports numba."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from analyzer.cache import prepare

prepare()
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@dataclass(frozen=True)
class Finished:
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., Finished]:
    """Return a function that runs the command line in this process."""
    from analyzer.cli.app import main

    def run(*arguments: object) -> Finished:
        capsys.readouterr()
        code = main([str(one) for one in arguments])
        out, err = capsys.readouterr()
        return Finished(code, out, err)

    return run
