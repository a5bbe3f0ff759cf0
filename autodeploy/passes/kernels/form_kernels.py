"""``form-kernels``: every op that is not fused becomes a kernel of its own."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.movement import is_left_to_driver
from autodeploy.passes.fusion.kernels import form_kernel


@dataclass(frozen=True)
class FormKernelsPass(ModulePass):
    """Wrap every nn op that is in no kernel yet into one of its own.

    Constants stay outside, and so do the movements that are views of data (reshapes, slices) or
    copies of whole tensors to other places (concats, transposes). A constant of one number moves
    inside with the pointwise op that reads it.
    """

    name = "form-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Wrap the ops of all functions."""
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
