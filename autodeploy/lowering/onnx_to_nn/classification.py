"""Ops of ai.onnx.ml that choose among labels: LinearClassifier."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import f32, i32
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.activation import SigmoidOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.reduction import ArgReduceOp, Reduction, SoftmaxOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.features import floats, linear
from autodeploy.lowering.onnx_to_nn.registry import converts
from autodeploy.lowering.onnx_to_nn.strings import as_strings, cells_of


@converts("LinearClassifier", domain="ai.onnx.ml")
def linear_classifier(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert LinearClassifier: a score for each label, and the label of the largest.

    It has coefficients for each label; what two labels with one score mean ONNX does not say.
    """
    strings, integers = b.strings(op, "classlabels_strings"), b.integers(op, "classlabels_ints")
    labels = len(strings) or len(integers)
    if bool(strings) == bool(integers) or labels < 2:
        raise ConversionError("it takes two labels or more, all strings or all integers")
    x = b.cast(b.operand(op, "X"), f32)
    score = linear(b, x, labels, floats(b, op, "coefficients"), floats(b, op, "intercepts"))
    best = b.emit(ArgReduceOp(score, Reduction.MAX, 1, keepdims=False))
    if strings:
        label = as_strings(b, b.cast(best, i32), b.make_constant(cells_of(strings)))
    else:
        label = b.emit(GatherOp(b.make_constant(np.array(integers, np.int64)), best, 0))
    return [label, _transformed(b, op, score)]


def _transformed(b: ConversionContext, op: OnnxOp, score: SSAValue) -> SSAValue:
    match b.text(op, "post_transform", "NONE"):
        case "NONE":
            return score
        case "LOGISTIC":
            return b.emit(SigmoidOp(score))
        case "SOFTMAX":
            return b.emit(SoftmaxOp(score, len(shape_of(score.type)) - 1))
        case other:
            raise ConversionError(f"'post_transform' of {other} is not supported")
