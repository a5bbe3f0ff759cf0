"""The programs for parts of open extents: one for each combination of their parts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from autodeploy.dialects.driver.part import PartAttr
from autodeploy.dialects.nn.parts import Part
from autodeploy.frontend.open_sizes import NamedRange, OpenSpec


def combinations(specs: Sequence[OpenSpec]) -> list[tuple[NamedRange, ...]]:
    """Return the ranges of each program.

    All parts of the last extent follow each other, for each part of the one before.
    """
    return list(product(*(spec.ranges for spec in specs)))


def part_name(ranges: Sequence[NamedRange]) -> str:
    """Return the name of the program for a part, in the syntax of the option."""
    return ",".join(f"{r.open_range.label}={Part(r.least, r.most)}" for r in ranges)


def part_attr(ranges: Sequence[NamedRange]) -> PartAttr | None:
    """Return what the IR says of the part; ``None`` if there are no open extents."""
    return PartAttr(tuple(range_.open_range for range_ in ranges)) if ranges else None
