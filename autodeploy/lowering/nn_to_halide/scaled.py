"""Lowering of products with weights of few bits: sums of blocks, and the sum of these."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import f32, i16, i32

from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.scaled import ScaledMatMulOp
from autodeploy.dialects.nn.types import bounds_of, ui8, ui32
from autodeploy.lowering.nn_to_halide.contraction import strict, summed
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
    lowers,
)
from autodeploy.templates.narrow import WEIGHTS
from autodeploy.templates.scaled.template import BLOCK_SUMS, NEIGHBOURS, PAIR_SUMS, ROW_SUMS

_MANTISSA_BITS, _EXPONENT_BIAS = 23, 127


@lowers(ScaledMatMulOp)
def scaled_matmul(builder: KernelBuilder, op: ScaledMatMulOp, operands: Sequence[Value]) -> Value:
    """Sum the products of each block, then the sums of blocks by their scales."""
    x, weights, scales, zeros, *x_scales = operands
    shape, size = bounds_of(op.result.type), op.block.value.data
    if _knob(op, "widen"):
        wide = _widened(builder, op, weights, scales, zeros)
        return summed(builder, op, _product(builder, shape, strict(x), wide))
    if x_scales:
        blocks = _sums_of_codes(builder, op, x, weights, zeros)
    else:
        blocks = _sums_of_floats(builder, op, strict(x), weights, zeros)

    def scaled(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        (*row, column), (block,) = point, reduced
        factor = scales.at(scope, op.stored(block, column))
        for of_row in x_scales:
            factor = factor * of_row.at(scope, (*row, block))
        return old + blocks.at(scope, (block, *point)) * factor

    total = builder.func(
        "matmul",
        f32,
        shape,
        lambda scope, _: scope.const(0, f32),
        update=(Domain((("block", x.shape[-1] // size),)), scaled),
        contracts=True,
    )
    return summed(builder, op, total)


def _product(builder: KernelBuilder, shape: Sequence[int], x: Value, weights: Value) -> Value:
    def step(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        return old + x.at(scope, (*point[:-1], *reduced)) * weights.at(scope, (*reduced, point[-1]))

    return builder.func(
        "matmul",
        f32,
        shape,
        lambda scope, _: scope.const(0, f32),
        update=(Domain((("k", x.shape[-1]),)), step),
        contracts=True,
    )


def _widened(
    builder: KernelBuilder, op: ScaledMatMulOp, weights: Value, scales: Value, zeros: Value
) -> Value:
    """Return the weights as floats."""
    size, parts, bits = op.block.value.data, op.parts, 8 // op.parts

    def weight(scope: Scope, point: Coordinates) -> Expr:
        k, column = map(scope.index, point)
        block, place = k / size, k % size
        byte, part = place % (size // parts), place / (size // parts)
        codes = weights.at(scope, op.stored(block, column, byte)).cast(i32)
        code = codes / (1 << 8 - bits)
        for number in reversed(range(parts - 1)):
            code = (part <= number).select(codes / (1 << bits * number) % (1 << bits), code)
        distance = code - zero_point(op, zeros, scope, block, column)
        return distance.cast(f32) * scales.at(scope, op.stored(block, column))

    return builder.func(
        WEIGHTS, f32, (bounds_of(op.x.type)[-1], bounds_of(op.result.type)[-1]), weight
    )


def _on_base(word: Expr, nothing: Expr, bits: int, part: int) -> tuple[Expr, float]:
    """Return a code of a byte plus a number, which is returned, too: the sum is exact.

    The bits of the code are the last ones of a float whose last place counts 1 there. A mask and
    the exponent make the float, without a shift or a conversion. A mask that Halide knew would be
    applied to bytes before they are widened, which costs vectors one more instruction.
    """
    exponent = _MANTISSA_BITS - bits * part
    mask, start = (1 << bits) - 1 << bits * part, _EXPONENT_BIAS + exponent << _MANTISSA_BITS
    return ((word & (nothing + mask)) | start).reinterpret(f32), float(1 << exponent)


def _sums_of_floats(
    builder: KernelBuilder, op: ScaledMatMulOp, x: Value, weights: Value, zeros: Value
) -> Value:
    """Return the sums of x times the distances of codes from their zero points."""
    size, parts, bits = op.block.value.data, op.parts, 8 // op.parts

    def products(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        (block, *row, column), (byte,) = map(scope.index, point), map(scope.index, reduced)
        word = weights.at(scope, op.stored(block, column, byte)).cast(ui32)
        nothing = builder.hidden_zero(scope, ui32).cast(ui32)
        zero = zero_point(op, zeros, scope, block, column).cast(f32)
        for part in range(parts):
            k = block * size + (byte + part * (size // parts))
            code, base = _on_base(word, nothing, bits, part)
            old = old + x.at(scope, (*row, k)) * (code - (zero + base))
        return old

    return builder.func(
        BLOCK_SUMS,
        f32,
        (x.shape[-1] // size, *bounds_of(op.result.type)),
        lambda scope, _: scope.const(0, f32),
        update=(Domain((("byte", size // parts),)), products),
        contracts=True,
    )


def _sums_of_codes(
    builder: KernelBuilder, op: ScaledMatMulOp, x: Value, weights: Value, zeros: Value
) -> Value:
    """Return exact sums of products of codes as floats, by the sums that the config says."""
    chunk = _knob(op, "pairs")
    sums = SumsOfCodes(builder, op, x, weights, zeros)
    found = sums.in_16_bits(chunk) if chunk else sums.in_32_bits()
    return Value(f32, found.shape, lambda scope, point: found.at(scope, point).cast(f32))


def _knob(op: ScaledMatMulOp, name: str) -> int:
    """Return the number of a knob of the kernel's config, 0 if there is none."""
    kernel = op.parent_op()
    config = kernel.config if isinstance(kernel, KernelOp) else None
    return 0 if config is None else config.number(name)


def zero_point(op: ScaledMatMulOp, zeros: Value, scope: Scope, block: Expr, column: Expr) -> Expr:
    """Return the zero point of a block of a column."""
    return zeros.at(scope, op.stored(block, column) if zeros.shape else ()).cast(i32)


class SumsOfCodes:
    """The funcs of the sums of a kernel's blocks."""

    def __init__(
        self, builder: KernelBuilder, op: ScaledMatMulOp, x: Value, weights: Value, zeros: Value
    ):
        self._builder, self._op, self._x, self._weights, self._zeros = (
            builder, op, x, weights, zeros,
        )  # fmt: skip
        self._size = op.block.value.data
        self._bytes, self._bits = self._size // op.parts, 8 // op.parts
        self._shape = (x.shape[-1] // self._size, *bounds_of(op.result.type))
        self._row_sums = builder.func(
            ROW_SUMS,
            i32,
            (*self._shape[1:-1], self._shape[0]),
            lambda scope, _: scope.const(0, i32),
            update=(Domain((("k", self._size),)), self._add_to_row),
        )

    def _add_to_row(
        self, scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates
    ) -> Expr:
        (*row, block), (k,) = map(scope.index, point), map(scope.index, reduced)
        return old + self._of_row(scope, tuple(row), block, k).cast(i32)

    def _of_row(self, scope: Scope, row: Coordinates, block: Expr, k: Expr) -> Expr:
        return self._x.at(scope, (*row, block * self._size + k))

    def _start(self, scope: Scope, point: Coordinates) -> Expr:
        """Return the zero point times the sum of the codes of x, below 0."""
        block, *row, column = map(scope.index, point)
        zero = zero_point(self._op, self._zeros, scope, block, column)
        return -(zero * self._row_sums.at(scope, (*row, block)))

    def _hidden(self, scope: Scope, number: int) -> Expr:
        """Return a mask that Halide does not know.

        Knowing it, Halide would find codes to be below 128, and multiply signed bytes.
        """
        return self._builder.hidden_zero(scope, ui8).cast(ui8) + scope.const(number, ui8)

    def in_32_bits(self) -> Value:
        """Return sums of 32 bits.

        Codes in the upper bits of bytes stay where they are, and their sums are divided instead.
        """
        funcs = [self._part_sums(part) for part in range(self._op.parts)]

        def total(scope: Scope, point: Coordinates) -> Expr:
            found = funcs[0].at(scope, point)
            for part, func in enumerate(funcs[1:], 1):
                found = found + func.at(scope, point) / (1 << self._bits * part)
            return found

        return Value(i32, self._shape, total)

    def _part_sums(self, part: int) -> Value:
        bits, parts = self._bits, self._op.parts

        def start(scope: Scope, point: Coordinates) -> Expr:
            return scope.const(0, i32) if part else self._start(scope, point)

        def products(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
            (block, *row, column), (byte,) = map(scope.index, point), map(scope.index, reduced)
            codes = self._weights.at(scope, self._op.stored(block, column, byte))
            if parts > 1:
                mask = (1 << bits) - 1 << bits * part
                last = part == parts - 1
                codes = codes & (scope.const(mask, ui8) if last else self._hidden(scope, mask))
            code = self._of_row(scope, tuple(row), block, byte + part * self._bytes)
            return old + codes.cast(i32) * code.cast(i32)

        domain = Domain((("byte", self._bytes),))
        return self._builder.func(BLOCK_SUMS, i32, self._shape, start, update=(domain, products))

    def in_16_bits(self, chunk: int) -> Value:
        """Return sums of 32 bits of those of 16 bits, which ``chunk`` bytes do not exceed.

        Four bytes of a column are neighbours: two times two products are added to two sums.
        """
        chunks = self._bytes // chunk
        funcs = [self._pair_sums(part, chunk) for part in range(self._op.parts)]

        def products(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
            (block, *place), (number, pair) = point, reduced
            first, *others = (f.at(scope, (block, number, *place, pair)) for f in funcs)
            return old + sum(others, first).cast(i32)

        domain = Domain((("chunk", chunks), ("pair", 2)))
        update = (domain, products)
        return self._builder.func(BLOCK_SUMS, i32, self._shape, self._start, update=update)

    def _pair_sums(self, part: int, chunk: int) -> Value:
        def products(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
            block, number, *row, column, pair = map(scope.index, point)
            group, neighbour = map(scope.index, reduced)
            byte = number * chunk + (group * NEIGHBOURS + (pair * 2 + neighbour))
            codes = self._weights.at(scope, self._op.stored(block, column, byte))
            if part:
                codes = codes / (1 << self._bits * part)
            codes = codes & self._hidden(scope, (1 << self._bits) - 1)
            code = self._of_row(scope, tuple(row), block, byte + part * self._bytes)
            return old.add_saturated(codes.cast(i16) * code.cast(i16))

        blocks, *shape = self._shape
        return self._builder.func(
            PAIR_SUMS,
            i16,
            (blocks, self._bytes // chunk, *shape, 2),
            lambda scope, _: scope.const(0, i16),
            update=(Domain((("group", chunk // NEIGHBOURS), ("neighbour", 2))), products),
        )
