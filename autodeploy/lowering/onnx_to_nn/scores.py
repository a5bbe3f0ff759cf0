"""The `post_transform` of operators of ai.onnx.ml."""

from __future__ import annotations

from math import pi, sqrt

from xdsl.dialects.builtin import f32, f64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.activation import SigmoidOp
from autodeploy.dialects.nn.reduction import Reduction, SoftmaxOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, NnBuilder
from autodeploy.frontend.nn.term import Term
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
    x = Term(b, scores)
    largest = x.folded(Reduction.MAX, [1])
    power, factor = (x - largest).exp(), (-largest).exp()
    share = (x.abs() <= _SMALL).where(x * factor, power)
    total = share.folded(Reduction.SUM, [1])
    return total.equals(0.0).where(total.same(0.5), share / total).value


def _probit(b: NnBuilder, scores: SSAValue) -> SSAValue:
    """Return the quantile of the normal distribution, by Winitzki's inverse of the error function.

    It is infinite for 0 and 1, and nan for other numbers than probabilities. Digits are lost near
    one half, so it is computed in 64 bits."""
    x = Term(b, scores).cast(f64) * 2 - 1
    log = ((1 - x) * (1 + x)).log()
    half = log * 0.5 + 2 / (pi * _CURVE)
    size = ((half * half - log / _CURVE).sqrt() - half).sqrt() * sqrt(2)
    return (x < 0).where(-size, size).cast(f32).value
