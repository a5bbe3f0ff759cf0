"""Ops of ai.onnx.ml that choose among labels: classifiers, and support vector machines.

The latter are products with vectors, then votes of pairs of classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
from xdsl.dialects.builtin import f32, f64, i32, i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.activation import SigmoidOp, TanhOp
from autodeploy.dialects.nn.arithmetic import AddOp, ExpOp, MulOp, NegOp, PowOp, SubOp
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.logic import LessOp, WhereOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.reduction import ArgReduceOp, ReduceOp, Reduction
from autodeploy.dialects.nn.types import element_count, shape_of, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, NnBuilder, check_new_constant
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.lowering.onnx_to_nn.features import floats, linear, table_of
from autodeploy.lowering.onnx_to_nn.labels import Labels
from autodeploy.lowering.onnx_to_nn.scores import transform_of, transformed
from autodeploy.lowering.onnx_to_nn.strings import as_strings, cells_of
from autodeploy.lowering.onnx_to_nn.trees import listed_trees, numbers, walked, with_base
from autodeploy.weights import Array

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


_KERNELS = ("LINEAR", "POLY", "RBF", "SIGMOID")


@converts("SVMRegressor", domain=_DOMAIN)
def svm_regressor(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert SVMRegressor: one score a row, or on which side of zero it is."""
    if transform_of(b, op) != "NONE":
        raise ConversionError("'post_transform' is not supported, nor does onnxruntime apply it")
    x, vectors = b.cast(table_of(b, op), f32), b.integer(op, "n_supports")
    weights, rho = floats(b, op, "coefficients"), _rho(b, op, 1)
    if vectors:
        x = _similarities(b, op, x, vectors)
    score = linear(b, x, 1, weights, rho)
    if not b.integer(op, "one_class"):
        return [score]
    inside = b.emit(LessOp(b.scalar(0.0, f32), score))
    return [b.emit(WhereOp(inside, b.scalar(1.0, f32), b.scalar(-1.0, f32)))]


@converts("SVMClassifier", domain=_DOMAIN)
def svm_classifier(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert SVMClassifier: each pair of classes has a score, and votes for one of both.

    The scores of the pairs are the result, of two classes that score and its opposite before it;
    or probabilities of classes. The label is that of the class with most votes, the first one of
    several. Without support vectors each class has a score, and the largest one counts.
    """
    labels, transform, x = labels_of(b, op, "ints"), transform_of(b, op), table_of(b, op)
    classes, sizes = len(labels), b.integers(op, "vectors_per_class")
    x = b.cast(x, f32)
    if not sum(sizes):
        if classes == 2:
            raise ConversionError("two classes without support vectors are not supported")
        rho = np.repeat(_rho(b, op, 1), classes)
        score = linear(b, x, classes, floats(b, op, "coefficients"), rho)
        return [label_of(b, labels, best(b, score)), transformed(b, score, transform)]
    if len(sizes) != classes or min(sizes) < 0:
        raise ConversionError(f"'vectors_per_class' must have {classes} entries, found {[*sizes]}")
    x = _similarities(b, op, x, sum(sizes))
    score = _scores_of_pairs(b, op, x, sizes)
    label = label_of(b, labels, best(b, _votes(b, score, classes)))
    odds = [floats(b, op, name) for name in ("prob_a", "prob_b")]
    if odds[0] is not None or odds[1] is not None:
        return [label, transformed(b, _probabilities(b, score, classes, odds), transform)]
    if classes > 2:
        return [label, transformed(b, score, transform)]
    if transform not in ("NONE", "LOGISTIC"):
        raise ConversionError(f"'post_transform' of {transform} for one score is not supported")
    return [label, transformed(b, opposed(b, score), transform)]


def _rho(b: ConversionContext, op: OnnxOp, count: int) -> Array:
    rho = floats(b, op, "rho")
    if rho is None or rho.size < count:
        raise ConversionError(f"'rho' must have {count} entries")
    return rho[:count]


def _similarities(b: ConversionContext, op: OnnxOp, x: SSAValue, vectors: int) -> SSAValue:
    """Return how similar each row is to each support vector, in the sense of the kernel."""
    features, given = shape_of(x.type)[1], floats(b, op, "support_vectors")
    if vectors < 1 or given is None or given.size != vectors * features:
        raise ConversionError(f"{x.type} does not fit {vectors} support vectors")
    kernel = b.text(op, "kernel_type", "LINEAR")
    if kernel not in _KERNELS:
        raise ConversionError(f"'kernel_type' must be one of {', '.join(_KERNELS)}")
    if kernel == "LINEAR":
        return linear(b, x, vectors, given, None)
    parameters = floats(b, op, "kernel_params")
    if parameters is None or parameters.size != 3:
        raise ConversionError("'kernel_params' must have 3 entries")
    gamma, offset, degree = parameters.tolist()
    if kernel == "RBF":
        return _nearness(b, x, given.reshape(vectors, features), gamma)
    product = b.emit(MulOp(linear(b, x, vectors, given, None), b.scalar(gamma, f32)))
    product = b.emit(AddOp(product, b.scalar(offset, f32)))
    if kernel == "SIGMOID":
        return b.emit(TanhOp(product))
    return b.emit(PowOp(product, b.scalar(degree, f32)))


def _nearness(b: NnBuilder, x: SSAValue, vectors: Array, gamma: float) -> SSAValue:
    """Return exp(-gamma * |x - v|²).

    Differences are squared one by one: |x|² - 2xv + |v|² would lose the digits of near vectors.
    """
    rows, features = shape_of(x.type)
    wide = b.reshape(x, (rows, 1, features))
    apart = b.emit(SubOp(wide, b.make_constant(vectors[None])))
    distance = b.emit(ReduceOp(b.emit(MulOp(apart, apart)), Reduction.SUM, [2], keepdims=False))
    return b.emit(ExpOp(b.emit(MulOp(distance, b.scalar(-gamma, f32)))))


def _scores_of_pairs(
    b: ConversionContext, op: OnnxOp, x: SSAValue, sizes: Sequence[int]
) -> SSAValue:
    """Return a score for each pair of classes: the vectors of both count, with weights of the pair.

    A vector of a class has a weight for each other class, the one with the lower number first.
    """
    classes, vectors = len(sizes), sum(sizes)
    given, count = floats(b, op, "coefficients"), comb(classes, 2)
    if given is None or given.size != (classes - 1) * vectors:
        raise ConversionError(f"'coefficients' must have {(classes - 1) * vectors} entries")
    check_new_constant(max(vectors, classes) * count, 4)
    pairs = list(combinations(range(classes), 2))
    given = given.reshape(classes - 1, vectors)
    ends = np.cumsum(sizes)
    weights = np.zeros((len(pairs), vectors), np.float32)
    for row, (low, high) in zip(weights, pairs, strict=True):
        for own, other in ((low, high - 1), (high, low)):
            place = slice(ends[own] - sizes[own], ends[own])
            row[place] = given[other, place]
    return linear(b, x, count, weights, _rho(b, op, count))


def _votes(b: NnBuilder, score: SSAValue, classes: int) -> SSAValue:
    """Return how many pairs vote for each class: for the first one where the score is above 0."""
    pairs = list(combinations(range(classes), 2))
    change = np.zeros((len(pairs), classes), np.float32)
    for row, (low, high) in zip(change, pairs, strict=True):
        row[[low, high]] = 1, -1
    at_least = np.arange(classes, dtype=np.float32)  # where all vote for the second one
    above = b.cast(b.emit(LessOp(b.scalar(0.0, f32), score)), f32)
    return b.emit(
        AddOp(b.emit(MatMulOp(above, b.make_constant(change))), b.make_constant(at_least))
    )


def _probabilities(
    b: NnBuilder, score: SSAValue, classes: int, odds: Sequence[Array | None]
) -> SSAValue:
    """Return the probabilities of classes that fit best those of each pair."""
    rows, pairs = shape_of(score.type)
    slope, shift = odds
    if slope is None or shift is None or not slope.size == shift.size == pairs:
        raise ConversionError(f"'prob_a' and 'prob_b' must have {pairs} entries each")
    x = b.emit(AddOp(b.emit(MulOp(score, b.make_constant(slope))), b.make_constant(shift)))
    share = b.cast(b.emit(SigmoidOp(b.emit(NegOp(x)))), f64)
    found, work = tensor(f64, (rows, classes)), tensor(f64, (classes + 1, classes))
    (found, _) = b.call("couple", [share], [found, work], rows=True)
    return b.cast(found, f32)
