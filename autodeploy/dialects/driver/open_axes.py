"""Checks of the axes of a program that follow from the numbers of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.driver.calls import JoinOp
from autodeploy.dialects.driver.packed import check_packed, joins_within
from autodeploy.dialects.driver.regions import ForOp
from autodeploy.dialects.growth import Growth
from autodeploy.dialects.memref import MemRef
from autodeploy.dialects.nn.open_extent import OpenExtentAttr, listed_axes

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
