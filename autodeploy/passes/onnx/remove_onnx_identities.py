"""Onnx ops whose result is their operand.

An op is removed only if its types, attributes and constant operands prove that. With unknown
extents they mostly do not. One that ONNX's inference refuses stays, for the conversion to say
what is wrong with it.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.dialects.nn.bound import BOUND_ATTRIBUTE
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.open_extent import EXTENT_ATTRIBUTE
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.passes.onnx.infer_onnx_shapes import (
    element_of,
    is_contradictory,
    is_ranked,
    nested_onnx_ops,
    refine,
    update_function_types,
)
from autodeploy.weights import Array, constant_array

_ONE_OPERAND = frozenset({"Concat", "Max", "Mean", "Min", "Sum"})
"""Operators that combine any number of operands, and so do nothing with one."""

_SAME_ELEMENTS = frozenset({"Flatten", "Reshape", "Squeeze", "Unsqueeze"})
"""Operators that keep the elements of their operand, and their order."""

_REPEATS = frozenset({"Expand", "Tile"})
"""Operators that repeat an operand, and so leave it alone where they leave its shape alone."""

_BY_SHAPE = _SAME_ELEMENTS | _REPEATS | {"Slice"}
"""Operators that do nothing where shapes are the same."""


def is_identity(ctx: Context, op: OnnxOp) -> bool:
    """Return whether the first result of an op is certain to equal its first operand."""
    if op.domain or not op.operands or not op.results:
        return False
    source, result = op.operands[0].type, op.results[0].type
    match op.op_type:
        case "Identity":
            return BOUND_ATTRIBUTE not in op.attributes
        case "Dropout":
            return _drops_nothing(ctx, op)
        case "Cast" | "CastLike":
            return element_of(source) is not None and element_of(source) == element_of(result)
        case "Transpose":
            return _keeps_axes(op)
        case "Pad":
            return _pads_nothing(ctx, op)
        case "Slice":
            return _is_static(source) and source == result and _steps_forward(ctx, op)
        case kind if kind in _SAME_ELEMENTS:
            return source == result and _settled_by_count(source)
        case kind if kind in _REPEATS:
            return source == result and _is_static(source)
        case kind if kind in _ONE_OPERAND:
            return len(op.operands) == 1
        case _:
            return False


def _drops_nothing(ctx: Context, op: OnnxOp) -> bool:
    """Return whether a Dropout is in inference and nothing reads its mask."""
    if any(result.first_use is not None for result in op.results[1:]):
        return False
    if op.version >= 12:
        mode = op.input_named("training_mode")
        trains = None if mode is None else constant_array(ctx, mode)
        return mode is None or (trains is not None and not trains.any())
    return op.version >= 7 or op.setting("is_test") != 0


def _keeps_axes(op: OnnxOp) -> bool:
    permutation = op.setting("perm")
    if isinstance(permutation, tuple):
        return permutation == tuple(range(len(permutation)))
    type_ = op.operands[0].type  # the axes are reversed
    return is_ranked(type_) and type_.get_num_dims() < 2


def _pads_nothing(ctx: Context, op: OnnxOp) -> bool:
    if op.version >= 11:
        pads = _constant(ctx, op.input_named("pads"))
        return pads is not None and not pads.any()
    sizes = op.setting("pads" if op.version >= 2 else "paddings")
    return isinstance(sizes, tuple) and not any(sizes)


def _steps_forward(ctx: Context, op: OnnxOp) -> bool:
    """Return whether all steps of a Slice are positive: then equal extents mean the whole."""
    steps = op.input_named("steps") if op.version >= 10 else None
    if steps is None:
        return True
    values = _constant(ctx, steps)
    return values is not None and all(step > 0 for step in values.reshape(-1).tolist())


def _constant(ctx: Context, value: SSAValue | None) -> Array | None:
    return None if value is None else constant_array(ctx, value)


def _is_static(type_: Attribute) -> bool:
    return is_ranked(type_) and type_.has_static_shape()


def _settled_by_count(type_: Attribute) -> bool:
    """Return whether two values of this type and as many elements are certain to have one shape.

    One extent may be open where the others, none of them 0, settle it.
    """
    if not is_ranked(type_):
        return False
    shape = type_.get_shape()
    return _is_static(type_) or (shape.count(DYNAMIC_INDEX) == 1 and 0 not in shape)


class RemoveOnnxIdentitiesPass(ModulePass):
    """Remove onnx ops whose result is their operand: Identity, Dropout, idle casts, movements."""

    name = "remove-onnx-identities"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Replace each such op by its operand, unless its result type says more than that."""
        is_open = EXTENT_ATTRIBUTE in op.attributes
        for inner in nested_onnx_ops(op.body.block):
            if is_open and inner.op_type in _BY_SHAPE:
                continue  # it may be idle for the largest numbers alone
            if not is_identity(ctx, inner) or is_contradictory(ctx, inner):
                continue
            operands = tuple(inner.operands)
            kept = operands[0]
            if refine(kept.type, inner.results[0].type) != kept.type:
                continue
            inner.results[0].replace_all_uses_with(kept)
            Rewriter.erase_op(inner)
            for operand in operands[1:]:
                if isinstance(operand.owner, ConstantOp) and operand.first_use is None:
                    Rewriter.erase_op(operand.owner)
        update_function_types(op)
