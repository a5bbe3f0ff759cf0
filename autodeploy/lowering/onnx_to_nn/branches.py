"""Values of branches whose extents depend on values, or on which branch a run takes."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue, SSAValues
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import Pure

from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.types import element_of, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.lowering.onnx_to_nn.context import Bound, ConversionContext
from autodeploy.lowering.onnx_to_nn.structures import is_structure
from autodeploy.lowering.onnx_to_nn.subgraphs import replace_inside
from autodeploy.passes.onnx.infer_onnx_shapes import (
    infer_result_types,
    is_ranked,
    nested_onnx_ops,
    opset_of,
    set_type,
)
from autodeploy.weights import numpy_dtype


def capture_counts(b: ConversionContext, blocks: Sequence[Block], captured: list[SSAValue]) -> None:
    """Make how many elements of captured values count arguments of the blocks, too.

    The last arguments of each block are the captured values, to which these numbers are added.
    """
    values = [value for value in captured if value in b.bounded]
    for value in values:
        bound = b.bounded[value]
        if bound.count not in captured:
            captured.append(bound.count)
            for block in blocks:
                block.insert_arg(bound.count.type, len(block.args))
        place, number = captured.index(value), captured.index(bound.count)
        for block in blocks:
            own = block.args[len(block.args) - len(captured) :]
            b.bounded[own[place]] = Bound(bound.axis, own[number])


@contextmanager
def open_counted(b: ConversionContext, block: Block) -> Generator[None]:
    """Let what a block reads of values with such an extent have an open one meanwhile.

    Nothing is then inferred, or folded, from their maximum size.
    """
    read = dict.fromkeys(
        value for op in block.walk() for value in op.operands if value in b.bounded
    )
    stand_ins: list[tuple[SSAValue, BlockArgument]] = []
    for value in read:
        shape = list(shape_of(value.type))
        shape[b.bounded[value].axis] = DYNAMIC_INDEX
        argument = block.insert_arg(TensorType(element_of(value.type), shape), len(block.args))
        replace_inside(value, argument, block)
        stand_ins.append((value, argument))
    try:
        yield
    finally:
        for value, argument in reversed(stand_ins):
            argument.replace_all_uses_with(value)
            block.erase_arg(argument)


def sink_readers(b: ConversionContext, op: OnnxOp, blocks: Sequence[Block]) -> None:
    """Move the readers of a result into all branches while these give it other shapes.

    The result of a reader takes the place of the results that it reads, and of those that nothing
    reads any more; each further reader of a result gets a copy of it.
    """
    for block in blocks:
        _infer(b, block, list(nested_onnx_ops(block)))
    position = 0
    while position < len(op.results):
        while _differ([_end(block).operands[position].type for block in blocks]):
            result = op.results[position]
            _copy_result(op, result, blocks)
            reader = _only_reader(op, result)
            if reader is None:
                break
            changed = [one for one in op.results if one in reader.operands or one.first_use is None]
            for block in blocks:
                end = _end(block)
                copy = reader.clone({one: end.operands[one.index] for one in changed})
                Rewriter.insert_op(copy, InsertPoint.before(end))
                _infer(b, block, [copy])
                for one in changed:
                    end.operands[one.index] = copy.results[0]
            for one in changed:
                set_type(one, reader.results[0].type)
            reader.results[0].replace_all_uses_with(op.results[position])
            reader.detach()
            reader.erase()
        position += 1


def _copy_result(op: OnnxOp, result: OpResult, blocks: Sequence[Block]) -> None:
    """Give all readers of a result but one a result of their own, which is the same."""
    for reader in [*dict.fromkeys(use.operation for use in result.uses)][1:]:
        copy = OpResult(result.type, op, len(op.results))
        op.results = SSAValues((*op.results, copy))
        for end in map(_end, blocks):
            end.operands = [*end.operands, end.operands[result.index]]
        reader.operands = [copy if value is result else value for value in reader.operands]


def _infer(b: ConversionContext, block: Block, ops: Sequence[OnnxOp]) -> None:
    with open_counted(b, block):
        for op in ops:
            infer_result_types(b.ctx, op, opset_of(op))


def _end(block: Block) -> Operation:
    assert block.last_op is not None
    return block.last_op


def _differ(types: Sequence[Attribute]) -> bool:
    """Return whether tensors differ in their rank, or along several axes."""
    shapes = [type_.get_shape() for type_ in types if is_ranked(type_)]
    if len(shapes) < len(types) or len({*map(len, shapes)}) > 1:
        return len(shapes) == len(types)
    return sum(len({*extents}) > 1 for extents in zip(*shapes, strict=True)) > 1


def _only_reader(op: OnnxOp, result: SSAValue) -> OnnxOp | None:
    """Return the only op that reads a result, if it may as well be in the branches."""
    reader = next((use.operation for use in result.uses), None)
    if not isinstance(reader, OnnxOp) or reader.parent is not op.parent or reader.regions:
        return None
    if len(reader.results) != 1 or not reader.has_trait(Pure):
        return None
    makers = [value.owner for value in reader.operands if value.owner is not op]
    later = [m for m in makers if isinstance(m, Operation) and m.parent is op.parent]
    later = [maker for maker in later if not maker.is_before_in_block(op)]
    if not all(isinstance(maker, ConstantOp) for maker in later):
        return None
    for maker in later:
        maker.detach()
        Rewriter.insert_op(maker, InsertPoint.before(op))
    return reader


def join_extents(
    b: ConversionContext, blocks: Sequence[Block], branches: Sequence[list[SSAValue] | None]
) -> dict[int, int]:
    """Let branches return the same types, and after their values the numbers of valid elements.

    Returns the axis along which a value has an extent that a run finds, by its position, in the
    order of the numbers after the values. Those of other types stay as they are.
    """
    taken = [
        (block, values)
        for block, values in zip(blocks, branches, strict=True)
        if values is not None
    ]
    axes: dict[int, int] = {}
    for position, parts in enumerate(zip(*(values for _, values in taken), strict=False)):
        axis = _joined_axis(b, parts)
        if axis is not None:
            axes[position] = axis
    for position, axis in axes.items():
        room = max(shape_of(values[position].type)[axis] for _, values in taken)
        for block, values in taken:
            value = values[position]
            bound, extent = b.bounded.get(value), shape_of(value.type)[axis]
            with b.before(block.last_op):
                values[position] = _padded(b, value, axis, room)
                values.append(b.make_constant(np.array([extent])) if bound is None else bound.count)
    return axes


def _joined_axis(b: ConversionContext, parts: Sequence[SSAValue]) -> int | None:
    """Return the only axis along which values differ, or have an extent that a run finds.

    ``None`` if there is none, or the values differ in something else.
    """
    if any(is_structure(part.type) or part in b.stored for part in parts):
        return None
    shapes = [shape_of(part.type) for part in parts]
    if len({len(shape) for shape in shapes}) > 1:
        return None
    if len({element_of(part.type) for part in parts}) > 1:
        return None
    axes = {b.bounded[part].axis for part in parts if part in b.bounded}
    axes |= {axis for axis, extents in enumerate(zip(*shapes, strict=True)) if len({*extents}) > 1}
    return axes.pop() if len(axes) == 1 else None


def _padded(b: ConversionContext, value: SSAValue, axis: int, room: int) -> SSAValue:
    """Put zeros after the last element along an axis."""
    shape, element = list(shape_of(value.type)), element_of(value.type)
    shape[axis] = room - shape[axis]
    if not shape[axis]:
        return value
    zeros = b.make_constant(np.zeros(shape, numpy_dtype(element)))
    return b.emit(ConcatOp([value, zeros], axis))
