"""``make golden``: write the goldens. Review what has changed before it is committed."""

from __future__ import annotations

from tests.golden.cases import CASES, FOLDER

for name, text in CASES.items():
    (FOLDER / name).write_text(text(), encoding="utf-8")
    print(f"written: tests/golden/{name}")
