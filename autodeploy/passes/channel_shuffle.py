"""Finding channel shuffles: a reshape, a transpose and a reshape that only permute channels."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.movement import ReshapeOp, TransposeOp
from autodeploy.dialects.nn.types import shape_of


@dataclass(frozen=True)
class ChannelShuffle:
    """The channels of ``x`` (N C …) taken apart into ``factors``, which are brought into ``order``.

    Factor i of the result is factor ``order[i]`` of ``x``.
    """

    x: SSAValue
    factors: tuple[int, ...]
    order: tuple[int, ...]


def channel_shuffle(op: ReshapeOp) -> ChannelShuffle | None:
    """Return the shuffle that ends in a reshape, ``None`` where it ends none.

    Other axes than that of the channels keep their extents and places.
    """
    turned = op.x.owner
    if not isinstance(turned, TransposeOp):
        return None
    apart = turned.x.owner
    if not isinstance(apart, ReshapeOp) or op.result.type != apart.x.type:
        return None
    shape, wide = shape_of(apart.x.type), shape_of(apart.result.type)
    count = len(wide) - len(shape) + 1
    order = ints(turned.permutation)
    factors, channels = wide[1 : 1 + count], range(1, 1 + count)
    if len(shape) < 2 or count < 2 or (wide[0], *wide[1 + count :]) != (shape[0], *shape[2:]):
        return None
    if any(order[axis] != axis for axis in range(len(wide)) if axis not in channels):
        return None
    return ChannelShuffle(apart.x, factors, tuple(order[axis] - 1 for axis in channels))
