"""Ops that order elements: TopK."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import f32, f64, i64
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.nn.lookup import GatherElementsOp
from autodeploy.dialects.nn.movement import identity_permutation
from autodeploy.dialects.nn.types import element_of, is_float, shape_of, tensor, ui64
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, axis_of
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts


@converts("TopK")
def top_k(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert TopK: the library orders rows, whose first elements are then looked up."""
    x = b.operand(op, "X")
    shape = shape_of(x.type)
    axis = axis_of(b.integer(op, "axis"), len(shape))
    k = b.integer(op, "k") if op.version == 1 else b.constant_integer(op, "K")
    if not 0 <= k <= shape[axis]:
        raise ConversionError(f"k of {k} is outside of extent {shape[axis]}")
    last = [*(other for other in range(len(shape)) if other != axis), axis]
    rows = x if identity_permutation(last) else b.transpose(x, last)
    indices = order(b, rows, k, largest=b.integer(op, "largest", 1) != 0)
    values = b.emit(GatherElementsOp(rows, indices, len(shape) - 1))
    if identity_permutation(last):
        return [values, indices]
    back = [last.index(other) for other in range(len(shape))]
    return [b.transpose(values, back), b.transpose(indices, back)]


def order(b: ConversionContext, rows: SSAValue, count: int, *, largest: bool) -> SSAValue:
    """Return the numbers of the first elements of each row, in the order of their values."""
    shape = shape_of(rows.type)
    result = tensor(i64, (*shape[:-1], count))
    keys = b.cast(rows, _ordered(element_of(rows.type)))
    return b.call("order", [keys], [result], [int(largest)], strided=True)[0]


def _ordered(element: Attribute) -> Attribute:
    """Return the type in which the library compares elements; none of them changes."""
    if is_float(element):
        return f64 if element == f64 else f32
    return ui64 if element == ui64 else i64
