"""A constant right-hand side as the sums of Strassen's algorithm."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import DenseArrayBase, i64

from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.strassen import STRASSEN
from autodeploy.dialects.nn.tiled import TiledAttr, Tiling
from autodeploy.dialects.nn.types import shape_of
from autodeploy.templates.packing import Packing
from autodeploy.weights import Array


def sums_of_right(product: MatMulOp, config: ConfigAttr) -> Packing | None:
    """Return how a right-hand side is summed, in double precision, and packed by tiles.

    Tiles of columns of the parts take turns in the matrix. Zeros fill up the last ones.
    """
    if product.strassen is not None:
        return None
    tile, _ = config.ints("tile", 2)
    algorithm = STRASSEN[config.ints("parts", 2)]
    inner, columns = shape_of(product.rhs.type)
    steps, turns = inner // algorithm.steps, algorithm.columns
    tiles = -(-columns // (turns * tile))
    more = turns * tiles * tile - columns

    def summed(array: Array) -> Array:
        whole = np.pad(array.astype(np.float64), ((0, 0), (0, more)))
        parts = whole.reshape(algorithm.steps, steps, tiles, turns, tile)
        by_place = parts.transpose(0, 3, 1, 2, 4).reshape(algorithm.steps * turns, -1)
        return np.array(algorithm.right, np.float64) @ by_place

    split = algorithm.products, steps, tiles, tile
    layout = TiledAttr((2, 0, 1), Tiling(2, tile, columns // turns if more else None))
    properties = {"rhs_layout": layout, "strassen": DenseArrayBase.from_list(i64, algorithm.parts)}
    return Packing(product.rhs, split, (2, 0, 1, 3), properties, summed)
