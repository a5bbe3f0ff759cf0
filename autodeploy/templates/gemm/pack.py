"""How a constant right-hand side is packed."""

from __future__ import annotations

from math import gcd

from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.tiled import TiledAttr, Tiling
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.machine import Machine
from autodeploy.templates.gemm.product import Product
from autodeploy.templates.gemm.tile import ANY, MAX_VECTORS, product_tile
from autodeploy.templates.packing import Packing
from autodeploy.templates.space import Knobs, Space, powers
from autodeploy.templates.tiles import packed_lanes

SHARED = 50
"""Matrices are padded for all tiles if that adds at most 1/n."""


def pack_knobs(
    machine: Machine, product: Product, given: ConfigAttr, tile: int | None = None
) -> Knobs:
    """Choose the packing of a right-hand side; there is none of one that is no matrix of weights.

    ``pack``: the columns that lie side by side, and all columns with the zeros that fill up the
    last tile, of ``tile`` columns or of as many as the rule says. Wide matrices have room for the
    tiles of any number of rows, as programs for one row and for several share them. ``dot``: the
    steps that one instruction sums, whose weights lie side by side.
    """
    dots = {"dot": (product.dot,)} if product.dot > 1 else {}
    if not product.packable:
        return dots
    columns, bytes_ = product.columns, product.stored_bytes
    if "tile" in given:
        tile = given.ints("tile")[0]
    if tile is None:
        tile = product_tile(machine, product.sizes(bytes_), ANY).columns
    lanes = packed_lanes(machine, bytes_, columns)
    width = gcd(lanes, tile)
    if width == 1 < lanes:
        return {"pack": (), **dots}
    padded = -(-columns // tile) * tile
    widest = max(-(-columns // (n * width)) * n * width for n in range(1, MAX_VECTORS + 1))
    if (widest - columns) * SHARED <= columns:
        padded = max(padded, widest)
    return {"pack": (width, padded), **dots}


def pack_space(machine: Machine, product: Product) -> Space:
    """Return how the right-hand side may be packed; as it is where it is packed already."""
    if not product.packable:
        return {"pack": [product.packed], **_dots(product)} if product.packed else {}
    columns = product.columns
    widest = packed_lanes(machine, product.stored_bytes, columns)
    tiles = (
        (width, vectors * width)
        for width in powers(widest)
        if width > 1 or widest == 1
        for vectors in range(1, MAX_VECTORS + 1)
    )
    packings = ((width, -(-columns // tile) * tile) for width, tile in tiles)
    return {"pack": [(), *dict.fromkeys(packings)], **_dots(product)}


def _dots(product: Product) -> Space:
    return {"dot": [(product.dot,)]} if product.dot > 1 else {}


def packed_right(product: MatMulOp, config: ConfigAttr) -> Packing | None:
    """Return how a right-hand side is packed: by columns that lie side by side."""
    if not config.values("pack") or product.rhs_layout is not None:
        return None
    (width, padded), dot = config.ints("pack", 2), config.number("dot") or 1
    inner, columns = bounds_of(product.rhs.type)
    tiling = Tiling(1, width, None if padded == columns else columns)
    layout = TiledAttr((1, 0), tiling, (0, dot) if dot > 1 else ())
    split, order = (inner, padded // width, width), (1, 0, 2)
    if dot > 1:
        split, order = (inner // dot, dot, padded // width, width), (2, 0, 3, 1)
    return Packing(product.rhs, split, order, {"rhs_layout": layout})
