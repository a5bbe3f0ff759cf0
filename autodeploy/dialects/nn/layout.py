"""The places of the channels in an image tensor and in a filter.

Each is an enum attribute on conv and pool ops, chosen by a pass and read by the lowering.
"""

from __future__ import annotations

from enum import auto
from typing import TypeVar

from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum

from autodeploy.dialects.constraints import invalid

T = TypeVar("T")


class Layout(StrEnum):
    """Order of the axes of an image tensor; N is the batch, C the channel, … the spatial axes."""

    CHANNELS_FIRST = auto()
    """N C …, ONNX's order."""
    CHANNELS_LAST = auto()
    """N … C, in which a vector of channels is contiguous."""
    FIRST_TO_LAST = auto()
    """A convolution's operand is N C …, its result N … C."""


@irdl_attr_definition
class LayoutAttr(EnumAttribute[Layout], SpacedOpaqueSyntaxAttribute):
    """Image layout: ``#nn<layout channels_last>``."""

    name = "nn.layout"


CHANNELS_FIRST = LayoutAttr(Layout.CHANNELS_FIRST)
CHANNELS_LAST = LayoutAttr(Layout.CHANNELS_LAST)
FIRST_TO_LAST = LayoutAttr(Layout.FIRST_TO_LAST)


def input_layout(layout: LayoutAttr) -> LayoutAttr:
    """Return the layout of the image that a convolution reads."""
    return CHANNELS_FIRST if layout.data == Layout.FIRST_TO_LAST else layout


def result_layout(layout: LayoutAttr) -> LayoutAttr:
    """Return the layout of the image that a convolution makes."""
    return CHANNELS_LAST if layout.data == Layout.FIRST_TO_LAST else layout


def channel_axis(layout: LayoutAttr, rank: int) -> int:
    """Return the axis of the channels of an image tensor of this rank.

    Raises ``VerifyException`` for a layout that is not one of tensors.
    """
    if layout.data == Layout.FIRST_TO_LAST:
        raise invalid("layout_c1", "first_to_last is a layout of nn.conv alone")
    return 1 if layout.data == Layout.CHANNELS_FIRST else rank - 1


def spatial_axes(layout: LayoutAttr, rank: int) -> range:
    """Return the axes of the spatial extents of an image tensor of this rank."""
    return range(2, rank) if layout.data == Layout.CHANNELS_FIRST else range(1, rank - 1)


def image_shape(layout: LayoutAttr, batch: T, channels: T, spatial: tuple[T, ...]) -> tuple[T, ...]:
    """Put the extents of an image tensor, or places in it, in the order of its layout."""
    if layout.data == Layout.CHANNELS_FIRST:
        return (batch, channels, *spatial)
    return (batch, *spatial, channels)
