"""A suite of one game, played once for all tests of reports."""

from __future__ import annotations

import pytest

from analyzer.engines.local import LocalEngine
from analyzer.report import DEFAULT_MARGIN, study_of_suite
from analyzer.suite import Kept, Suite
from tests.reports.pages import made, scenario


@pytest.fixture(scope="session")
def suite():
    base = scenario(players="random", seats=3)
    return Suite(base, Kept(LocalEngine(2), None), quick=True)


@pytest.fixture(scope="session")
def suite_files(suite):
    return made(study_of_suite(suite, DEFAULT_MARGIN))
