"""Functions of several nn ops that more than one format has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation, SSAValue

from autodeploy.dialects.extents import Extent, largest
from autodeploy.dialects.nn.activation import ClipOp, EluOp
from autodeploy.dialects.nn.arithmetic import MulOp, ReciprocalOp
from autodeploy.dialects.nn.library import LibraryCallOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.reduction import Reduction
from autodeploy.dialects.nn.types import element_of, is_float, shape_of
from autodeploy.frontend.nn.builder import (
    LARGEST_FLOAT,
    ConversionError,
    NnBuilder,
    axes_of,
    check_count,
)
from autodeploy.frontend.nn.term import Term
from autodeploy.weights import numpy_dtype


def tangent(b: NnBuilder, x: SSAValue) -> SSAValue:
    """Build the tangent, sine over cosine."""
    term = Term(b, x)
    return (term.sin() / term.cos()).value


def softsign(b: NnBuilder, x: SSAValue) -> SSAValue:
    """Build x / (1 + |x|)."""
    term = Term(b, x)
    return (term / (term.abs() + 1)).value


def thresholded_relu(b: NnBuilder, x: SSAValue, alpha: float) -> SSAValue:
    """Build x above alpha, zero elsewhere."""
    term = Term(b, x)
    return (term > alpha).where(term, 0).value


def scale_of_codes(b: NnBuilder, x: SSAValue, axis: int, most: int) -> SSAValue:
    """Build the scale by which the largest element along an axis, which stays, has a code."""
    return (Term(b, x).abs().folded(Reduction.MAX, [axis]) / most).value


def clipped(b: NnBuilder, x: SSAValue, low: float, high: float) -> SSAValue:
    """Build min(max(x, low), high)."""
    return b.emit(ClipOp(x, low, high))


def look_up(b: NnBuilder, table: SSAValue, places: SSAValue) -> SSAValue:
    """Build the elements of a list at places; those below zero count from the end."""
    return b.emit(GatherOp(table, places, 0))


def hard_swish(b: NnBuilder, x: SSAValue) -> SSAValue:
    """Build x * (relu6(x + 3) / 6): the sum is exact where it is small."""
    shifted = Term(b, x) + 3
    bounded = shifted.made(ClipOp(shifted.value, 0, 6))
    return (Term(b, x) * (bounded * (1 / 6))).value


def selu(b: NnBuilder, x: SSAValue, alpha: float, scale: float) -> SSAValue:
    """Build a scaled elu."""
    return (Term(b, b.emit(EluOp(x, alpha))) * scale).value


def log_sum_exp(b: NnBuilder, x: SSAValue, axes: Sequence[int], keepdims: bool) -> SSAValue:
    """Build log of the sum of exp(x - m), plus m, with m the maximum.

    The maximum is clipped to finite numbers, else an infinite one would give nan. Raises
    ``ConversionError`` for integers.
    """
    element = element_of(x.type)
    if not is_float(element):
        raise ConversionError("log(sum(exp(x))) is supported on floating-point numbers only")
    largest = LARGEST_FLOAT[element]
    peak = Term(b, x).folded(Reduction.MAX, axes) if axes else Term(b, x)
    peak = peak.made(ClipOp(peak.value, -largest, largest))
    power = (Term(b, x) - peak).exp()
    total = power.folded(Reduction.SUM, axes) if axes else power
    result = (total.log() + peak).value
    if not keepdims:
        shape = shape_of(result.type)
        result = b.reshape(result, [n for axis, n in enumerate(shape) if axis not in axes])
    return result


def log_softmax(b: NnBuilder, x: SSAValue, axis: int) -> SSAValue:
    """Build x - m - log(sum(exp(x - m))), with m the maximum along the axis."""
    term = Term(b, x)
    shifted = term - term.folded(Reduction.MAX, [axis])
    return (shifted - shifted.exp().folded(Reduction.SUM, [axis]).log()).value


def standardised(
    b: NnBuilder, x: SSAValue, axes: Sequence[int], epsilon: float
) -> tuple[SSAValue, SSAValue, SSAValue]:
    """Return x with mean 0 and variance 1 over ``axes``, then its mean and inverse deviation."""
    term = Term(b, x)
    mean = term.folded(Reduction.MEAN, axes)
    centred = term - mean
    inverse = inverse_root(b, centred.value, axes, epsilon)
    return (centred * Term(b, inverse)).value, mean.value, inverse


def inverse_root(b: NnBuilder, x: SSAValue, axes: Sequence[int], epsilon: float) -> SSAValue:
    """Return 1 / sqrt(mean of x * x over ``axes`` + epsilon)."""
    term = Term(b, x)
    shifted = (term * term).folded(Reduction.MEAN, axes) + epsilon
    return b.emit(ReciprocalOp(shifted.sqrt().value))


def scaled(b: NnBuilder, x: SSAValue, factor: float) -> SSAValue:
    """Multiply by a number, at once where ``x`` is a constant."""
    if factor == 1:
        return x
    scale = np.array(factor).astype(numpy_dtype(element_of(x.type)))
    array = b.array(x)
    if array is None:
        return b.emit(MulOp(x, b.make_constant(scale)))
    return b.make_constant(np.multiply(array, scale))


def per_channel(b: NnBuilder, parameter: SSAValue, rank: int) -> SSAValue:
    """Give a parameter of one value a channel the shape that broadcasts to an image of ``rank``."""
    shape = shape_of(parameter.type)
    if len(shape) != 1:
        raise ConversionError(f"expected one parameter a channel, found {parameter.type}")
    return b.reshape(parameter, (*shape, *[1] * (rank - 2)))


def with_axes(b: NnBuilder, x: SSAValue, axes: Sequence[int]) -> SSAValue:
    """Give x axes of extent 1, numbered as axes of the result."""
    rank = len(shape_of(x.type)) + len(axes)
    new, extents = axes_of(axes, rank), iter(shape_of(x.type))
    return b.reshape(x, [1 if axis in new else next(extents) for axis in range(rank)])


def tiled(b: NnBuilder, x: SSAValue, repeats: Sequence[int]) -> SSAValue:
    """Repeat x: each repeated axis gets an axis of extent 1 before it, which is broadcast."""
    shape = shape_of(x.type)
    check_count("repeats", repeats, len(shape))
    if any(count < 0 for count in repeats):
        raise ConversionError(f"'repeats' must not be negative, found {list(repeats)}")
    narrow: list[int] = []
    wide: list[int] = []
    for extent, count in zip(shape, repeats, strict=True):
        if isinstance(count, Extent) or count != 1:
            narrow.append(1)
            wide.append(count)
        narrow.append(extent)
        wide.append(extent)
    repeated = b.broadcast(b.reshape(x, narrow), wide)
    return b.reshape(repeated, [n * count for n, count in zip(shape, repeats, strict=True)])


def depth_to_space(b: NnBuilder, x: SSAValue, block: int, blocks_first: bool) -> SSAValue:
    """Make channels blocks of pixels.

    With ``blocks_first`` the place in a block is the outer part of the number of a channel.
    """
    n, c, h, w = _image_of_blocks(x, block)
    if c % (block * block):
        raise ConversionError(f"the channels of {x.type} do not make blocks of {block}")
    depth = c // (block * block)
    if blocks_first:
        split = b.reshape(x, (n, block, block, depth, h, w))
        moved = b.transpose(split, (0, 3, 4, 1, 5, 2))
    else:
        split = b.reshape(x, (n, depth, block, block, h, w))
        moved = b.transpose(split, (0, 1, 4, 2, 5, 3))
    return b.reshape(moved, (n, depth, h * block, w * block))


def space_to_depth(b: NnBuilder, x: SSAValue, block: int, blocks_first: bool) -> SSAValue:
    """Make blocks of pixels channels; ``blocks_first`` as for ``depth_to_space``."""
    n, c, h, w = _image_of_blocks(x, block)
    if h % block or w % block:
        raise ConversionError(f"the pixels of {x.type} do not make blocks of {block}")
    split = b.reshape(x, (n, c, h // block, block, w // block, block))
    order = (0, 3, 5, 1, 2, 4) if blocks_first else (0, 1, 3, 5, 2, 4)
    return b.reshape(b.transpose(split, order), (n, c * block * block, h // block, w // block))


def _image_of_blocks(x: SSAValue, block: int) -> tuple[int, ...]:
    """Return the extents of an image that is cut in blocks; raises where it is none."""
    shape = shape_of(x.type)
    if len(shape) != 4:
        raise ConversionError(f"an image has rank 4, found {x.type}")
    if block < 1:
        raise ConversionError(f"the extent of a block must be positive, found {block}")
    return shape


def swap_channels(b: NnBuilder, filter_: SSAValue, groups: int) -> SSAValue:
    """Swap input and output channels: C x M/g becomes M x C/g, group by group."""
    channels, group_out, *window = shape_of(filter_.type)
    if groups < 1 or channels % groups:
        raise ConversionError(f"filter {filter_.type} does not fit {groups} groups")
    apart = b.reshape(filter_, (groups, channels // groups, group_out, *window))
    swapped = b.transpose(apart, (0, 2, 1, *range(3, 3 + len(window))))
    return b.reshape(swapped, (groups * group_out, channels // groups, *window))


def same_pads(
    spatial: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    *,
    upper: bool,
) -> tuple[int, ...]:
    """Return the pads with which there are as many windows as strides in the extent.

    The odd element goes to the end with ``upper``, else to the beginning.
    """
    less: list[int] = []
    more: list[int] = []
    for extent, size, stride, dilation in zip(spatial, window, strides, dilations, strict=True):
        count = -(-extent // stride)
        total = largest(0, (count - 1) * stride + dilation * (size - 1) + 1 - extent)
        less.append(total // 2)
        more.append(total - total // 2)
    return (*less, *more) if upper else (*more, *less)


def expect(given: SSAValue, expected: SSAValue) -> Operation:
    """Return an op that ends the run with an error where two tensors of one type differ."""
    return LibraryCallOp("expect", [given, expected], [], checks=True)
