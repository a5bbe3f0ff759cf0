"""Native rewrites of the fusion rules: new constants, and groups."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from autodeploy.dialects.nn.constant import ConstantValue, DenseAttr, WeightAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import bounds_of, largest_count
from autodeploy.passes.fusion.folding import combine
from autodeploy.passes.fusion.kernels import form_kernel
from autodeploy.passes.fusion.natives import NativeError, PatternContext, native_rewrite
from autodeploy.weights import Array


def _constant(value: Attribute) -> ConstantValue:
    if not isinstance(value, DenseAttr | WeightAttr):
        raise NativeError(f"expected the value of a constant, found {value}")
    return value


def _array(ctx: PatternContext, value: Attribute) -> Array:
    return ctx.store.array(_constant(value))


def _shape(type_: Attribute) -> tuple[int, ...]:
    if not isa(type_, TensorType[Attribute]):
        raise NativeError(f"expected the type of a tensor, found {type_}")
    return bounds_of(type_)


def _broadcast(array: Array, type_: Attribute) -> Array:
    try:
        return np.broadcast_to(array, _shape(type_))
    except ValueError:
        raise NativeError(f"a value of shape {array.shape} does not broadcast to {type_}") from None


@native_rewrite("reshape_constant")
def reshape_constant(_ctx: PatternContext, value: Attribute, type_: Attribute) -> ConstantValue:
    """Return a constant's value under another shape; its data is not touched."""
    constant = _constant(value)
    if math.prod(_shape(type_)) != largest_count(constant.type):
        raise NativeError(f"a value of type {constant.type} does not reshape to {type_}")
    assert isa(type_, TensorType[Attribute])
    if isinstance(constant, DenseAttr):
        return DenseAttr(constant.data.data, type_)
    return WeightAttr(constant.key.data, type_)


@native_rewrite("flatten_constant")
def flatten_constant(ctx: PatternContext, value: Attribute, type_: Attribute) -> ConstantValue:
    """Return a constant's value in one axis; a single element is repeated to the extent."""
    return ctx.store.attribute(_broadcast(_array(ctx, value).reshape(-1), type_))


@native_rewrite("add_constants")
def add_constants(
    ctx: PatternContext, lhs: Attribute, rhs: Attribute, type_: Attribute
) -> ConstantValue:
    """Return the sum of two constants' values, broadcast to a type."""
    return _combine(ctx, np.add, lhs, rhs, type_)


@native_rewrite("multiply_constants")
def multiply_constants(
    ctx: PatternContext, lhs: Attribute, rhs: Attribute, type_: Attribute
) -> ConstantValue:
    """Return the product of two constants' values, broadcast to a type."""
    return _combine(ctx, np.multiply, lhs, rhs, type_)


def _combine(
    ctx: PatternContext,
    operation: Callable[[Array, Array], Array],
    lhs: Attribute,
    rhs: Attribute,
    type_: Attribute,
) -> ConstantValue:
    left, right = (_broadcast(_array(ctx, value), type_) for value in (lhs, rhs))
    return ctx.store.attribute(combine(operation, left, right, _shape(type_)))


@native_rewrite("fuse_into_kernel", makes=("nn.kernel",))
def fuse_into_kernel(ctx: PatternContext, consumer: Operation, producer: Operation) -> None:
    """Replace two ops (or kernels), the second reading the first, by one kernel.

    The first stays where others read it, too.
    """
    if isinstance(consumer.parent_op(), KernelOp):
        raise NativeError(f"'{consumer.name}' is in a kernel, which cannot hold another one")
    ctx.rewriter.replace(consumer, form_kernel([producer, consumer]))
    if not any(result.uses for result in producer.results):
        ctx.rewriter.erase(producer)
