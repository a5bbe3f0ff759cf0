"""The template of matrix products by the tile registers of x86-64 (AMX).

One instruction multiplies 16 rows by 16 columns, over 64 neighbours of 8 bits or 32 of bfloat16
(Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, ``TDPBUSD`` and
``TDPBF16PS``). Halide 21 recognises one tile of sums, and a right-hand side with all columns side
by side. The sums of a tile of the output are copied to memory, where the epilogue reads them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import bf16

from autodeploy.analysis.open_reads import folds_open
from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.halide.schedule_attributes import Memory, Tail
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.extent_attr import axes_of_type
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import element_of, i8, ui8
from autodeploy.machine import Machine
from autodeploy.templates.dots import DOT_LOOP
from autodeploy.templates.gemm.order import COLUMNS
from autodeploy.templates.gemm.product import Product, product_of
from autodeploy.templates.gemm.template import GemmTemplate
from autodeploy.templates.space import Space, divisors
from autodeploy.templates.view import PipelineView, ScheduleBuilder, element_bytes, tail_of

SUMS = "sums"
"""The func that holds the sums of a tile in memory."""

ELEMENTS = ((ui8, i8), (bf16, bf16))
"""Types of factors whose dots fill a row: four neighbours of 8 bits, or two of bfloat16."""

SIDE = 16
"""Rows and columns of a tile register."""

ROW_DOTS = 16
"""Dots of neighbours in a row of a tile register, at most."""

LEAST_DOTS = 4
"""Products of fewer dots take longer to begin and end than to compute."""

WIDTHS = (64, 48, 32)
"""Columns of a tile of the output: their sums stay in the L1 cache. Halide does not recognise a
loop over one tile register."""


class AmxTemplate(GemmTemplate):
    """Matrix times constant matrix, in tiles of 16 rows."""

    rank = 1

    def applies(self, kernel: KernelOp) -> bool:
        """Tell whether a kernel can be computed this way."""
        product = product_of(kernel)
        if product is None or product.accumulator is None:
            return False
        if tuple(element_of(operand.type) for operand in product.operands[:2]) not in ELEMENTS:
            return False
        found = Product.of(kernel, product)
        side_by_side = found.packed[:1] == found.packed[1:] != ()
        return has_rows(found) and (found.packable or side_by_side)

    def runs_on(self, machine: Machine) -> bool:
        """Tell whether the machine has tile registers."""
        return machine.costs.amx_rate > 1

    def pays(self, kernel: KernelOp, machine: Machine) -> bool:
        """Tell whether the machine has tile registers, and a product steps enough for them."""
        product = self._product(kernel, machine)
        return self.runs_on(machine) and product.dot > 1 and _steps(product) >= LEAST_DOTS

    def takes_open(self, kernel: KernelOp) -> bool:
        """Tell whether no axis is open."""
        return not (any(axes_of_type(kernel.outputs[0].type)) or folds_open(kernel))

    def default(
        self, kernel: KernelOp, machine: Machine, given: ConfigAttr
    ) -> Mapping[str, Sequence[Knob]]:
        """Return the knobs.

        - ``tile``: columns of a tile of the output, and steps of the inner axis that an instruction
          takes
        - ``pack``: all columns, which are packed side by side, with the zeros that fill up the last
          tile
        - ``dot``: the steps whose weights lie side by side
        - ``parallel``: ``columns`` where cores share tiles of these
        """
        product = self._product(kernel, machine)
        room = given.ints("pack")[1:] or product.packed[1:]
        widths = [n for n in WIDTHS if not room or n <= room[0]]
        columns = given.ints("tile")[0] if "tile" in given else _narrowest(widths, product.columns)
        knobs: dict[str, Sequence[Knob]] = {"tile": (columns, _steps(product) * product.dot)}
        if product.packable:
            knobs["pack"] = (_room(product, columns, machine),) * 2
        knobs["dot"] = (product.dot,)
        if machine.cores > 1:
            shared = product.work >= machine.costs.parallel_work and columns < product.columns
            knobs["parallel"] = (COLUMNS,) if shared else ()
        return knobs

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        """Return the values of the knobs."""
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
            space["parallel"] = [(), (COLUMNS,)]
        return space

    def conflict(self, kernel: KernelOp, machine: Machine, config: ConfigAttr) -> str | None:
        """Return why knobs do not go together."""
        (columns, _), (packed,) = config.ints("tile", 2), config.ints("pack")[:1] or (0,)
        needed = -(-self._product(kernel, machine).columns // columns) * columns
        if packed < needed:
            return f"tiles of {columns} columns take {needed}, and {packed} are packed"
        return None

    def schedule(
        self, view: PipelineView, builder: ScheduleBuilder, config: ConfigAttr, machine: Machine
    ) -> None:
        """Write the schedule: tiles of columns, and in each of them all rows."""
        out, sums, product = view.output, view.funcs[SUMS], view.funcs["matmul"]
        columns, steps = config.ints("tile", 2)
        column, row = out.var_names[:2]
        lanes = min(machine.lanes(element_bytes(product)), columns)
        is_filled_up = view.extents[0] % columns != 0
        tail = Tail.GUARD_WITH_IF if is_filled_up else Tail.AUTO
        builder.split(out, column, "no", "nt", columns, tail)
        builder.split(out, row, "mo", "mt", SIDE, tail_of(view.extents[1], SIDE))
        builder.reorder(out, "nt", "mt", "mo", "no", *out.var_names[2:])
        builder.vectorize(out, "nt", lanes)
        builder.unroll(out, "nt")
        if config.values("parallel"):
            builder.parallel(out, "no")
        builder.compute_at(sums, out, "mo")
        if is_filled_up:
            builder.bound_extent(sums, sums.var_names[0], columns)
        _cut(builder, sums)
        builder.compute_at(product, sums, sums.var_names[0])
        builder.store_in(product, Memory.AMX_TILE)
        _cut(builder, product)
        _cut(builder, product, "k", steps)


def _cut(builder: ScheduleBuilder, func: FuncOp, k: str = "", steps: int = 0) -> None:
    """Cut the loops of a func, or those of its sum over ``k``, into what an instruction takes."""
    column, row, *rest = func.var_names
    stage = 1 if k else 0
    builder.split(func, column, column, "nx", SIDE, stage=stage)
    builder.split(func, row, row, "mx", SIDE, stage=stage)
    inner = ["nx", "mx"]
    if k:
        builder.split(func, k, k, DOT_LOOP, steps, stage=stage)
        inner = [DOT_LOOP, *inner, k]
    builder.reorder(func, *inner, column, row, *rest, stage=stage)
    if k:
        builder.atomic(func, stage=stage)
        builder.vectorize(func, DOT_LOOP, stage=stage)
    for loop in ("nx", "mx"):
        builder.vectorize(func, loop, stage=stage)


def _steps(product: Product) -> int:
    """Return the dots to an instruction: the most that divide the inner axis."""
    return max(n for n in divisors(product.inner) if n <= ROW_DOTS)


def has_rows(product: Product) -> bool:
    """Tell whether a product has rows enough for a tile register."""
    return product.rows >= SIDE


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
