"""Ops on tables of features that few nn ops say: Scaler, Normalizer and the like of ai.onnx.ml.

TfIdfVectorizer counts sequences of integers or strings.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from xdsl.dialects.builtin import f32, f64, i64
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.nn.arithmetic import AbsOp, AddOp, DivOp, MaxOp, MulOp, SqrtOp, SubOp
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.logic import EqualOp, LessOp, WhereOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.padding import PadOp
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction
from autodeploy.dialects.nn.types import element_of, highest, is_float, lowest, shape_of, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.lowering.onnx_to_nn.labels import places_of
from autodeploy.lowering.onnx_to_nn.scores import transform_of, transformed
from autodeploy.weights import Array

_DOMAIN = "ai.onnx.ml"

_LEAST_NORM = 1e-30
"""The least divisor of a row."""


@converts("ArrayFeatureExtractor", domain=_DOMAIN)
def array_feature_extractor(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert ArrayFeatureExtractor: elements of the last axis; a list is one row."""
    x, indices = b.operand(op, "X"), b.operand(op, "Y")
    shape, count = shape_of(x.type), prod(shape_of(indices.type))
    known = b.array(indices)
    if not shape or (known is not None and known.size and not (
        known.min() >= 0 and known.max() < shape[-1]
    )):  # fmt: skip
        raise ConversionError(f"the indices are outside of {x.type}")
    taken = b.emit(GatherOp(x, b.reshape(indices, (count,)), len(shape) - 1))
    return [b.reshape(taken, (*(shape[:-1] or (1,)), count))]


@converts("Binarizer", domain=_DOMAIN)
def binarizer(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Binarizer: 1 above a threshold, else 0, also for nan."""
    x, threshold = b.operand(op, "X"), b.number(op, "threshold")
    element = element_of(x.type)
    wide = x if is_float(element) else b.cast(x, f64)
    above = b.emit(LessOp(b.scalar(threshold, element_of(wide.type)), wide))
    return [b.cast(above, element)]


@converts("Scaler", domain=_DOMAIN)
def scaler(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Scaler: offsets are taken off, the rest is multiplied, one number a column or all."""
    x = b.operand(op, "X")
    wide = b.cast(x, f64) if element_of(x.type) != f32 else x
    offset, scale = (_numbers(b, op, name, x, wide) for name in ("offset", "scale"))
    return [b.cast(b.emit(MulOp(b.emit(SubOp(wide, offset)), scale)), f32)]


def _numbers(b: ConversionContext, op: OnnxOp, name: str, x: SSAValue, like: SSAValue) -> SSAValue:
    values = floats(b, op, name)
    width = shape_of(x.type)[-1] if shape_of(x.type) else 1
    if values is None or values.size not in (1, width):
        raise ConversionError(f"'{name}' must have 1 or {width} entries")
    return b.cast(b.make_constant(values), element_of(like.type))


def floats(b: ConversionContext, op: OnnxOp, name: str) -> Array | None:
    """Return an attribute of 32-bit floats; ``None`` if it is left out."""
    given = b.setting(op, name)
    return np.array(given, np.float32) if isinstance(given, tuple) and given else None


@converts("Normalizer", domain=_DOMAIN)
def normalizer(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Normalizer: rows over their largest magnitude, or over their norm."""
    x, norm = b.cast(b.operand(op, "X"), f32), b.text(op, "norm", "MAX")
    axis = len(shape_of(x.type)) - 1
    if axis < 0 or norm not in ("MAX", "L1", "L2"):
        raise ConversionError(f"norm '{norm}' of {x.type} is not supported")
    size = b.emit(MulOp(x, x)) if norm == "L2" else b.emit(AbsOp(x))
    kind = Reduction.MAX if norm == "MAX" else Reduction.SUM
    total = b.emit(ReduceOp(size, kind, [axis], keepdims=True))
    total = b.emit(SqrtOp(total)) if norm == "L2" else total
    return [b.emit(DivOp(x, b.emit(MaxOp(total, b.scalar(_LEAST_NORM, f32)))))]


@converts("LinearRegressor", domain=_DOMAIN)
def linear_regressor(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert LinearRegressor: a product with a row of coefficients for each target."""
    x, targets = b.cast(table_of(b, op), f32), b.integer(op, "targets")
    if targets < 1:
        raise ConversionError(f"'targets' must be 1 or more, found {targets}")
    score = linear(b, x, targets, floats(b, op, "coefficients"), floats(b, op, "intercepts"))
    return [transformed(b, score, transform_of(b, op))]


def table_of(b: ConversionContext, op: OnnxOp) -> SSAValue:
    """Return the operand X as a table; a list is one row."""
    x = b.operand(op, "X")
    shape = shape_of(x.type)
    if len(shape) not in (1, 2):
        raise ConversionError(f"a table is needed, not {x.type}")
    return b.reshape(x, (1, *shape)[-2:])


def linear(
    b: ConversionContext,
    x: SSAValue,
    targets: int,
    coefficients: Array | None,
    intercepts: Array | None,
) -> SSAValue:
    """Return a column for each target: a row of coefficients for each, and the intercept."""
    shape = shape_of(x.type)
    if len(shape) != 2 or coefficients is None or coefficients.size != targets * shape[1]:
        raise ConversionError(f"{x.type} does not fit the coefficients of {targets} targets")
    factors = np.ascontiguousarray(coefficients.reshape(targets, shape[1]).T)
    score = b.emit(MatMulOp(x, b.make_constant(factors)))
    if intercepts is None:
        return score
    if intercepts.size != targets:
        raise ConversionError(f"'intercepts' must have {targets} entries")
    return b.emit(AddOp(score, b.make_constant(intercepts)))


@converts("Imputer", domain=_DOMAIN)
def imputer(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Imputer: one number or nan becomes another one, the same for all columns or not."""
    x = b.operand(op, "X")
    element = element_of(x.type)
    if is_float(element):
        replaced, values = (
            b.number(op, "replaced_value_float"),
            floats(b, op, "imputed_value_floats"),
        )
    else:
        replaced = b.integer(op, "replaced_value_int64")
        values = np.array(b.integers(op, "imputed_value_int64s"), np.int64)
    columns = shape_of(x.type)[-1] if shape_of(x.type) else 1
    if values is None or values.size not in (1, columns):
        raise ConversionError(f"it takes 1 or {columns} numbers to put there")
    if not is_float(element) and not _fit(element, [replaced, *values.tolist()]):
        raise ConversionError(f"its numbers do not fit elements of type {element}")
    new = b.cast(b.make_constant(values), element)
    if replaced != replaced:
        return [b.emit(WhereOp(b.emit(EqualOp(x, x)), x, new))]
    old = b.cast(b.make_constant(np.array(replaced, values.dtype)), element)
    return [b.emit(WhereOp(b.emit(EqualOp(x, old)), new, x))]


def _fit(element: Attribute, numbers: Sequence[float]) -> bool:
    return all(lowest(element) <= number <= highest(element) for number in numbers)


@converts("FeatureVectorizer", domain=_DOMAIN)
def feature_vectorizer(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert FeatureVectorizer: columns next to each other; a list is one row.

    Each operand has as many columns as the op says: it is cut, or padded by zeros.
    """
    widths = b.integers(op, "inputdimensions")
    if len(widths) != len(op.operands) or not widths or min(widths) < 0:
        raise ConversionError(f"'inputdimensions' must have {len(op.operands)} entries")
    parts: list[SSAValue] = []
    for x, width in zip(op.operands, widths, strict=True):
        shape = shape_of(x.type)
        if len(shape) not in (1, 2):
            raise ConversionError(f"a list or a table is needed, not {x.type}")
        table = b.cast(b.reshape(x, (1, *shape)[-2:]), f32)
        kept = b.slice(table, {1: range(min(width, shape[-1]))})
        more = width - shape[-1]
        parts.append(b.emit(PadOp(kept, [0, 0, 0, more])) if more > 0 else kept)
    rows = {shape_of(part.type)[0] for part in parts}
    if len(rows) > 1:
        raise ConversionError(f"its operands have the same number of rows, found {sorted(rows)}")
    return [b.emit(ConcatOp(parts, 1)) if len(parts) > 1 else parts[0]]


_MODES = ("TF", "IDF", "TFIDF")


@converts("TfIdfVectorizer")
def tf_idf_vectorizer(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert TfIdfVectorizer: the library counts numbers of words, and weights are factors."""
    x, mode = b.operand(op, "X"), b.text(op, "mode", "")
    least, most = b.integer(op, "min_gram_length"), b.integer(op, "max_gram_length")
    skips = b.integer(op, "max_skip_count")
    if mode not in _MODES or not 1 <= least <= most or skips < 0:
        raise ConversionError(
            f"mode '{mode}' for {least} to {most} elements with {skips} between is not valid"
        )
    shape = shape_of(x.type)
    if len(shape) > 2:
        raise ConversionError(f"rank 2 at most is supported, found {x.type}")
    places = b.integers(op, "ngram_indexes")
    if not places or min(places) < 0:
        raise ConversionError("'ngram_indexes' must be numbers of results")
    size = max(places) + 1
    words = b.strings(op, "pool_strings")
    numbers = {word: number for number, word in enumerate(words)}
    pool = [numbers[word] for word in words] or b.integers(op, "pool_int64s")
    if bool(words) != (x in b.tables):
        raise ConversionError(f"the pool does not fit elements of type {b.element(x)}")
    if words:
        x = places_of(b, x, words)
    known = _grams(b, op, pool, places, least, most)
    result = (*shape[:-1], size) if len(shape) == 2 else (size,)
    if not known or 0 in shape:
        counts = b.make_constant(np.zeros(result, np.int64))
    else:
        width = max(map(len, known))
        ordered = sorted(known, key=lambda gram: (len(gram), gram))
        table = np.array([[*gram, *[0] * (width - len(gram))] for gram in ordered], np.int64)
        row = shape[-1] if shape else 1
        rows = b.reshape(b.cast(x, i64), (shape[0] if len(shape) == 2 else 1, row))
        given = [
            rows,
            b.make_constant(table),
            b.make_constant(np.array(list(map(len, ordered)), np.int64)),
            b.make_constant(np.array([known[gram] for gram in ordered], np.int64)),
        ]
        wanted = tensor(i64, (shape_of(rows.type)[0], size))
        # Longer sequences than a row, or than the pool has, are not looked for.
        numbers = [least, min(most, width, row), min(skips, row)]
        counts = b.reshape(b.call("grams", given, [wanted], numbers)[0], result)
    weights = b.setting(op, "weights")
    factors = b.scalar(1, f32)
    if mode != "TF" and isinstance(weights, tuple) and weights:
        own = np.array(weights, np.float32)
        factors = b.make_constant(_factors(own.tolist(), places, size))
    if mode == "IDF":
        occurs = b.emit(LessOp(b.scalar(0, i64), counts))
        return [b.emit(WhereOp(occurs, factors, b.scalar(0, f32)))]
    return [b.emit(MulOp(b.cast(counts, f32), factors))]


def _factors(weights: Sequence[float], places: Sequence[int], size: int) -> Array:
    """Return a factor for each count; the weights are those of the sequences of the pool."""
    if len(weights) != len(places):
        raise ConversionError(f"'weights' must have {len(places)} entries, found {len(weights)}")
    known = dict(zip(places, weights, strict=True))
    if any(known[place] != weight for place, weight in zip(places, weights, strict=True)):
        raise ConversionError("sequences that are counted together have different weights")
    return np.array([known.get(place, 1.0) for place in range(size)], np.float32)


def _grams(
    b: ConversionContext,
    op: OnnxOp,
    pool: Sequence[int],
    places: Sequence[int],
    least: int,
    most: int,
) -> dict[tuple[int, ...], int]:
    """Return the sequences of the pool that are counted, and the place of each count."""
    starts = list(b.integers(op, "ngram_counts"))
    if starts != sorted(starts) or min(starts, default=0) < 0 or max(starts, default=0) > len(pool):
        raise ConversionError("'ngram_counts' must rise within the pool")
    found: dict[tuple[int, ...], int] = {}
    number = 0
    for size, (start, end) in enumerate(zip(starts, [*starts[1:], len(pool)], strict=True), 1):
        for at in range(start, end - size + 1, size):
            if number >= len(places):
                raise ConversionError("'ngram_indexes' has no entry for each sequence of the pool")
            if least <= size <= most:
                found[tuple(pool[at : at + size])] = places[number]
            number += 1
    return found
