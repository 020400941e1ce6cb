"""``python -m analyzer``: the same as the command ``analyzer``."""

from __future__ import annotations

import sys


def run() -> None:
    """Run the command line and exit with its code."""
    from analyzer.cli.app import main

    sys.exit(main())


if __name__ == "__main__":
    run()
