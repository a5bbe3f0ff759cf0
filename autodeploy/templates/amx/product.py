"""The products that tile registers sum, among them those of convolutions."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from xdsl.dialects.builtin import bf16

from autodeploy.analysis.open_reads import folds_open
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.extent_attr import axes_of_type
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, bounds_of
from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.sums import conv_dot, is_packable
from autodeploy.templates.direct_conv.template import sums_channels_last
from autodeploy.templates.dots import packed_bytes
from autodeploy.templates.gemm.product import Product, product_dot, product_of
from autodeploy.templates.space import divisors
from autodeploy.templates.view import STORED_WORK

SIDE = 16
"""Rows and columns of a tile register."""

ROW_DOTS = 16
"""Dots of neighbours in a row of a tile register, at most."""

LEAST_DOTS = 4
"""Products of fewer dots take longer to begin and end than to compute."""


def contraction_in_tiles(kernel: KernelOp) -> MatMulOp | ConvOp | None:
    """Return the product or convolution of a kernel, if rows of it may be in a tile register.

    A matrix has as many rows at least; those of a convolution are filled up. No axis is open.
    """
    anchor = kernel.anchor
    if any(map(any, map(axes_of_type, kernel.result_types))) or folds_open(kernel):
        return None
    if isinstance(anchor, ConvOp):
        sums = anchor.groups.value.data == 1 and anchor.filter_shape[1] > 1
        return anchor if sums and sums_channels_last(kernel) else None
    product = product_of(kernel)
    has_rows = product is not None and bounds_of(product.result.type)[-2] >= SIDE
    return product if has_rows else None


def product_in_tiles(
    kernel: KernelOp, op: MatMulOp | ConvOp, machine: Machine | None = None
) -> Product:
    """Return a kernel's ``contraction_in_tiles`` as a product, with the dots of a machine.

    The rows of a convolution are the pixels of a row of its result.
    """
    if isinstance(op, MatMulOp):
        return Product.of(kernel, op, 1 if machine is None else product_dot(machine, kernel, op))
    dot = 1 if machine is None else conv_dot(machine, kernel, op)
    columns, inputs, window = op.filter_shape
    shape, stored = bounds_of(op.result.type), bounds_of(op.filter.type)
    width = 0 if op.filter_layout is None else op.filter_layout.width(stored)
    return Product(
        columns,
        shape[-2],
        inputs // dot if inputs % dot == 0 else 1,
        (),
        packed_bytes(op),
        ELEMENT_BYTES[op.sum_element],
        (width, stored[0] * width) if width else (),
        is_packable(kernel, op),
        False,
        prod(shape) * (inputs // dot * prod(window) + STORED_WORK),
        dot=dot,
    )


def steps_of_tile(product: Product) -> int:
    """Return the dots to an instruction: the most that divide the inner axis."""
    return max(n for n in divisors(product.inner) if n <= ROW_DOTS)


def fills_tiles(machine: Machine, product: Product) -> bool:
    """Tell whether a product is faster in tile registers, though it may not fill them."""
    rows = -(-product.rows // SIDE) * SIDE
    rate = machine.costs.amx_rate * product.rows / rows
    return rate > 1 and product.dot > 1 and steps_of_tile(product) >= LEAST_DOTS


def rounded_fills_tiles(machine: Machine, kernel: KernelOp) -> bool:
    """Tell whether the product of a kernel ``fills_tiles`` once its factors are bfloat16."""
    op = contraction_in_tiles(kernel)
    if op is None:
        return False
    product, dot = product_in_tiles(kernel, op), machine.dot(str(bf16), str(bf16))
    rounded = replace(product, inner=product.inner // dot, dot=dot)
    return product.inner % dot == 0 and fills_tiles(machine, rounded)
