"""The `post_transform` of operators of ai.onnx.ml."""

from __future__ import annotations

from math import pi, sqrt

from xdsl.dialects.builtin import f32, f64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.activation import SigmoidOp
from autodeploy.dialects.nn.arithmetic import (
    AbsOp,
    AddOp,
    DivOp,
    ExpOp,
    LogOp,
    MulOp,
    NegOp,
    SqrtOp,
    SubOp,
)
from autodeploy.dialects.nn.logic import EqualOp, LessEqualOp, LessOp, WhereOp
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction, SoftmaxOp
from autodeploy.dialects.nn.types import element_of, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, NnBuilder
from autodeploy.lowering.onnx_to_nn.context import ConversionContext

TRANSFORMS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")
"""The transforms, by the numbers that TreeEnsemble has for them."""

_CURVE = 0.147
"""The constant in Winitzki's approximation of the error function."""

_SMALL = 1e-7
"""A score up to here is no score to SOFTMAX_ZERO."""


def transform_of(b: ConversionContext, op: OnnxOp) -> str:
    """Return which transform an op asks for; raises ``ConversionError`` for an unknown one."""
    given = b.setting(op, "post_transform")
    if isinstance(given, int) and 0 <= given < len(TRANSFORMS):
        return TRANSFORMS[given]
    if given not in TRANSFORMS:
        raise ConversionError(f"'post_transform' must be one of {', '.join(TRANSFORMS)}")
    return str(given)


def transformed(b: NnBuilder, scores: SSAValue, transform: str) -> SSAValue:
    """Apply a transform to each row of scores.

    With one column only PROBIT is known: others onnxruntime leaves out there without a word.
    """
    if transform == "NONE":
        return scores
    if transform == "PROBIT":
        return _probit(b, scores)
    if shape_of(scores.type)[1] == 1:
        raise ConversionError(f"'post_transform' of {transform} for one score is not supported")
    if transform == "LOGISTIC":
        return b.emit(SigmoidOp(scores))
    if transform == "SOFTMAX":
        return b.emit(SoftmaxOp(scores, 1))
    return _softmax_zero(b, scores)


def _softmax_zero(b: NnBuilder, scores: SSAValue) -> SSAValue:
    """Return the softmax of the scores that are not 0; a row of zeros becomes halves."""
    own = element_of(scores.type)
    largest = b.emit(ReduceOp(scores, Reduction.MAX, [1], keepdims=True))
    power = b.emit(ExpOp(b.emit(SubOp(scores, largest))))
    factor = b.emit(ExpOp(b.emit(NegOp(largest))))
    none = b.emit(LessEqualOp(b.emit(AbsOp(scores)), b.scalar(_SMALL, own)))
    share = b.emit(WhereOp(none, b.emit(MulOp(scores, factor)), power))
    total = b.emit(ReduceOp(share, Reduction.SUM, [1], keepdims=True))
    empty = b.emit(EqualOp(total, b.scalar(0.0, own)))
    return b.emit(WhereOp(empty, b.scalar(0.5, own), b.emit(DivOp(share, total))))


def _probit(b: NnBuilder, scores: SSAValue) -> SSAValue:
    """Return the quantile of the normal distribution, by Winitzki's inverse of the error function.

    It is infinite for 0 and 1, and nan for other numbers than probabilities. Digits are lost near
    one half, so it is computed in 64 bits."""

    def number(value: float) -> SSAValue:
        return b.scalar(value, f64)

    twice = b.emit(MulOp(b.cast(scores, f64), number(2)))
    x = b.emit(SubOp(twice, number(1)))
    product = b.emit(MulOp(b.emit(SubOp(number(1), x)), b.emit(AddOp(number(1), x))))
    log = b.emit(LogOp(product))
    half = b.emit(AddOp(b.emit(MulOp(log, number(0.5))), number(2 / (pi * _CURVE))))
    under = b.emit(SubOp(b.emit(MulOp(half, half)), b.emit(DivOp(log, number(_CURVE)))))
    root = b.emit(SqrtOp(b.emit(SubOp(b.emit(SqrtOp(under)), half))))
    size = b.emit(MulOp(root, number(sqrt(2))))
    below = b.emit(LessOp(x, number(0)))
    return b.cast(b.emit(WhereOp(below, b.emit(NegOp(size)), size)), f32)
