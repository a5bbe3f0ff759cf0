"""Arithmetic on constant parameters: what a fusion rule computes at compile time.

Floating-point data is computed in float64 and rounded once, to the type that it had; integers wrap
as they do at run time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from autodeploy.dialects.nn.constant import ConstantValue, WeightAttr
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.types import is_float
from autodeploy.weights import Array, WeightStore, element_type

Float64Array = npt.NDArray[np.float64]


def combine(
    operation: Callable[[Array, Array], Array], lhs: Array, rhs: Array, shape: tuple[int, ...]
) -> Array:
    """Return ``operation`` of two arrays of one type, broadcast to ``shape``, in that type."""
    with np.errstate(all="ignore"):
        if not is_float(element_type(lhs.dtype)):
            return np.broadcast_to(operation(lhs, rhs), shape)
        exact = operation(lhs.astype(np.float64), rhs.astype(np.float64))
        return np.broadcast_to(exact, shape).astype(lhs.dtype)


def batch_norm_factors(
    scale: Array, shift: Array, mean: Array, variance: Array, epsilon: float
) -> tuple[Float64Array, Float64Array]:
    """Return a and b for which a batch normalisation is a * x + b, each per channel."""
    wide = [parameter.astype(np.float64) for parameter in (scale, shift, mean, variance)]
    with np.errstate(all="ignore"):
        factor = wide[0] / np.sqrt(wide[3] + epsilon)
        return factor, wide[1] - wide[2] * factor


def scaled_weights(
    store: WeightStore, op: ConvOp | MatMulOp, weights: ConstantValue, factor: Float64Array
) -> ConstantValue | None:
    """Return the weights with which ``op`` gives factor * result, in the type that they have.

    ``weights`` are those of ``op`` (its filter in any layout, or its rhs); ``factor`` has one value
    an output channel. Returns ``None`` if a new value is not finite: the separate op might have
    kept within its range.
    """
    array = store.array(weights)
    factors = _along_outputs(op, array, factor)
    scale = partial(_scaled, factors=factors)
    if isinstance(weights, WeightAttr) and _is_told(array, factors):
        how = f"{array.shape} * {factors.shape} {factors.tobytes().hex()}"
        return store.derived(weights, how, weights.type, scale, keep=True)
    scaled = scale(array)
    return store.attribute(scaled) if np.isfinite(scaled).all() else None


def _is_told(weights: Array, factors: Float64Array) -> bool:
    """Return whether scaled weights are finite and not all equal, told by few products of them."""
    if weights.dtype != np.float32:
        return False
    places = [0, weights.size // 2, -1]
    with np.errstate(all="ignore"):
        largest = max(weights.max(), -weights.min()) * np.abs(factors).max()
        some = weights.flat[places].astype(np.float64)
        some *= np.broadcast_to(factors, weights.shape).flat[places]
        equal = len(set(some.astype(np.float32))) == 1
    return bool(largest < np.finfo(np.float32).max / 2) and not equal


def _scaled(weights: Array, factors: Float64Array) -> Array:
    with np.errstate(all="ignore"):
        scaled = np.empty_like(weights)
        # Part by part, without an array of wide numbers.
        return np.multiply(weights, factors, out=scaled, dtype=np.float64, casting="unsafe")


def _along_outputs(op: ConvOp | MatMulOp, weights: Array, factor: Float64Array) -> Float64Array:
    """Return ``factor`` in a shape that broadcasts along the output channels of the weights."""
    if isinstance(op, MatMulOp):
        return factor[:, None] if op.transpose_rhs else factor
    # In Winograd's domain, too: a scale passes through the linear transform.
    shape, layout = [1] * weights.ndim, op.filter_layout
    shape[0 if layout is None else layout.axes.index(0)] = -1
    if layout is not None and layout.tiling is not None:
        shape[-1], groups = layout.tiling.size, layout.tiling.groups
        # Groups of a tile take turns; of one group, and so of most tiles, this changes nothing.
        factor = factor.reshape(-1, groups, layout.tiling.size // groups).swapaxes(1, 2)
    return factor.reshape(shape)
