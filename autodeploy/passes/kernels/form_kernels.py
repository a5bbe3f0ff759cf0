"""``form-kernels``: every op that is not fused becomes a kernel of its own."""

from __future__ import annotations

from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.dialects.growth import Growth, sum_of_growths
from autodeploy.dialects.nn.base import MovementOp, NNOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.extent_attr import axes_of_type
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.movement import is_left_to_driver
from autodeploy.dialects.nn.types import ELEMENT_BYTES, bounds_of, element_of
from autodeploy.passes.fusion.kernels import form_kernel

LEAST_ROW_BYTES = 64
"""Bytes of the shortest row that the driver copies by itself: shorter ones are a kernel's."""


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
        for func in [f for f in op.body.block.ops if isinstance(f, FuncOp)]:
            _leave_rows(func)
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


def _leave_rows(func: FuncOp) -> None:
    """Leave to the driver what joins open operands by whole rows."""
    for op in func.body.walk():
        if isinstance(op, MovementOp) and op.has_ended_parts and _has_rows(op):
            op.copy_parts()


def _has_rows(op: MovementOp) -> bool:
    """Return whether the driver may copy the parts of a concat.

    All inside of the axis is one long row in all runs, and parts begin at places in a known form.
    """
    assert op.joined_axis is not None
    grown, constant = list[Growth](), 0
    for value in op.operands[:-1]:
        growth = axes_of_type(value.type)[op.joined_axis]
        grown.append(growth)
        constant += 0 if growth else bounds_of(value.type)[op.joined_axis]
        if sum_of_growths(grown, constant) is None:
            return False
    inner = op.joined_axis + 1
    row = prod(bounds_of(op.result.type)[inner:]) * ELEMENT_BYTES[element_of(op.result.type)]
    return row >= LEAST_ROW_BYTES and not any(
        any(axes_of_type(value.type)[inner:]) for value in (*op.operands, op.result)
    )
