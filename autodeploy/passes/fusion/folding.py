"""Arithmetic on constant parameters: what a fusion rule computes at compile time.

Floating-point data is computed in float64 and rounded once, to the type that it had; integers wrap
as they do at run time.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp
from autodeploy.dialects.nn.types import is_float
from autodeploy.weights import Array, element_type

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


def scale_contraction(
    op: ConvOp | MatMulOp,
    weights: Array,
    bias: Array | None,
    factor: Float64Array,
    offset: Float64Array,
) -> tuple[Array, Array] | None:
    """Return the weights and bias with which ``op`` gives factor * result + offset.

    ``weights`` are those of ``op`` (its filter in any layout, or its rhs); ``factor`` and
    ``offset`` have one value an output channel. Returns ``None`` if a new value is not finite in
    the type of the weights: the separate op might have kept within its range.
    """
    with np.errstate(all="ignore"):
        scaled = np.empty(weights.shape, weights.dtype)
        factors = _along_outputs(op, weights, factor)
        # Part by part, without an array of wide numbers.
        np.multiply(weights, factors, out=scaled, dtype=np.float64, casting="unsafe")
        moved = offset if bias is None else bias.astype(np.float64) * factor + offset
        folded = scaled, moved.astype(weights.dtype)
    return folded if all(np.isfinite(new).all() for new in folded) else None


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
