"""The places of the elements of a run in the caller's memory, which has no gaps.

A buffer has room for the largest number, so that its strides are constants. If an argument has an
open axis inside of others, the strides of those others follow from the number of a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, SSAValue

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.driver.calls import CallOp, CopyOp, JoinOp
from autodeploy.dialects.driver.memory import ViewOp
from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.memref import MemRef, is_dense
from autodeploy.dialects.nn.open_extent import Axes, OpenExtentAttr, volume
from autodeploy.dialects.strides import Region as Elements
from autodeploy.dialects.strides import row_major

if TYPE_CHECKING:
    from autodeploy.dialects.driver.program import ProgramOp


def strides_of_run(
    elements: Elements, shape: Sequence[int], axes: Axes
) -> tuple[tuple[int, Growth], ...] | None:
    """Return the strides in a run of a view of a dense argument: a constant or a growth of each.

    ``elements`` are those of the view for the largest number, ``shape`` and ``axes`` those of the
    argument. ``None`` if the view does not begin with the argument, or has an axis along which
    it does not go over the elements of one of the argument's.
    """
    known: dict[int, tuple[int, Growth]] = {}
    for axis, (extent, stride) in enumerate(zip(shape, row_major(shape), strict=True)):
        if extent != 1:
            known[stride] = volume(shape[axis + 1 :], axes[axis + 1 :])
    found: list[tuple[int, Growth]] = []
    for extent, stride in zip(elements.shape, elements.strides, strict=True):
        if extent != 1 and stride not in known:
            return None
        found.append(known.get(stride, (stride, CONSTANT)))
    return None if elements.offset else tuple(found)


def joins_within(op: JoinOp, extent: OpenExtentAttr | None, source: Axes, target: Axes) -> bool:
    """Return whether what is joined fits into the target for all numbers of a run.

    ``source`` and ``target`` are the axes of both. Besides the axis the source has those of
    the target, or none; inside of it none is open, as rows would have gaps.
    """
    first, axis = op.open_start, op.axis.value.data
    if extent is None:
        return not first
    whole, own = (cast(MemRef, v.type).get_shape()[axis] for v in (op.target, op.source))
    parts = (first, op.start.value.data), (source[axis], own)
    room = extent.least(target[axis]) if target[axis] else whole
    return (
        sum(extent.least(growth) if growth else constant for growth, constant in parts) <= room
        and (not first or extent.most(first) == op.start.value.data)
        and all(not one or one == other for one, other in _beside(axis, source, target))
        and not any(source[axis + 1 :])
        and not any(target[axis + 1 :])
    )


def _beside(axis: int, source: Axes, target: Axes) -> Iterator[tuple[Growth, Growth]]:
    pairs = enumerate(zip(source, target, strict=True))
    return (pair for place, pair in pairs if place != axis)


def check_packed(program: ProgramOp) -> None:
    """Check that packed arguments of a program are only copied, joined or read."""
    for value in filter(program.is_packed, program.body.block.args):
        for use in value.uses:
            _check_use(program, value, use.operation, use.index)


def _check_use(program: ProgramOp, value: SSAValue, op: Operation, index: int) -> None:
    match op:
        case CopyOp() if value.type == op.operands[1 - index].type:
            other = op.operands[1 - index]
            good = not program.is_packed(other) and program.axes_of(other) == program.axes_of(value)
        case CopyOp():
            good = index == 0 and not is_dense(value) and not program.may_be_empty(value)
        case JoinOp():
            good = True
        case CallOp():
            good = index < len(op.inputs)
        case ViewOp():
            good = program.strides_of_run(op.result) is not None
            for use in op.result.uses if good else ():
                _check_use(program, op.result, use.operation, use.index)
        case _:
            good = False
    if not good:
        raise invalid(
            "program_c12",
            f"{value.type} has an open axis inside of others and is only copied, joined or "
            f"read, found {op.name}",
        )
