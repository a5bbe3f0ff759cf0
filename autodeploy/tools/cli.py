"""``autodeploy``: the entry point, which is there to be interrupted before the rest is loaded."""

from __future__ import annotations

import gc
import sys

_NEW_OBJECTS = 200_000  # some 20 MB; Python's own 700 or 2,000 fit programs that keep little


def main() -> None:
    """Run the tool; Ctrl-C ends it with exit status 130 and no words, at whatever time."""
    try:
        raise_gc_threshold()
        from autodeploy.tools import cli_main

        cli_main.main()
    except KeyboardInterrupt:
        sys.exit(130)


def raise_gc_threshold() -> None:
    """Look for garbage only after many new objects.

    The IR of a network is a large number of objects that live to the end. Collections would take a
    twelfth of a compilation and free little.
    """
    gc.set_threshold(_NEW_OBJECTS, 20, 50)
