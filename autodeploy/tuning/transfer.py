"""The kernels that are most like another one: what is best for them may be good for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from math import log2

from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.records.best import KernelRecords
from autodeploy.records.record import BY_RULE

_ALIKE = 2
"""The kernels whose fastest config is tried for another one, the most alike of them."""


def most_alike(title: str, titles: Sequence[str]) -> list[int]:
    """Return the numbers of the kernels that are most like another one, by their titles.

    They have the same anchors, as many axes of operands and results, and the nearest extents.
    """
    anchors, own = _parsed(title)
    distances: list[tuple[float, int]] = []
    for number, other in enumerate(titles):
        other_anchors, extents = _parsed(other)
        if other_anchors == anchors and list(map(len, own)) == list(map(len, extents)):
            pairs = zip(chain(*own), chain(*extents), strict=True)
            distances.append((sum(abs(log2((x + 1) / (y + 1))) for x, y in pairs), number))
    return [number for _, number in sorted(distances)[:_ALIKE]]


def configs_of_similar(
    kernel: str, title: str, groups: Iterable[KernelRecords]
) -> list[ConfigAttr]:
    """Return the best configs of recorded kernels that are most like one, but for the rules."""
    found = [
        group.best
        for group in groups
        if group.best is not None
        and group.rule is not None
        and group.best.kernel != kernel
        and group.best.config not in (BY_RULE, group.rule.config)
    ]
    numbers = most_alike(title, [record.title for record in found])
    return [found[number].parsed_config() for number in numbers]


def _parsed(title: str) -> tuple[list[str], list[list[int]]]:
    """Return the anchors in the title of a kernel, and the extents of its operands and results."""
    parts = [part for part in re.split(r"[ ,]+", title) if not part.startswith("+")]
    shapes = [part for part in parts if re.fullmatch(r"[0-9]+(x[0-9]+)*", part)]
    return [p for p in parts if p not in shapes], [[*map(int, s.split("x"))] for s in shapes]
