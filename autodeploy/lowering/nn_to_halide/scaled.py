"""Lowering of products with weights of few bits: sums of blocks, and the sum of these."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import f32, i32

from autodeploy.dialects.nn.scaled import ScaledMatMulOp
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.lowering.nn_to_halide.contraction import strict, summed
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
)
from autodeploy.lowering.nn_to_halide.registry import lowers


@lowers(ScaledMatMulOp)
def scaled_matmul(builder: KernelBuilder, op: ScaledMatMulOp, operands: Sequence[Value]) -> Value:
    """Sum the products of each block, then the sums of blocks by their scales."""
    x, weights, scales, zeros = operands
    x, shape = strict(x), bounds_of(op.result.type)
    size, parts, bits = op.block.value.data, op.parts, 8 // op.parts
    blocks, bytes_ = x.shape[-1] // size, size // parts

    def zero(scope: Scope, point: Coordinates) -> Expr:
        return scope.const(0, f32)

    def products(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        (block, *row, column), (byte,) = point, reduced
        codes = weights.at(scope, op.stored(block, column, byte)).cast(i32)
        middle = zeros.at(scope, op.stored(block, column) if zeros.shape else ()).cast(i32)
        for part in range(parts):
            code = codes if parts == 1 else (codes / (1 << bits * part)) % (1 << bits)
            k = scope.index(block) * size + (byte + part * bytes_)
            old = old + x.at(scope, (*row, k)) * (code - middle).cast(f32)
        return old

    sums = builder.func(
        "block_sums",
        f32,
        (blocks, *shape),
        zero,
        update=(Domain((("byte", bytes_),)), products),
        contracts=True,
    )

    def scaled(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        (block,) = reduced
        return old + sums.at(scope, (block, *point)) * scales.at(scope, op.stored(block, point[-1]))

    total = builder.func(
        "matmul",
        f32,
        shape,
        zero,
        update=(Domain((("block", blocks),)), scaled),
        contracts=True,
    )
    return summed(builder, op, total)
