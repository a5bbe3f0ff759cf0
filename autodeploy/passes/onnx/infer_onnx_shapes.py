"""Types of onnx values from ONNX's own shape inference, op by op.

A type only ever becomes more precise: an unknown extent, rank or type is filled in, and the
types of the model stay, even if inference contradicts them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce

from typing_extensions import TypeIs
from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    TensorType,
    UnrankedTensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.diagnostics import UserError
from autodeploy.dialects.nn.constant import ConstantValue
from autodeploy.dialects.nn.types import largest_count
from autodeploy.dialects.onnx import OnnxOp, OptionalType, SequenceType, UnknownType, op_class
from autodeploy.passes.onnx.known_nodes import Known, KnownNode
from autodeploy.passes.onnx.largest_values import largest_value

DATA_ELEMENTS = 64
"""Constants up to this many elements are shown to the inference: shapes, axes, pads, scales."""

_LAST_OPSET = 2**31 - 1
"""ONNX numbers versions by 32-bit integers."""


def opset_of(op: Operation) -> dict[str, int]:
    """Return the opsets that the module around an op imports, by domain (empty for ai.onnx).

    Raises ``UserError`` for a version that ONNX cannot have.
    """
    while (parent := op.parent_op()) is not None:
        op = parent
    opsets = op.attributes.get("onnx.opset")
    if not isinstance(opsets, DictionaryAttr):
        return {}
    versions = {
        "" if domain == "ai.onnx" else domain: version.value.data
        for domain, version in opsets.data.items()
        if isinstance(version, IntegerAttr)
    }
    for domain, version in versions.items():
        if not 0 <= version <= _LAST_OPSET:
            raise UserError(
                f"onnx.opset has version {version} of {domain or 'ai.onnx'}, "
                f"expected 0 to {_LAST_OPSET}"
            )
    return versions


def is_ranked(type_: Attribute) -> TypeIs[TensorType[Attribute]]:
    """Return whether a type is that of a tensor of known rank."""
    return isinstance(type_, TensorType)


def is_unranked(type_: Attribute) -> TypeIs[UnrankedTensorType[Attribute]]:
    """Return whether a type is that of a tensor of unknown rank."""
    return isinstance(type_, UnrankedTensorType)


def element_of(type_: Attribute) -> Attribute | None:
    """Return the element type of a tensor of any rank; ``None`` for another type."""
    return type_.element_type if is_ranked(type_) or is_unranked(type_) else None


def refine(known: Attribute, found: Attribute) -> Attribute:
    """Return ``known`` with its open extents taken from ``found``.

    If both are known and differ, ``known`` is returned as it is.
    """
    if isinstance(known, UnknownType):
        return found
    if isinstance(known, SequenceType | OptionalType) and type(known) is type(found):
        assert isinstance(found, SequenceType | OptionalType)
        return type(known)(refine(known.element, found.element))
    if not is_ranked(found):
        return known
    if is_unranked(known):
        return found if known.element_type == found.element_type else known
    if not is_ranked(known) or known.element_type != found.element_type:
        return known
    shape, other = known.get_shape(), found.get_shape()
    if min(shape, default=0) >= 0 or len(shape) != len(other):
        return known
    pairs = list(zip(shape, other, strict=True))
    if any(a != b and a >= 0 and b >= 0 for a, b in pairs):
        return known
    return TensorType(known.element_type, [b if a < 0 else a for a, b in pairs], known.encoding)


def infer_result_types(ctx: Context, op: OnnxOp, opsets: dict[str, int]) -> bool:
    """Refine the result types of one op from its operands' types and small constants.

    Return whether ONNX's inference lets the op have these operands. An op that ONNX cannot infer
    keeps its types, as Loop and Scan do. ``opsets`` are those of the module.
    """
    if op.op_type == "If":
        _infer_from_branches(op)
        return True
    found = _inferred(ctx, op, opsets)
    for result, type_ in zip(tuple(op.results), found or (), strict=False):
        if type_ is not None:
            set_type(result, refine(result.type, type_))
    return found is not None


def is_contradictory(ctx: Context, op: OnnxOp) -> bool:
    """Return whether ONNX's inference says that an op cannot have the operands that it has."""
    return _inferred(ctx, op, opset_of(op)) is None


def inferred_shapes(
    ctx: Context, op: OnnxOp, known: Callable[[SSAValue], Known]
) -> list[tuple[int, ...] | None]:
    """Return the shapes of the results of an op for other types and values of its operands.

    An unknown extent is negative; ``None`` stands for a shape of unknown rank, and for all where
    ONNX does not infer.
    """
    found = _inferred(ctx, op, opset_of(op), known) or [None] * len(op.results)
    return [None if a is None or not is_ranked(a) else a.get_shape() for a in found]


def _inferred(
    ctx: Context,
    op: OnnxOp,
    opsets: dict[str, int],
    known: Callable[[SSAValue], Known] | None = None,
) -> Sequence[Attribute | None] | None:
    """Return the types that ONNX infers of results, ``None`` if it refuses the operands.

    ONNX knows nothing of an operator that a text defines. Operands have their types and their
    values for the largest numbers, or the ``known`` ones.
    """
    node = None if op.text is not None else KnownNode.of(ctx, op)
    if node is None:
        return [None] * len(op.results)
    imports = {**opsets, op.domain: _opset(op, opsets)}
    operands = ((known or _largest)(value) for value in op.operands)
    return node.types([(type_, _shown(value)) for type_, value in operands], imports)


def _largest(value: SSAValue) -> Known:
    """Return the type of a value, and the value for the largest numbers if that is known."""
    return value.type, largest_value(value)


def _shown(value: ConstantValue | None) -> ConstantValue | None:
    return None if value is None or largest_count(value.type) > DATA_ELEMENTS else value


def set_type(result: OpResult, type_: Attribute) -> None:
    """Give a result another type, where it is another; its uses and its name stay."""
    if type_ != result.type:
        Rewriter.replace_value_with_new_type(result, type_)


def nested_onnx_ops(block: Block) -> Iterator[OnnxOp]:
    """Yield the onnx ops of a block, each after those of its own subgraphs.

    The op that was yielded may be replaced before the next one is asked for.
    """
    for op in tuple(block.ops):
        for region in op.regions:
            for inner in region.blocks:
                yield from nested_onnx_ops(inner)
        if isinstance(op, OnnxOp):
            yield op


def update_function_types(module: ModuleOp) -> None:
    """Give each function the result types that its return has."""
    for op in module.ops:
        if isinstance(op, FuncOp) and not op.is_declaration:
            op.update_function_type()


def _infer_from_branches(op: OnnxOp) -> None:
    """Refine the results of an If by the results of both branches."""
    ends = [region.block.last_op for region in op.regions]
    if not all(end is not None and len(end.operands) == len(op.results) for end in ends):
        return
    yielded = [end.operand_types for end in ends if end is not None]
    for result, *types in zip(tuple(op.results), *yielded, strict=True):
        set_type(result, refine(result.type, reduce(_common, types)))


def _common(first: Attribute, second: Attribute) -> Attribute:
    """Return the most precise type that covers both."""
    if first == second:
        return first
    if is_ranked(first) and is_ranked(second):
        if first.element_type != second.element_type:
            return UnknownType()
        if first.get_num_dims() == second.get_num_dims():
            pairs = zip(first.get_shape(), second.get_shape(), strict=True)
            return TensorType(
                first.element_type, [a if a == b else DYNAMIC_INDEX for a, b in pairs]
            )
        return UnrankedTensorType(first.element_type)
    return UnknownType()


def _opset(op: OnnxOp, opsets: dict[str, int]) -> int:
    """Return an opset in which the operator is this version: the module's, where it is."""
    version = opsets.get(op.domain, 0)
    same = op_class(op.op_type, version, op.domain) is type(op)
    return version if same else op.version


class InferOnnxShapesPass(ModulePass):
    """Fill in unknown extents, ranks and types of onnx ops by ONNX's shape inference."""

    name = "infer-onnx-shapes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Infer in order, so that each op sees what its operands gained."""
        opsets = opset_of(op)
        for inner in nested_onnx_ops(op.body.block):
            infer_result_types(ctx, inner, opsets)
        update_function_types(op)
