"""The prologue: the result of pointwise ops before the anchor of a kernel, as a func of its own."""

from __future__ import annotations

from collections.abc import Callable

from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.layout import input_layout, spatial_axes
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import KernelBuilder, Value
from autodeploy.lowering.nn_to_halide.padding import image_names, last_row_below


def kept_prologue(
    builder: KernelBuilder,
    anchor: NNOp,
    x: Value,
    extent: Callable[[Scope], Expr] | None,
    *,
    contracts: bool,
) -> Value:
    """Return the image or left-hand side ``x`` as func ``prologue``.

    ``extent`` gives the rows of a left-hand side if they are open. If it ``contracts``, its strict
    parts are strict already.

    A schedule may keep some rows of it at a time, always the same number. If that does not
    divide the rows, some are after the end: the last row is repeated there and is not read.
    """
    rank = len(x.shape)
    if isinstance(anchor, ConvOp):
        layout = input_layout(anchor.layout)
        axis, names = spatial_axes(layout, rank)[0], image_names(layout.data, rank - 2)
    else:
        axis, names = rank - 2, None
    kept = last_row_below(builder.opaque(x), axis, extent)
    return builder.func("prologue", x.element, x.shape, kept.at, names=names, contracts=contracts)
