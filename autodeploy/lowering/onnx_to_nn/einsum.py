"""Einsum of one or two operands."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.ir import SSAValue

from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.context import ConversionContext
from autodeploy.lowering.onnx_to_nn.registry import converts


@converts("Einsum")
def einsum(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Einsum: sums over axes of one operand, then at most one matrix product.

    Diagonals (a letter twice in one term), ellipses and more than two operands are not supported.
    """
    terms, wanted = _parsed(b.text(op, "equation", ""), len(op.operands))
    extents: dict[str, int] = {}
    for letters, value in zip(terms, op.operands, strict=True):
        shape = shape_of(value.type)
        if len(shape) != len(letters):
            raise ConversionError(f"term '{letters}' does not name the axes of {value.type}")
        for letter, extent in zip(letters, shape, strict=True):
            if extents.setdefault(letter, extent) != extent:
                raise ConversionError(f"axis '{letter}' has extents {extents[letter]} and {extent}")
    reduced: list[tuple[SSAValue, str]] = []
    for i, (letters, value) in enumerate(zip(terms, op.operands, strict=True)):
        others = "".join(term for j, term in enumerate(terms) if j != i)
        reduced.append(_summed(b, value, letters, keep={*wanted, *others}))
    if len(reduced) == 1:
        value, letters = reduced[0]
    else:
        value, letters = _product(b, reduced[0], reduced[1], wanted, extents)
    return [b.transpose(value, [letters.index(letter) for letter in wanted])]


def _parsed(equation: str, count: int) -> tuple[list[str], str]:
    """Return the letters of each operand, and those of the result; without an arrow it has, in
    alphabetical order, the letters that stand once.
    """
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    once = "".join(sorted(c for c in {*left} - {","} if left.count(c) == 1))
    wanted = right if arrow else once
    letters = "".join([*terms, wanted])
    if not all(letter.isalpha() for letter in letters):
        raise ConversionError(f"equation '{equation}' has more than letters, which is unsupported")
    if any(len({*term}) < len(term) for term in (*terms, wanted)):
        raise ConversionError(f"equation '{equation}' names an axis twice, which is unsupported")
    if len(terms) != count or count > 2 or not {*wanted} <= {*left}:
        raise ConversionError(f"equation '{equation}' of {count} operands is not supported")
    return terms, wanted


def _summed(
    b: ConversionContext, x: SSAValue, letters: str, keep: set[str]
) -> tuple[SSAValue, str]:
    """Sum over the axes that nothing else names; return the value and its letters."""
    axes = [axis for axis, letter in enumerate(letters) if letter not in keep]
    if axes:
        x = b.emit(ReduceOp(x, Reduction.SUM, axes))
    return x, "".join(letter for letter in letters if letter in keep)


def _product(
    b: ConversionContext,
    lhs: tuple[SSAValue, str],
    rhs: tuple[SSAValue, str],
    wanted: str,
    extents: dict[str, int],
) -> tuple[SSAValue, str]:
    """Return the product of two operands with its letters: batch, left, right.

    Letters of both operands are batch axes where the result has them, else they are summed over.
    """
    shared = [letter for letter in lhs[1] if letter in rhs[1]]
    batch = [letter for letter in shared if letter in wanted]
    inner = [letter for letter in shared if letter not in wanted]
    left = [letter for letter in lhs[1] if letter not in shared]
    right = [letter for letter in rhs[1] if letter not in shared]

    def size(letters: Sequence[str]) -> int:
        return prod(extents[letter] for letter in letters)

    def arranged(
        operand: tuple[SSAValue, str], rows: Sequence[str], columns: Sequence[str]
    ) -> SSAValue:
        value, letters = operand
        ordered = b.transpose(value, [letters.index(c) for c in (*batch, *rows, *columns)])
        return b.reshape(ordered, (*(extents[c] for c in batch), size(rows), size(columns)))

    product = b.emit(MatMulOp(arranged(lhs, left, inner), arranged(rhs, inner, right)))
    letters = "".join((*batch, *left, *right))
    return b.reshape(product, [extents[letter] for letter in letters]), letters
