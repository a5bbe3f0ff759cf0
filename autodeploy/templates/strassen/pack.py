"""A constant right-hand side as the sums of Strassen's algorithm."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import UnitAttr

from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.strassen import PRODUCTS, RIGHT_SUMS
from autodeploy.dialects.nn.tiled import TiledAttr, Tiling
from autodeploy.dialects.nn.types import shape_of
from autodeploy.templates.packing import Packing
from autodeploy.weights import Array


def sums_of_right(product: MatMulOp, config: ConfigAttr) -> Packing | None:
    """Return how a right-hand side is summed, in double precision, and packed by tiles.

    Tiles of columns of the two quarters take turns in the matrix. Zeros fill up the last ones.
    """
    if product.strassen is not None:
        return None
    tile, _ = config.ints("tile", 2)
    inner, columns = shape_of(product.rhs.type)
    tiles = -(-columns // (2 * tile))
    more = 2 * tiles * tile - columns

    def summed(array: Array) -> Array:
        whole = np.pad(array.astype(np.float64), ((0, 0), (0, more)))
        quarters = whole.reshape(2, inner // 2, tiles, 2, tile)
        by_place = quarters.transpose(0, 3, 1, 2, 4).reshape(4, -1)
        return np.array(RIGHT_SUMS, np.float64) @ by_place

    split = PRODUCTS, inner // 2, tiles, tile
    layout = TiledAttr((2, 0, 1), Tiling(2, tile, columns // 2 if more else None))
    properties = {"rhs_layout": layout, "strassen": UnitAttr()}
    return Packing(product.rhs, split, (2, 0, 1, 3), properties, summed)
