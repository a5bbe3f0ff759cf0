"""How a constant filter is packed: tile after tile of output channels."""

from __future__ import annotations

import numpy as np

from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.tiled import packed_filter
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.templates.packing import Packing
from autodeploy.weights import Array


def packed_channels(conv: ConvOp, config: ConfigAttr) -> Packing | None:
    """Return how a filter is packed by ``pack``, of which parts may be filled up with zeros.

    Where the channels of several groups are packed side by side, they are interleaved. With
    ``dot`` neighbours of the input channels are innermost.
    """
    packed, parts, dot = config.number("pack"), config.number("parts"), config.number("dot") or 1
    if not packed or not conv.is_kernel_in_out:
        return None
    *rest, outputs = bounds_of(conv.filter.type)
    rank = len(rest)
    used = outputs // parts if parts else packed
    split, order = (*rest, outputs // used, packed), (rank, *range(rank), rank + 1)
    *window, inputs = rest
    steps, dots = -(-inputs // dot), (dot,) if inputs % dot == 0 else (dot, inputs)
    if dot > 1:
        split = (*window, steps, dot, outputs // used, packed)
        order = (rank + 1, *range(rank), rank + 2, rank)

    def filled_up(array: Array) -> Array:
        apart = array.reshape(*rest, outputs // used, used)
        more = (0, steps * dot - inputs), (0, 0), (0, packed - used)
        return np.pad(apart, (*((0, 0),) * len(window), *more))

    of_group = outputs // conv.groups.value.data
    count = used // of_group if not parts and used % of_group == 0 else 1

    def interleaved(array: Array) -> Array:
        apart = array.reshape(*rest, outputs // used, count, of_group)
        return apart.swapaxes(-1, -2)

    properties = {"filter_layout": packed_filter(rank + 1, used, count, dots if dot > 1 else ())}
    is_filled_up = parts or inputs % dot
    compute = filled_up if is_filled_up else interleaved if count > 1 else None
    return Packing(conv.filter, split, order, properties, compute)
