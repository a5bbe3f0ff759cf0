"""Random numbers: RandomUniform, RandomNormal, Bernoulli, Multinomial, Dropout that trains.

A seed decides all numbers, the same on all machines; each run of a program draws them again from
the seed. An op without one takes the number of such ops before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, prod

import numpy as np
from xdsl.dialects.builtin import f64, i32, i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import AddOp, DivOp, MulOp, SubOp
from autodeploy.dialects.nn.logic import AndOp, EqualOp, LessEqualOp, LessOp, NotOp, OrOp, WhereOp
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction, SoftmaxOp
from autodeploy.dialects.nn.scan import CumSumOp
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    element_of,
    is_float,
    shape_of,
    tensor,
    ui32,
)
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.frontend.onnx.types import element_types
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.weights import numpy_dtype


@converts("RandomUniform", "RandomUniformLike")
def random_uniform(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert numbers from ``low`` to below ``high``."""
    low, high = b.number(op, "low"), b.number(op, "high")
    return [_scaled(b, op, high - low, low, normal=False)]


@converts("RandomNormal", "RandomNormalLike")
def random_normal(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert normally distributed numbers."""
    return [_scaled(b, op, b.number(op, "scale"), b.number(op, "mean"), normal=True)]


@converts("Bernoulli")
def bernoulli(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Bernoulli: 1 with the probability that an element is, as its description says.

    The body that ONNX gives it draws 0 with that probability.
    """
    x, number = b.operand(op, "input"), b.setting(op, "dtype")
    element = element_types().get(number) if isinstance(number, int) else element_of(x.type)
    if element not in ELEMENT_BYTES:
        raise ConversionError(f"random numbers of type {number} are not supported")
    drawn = _drawn(b, op, shape_of(x.type), normal=False)
    return [b.cast(b.emit(LessOp(drawn, b.cast(x, f64))), element)]


def _scaled(
    b: ConversionContext, op: OnnxOp, scale: float, offset: float, *, normal: bool
) -> SSAValue:
    like = op.inputs_by_position()[0] if op.operands else None
    number = b.setting(op, "dtype")
    element = element_types().get(number) if isinstance(number, int) else None
    if element is None and like is not None and not isinstance(number, int):
        element = element_of(like.type)
    if element is None or not is_float(element):
        raise ConversionError(f"random numbers are floats, found type {number}")
    shape = shape_of(like.type) if like is not None else b.integers(op, "shape")
    if min(shape, default=0) < 0:
        raise ConversionError(f"'shape' must not be negative, found {list(shape)}")
    drawn = b.cast(_drawn(b, op, shape, normal=normal), element)
    wide = b.in_32_bits(drawn)
    factor, summand = (b.scalar(value, element_of(wide.type)) for value in (scale, offset))
    return b.cast(b.emit(AddOp(b.emit(MulOp(wide, factor)), summand)), element)


GENERATOR_WORDS = 624
"""The state of the generator of the library."""


def _drawn(b: ConversionContext, op: OnnxOp, shape: Sequence[int], *, normal: bool) -> SSAValue:
    """Return random doubles of a shape."""
    given = b.setting(op, "seed")
    if not isinstance(given, int | float):
        given, b.unseeded = b.unseeded, b.unseeded + 1
    if not isfinite(given) or abs(given) >= 2**63:
        raise ConversionError(f"seed {given} is no 64-bit integer")
    results = [tensor(f64, (prod(shape),)), tensor(ui32, (GENERATOR_WORDS,))]
    numbers, _ = b.call("random", [], results, [int(given), int(normal)])
    return b.reshape(numbers, shape)


@converts("Multinomial")
def multinomial(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Multinomial: the number of classes whose probabilities, added up, a draw reaches."""
    x = b.cast(b.operand(op, "input"), f64)
    if len(shape_of(x.type)) != 2 or 0 in shape_of(x.type):
        raise ConversionError(f"a Multinomial takes rows of classes, found {x.type}")
    batch, classes = shape_of(x.type)
    count, element = b.integer(op, "sample_size"), element_types().get(b.integer(op, "dtype"))
    if count < 0 or element not in (i32, i64):
        raise ConversionError(f"{count} samples of type {element} are none")
    drawn = b.reshape(_drawn(b, op, (batch, count), normal=False), (batch, count, 1))
    reached = b.emit(CumSumOp(b.emit(SoftmaxOp(x, 1)), 1, False, False))
    # The last class takes what rounding leaves of the sum of all.
    inner = b.reshape(b.slice(reached, {1: range(classes - 1)}), (batch, 1, classes - 1))
    below = b.cast(b.emit(LessEqualOp(inner, drawn)), element)
    return [b.emit(ReduceOp(below, Reduction.SUM, [2], keepdims=False))]


@converts("Dropout")
def dropout(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Dropout; where it does not train its result is its operand, and it masks nothing."""
    x = b.operand(op, "data")
    dtype = np.dtype(np.bool_) if op.version >= 10 else numpy_dtype(element_of(x.type))
    kept = b.make_constant(np.broadcast_to(np.ones((), dtype), shape_of(x.type)))
    training, ratio = _training(b, op)
    if training is None:
        return [x] if len(op.results) == 1 else [x, kept]
    drawn = _drawn(b, op, shape_of(x.type), normal=False)
    mask = b.emit(LessEqualOp(b.cast(ratio, f64), drawn))
    wide = b.in_32_bits(x)
    element = element_of(wide.type)
    scale = b.emit(SubOp(b.scalar(1, element), b.cast(ratio, element)))
    kept_x = b.emit(MulOp(wide, b.cast(mask, element)))
    scaled = b.emit(MulOp(kept_x, b.emit(DivOp(b.scalar(1, element), scale))))
    dropped = b.cast(scaled, element_of(x.type))
    zero = b.scalar(0, element_of(ratio.type))
    active = b.emit(AndOp(training, b.emit(NotOp(b.emit(EqualOp(ratio, zero))))))
    result = b.emit(WhereOp(active, dropped, x))
    return [result, b.emit(OrOp(mask, b.emit(NotOp(active))))][: len(op.results)]


def _training(b: ConversionContext, op: OnnxOp) -> tuple[SSAValue | None, SSAValue]:
    """Return whether a Dropout trains, as a scalar, or ``None`` if it never does; its ratio."""
    if op.version < 12:
        if op.version < 7 and b.integer(op, "is_test") == 0:
            raise ConversionError("Dropout in training mode is supported from opset 12 on only")
        return None, b.scalar(0, f64)
    given, training = op.input_named("ratio"), op.input_named("training_mode")
    ratio = b.scalar(0.5, f64) if given is None else b.reshape(given, ())
    if training is None:
        return None, ratio
    # A Dropout of ratio 0 changes nothing, even while training.
    known = [b.array(value) for value in (training, ratio)]
    if any(array is not None and not array.any() for array in known):
        return None, ratio
    return b.reshape(training, ()), ratio
