"""The tool looks for garbage seldom, but does find it."""

import gc
import weakref

from autodeploy.tools.cli import raise_gc_threshold


class _Node:
    def __init__(self) -> None:
        self.itself = self


def test_it_finds_garbage_in_cycles_after_many_objects():
    before = gc.get_threshold()
    try:
        raise_gc_threshold()
        assert gc.isenabled()
        assert gc.get_threshold()[0] > 10_000
        lost = weakref.ref(_Node())
        kept = [[] for _ in range(2 * gc.get_threshold()[0])]
        assert lost() is None
        assert kept
    finally:
        gc.set_threshold(*before)
