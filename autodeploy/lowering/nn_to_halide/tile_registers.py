"""Sums in the tile registers of x86-64 (AMX), which pass through memory.

All columns of the packed weights are side by side, and a tile register takes rows that are equally
far apart: those of a matrix, or the pixels of a row of an image.
"""

from __future__ import annotations

from dataclasses import replace

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.contraction import ContractionOp, ConvOp, MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import input_layout, result_layout, spatial_axes
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
    narrowed,
)
from autodeploy.lowering.nn_to_halide.padding import Padding, dotted_image, image_names, padding_of
from autodeploy.templates.amx.product import SIDE
from autodeploy.templates.amx.template import SUMS


def is_in_tiles(op: ContractionOp) -> bool:
    """Return whether tile registers hold the sums of an op, as its kernel's config says."""
    kernel = op.parent_op()
    config = kernel.config if isinstance(kernel, KernelOp) else None
    return config is not None and config.template_name == "amx"


def product_in_tiles(builder: KernelBuilder, op: MatMulOp, lhs: Value, rhs: Value) -> Value:
    """Return a product without bias."""
    _, steps, _, dot = rhs.shape
    shape, element = bounds_of(op.result.type), op.sum_element

    def step(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        (k,), (*place, column) = reduced, point
        weight = rhs.at(scope, (0, scope.index(k) // dot, column, scope.index(k) % dot))
        return old + lhs.at(scope, (*place, k)) * weight

    total = builder.func(
        "matmul",
        element,
        shape,
        lambda scope, point: scope.const(0, element),
        update=(Domain((("k", steps * dot),)), step),
        contracts=True,
    )
    return builder.func(SUMS, element, shape, total.at, contracts=True)


def conv_in_tiles(builder: KernelBuilder, op: ConvOp, x: Value, w: Value) -> Value:
    """Return a convolution without bias, channels last; ``w`` is 1 x window x I/d x O x d.

    Its image is copied with the pixels that the last tile of a row reads.
    """
    _, *window, steps, _, dot = w.shape
    channels, element = steps * dot, op.sum_element
    strides, dilations = ints(op.strides), ints(op.dilations)
    shape, layout = bounds_of(op.result.type), input_layout(op.layout).data
    padding = _of_whole_tiles(op, padding_of(builder, op))
    image = dotted_image(builder, x, layout, padding, channels)
    image, w = narrowed(image, element), narrowed(w, element)
    axes = [(f"k{name}", n) for name, n in zip("zyx"[-len(window) :], window, strict=False)]
    domain = Domain(tuple((name, n) for name, n in (*axes, ("ci", channels)) if n > 1))

    def step(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        named = dict(zip((name for name, _ in domain.axes), reduced, strict=True))
        taps = tuple(named.get(name, 0) for name, _ in axes)
        within = scope.index(named["ci"])
        index, *place, column = point
        moved = [
            scope.index(at) * stride + tap * dilation
            for at, tap, stride, dilation in zip(place, taps, strides, dilations, strict=True)
        ]
        weight = w.at(scope, (0, *taps, within // dot, column, within % dot))
        return old + image.at(scope, (index, *moved, within)) * weight

    names = image_names(result_layout(op.layout).data, len(window))
    total = builder.func(
        "conv",
        element,
        shape,
        lambda scope, point: scope.const(0, element),
        names=names,
        update=(domain, step),
        contracts=True,
    )
    return builder.func(SUMS, element, shape, total.at, names=names, contracts=True)


def _of_whole_tiles(op: ConvOp, padding: Padding) -> Padding:
    """Return a padding with the columns that a row of fewer pixels than a tile reads, too."""
    *_, columns = spatial_axes(input_layout(op.layout), len(bounds_of(op.x.type)))
    _, _, window = op.filter_shape
    reach = (window[-1] - 1) * ints(op.dilations)[-1] + 1
    read = (max(bounds_of(op.result.type)[-2], SIDE) - 1) * ints(op.strides)[-1] + reach
    pads = padding.pads
    there = pads[len(window) - 1] + bounds_of(op.x.type)[columns] + pads[-1]
    return replace(padding, pads=(*pads[:-1], pads[-1] + max(read - there, 0)))
