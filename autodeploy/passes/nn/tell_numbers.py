"""Let ops that end where a run does read the extents that say so."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from autodeploy.analysis.open_problems import OpenProblems, not_told, telling_inputs
from autodeploy.analysis.open_reads import open_reads
from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.control_flow import ForOp, IfOp
from autodeploy.dialects.nn.extent_attr import (
    Axes,
    ExtentsAttr,
    axes_of_type,
    is_varying,
    value_axes,
)
from autodeploy.dialects.nn.movement import ReshapeOp, SliceOp
from autodeploy.dialects.nn.resampling import SampledOp
from autodeploy.frontend.nn.run_values import ended


def tell_numbers(func: FuncOp, found: OpenProblems, sources: Sequence[SSAValue]) -> None:
    """Give each op of a function operands from whose extents its kernel knows the numbers.

    A kernel knows the extents of its operands. If it computes an operand from constants alone,
    ``nn.ended`` marks that value and reads inputs. A reshape and a resize read further inputs where
    their operands do not say all numbers. The sources say derived numbers, as inputs do others.
    """
    told = _ToldAxes([*func.body.block.args, *sources])
    for op in tuple(func.walk()):
        told.add(op, found)


class _ToldAxes:
    """The axes of values whose extents follow from inputs, however ops become kernels."""

    def __init__(self, inputs: Sequence[SSAValue]):
        self._inputs = inputs
        self._axes: dict[SSAValue, Axes] = {}

    def of(self, value: SSAValue) -> Axes:
        """Return the axes of a value; one that does not follow is not open here.

        The arguments of regions are memory, whose extents are known.
        """
        axes = value_axes(value)
        return axes if isinstance(value, BlockArgument) else self._axes.get(value, _closed(axes))

    def add(self, op: Operation, found: OpenProblems) -> None:
        """Find the axes of the results of an op, and let it read what it needs."""
        if isinstance(op, ConstantOp | FuncOp):
            return
        if not isinstance(op, NNOp):
            if isinstance(op, ForOp | IfOp):
                first = len(op.operands) - len(op.captured)
                self._end(op, range(first, len(op.operands)))
            self._axes |= {result: value_axes(result) for result in op.results}
            return
        if not any(is_varying(value.type) for value in (*op.operands, op.result)):
            self._axes[op.result] = _closed(value_axes(op.result))
            return
        wanted = self._wanted(op)
        if wanted and isinstance(op, ReshapeOp | SampledOp):
            more = telling_inputs(self._inputs, wanted, [self.of(op.operands[0])])
            if isinstance(op, SampledOp):
                op.bring(more)
            else:
                op.operands = [op.x, *more]
        elif wanted:
            self._end(op, [read.index for read in open_reads(op) if read.needs_end])
        if wanted and self._wanted(op):
            found.refuse(op, "no operand brings the number after whose elements it ends")
        known = [self.of(value) for value in op.operands]
        self._axes[op.result] = tuple(
            CONSTANT if not_told([growth], known) else growth
            for growth in axes_of_type(op.result.type)
        )

    def _wanted(self, op: NNOp) -> Sequence[Growth]:
        """Return the extents that the kernel of an op computes with, as far as nothing says them"""
        wanted = [read.growth for read in open_reads(op) if read.needs_end]
        if isinstance(op, ReshapeOp) and not op.is_view:
            wanted += [growth for growth in axes_of_type(op.result.type) if growth]
        if isinstance(op, SampledOp):
            wanted += [g for _, *both in op.grown.values() for g in both if g]
        if isinstance(op, SliceOp) and isinstance(op.starts, ExtentsAttr):
            wanted += [growth for growth in op.starts.growths if growth]
        return not_told(wanted, [self.of(value) for value in op.operands])

    def _end(self, op: Operation, indices: Sequence[int]) -> None:
        """Let operands that are computed from constants alone read inputs, too."""
        for index in dict.fromkeys(indices):
            value = op.operands[index]
            axes = value_axes(value)
            if self.of(value) == axes:
                continue
            by = telling_inputs(self._inputs, [growth for growth in axes if growth], [])
            op.operands[index] = ended(op, value, by)
            self._axes[op.operands[index]] = axes


def _closed(axes: Axes) -> Axes:
    return (CONSTANT,) * len(axes)
