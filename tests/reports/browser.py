"""Headless Chromium, where it is installed: one page, one width, what it says of it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

BROWSER = next(
    (
        path
        for name in ("chromium", "chromium-browser", "google-chrome")
        if (path := shutil.which(name))
    ),
    None,
)
#: Written into a copy of the page: the page itself has no script, and its policy allows none.
_PROBE = """<script>
addEventListener("load", () => {
  const wide = document.documentElement.clientWidth;
  const out = [...document.querySelectorAll("body *")].filter((one) => {
    if (one.closest(".scroll, pre, svg, details:not([open])")) return false;
    const box = one.getBoundingClientRect();
    return box.width > 0 && box.right > wide + 1;
  });
  const shown = [...document.querySelectorAll("figure svg")].filter(
    (one) => one.getBoundingClientRect().width > 0);
  const text = (one) => parseFloat(getComputedStyle(one).fontSize) *
    one.ownerSVGElement.getBoundingClientRect().width / one.ownerSVGElement.viewBox.baseVal.width;
  const sizes = shown.flatMap((one) => [...one.querySelectorAll("text")]).map(text);
  document.documentElement.dataset.probe = JSON.stringify({
    width: innerWidth,
    scroll: document.documentElement.scrollWidth,
    client: wide,
    outside: out.map((one) => one.tagName + "." + one.className).slice(0, 5),
    figures: shown.length,
    smallest: Math.min(...sizes),
    requests: performance.getEntriesByType("resource").map((one) => one.name),
  });
});
</script>"""
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


@dataclass(frozen=True)
class Look:
    """What a page was like: measurements of the layout, and what the console said."""

    measured: dict
    console: list[str]


def look(page: Path, width: int, folder: Path) -> Look:
    """Load a page from disk at a width.

    Parameters
    ----------
    page
        The HTML file.
    width
        Of the page, in CSS pixels. A frame gives it, since a window cannot be that narrow.
    folder
        For the browser's profile and the probed copy.
    """
    text = page.read_text(encoding="utf-8")
    probed = folder / "probed.html"
    probed.write_text(_POLICY.sub("", text).replace("</head>", f"{_PROBE}</head>"), "utf-8")
    outer = folder / "outer.html"
    outer.write_text(
        f'<iframe src="probed.html" style="width:{width}px;height:900px;border:0"></iframe>'
        "<script>addEventListener('load', () => { const inner = document.querySelector('iframe')"
        ".contentDocument; document.body.textContent = 'PROBE' + inner.documentElement.dataset.probe"
        " + 'END'; });</script>",
        "utf-8",
    )
    dumped = _run(outer, folder, "--allow-file-access-from-files")
    found = re.search(r"PROBE(\{.*?\})END", dumped.stdout, re.DOTALL)
    assert found, dumped.stderr[-2000:]
    plain = _run(page, folder)
    console = [line for line in plain.stderr.splitlines() if "CONSOLE" in line]
    return Look(json.loads(found[1]), console)


def _run(page: Path, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            BROWSER,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--enable-logging=stderr",
            f"--user-data-dir={folder / 'profile'}",
            "--window-size=1400,1000",
            "--virtual-time-budget=5000",
            *more,
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
