"""Padding that depends on the dynamic extent of an image: ``auto_pad`` with a stride.

The number of elements before an axis depends on the remainder of its extent by the stride. ``pads``
of a convolution or pool are then the maximum before and after, with which each extent has the right
number of windows. A list gives the elements before the axis for each remainder.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import I64, ArrayAttr, DenseArrayBase, i64

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn.base import CONSTANT_ARRAY, check_length, ints

SAME_ATTRIBUTE = "nn.same"
"""Attribute of an op whose pads make as many windows as strides in the extent: ``"upper"`` where
the odd element is after the image, ``"lower"`` where it is before it.
``check-open-axes`` removes it."""

PadsByRemainderAttr: TypeAlias = ArrayAttr[DenseArrayBase[I64]]
"""For each spatial axis the elements before the image for the remainders 0, 1, … by the stride; an
empty list if all remainders have the same number."""

PADS_BY_REMAINDER = ArrayAttr.constr(CONSTANT_ARRAY)
"""The constraint of a property that has such lists."""


def pads_by_remainder_attr(tables: Sequence[Sequence[int]]) -> PadsByRemainderAttr | None:
    """Return lists as an attribute; ``None`` if all are empty."""
    if not any(tables):
        return None
    return ArrayAttr(DenseArrayBase.from_list(i64, list(own)) for own in tables)


def pads_before(tables: PadsByRemainderAttr | None, axis: int) -> tuple[int, ...]:
    """Return the elements before a spatial axis for each remainder; empty if all are equal."""
    return () if tables is None else ints(tables.data[axis])


def pads_at(
    tables: PadsByRemainderAttr | None,
    pads: Sequence[int],
    strides: Sequence[int],
    extents: Sequence[int],
) -> tuple[int, ...]:
    """Return the number of elements before each spatial axis of an image with some extents."""
    found = list(pads[: len(extents)])
    for axis, extent in enumerate(extents):
        if own := pads_before(tables, axis):
            found[axis] = own[extent % strides[axis]]
    return tuple(found)


def same_pads_before(reach: int, stride: int, *, upper: bool) -> tuple[int, ...]:
    """Return the elements before an image for each remainder of its extent by the stride.

    The last window, of ``reach`` elements, then ends at the end of the padding after the image.
    """
    totals = [max(0, reach - (remainder or stride)) for remainder in range(stride)]
    return tuple(total // 2 if upper else total - total // 2 for total in totals)


def check_pads_by_remainder(
    tables: PadsByRemainderAttr | None, pads: Sequence[int], strides: Sequence[int]
) -> None:
    """Raise ``VerifyException`` if the lists of an op are not valid (window_c2)."""
    if tables is None:
        return
    check_length("pads_by_remainder", range(len(tables)), len(strides))
    for axis, stride in enumerate(strides):
        own = pads_before(tables, axis)
        if own and (len(own) != stride or min(own) < 0 or max(own) != pads[axis]):
            raise invalid(
                "window_c2",
                f"pads_by_remainder has for spatial axis {axis} {stride} numbers from 0 to "
                f"{pads[axis]}, found {list(own)}",
            )
