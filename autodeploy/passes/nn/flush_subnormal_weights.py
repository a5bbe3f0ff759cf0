"""``flush-subnormal-weights``: the weights that a program takes for zero become zero."""

from __future__ import annotations

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, bf16, f32, f64
from xdsl.ir import Attribute
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.types import element_of
from autodeploy.weights import Array, WeightStore

_FRACTION_BITS: dict[Attribute, int] = {f64: 52, f32: 23, bf16: 7}
"""The least normal numbers of the types of kernels, and of bf16, which has the exponents of f32."""


class FlushSubnormalWeightsPass(ModulePass):
    """Replace the subnormal elements of constants by zero, of the same sign.

    An element is subnormal where it is so in the type that kernels compute in. Those of float16
    stay: kernels compute with them in 32 bits, where they are ordinary numbers.
    """

    name = "flush-subnormal-weights"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        store = WeightStore.of(ctx)
        for constant in [inner for inner in op.walk() if isinstance(inner, ConstantOp)]:
            fraction_bits = _FRACTION_BITS.get(element_of(constant.value.type))
            if fraction_bits is None:
                continue
            flushed = _flushed(store.array(constant.value), fraction_bits)
            if flushed is not None:
                new = ConstantOp(store.attribute(flushed))
                new.location = constant.location
                Rewriter.replace_op(constant, new)


def _flushed(array: Array, fraction_bits: int) -> Array | None:
    """Return the array without subnormal numbers; ``None`` if it has none."""
    if array.size > 1 and not any(array.strides):  # equal elements, held once
        one = _flushed(array[(0,) * array.ndim].reshape(()), fraction_bits)
        return None if one is None else np.broadcast_to(one, array.shape)
    # As bits: this thread may take subnormal numbers for zero itself.
    bits = array.view(f"u{array.dtype.itemsize}")
    sign = bits.dtype.type(1 << (8 * bits.itemsize - 1))
    magnitudes = bits & ~sign
    subnormal = (magnitudes != 0) & (magnitudes < 1 << fraction_bits)
    return np.where(subnormal, bits & sign, bits).view(array.dtype) if subnormal.any() else None
