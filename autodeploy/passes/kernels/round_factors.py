"""``round-factors``: products of 32-bit floats become products of bfloat16, summed in 32 bits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, bf16, f32
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.diagnostics import UserError
from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.arithmetic import CastOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.movement import ReshapeOp
from autodeploy.dialects.nn.types import bounds_of, element_of, shape_of, tensor
from autodeploy.machine import Machine
from autodeploy.templates.amx.template import has_rows
from autodeploy.templates.gemm.product import Product, product_of
from autodeploy.templates.registry import template_of
from autodeploy.weights import WeightStore, constant_array, named_dtype

_TEMPLATES = ("direct_conv", "gemm", "gemv")
"""Those that sum products of neighbours."""


@dataclass(frozen=True)
class RoundFactorsPass(ModulePass):
    """Round both factors of convolutions and products to bfloat16 where weights are constants.

    The machine of the module has an instruction for their products, which are exact in 32 bits,
    and so are the sums. If it is faster in tile registers alone, those layers are rounded that
    these compute. Values between kernels are stored as bfloat16 where a product reads them, and all
    of their readers read these. Convolutions in Winograd's domain stay as they are, as do products
    of two computed factors and weights that are not finite. The configs of kernels that change are
    left to ``configure-kernels``.

    Raises ``UserError`` if products of 32-bit floats are as fast on the machine.
    """

    name = "round-factors"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the kernels of the module."""
        machine = machine_of(op)
        _check_pays(machine)
        kernels = [inner for inner in op.walk() if isinstance(inner, KernelOp)]
        rounded: list[KernelOp] = []
        stored: dict[OpResult, None] = {}
        for kernel in kernels:
            root = _stored_factor(kernel)
            if _pays(kernel, machine, root is not None) and _round_weights(ctx, kernel, machine):
                rounded.append(kernel)
                if root is not None:
                    stored[root] = None
        for root in stored:
            _store(root)
        for kernel in rounded:
            anchor = kernel.anchors[0]
            if element_of(anchor.operands[0].type) != bf16:
                anchor.operands[0] = _cast_before(anchor, anchor.operands[0], bf16)
            assert kernel.config is not None
            name = kernel.config.template_name
            kernel.config = ConfigAttr(name) if name == "direct_conv" else None


def _check_pays(machine: Machine) -> None:
    if machine.dot(str(bf16), str(bf16)) == 1:
        raise UserError(
            f"machine '{machine.name}' has no instruction for products of bfloat16; "
            "--precision weights=bf16 stores weights as bfloat16"
        )
    rate = machine.costs.bfloat16_rate
    if max(rate, machine.costs.amx_rate) <= 1:
        raise UserError(
            f"products of bfloat16 take {1 / rate:.3g} times as long as those of 32-bit floats on "
            f"machine '{machine.name}'; its setting bfloat16_rate says so, and --precision "
            "weights=bf16 stores weights as bfloat16"
        )


def _stored_factor(kernel: KernelOp) -> OpResult | None:
    """Return the value between kernels that a kernel's anchor multiplies, if it may be rounded."""
    if not kernel.anchors:
        return None
    factor = kernel.anchors[0].operands[0]
    root = _root(kernel.inputs[factor.index]) if isinstance(factor, BlockArgument) else None
    return root if root is not None and _is_storable(root) else None


def _pays(kernel: KernelOp, machine: Machine, is_stored: bool) -> bool:
    """Tell whether products of bfloat16 are faster; tile registers take a factor from memory."""
    if machine.costs.bfloat16_rate > 1:
        return True
    product = product_of(kernel)
    in_rows = product is not None and has_rows(Product.of(kernel, product))
    return machine.costs.amx_rate > 1 and in_rows and is_stored


def _round_weights(ctx: Context, kernel: KernelOp, machine: Machine) -> bool:
    """Round the weights of a kernel's only anchor, if it may have such factors."""
    anchors, config = kernel.anchors, kernel.config
    if len(anchors) != 1 or config is None or config.template_name not in _TEMPLATES:
        return False
    (op,) = anchors
    if not isinstance(op, ConvOp | MatMulOp) or not template_of(config.template_name).exact:
        return False
    weights = op.operands[1]
    if {element_of(operand.type) for operand in op.operands} != {f32}:
        return False
    if not isinstance(weights, BlockArgument) or not weights.has_one_use():
        return False
    array = constant_array(ctx, kernel.inputs[weights.index])
    if array is None or not _sums_dots(op, machine):
        return False
    with np.errstate(over="ignore"):
        narrow = array.astype(named_dtype("bfloat16"))
    if not np.isfinite(narrow.astype(np.float32)).all():
        return False
    constant = ConstantOp(WeightStore.of(ctx).attribute(narrow))
    Rewriter.insert_op(constant, InsertPoint.before(kernel))
    kernel.operands[weights.index] = constant.result
    Rewriter.replace_value_with_new_type(weights, constant.result.type)
    op.accumulator = f32
    return True


def _sums_dots(op: ConvOp | MatMulOp, machine: Machine) -> bool:
    """Tell whether a template sums dots of neighbours."""
    if isinstance(op, ConvOp):
        return op.groups.value.data == 1 and op.is_kernel_in_out
    shape = bounds_of(op.rhs.type)
    plain = not (op.transpose_lhs.value.data or op.transpose_rhs.value.data or op.rhs_layout)
    return plain and len(shape) == 2 and shape[0] % machine.dot(str(bf16), str(bf16)) == 0


def _root(value: SSAValue) -> OpResult | None:
    """Return the result of a kernel that a value is a view of."""
    while isinstance(value.owner, ReshapeOp):
        value = value.owner.operands[0]
    return value if isinstance(value, OpResult) and isinstance(value.op, KernelOp) else None


def _views(value: SSAValue) -> Iterator[SSAValue]:
    """Yield a value and all views of it."""
    yield value
    for use in value.uses:
        if isinstance(use.operation, ReshapeOp):
            yield from _views(use.operation.result)


def _readers(value: SSAValue) -> Iterator[tuple[Operation, int]]:
    """Yield the ops that read a value or a view of it, with the number of the operand."""
    for view in _views(value):
        for use in view.uses:
            if not isinstance(use.operation, ReshapeOp):
                yield use.operation, use.index


def _is_storable(value: OpResult) -> bool:
    """Tell whether a value may be stored as bfloat16: kernels alone read and make it."""
    return (
        isinstance(value.op, KernelOp)
        and len(value.op.anchors) < 2
        and all(isinstance(op, KernelOp) and len(op.anchors) < 2 for op, _ in _readers(value))
    )


def _store(value: OpResult) -> None:
    """Store a kernel's result as bfloat16; readers widen it where no product takes it as it is."""
    producer = value.op
    assert isinstance(producer, KernelOp)
    end = producer.body.block.last_op
    assert end is not None
    end.operands[value.index] = _cast_before(end, end.operands[value.index], bf16)
    readers = list(_readers(value))
    for view in list(_views(value)):
        Rewriter.replace_value_with_new_type(view, tensor(bf16, shape_of(view.type)))
    for reader, index in readers:
        assert isinstance(reader, KernelOp)
        _read(reader, reader.body.block.args[index])


def _read(kernel: KernelOp, argument: BlockArgument) -> None:
    """Let a kernel read bfloat16: its product as a factor, all other ops widened."""
    narrow = Rewriter.replace_value_with_new_type(argument, tensor(bf16, shape_of(argument.type)))
    others = [use for use in narrow.uses if not _is_rounded_factor(use)]
    if not others:
        return
    cast = CastOp(narrow, f32)
    Rewriter.insert_op(cast, InsertPoint.at_start(kernel.body.block))
    for use in others:
        use.operation.operands[use.index] = cast.result


def _is_rounded_factor(use: Use) -> bool:
    op = use.operation
    is_product = isinstance(op, ConvOp | MatMulOp) and use.index == 0
    return is_product and element_of(op.operands[1].type) == bf16


def _cast_before(op: Operation, value: SSAValue, element: Attribute) -> SSAValue:
    cast = CastOp(value, element)
    Rewriter.insert_op(cast, InsertPoint.before(op))
    return cast.result
