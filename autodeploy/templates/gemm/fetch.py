"""Which lines a matrix product fetches before it needs them: the rule.

Without prefetches, the first tile of rows waits for weights that are not in the second-level cache,
and the other tiles read nothing new. A prefetch of a line of the next tile of columns, every few
steps of the reduction, distributes these reads over all tiles of rows.

A product of a single row uses each weight once. Its tiles of columns read several streams side by
side, and lines are fetched in each stream, at a distance ahead of the loads.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir.affine import AffineExpr, AffineMap

from autodeploy.dialects.halide.types import BufferType, buffer_type
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.machine import Machine
from autodeploy.templates.fetch_plan import FetchPlan, steps_to_fetch, vectors_of_line
from autodeploy.templates.gemm.operands import ProductOperands
from autodeploy.templates.gemm.product import Product
from autodeploy.templates.gemm.tile import ProductTile, exceeds_l2
from autodeploy.templates.view import PipelineView, element_bytes

LOOKAHEAD_BYTES = 2048
"""The distance at which a product of a single row fetches its weights ahead of the loads."""


def overhangs(config: ConfigAttr, rows: int, multiple: int = 0) -> bool:
    """Tell whether the last tile of rows has some that are not there.

    ``multiple`` divides open rows: a run may have fewer of them than a tile. Otherwise, which
    line is fetched follows from the number of a tile, so where tiles do not divide the rows the
    last one does not move inwards over the one before.
    """
    if multiple:
        return multiple % config.ints("tile", 2)[1] != 0
    return bool(config.values("fetch")) and rows % config.ints("tile", 2)[1] != 0


def product_fetch(machine: Machine, product: Product, tile: ProductTile, block: int) -> int:
    """Return after how many steps a product fetches a line of packed weights; 0 for never.

    Weights that exceed the L2 cache are: those of a tile of columns while a block of ``block``
    tiles of rows is computed with the tile before.
    """
    exceeds = exceeds_l2(machine, product.sizes(product.sum_bytes))
    if not machine.fetches_ahead or not product.packed or not exceeds:
        return 0
    return fetch_steps(machine, tile, product.inner, block)


def fetch_steps(machine: Machine, tile: ProductTile, inner: int, block: int) -> int:
    """Return after how many steps of a block of tiles a line is fetched, so that all are in time.

    0 where lines would have to be fetched too often.
    """
    sums = tile.rows * tile.vectors
    return steps_to_fetch(machine, tile.vectors, sums, inner, inner, block)


def product_fetch_plan(
    view: PipelineView,
    machine: Machine,
    operands: ProductOperands,
    tile: ProductTile,
    block: int,
    steps: int,
    dot: int,
) -> FetchPlan | None:
    """Return the line that a product fetches every ``steps`` steps; ``None`` where it does not.

    A step sums ``dot`` neighbours.
    """
    if not steps or operands.packed is None:
        return None
    inner = buffer_type(operands.packed).extents[-2] * dot
    variables, sharing = len(view.funcs["matmul"].var_names) + 1, vectors_of_line(machine)
    weights = weights_map(variables, tile, view.extents[1], block, inner, steps, sharing, dot)
    return FetchPlan(steps, ((operands.packed, weights),))


def gemv_fetch(machine: Machine, product: Product, tile: int) -> Sequence[Knob]:
    """Return after how many steps a product of a single row fetches weights: the rule.

    It does where they come from memory, and are packed by vectors.
    """
    if not product.packed:
        return ()
    width, bytes_ = product.packed[0], product.sum_bytes
    steps = max(1, machine.line_bytes // (width * bytes_))
    near = product.inner * product.columns * bytes_ <= machine.l2_bytes
    return () if product.inner % steps or tile % width or near else (steps,)


def gemv_fetch_plan(
    view: PipelineView, operands: ProductOperands, steps: int, wide: int, dot: int
) -> FetchPlan:
    """Return the lines of weights that a product of a single row fetches.

    Each vector of a tile of columns is a run of memory, in which lines some way ahead are fetched.
    A step sums ``dot`` neighbours, which have an axis of their own.
    """
    product, packed = view.funcs["matmul"], operands.packed
    assert packed is not None and isinstance(packed.type, BufferType)
    *neighbour, width = packed.type.extents[: 1 + (dot > 1)]
    variables, vectors = len(product.var_names) + 1, wide // width
    n, k = AffineExpr.dimension(0), AffineExpr.dimension(variables - 1)
    k = k // dot if dot > 1 else k
    line = k // steps * steps + LOOKAHEAD_BYTES // (width * element_bytes(product))
    first = n // wide * vectors
    zeros = [AffineExpr.constant(0)] * (1 + len(neighbour))
    runs = ((*zeros, line, first + vector) for vector in range(vectors))
    return FetchPlan(steps, tuple((packed, AffineMap(variables, 0, run)) for run in runs))


def weights_map(
    variables: int,
    tile: ProductTile,
    rows: int,
    tiles: int,
    inner: int,
    steps: int,
    sharing: int,
    dot: int = 1,
) -> AffineMap:
    """Return which line of the weights, [lanes, inner, columns / lanes], is fetched.

    ``dot`` neighbours along the inner axis count as one step, and have an axis of their own.

    Of a vector of columns, ``sharing`` steps share a line; its lines are fetched while ``steps``
    tiles of rows, or that share of them, are computed. When all of the next tile of columns have
    been, those behind are.
    """
    n, m, k = (AffineExpr.dimension(i) for i in (0, 1, variables - 1))
    k, inner = k // dot if dot > 1 else k, inner // dot
    number = m // tile.rows
    if tiles * tile.rows < rows:
        # A remainder, written as a difference: over a range, Halide takes one to be anything.
        number -= m // (tile.rows * tiles) * tiles
    lines = max(inner // sharing, 1)
    if steps % sharing == 0:
        vector = number // (steps // sharing)
        line = (number - vector * (steps // sharing)) * (inner // steps) + k // steps
    else:
        fetched = number * (inner // steps) + k // steps
        vector = fetched // lines
        line = fetched - vector * lines
    next_ = n // tile.columns * tile.vectors + tile.vectors
    zeros = [AffineExpr.constant(0)] * (1 + (dot > 1))
    return AffineMap(variables, 0, (*zeros, line * sharing, next_ + vector))
