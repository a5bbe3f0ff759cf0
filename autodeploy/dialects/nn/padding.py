"""Pads: more elements around those of a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from enum import auto
from typing import ClassVar

from xdsl.dialects.builtin import FloatAttr, f64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import irdl_attr_definition, irdl_op_definition, operand_def, prop_def
from xdsl.utils.str_enum import StrEnum

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.extents import are_same, largest, largest_of
from autodeploy.dialects.nn import axes as follow
from autodeploy.dialects.nn.base import (
    I64_ARRAY,
    NUMBER,
    TENSOR,
    AxisRead,
    MovementOp,
    NNOp,
    Tensor,
    check_at_least,
    check_length,
    ints,
)
from autodeploy.dialects.nn.layout import LayoutAttr, spatial_axes
from autodeploy.dialects.nn.types import bounds_of, element_of, shape_of, tensor


class PadMode(StrEnum):
    """The elements around a padded tensor."""

    CONSTANT = auto()
    """One number."""
    REFLECT = auto()
    """The elements mirrored at the outermost ones, which are not repeated."""
    EDGE = auto()
    """The outermost elements, repeated."""
    WRAP = auto()
    """The elements of the other end, over and over."""


@irdl_attr_definition
class PadModeAttr(EnumAttribute[PadMode], SpacedOpaqueSyntaxAttribute):
    """Mode of a pad: ``#nn<pad_mode reflect>``."""

    name = "nn.pad_mode"


CONSTANT_PAD = PadModeAttr(PadMode.CONSTANT)


@irdl_op_definition
class PadOp(MovementOp):
    """The operand with more elements around it; ``pads`` lists those before each axis, then after.

    They are ``value``, or by ``mode`` elements of the operand (ONNX Pad): a reflection bounces
    back and forth as often as it takes.
    """

    name = "nn.pad"
    AXES: ClassVar = {"pads": follow.pads}

    x = operand_def(TENSOR)
    pads = prop_def(I64_ARRAY)
    value = prop_def(NUMBER, default_value=FloatAttr(0.0, f64))
    mode = prop_def(PadModeAttr, default_value=CONSTANT_PAD)

    def __init__(
        self,
        x: SSAValue,
        pads: Sequence[int],
        value: float = 0.0,
        mode: PadMode = PadMode.CONSTANT,
    ):
        self.init_inferred([x], pads=pads, value=float(value), mode=PadModeAttr(mode))

    def spatial_pads(self, layout: LayoutAttr) -> tuple[int, ...] | None:
        """Return the pads of the spatial axes of an image; ``None`` if others are widened."""
        pads, rank = ints(self.pads), len(bounds_of(self.x.type))
        spatial = spatial_axes(layout, rank)
        if any(pads[i] or pads[rank + i] for i in range(rank) if i not in spatial):
            return None
        return tuple(pads[start + axis] for start in (0, rank) for axis in spatial)

    def simplified(self) -> SSAValue | NNOp | None:
        """Drop a pad that adds nothing."""
        pads = ints(self.pads)
        return self.x if are_same(pads, [0] * len(pads)) else None

    def axis_reads(self, index: int) -> Sequence[AxisRead | None]:
        """Return the axes that stay as they are."""
        pads, rank = ints(self.pads), len(bounds_of(self.x.type))
        return [None if pads[axis] or pads[rank + axis] else AxisRead(axis) for axis in range(rank)]

    def stretched_axes(self) -> frozenset[int]:
        """Return the axes that are padded: their extents are more by a constant."""
        pads, rank = ints(self.pads), len(bounds_of(self.x.type))
        return frozenset(axis for axis in range(rank) if pads[axis] or pads[rank + axis])

    def infer_result_type(self) -> Tensor:
        """Return the operand's type with each extent widened by its pads.

        - (pad_c1) an axis that is padded with elements of the operand has some
        """
        shape, pads = shape_of(self.x.type), ints(self.pads)
        check_length("pads", pads, 2 * len(shape))
        check_at_least("pads", pads, 0)
        for axis, extent in enumerate(shape if self.mode != CONSTANT_PAD else ()):
            padded = largest(pads[axis], pads[len(shape) + axis])
            if largest_of(padded) and not extent:
                raise invalid(
                    "pad_c1", f"axis {axis} of {self.x.type} has no elements for {self.mode.data}"
                )
        widened = [n + pads[i] + pads[len(shape) + i] for i, n in enumerate(shape)]
        return tensor(element_of(self.x.type), widened)
