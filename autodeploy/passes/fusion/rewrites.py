"""Native rewrites of the fusion rules: new constants, and groups."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from autodeploy.dialects.nn.constant import ConstantValue, DenseAttr, WeightAttr
from autodeploy.dialects.nn.types import shape_of
from autodeploy.frontend.weights import Array, WeightStore
from autodeploy.passes.fusion.folding import combine
from autodeploy.passes.fusion.kernels import form_kernel
from autodeploy.passes.fusion.natives import PatternContext, native_rewrite


def _array(ctx: PatternContext, value: Attribute) -> Array:
    assert isinstance(value, DenseAttr | WeightAttr)
    return WeightStore.of(ctx.context).array(value)


@native_rewrite("reshape_constant")
def reshape_constant(_ctx: PatternContext, value: Attribute, type_: Attribute) -> ConstantValue:
    """Return a constant's value under another shape; its data is not touched."""
    assert isinstance(value, DenseAttr | WeightAttr) and isa(type_, TensorType[Attribute])
    if isinstance(value, DenseAttr):
        return DenseAttr(value.data.data, type_)
    return WeightAttr(value.key.data, type_)


@native_rewrite("flatten_constant")
def flatten_constant(ctx: PatternContext, value: Attribute, type_: Attribute) -> ConstantValue:
    """Return a constant's value in one axis; a single element is repeated to the extent."""
    flat = _array(ctx, value).reshape(-1)
    return WeightStore.of(ctx.context).attribute(np.broadcast_to(flat, shape_of(type_)))


@native_rewrite("add_constants")
def add_constants(
    ctx: PatternContext, lhs: Attribute, rhs: Attribute, type_: Attribute
) -> ConstantValue:
    """Return the sum of two constants' values, broadcast to a type."""
    result = combine(np.add, _array(ctx, lhs), _array(ctx, rhs), shape_of(type_))
    return WeightStore.of(ctx.context).attribute(result)


@native_rewrite("multiply_constants")
def multiply_constants(
    ctx: PatternContext, lhs: Attribute, rhs: Attribute, type_: Attribute
) -> ConstantValue:
    """Return the product of two constants' values, broadcast to a type."""
    result = combine(np.multiply, _array(ctx, lhs), _array(ctx, rhs), shape_of(type_))
    return WeightStore.of(ctx.context).attribute(result)


@native_rewrite("fuse_into_kernel", makes=("nn.kernel",))
def fuse_into_kernel(ctx: PatternContext, consumer: Operation, producer: Operation) -> None:
    """Replace two ops (or kernels) by one kernel, where the second alone uses the first."""
    ctx.rewriter.replace(consumer, form_kernel([producer, consumer]))
    ctx.rewriter.erase(producer)
