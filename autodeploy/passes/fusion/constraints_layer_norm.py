"""The native constraint that knows a layer normalisation in the parts that exporters write."""

from __future__ import annotations

from xdsl.ir import Attribute, Operation, SSAValue

from autodeploy.dialects.nn.base import i64_attr, ints
from autodeploy.dialects.nn.pointwise import (
    AddOp,
    DivOp,
    MulOp,
    PowOp,
    ReciprocalOp,
    SqrtOp,
    SubOp,
)
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction
from autodeploy.dialects.nn.types import element_of, is_float, shape_of
from autodeploy.frontend.weights import constant_value
from autodeploy.passes.fusion.constraints import is_number, scalar_number
from autodeploy.passes.fusion.natives import PatternContext, native_constraint


@native_constraint("layer_norm_of")
def layer_norm_of(
    ctx: PatternContext, root: Operation
) -> bool | tuple[bool, SSAValue, SSAValue, SSAValue, Attribute, Attribute]:
    """Tell whether a sum is a layer normalisation; gives x, scale, shift, axis and epsilon.

    With d = x - mean(x) it is d / sqrt(mean(d^2) + epsilon) * scale + shift, sums and products in
    any order, the quotient also as a product with the reciprocal, the square also as d * d. The
    means are over all axes from one on, for which scale and shift have one value each. What lies
    between must have no other use.
    """
    assert isinstance(root, AddOp)
    for scaled, shift in ((root.lhs, root.rhs), (root.rhs, root.lhs)):
        product = scaled.owner
        if not isinstance(product, MulOp) or not scaled.has_one_use():
            continue
        for normal, scale in ((product.lhs, product.rhs), (product.rhs, product.lhs)):
            found = _normal(ctx, normal)
            if found is None:
                continue
            x, axis, epsilon = found
            expected = shape_of(x.type)[axis:]
            if root.result.type == x.type and all(
                shape_of(parameter.type) == expected for parameter in (scale, shift)
            ):
                return True, x, scale, shift, i64_attr(axis), epsilon
    return False


def _normal(ctx: PatternContext, value: SSAValue) -> tuple[SSAValue, int, Attribute] | None:
    """Return x, axis and epsilon of d / sqrt(mean(d^2) + epsilon)."""
    quotient = value.owner
    if not value.has_one_use():
        return None
    if isinstance(quotient, DivOp):
        return _standardised(ctx, quotient, quotient.lhs, quotient.rhs)
    if isinstance(quotient, MulOp):
        for centred, inverse in ((quotient.lhs, quotient.rhs), (quotient.rhs, quotient.lhs)):
            if isinstance(inverse.owner, ReciprocalOp) and inverse.has_one_use():
                return _standardised(ctx, quotient, centred, inverse.owner.x)
    return None


def _standardised(
    ctx: PatternContext, quotient: Operation, centred: SSAValue, deviation: SSAValue
) -> tuple[SSAValue, int, Attribute] | None:
    """Return x, axis and epsilon where ``deviation`` is the root of the variance of ``centred``."""
    difference, root = centred.owner, deviation.owner
    if not isinstance(difference, SubOp) or not isinstance(root, SqrtOp):
        return None
    x, mean, total = difference.lhs, difference.rhs, root.x.owner
    if not isinstance(total, AddOp) or not deviation.has_one_use() or not root.x.has_one_use():
        return None
    axis = _trailing_mean(mean, x)
    if axis is None or not is_float(element_of(x.type)):
        return None
    for variance, number in ((total.lhs, total.rhs), (total.rhs, total.lhs)):
        epsilon = _epsilon(ctx, number)
        square = variance.owner.x if isinstance(variance.owner, ReduceOp) else None
        if epsilon is None or square is None or _trailing_mean(variance, square) != axis:
            continue
        users = {use.operation for use in centred.uses}
        if _is_square(ctx, square, centred) and users == {quotient, square.owner}:
            return x, axis, epsilon
    return None


def _trailing_mean(value: SSAValue, x: SSAValue) -> int | None:
    """Return the axis from which on ``value``, used once, is the mean of ``x``; its axes stay."""
    mean = value.owner
    if not isinstance(mean, ReduceOp) or mean.x is not x or not value.has_one_use():
        return None
    rank, axes = len(shape_of(x.type)), ints(mean.axes)
    if mean.kind.data != Reduction.MEAN or not mean.keepdims or not axes:
        return None
    return axes[0] if axes == tuple(range(axes[0], rank)) else None


def _is_square(ctx: PatternContext, value: SSAValue, x: SSAValue) -> bool:
    """Tell whether ``value``, used once, is x * x or x to the power 2."""
    square = value.owner
    if not value.has_one_use():
        return False
    if isinstance(square, MulOp):
        return square.lhs is x and square.rhs is x
    return isinstance(square, PowOp) and square.lhs is x and is_number(ctx, square.rhs, 2.0)


def _epsilon(ctx: PatternContext, value: SSAValue) -> Attribute | None:
    """Return the one number of a constant."""
    attribute = constant_value(value)
    found = False if attribute is None else scalar_number(ctx, attribute)
    return found[1] if isinstance(found, tuple) else None
