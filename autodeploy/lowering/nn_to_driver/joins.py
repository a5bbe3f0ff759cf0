"""Joins of open operands by copies, and which inputs and outputs take part where they are.

An input or output with an open axis inside of others has no gaps in the caller's memory. Most are
copied: a buffer has room for the largest number, so that its strides are constants.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.dialects.func import ReturnOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from autodeploy.dialects.driver import elements_of
from autodeploy.dialects.extents import Extent
from autodeploy.dialects.growth import Growth, sum_of_growths
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.nn.base import MovementOp
from autodeploy.dialects.nn.extent_attr import axes_of_type
from autodeploy.dialects.nn.kernel import CallOp
from autodeploy.dialects.nn.movement import TransposeOp, joins_rows
from autodeploy.dialects.nn.open_extent import outermost_axis
from autodeploy.dialects.nn.types import bounds_of, shape_of
from autodeploy.dialects.strides import is_row_major


def join_starts(op: MovementOp) -> Iterator[tuple[int, Growth]]:
    """Yield where each operand begins: the place for the largest number, and how it grows."""
    axis, start, constant, grown = op.joined_axis, 0, 0, list[Growth]()
    assert axis is not None
    for value in op.operands:
        first = sum_of_growths(grown, constant)
        assert first is not None  # the extent of what is joined has this form, too
        yield start, first
        extent = bounds_of(value.type)[axis]
        growth = axes_of_type(value.type)[axis]
        start += extent
        constant += 0 if growth else extent
        grown += [growth] if growth else []


def is_packed(value: SSAValue) -> bool:
    """Return whether an input or output has its elements elsewhere than kernels read them.

    That is where an open axis is not its outermost one of several elements: those of a run are not
    the first ones in memory then. And where there may be none, so that there is no memory.
    """
    shape, outermost = shape_of(value.type), outermost_axis(bounds_of(value.type))
    opened = [(axis, n) for axis, n in enumerate(shape) if isinstance(n, Extent)]
    return any(axis > outermost or n.least < 1 for axis, n in opened)


def has_rows(memory: SSAValue, axis: int) -> bool:
    """Return whether the elements inside of an axis of a value are contiguous."""
    elements = elements_of(memory)
    return is_row_major(elements.shape[axis + 1 :], elements.strides[axis + 1 :])


def is_joined_in_place(value: SSAValue) -> bool:
    """Return whether an output is joined where the caller has it, and read there.

    It has elements in each run, it is one output, and all other readers are kernels, transposes
    and joins.
    """
    owner = value.owner
    if not is_packed(value) or not isinstance(owner, Operation):
        return False
    returned = [use for use in value.uses if isinstance(use.operation, ReturnOp)]
    return (
        joins_rows(owner)
        and len(returned) == 1
        and not any(isinstance(n, Extent) and n.least < 1 for n in shape_of(value.type))
        and all(use in returned or _reads(use.operation) for use in value.uses)
    )


def _reads(op: Operation) -> bool:
    """Return whether an op takes a value by strides that only a run knows."""
    if isinstance(op, TransposeOp):
        return not op.is_view or all(isinstance(use.operation, CallOp) for use in op.result.uses)
    return isinstance(op, CallOp) or joins_rows(op)


def is_read_in_place(argument: BlockArgument, pipelines: Mapping[str, PipelineOp]) -> bool:
    """Return whether an input is joined with others, and else only asked for its extents."""
    return all(
        joins_rows(use.operation) or asks(use.operation, use.index, pipelines)
        for use in argument.uses
    )


def asks(op: Operation, index: int, pipelines: Mapping[str, PipelineOp]) -> bool:
    """Return whether a call takes the extents of an operand alone."""
    if not isinstance(op, CallOp):
        return False
    callee = op.properties["callee"]
    assert isinstance(callee, SymbolRefAttr)
    pipeline = pipelines.get(callee.string_value())
    return pipeline is not None and pipeline.reads_nothing(index)
