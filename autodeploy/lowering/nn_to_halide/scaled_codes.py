"""Sums of products of codes for ``nn.scaled_matmul``: rows are codes, too, and all sums exact."""

from __future__ import annotations

from xdsl.dialects.builtin import i16, i32

from autodeploy.dialects.nn.scaled import ScaledMatMulOp
from autodeploy.dialects.nn.types import bounds_of, ui8
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
)
from autodeploy.templates.scaled.template import BLOCK_SUMS, NEIGHBOURS, PAIR_SUMS, ROW_SUMS


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
