"""The type in which values are computed, and conversions to and from it.

Floats of 16 bits are computed in 32 and rounded to their type behind each op.
"""

from __future__ import annotations

import math

from xdsl.dialects.builtin import bf16, f16, f32
from xdsl.ir import Attribute

from autodeploy.dialects.nn.types import is_bool, is_float
from autodeploy.lowering.nn_to_halide.expression import Expr
from autodeploy.lowering.nn_to_halide.kernel_builder import Value
from autodeploy.lowering.nn_to_halide.limits import highest, lowest


def compute_type(element: Attribute) -> Attribute:
    """Return the type in which values of an element type are computed: halves in single."""
    return f32 if element in (f16, bf16) else element


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


def converted(x: Expr, element: Attribute) -> Expr:
    """Convert as ONNX's Cast; what it leaves open is the nearest integer, and 0 of nan."""
    if not is_float(x.type) or is_float(element) or is_bool(element):
        return rounded(x, element)
    low, high = lowest(element), int(highest(element))
    digits = 24 if x.type == f32 else 53
    # Where the greatest integer has more digits than a float, the float before the next one counts.
    largest = float(high) if high < 2**digits else float(high + 1 - ((high + 1) >> digits))
    bounded = x.same(largest).minimum(x.same(float(low)).maximum(x))
    whole = x.equals(x).select(bounded, 0.0).cast(element)
    return whole if int(largest) == high else (x > largest).select(whole.same(high), whole)
