"""``expand-for-c``: replace expressions for which Halide's C++ backend writes wrong code.

The backend of Halide 21 rounds by way of a 32-bit integer; writes constants of 64-bit floats with
32 bits; divides unsigned integers by 0, which ends the program; takes the remainder of floats as C
does, with the sign of the dividend; and takes ``<=`` of nan for false, where object code takes it
for true. It writes no vector of constants that repeat. Vectors whose lanes are no power of two are
arrays to gcc, and 15 times slower. It has no bfloat16 at all, and its float16 is a type that few
compilers have.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence

import ml_dtypes
import numpy as np
import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, bf16, f16, f32, f64, i32, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.dialects.halide import expression as h
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.schedule import VectorizeOp
from autodeploy.dialects.halide.types import BufferType, FuncType
from autodeploy.dialects.nn.types import is_float, is_unsigned, ui16, ui32, ui64
from autodeploy.lowering.nn_to_halide.expression import Before, Expr, replace

_HALVES = (f16, bf16)

_PASSING_ON = h.SelectOp | h.LikelyOp | h.StrictOp
"""Ops that compute nothing: they take bits, since a conversion in each would read them 70 times."""


class ExpandForCPass(ModulePass):
    """Replace expressions that Halide's C++ backend gets wrong in all pipelines.

    Elements of float16 and bfloat16 become their bits, which are converted to float32 and back
    for arithmetic. ``compile-kernels`` does this for kernels as C++ source; the pass shows the
    result.
    """

    name = "expand-for-c"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite all pipelines of the module."""
        for pipeline in [p for p in op.walk() if isinstance(p, PipelineOp)]:
            expand_for_c(pipeline)


def expand_for_c(pipeline: PipelineOp) -> None:
    """Rewrite one pipeline in place, for Halide's C++ backend."""
    _compute_halves_in_single(pipeline)
    for op in list(pipeline.walk()):
        expand = _EXPANSIONS.get(type(op))
        expression = expand(op, Before(op)) if expand is not None else None
        if expression is not None:
            replace(op, expression)
    for op in list(pipeline.walk()):
        if isinstance(op, h.ConstOp) and op.result.type == f64:
            replace(op, _double(op, Before(op)))
        elif isinstance(op, VectorizeOp) and op.factor is not None:
            op.factor = IntegerAttr(_power_of_two(op.factor.value.data), i64)


def _power_of_two(factor: int) -> int:
    """Return the largest power of two that divides a number."""
    return factor & -factor


def _round(op: h.RoundOp, scope: Before) -> Expr:
    """Round by adding a number so large that no bits are left for a fraction, and taking it off.

    A number that large is whole; nan and inf are not below it. Bits are compared, since kernels of
    a device have no vectors of comparisons of floats.
    """
    x = scope.expr(op.x)
    bits, unsigned = _bits(x)
    sign_bit = 1 << (63 if x.type == f64 else 31)
    size = bits % sign_bit
    fraction, bias = (52, 1023) if x.type == f64 else (23, 127)
    large = x.same(2.0**fraction)
    absolute = size.reinterpret(x.type)
    whole = (absolute + large - large).strict().reinterpret(unsigned)
    is_small = size < (bias + fraction) << fraction
    return is_small.select((whole + (bits - size)).reinterpret(x.type), x)


def _bits(x: Expr) -> tuple[Expr, Attribute]:
    unsigned = ui64 if x.type == f64 else ui32
    return x.reinterpret(unsigned), unsigned


def _double(op: h.ConstOp, scope: Before) -> Expr:
    """Write the bits of the constant, which Halide neither rounds nor computes with."""
    (bits,) = struct.unpack("q", struct.pack("d", op.value.value.data))
    return scope.const(bits, ui64).reinterpret(f64)


def _quotient(op: h.DivOp, scope: Before) -> Expr | None:
    return _of_nonzero(op, scope, Expr.__truediv__)


def _remainder(op: h.ModOp, scope: Before) -> Expr | None:
    a, b = scope.expr(op.lhs), scope.expr(op.rhs)
    if is_float(a.type):
        return a - b * (a / b).floor()
    if isinstance(b.number, int) and b.number > 0 and _is_index(op.lhs):
        return _index_remainder(a, b.number)
    return _of_nonzero(op, scope, Expr.__mod__)


def _is_index(value: SSAValue) -> bool:
    """Return whether variables and numbers alone make an i32."""
    owner = value.owner
    if not isinstance(owner, h.ExpressionOp):
        return value.type == i32 and isinstance(owner, Block | h.ConstOp)
    return value.type == i32 and all(map(_is_index, owner.operands))


def _index_remainder(a: Expr, period: int) -> Expr:
    """Return the remainder of an index, taken without a sign.

    Halide knows the remainders of the lanes of ``2 * x - 1`` by 4, say, makes a constant vector of
    them, and cannot write it. It looks through no conversion. An index is far above the lowest i32.
    """
    lift = 2**31 // period * period
    return ((a.cast(ui32) + lift) % period).cast(i32)


def _of_nonzero(
    op: h.BinaryOp, scope: Before, divided: Callable[[Expr, Expr], Expr]
) -> Expr | None:
    """Return 0 where the divisor is; signed integers Halide divides so by itself."""
    a, b = scope.expr(op.lhs), scope.expr(op.rhs)
    if not is_unsigned(a.type) or b.number is not None:
        return None
    return b.equals(0).select(b.same(0), divided(a, b.maximum(1)))


def _less_equal(op: h.LeOp, scope: Before) -> Expr | None:
    a, b = scope.expr(op.lhs), scope.expr(op.rhs)
    return ~(b < a).strict() if is_float(a.type) else None


def _cast(op: h.CastOp, scope: Before) -> Expr | None:
    """Halide would convert a constant, and then write it as if it had 32 bits."""
    number = scope.expr(op.x).number
    if op.result.type != f64 or number is None:
        return None
    return scope.const(float(number), f64)


_EXPANSIONS: Mapping[type[Operation], Callable[..., Expr | None]] = {
    h.RoundOp: _round,
    h.DivOp: _quotient,
    h.ModOp: _remainder,
    h.LeOp: _less_equal,
    h.CastOp: _cast,
}


def _compute_halves_in_single(pipeline: PipelineOp) -> None:
    """Let 16-bit floats be held as their bits, and computed with in 32 bits."""
    ops = [op for op in pipeline.walk() if isinstance(op, h.ExpressionOp | h.ConstOp)]
    # Bits do not tell float16 from bfloat16.
    types = [([operand.type for operand in op.operands], op.results[0].type) for op in ops]
    for op in pipeline.walk():
        for value in (*op.results, *_arguments(op)):
            _hold_bits(value)
    for op, (given, result) in zip(ops, types, strict=True):
        if {result, *given} & set(_HALVES) and not isinstance(op, _PASSING_ON):
            _compute_in_single(op, given, result)


def _arguments(op: Operation) -> Iterator[SSAValue]:
    return (value for region in op.regions for block in region.blocks for value in block.args)


def _compute_in_single(
    op: h.ExpressionOp | h.ConstOp, given: Sequence[Attribute], result: Attribute
) -> None:
    scope = Before(op)
    operands = [_single(scope.expr(x), t) for x, t in zip(op.operands, given, strict=True)]
    if isinstance(op, h.ConstOp):
        expression = scope.const(_half_bits(op.value.value.data, result), ui16)
    elif isinstance(op, h.ReinterpretOp):
        expression = scope.expr(op.x).reinterpret(op.result.type)
    elif isinstance(op, h.CastOp):
        expression = _narrowed(operands[0], result)
    else:
        kept = f32 if result in _HALVES else result
        values = [operand.value for operand in operands]
        computed = type(op).create(
            operands=values, result_types=[kept], properties=dict(op.properties)
        )
        expression = _narrowed(scope.emit(None, computed), result)
    replace(op, expression)


def _hold_bits(value: SSAValue) -> None:
    match value.type:
        case BufferType(element=element) as type_ if element in _HALVES:
            held = BufferType(ui16, type_.extents, type_.strides)
        case FuncType(element=element) as type_ if element in _HALVES:
            held = FuncType(ui16, type_.rank)
        case type_ if type_ in _HALVES:
            held = ui16
        case _:
            return
    Rewriter.replace_value_with_new_type(value, held)


def _half_bits(value: float, type_: Attribute) -> int:
    with np.errstate(over="ignore"):
        return int(np.array(value, _half_type(type_)).view(np.uint16))


def _half_type(type_: Attribute) -> npt.DTypeLike:
    return np.float16 if type_ == f16 else ml_dtypes.bfloat16


def _single(x: Expr, type_: Attribute) -> Expr:
    """Return what a value of a 16-bit type stands for, as float32; any other as it is."""
    if type_ not in _HALVES:
        return x
    if x.number is not None:
        known = np.array(x.number, np.uint16).view(_half_type(type_))
        return x.scope.const(float(known), f32)
    bits = x.cast(ui32)
    if type_ == bf16:
        return (bits * (1 << 16)).reinterpret(f32)
    size = bits % _HALF_SIGN
    subnormal = (size.cast(f32) * 2.0**-24).reinterpret(ui32)
    normal = size * (1 << 13) + ((127 - 15) << 23)
    special = size * (1 << 13) + ((255 - 31) << 23)
    large = (size < _HALF_INFINITY).select(normal, special)
    return ((size < 1 << 10).select(subnormal, large) + (bits - size) * (1 << 16)).reinterpret(f32)


_HALF_SIGN, _HALF_INFINITY, _HALF_NAN = 0x8000, 0x7C00, 0x7E00


def _narrowed(x: Expr, type_: Attribute) -> Expr:
    """Return a number as the bits of a 16-bit float, rounded to the nearest, halves to even.

    Any other type is converted to as it always is.
    """
    if type_ not in _HALVES:
        return x.cast(type_)
    x = _rounded_to_odd(x) if x.type == f64 else x.cast(f32)
    bits = x.reinterpret(ui32)
    size = bits % (1 << 31)
    sign = (bits - size) / (1 << 16)
    is_nan = x.same(math.inf).reinterpret(ui32) < size
    if type_ == bf16:
        rounded = (size + 0x7FFF + size / (1 << 16) % 2) / (1 << 16)
        return (is_nan.select(bits.same(0x7FC0), rounded) + sign).cast(ui16)
    # Near 0.5, the last bit of a float32 is worth as much as that of a subnormal float16.
    subnormal = (size.reinterpret(f32) + 0.5).strict().reinterpret(ui32) - (126 << 23)
    normal = (size - ((127 - 15) << 23) + 0xFFF + size / (1 << 13) % 2) / (1 << 13)
    finite = (size < (127 - 14) << 23).select(subnormal, normal)
    number = (size < _FIRST_INFINITE_HALF).select(finite, _HALF_INFINITY)
    return (is_nan.select(bits.same(_HALF_NAN), number) + sign).cast(ui16)


_FIRST_INFINITE_HALF = 0x477FF000
"""The bits of 65520, from which on a float32 is nearer to 65536 than to the largest float16."""


def _rounded_to_odd(x: Expr) -> Expr:
    """Return a float64 as a float32 that rounds to 16 bits as it does itself.

    The rounded-off bits leave a trace in the last bit, so a number near the middle of two 16-bit
    floats does not become the middle.
    """
    nearest = x.cast(f32)
    bits = nearest.reinterpret(ui32)
    back = nearest.cast(f64)
    is_away = (_magnitude(x) < _magnitude(back)).strict()
    cut = is_away.select(bits - 1, bits)
    odd = cut + (1 - cut % 2)
    is_inexact = ((x < back) | (back < x)).strict()
    return is_inexact.select(odd, bits).reinterpret(f32)


def _magnitude(x: Expr) -> Expr:
    return (x.reinterpret(ui64) % (1 << 63)).reinterpret(f64)
