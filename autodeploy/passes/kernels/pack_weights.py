"""``pack-weights``: constant weights in the order in which the kernel reads them.

A kernel sums a tile of output channels at a time. Packed, the weights of a tile follow each other
without a gap, so they stream through the cache line after line, and no power-of-two stride makes
them evict each other.
"""

from __future__ import annotations

from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.base import AnchorOp, NNOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.constant import ConstantOp, WeightAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.movement import ReshapeOp, TransposeOp
from autodeploy.dialects.nn.padding import PadOp
from autodeploy.dialects.nn.types import bounds_of, element_of, tensor
from autodeploy.templates.fitting import check_given
from autodeploy.templates.packing import Packing
from autodeploy.templates.registry import template_of
from autodeploy.weights import Array, WeightStore, constant_value


class PackWeightsPass(ModulePass):
    """Lay out the constant weights of convolutions and matrix products as the template of their
    config says.

    Its knobs state the order: ``pack`` is the number of adjacent columns, with ``parts`` the output
    channels of a convolution are cut into equal ones and filled up with zeros, with ``transform`` a
    filter is brought into Winograd's domain first. Weights of a kernel whose config says nothing
    stay as they are. The movements of constants are left to fold-nn-constants."""

    name = "pack-weights"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)]:
            given = kernel.config
            if given is not None and any(given):
                check_given(given, kernel, machine_of(op))
            for anchor, config in zip(kernel.anchors, kernel.configs, strict=False):
                for packing in template_of(config.template_name).packings(anchor, config):
                    _pack(ctx, kernel, anchor, config, packing)
                    anchor.properties.update(packing.properties)


def _pack(
    ctx: Context, kernel: KernelOp, anchor: AnchorOp, config: ConfigAttr, packing: Packing
) -> None:
    """Give a kernel packed weights in place of those that it reads.

    It must read them once, since they change their shape.
    """
    weights = packing.weights
    outside = kernel.inputs[weights.index] if isinstance(weights, BlockArgument) else weights
    value = constant_value(outside)
    if not isinstance(weights, BlockArgument) or not weights.has_one_use() or value is None:
        raise PassFailedException(
            f"only constant weights that are read once are packed, found {weights.type}"
        )
    steps: list[ConstantOp | NNOp]
    if (compute := packing.compute) is not None:

        def packed(array: Array) -> Array:
            return compute(array).reshape(packing.split).transpose(packing.order)

        store = WeightStore.of(ctx)
        if isinstance(value, WeightAttr):
            element = packing.element or element_of(value.type)
            type_ = tensor(element, [packing.split[axis] for axis in packing.order])
            how = f"{compute.__qualname__} {config} {anchor}"
            made = store.derived(value, how, type_, packed, keep=True)
        else:
            made = store.attribute(packed(store.array(value)))
        steps = [ConstantOp(made)]
    else:
        steps = [*_movements(outside, packing)]
    shape = bounds_of(steps[-1].result.type)
    if packing.stored is not None:
        steps.append(ReshapeOp(steps[-1].result, packing.stored))
    for step in steps:
        Rewriter.insert_op(step, InsertPoint.before(kernel))
    kernel.operands[weights.index] = steps[-1].result
    (use,) = weights.uses
    read = Rewriter.replace_value_with_new_type(weights, steps[-1].result.type)
    if packing.stored is not None:
        shaped = ReshapeOp(read, shape)
        Rewriter.insert_op(shaped, InsertPoint.before(anchor))
        use.operation.operands[use.index] = shaped.result


def _movements(weights: SSAValue, packing: Packing) -> list[NNOp]:
    """Return the ops that fill up the last axis, split axes and reorder them."""
    steps: list[NNOp] = []
    shape = bounds_of(weights.type)
    more = prod(packing.split) // prod(shape[:-1]) - shape[-1]
    if more:
        steps.append(PadOp(weights, (*(0 for _ in shape), *(0 for _ in shape[1:]), more)))
    apart = ReshapeOp(steps[-1].result if steps else weights, packing.split)
    return [*steps, apart, TransposeOp(apart.result, packing.order)]
