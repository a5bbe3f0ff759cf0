"""A constant filter in Winograd's domain."""

from __future__ import annotations

import numpy as np

from autodeploy.dialects.nn.base import i64_attr
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.tiled import packed_filter
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.dialects.nn.winograd import WINOGRAD
from autodeploy.templates.packing import Packing
from autodeploy.weights import Array


def transformed_filter(conv: ConvOp, config: ConfigAttr) -> Packing | None:
    """Return how a 3x3 filter is transformed, in double precision, and packed by tiles."""
    if not conv.is_kernel_in_out:
        return None
    transform, tile = WINOGRAD[config.number("transform")], config.number("tile")
    *_, channels, outputs = bounds_of(conv.filter.type)

    def transformed(array: Array) -> Array:
        matrix = np.array(transform.filter_transform, np.float64)
        wide = array.astype(np.float64)
        return np.einsum("ai,ijco,bj->abco", matrix, wide, matrix, optimize=True)

    split = transform.points, transform.points, channels, outputs // tile, tile
    properties = {
        "filter_layout": packed_filter(4, tile),
        "winograd": i64_attr(transform.outputs),
    }
    return Packing(conv.filter, split, (3, 0, 1, 2, 4), properties, transformed)
