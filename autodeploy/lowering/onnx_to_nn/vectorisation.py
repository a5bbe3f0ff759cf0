"""TfIdfVectorizer, which counts sequences of integers or strings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import f32, i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import MulOp
from autodeploy.dialects.nn.logic import LessOp, WhereOp
from autodeploy.dialects.nn.types import shape_of, tensor
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.lowering.onnx_to_nn.labels import places_of
from autodeploy.weights import Array

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
