"""How lowerings read a filter, however it is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from autodeploy.dialects.nn.contraction import ConvolutionOp
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import Coordinates, Value

FilterReader: TypeAlias = Callable[[Scope, Coordinate, Coordinate, Coordinates], Expr]


def read_filter(op: ConvolutionOp, w: Value) -> FilterReader:
    """Return how to read a filter at output channel, channel within the group, and window."""
    layout = op.filter_layout

    def read(scope: Scope, out: Coordinate, channel: Coordinate, window: Coordinates) -> Expr:
        element = (scope.index(out), channel, *window)
        return w.at(scope, element if layout is None else tuple(layout.index(element)))

    return read
