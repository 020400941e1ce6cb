"""Imports go one way: kernels know nothing of the rest, reports nothing but their own."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = {"analyzer", "kernels", "reports", "tests"}
FAMILIES = {"boats", "plank", "dice"}
FILES = sorted(
    path.relative_to(ROOT)
    for package in ("analyzer", "kernels", "reports", "tests/oracle")
    for path in (ROOT / package).rglob("*.py")
)


def imported(path: Path) -> set[str]:
    """Return every module that a file imports, wherever the import stands."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return found


def roots(path: Path) -> set[str]:
    return {name.partition(".")[0] for name in imported(path)} - {"__future__"}


def files_of(package: str) -> list[Path]:
    return [path for path in FILES if path.as_posix().startswith(f"{package}/")]


@pytest.mark.parametrize("path", files_of("kernels"), ids=str)
def test_kernels_import_numpy_numba_and_the_standard_library_only(path):
    assert roots(path) - sys.stdlib_module_names <= {"numpy", "numba", "llvmlite", "kernels"}


@pytest.mark.parametrize("path", files_of("kernels"), ids=str)
def test_a_family_of_kernels_does_not_import_another(path):
    family = path.parts[1]
    if family in FAMILIES:
        others = {f"kernels.{other}" for other in FAMILIES - {family}}
        assert not {name for name in imported(path) if name.startswith(tuple(others))}


@pytest.mark.parametrize("path", files_of("reports"), ids=str)
def test_reports_import_none_of_ours_but_their_own(path):
    assert roots(path) & OURS <= {"reports"}


@pytest.mark.parametrize("path", files_of("analyzer"), ids=str)
def test_the_analyzer_does_not_import_tests(path):
    assert "tests" not in roots(path)


@pytest.mark.parametrize("path", files_of("tests/oracle"), ids=str)
def test_the_referees_import_the_standard_library_only(path):
    allowed = {"tests"} if not path.name.startswith("test_") else {"tests", "pytest", "hypothesis"}
    assert roots(path) - sys.stdlib_module_names <= allowed


@pytest.mark.parametrize("path", FILES, ids=str)
def test_no_file_has_more_than_500_lines(path):
    assert len((ROOT / path).read_text(encoding="utf-8").splitlines()) <= 500
