"""How windows move along an axis of an image: how many there are, and where the last one ends.

Both follow from the extent of the axis in the same way for all extents, so also for an open one.
The elements before an axis may depend on the remainder of its extent by the stride. ``pads`` of a
convolution or pool are then the maximum before and after, with which each extent has the right
number of windows, and a list gives the elements before the axis for each remainder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import I64, ArrayAttr, DenseArrayBase, i64

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.extent_calls import each
from autodeploy.dialects.growth import Growth
from autodeploy.dialects.nn.base import CONSTANT_ARRAY, check_at_least, check_length, ints

WINDOW_DEFAULTS = {"strides": (1,), "pads": (0, 0), "dilations": (1,)}
"""The properties of windows that an op may leave out, with their numbers for a spatial axis."""


@dataclass(frozen=True)
class WindowSteps:
    """Windows of ``reach`` elements, the first to the last, ``stride`` apart.

    The first one starts ``before`` the image, and ``after`` elements follow it. With
    ``ceil`` a last window may end beyond these, as long as it starts before their first one.
    """

    reach: int
    stride: int
    before: int
    after: int
    ceil: bool = False

    @staticmethod
    def of(
        window: Sequence[int],
        strides: Sequence[int],
        pads: Sequence[int],
        dilations: Sequence[int],
        ceil: bool = False,
    ) -> tuple[WindowSteps, ...]:
        """Return the steps along each spatial axis; ``pads`` are those before, then those after."""
        reaches = [dilation * (n - 1) + 1 for n, dilation in zip(window, dilations, strict=True)]
        rank = len(reaches)
        return tuple(
            WindowSteps(*numbers, ceil)
            for numbers in zip(reaches, strides, pads[:rank], pads[rank:], strict=True)
        )

    @property
    def plus(self) -> int:
        """The number to add to the extent so that, over the stride, it is the number of windows."""
        apart = self.after - self.reach
        if self.ceil:
            apart = max(apart, min(apart + self.stride, 0)) - 1
        return self.before + apart + self.stride

    def beyond(self, growth: Growth) -> int:
        """Return how far after the image the last window may end, for all extents that grow so."""
        rest = 0
        if growth.is_sum and not any(t % self.stride for t in growth.terms.values()):
            rest = (growth.plus + self.plus) % self.stride
        return self.plus - rest - self.stride - self.before + self.reach


def window_extents(
    spatial: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int],
    ceil_mode: bool = False,
) -> tuple[int, ...]:
    """Return how many windows fit along each spatial axis (the formula of ONNX Conv and pools).

    ``pads`` lists those before each axis, then those after. In ``ceil_mode`` a window may end
    beyond the padding, as long as it starts before its end. Raises ``VerifyException`` if the
    properties are malformed or no window fits.
    """
    rank = len(spatial)
    check_length("strides", strides, rank)
    check_length("pads", pads, 2 * rank)
    check_length("dilations", dilations, rank)
    check_at_least("strides", strides, 1)
    check_at_least("pads", pads, 0)
    check_at_least("dilations", dilations, 1)
    check_at_least("the window", window, 1)
    extents: list[int] = []
    for axis in range(rank):
        padded = spatial[axis] + pads[axis] + pads[rank + axis]
        room = padded - (dilations[axis] * (window[axis] - 1) + 1)
        if room < 0:
            raise invalid(
                "window_c1",
                f"a window of {window[axis]} with dilation {dilations[axis]} does not fit "
                f"{padded} padded elements of spatial axis {axis}",
            )
        stride = strides[axis]
        if not ceil_mode:
            extents.append(room // stride + 1)
            continue

        def rounded_up(room: int, image: int, stride: int = stride) -> int:
            count = -(-room // stride) + 1
            return count - ((count - 1) * stride >= image)

        extents.append(each(rounded_up, room, spatial[axis] + pads[axis]))
    return tuple(extents)


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
