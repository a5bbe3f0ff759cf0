"""``expand-batch-norms``: a batch normalisation that is not fused becomes a product and a sum.

With constant parameters it multiplies x by a number for each channel and adds another one. The root
and the division are computed at compile time, instead of for each pixel. Batch normalisations that
are part of the weights of a convolution or product are no ops by then.
"""

from __future__ import annotations

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32, f64
from xdsl.ir import BlockArgument, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import CHANNELS_FIRST
from autodeploy.dialects.nn.reduction import BatchNormOp
from autodeploy.dialects.nn.types import bounds_of, element_of
from autodeploy.passes.fusion.folding import batch_norm_factors
from autodeploy.weights import Array, WeightStore, constant_array


class ExpandBatchNormsPass(ModulePass):
    """Turn each nn.batch_norm of constant parameters into an nn.mul and an nn.add.

    Factor and offset are computed in float64 and rounded once. If one of them is not finite, or
    elements have fewer than 32 bits, the op stays.
    """

    name = "expand-batch-norms"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for norm in [o for o in op.walk() if isinstance(o, BatchNormOp)]:
            factors = _factors(ctx, norm)
            if factors is not None:
                _expand(ctx, norm, factors)


def _factors(ctx: Context, norm: BatchNormOp) -> list[Array] | None:
    """Return factor and offset, shaped to broadcast along the channels of x; ``None`` for none."""
    kernel = norm.parent_op()
    parameters: list[Array] = []
    for value in norm.operands[1:]:
        if isinstance(value, BlockArgument) and isinstance(kernel, KernelOp):
            value = kernel.inputs[value.index]
        array = constant_array(ctx, value)
        if array is None:
            return None
        parameters.append(array)
    if element_of(norm.x.type) not in (f32, f64):
        return None
    scale, shift, mean, variance = parameters
    exact = batch_norm_factors(scale, shift, mean, variance, norm.epsilon.value.data)
    with np.errstate(all="ignore"):
        rounded = [factor.astype(scale.dtype) for factor in exact]
    if not all(np.isfinite(factor).all() for factor in rounded):
        return None
    behind = len(bounds_of(norm.x.type)) - 2 if norm.layout == CHANNELS_FIRST else 0
    return [factor.reshape(-1, *(1,) * behind) for factor in rounded]


def _expand(ctx: Context, norm: BatchNormOp, factors: list[Array]) -> None:
    parameters = norm.operands[1:]
    factor, offset = (_constant(ctx, norm, array) for array in factors)
    product, total = norm.expanded(factor, offset)
    product.location = total.location = norm.location
    total.result.name_hint = norm.result.name_hint
    Rewriter.replace_op(norm, [product, total], [total.result])
    kernel = product.parent_op()
    unused = [value for value in dict.fromkeys(parameters) if not value.uses]
    for value in sorted(unused, key=lambda v: v.index if isinstance(v, BlockArgument) else 0)[::-1]:
        if isinstance(value, BlockArgument) and isinstance(kernel, KernelOp):
            kernel.operands = [o for i, o in enumerate(kernel.operands) if i != value.index]
            kernel.body.block.erase_arg(value)


def _constant(ctx: Context, norm: BatchNormOp, array: Array) -> SSAValue:
    """Return a new constant, as an operand of the kernel that a batch normalisation is in."""
    constant = ConstantOp(WeightStore.of(ctx).attribute(array))
    kernel = norm.parent_op()
    if not isinstance(kernel, KernelOp):
        Rewriter.insert_op(constant, InsertPoint.before(norm))
        return constant.result
    Rewriter.insert_op(constant, InsertPoint.before(kernel))
    block = kernel.body.block
    kernel.operands = [*kernel.operands, constant.result]
    return block.insert_arg(constant.result.type, len(block.args))
