"""Fields of a buffer that only a call of the kernel brings: no constants for Halide and LLVM.

Their values are what the type says. An expression of one keeps an optimiser from knowing a result.
"""

from __future__ import annotations

from abc import ABC

from xdsl.dialects.builtin import IntegerAttr, i32, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.halide.types import BufferType, buffer_type
from autodeploy.dialects.properties import properties


class CallValueOp(IRDLOperation, ABC):
    """A field of one dimension of a buffer."""

    buffer = operand_def(BufferType)
    dimension = prop_def(IntegerAttr.constr(i64))
    result = result_def(i32)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(Pure())
    assembly_format = "$buffer $dimension attr-dict `:` type($buffer)"

    def __init__(self, buffer: SSAValue, dimension: int):
        super().__init__(
            operands=[buffer],
            properties=properties(dimension=dimension),
            result_types=[i32],
        )

    def verify_(self) -> None:
        """Check (dimension_c1) that the buffer has the dimension."""
        type_ = buffer_type(self.buffer)
        if not 0 <= self.dimension.value.data < len(type_.extents):
            raise invalid("dimension_c1", f"{type_} has no dimension {self.dimension.value.data}")


@irdl_op_definition
class StrideOp(CallValueOp):
    """``buffer.dim(dimension).stride()``: the stride of a dimension, in elements."""

    name = "halide.stride"


@irdl_op_definition
class ExtentOp(CallValueOp):
    """``buffer.dim(dimension).extent()``: the extent of a dimension."""

    name = "halide.extent"
