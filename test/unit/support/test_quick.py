"""The sample of cases of the quick run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from quick import COMPILED, OTHERS, quick_items, spread


@dataclass(frozen=True)
class Item:
    """What the sample reads of a test."""

    nodeid: str
    path: Path
    mark: str = ""

    def get_closest_marker(self, name: str) -> str | None:
        return self.mark if self.mark == name else None


@pytest.mark.parametrize("length", [0, 1, 2, 3, 4, 7, 100])
def test_cases_are_spread_from_the_first_to_the_last(length):
    found = list(spread(range(length), 3))
    assert found == sorted(set(found)) and len(found) == min(length, 3)
    if length:
        assert found[0] == 0 and (length < 3 or found[-1] == length - 1)


@pytest.mark.parametrize(("folder", "most"), [("execute", COMPILED), ("unit", OTHERS)])
def test_a_test_keeps_some_of_its_cases(folder, most):
    path = Path("test") / folder / "test_them.py"
    some = [Item(f"{path}::test_some[{number}]", path) for number in range(100)]
    every = [Item(f"{path}::test_every[{number}]", path, "every_case") for number in range(99)]
    one = [Item(f"{path}::test_one[{number}]", path, "one_case") for number in range(9)]
    long = [Item(f"{path}::test_long", path, "exhaustive")]
    short = [Item(f"{path}::test_short", path)]
    kept = quick_items([*some, *long, *every, *one, *short], Path("test"))
    assert kept == [*spread(some, most), *every, one[4], *short]
