"""The nn dialect by NumPy: what each op means, written as plainly as can be.

Of structured ops it is their body, which the oracles of the cases are held against.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import library_functions
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from autodeploy.analysis import evaluation
from autodeploy.dialects.nn import (
    constant,
    control_flow,
    extent,
    library,
    lookup,
    movement,
    normalisation,
    padding,
    reduction,
    resampling,
    transposed,
)
from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.layout import channel_axis
from autodeploy.dialects.nn.structure import StructuredOp
from autodeploy.dialects.nn.types import element_of, shape_of
from autodeploy.weights import WeightStore, numpy_dtype


def _number(attribute):
    return attribute.value.data


def _softmax(op, x):
    power = np.exp(x - x.max(_number(op.axis), keepdims=True))
    wide = np.promote_types(x.dtype, np.float32)
    return power / power.sum(_number(op.axis), wide, keepdims=True).astype(x.dtype)


def _slice(op, x):
    lists = [
        np.arange(size) * step + start
        for start, size, step in zip(ints(op.starts), ints(op.sizes), ints(op.steps), strict=True)
    ]
    return x[np.ix_(*lists)]


def _pad(op, x):
    pads = ints(op.pads)
    width = [(pads[i], pads[x.ndim + i]) for i in range(x.ndim)]
    if str(op.mode.data) != "constant":
        return np.pad(x, width, str(op.mode.data))
    return np.pad(x, width, constant_values=np.array(_number(op.value)).astype(x.dtype))


def _conv_transpose(op, x, filter_, *bias):
    groups, rank = op.groups.value.data, filter_.ndim - 2
    strides, pads, dilations = ints(op.strides), ints(op.pads), ints(op.dilations)
    shape = shape_of(op.result.type)
    wide = [n + pads[i] + pads[rank + i] for i, n in enumerate(shape[2:])]
    result = np.zeros((*shape[:2], *wide), x.dtype)
    images, filters = np.split(x, groups, 1), np.split(filter_, groups, 0)
    for place in np.ndindex(*x.shape[2:]):
        starts = [p * stride for p, stride in zip(place, strides, strict=True)]
        for tap in np.ndindex(*filter_.shape[2:]):
            at = tuple(s + t * d for s, t, d in zip(starts, tap, dilations, strict=True))
            parts = [
                image[(..., *place)] @ weights[(..., *tap)].T
                for image, weights in zip(images, filters, strict=True)
            ]
            result[(..., *at)] += np.concatenate(parts, 1)
    cut = (slice(pads[i], pads[i] + n) for i, n in enumerate(shape[2:]))
    result = result[(..., *cut)]
    return result + bias[0].reshape(-1, *[1] * rank) if bias else result


def _arg_reduce(op, x):
    axis, find = _number(op.axis), getattr(np, f"arg{op.kind.data}")
    found = x.shape[axis] - 1 - find(np.flip(x, axis), axis) if op.select_last else find(x, axis)
    return (np.expand_dims(found, axis) if op.keepdims else found).astype(np.int32)


def _layer_norm(op, x, scale, *shift):
    axes = tuple(range(_number(op.axis), x.ndim))
    wide = x.astype(np.float64)
    normal = wide - wide.mean(axes, keepdims=True)
    normal /= np.sqrt(wide.var(axes, keepdims=True) + _number(op.epsilon))
    return normal * scale + (shift[0] if shift else 0)


def _lrn(op, x):
    size, axis = _number(op.size), channel_axis(op.layout, x.ndim)
    width = [(0, 0)] * x.ndim
    width[axis] = ((size - 1) // 2, size - 1 - (size - 1) // 2)
    total = sliding_window_view(np.pad(x * x, width), size, axis).sum(-1)
    return x / (_number(op.bias) + _number(op.alpha) / size * total) ** _number(op.beta)


def _resize(op, x):
    result, outside = x.astype(np.float64), np.zeros((1,) * x.ndim, bool)
    for axis, count in enumerate(shape_of(op.result.type)):
        lines = (op.numerators, op.offsets, op.denominators)
        numerator, offset, denominator = (Fraction(ints(values)[axis]) for values in lines)
        places = [(i * numerator + offset) / denominator for i in range(count)]
        matrix = np.array([_taps(op, place, x.shape[axis]) for place in places])
        result = np.moveaxis(np.tensordot(matrix, result, (1, axis)), 0, axis)
        beyond = np.array([not 0 <= place <= x.shape[axis] - 1 for place in places])
        outside = outside | beyond.reshape(-1, *[1] * (x.ndim - 1 - axis))
    return (
        result if op.extrapolation is None else np.where(outside, _number(op.extrapolation), result)
    )


def _taps(op, place, extent):
    """Return the weight of each element of an axis for one place."""
    base, kind = math.floor(place), str(op.interpolation.data)
    t = float(place - base)
    if kind == "nearest":
        rounding = {"floor": math.floor, "ceil": math.ceil,
                    "half_up": lambda v: math.floor(v + Fraction(1, 2)),
                    "half_down": lambda v: math.ceil(v - Fraction(1, 2))}  # fmt: skip
        weights = {rounding[str(op.rounding.data)](place): 1.0}
    elif kind == "linear":
        weights = {base: 1 - t, base + 1: t}
    else:
        weights = {base + k: _cubic(abs(t - k), _number(op.coefficient)) for k in (-1, 0, 1, 2)}
        if op.exclude_outside:
            weights = {k: w for k, w in weights.items() if 0 <= k < extent}
            weights = {k: w / sum(weights.values()) for k, w in weights.items()}
    row = np.zeros(extent)
    for k, weight in weights.items():
        row[min(max(k, 0), extent - 1)] += weight
    return row


def _cubic(distance, a):
    if distance <= 1:
        return (a + 2) * distance**3 - (a + 3) * distance**2 + 1
    return a * distance**3 - 5 * a * distance**2 + 8 * a * distance - 4 * a


def _places(x, indices, axis):
    extent = x.shape[axis]
    return np.where(indices < 0, np.maximum(indices, -extent), np.minimum(indices, extent - 1))


def _gather_elements(x, indices, axis):
    grid = list(np.indices(indices.shape, sparse=True))
    grid[axis] = indices
    return x[tuple(grid)]


_OTHERS = {
    transposed.ConvTransposeOp: _conv_transpose,
    reduction.ArgReduceOp: _arg_reduce,
    normalisation.LayerNormOp: _layer_norm,
    normalisation.LrnOp: _lrn,
    resampling.ResizeOp: _resize,
    lookup.GatherOp: lambda op, x, indices: np.take(
        x, _places(x, indices, _number(op.axis)), _number(op.axis)
    ),
    lookup.GatherElementsOp: lambda op, x, indices: _gather_elements(
        x, _places(x, indices, _number(op.axis)), _number(op.axis)
    ),
    reduction.SoftmaxOp: _softmax,
    movement.ReshapeOp: lambda op, x: x.reshape(shape_of(op.result.type)),
    movement.TransposeOp: lambda op, x: x.transpose(ints(op.permutation)),
    movement.BroadcastOp: lambda op, x: np.broadcast_to(x, shape_of(op.result.type)),
    movement.ConcatOp: lambda op, *xs: np.concatenate(xs, _number(op.axis)),
    movement.SliceOp: _slice,
    padding.PadOp: _pad,
    extent.ExtentOp: lambda op, x: np.array(x.shape[op.dim_query_axis]),
}


def evaluate(ctx: Context, module: ModuleOp, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Run the function of a module of nn ops."""
    function = next(op for op in module.walk() if isinstance(op, FuncOp))
    with np.errstate(all="ignore"):
        return _block(ctx, function.body.block, inputs)


def _block(ctx: Context, block: Block, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Run a block; returns what its last op takes."""
    values: dict[SSAValue, np.ndarray] = dict(zip(block.args, inputs, strict=True))
    for op in block.ops:
        operands = [values[value] for value in op.operands]
        if op is block.last_op:
            return operands
        match op:
            case library.LibraryCallOp():
                types = [result.type for result in op.results]
                results = [np.empty(shape_of(t), numpy_dtype(element_of(t))) for t in types]
                library_functions.call(op.callee.data, operands, results, op.numbers)
            case control_flow.ForOp():
                results = _loop(ctx, op, operands)
            case control_flow.IfOp():
                taken = op.then if operands[0].item() else op.otherwise
                results = _block(ctx, taken.block, operands[1:])
            case _:
                results = [result_of(ctx, op, operands)]
        values.update(zip(op.results, results, strict=True))
    raise AssertionError("the block has no end")


def _loop(ctx: Context, op: control_flow.ForOp, operands: list[np.ndarray]) -> list[np.ndarray]:
    trips = operands.pop(0).item() if op.trips is not None else np.inf
    limit = min(trips, np.inf if op.steps is None else op.steps.value.data)
    flags = ints(op.backwards)
    first, last = len(op.inits), len(op.inits) + len(op.tensors)
    state, tensors, captured = operands[:first], operands[first:last], operands[last:]
    tensors = [t[::-1] if flag else t for t, flag in zip(tensors, flags, strict=False)]
    rows: list[list[np.ndarray]] = [[] for _ in op.stacked]
    step = 0
    while step < limit and (op.conditional is None or state[0].item()):
        given = [np.array(step), *state, *(tensor[step] for tensor in tensors), *captured]
        found = _block(ctx, op.body.block, given)
        state = found[:first]
        for row, value in zip(rows, found[first:], strict=True):
            row.append(value)
        step += 1
    backwards = flags[last - first :]
    ordered = [row[::-1] if flag else row for row, flag in zip(rows, backwards, strict=True)]
    return [*state, *map(np.array, ordered)]


def result_of(ctx: Context, op: Operation, operands: list[np.ndarray]) -> np.ndarray:
    if isinstance(op, constant.ConstantOp):
        return WeightStore.of(ctx).array(op.value)
    if isinstance(op, StructuredOp) and None not in op.indexing_maps:
        return evaluation.evaluate(op, operands)
    found = np.asarray(_OTHERS[type(op)](op, *operands))
    return found.astype(numpy_dtype(element_of(op.results[0].type)))
