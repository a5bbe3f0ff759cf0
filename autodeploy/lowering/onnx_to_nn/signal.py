"""Ops of signals: DFT, STFT, and MelWeightMatrix, which weighs the bins of a spectrum."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt, pi

import numpy as np
from xdsl.dialects.builtin import f64, i64
from xdsl.ir import SSAValue

from autodeploy.dialects.nn.arithmetic import AddOp, MulOp, NegOp, SubOp
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.movement import ConcatOp
from autodeploy.dialects.nn.padding import PadOp
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    element_count,
    element_of,
    is_bool,
    shape_of,
    tensor,
)
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, axis_of, check_new_constant
from autodeploy.frontend.onnx.types import element_types
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts
from autodeploy.weights import numpy_dtype

LONGEST = 64
"""The longest transform that is one product, where its length has factors."""

Complex = tuple[SSAValue, SSAValue | None]
"""Real and imaginary parts; none of the latter where all are 0."""


@converts("DFT")
def dft(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert DFT; the transform of a one-sided spectrum is real."""
    given = b.operand(op, "input")
    x, rank = b.in_32_bits(given), len(shape_of(given.type))
    if "axis" in op.schema.attributes:
        axis = b.integer(op, "axis")
    else:
        axis = -2 if op.input_named("axis") is None else b.constant_integer(op, "axis")
    axis = axis_of(axis, rank)
    if axis == rank - 1 or shape_of(x.type)[-1] not in (1, 2):
        raise ConversionError(f"axis {axis} of {given.type} is none of real or complex numbers")
    inverse, onesided = (b.integer(op, name) != 0 for name in ("inverse", "onesided"))
    extent = shape_of(x.type)[axis]
    length = 2 * (extent - 1) if inverse and onesided else extent
    if op.input_named("dft_length") is not None:
        length = b.constant_integer(op, "dft_length")
    if length < 1 or extent < 1:
        raise ConversionError(f"a transform of length {length} of {given.type} is none")
    is_real = shape_of(x.type)[-1] == 1
    if onesided and is_real == inverse:
        raise ConversionError(f"a one-sided transform of {given.type} is none")
    order = [*(i for i in range(rank - 1) if i != axis), axis]
    back = [order.index(i) for i in range(rank - 1)]
    parts = [_resized(b, b.transpose(part, order), length, onesided and inverse)
             for part in _parts(b, x)]  # fmt: skip
    signal: Complex = (parts[0], None if is_real else parts[1])
    if onesided and inverse:
        signal = _mirrored(b, signal, length)
    real, imaginary = _transform(b, signal, length, inverse)
    found = [real] if onesided and inverse else [real, imaginary]
    if onesided and not inverse:
        found = [b.slice(part, {rank - 2: range(length // 2 + 1)}) for part in found]
    if inverse:
        scale = b.scalar(1 / length, element_of(x.type))
        found = [b.emit(MulOp(part, scale)) for part in found]
    result = _joined(b, [b.transpose(part, back) for part in found])
    return [b.cast(result, element_of(given.type))]


@converts("STFT")
def stft(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert STFT: the transforms of the frames of a signal, each times the window."""
    given, window = b.operand(op, "signal"), op.input_named("window")
    x, shape = b.in_32_bits(given), shape_of(given.type)
    if len(shape) == 2:  # real numbers, as PyTorch's exporters write them
        x, shape = b.reshape(x, (*shape, 1)), (*shape, 1)
    step = b.constant_integer(op, "frame_step")
    length = frame_length(b, op)
    onesided = b.integer(op, "onesided") != 0
    if len(shape) != 3 or shape[2] not in (1, 2) or (onesided and shape[2] == 2):
        raise ConversionError(f"{given.type} is no signal")
    if step < 1 or not 1 <= length <= shape[1]:
        raise ConversionError(f"{given.type} has no frames of {length} a step of {step}")
    if window is not None and shape_of(window.type) != (length,):
        raise ConversionError(f"a window {window.type} does not fit frames of {length}")
    count = (shape[1] - length) // step + 1
    check_new_constant(count * length, 4)
    places = np.arange(count)[:, None] * step + np.arange(length)
    frames = [
        b.emit(GatherOp(part, b.make_constant(places.astype(np.int32)), 1)) for part in _parts(b, x)
    ]
    if window is not None:
        weights = b.cast(window, element_of(x.type))
        frames = [b.emit(MulOp(part, weights)) for part in frames]
    real, imaginary = _transform(b, (frames[0], frames[1] if shape[2] == 2 else None), length)
    kept = {2: range(length // 2 + 1 if onesided else length)}
    result = _joined(b, [b.slice(real, kept), b.slice(imaginary, kept)])
    return [b.cast(result, element_of(given.type))]


def frame_length(b: ConversionContext, op: OnnxOp) -> int:
    """Return the length of the frames of a STFT."""
    if op.input_named("frame_length") is not None:
        return b.constant_integer(op, "frame_length")
    window = op.input_named("window")
    source = b.operand(op, "signal") if window is None else window
    return shape_of(source.type)[1 if window is None else 0]


def _parts(b: ConversionContext, x: SSAValue) -> list[SSAValue]:
    """Return the real and, where there are, the imaginary parts, without the last axis."""
    *shape, count = shape_of(x.type)
    return [b.reshape(b.slice(x, {len(shape): range(i, i + 1)}), shape) for i in range(count)]


def _joined(b: ConversionContext, parts: Sequence[SSAValue]) -> SSAValue:
    """Put parts next to each other along a new last axis."""
    wide = [b.reshape(part, (*shape_of(part.type), 1)) for part in parts]
    return wide[0] if len(wide) == 1 else b.emit(ConcatOp(wide, len(shape_of(wide[0].type)) - 1))


def _resized(b: ConversionContext, x: SSAValue, length: int, half: bool) -> SSAValue:
    """Cut the last axis to a length, or fill it up with zeros; to that of half a spectrum."""
    rank, wanted = len(shape_of(x.type)), length // 2 + 1 if half else length
    x = b.slice(x, {rank - 1: range(min(wanted, shape_of(x.type)[-1]))})
    missing = wanted - shape_of(x.type)[-1]
    return b.emit(PadOp(x, [*[0] * (2 * rank - 1), missing])) if missing else x


def _mirrored(b: ConversionContext, x: Complex, length: int) -> Complex:
    """Return the spectrum of a real signal of which the first half is known."""
    axis = len(shape_of(x[0].type)) - 1
    rest = {axis: range((length - 1) // 2, 0, -1)}
    real, imaginary = x
    assert imaginary is not None  # a one-sided spectrum is complex
    if length < 3:
        return x
    negated = b.emit(NegOp(b.slice(imaginary, rest)))
    return (
        b.emit(ConcatOp([real, b.slice(real, rest)], axis)),
        b.emit(ConcatOp([imaginary, negated], axis)),
    )


def _transform(
    b: ConversionContext, x: Complex, length: int, inverse: bool = False
) -> tuple[SSAValue, SSAValue]:
    """Transform the last axis, without the factor of the inverse.

    A length n1 * n2 takes n2 transforms of length n1, of every n2-th element each, factors of
    modulus 1, and n1 transforms of length n2 (Cooley and Tukey 1965).
    """
    first = next((n for n in range(isqrt(length), 1, -1) if length % n == 0), 1)
    if length <= LONGEST or first == 1:
        return _product(b, x, length, inverse)
    second = length // first
    *outer, _ = shape_of(x[0].type)
    rank = len(outer)
    swapped = [*range(rank), rank + 1, rank]

    def columns(part: SSAValue, rows: int) -> SSAValue:
        return b.transpose(b.reshape(part, (*outer, rows, length // rows)), swapped)

    real, imaginary = x
    taken = columns(real, first), None if imaginary is None else columns(imaginary, first)
    real, imaginary = _transform(b, taken, first, inverse)
    turns = np.outer(np.arange(second), np.arange(first)) / length
    dtype = numpy_dtype(element_of(real.type))
    check_new_constant(2 * length, dtype.itemsize)
    cosine, sine = (b.make_constant(part.astype(dtype)) for part in _circle(turns, inverse))
    real, imaginary = (
        b.emit(SubOp(b.emit(MulOp(real, cosine)), b.emit(MulOp(imaginary, sine)))),
        b.emit(AddOp(b.emit(MulOp(real, sine)), b.emit(MulOp(imaginary, cosine)))),
    )
    rows = b.transpose(real, swapped), b.transpose(imaginary, swapped)
    parts = _transform(b, rows, second, inverse)
    real, imaginary = (b.reshape(b.transpose(p, swapped), (*outer, length)) for p in parts)
    return real, imaginary


def _product(
    b: ConversionContext, x: Complex, length: int, inverse: bool
) -> tuple[SSAValue, SSAValue]:
    """Transform the last axis by a product with the matrix of the transform."""
    real, imaginary = x
    rank, element = len(shape_of(real.type)), element_of(real.type)
    check_new_constant(4 * length * length, ELEMENT_BYTES[element])
    turns = np.outer(np.arange(length), np.arange(length)) % length / length
    cosine, sine = _circle(turns, inverse)
    matrix = np.hstack([cosine, sine])
    if imaginary is not None:
        matrix = np.vstack([matrix, np.hstack([-sine, cosine])])
        real = b.emit(ConcatOp([real, imaginary], rank - 1))
    found = b.emit(MatMulOp(real, b.make_constant(matrix.astype(numpy_dtype(element)))))
    halves = (range(length), range(length, 2 * length))
    real, imaginary = (b.slice(found, {rank - 1: half}) for half in halves)
    return real, imaginary


def _circle(turns: np.ndarray, inverse: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return cosine and sine of turns, clockwise but for an inverse transform."""
    return np.cos(2 * pi * turns), np.sin(2 * pi * turns) * (1 if inverse else -1)


_SIZES = ("num_mel_bins", "dft_length", "sample_rate")
_EDGES = ("lower_edge_hertz", "upper_edge_hertz")


@converts("MelWeightMatrix")
def mel_weight_matrix(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert MelWeightMatrix of a known shape; the program ends with an error for another one."""
    shape = b.result_shape(op, "num_mel_bins")
    if len(shape) != 2 or 0 in shape:
        raise ConversionError(f"a result of shape {list(shape)} is no matrix of weights")
    given = [(_SIZES, i64), (_EDGES, f64)]
    inputs: list[SSAValue] = []
    for names, element in given:
        values = [b.operand(op, name) for name in names]
        if any(element_count(value.type) != 1 for value in values):
            raise ConversionError("its inputs are one number each")
        inputs.append(
            b.emit(ConcatOp([b.reshape(b.cast(value, element), (1,)) for value in values], 0))
        )
    (weights,) = b.call("mel", inputs, [tensor(f64, shape)], checks=True)
    element = element_types().get(b.integer(op, "output_datatype"))
    if element not in ELEMENT_BYTES or is_bool(element):
        raise ConversionError(f"elements of type {element} are not supported")
    return [b.cast(weights, element)]
