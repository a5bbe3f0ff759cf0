"""How ops read operands whose channels (axis 1, as in ONNX) are shuffled.

Three kinds of ops do not need the shuffled operand. Some treat all channels alike, or each with its
own constants. They compute the channels in the old order, with constants in that order, and their
result is shuffled instead. Others sum over all channels; their weights are permuted. The third
kind, grouped convolutions, read an image by single elements, at any index.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.ir import SSAValue

from autodeploy.dialects.nn.base import AxisRead, NNOp, ints
from autodeploy.dialects.nn.contraction import ContractionOp, ConvOp
from autodeploy.dialects.nn.movement import is_weight
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.passes.nn.channel_shuffle import Shuffle

CHANNELS = 1
"""The axis of the channels."""

Permute = Callable[[SSAValue, int, Shuffle], SSAValue]
"""Gives a constant with an axis shuffled; the movements that make it are inserted."""


def result_shuffle(op: NNOp, shuffles: Mapping[SSAValue, Shuffle]) -> Shuffle | None:
    """Return how the result of an op is shuffled that is computed in the old order.

    ``shuffles`` are those of the values that can be had unshuffled, of which the op reads at least
    one. ``None`` if it depends on the order of the channels, or on what is not constant.
    """
    found: set[Shuffle] = set()
    for index, value in enumerate(op.operands):
        reads = op.axis_reads(index)
        if reads is None:
            return None
        if value in shuffles:
            channels = reads[CHANNELS]
            if channels is None or channels.iterator != CHANNELS or not channels.inner:
                return None
            found.add(shuffles[value].widened(channels.inner))
        elif any(read is not None and read.iterator == CHANNELS for read in reads) and (
            _axis_along(reads, CHANNELS) is None or not is_weight(value)
        ):
            return None
    return found.pop() if len(found) == 1 else None


def in_old_order(
    op: NNOp,
    shuffles: Mapping[SSAValue, Shuffle],
    unshuffled: Mapping[SSAValue, SSAValue],
    permute: Permute,
) -> NNOp:
    """Return an op for which ``result_shuffle`` gave a shuffle, on the ``unshuffled`` values."""
    result = result_shuffle(op, shuffles)
    assert result is not None
    operands: dict[SSAValue, SSAValue] = {}
    for index, value in enumerate(op.operands):
        axis = _axis_along(op.axis_reads(index) or (), CHANNELS)
        if value in shuffles:
            operands[value] = unshuffled[value]
        elif axis is not None and value not in operands:
            operands[value] = permute(value, axis, result.inverse)
    return op.clone(operands)


def sums_channels(op: NNOp, value: SSAValue) -> bool:
    """Return whether an op sums over all channels of a value, each weighted by a constant."""
    return _weighted_axis(op, value) is not None


def with_weights_permuted(
    op: NNOp, unshuffled: SSAValue, shuffle: Shuffle, permute: Permute
) -> NNOp:
    """Return an op that sums over all channels on the ``unshuffled`` form of its operand."""
    axis = _weighted_axis(op, op.operands[0])
    assert axis is not None
    new = op.clone()
    new.operands[0] = unshuffled
    new.operands[1] = permute(op.operands[1], axis, shuffle.inverse)
    return new


def reads_single_channels(op: NNOp, value: SSAValue) -> bool:
    """Return whether an op is a grouped convolution that reads an image by single elements.

    One with padding does not: the padded image is made first, by vectors of channels.
    """
    if not isinstance(op, ConvOp) or value is not op.x or value in op.operands[1:]:
        return False
    _, channels, _ = op.filter_shape
    return op.groups.value.data > 1 and channels > 1 and not any(ints(op.pads))


def _weighted_axis(op: NNOp, value: SSAValue) -> int | None:
    """Return the axis of a contraction's constant weights that weighs the channels of ``value``.

    ``None`` if it does not sum over them.
    """
    if not isinstance(op, ContractionOp) or value is not op.operands[0]:
        return None
    reads = op.axis_reads(0)
    channels = None if reads is None else reads[CHANNELS]
    if value in op.operands[1:] or channels is None or not is_weight(op.operands[1]):
        return None
    if channels.iterator < len(bounds_of(op.result.type)):
        return None
    return _axis_along(op.axis_reads(1) or (), channels.iterator)


def _axis_along(reads: Sequence[AxisRead | None], iterator: int) -> int | None:
    """Return the axis of an operand along which an iterator runs."""
    axes = (axis for axis, read in enumerate(reads) if read == AxisRead(iterator))
    return next(axes, None)
