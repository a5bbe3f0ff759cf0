"""Channel shuffles: a reshape, a transpose and a reshape that only permute one axis."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

from autodeploy.dialects.nn.base import NNOp, ints
from autodeploy.dialects.nn.movement import ReshapeOp, TransposeOp
from autodeploy.dialects.nn.types import bounds_of, shape_of

_CHANNELS = 1
"""The axis of the channels, as in ONNX."""


@dataclass(frozen=True)
class ChannelShuffle:
    """The channels of ``x``, split into ``factors``, outermost first, are brought into ``order``.

    Factor i of the result is factor ``order[i]`` of the operand.
    """

    x: SSAValue
    factors: tuple[int, ...]
    order: tuple[int, ...]

    def last(self, x: SSAValue) -> tuple[ReshapeOp, TransposeOp, ReshapeOp]:
        """Return the movements that shuffle the last axis of a value; they are not inserted."""
        *others, _ = shape = shape_of(x.type)
        apart = ReshapeOp(x, (*others, *self.factors))
        order = (*range(len(others)), *(len(others) + i for i in self.order))
        transpose = TransposeOp(apart.result, order)
        return apart, transpose, ReshapeOp(transpose.result, shape)


def channel_shuffle(op: NNOp) -> ChannelShuffle | None:
    """Return the shuffle of the channels that ends in an op, ``None`` if it ends none.

    Other axes keep their extents and places.
    """
    transpose = op.x.owner if isinstance(op, ReshapeOp) else None
    if not isinstance(op, ReshapeOp) or not isinstance(transpose, TransposeOp):
        return None
    apart = transpose.x.owner
    if not isinstance(apart, ReshapeOp) or op.result.type != apart.x.type:
        return None
    if not op.is_view or not apart.is_view:
        return None
    shape, wide = bounds_of(apart.x.type), bounds_of(apart.result.type)
    count, axis = len(wide) - len(shape) + 1, _CHANNELS
    order, factors = ints(transpose.permutation), wide[axis : axis + count]
    if len(shape) <= axis or count < 2 or 0 in shape:
        return None
    if (*wide[:axis], *wide[axis + count :]) != (*shape[:axis], *shape[axis + 1 :]):
        return None
    inside = range(axis, axis + count)
    if any(order[place] != place for place in range(len(wide)) if place not in inside):
        return None
    return ChannelShuffle(apart.x, factors, tuple(order[place] - axis for place in inside))
