"""``autodeploy-opt``: the entry point, which loads nothing before it knows what is wanted."""

from __future__ import annotations

import gc
import sys

TYPE_CHECKING = False  # that of typing, which would be loaded before Ctrl-C is looked after

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(args: Sequence[str] | None = None) -> int:
    """Run the tool with ``args`` (the process's by default); return the exit code."""
    argv = sys.argv[1:] if args is None else list(args)
    if "--version" in argv or "-v" in argv:
        from importlib.metadata import version

        print(f"autodeploy-opt {version('autodeploy')} (xDSL {version('xdsl')})")
        return 0

    if args is None:
        # The process is short and nearly all of its objects live to the end: collecting garbage
        # would take a tenth of the start for nothing.
        gc.disable()
    try:
        from autodeploy.tools.opt.command import run

        return run(argv)
    except KeyboardInterrupt:  # Ctrl-C, while it loads or later
        return 130
