"""The quick run of the tests: a sample of the cases of each test (``make test``).

With ``TESTS=quick`` in the environment a test that builds programs, or is marked ``one_case``,
keeps one of its cases, and another test a few, spread over the whole list. Tests marked
``exhaustive`` are left out: each takes seconds even so, and a shorter one covers the same lines.
Without the variable all cases run (``make test-all``).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import pytest

Case = TypeVar("Case")

QUICK = os.environ.get("TESTS") == "quick"

COMPILED = 1
"""Cases of a test that builds and runs programs, or is marked ``one_case``."""

OTHERS = 5
"""Cases of a test that does not."""

_PROGRAMS = ("execute", "targets", "fuzz")
"""Folders of ``test/`` whose tests build programs."""


def spread(cases: Sequence[Case], most: int) -> Sequence[Case]:
    """Return at most ``most`` cases, from the first to the last at equal distances.

    A single one is that in the middle.
    """
    if len(cases) <= most:
        return cases
    if most == 1:
        return [cases[len(cases) // 2]]
    return [cases[number * (len(cases) - 1) // (most - 1)] for number in range(most)]


def quick_items(items: Sequence[pytest.Item], root: Path) -> list[pytest.Item]:
    """Return the tests of the quick run, in their order."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("exhaustive") is None:
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    kept = {item for group in cases.values() for item in _kept(group, root)}
    return [item for item in items if item in kept]


def _kept(group: Sequence[pytest.Item], root: Path) -> Sequence[pytest.Item]:
    if group[0].get_closest_marker("every_case") is not None:
        return group
    folder = group[0].path.relative_to(root).parts[0]
    single = folder in _PROGRAMS or group[0].get_closest_marker("one_case") is not None
    return spread(group, COMPILED if single else OTHERS)
