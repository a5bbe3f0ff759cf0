"""Elements that are stored and moved only: floats of 8 and 4 bits, integers of 4 and 2 bits.

A tensor of codes stands for a tensor of them (``autodeploy.dialects.nn.stored``); the context knows
which. A cast from such a type is a look-up of the code. A cast to one takes the number apart by
its bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import (
    Float4E2M1FNType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    f32,
    i8,
    i32,
)
from xdsl.ir import Attribute, SSAValue

from autodeploy.dialects.nn.arithmetic import BitCastOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.movement import ConcatOp, ReshapeOp
from autodeploy.dialects.nn.padding import PadOp
from autodeploy.dialects.nn.stored import (
    SMALL_INTEGERS,
    STORED_NAMES,
    code_element,
    element_bits,
)
from autodeploy.dialects.nn.types import element_count, element_of, is_float, shape_of, ui8, ui32
from autodeploy.dialects.onnx import RawAttr
from autodeploy.dialects.onnx.families import MOVEMENTS
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.frontend.nn.term import Term
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.weights import named_dtype, unpacked

MOVED = MOVEMENTS | {"Shape", "Size"}
"""Operators that move elements of any type, or ask for their number only."""

CASTS = frozenset(("Cast", "CastLike", "QuantizeLinear", "DequantizeLinear"))
"""Operators that read or make elements of these types."""


@dataclass(frozen=True)
class _Format:
    """A small float: the bits of its fraction, the bias of its exponent, the largest finite code.

    ``overflow`` is the code of a number that is too large, ``nan`` that of nan, both without the
    ``sign``; ``signed`` are the codes that have one, all where it is ``None``.
    """

    fraction: int
    bias: int
    largest: int
    overflow: int
    nan: int
    sign: int = 0x80
    signed: range | None = None


_FORMATS: dict[Attribute, _Format] = {
    Float8E4M3FNType(): _Format(3, 7, 0x7E, 0x7F, 0x7F),
    Float8E4M3FNUZType(): _Format(3, 8, 0x7F, 0x80, 0x80, signed=range(1, 0x80)),
    Float8E5M2Type(): _Format(2, 15, 0x7B, 0x7C, 0x7E),
    Float8E5M2FNUZType(): _Format(2, 16, 0x7F, 0x80, 0x80, signed=range(1, 0x80)),
    Float4E2M1FNType(): _Format(1, 1, 0x7, 0x7, 0x8, sign=0x8, signed=range(0x8)),
}


def decoded(b: ConversionContext, codes: SSAValue, element: Attribute) -> SSAValue:
    """Return the numbers that codes stand for, as 32-bit floats or 8-bit integers."""
    if element in SMALL_INTEGERS:
        return b.emit(ReshapeOp(codes, shape_of(codes.type)))  # another value, of another type
    every = np.arange(1 << element_bits(element), dtype=np.uint8)
    numbers = every.view(named_dtype(STORED_NAMES[element])).astype(np.float32)
    return b.emit(GatherOp(b.make_constant(numbers), b.cast(codes, i32), 0))


def encoded(
    b: ConversionContext,
    x: SSAValue,
    element: Attribute,
    *,
    saturate: bool = True,
    rounding: str = "up",
) -> SSAValue:
    """Return the codes of numbers, as ONNX's Cast rounds them: to even, or as ``rounding`` says.

    A number that is too large is the largest with ``saturate``, else infinite or nan. An integer
    that is too large keeps its low bits.
    """
    if element in SMALL_INTEGERS:
        codes = _low_bits(b, x, element)
    elif element == Float8E8M0FNUType():
        codes = _exponents(b, b.cast(x, f32), saturate, rounding)
    else:
        codes = _rounded(b, b.cast(x, f32), element, saturate)
    b.stored[codes] = element
    return codes


def _low_bits(b: ConversionContext, x: SSAValue, element: Attribute) -> SSAValue:
    whole = b.cast(x, i32) if is_float(element_of(x.type)) else x
    factor = 1 << (8 - element_bits(element))
    high = Term(b, whole).cast(i8).cast(ui8) * factor
    return (high.cast(code_element(element)) / factor).value


def _bits(x: Term) -> Term:
    """Return the bits of a float as an integer."""
    return x.made(BitCastOp(x.value, ui32))


def _rounded(b: ConversionContext, given: SSAValue, element: Attribute, saturate: bool) -> SSAValue:
    form, x = _FORMATS[element], Term(b, given)
    size = x.abs()
    bits = _bits(size)
    cut = 23 - form.fraction
    kept = bits / (1 << cut)
    is_odd = kept - kept / 2 * 2
    rounded = (bits + ((1 << (cut - 1)) - 1) + is_odd) / (1 << cut)
    normal = rounded - ((127 - form.bias) << form.fraction)
    steps = size * 2.0 ** (form.bias - 1 + form.fraction)
    is_small = size < 2.0 ** (1 - form.bias)
    # A cast of a number that is too large for it would not be the same everywhere.
    subnormal = is_small.where(steps, 0.0).round().cast(ui32)
    code = is_small.where(subnormal, normal)
    if saturate:
        code = code.minimum(form.largest)
    else:
        code = (code > form.largest).where(code.same(form.overflow), code)
    code = x.equals(x).where(code, form.nan)
    sign = _bits(x) / (1 << 31) * form.sign
    if form.signed is not None:
        has_none = (code < form.signed.start) | (code > form.signed.stop - 1)
        sign = has_none.where(sign.same(0), sign)
    return (code + sign).cast(ui8).value


def _exponents(b: ConversionContext, x: SSAValue, saturate: bool, rounding: str) -> SSAValue:
    """Return the exponents of numbers, rounded up, down or to the nearest; signs are lost."""
    bits = _bits(Term(b, x).abs())
    exponent = bits / (1 << 23)
    fraction = bits - exponent * (1 << 23)
    if rounding == "up":
        bound = bits.same(0)
    elif rounding == "nearest":
        # Halfway is up, but for numbers that have no exponent of their own.
        bound = exponent.equals(0).where(bits.same(1 << 22), (1 << 22) - 1)
    elif rounding == "down":
        bound = bits.same(1 << 23)
    else:
        raise ConversionError(f"round_mode '{rounding}' is unknown, expected up, down or nearest")
    rounded = (exponent + (bound < fraction).cast(ui32)).minimum(0xFE if saturate else 0xFF)
    return exponent.equals(0xFF).where(rounded.same(0xFF), rounded).cast(ui8).value


def stored_constant(b: ConversionContext, value: RawAttr) -> SSAValue:
    """Make a constant of the codes of a tensor that a model holds."""
    element = value.type.get_element_type()
    if element not in STORED_NAMES:
        raise ConversionError(f"constants with elements of type {element} are not supported")
    raw = np.frombuffer(value.data.data, np.uint8)
    bits = element_bits(element)
    codes = unpacked(raw, bits, np.dtype(np.uint8), value.type.get_shape()).astype(np.uint8)
    if code_element(element) == i8:
        codes = (codes << (8 - bits)).astype(np.int8) >> (8 - bits)
    found = b.make_constant(codes)
    b.stored[found] = element
    return found


# Inputs and outputs of a program


def unpacked_codes(
    b: ConversionContext, raw: SSAValue, element: Attribute, shape: tuple[int, ...]
) -> SSAValue:
    """Return the codes in the bytes of an input."""
    bits = element_bits(element)
    parts: list[SSAValue] = []
    for place in range(0, 8, bits):
        high = Term(b, raw) * (1 << (8 - bits - place))
        parts.append((high / (1 << (8 - bits))).value)
    columns = [b.reshape(part, (*shape_of(part.type), 1)) for part in parts]
    flat = b.reshape(b.emit(ConcatOp(columns, 1)), (8 // bits * element_count(raw.type),))
    count = int(np.prod(shape, dtype=np.int64))
    codes = b.reshape(b.slice(flat, {0: range(count)}), shape)
    return _low_bits(b, codes, element) if code_element(element) == i8 else codes


def packed_codes(b: ConversionContext, codes: SSAValue, element: Attribute) -> SSAValue:
    """Return the bytes of an output."""
    bits, count = element_bits(element), element_count(codes.type)
    flat = b.reshape(b.cast(codes, ui8), (count,))
    per = 8 // bits
    if count % per:
        flat = b.emit(PadOp(flat, [0, -count % per]))
    rows = b.reshape(flat, (-(-count // per), per))
    total: Term | None = None
    for place in range(per):
        code = b.reshape(b.slice(rows, {1: range(place, place + 1)}), shape_of(rows.type)[:1])
        # The signs are multiplied out of the byte.
        part = Term(b, code) * (1 << (8 - bits)) / (1 << (8 - bits - place * bits))
        total = part if total is None else total + part
    assert total is not None
    return total.value
