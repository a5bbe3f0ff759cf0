"""Values of branches whose extents depend on values, or on which branch a run takes."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Block, BlockArgument, SSAValue

from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.types import element_of, shape_of
from autodeploy.lowering.onnx_to_nn.context import Bound, ConversionContext
from autodeploy.lowering.onnx_to_nn.structures import is_structure
from autodeploy.lowering.onnx_to_nn.subgraphs import replace_inside
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

    So nothing is inferred, or folded, of the room that they have.
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


def join_extents(
    b: ConversionContext, blocks: Sequence[Block], branches: Sequence[list[SSAValue] | None]
) -> dict[int, int]:
    """Let branches give the same types, and behind their values how many elements count.

    Returns the axis along which a value has an extent that a run finds, by its position, in the
    order of the numbers behind the values. Those of other types stay as they are.
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

    ``None`` where there is none, or the values differ in something else.
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
    """Put zeros behind the last element along an axis."""
    shape, element = list(shape_of(value.type)), element_of(value.type)
    shape[axis] = room - shape[axis]
    if not shape[axis]:
        return value
    zeros = b.make_constant(np.zeros(shape, numpy_dtype(element)))
    return b.emit(ConcatOp([value, zeros], axis))
