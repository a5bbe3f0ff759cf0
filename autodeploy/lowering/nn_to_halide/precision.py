"""The type in which values are computed, and conversions to and from it.

Floats of 16 bits are computed in 32 and rounded to their type after each op.
"""

from __future__ import annotations

import math

from xdsl.dialects.builtin import bf16, f16
from xdsl.ir import Attribute

from autodeploy.dialects.nn.types import compute_type
from autodeploy.lowering.nn_to_halide.expression import Expr
from autodeploy.lowering.nn_to_halide.kernel_builder import Value


def computed(x: Expr) -> Expr:
    """Return an element in the type in which it is computed."""
    return x.cast(compute_type(x.type))


def widened(x: Value) -> Value:
    """Return a tensor in the type in which it is computed."""
    return narrowed(x, compute_type(x.element))


def narrowed(x: Value, element: Attribute) -> Value:
    """Return a tensor converted to an element type."""
    if x.element == element:
        return x
    return Value(element, x.shape, lambda scope, point: rounded(x.at(scope, point), element))


def rounded(x: Expr, element: Attribute) -> Expr:
    """Return a result in its own type; Halide's conversion makes an infinity of some nans."""
    if element not in (f16, bf16) or x.type == element:
        return x.cast(element)
    return x.equals(x).select(x.cast(element), math.nan)
