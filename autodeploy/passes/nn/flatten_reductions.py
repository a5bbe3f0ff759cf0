"""``flatten-reductions``: the largest or least element of a tensor is that of a list."""

from __future__ import annotations

from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.nn.base import AnchorOp
from autodeploy.dialects.nn.extent_attr import axes_of_type
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.movement import ReshapeOp
from autodeploy.dialects.nn.types import bounds_of


class FlattenReductionsPass(ModulePass):
    """Take the maximum or minimum of all elements of a kernel's input as that of one axis.

    A view of the input has the axis. The accumulators of a list stay in registers, and those of its
    rows do not. Other reductions round, so that their order counts.
    """

    name = "flatten-reductions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)]:
            fold = kernel.anchor
            if fold is not None and fold.folds_in_any_order and kernel.config is None:
                _flatten(kernel, fold)


def _flatten(kernel: KernelOp, fold: AnchorOp) -> None:
    x, result = fold.operands[0], fold.results[0]
    shape = bounds_of(x.type)
    is_whole = len(fold.folded_axes) == len(shape) > 1 and not bounds_of(result.type)
    if not is_whole or not isinstance(x, BlockArgument) or not x.has_one_use():
        return
    if any(axes_of_type(x.type)):
        return
    view = ReshapeOp(kernel.inputs[x.index], [prod(shape)])
    Rewriter.insert_op(view, InsertPoint.before(kernel))
    kernel.operands[x.index] = view.result
    flat = Rewriter.replace_value_with_new_type(x, view.result.type)
    new = fold.fold_of(flat, [0])
    new.location = fold.location
    Rewriter.replace_op(fold, new)
