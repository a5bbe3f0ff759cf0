"""What happens to items whose process ends before they do."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from isolated import Limits, Lost, outcomes


@dataclass(frozen=True)
class Number:
    name: str


def _work(numbers, report):
    for number in numbers:
        report(number.name)
        if number.name == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if number.name == "exit":
            os._exit(3)
        if number.name == "hang":
            time.sleep(60)
        if number.name == "large":
            try:
                bytearray(8 << 30)
            except MemoryError:
                yield number.name, "no memory"
                continue
        yield number.name, tempfile.mkdtemp()


@pytest.mark.exhaustive
def test_a_lost_item_costs_no_other():
    names = ["a", "crash", "b", "exit", "c", "hang", "large", "d"]
    numbers = [Number(name) for name in names]
    limits = Limits(seconds=6, bytes=4 << 30)
    found = dict(outcomes([numbers[:5], numbers[5:]], _work, jobs=2, limits=limits))
    assert set(found) == set(names)
    assert found["crash"] == Lost(False, "SIGSEGV")
    assert found["exit"] == Lost(False, "the process ended: 3")
    assert isinstance(found["hang"], Lost) and found["hang"].hung
    assert found["large"] == "no memory"
    for name in "abcd":
        assert not Path(found[name]).exists()
