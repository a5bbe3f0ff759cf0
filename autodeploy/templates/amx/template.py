"""The template of products and convolutions by the tile registers of x86-64 (AMX).

One instruction multiplies 16 rows by 16 columns, over 64 neighbours of 8 bits or 32 of bfloat16
(Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, ``TDPBUSD`` and
``TDPBF16PS``). Halide 21 recognises one tile of sums, and a right-hand side with all columns side
by side. The sums of a tile of the output are copied to memory, where the epilogue reads them. The
rows of a convolution are the pixels of a row of its result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from xdsl.dialects.builtin import bf16

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.halide.types import Memory, Tail
from autodeploy.dialects.nn.base import AnchorOp
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import element_of, i8, ui8
from autodeploy.machine import Machine
from autodeploy.templates.amx.product import (
    ROW_DOTS,
    SIDE,
    contraction_in_tiles,
    fills_tiles,
    product_in_tiles,
    steps_of_tile,
)
from autodeploy.templates.direct_conv.pack import packed_channels
from autodeploy.templates.direct_conv.template import vectorize_padded
from autodeploy.templates.dots import DOT_LOOP
from autodeploy.templates.gemm.order import COLUMNS
from autodeploy.templates.gemm.product import Product
from autodeploy.templates.gemm.template import GemmTemplate
from autodeploy.templates.packing import Packing
from autodeploy.templates.space import Knobs, Space, divisors
from autodeploy.templates.view import ScheduledPipeline, element_bytes, loop_extents, tail_of

SUMS = "sums"
"""The func that holds the sums of a tile in memory."""

ELEMENTS = ((ui8, i8), (bf16, bf16))
"""Types of factors whose dots fill a row: four neighbours of 8 bits, or two of bfloat16."""

ROWS = "rows"
"""The loop over rows of an image, in ``parallel``."""

WIDTHS = (64, 48, 32)
"""Columns of a tile of the output: their sums stay in the L1 cache. Halide does not recognise a
loop over one tile register."""


class AmxTemplate(GemmTemplate):
    """Matrix or image times constant matrix, in tiles of 16 rows."""

    in_runs = False
    rank = 1

    def applies(self, kernel: KernelOp) -> bool:
        anchor = contraction_in_tiles(kernel)
        if anchor is None or anchor.accumulator is None:
            return False
        if tuple(element_of(operand.type) for operand in anchor.operands[:2]) not in ELEMENTS:
            return False
        found = product_in_tiles(kernel, anchor)
        return found.packable or found.packed[:1] == found.packed[1:] != ()

    def runs_on(self, machine: Machine) -> bool:
        """Tell whether the machine has tile registers."""
        return machine.costs.amx_rate > 1

    def pays(self, kernel: KernelOp, machine: Machine) -> bool:
        """Tell whether the machine has tile registers, and a product fills enough of them."""
        return fills_tiles(machine, self._product(kernel, machine))

    def takes_open(self, kernel: KernelOp) -> bool:
        """Tell whether no axis is open."""
        return contraction_in_tiles(kernel) is not None

    def default(self, kernel: KernelOp, machine: Machine, given: ConfigAttr) -> Knobs:
        """Return the knobs.

        - ``tile``: columns of a tile of the output, and steps of the inner axis that an instruction
          takes
        - ``pack``: all columns, which are packed side by side, with the zeros that fill up the last
          tile
        - ``dot``: the steps whose weights lie side by side
        - ``parallel``: ``columns`` where cores share tiles of these, ``rows`` where they share the
          rows of an image
        """
        product = self._product(kernel, machine)
        room = given.ints("pack")[1:] or product.packed[1:]
        widths = [n for n in WIDTHS if not room or n <= room[0]]
        columns = given.ints("tile")[0] if "tile" in given else _narrowest(widths, product.columns)
        knobs: dict[str, Sequence[Knob]] = {"tile": (columns, steps_of_tile(product) * product.dot)}
        if product.packable:
            knobs["pack"] = (_room(product, columns, machine),) * 2
        knobs["dot"] = (product.dot,)
        if machine.cores > 1:
            shared = (COLUMNS,) if columns < product.columns else _shared_rows(kernel)
            knobs["parallel"] = shared if product.work >= machine.costs.parallel_work else ()
        return knobs

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        product = self._product(kernel, machine)
        steps = [n * product.dot for n in divisors(product.inner) if n <= ROW_DOTS]
        space: dict[str, Sequence[Sequence[Knob]]] = {
            "tile": [(n, k) for n in WIDTHS for k in steps],
            "dot": [(product.dot,)],
        }
        if product.packed:
            space["pack"] = [product.packed]
        elif product.packable:
            rooms = (_room(product, columns, machine) for columns in WIDTHS)
            space["pack"] = [(n, n) for n in dict.fromkeys(rooms)]
        if machine.cores > 1:
            space["parallel"] = list(dict.fromkeys([(), (COLUMNS,), _shared_rows(kernel)]))
        return space

    def conflict(self, kernel: KernelOp, machine: Machine, config: ConfigAttr) -> str | None:
        (columns, _), (packed,) = config.ints("tile", 2), config.ints("pack")[:1] or (0,)
        needed = -(-self._product(kernel, machine).columns // columns) * columns
        if packed < needed:
            return f"tiles of {columns} columns take {needed}, and {packed} are packed"
        return None

    def pack(self, anchor: AnchorOp, config: ConfigAttr) -> Packing | None:
        """Return how weights are laid out: all columns side by side."""
        if not isinstance(anchor, ConvOp):
            return super().pack(anchor, config)
        room, *_ = config.ints("pack") or (0,)
        outputs, _, _ = anchor.filter_shape
        knobs = {"pack": (room,), "parts": (int(room > outputs),), "dot": config.values("dot")}
        packing = packed_channels(anchor, ConfigAttr("direct_conv", knobs))
        if packing is None:
            return None
        *steps, columns, dot = (packing.split[axis] for axis in packing.order)
        # Halide recognises steps along one dimension alone.
        return replace(packing, stored=(prod(steps), columns, dot))

    def _product(self, kernel: KernelOp, machine: Machine) -> Product:
        anchor = contraction_in_tiles(kernel)
        assert anchor is not None
        return product_in_tiles(kernel, anchor, machine)

    def schedule(self, pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
        """Write the schedule: tiles of columns, and in each of them all rows."""
        out, sums = pipeline.output, pipeline.funcs[SUMS]
        product = pipeline.funcs["conv" if "conv" in pipeline.funcs else "matmul"]
        columns, steps = config.ints("tile", 2)
        column, row, *rest = out.var_names
        lanes = min(machine.lanes(element_bytes(product)), columns)
        is_filled_up, is_narrow = pipeline.extents[0] % columns != 0, pipeline.extents[1] < SIDE
        tail = Tail.GUARD_WITH_IF if is_filled_up else Tail.AUTO
        pipeline.split(out, column, "no", "nt", columns, tail)
        tail = Tail.GUARD_WITH_IF if is_narrow else tail_of(pipeline.extents[1], SIDE)
        pipeline.split(out, row, "mo", "mt", SIDE, tail)
        shared = config.values("parallel")
        # All rows of an image are computed for each tile of the filter.
        outer = [*rest, "no"] if "conv" in pipeline.funcs and ROWS not in shared else ["no", *rest]
        pipeline.reorder(out, "nt", "mt", "mo", *outer)
        pipeline.vectorize(out, "nt", lanes)
        pipeline.unroll(out, "nt")
        for loop in shared:
            pipeline.parallel(out, "no" if loop == COLUMNS else rest[0])
        if (padded := pipeline.funcs.get("padded")) is not None:
            vectorize_padded(pipeline, machine, padded)
            pipeline.compute_root(padded)
        pipeline.compute_at(sums, out, "mo")
        if is_filled_up:
            pipeline.bound_extent(sums, sums.var_names[0], columns)
        if is_narrow:
            pipeline.bound_extent(sums, sums.var_names[1], SIDE)
        _cut(pipeline, sums)
        pipeline.compute_at(product, sums, sums.var_names[0])
        pipeline.store_in(product, Memory.AMX_TILE)
        _cut(pipeline, product)
        _cut(pipeline, product, tuple(loop_extents(pipeline.updates[product][0])), steps)


def _cut(
    pipeline: ScheduledPipeline, func: FuncOp, sum_: Sequence[str] = (), steps: int = 0
) -> None:
    """Cut the loops of a func, or those of its sum, into what an instruction takes."""
    column, row, *rest = func.var_names
    stage = 1 if sum_ else 0
    pipeline.split(func, column, column, "nx", SIDE, stage=stage)
    pipeline.split(func, row, row, "mx", SIDE, stage=stage)
    inner = ["nx", "mx"]
    if sum_:
        pipeline.split(func, sum_[0], sum_[0], DOT_LOOP, steps, stage=stage)
        inner = [DOT_LOOP, *inner, *sum_]
    pipeline.reorder(func, *inner, column, row, *rest, stage=stage)
    if sum_:
        pipeline.atomic(func, stage=stage)
        pipeline.vectorize(func, DOT_LOOP, stage=stage)
    for loop in ("nx", "mx"):
        pipeline.vectorize(func, loop, stage=stage)


def _shared_rows(kernel: KernelOp) -> tuple[str, ...]:
    """Return the loop of rows of an image, which cores may share; a product has none."""
    return (ROWS,) if isinstance(kernel.anchor, ConvOp) else ()


def _narrowest(widths: Sequence[int], columns: int) -> int:
    """Return the width whose tiles have the fewest columns too many."""
    return min(widths, key=lambda width: -(-columns // width) * width)


def _room(product: Product, columns: int, machine: Machine) -> int:
    """Return the columns that are packed side by side for tiles of ``columns``.

    Rows of a tile register that share a set of the L1 cache are few.
    """
    room = -(-product.columns // columns) * columns
    few = SIDE // 4 * room * product.sum_bytes % machine.costs.set_bytes
    return room if few else room + SIDE
