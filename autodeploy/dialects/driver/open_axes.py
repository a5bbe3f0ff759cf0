"""The axes of a program that follow from the numbers of a run: checks, and places in memory.

A buffer has room for the largest number, so that its strides are constants. The caller's memory has
no gaps: if an argument has an open axis inside of others, the strides of those others follow from
the number of a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, SSAValue

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.driver.calls import CallOp, CopyOp, JoinOp
from autodeploy.dialects.driver.memory import ViewOp
from autodeploy.dialects.driver.regions import ForOp
from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.memref import MemRef, is_dense
from autodeploy.dialects.nn.open_extent import Axes, OpenExtentAttr, listed_axes, volume
from autodeploy.dialects.strides import Region as Elements
from autodeploy.dialects.strides import row_major

if TYPE_CHECKING:
    from autodeploy.dialects.driver.program import ProgramOp


def check_open(program: ProgramOp) -> None:
    """Raise ``VerifyException`` where the axes of a value do not grow as the program says."""
    arguments = () if program.open_extent is None else program.body.block.args
    ranks = [len(cast(MemRef, argument.type).get_shape()) for argument in arguments]
    axes = listed_axes(program.open_arguments)
    if [len(entry) for entry in axes] != ranks:
        raise invalid(
            "program_c9",
            f"open arguments say how {ranks} axes grow, found {list(map(list, axes))}",
        )
    if program.open_extent is None:
        return
    made = (result for op in program.body.walk() for result in op.results)
    for value in (*program.body.block.args, *made):
        axes = program.axes_of(value)
        if axes is None:
            raise invalid(
                "program_c11",
                f"{value.type} has no axis for one that is open in its source, or other "
                "extents of it",
            )
        if not any(axes):
            continue
        shape, given = cast(MemRef, value.type).get_shape(), program.open_extent
        pairs = [(extent, growth) for extent, growth in zip(shape, axes, strict=True) if growth]
        if any(
            extent != given.most(growth) or given.least(growth) < _fewest(given, growth)
            for extent, growth in pairs
        ):
            raise invalid(
                "program_c10",
                f"the axes of {value.type} do not grow as {list(axes)} within the range",
            )
    for op in program.body.walk():
        if isinstance(op, ForOp) and op.steps is not None and (growth := op.open_steps):
            steps = op.steps.value.data
            if program.open_extent.most(growth) != steps:
                raise invalid("program_c15", f"{steps} steps do not grow as {growth}")
    check_packed(program)


def check_joins(program: ProgramOp) -> None:
    """Raise ``VerifyException`` where a joined value does not end within its target in each run."""
    for op in program.body.walk():
        if isinstance(op, JoinOp) and not joins_within(
            op,
            program.open_extent,
            program.axes_of(op.source) or (),
            program.axes_of(op.target) or (),
        ):
            raise invalid(
                "program_c16",
                f"{op.source.type} from {op.start.value.data} on does not fit into "
                f"{op.target.type} in each run",
            )


def _fewest(extent: OpenExtentAttr, growth: Growth) -> int:
    """Return the least that an extent may be: 0 where it grows by a number that may be 0."""
    return 0 if any(not range_.least for range_ in extent.ranges_of(growth)) else 1


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
