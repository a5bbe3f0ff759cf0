"""Einsum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from string import digits

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from autodeploy.dialects.extents import Extent, are_same
from autodeploy.dialects.nn.arithmetic import MulOp
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.reduction import ReduceOp, Reduction
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.context import ConversionContext, converts


@converts("Einsum")
def einsum(b: ConversionContext, op: OnnxOp) -> Sequence[SSAValue]:
    """Convert Einsum: diagonals, sums over axes of one operand, then matrix products.

    An axis of extent 1 is repeated where another operand has more: it is dropped.
    """
    terms, wanted = _parsed(b.text(op, "equation", ""), list(op.operands))
    operands: list[SSAValue] = []
    for number, value in enumerate(op.operands):
        if len(shape_of(value.type)) != len(terms[number]):
            raise ConversionError(f"term '{terms[number]}' does not name the axes of {value.type}")
        value, terms[number] = _diagonal(b, value, terms[number])
        operands.append(value)
    shapes = [dict(zip(terms[i], shape_of(x.type), strict=True)) for i, x in enumerate(operands)]
    extents = _extents(shapes)
    for number, (sized, value) in enumerate(zip(shapes, operands, strict=True)):
        terms[number] = "".join(c for c in sized if not _is_repeated(sized[c], extents[c]))
        operands[number] = b.reshape(value, [extents[c] for c in terms[number]])
    found: tuple[SSAValue, str] | None = None
    for number, (letters, value) in enumerate(zip(terms, operands, strict=True)):
        others = "".join(term for j, term in enumerate(terms) if j != number)
        reduced = _summed(b, value, letters, keep={*wanted, *others})
        later = "".join([wanted, *terms[number + 1 :]])
        found = reduced if found is None else _product(b, found, reduced, later, extents)
    assert found is not None  # there is an operand at least
    value, letters = found
    return [b.transpose(value, [letters.index(letter) for letter in wanted])]


def _parsed(equation: str, operands: Sequence[SSAValue]) -> tuple[list[str], str]:
    """Return the letters of each operand, and those of the result.

    Without an arrow it has the axes of the ellipsis, then, in alphabetical order, the letters that
    occur once. Axes of the ellipsis are named by digits, the last one by 0.
    """
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(operands):
        raise ConversionError(f"equation '{equation}' is not one of {len(operands)} operands")
    once = sorted(c for c in {*left} - {",", "."} if left.count(c) == 1)
    wanted = right if arrow else "".join(["..." * ("..." in left), *once])
    letters = "".join([*terms, wanted]).replace("...", "")
    if letters and not (letters.isalpha() and letters.isascii()):
        raise ConversionError(f"equation '{equation}' has more than letters and ellipses")
    ranks = [
        len(shape_of(value.type)) - len(term.replace("...", ""))
        for term, value in zip(terms, operands, strict=True)
        if "..." in term
    ]
    rank = max(ranks, default=0)
    if min(ranks, default=0) < 0 or rank > len(digits):
        raise ConversionError(f"equation '{equation}' has more letters than an operand has axes")
    if len({*ranks}) > 1:
        raise ConversionError(f"the ellipses of '{equation}' stand for {sorted(ranks)} axes")
    named = digits[:rank][::-1]
    terms, wanted = [term.replace("...", named) for term in terms], wanted.replace("...", named)
    if len({*wanted}) < len(wanted) or not {*wanted} <= {*"".join(terms)}:
        raise ConversionError(f"the result of '{equation}' names an axis twice, or one of no term")
    return terms, wanted


def _extents(shapes: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Return the extent of each letter, of operands with these ones."""
    extents: dict[str, int] = {}
    for letter, extent in (item for sized in shapes for item in sized.items()):
        known = extents.setdefault(letter, extent)
        if _is_repeated(known, extent):
            extents[letter] = extent
        elif not _is_repeated(extent, known) and known != extent:
            raise ConversionError(f"axis '{letter}' has extents {known} and {extent}")
    return extents


def _is_repeated(extent: int, wanted: int) -> bool:
    """Return whether an axis has one element where there may be more."""
    return are_same([extent], [1]) and not are_same([wanted], [1])


def _diagonal(b: ConversionContext, x: SSAValue, letters: str) -> tuple[SSAValue, str]:
    """Take the diagonal of axes with one letter; return the value and its letters."""
    for letter in sorted({*letters}):
        while letters.count(letter) > 1:
            first, second = letters.index(letter), letters.rindex(letter)
            others = [axis for axis in range(len(letters)) if axis not in (first, second)]
            x = b.transpose(x, [*others, first, second])
            *shape, rows, columns = shape_of(x.type)
            if rows != columns:
                raise ConversionError(f"axis '{letter}' has extents {rows} and {columns}")
            flat = b.reshape(x, (*shape, rows * rows))
            if isinstance(rows, Extent):
                places = b.emit(MulOp(b.places(rows), b.scalar(rows + 1, i64)))
                x = b.emit(GatherOp(flat, places, len(shape)))
            else:
                x = b.slice(flat, {len(shape): range(0, rows * rows, rows + 1)})
            letters = "".join(letters[axis] for axis in others) + letter
    return x, letters


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
