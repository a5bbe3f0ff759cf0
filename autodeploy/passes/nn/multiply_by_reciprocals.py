"""``multiply-by-reciprocals``: a sum of products over a constant becomes a product.

A division takes a processor ten times as long as a product. Divisions of other values stay: only
sums of products may be regrouped. Of other values, x / 3 is a whole number more often than x times
a third.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32, f64
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.nn.arithmetic import DivOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ContractionOp
from autodeploy.dialects.nn.types import element_of
from autodeploy.weights import Array, WeightStore, constant_array


@dataclass(frozen=True)
class MultiplyByReciprocalsPass(ModulePass):
    """Turn each nn.div of a convolution or a product by a constant into an nn.mul.

    The sums have no other readers. Constant and reciprocal are normal numbers of 32 or 64 bits.
    """

    name = "multiply-by-reciprocals"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the divisions of the module."""
        for division in [o for o in op.walk() if isinstance(o, DivOp)]:
            sums = division.lhs
            if not isinstance(sums.owner, ContractionOp) or not sums.has_one_use():
                continue
            reciprocal = _reciprocal(ctx, division)
            if reciprocal is None:
                continue
            constant = ConstantOp(WeightStore.of(ctx).attribute(reciprocal))
            Rewriter.insert_op(constant, InsertPoint.before(division))
            product = division.by_reciprocal(constant.result)
            product.location = division.location
            product.result.name_hint = division.result.name_hint
            Rewriter.replace_op(division, product)


def _reciprocal(ctx: Context, division: DivOp) -> Array | None:
    """Return one over the divisor; ``None`` where it is not constant or a number is not normal."""
    divisor = constant_array(ctx, division.rhs)
    if divisor is None or element_of(division.lhs.type) not in (f32, f64):
        return None
    with np.errstate(all="ignore"):
        reciprocal: Array = np.reciprocal(divisor)
    sizes = np.abs(np.stack([divisor, reciprocal]))
    least = np.finfo(str(divisor.dtype)).tiny
    is_normal = np.isfinite(sizes) & (sizes >= least)
    return reciprocal if is_normal.all() else None
