"""The tool looks for garbage seldom, but does find it until it ends."""

import gc
import subprocess
import sys
import weakref

from autodeploy.tools.garbage import collect_seldom


class _Node:
    def __init__(self) -> None:
        self.itself = self


def test_it_finds_garbage_in_cycles_after_many_objects():
    before = gc.get_threshold()
    try:
        collect_seldom()
        assert gc.isenabled()
        assert gc.get_threshold()[0] > 10_000
        lost = weakref.ref(_Node())
        kept = [[] for _ in range(2 * gc.get_threshold()[0])]
        assert lost() is None
        assert kept
    finally:
        gc.set_threshold(*before)


_PROGRAM = """
from autodeploy.tools.garbage import collect_seldom

class Node:
    def __init__(self):
        self.itself = self

    def __del__(self):
        print("collected")

{call}
Node()
"""


def test_it_leaves_garbage_in_cycles_to_the_system_at_its_end():
    def output(call: str) -> str:
        program = [sys.executable, "-c", _PROGRAM.format(call=call)]
        return subprocess.run(program, capture_output=True, text=True, check=True).stdout

    assert output("") == "collected\n"
    assert not output("collect_seldom()")
