"""``python -m analyzer``: the same as the command ``analyzer``."""

from __future__ import annotations

import sys


def run() -> None:
    """Run the command line and exit with its code."""
    try:
        from analyzer.cli.app import main

        code = main()
    except KeyboardInterrupt:  # while it starts or ends
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    run()
