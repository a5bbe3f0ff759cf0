"""Which lines a matrix product fetches before it needs them: the rule.

Without prefetches, the first tile of rows waits for weights that are not in the second-level cache,
and the other tiles read nothing new. A prefetch of a line of the next tile of columns, every few
steps of the reduction, distributes these reads over all tiles of rows.

The addend of a result is read all at once when a tile is done. The same loop fetches that of the
next tile of rows.

A product of a single row uses each weight once. Its tiles of columns read several streams side by
side, and lines are fetched in each stream, at a distance ahead of the loads.

Where rows are computed in blocks, the first tile of columns reads a block of the left-hand side,
and all tiles fetch the next block.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from autodeploy.dialects.halide.in_place import reads_its_place
from autodeploy.dialects.halide.types import BufferType
from autodeploy.machine import Machine
from autodeploy.templates.fetch_plan import FetchPlan, in_runs
from autodeploy.templates.gemm.operands import ProductOperands
from autodeploy.templates.gemm.tile import ProductTile, exceeds_l2
from autodeploy.templates.view import PipelineView, element_bytes

MAX_STEPS = 8
"""Steps of the reduction to a prefetch, at most: they are unrolled."""

LOOKAHEAD_BYTES = 2048
"""The distance at which a product of a single row fetches its weights ahead of the loads."""


def product_fetch_plan(
    view: PipelineView,
    machine: Machine,
    operands: ProductOperands,
    tile: ProductTile,
    tiles: int,
    inner: int,
) -> FetchPlan | None:
    """Return what a product fetches that computes blocks of ``tiles`` tiles of rows.

    ``None`` for nothing. Tiles must divide the rows: a line follows from the number of a tile.
    """
    product = view.funcs["matmul"]
    columns, rows = view.extents[:2]
    bytes_ = element_bytes(product)
    if not machine.fetches_ahead or rows % tile.rows:
        return None
    variables = len(product.var_names) + 1
    wanted: list[tuple[SSAValue, int, Callable[[int], AffineMap]]] = []
    if operands.packed is not None and exceeds_l2(machine, bytes_, columns, inner):
        steps = _steps(machine, tile, inner, inner * tile.vectors, tiles)
        weights = partial(_weights_map, variables, tile, rows, tiles, inner)
        wanted.append((operands.packed, steps, weights))
    if exceeds_l2(machine, bytes_, columns, rows) and columns % tile.columns == 0:
        target = view.pipeline.outputs[0]
        for source in view.pipeline.inputs:
            if any(source.uses) and reads_its_place(source, target):
                steps = _steps(machine, tile, inner, tile.rows * tile.vectors, 1)
                wanted.append((source, steps, partial(_addend_map, variables, tile)))
    if (
        operands.left
        and tiles * tile.rows < rows
        and len(product.var_names) == 2
        and exceeds_l2(machine, bytes_, rows, inner)
    ):
        lines = -(-inner * bytes_ // machine.line_bytes)
        panels = -(-columns // tile.columns)
        steps = _steps(machine, tile, inner, lines * tile.rows * tiles, panels * tiles)
        block = partial(_block_map, tile, tiles, inner, lines, machine.line_bytes // bytes_)
        wanted += [(source, steps, block) for source in operands.left]
    wanted = [item for item in wanted if item[1]]
    if not wanted:
        return None
    steps = min(steps for _, steps, _ in wanted)
    return FetchPlan(steps, tuple((buffer, map_(steps)) for buffer, _, map_ in wanted))


def gemv_fetch_plan(
    view: PipelineView, machine: Machine, operands: ProductOperands, inner: int, wide: int
) -> FetchPlan | None:
    """Return what a product of a single row fetches: its weights, where they come from memory.

    Each vector of a tile of columns is a run of memory, in which lines some way ahead are fetched.
    ``None`` where the weights are not packed by vectors, or stay near.
    """
    product, bytes_ = view.funcs["matmul"], element_bytes(view.funcs["matmul"])
    columns = view.extents[0]
    packed = operands.packed
    if not machine.fetches_ahead or packed is None:
        return None
    assert isinstance(packed.type, BufferType)
    width = packed.type.extents[0]
    steps = max(1, machine.line_bytes // (width * bytes_))
    if inner % steps or wide % width or inner * columns * bytes_ <= machine.l2_bytes:
        return None
    variables, vectors = len(product.var_names) + 1, wide // width
    n, k = AffineExpr.dimension(0), AffineExpr.dimension(variables - 1)
    line = k // steps * steps + LOOKAHEAD_BYTES // (width * bytes_)
    first = n // wide * vectors
    runs = ((AffineExpr.constant(0), line, first + vector) for vector in range(vectors))
    return FetchPlan(steps, tuple((packed, AffineMap(variables, 0, run)) for run in runs))


def _steps(machine: Machine, tile: ProductTile, inner: int, lines: int, tiles: int) -> int:
    """Return after how many steps a line is fetched, so that all are when the tiles are done.

    0 where lines would have to be fetched too often.
    """
    steps = MAX_STEPS
    while steps and (inner % steps or lines * steps > inner * tiles):
        steps //= 2
    spacing = steps * tile.rows * tile.vectors
    return steps if spacing >= machine.costs.steps_per_prefetch else 0


def _weights_map(
    variables: int, tile: ProductTile, rows: int, tiles: int, inner: int, steps: int
) -> AffineMap:
    """Return which line of the weights, [lanes, inner, columns / lanes], is fetched.

    The lines of a vector of columns are while ``steps`` tiles of rows are computed. When all of the
    next tile of columns have been, those behind are.
    """
    n, m, k = (AffineExpr.dimension(i) for i in (0, 1, variables - 1))
    number = m // tile.rows
    if tiles * tile.rows < rows:
        # A remainder, written as a difference: over a range, Halide takes one to be anything.
        number -= m // (tile.rows * tiles) * tiles
    vector = number // steps
    line = (number - vector * steps) * (inner // steps) + k // steps
    line = in_runs(line, inner, steps * tile.rows * tile.vectors)
    next_ = n // tile.columns * tile.vectors + tile.vectors
    return AffineMap(variables, 0, (AffineExpr.constant(0), line, next_ + vector))


def _addend_map(variables: int, tile: ProductTile, steps: int) -> AffineMap:
    """Return which line is fetched of what is added to the result, which has its extents.

    Row after row of the next tile of rows, and vector after vector of one.
    """
    n, m, *stack, k = (AffineExpr.dimension(i) for i in range(variables))
    line = k // steps
    row = line // tile.vectors
    column = n // tile.columns * tile.columns + (line - row * tile.vectors) * tile.lanes
    next_ = m // tile.rows * tile.rows + tile.rows
    return AffineMap(variables, 0, (column, next_ + row, *stack))


def _block_map(
    tile: ProductTile, tiles: int, inner: int, lines: int, elements: int, steps: int
) -> AffineMap:
    """Return which line of the left-hand side, [inner, rows], is fetched: one of the next block.

    Rows are fetched one after another, each as ``lines`` lines of ``elements`` elements.
    """
    n, m, k = (AffineExpr.dimension(i) for i in range(3))
    block = m // (tile.rows * tiles)
    number = n // tile.columns * tiles + m // tile.rows - block * tiles
    line = number * (inner // steps) + k // steps
    row = line // lines
    first = block * (tile.rows * tiles) + tile.rows * tiles
    return AffineMap(3, 0, ((line - row * lines) * elements, first + row))
