"""``autodeploy``: the entry point, which is there to be interrupted before the rest is loaded."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the tool; Ctrl-C ends it with exit status 130 and no words, at whatever time."""
    try:
        from autodeploy.tools.garbage import raise_gc_threshold

        raise_gc_threshold()
        from autodeploy.tools import cli_main

        cli_main.main()
    except KeyboardInterrupt:
        sys.exit(130)
