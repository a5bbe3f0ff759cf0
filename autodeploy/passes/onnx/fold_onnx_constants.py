"""Compile-time values of onnx ops, computed by ONNX's reference implementation.

Folding is bounded before it computes: the bytes of operands and results follow from their
inferred types, the time from the work of the operator (``folding_budget``), and operators
of which that is not known (convolutions, recurrences, resampling, …) are never run. A value of
equal elements keeps one element whatever its size, so it costs nothing and has no limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import Pure

from autodeploy.analysis.folding_budget import MAX_BYTES, FoldingBudget, steps
from autodeploy.dialects.nn.constant import ConstantOp, ConstantValue, DenseAttr, WeightAttr
from autodeploy.dialects.nn.open_extent import EXTENT_ATTRIBUTE
from autodeploy.dialects.nn.quantised import CODES
from autodeploy.dialects.nn.types import ELEMENT_BYTES, byte_size
from autodeploy.dialects.onnx import OnnxOp, YieldOp
from autodeploy.dialects.onnx.families import POINTWISE, RENUMBERINGS
from autodeploy.passes.onnx.infer_onnx_shapes import (
    DATA_ELEMENTS,
    element_of,
    infer_result_types,
    is_ranked,
    nested_onnx_ops,
    opset_of,
    refine,
    set_type,
    update_function_types,
)
from autodeploy.passes.onnx.known_nodes import KnownNode
from autodeploy.passes.onnx.largest_values import follows_numbers, keep_largest, largest_value
from autodeploy.passes.onnx.misjudged_shapes import hands_on_other_shapes, is_misjudged
from autodeploy.weights import Array, WeightStore, constant_array, equal_elements, numpy_dtype

COSTLY = frozenset((
    "Attention", "AveragePool", "CausalConvWithState", "Col2Im", "Conv", "ConvInteger",
    "ConvTranspose", "DFT", "DeformConv", "Einsum", "FlexAttention", "GRU", "GridSample",
    "ImageDecoder", "LRN", "LSTM", "LinearAttention", "LpPool", "MaxPool", "MaxRoiPool",
    "MaxUnpool", "MelWeightMatrix", "NonMaxSuppression", "QLinearConv", "RNN", "Resize",
    "RoiAlign", "STFT", "Upsample"
))  # fmt: skip
"""Operators that are never run: time and memory depend on more than operands and results."""

_MOVEMENTS = RENUMBERINGS | {"Expand", "Slice", "Tile"}
"""Operators whose result has no other elements than their first operand."""

_VIEWS = RENUMBERINGS - {"DepthToSpace", "SpaceToDepth", "Transpose"}
"""Operators whose result has the elements of their first operand in the same order."""


def fold_op(ctx: Context, op: OnnxOp, budget: FoldingBudget) -> bool:
    """Replace an op by ``nn.constant`` where its results are known; tell whether it was.

    An If whose condition is known is replaced by the ops of the branch taken. Operands that lose
    their last use are erased. If extents stay open, values that follow from them are kept for
    the largest numbers, and not folded.
    """
    if op.domain or _gives_codes_meaning(op) or _unpacks(op):
        return False
    if op.op_type == "If":
        return _take_branch(ctx, op)
    shape = None if budget.misjudged else _shape_values(op)
    values = (
        _evaluated(ctx, op, budget) if shape is None else [WeightStore.of(ctx).attribute(shape)]
    )
    if values is None or len(values) != len(op.results):
        return False
    for result, value in zip(op.results, values, strict=True):
        if refine(result.type, value.type) != value.type:
            return False
    if follows_numbers(op, is_open=budget.is_open):
        for result, value in zip(op.results, values, strict=True):
            set_type(result, value.type)
        keep_largest(op, values)
        return False
    constants = [ConstantOp(value) for value in values]
    for constant in constants:
        constant.location = op.location
    _replace(op, constants, [constant.result for constant in constants])
    return True


def _gives_codes_meaning(op: OnnxOp) -> bool:
    """Tell whether an op dequantises codes whose sums of products may be integers.

    A single number may be a size.
    """
    if op.op_type != "DequantizeLinear" or not is_ranked(op.operands[0].type):
        return False
    if all(extent == 1 for extent in op.operands[0].type.get_shape()):
        return False
    return element_of(op.operands[0].type) in (*CODES, i32)


def _unpacks(op: OnnxOp) -> bool:
    """Tell whether an op takes integers of several codes apart, which rules of nn leave packed.

    A few integers may be sizes.
    """
    if op.op_type != "BitShift" or (made := _shape(op.results[0])) is None:
        return False
    return prod(made) > max(prod(_shape(op.operands[0]) or ()), DATA_ELEMENTS)


def infer_and_fold(ctx: Context, op: OnnxOp, opsets: dict[str, int], budget: FoldingBudget) -> bool:
    """Refine the result types of an op, then fold it where possible; tell whether it was folded.

    An op that ONNX's inference refuses is not folded: the reference computes more than an operator
    takes, such as a matrix from a scalar by Flatten.
    """
    is_valid = infer_result_types(ctx, op, opsets)
    budget.misjudged |= is_misjudged(ctx, op)
    return is_valid and fold_op(ctx, op, budget)


def _shape_values(op: OnnxOp) -> Array | None:
    """Return what Shape or Size yields; only the extents that it asks for need to be known."""
    if op.op_type not in ("Shape", "Size") or not is_ranked(op.operands[0].type):
        return None
    extents = op.operands[0].type.get_shape()
    if op.op_type == "Shape" and op.version >= 15:
        start, end = op.setting("start"), op.setting("end")
        assert isinstance(start, int | None) and isinstance(end, int | None)
        extents = extents[start:end]
    if any(extent < 0 for extent in extents):
        return None
    if op.op_type == "Shape":
        return np.array(extents, np.int64)
    count = prod(extents)
    return np.array(count, np.int64) if count <= np.iinfo(np.int64).max else None


@dataclass
class _Results:
    """The results of an op for constants, which are computed if a budget allows that."""

    needed: tuple[int, int, int] | None
    """The bytes of the results or of the largest operand, the steps to compute the results, and
    their bytes; ``None`` if these are not known.
    """
    values: Sequence[ConstantValue] | None = None
    is_computed: bool = False


def _evaluated(ctx: Context, op: OnnxOp, budget: FoldingBudget) -> Sequence[ConstantValue] | None:
    operands = _known_operands(op)
    node = None if operands is None else KnownNode.of(ctx, op)
    if operands is None or node is None:
        return None
    key = budget.misjudged, *operands, *(result.type for result in op.results)
    found: _Results | None = node.results.get(key)
    if found is None:
        found = node.results[key] = _results(ctx, op, node, operands)
    if found.needed is None or not budget.take(*found.needed):
        return None
    if not found.is_computed:
        found.is_computed = True
        found.values = _computed(ctx, op, node, operands, budget)
    return found.values


def _results(
    ctx: Context, op: OnnxOp, node: KnownNode, operands: Sequence[ConstantValue]
) -> _Results:
    store = WeightStore.of(ctx)
    arrays = [store.array(value) for value in operands]
    if (splat := _equal_elements(ctx, op, node, arrays)) is not None:
        return _Results((0, 0, 0), _attributes(store, op, [splat]), is_computed=True)
    return _Results(_needed(op, arrays))


def _computed(
    ctx: Context,
    op: OnnxOp,
    node: KnownNode,
    operands: Sequence[ConstantValue],
    budget: FoldingBudget,
) -> Sequence[ConstantValue] | None:
    store = WeightStore.of(ctx)
    arrays = [store.array(value) for value in operands]
    if op.op_type in _VIEWS and not budget.misjudged and (shape := _shape(op.results[0])):
        made = [arrays[0].reshape(shape)] if prod(shape) == arrays[0].size else None
    else:
        made = node.run(arrays)
    return None if made is None else _attributes(store, op, made)


def _attributes(
    store: WeightStore, op: OnnxOp, arrays: Sequence[Array]
) -> Sequence[ConstantValue] | None:
    """Return the results of an op as attributes; ``None`` if they have elements of another type."""
    elements = [element_of(result.type) for result in op.results]
    dtypes = [numpy_dtype(element) for element in elements if element in ELEMENT_BYTES]
    if [array.dtype for array in arrays] != dtypes:
        return None
    return [store.attribute(array) for array in arrays]


def _known_operands(op: OnnxOp) -> list[ConstantValue] | None:
    """Return the operands of an op that could be run; ``None`` if one is not a constant."""
    if not op.has_trait(Pure) or op.regions or op.op_type in COSTLY:
        return None
    if any(element_of(result.type) not in ELEMENT_BYTES for result in op.results):
        return None
    constants = [largest_value(operand) for operand in op.operands]
    known = [value for value in constants if value is not None]
    return known if len(known) == len(constants) else None


def _needed(op: OnnxOp, operands: Sequence[Array]) -> tuple[int, int, int] | None:
    """Return the bytes of the results or of the largest operand, the steps to compute the results,
    and their bytes.
    """
    results = _largest_results(op, operands)
    if results is None:
        return None
    elements, bytes_ = results
    largest = max([bytes_, *(operand.nbytes for operand in operands)])
    return largest, steps(op.op_type, operands, elements), bytes_


def _equal_elements(
    ctx: Context, op: OnnxOp, node: KnownNode, operands: Sequence[Array]
) -> Array | None:
    """Return the result, without computing each element, where all of them are equal."""
    shape: Sequence[int] | None = _shape(op.results[0])
    values: Sequence[Array] | None = None
    if op.op_type == "ConstantOfShape":
        shape = operands[0].reshape(-1).tolist()
        values = [_value_of_all(ctx, op)]
    elif op.op_type in RENUMBERINGS and shape is not None and prod(shape) != operands[0].size:
        return None
    elif op.op_type in _MOVEMENTS:
        values = equal_elements(operands[:1])
    elif op.op_type in POINTWISE and (elements := equal_elements(operands)) is not None:
        values = node.run(elements)
    if shape is None or values is None or len(values) != 1:
        return None
    try:
        return np.broadcast_to(values[0].reshape(()), shape)
    except ValueError:  # a negative extent, or more elements than NumPy can number
        return None


def _value_of_all(ctx: Context, op: OnnxOp) -> Array:
    """Return the element that ConstantOfShape repeats."""
    value = op.setting("value")
    if not isinstance(value, DenseAttr | WeightAttr):
        return np.zeros(1, np.float32)
    return WeightStore.of(ctx).array(value)


def _largest_results(op: OnnxOp, operands: Sequence[Array]) -> tuple[int, int] | None:
    """Return the most elements and bytes of the results, ``None`` if that is not known."""
    size, bytes_ = (operands[0].size, operands[0].nbytes) if operands else (0, 0)
    if op.op_type == "NonZero":
        return size * operands[0].ndim, size * operands[0].ndim * 8
    if op.op_type == "Compress":
        return size, bytes_
    if op.op_type == "Unique":
        return 4 * size, bytes_ + 3 * size * 8
    if any(_shape(result) is None for result in op.results):
        return None
    elements = sum(prod(_shape(result) or ()) for result in op.results)
    return elements, sum(byte_size(result.type) for result in op.results)


def _shape(value: SSAValue) -> tuple[int, ...] | None:
    """Return the shape of a value where it is static."""
    if not is_ranked(value.type) or not value.type.has_static_shape():
        return None
    return value.type.get_shape()


def _take_branch(ctx: Context, op: OnnxOp) -> bool:
    condition = constant_array(ctx, op.operands[0])
    if condition is None or condition.size != 1:
        return False
    branch = op.subgraph_named("then_branch" if condition.reshape(-1)[0] else "else_branch")
    if branch is None or not isinstance(end := branch.block.last_op, YieldOp):
        return False
    if len(end.arguments) != len(op.results):
        return False
    for value, result in zip(end.arguments, op.results, strict=True):
        if isinstance(value, OpResult):
            set_type(value, refine(value.type, result.type))
    values = tuple(end.arguments)
    end.detach()
    end.erase()
    Rewriter.inline_block(branch.block, InsertPoint.before(op))
    _replace(op, [], values)
    return True


def _replace(op: OnnxOp, new: Sequence[Operation], values: Sequence[SSAValue]) -> None:
    operands = tuple(op.operands)
    Rewriter.replace_op(op, new, values)
    for operand in operands:
        if isinstance(operand.owner, ConstantOp) and operand.first_use is None:
            Rewriter.erase_op(operand.owner)


@dataclass(frozen=True)
class FoldOnnxConstantsPass(ModulePass):
    """Compute onnx ops whose operands are known, by ONNX's reference implementation.

    Types are inferred on the way, so a chain that computes a shape folds in one run. If extents of
    the module stay open, values that follow from them are kept in ``onnx.largest``.
    """

    name = "fold-onnx-constants"

    max_bytes: int = MAX_BYTES
    """Bytes that the results or an operand of one op may take, unless all elements are equal."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Infer and fold in order, so that each op sees its operands folded."""
        opsets, budget = opset_of(op), FoldingBudget.of(ctx, self.max_bytes)
        # The ops in the body of a loop come before the loop.
        budget.misjudged = any(
            isinstance(inner, OnnxOp) and hands_on_other_shapes(inner) for inner in op.walk()
        )
        budget.is_open = EXTENT_ATTRIBUTE in op.attributes
        for inner in nested_onnx_ops(op.body.block):
            infer_and_fold(ctx, inner, opsets, budget)
        update_function_types(op)
