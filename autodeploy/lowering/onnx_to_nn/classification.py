"""Ops of ai.onnx.ml that choose among labels: LinearClassifier, TreeEnsembleClassifier."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import f32, i32, i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import NegOp, SubOp
from autodeploy.dialects.nn.logic import LessOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.reduction import ArgReduceOp, Reduction
from autodeploy.dialects.nn.types import element_count, shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, NnBuilder
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.lowering.onnx_to_nn.features import floats, linear, table_of
from autodeploy.lowering.onnx_to_nn.labels import Labels
from autodeploy.lowering.onnx_to_nn.scores import transform_of, transformed
from autodeploy.lowering.onnx_to_nn.strings import as_strings, cells_of
from autodeploy.lowering.onnx_to_nn.trees import listed_trees, numbers, walked, with_base

_DOMAIN = "ai.onnx.ml"


@converts("LinearClassifier", domain=_DOMAIN)
def linear_classifier(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert LinearClassifier: a score for each label, and the label of the largest.

    Two labels may share one score, that of the second. The score of the other one is then
    defined only by LOGISTIC: ONNX's reference and onnxruntime differ in all else.
    """
    labels = labels_of(b, op, "ints")
    transform, weights = transform_of(b, op), floats(b, op, "coefficients")
    x = b.cast(table_of(b, op), f32)
    is_shared = weights is not None and weights.size == shape_of(x.type)[1] and len(labels) == 2
    if is_shared and transform != "LOGISTIC":
        raise ConversionError(f"'post_transform' of {transform} for one score is not supported")
    score = linear(b, x, 1 if is_shared else len(labels), weights, floats(b, op, "intercepts"))
    if is_shared:
        return [label_above(b, labels, score, 0.0), transformed(b, opposed(b, score), transform)]
    return [label_of(b, labels, best(b, score)), transformed(b, score, transform)]


@converts("TreeEnsembleClassifier", domain=_DOMAIN)
def tree_ensemble_classifier(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert TreeEnsembleClassifier: the sums of votes, and the label of the largest.

    If all votes are for the first of two labels, they are for the second in truth, as in
    onnxruntime; the other one has the rest to 1 where no vote is below zero, else the opposite.
    """
    labels, transform, x = labels_of(b, op, "int64s"), transform_of(b, op), table_of(b, op)
    trees, base = listed_trees(b, op, "class"), numbers(b, op, "base_values")
    trees.check(shape_of(x.type)[1], len(labels))
    voted = set(trees.votes.targets.tolist())
    if len(labels) > 2 or len(voted) != 1:
        score = b.cast(with_base(b, walked(b, x, trees, len(labels), "SUM"), base), f32)
        return [label_of(b, labels, best(b, score)), transformed(b, score, transform)]
    if voted != {0} or transform not in ("NONE", "LOGISTIC"):
        raise ConversionError(
            f"'post_transform' of {transform} where all votes are for label {max(voted)} of two "
            "is not supported"
        )
    score = b.cast(with_base(b, walked(b, x, trees, 1, "SUM"), base), f32)
    if transform == "NONE" and (trees.votes.weights >= 0).all():
        rest = b.emit(SubOp(b.scalar(1.0, f32), score))
        return [label_above(b, labels, score, 0.5), b.emit(ConcatOp([rest, score], 1))]
    return [label_above(b, labels, score, 0.0), transformed(b, opposed(b, score), transform)]


def labels_of(b: ConversionContext, op: OnnxOp, integers: str) -> Labels:
    """Return the labels of a classifier; ``integers`` is how its attribute of these ends."""
    strings = b.strings(op, "classlabels_strings")
    given = np.array(b.integers(op, f"classlabels_{integers}"), np.int64)
    if bool(strings) == bool(given.size) or len(strings) + given.size < 2:
        raise ConversionError("it takes two labels or more, all strings or all integers")
    return strings or given


def best(b: NnBuilder, score: SSAValue) -> SSAValue:
    """Return the number of the largest score of each row, the first of equal ones."""
    return b.cast(b.emit(ArgReduceOp(score, Reduction.MAX, 1, keepdims=False)), i64)


def label_of(b: ConversionContext, labels: Labels, number: SSAValue) -> SSAValue:
    """Return the label with each number."""
    if isinstance(labels, list):
        return as_strings(b, b.cast(number, i32), b.make_constant(cells_of(labels)))
    return b.emit(GatherOp(b.make_constant(labels), number, 0))


def label_above(
    b: ConversionContext, labels: Labels, score: SSAValue, threshold: float
) -> SSAValue:
    """Return the second label for scores above a threshold, the first one for others."""
    above = b.emit(LessOp(b.scalar(threshold, f32), b.reshape(score, (element_count(score.type),))))
    return label_of(b, labels, b.cast(above, i64))


def opposed(b: NnBuilder, score: SSAValue) -> SSAValue:
    """Return two columns for one: the score, and its opposite before it."""
    return b.emit(ConcatOp([b.emit(NegOp(score)), score], 1))
