"""``form-kernels``: every op that is not fused becomes a kernel of its own."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.analysis.growing_axes import OpenAxes
from autodeploy.analysis.open_axes import open_axes
from autodeploy.dialects.nn.base import MovementOp, NNOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.movement import is_left_to_driver
from autodeploy.dialects.nn.types import ELEMENT_BYTES, bounds_of, element_of
from autodeploy.passes.fusion.kernels import form_kernel

LEAST_ROW_BYTES = 64
"""Bytes of the shortest row that the driver copies by itself: shorter ones are a kernel's."""


@dataclass(frozen=True)
class FormKernelsPass(ModulePass):
    """Wrap every nn op that is in no kernel yet into one of its own.

    Constants stay outside, and so do the movements that are views of data (reshapes, slices) or
    copies of whole tensors to other places (concats, transposes). A constant of one number moves
    inside with the pointwise op that reads it. A concat of operands that are open along its axis
    stays outside, too, where rows after that axis are contiguous in memory and no shorter than a
    line of the cache.
    """

    name = "form-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Wrap the ops of all functions."""
        for func in [f for f in op.body.block.ops if isinstance(f, FuncOp)]:
            _leave_rows(op, func)
        for inner in list(op.walk()):
            if (
                isinstance(inner, NNOp)
                and not is_left_to_driver(inner)
                and not isinstance(inner.parent_op(), KernelOp)
            ):
                constants = {operand.owner for operand in inner.operands}
                Rewriter.replace_op(inner, form_kernel([inner]))
                for constant in constants:
                    if isinstance(constant, ConstantOp) and not constant.result.uses:
                        Rewriter.erase_op(constant)


def _leave_rows(module: ModuleOp, func: FuncOp) -> None:
    """Leave to the driver what joins open operands by whole rows."""
    joins = [
        op
        for op in func.body.walk()
        if isinstance(op, MovementOp)
        and op.has_ended_parts
        and not isinstance(op.parent_op(), KernelOp)
    ]
    axes = open_axes(module, func) if joins else None
    for op in joins:
        if axes is not None and _has_rows(op, axes):
            op.copy_parts()


def _has_rows(op: MovementOp, axes: OpenAxes) -> bool:
    """Tell whether what lies inside of the axis of a concat is one long row in all runs."""
    assert op.joined_axis is not None
    inner = op.joined_axis + 1
    row = prod(bounds_of(op.result.type)[inner:]) * ELEMENT_BYTES[element_of(op.result.type)]
    return row >= LEAST_ROW_BYTES and not any(
        any(axes.of(value)[inner:]) for value in (*op.operands, op.result)
    )
