"""How windows move along an axis of an image: how many there are, and where the last one ends.

Both follow from the extent of the axis in the same way for all extents, so also for an open one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.extent_calls import each
from autodeploy.dialects.growth import Growth
from autodeploy.dialects.nn.base import check_at_least, check_length

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
