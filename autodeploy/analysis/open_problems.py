"""Reasons why ops cannot have an open axis, and the nodes of these ops.

Also from which extents the numbers of a run follow, and those that a value needs besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from autodeploy.analysis.open_reads import OpenRead, Reach
from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.growth import Growth, solved
from autodeploy.dialects.locations import nodes_of
from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.extent_attr import Axes, value_axes
from autodeploy.dialects.nn.open_extent import OpenExtentAttr
from autodeploy.dialects.nn.types import bounds_of

_NAMED_NODES = 3


class OpenProblems:
    """Collects the ops that cannot have an open axis, so that they are listed all at once."""

    def __init__(self, extent: OpenExtentAttr):
        self._extent = extent
        self._problems: dict[str, list[str]] = {}
        """Reasons, and the nodes that they are about."""

    def refuse(self, op: Operation, reason: str) -> None:
        """Record that an op cannot have an open axis."""
        nodes = nodes_of(op) or tuple(r.name_hint for r in op.results if r.name_hint) or (op.name,)
        listed = self._problems.setdefault(reason, [])
        listed += [node for node in nodes[:1] if node not in listed]

    def check(self) -> None:
        """Raise ``UnsupportedError`` that lists all ops that cannot have an open axis."""
        if not self._problems:
            return
        count = sum(map(len, self._problems.values()))
        what = f"extent{'s' * (len(self._extent.ranges) > 1)} {self._extent}"
        lines = [f"{what} cannot be open, as {count} node{'s' * (count != 1)} cannot have it"]
        for reason, nodes in self._problems.items():
            named = ", ".join(map(repr, nodes[:_NAMED_NODES])) + ", …" * (len(nodes) > _NAMED_NODES)
            what = "node" if len(nodes) == 1 else f"{len(nodes)} nodes"
            lines.append(f"  {what} {named}: {reason}")
        if not all("--dynamic" in reason for reason in self._problems):
            lines.append(self._extent.grid.single_parts)
        raise UnsupportedError(*lines)


def read_problem(op: NNOp, read: OpenRead, extent: OpenExtentAttr) -> str | None:
    """Return why an op cannot read an open axis as it does; ``None`` if it can."""
    least = extent.least(read.growth)
    match read.reach:
        case Reach.FOLD if not op.MASKS_DYNAMIC_REDUCTION:
            return "it adds up along it"
        case Reach.FIRST:
            first = (op.required_prefix(read.index) or ())[read.axis]
            if first <= least:
                return None
            if first < extent.most(read.growth):
                ranges = extent.ranges_of(read.growth)
                number = " and ".join(str(range_.number(range_.least)) for range_ in ranges)
                return (
                    f"it takes element {first - 1} along it, counted from 0, where a run for "
                    f"{number} has {least}"
                )
            return "it joins or reads several places along it, or places that data says"
        case Reach.ANY:
            return "it joins or reads several places along it, or places that data says"
        case _:
            return None


def not_told(wanted: Sequence[Growth], axes: Sequence[Axes]) -> Sequence[Growth]:
    """Return those factors of the wanted extents that do not follow from the extents of axes."""
    given = [growth for entry in axes for growth in entry if growth and not growth.rest]
    told = {place for _, place in solved(given)}
    return [
        factor
        for growth in wanted
        if not any(growth in entry for entry in axes)
        for factor in growth.factors
        if factor.terms.keys() - told and not any(_says(one, factor) for one in given)
    ]


def _says(one: Growth, factor: Growth) -> bool:
    """Return whether an extent says another one that grows with the same numbers."""
    single = Growth.sum_of(factor.terms, factor.plus, factor.over)
    return one == factor or any(one.move_to(f) is not None for f in (factor, single))


def telling_inputs(
    inputs: Sequence[SSAValue], wanted: Sequence[Growth], axes: Sequence[Axes]
) -> Sequence[SSAValue]:
    """Return the fewest inputs whose extents say the wanted ones that ``axes`` do not say."""
    found: dict[SSAValue, None] = {}
    tensors = [value for value in inputs if isinstance(value.type, TensorType)]
    for value in sorted(tensors, key=lambda value: prod(bounds_of(value.type))):
        given = [*axes, *map(value_axes, found)]
        more = [*given, value_axes(value)]
        if len(not_told(wanted, more)) < len(not_told(wanted, given)):
            found[value] = None
    return list(found)
