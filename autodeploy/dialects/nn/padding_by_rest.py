"""Padding that follows from the extent of a run: as many windows as strides in the extent.

How much stands before an image along an axis then depends on what its extent leaves over the
stride. The ``pads`` of an op that moves windows are the most that there are before and after, which
make as many windows for all extents; beside them stands how many come before for each rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import I64, ArrayAttr, DenseArrayBase, i64

from autodeploy.dialects.constraints import broken
from autodeploy.dialects.nn.base import CONSTANT_ARRAY, check_length, ints

SAME_ATTRIBUTE = "nn.same"
"""Attribute of an op whose pads make as many windows as strides in the extent: ``"upper"`` where
the odd element is after the image, ``"lower"`` where it is before it.
``check-open-axes`` removes it."""

RestsAttr: TypeAlias = ArrayAttr[DenseArrayBase[I64]]
"""For each spatial axis a list: how many elements stand before the image where its extent leaves 0,
1, … over the stride. An empty list where that is the same for all."""

RESTS = ArrayAttr.constr(CONSTANT_ARRAY)
"""The constraint of a property that has such lists."""


def rests_attr(rests: Sequence[Sequence[int]]) -> RestsAttr | None:
    """Return lists as an attribute; ``None`` where all are empty."""
    if not any(rests):
        return None
    return ArrayAttr(DenseArrayBase.from_list(i64, list(own)) for own in rests)


def befores(rests: RestsAttr | None, axis: int) -> tuple[int, ...]:
    """Return how many elements stand before a spatial axis by the rest; none if it never matters"""
    return () if rests is None else ints(rests.data[axis])


def pads_at(
    rests: RestsAttr | None,
    pads: Sequence[int],
    strides: Sequence[int],
    extents: Sequence[int],
) -> tuple[int, ...]:
    """Return how many elements stand before each spatial axis of some extents."""
    found = list(pads[: len(extents)])
    for axis, extent in enumerate(extents):
        if own := befores(rests, axis):
            found[axis] = own[extent % strides[axis]]
    return tuple(found)


def same_befores(reach: int, stride: int, *, upper: bool) -> tuple[int, ...]:
    """Return how many elements stand before an image, by the rest of its extent by the stride.

    The last of the windows of ``reach`` elements then ends at the end of what stands behind.
    """
    totals = [max(0, reach - (rest or stride)) for rest in range(stride)]
    return tuple(total // 2 if upper else total - total // 2 for total in totals)


def check_by_rest(rests: RestsAttr | None, pads: Sequence[int], strides: Sequence[int]) -> None:
    """Raise ``VerifyException`` where the lists of an op are not such (window_c2)."""
    if rests is None:
        return
    check_length("before_by_rest", range(len(rests)), len(strides))
    for axis, stride in enumerate(strides):
        own = befores(rests, axis)
        if own and (len(own) != stride or min(own) < 0 or max(own) != pads[axis]):
            raise broken(
                "window_c2",
                f"before_by_rest has for spatial axis {axis} {stride} numbers from 0 to "
                f"{pads[axis]}, found {list(own)}",
            )
