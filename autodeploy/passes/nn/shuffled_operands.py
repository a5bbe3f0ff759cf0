"""What ops make of operands whose channels are shuffled: axis 1, as ONNX places it.

Three kinds of ops can do without the shuffle. Some treat every channel alike, or by constants of
its own: they compute the channels in the old order, with constants in that order, and their result
is shuffled instead. Some sum over all channels: then the order is one of their weights alone. And a
grouped convolution reads its image by single elements, wherever they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod

from xdsl.ir import SSAValue

from autodeploy.dialects.nn.base import NNOp, ints
from autodeploy.dialects.nn.contraction import ConvOp, MatMulOp, filter_axes
from autodeploy.dialects.nn.layout import CHANNELS_FIRST, OUT_IN_KERNEL
from autodeploy.dialects.nn.movement import PadOp, ReshapeOp, SliceOp, is_weight
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.reduction import BatchNormOp, ReduceOp
from autodeploy.dialects.nn.resampling import ResizeOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.passes.nn.channel_shuffle import Shuffle

CHANNELS = 1
"""The axis of the channels."""

Permute = Callable[[SSAValue, int, Shuffle], SSAValue]
"""Gives a constant with an axis shuffled; the movements that make it are inserted."""


def carried(op: NNOp, shuffles: Mapping[SSAValue, Shuffle]) -> Shuffle | None:
    """Return how the result of an op is shuffled that is computed in the old order.

    ``shuffles`` are those of the values that can be had unshuffled, of which the op reads at least
    one. ``None`` where it depends on the order of the channels, or on what is not constant.
    """
    x = op.operands[0]
    if isinstance(op, PointwiseOp):
        return _carried_by_pointwise(op, shuffles)
    if x not in shuffles or any(value in shuffles for value in op.operands[1:]):
        return None
    constants = all(is_weight(value) for value in op.operands[1:])
    shape = shape_of(x.type)
    match op:
        case ConvOp() if _is_plain(op) and constants and shape[CHANNELS] == op.groups.value.data:
            return shuffles[x].widened(shape_of(op.result.type)[CHANNELS] // shape[CHANNELS])
        case BatchNormOp() if op.layout == CHANNELS_FIRST and constants:
            return shuffles[x]
        case PoolOp() if op.layout == CHANNELS_FIRST:
            return shuffles[x]
        case ReduceOp() if _keeps_channels(op):
            return shuffles[x]
        case ResizeOp() if _samples_channels_as_they_are(op):
            return shuffles[x]
        case PadOp() if not ints(op.pads)[CHANNELS] and not ints(op.pads)[len(shape) + CHANNELS]:
            return shuffles[x]
        case SliceOp() if (ints(op.sizes)[CHANNELS], ints(op.steps)[CHANNELS]) == (
            shape[CHANNELS],
            1,
        ):
            return shuffles[x]
        case ReshapeOp():
            inner = _inner(op)
            return shuffles[x].widened(inner) if inner else None
        case _:
            return None


def in_old_order(
    op: NNOp,
    shuffles: Mapping[SSAValue, Shuffle],
    twins: Mapping[SSAValue, SSAValue],
    permute: Permute,
) -> NNOp:
    """Return an op for which ``carried`` gave a shuffle on ``twins``, the unshuffled values."""
    operands: dict[SSAValue, SSAValue] = {v: twins[v] for v in op.operands if v in shuffles}
    result = carried(op, shuffles)
    assert result is not None
    rank = len(shape_of(op.result.type))
    for value in op.operands:
        if value in operands:
            continue
        axis = 0
        if isinstance(op, PointwiseOp):
            axis = CHANNELS - rank + len(shape_of(value.type))
            if axis < 0 or shape_of(value.type)[axis] == 1:
                continue
        operands[value] = permute(value, axis, result.inverse)
    return op.clone(operands)


def sums_channels(op: NNOp, value: SSAValue) -> bool:
    """Tell whether an op sums over all channels of a value, each weighted by a constant."""
    match op:
        case ConvOp():
            if not _is_plain(op) or op.groups.value.data != 1 or not is_weight(op.filter):
                return False
        case MatMulOp():
            shapes = shape_of(op.lhs.type), shape_of(op.rhs.type)
            if (
                op.transpose_lhs
                or op.packed_rhs
                or any(len(shape) != 2 for shape in shapes)
                or not is_weight(op.rhs)
            ):
                return False
        case _:
            return False
    return value is op.operands[0] and value not in op.operands[1:]


def with_weights_permuted(op: NNOp, twin: SSAValue, shuffle: Shuffle, permute: Permute) -> NNOp:
    """Return an op that sums over all channels on the unshuffled ``twin`` of what it reads."""
    assert isinstance(op, ConvOp | MatMulOp)
    axis = 1 if isinstance(op, ConvOp) or op.transpose_rhs else 0
    new = op.clone()
    new.operands[0] = twin
    new.operands[1] = permute(op.operands[1], axis, shuffle.inverse)
    return new


def reads_single_channels(op: NNOp, value: SSAValue) -> bool:
    """Tell whether an op is a grouped convolution that reads an image by single elements.

    One with padding does not: the padded image is made first, by vectors of channels.
    """
    if not isinstance(op, ConvOp) or value is not op.x or value in op.operands[1:]:
        return False
    _, channels, _ = filter_axes(shape_of(op.filter.type), op.filter_layout.data)
    return op.groups.value.data > 1 and channels > 1 and not any(ints(op.pads))


def _carried_by_pointwise(op: PointwiseOp, shuffles: Mapping[SSAValue, Shuffle]) -> Shuffle | None:
    """Shuffled operands agree; the others are the same for all channels, or constant."""
    shape = shape_of(op.result.type)
    found = {shuffles[value] for value in op.operands if value in shuffles}
    if len(found) != 1 or len(shape) <= CHANNELS:
        return None
    for value in op.operands:
        extents = shape_of(value.type)
        axis = CHANNELS - len(shape) + len(extents)
        if value in shuffles:
            if len(extents) != len(shape) or extents[CHANNELS] != shape[CHANNELS]:
                return None
        elif axis >= 0 and extents[axis] != 1 and not is_weight(value):
            return None
    return found.pop()


def _is_plain(op: ConvOp) -> bool:
    return op.layout == CHANNELS_FIRST and op.filter_layout == OUT_IN_KERNEL


def _keeps_channels(op: ReduceOp) -> bool:
    axes = ints(op.axes)
    return CHANNELS not in axes and (bool(op.keepdims) or 0 not in axes)


def _samples_channels_as_they_are(op: ResizeOp) -> bool:
    places = ints(op.numerators), ints(op.offsets), ints(op.denominators)
    numerator, offset, denominator = (values[CHANNELS] for values in places)
    same = shape_of(op.x.type)[CHANNELS] == shape_of(op.result.type)[CHANNELS]
    return same and numerator == denominator and not offset


def _inner(op: ReshapeOp) -> int:
    """Return how many elements of a channel a reshape puts on the axis of the channels; 0 for none.

    Its other axes hold the rest of each channel.
    """
    before, after = shape_of(op.x.type), shape_of(op.result.type)
    if min(len(before), len(after)) <= CHANNELS or before[0] != after[0] or 0 in before:
        return 0
    inner = after[CHANNELS] // before[CHANNELS]
    whole = after[CHANNELS] == inner * before[CHANNELS]
    return inner if whole and inner * prod(after[2:]) == prod(before[2:]) else 0
