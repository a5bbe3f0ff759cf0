"""Padding along an open axis that depends on the number of a run.

Where there are as many windows as strides in an extent, what the last one lacks is padding. A half
of that stands before the image. Both follow from what the extent leaves over the stride.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from xdsl.dialects.builtin import BoolAttr, DenseArrayBase, StringAttr, i64
from xdsl.ir import SSAValue

from autodeploy.analysis.open_reads import moved_windows
from autodeploy.analysis.stated_extents import StatedExtents
from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.growth import Growth
from autodeploy.dialects.nn.open_extent import Axes, OpenExtentAttr
from autodeploy.dialects.nn.padding_by_rest import (
    SAME_ATTRIBUTE,
    befores,
    rests_attr,
    same_befores,
)
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.nn.window import PoolOp


class _Pads(NamedTuple):
    """An extent, and how many elements stand before it and behind it."""

    extent: int
    before: int
    after: int

    def is_same(self, reach: int, stride: int, *, upper: bool) -> bool:
        """Tell whether they make as many windows as strides in the extent, and as late."""
        before = same_befores(reach, stride, upper=upper)[self.extent % stride]
        total = max(0, reach - (self.extent % stride or stride))
        return (self.before, self.after) == (before, total - before)


def grow_pads(
    op: ConvOp | PoolOp,
    of: Callable[[SSAValue], Axes],
    stated: StatedExtents,
    extent: OpenExtentAttr | None,
) -> str | None:
    """Let an op say how its padding follows from the extents of a run; return why it cannot.

    Nothing changes where it is the same for all numbers. Where nodes compute it, it is compared for
    numbers that leave each rest over the stride.
    """
    rank = len(ints(op.strides))
    pads = list(ints(op.pads))
    rests = [befores(op.before_by_rest, i) for i in range(rank)]
    mark = op.attributes.get(SAME_ATTRIBUTE)
    same = mark.data if isinstance(mark, StringAttr) else None
    changed = False
    for i, (axis, (_, steps)) in enumerate(moved_windows(op).items()):
        reach, stride, growth = steps.reach, steps.stride, of(op.x)[axis]
        most = _Pads(shape_of(op.x.type)[axis], pads[i], pads[rank + i])
        found = _given(op, axis, i, stated)
        varies = any(p[1:] != most[1:] for p in found.values())
        if rests[i] or (not varies and (same is None or _leaves_one_rest(growth, stride))):
            continue
        if not growth:
            return "its padding follows from the number, and its operand does not"
        ways = (True, False) if same is None else (same == "upper",)
        fitting: dict[tuple[int, ...], _Pads] = {}
        for upper in ways:
            table = same_befores(reach, stride, upper=upper)
            whole = _Pads(1, table[1 % stride], reach - 1 - table[1 % stride])
            known = [*found.values(), *([] if most[1:] == whole[1:] else [most])]
            if all(p.is_same(reach, stride, upper=upper) for p in known):
                fitting.setdefault(table, whole)
        if not fitting:
            reason = "its padding follows from the number in another way than as windows need it"
            other = next((n for n, p in found.items() if p[1:] != most[1:]), None)
            if extent is None or other is None:
                return reason
            return f"{reason}, as {extent.largest} and {extent.numbers(other)} show"
        table, whole = next(iter(fitting.items()))
        pads[i], pads[rank + i] = whole.before, whole.after
        rests[i] = table if len(set(table)) > 1 else ()
        changed = True
    if changed:
        op.pads = DenseArrayBase.from_list(i64, pads)
        op.before_by_rest = rests_attr(rests)
        if isinstance(op, PoolOp):
            op.ceil_mode = BoolAttr.from_bool(False)  # the last window ends with the padding
    return None


def _given(
    op: ConvOp | PoolOp, axis: int, place: int, stated: StatedExtents
) -> dict[tuple[int, ...], _Pads]:
    """Return the extents of an axis for some numbers, and what stands around it."""
    found: dict[tuple[int, ...], _Pads] = {}
    pads_of = stated.pads(op)
    for numbers, shape in stated.shapes(op.x).items():
        pads = pads_of.get(numbers, ints(op.pads))
        found[numbers] = _Pads(shape[axis], pads[place], pads[len(pads) // 2 + place])
    return found


def _leaves_one_rest(growth: Growth, stride: int) -> bool:
    """Tell whether all extents that grow so leave the same over a stride."""
    return not growth or (growth.is_sum and not any(t % stride for t in growth.terms.values()))
