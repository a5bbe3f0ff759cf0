"""Which lines a matrix product fetches before it needs them: the rule.

Without prefetches, the first tile of rows waits for weights that are not in the second-level cache,
and the other tiles read nothing new. A prefetch of a line of the next tile of columns, every few
steps of the reduction, distributes these reads over all tiles of rows.

The addend of a result is read all at once when a tile is done. The same loop fetches that of the
next tile of rows, where the inner axis is so short that few fetches are too many.

A product of a single row uses each weight once. Its tiles of columns read several streams side by
side, and lines are fetched in each stream, at a distance ahead of the loads. So does one of few
rows, whose tiles are too few to fetch the next tile of columns. Of a stream that ends within the
distance, the one that follows in the next tile of columns is fetched.

Where rows are computed in blocks, the first tile of columns reads a block of the left-hand side,
and all tiles fetch the next block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from autodeploy.dialects.halide.in_place import inputs_at_place
from autodeploy.dialects.halide.types import BufferType
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.machine import Machine
from autodeploy.templates.fetch_plan import FetchPlan, in_runs
from autodeploy.templates.gemm.operands import ProductOperands
from autodeploy.templates.gemm.product import Product
from autodeploy.templates.gemm.tile import (
    MOST_SURPLUS,
    ProductTile,
    exceeds_l2,
    fetches_parts,
    is_crowded,
    least_fetch_spacing,
    most_fetch_steps,
    vectors_of_line,
)
from autodeploy.templates.view import PipelineView, element_bytes

RHS, ADDEND, LHS, STREAM = "rhs", "addend", "lhs", "stream"
"""What a product fetches: of the right-hand side the next tile of columns, or lines that lie ahead
of the loads in the runs of memory that a tile reads."""

UNROLLED = 128
"""Multiply-adds of vectors that are unrolled at most around a prefetch, and half as many around two
of different buffers. LLVM loads for more of them early, and spills sums: with 192, 384x768x3072
takes 3 % longer; with 108 around two, 197x384x384 takes 1.4 times as long.
"""

UNROLLED_NARROW = 64
"""Multiply-adds that are unrolled at most where the left-hand side is fetched, or where the sums
fill the registers: with 112, densenet121 is 6 % slower on two threads, and 784x512x256 without an
epilogue takes 1.3 times as long. All steps to a prefetch are then unrolled.
"""

LOOKAHEAD_BYTES = 2048
"""The distance at which a product of a single row fetches its weights ahead of the loads."""

STREAM_BYTES = 6144
"""That of a product of few rows. On a Zen 4 with AVX2, 4x384x768 takes 0.90 of the time without
fetches at 2048, 0.84 at 3072 to 12288; 4x2048x2048 0.92 at 3072 and 0.82 at 6144."""

STREAMED_TILES = 2
"""Tiles of rows up to which streams are fetched: each tile of rows fetches all lines again."""

STREAM_STEPS = 6
"""Multiply-adds of vectors that use a line of a stream, at least. With 4, of 2 rows, memory or a
further cache is as fast as it can be, and 2x2048x2048 takes 1.13 times as long, 2x576x576 0.96
times; with 6, of 3 rows, 3x1536x2048 takes 0.80 times as long, 3x1024x1024 0.97 times."""


def overhangs(config: ConfigAttr, rows: int, multiple: int = 0) -> bool:
    """Tell whether the last tile of rows has some that are not there.

    ``multiple`` divides open rows: a run may have fewer of them than a tile. Otherwise, which
    line is fetched follows from the number of a tile, so where tiles do not divide the rows the
    last one does not move inwards over the one before.
    """
    if multiple:
        return multiple % config.ints("tile", 2)[1] != 0
    return bool(config.values("fetch")) and rows % config.ints("tile", 2)[1] != 0


def product_fetch(
    machine: Machine, product: Product, tile: ProductTile, block: int, *, own_rows: bool = False
) -> Sequence[Knob]:
    """Return what a product fetches that computes blocks of ``block`` tiles of rows: the rule.

    That is the steps to a prefetch, and the names of what is fetched; nothing where nothing is.
    With ``own_rows`` each core has blocks of its own: the next block may be that of another one.
    """
    columns, rows, inner, bytes_ = product.columns, product.rows, product.inner, product.sum_bytes
    if not machine.fetches_ahead:
        return ()
    wanted: dict[Knob, _Lines] = {}
    panels = -(-columns // tile.columns)
    if product.packed and (
        exceeds_l2(machine, bytes_, columns, inner)
        or (block * tile.rows >= rows and fetches_near(machine, bytes_, tile, columns, rows, inner))
    ):
        wanted[RHS] = _panel_lines(machine, tile, rows, inner, block)
    if (
        product.reads_addend
        and exceeds_l2(machine, bytes_, columns, rows)
        and columns % tile.columns == 0
    ):
        lines = tile.rows * _lines_of_row(machine, tile)
        wanted[ADDEND] = _Lines(lines, inner, machine.costs.steps_per_prefetch)
    if (
        product.reads_left
        and block * tile.rows < rows
        and not own_rows
        and not product.stack
        and exceeds_l2(machine, bytes_, rows, inner)
    ):
        row_lines = -(-inner * bytes_ // machine.line_bytes)
        lines = row_lines * tile.rows * block
        wanted[LHS] = _Lines(lines, panels * block * inner, machine.costs.steps_per_prefetch)
    spacings = {name: _steps(machine, tile, inner, lines) for name, lines in wanted.items()}
    steps = min((number for number in spacings.values() if number), default=0)
    fetched = [name for name in wanted if spacings[name] and wanted[name].suit(steps)]
    narrow = steps
    while narrow > 1 and narrow * tile.rows * tile.vectors > UNROLLED_NARROW:
        narrow //= 2
    if LHS in fetched and not all(wanted[name].suit(narrow) for name in fetched):
        # With these there would be too many fetches of the others.
        fetched.remove(LHS)
    if not fetched and fetches_stream(machine, product, tile):
        return (vectors_of_line(machine), STREAM)
    if LHS in fetched or (
        is_crowded(machine, tile) and all(wanted[name].suit(narrow) for name in fetched)
    ):
        steps = narrow
    return (steps, *fetched) if fetched else ()


def fetches_columns(machine: Machine, tile: ProductTile, rows: int, inner: int, block: int) -> bool:
    """Tell whether a tile of columns is fetched while a block of tiles of rows is computed."""
    lines = _panel_lines(machine, tile, rows, inner, block)
    return machine.fetches_ahead and _steps(machine, tile, inner, lines) > 0


def fetches_near(
    machine: Machine, bytes_: int, tile: ProductTile, columns: int, rows: int, inner: int
) -> bool:
    """Tell whether weights that stay in the second-level cache are fetched all the same.

    A run of a network finds them in a further cache, and the first tile of rows waits for them.
    With whole lines to a vector they are soon there, and to fetch them did not pay. Where vectors
    share lines, all rows are one block then, if the left-hand side stays in that cache, too.
    """
    if not fetches_parts(machine) or columns <= tile.columns:
        return False
    lines = _panel_lines(machine, tile, rows, inner, -(-rows // tile.rows))
    steps = _steps(machine, tile, inner, lines)
    return lines.suit(steps) and rows * inner * bytes_ <= machine.resident_bytes


def fetches_stream(machine: Machine, product: Product, tile: ProductTile) -> bool:
    """Tell whether a product of few rows fetches lines ahead in the runs of memory that it reads.

    A network runs through more weights than the second-level cache holds, so that each run waits
    for them. With whole lines to a vector, this has not been measured.
    """
    return (
        fetches_parts(machine)
        and streamed(product, tile)
        and product.stored_bytes == product.sum_bytes
        and tile.rows * vectors_of_line(machine) >= STREAM_STEPS
        and product.rows <= STREAMED_TILES * tile.rows
        and product.columns > tile.columns
        and product.inner % vectors_of_line(machine) == 0
    )


def streamed(product: Product, tile: ProductTile) -> bool:
    """Tell whether each vector of a tile of columns has a run of memory of its own."""
    return bool(product.packed) and product.packed[0] == tile.lanes


def product_unroll(machine: Machine, tile: ProductTile, fetch: Sequence[Knob]) -> Sequence[Knob]:
    """Return how many of the steps to a prefetch are unrolled: the rule; nothing without a fetch.

    Others are a loop within the loop of prefetches. Where the sums fill the registers, such a loop
    costs more than it gains: all steps are unrolled.
    """
    if not fetch:
        return ()
    steps, most = fetch_steps(fetch), UNROLLED // (len(fetch) - 1)
    if not is_crowded(machine, tile):
        while steps % 2 == 0 and steps * tile.rows * tile.vectors > most:
            steps //= 2
    return (steps,)


def fetch_steps(fetch: Sequence[Knob]) -> int:
    """Return the steps to a prefetch that the knob of a product says."""
    (steps,) = (value for value in fetch if isinstance(value, int))
    return steps


def product_fetch_plan(
    view: PipelineView,
    machine: Machine,
    operands: ProductOperands,
    tile: ProductTile,
    block: int,
    knob: Sequence[Knob],
) -> FetchPlan | None:
    """Return the lines that a product fetches of what its config says; ``None`` for nothing."""
    if not knob:
        return None
    product = view.funcs["matmul"]
    ((_, _, inner),) = view.updates[product][0].rdom
    steps = fetch_steps(knob)
    rows = view.extents[1]
    bytes_, variables = element_bytes(product), len(product.var_names) + 1
    fetches: list[tuple[SSAValue, AffineMap]] = []
    if RHS in knob and operands.packed is not None:
        sharing = vectors_of_line(machine)
        weights = weights_map(variables, tile, rows, block, inner, steps, sharing)
        fetches.append((operands.packed, weights))
    if STREAM in knob and operands.packed is not None:
        runs = stream_maps(variables, tile, inner, steps, STREAM_BYTES // (tile.lanes * bytes_))
        fetches += [(operands.packed, run) for run in runs]
    if ADDEND in knob:
        row_lines = _lines_of_row(machine, tile)
        addend = _addend_map(variables, tile, steps, row_lines, machine.line_bytes // bytes_)
        fetches += [(source, addend) for source in inputs_at_place(view.pipeline)]
    if LHS in knob:
        lines = -(-inner * bytes_ // machine.line_bytes)
        map_ = _block_map(tile, block, inner, lines, machine.line_bytes // bytes_, steps)
        fetches += [(source, map_) for source in operands.left]
    return FetchPlan(steps, tuple(fetches))


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
    view: PipelineView, operands: ProductOperands, steps: int, wide: int
) -> FetchPlan:
    """Return the lines of weights that a product of a single row fetches.

    Each vector of a tile of columns is a run of memory, in which lines some way ahead are fetched.
    """
    product, packed = view.funcs["matmul"], operands.packed
    assert packed is not None and isinstance(packed.type, BufferType)
    width = packed.type.extents[0]
    variables, vectors = len(product.var_names) + 1, wide // width
    n, k = AffineExpr.dimension(0), AffineExpr.dimension(variables - 1)
    line = k // steps * steps + LOOKAHEAD_BYTES // (width * element_bytes(product))
    first = n // wide * vectors
    runs = ((AffineExpr.constant(0), line, first + vector) for vector in range(vectors))
    return FetchPlan(steps, tuple((packed, AffineMap(variables, 0, run)) for run in runs))


@dataclass(frozen=True)
class _Lines:
    """``count`` lines that are fetched during ``steps`` steps of the inner axis.

    There are ``spacing`` multiply-adds of vectors between two prefetches, at least.
    """

    count: int
    steps: int
    spacing: float

    def suit(self, steps: int) -> bool:
        """Tell whether a fetch in ``steps`` steps is not far too many."""
        return self.steps < MOST_SURPLUS * steps * self.count


def _panel_lines(machine: Machine, tile: ProductTile, rows: int, inner: int, block: int) -> _Lines:
    """Return the lines of a tile of columns, which are fetched during a block of tiles of rows.

    Few tiles have to divide the rows: of two, one that overhangs takes much of the time.
    """
    count = -(-inner * tile.vectors // vectors_of_line(machine))
    least = machine.costs.steps_per_prefetch if rows % tile.rows else least_fetch_spacing(machine)
    return _Lines(count, block * inner, least)


def _lines_of_row(machine: Machine, tile: ProductTile) -> int:
    """Return in how many lines a row of a tile of the result lies."""
    return -(-tile.vectors // vectors_of_line(machine))


def _steps(machine: Machine, tile: ProductTile, inner: int, lines: _Lines) -> int:
    """Return after how many steps a line is fetched, so that all are in time.

    0 where lines would have to be fetched too often.
    """
    steps = most_fetch_steps(machine)
    while steps and (inner % steps or lines.count * steps > lines.steps):
        steps //= 2
    spacing = steps * tile.rows * tile.vectors
    return steps if spacing >= lines.spacing else 0


def weights_map(
    variables: int, tile: ProductTile, rows: int, tiles: int, inner: int, steps: int, sharing: int
) -> AffineMap:
    """Return which line of the weights, [lanes, inner, columns / lanes], is fetched.

    Of a vector of columns, ``sharing`` steps share a line; its lines are fetched while ``steps``
    tiles of rows, or that share of them, are computed. When all of the next tile of columns have
    been, those behind are.
    """
    n, m, k = (AffineExpr.dimension(i) for i in (0, 1, variables - 1))
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
    line = in_runs(line, lines, steps * tile.rows * tile.vectors) * sharing
    next_ = n // tile.columns * tile.vectors + tile.vectors
    return AffineMap(variables, 0, (AffineExpr.constant(0), line, next_ + vector))


def stream_maps(
    variables: int, tile: ProductTile, inner: int, steps: int, ahead: int
) -> list[AffineMap]:
    """Return which line of each vector of the weights, [lanes, inner, columns / lanes], is fetched.

    It lies ``ahead`` steps of the inner axis before the loads; behind the last one, those of the
    vector follow that stands there in the next tile of columns.
    """
    n, k = AffineExpr.dimension(0), AffineExpr.dimension(variables - 1)
    step = k // steps * steps + ahead
    tiles = step // inner
    first = (n // tile.columns + tiles) * tile.vectors
    # A remainder, written as a difference: over a range, Halide takes one to be anything.
    line = step - tiles * inner
    return [
        AffineMap(variables, 0, (AffineExpr.constant(0), line, first + vector))
        for vector in range(tile.vectors)
    ]


def _addend_map(
    variables: int, tile: ProductTile, steps: int, lines: int, elements: int
) -> AffineMap:
    """Return which line is fetched of what is added to the result, which has its extents.

    Row after row of the next tile of rows, and of one its ``lines`` lines of ``elements`` elements.
    """
    n, m, *stack, k = (AffineExpr.dimension(i) for i in range(variables))
    line = k // steps
    row = line // lines
    column = n // tile.columns * tile.columns + (line - row * lines) * elements
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
