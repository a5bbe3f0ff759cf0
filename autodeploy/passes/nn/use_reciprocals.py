"""``use-reciprocals``: numbers are multiplied on their way to codes, where they were divided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.analysis.evaluation import evaluate
from autodeploy.analysis.scalar_costs import body_cost
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.quantised import QuantizeOp
from autodeploy.dialects.nn.types import element_of, i8, ui8
from autodeploy.weights import Array, WeightStore, constant_array, numpy_dtype

_MOST_OPS = 8
"""The ops between codes and codes, at most."""

_MOST_CODES = 2
"""The tensors of codes that numbers follow from: all pairs of two are compared, 65,536."""


@dataclass(frozen=True)
class UseReciprocalsPass(ModulePass):
    """Multiply by the reciprocal of a scale where this gives the same codes.

    Numbers that follow from one or two tensors of 8-bit codes, such as a residual sum, have at most
    65,536 values. The reciprocal is taken, or a float next to it, if all of them become the codes
    that the division gives. A division takes as long as some ten other instructions.
    """

    name = "use-reciprocals"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the module."""
        for quantize in [inner for inner in op.walk() if isinstance(inner, QuantizeOp)]:
            factor = _factor(ctx, quantize)
            if factor is None:
                continue
            reciprocal, one = (_constant(ctx, n, quantize) for n in (factor, np.float32(1)))
            product, new = quantize.of_product(reciprocal, one)
            product.location = new.location = quantize.location
            new.result.name_hint = quantize.result.name_hint
            Rewriter.replace_op(quantize, [product, new])


def _constant(ctx: Context, number: np.float32, user: Operation) -> SSAValue:
    constant = ConstantOp(WeightStore.of(ctx).attribute(np.asarray(number)))
    Rewriter.insert_op(constant, InsertPoint.before(user))
    return constant.result


def _factor(ctx: Context, quantize: QuantizeOp) -> np.float32 | None:
    """Return a number by which a product gives the codes of the quotient by the scale."""
    scale, zero = (constant_array(ctx, value) for value in (quantize.scale, quantize.zero))
    if scale is None or zero is None or scale.size != 1 or zero.size != 1 or scale.item() == 1:
        return None
    numbers = _values(ctx, quantize.x)
    if numbers is None:
        return None
    wanted = evaluate(quantize, [numbers, scale.reshape(()), zero.reshape(())])
    one = np.ones((), np.float32)
    with np.errstate(all="ignore"):
        nearest = one / scale.astype(np.float32).reshape(())
        near = (nearest, np.nextafter(nearest, one * 0), np.nextafter(nearest, one * np.inf))
        for factor in near:
            products = np.multiply(numbers, factor, dtype=np.float32)
            found = evaluate(quantize, [products, one, zero.reshape(())])
            if np.isfinite(factor) and np.array_equal(found, wanted):
                return np.float32(factor)
    return None


def _values(ctx: Context, value: SSAValue) -> Array | None:
    """Return all values that the elements of ``value`` may have, of each pair of codes one."""
    ops, codes = _cone(ctx, value)
    if ops is None or not 1 <= len(codes) <= _MOST_CODES:
        return None
    known: dict[SSAValue, Array] = {}
    for axis, leaf in enumerate(codes):
        every = np.arange(256, dtype=np.uint8).view(numpy_dtype(element_of(leaf.type)))
        known[leaf] = every.reshape([-1 if axis == i else 1 for i in range(len(codes))])
    return _evaluated(ctx, value, known)


def _cone(
    ctx: Context, value: SSAValue
) -> tuple[Mapping[SSAValue, PointwiseOp] | None, list[SSAValue]]:
    """Return the ops from which a value follows, and the 8-bit codes; no ops where there is more.

    Other operands are single numbers.
    """
    ops: dict[SSAValue, PointwiseOp] = {}
    codes: list[SSAValue] = []
    waiting = [value]
    while waiting:
        found = waiting.pop()
        constant = constant_array(ctx, found)
        if found in ops or found in codes or (constant is not None and constant.size == 1):
            continue
        if element_of(found.type) in (ui8, i8) and constant is None:
            codes.append(found)
        elif isinstance(found.owner, PointwiseOp) and len(ops) < _MOST_OPS:
            # All machines give the same bits but for functions, such as an exponential.
            if body_cost(found.owner).is_slow:
                return None, []
            ops[found] = found.owner
            waiting += found.owner.operands
        else:
            return None, []
    return ops, codes


def _evaluated(ctx: Context, value: SSAValue, known: dict[SSAValue, Array]) -> Array:
    if value in known:
        return known[value]
    constant = constant_array(ctx, value)
    if constant is not None:
        return constant.reshape(())
    op = value.owner
    assert isinstance(op, PointwiseOp)
    known[value] = evaluate(op, [_evaluated(ctx, operand, known) for operand in op.operands])
    return known[value]
