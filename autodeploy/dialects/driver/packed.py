"""The places of the elements of a run in the caller's memory, which has no gaps.

A buffer has room for the largest number, so that its strides are constants. If an argument has an
open axis inside of others, the strides of those others follow from the number of a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from autodeploy.dialects.driver.calls import JoinOp
from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.memref import MemRef
from autodeploy.dialects.nn.open_extent import Axes, OpenExtentAttr, volume
from autodeploy.dialects.strides import Region as Elements
from autodeploy.dialects.strides import row_major


def strides_of_run(
    elements: Elements, shape: Sequence[int], axes: Axes
) -> tuple[tuple[int, Growth], ...] | None:
    """Return the strides in a run of a view of a dense argument: a constant or a growth of each.

    ``elements`` are those of the view for the largest number, ``shape`` and ``axes`` those of the
    argument. ``None`` if the view does not begin with the argument, or has an axis along which
    it does not go over the elements of one of the argument's.
    """
    known: dict[int, tuple[int, Growth]] = {}
    for axis, (extent, stride) in enumerate(zip(shape, row_major(shape), strict=True)):
        if extent != 1:
            known[stride] = volume(shape[axis + 1 :], axes[axis + 1 :])
    found: list[tuple[int, Growth]] = []
    for extent, stride in zip(elements.shape, elements.strides, strict=True):
        if extent != 1 and stride not in known:
            return None
        found.append(known.get(stride, (stride, CONSTANT)))
    return None if elements.offset else tuple(found)


def joins_within(op: JoinOp, extent: OpenExtentAttr | None, source: Axes, target: Axes) -> bool:
    """Return whether what is joined fits into the target for all numbers of a run.

    ``source`` and ``target`` are the axes of both. Besides the axis the source has those of
    the target, or none; inside of it none is open, as rows would have gaps.
    """
    first, axis = op.open_start, op.axis.value.data
    if extent is None:
        return not first
    whole, own = (cast(MemRef, v.type).get_shape()[axis] for v in (op.target, op.source))
    parts = (first, op.start.value.data), (source[axis], own)
    room = extent.least(target[axis]) if target[axis] else whole
    return (
        sum(extent.least(growth) if growth else constant for growth, constant in parts) <= room
        and (not first or extent.most(first) == op.start.value.data)
        and all(not one or one == other for one, other in _beside(axis, source, target))
        and not any(source[axis + 1 :])
        and not any(target[axis + 1 :])
    )


def _beside(axis: int, source: Axes, target: Axes) -> Iterator[tuple[Growth, Growth]]:
    pairs = enumerate(zip(source, target, strict=True))
    return (pair for place, pair in pairs if place != axis)
