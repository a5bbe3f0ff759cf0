"""A constant filter in Winograd's domain."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import i16

from autodeploy.dialects.nn.base import i64_attr
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.tiled import packed_filter
from autodeploy.dialects.nn.types import bounds_of, element_of, is_float
from autodeploy.dialects.nn.winograd import WINOGRAD
from autodeploy.templates.packing import Packing
from autodeploy.weights import Array

_COLUMNS = 512
"""The columns of a product: they fit a cache, and are too few for BLAS to wake other threads."""


def transformed_filter(conv: ConvOp, config: ConfigAttr) -> Packing | None:
    """Return how a 3x3 filter is transformed, in double precision, and packed by tiles.

    A filter of bytes becomes one of 16-bit integers. With ``dot`` neighbours of the input channels
    are innermost.
    """
    if not conv.is_kernel_in_out:
        return None
    transform, tile = WINOGRAD[config.number("transform")], config.number("tile")
    *_, channels, outputs = bounds_of(conv.filter.type)
    is_whole, dot = not is_float(element_of(conv.filter.type)), config.number("dot") or 1

    points = transform.points, transform.points

    def transformed(array: Array) -> Array:
        matrix = np.array(transform.filter_transform, np.float64)
        if is_whole:
            matrix *= transform.denominator
        product, columns = np.kron(matrix, matrix), array.reshape(9, -1)
        result = np.empty((len(product), columns.shape[1]), np.int16 if is_whole else array.dtype)
        for start in range(0, columns.shape[1], _COLUMNS):
            part = product @ columns[:, start : start + _COLUMNS].astype(np.float64)
            result[:, start : start + _COLUMNS] = np.rint(part) if is_whole else part
        return result.reshape(*points, *array.shape[2:])

    split, order = (*points, channels, outputs // tile, tile), (3, 0, 1, 2, 4)
    if dot > 1:
        split, order = (*points, channels // dot, dot, outputs // tile, tile), (4, 0, 1, 2, 5, 3)
    properties = {
        "filter_layout": packed_filter(4, tile, dots=(dot,) if dot > 1 else ()),
        "winograd": i64_attr(transform.outputs),
    }
    element = i16 if is_whole else None
    return Packing(conv.filter, split, order, properties, transformed, element)
