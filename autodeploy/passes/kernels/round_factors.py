"""``round-factors``: products of 32-bit floats become products of bfloat16, summed in 32 bits."""

from __future__ import annotations

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, bf16, f32
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.diagnostics import UserError
from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.arithmetic import CastOp
from autodeploy.dialects.nn.base import AnchorOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import bounds_of, element_of
from autodeploy.machine import Machine
from autodeploy.passes.fusion.kernels import form_kernel
from autodeploy.passes.kernels.stored_values import (
    cast_before,
    own_constant,
    replace_constant,
    store_as,
    stored_factor,
)
from autodeploy.templates.amx.product import rounded_fills_tiles
from autodeploy.templates.registry import template_of
from autodeploy.weights import named_dtype

_TEMPLATES = ("direct_conv", "gemm", "gemv", "row_bands")
"""Those that sum products of neighbours."""


class RoundFactorsPass(ModulePass):
    """Round both factors of convolutions and products to bfloat16 where weights are constants.

    The machine of the module has an instruction for their products, which are exact in 32 bits,
    and so are the sums. If it is faster in tile registers alone, those layers are rounded that
    these compute. Values between kernels are stored as bfloat16 where a product reads them, and all
    of their readers read these. A kernel of its own rounds an input of the program, or a value that
    others than kernels read. Convolutions in Winograd's domain stay as they are, as do products
    of two computed factors and weights that are not finite. In row bands, images are stored as
    bfloat16 if the next anchor multiplies them. The configs of kernels that change are left to
    ``configure-kernels``.

    Raises ``UserError`` if products of 32-bit floats are as fast on the machine.
    """

    name = "round-factors"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        machine = machine_of(op)
        _check_pays(machine)
        rounded: list[KernelOp] = []
        stored: dict[OpResult, None] = {}
        roundings: dict[SSAValue, SSAValue] = {}
        for kernel in [inner for inner in op.walk() if isinstance(inner, KernelOp)]:
            root = stored_factor(kernel)
            if not _pays(kernel, machine, root is not None):
                continue
            anchors = [anchor for anchor in kernel.anchors if _round_weights(ctx, anchor, machine)]
            for anchor in anchors:
                factor = anchor.operands[0]
                if not isinstance(factor, BlockArgument):
                    anchor.operands[0] = cast_before(anchor, factor, bf16)
                elif root is not None:
                    stored[root] = None
            if anchors:
                rounded.append(kernel)
        for root in stored:
            store_as(root, bf16, _is_rounded_factor)
        for kernel in rounded:
            first = kernel.anchors[0]
            if _is_rounded(first) and element_of(first.operands[0].type) != bf16:
                _read_rounded(kernel, roundings)
            assert kernel.config is not None
            kernel.config = _kept(kernel, machine)


def _check_pays(machine: Machine) -> None:
    if machine.device:
        raise UserError(
            f"device '{machine.device}' has no products of bfloat16; --precision weights=bf16 "
            "stores weights as bfloat16"
        )
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


def _kept(kernel: KernelOp, machine: Machine) -> ConfigAttr | None:
    """Return the template of a kernel and the knobs that types of factors do not decide."""
    assert kernel.config is not None
    name = kernel.config.template_name
    if name == "row_bands":
        return ConfigAttr(name, {"bands": kernel.config.values("bands")})
    if name != "direct_conv":
        return None
    return ConfigAttr("amx" if rounded_fills_tiles(machine, kernel) else name)


def _pays(kernel: KernelOp, machine: Machine, is_stored: bool) -> bool:
    """Tell whether products of bfloat16 are faster; tile registers take a factor from memory."""
    if machine.costs.bfloat16_rate > 1:
        return True
    return is_stored and rounded_fills_tiles(machine, kernel)


def _round_weights(ctx: Context, op: AnchorOp, machine: Machine) -> bool:
    """Round the weights of an anchor, if it may have such factors."""
    kernel = op.parent_op()
    assert isinstance(kernel, KernelOp)
    config = kernel.config
    if config is None or config.template_name not in _TEMPLATES:
        return False
    if not isinstance(op, ConvOp | MatMulOp) or not template_of(config.template_name).exact:
        return False
    if {element_of(operand.type) for operand in op.operands} != {f32}:
        return False
    if op is kernel.anchors[0] and not isinstance(op.operands[0], BlockArgument):
        return False
    array = own_constant(ctx, kernel, op.operands[1])
    if array is None or not _sums_dots(op, machine):
        return False
    with np.errstate(over="ignore"):
        narrow = array.astype(named_dtype("bfloat16"))
    if not np.isfinite(narrow.astype(np.float32)).all():
        return False
    replace_constant(ctx, kernel, op.operands[1], narrow)
    op.accumulator = f32
    return True


def _read_rounded(kernel: KernelOp, roundings: dict[SSAValue, SSAValue]) -> None:
    """Let the first anchor read a factor that a kernel of its own has rounded, once for all."""
    factor = kernel.anchors[0].operands[0]
    assert isinstance(factor, BlockArgument)
    value = kernel.inputs[factor.index]
    if value not in roundings:
        cast = CastOp(value, bf16)
        cast.location = kernel.location
        Rewriter.insert_op(cast, InsertPoint.before(kernel))
        rounding = form_kernel([cast])
        Rewriter.replace_op(cast, rounding)
        roundings[value] = rounding.outputs[0]
    rounded = roundings[value]
    if factor.has_one_use():
        kernel.operands[factor.index] = rounded
        Rewriter.replace_value_with_new_type(factor, rounded.type)
        return
    argument = kernel.body.block.insert_arg(rounded.type, len(kernel.inputs))
    kernel.operands = [*kernel.inputs, rounded]
    kernel.anchors[0].operands[0] = argument


def _sums_dots(op: ConvOp | MatMulOp, machine: Machine) -> bool:
    """Tell whether a template sums dots of neighbours.

    Zeros fill up the channels of an image in memory to whole dots, not those of one in bands.
    """
    dot = machine.dot(str(bf16), str(bf16))
    if isinstance(op, ConvOp):
        fills = isinstance(op.x, BlockArgument) or op.filter_shape[1] % dot == 0
        return op.groups.value.data == 1 and op.is_kernel_in_out and fills
    shape = bounds_of(op.rhs.type)
    plain = not (op.transpose_lhs.value.data or op.transpose_rhs.value.data or op.rhs_layout)
    return plain and len(shape) == 2 and shape[0] % dot == 0


def _is_rounded(op: Operation) -> bool:
    is_product = isinstance(op, ConvOp | MatMulOp)
    return is_product and element_of(op.operands[1].type) == bf16


def _is_rounded_factor(use: Use) -> bool:
    return use.index == 0 and _is_rounded(use.operation)
