"""The template of matrix products with a single row.

Every weight is used once and memory bounds the speed; more columns are summed at a time to read
long runs, and the inner axis is unrolled to keep several loads in flight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autodeploy.dialects.halide.schedule_attributes import Tail
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.contraction import MatMulOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, element_of, shape_of, sum_bytes
from autodeploy.machine import Machine
from autodeploy.templates.gemm.fetch import gemv_fetch_plan
from autodeploy.templates.gemm.operands import ProductOperands, product_rows
from autodeploy.templates.gemm.pack import pack_knobs
from autodeploy.templates.plain.template import OutputLoop, share_first
from autodeploy.templates.template import Template
from autodeploy.templates.tiles import gemv_columns
from autodeploy.templates.view import (
    PipelineView,
    ScheduleBuilder,
    element_bytes,
    loop_extents,
    tail_of,
    vector_lanes,
)

GEMV_UNROLL = 4
"""Steps of the inner axis of a GEMV that are unrolled."""


class GemvTemplate(Template):
    """Vector times matrix."""

    def applies(self, kernel: KernelOp) -> bool:
        """Tell whether a kernel can be computed this way."""
        return product_rows(kernel) == 1

    def default(
        self, kernel: KernelOp, machine: Machine, given: ConfigAttr
    ) -> Mapping[str, Sequence[Knob]]:
        """Return the tile, and how weights are packed."""
        product = kernel.anchor
        assert isinstance(product, MatMulOp)
        columns = shape_of(kernel.outputs[0].type)[-1]
        element = element_of(product.lhs.type)
        tile = given.number("tile") or gemv_columns(machine, sum_bytes(element), columns)
        stored = given.number("tile") or gemv_columns(machine, ELEMENT_BYTES[element], columns)
        return {"tile": (tile,), **pack_knobs(kernel, product, machine, stored)}

    def space(self, kernel: KernelOp, machine: Machine) -> Mapping[str, Sequence[Sequence[Knob]]]:
        """Return the powers of two of columns up to the widest tile."""
        product = kernel.anchor
        assert isinstance(product, MatMulOp)
        columns = shape_of(kernel.outputs[0].type)[-1]
        widest = gemv_columns(machine, sum_bytes(element_of(product.lhs.type)), columns)
        return {"tile": [(1 << n,) for n in range(widest.bit_length())]}

    def schedule(
        self, view: PipelineView, builder: ScheduleBuilder, config: ConfigAttr, machine: Machine
    ) -> None:
        """Write the schedule."""
        schedule_gemv(view, builder, config, machine)


def schedule_gemv(
    view: PipelineView, builder: ScheduleBuilder, config: ConfigAttr, machine: Machine
) -> None:
    """Write the schedule of a single row times a matrix.

    Weights from memory are packed by vectors, so that a tile reads several runs side by side; in
    each of them lines are fetched ahead, since what prefetchers do by themselves is not enough for
    all that a core can have on the way.
    """
    out, product = view.output, view.funcs["matmul"]
    columns = view.extents[0]
    (wide,) = config.ints("tile", 1)
    lanes = vector_lanes(wide, machine.lanes(element_bytes(product)))
    column, n = out.var_names[0], product.var_names[0]
    operands = ProductOperands.of(view.updates[product][0])
    padded = operands.packed_columns > 0 and columns % wide != 0
    tail = Tail.GUARD_WITH_IF if padded else tail_of(columns, wide)
    builder.split(out, column, "no", "nt", wide, tail)
    builder.vectorize(out, "nt", lanes)
    builder.unroll(out, "nt")
    builder.compute_at(product, out, "no")
    if padded:
        builder.bound_extent(product, n, wide)
    (inner,) = loop_extents(view.updates[product][0]).values()
    plan = gemv_fetch_plan(view, machine, operands, inner, wide)
    steps, unrolled, factor = ("k",), "k", vector_lanes(inner, GEMV_UNROLL)
    if plan is not None:
        steps, unrolled, factor = ("kt", "kb"), "kt", None
        builder.split(product, "k", "kb", "kt", plan.steps, stage=1)
        for buffer, map_ in plan.fetches:
            builder.fetch_ahead(product, "kb", buffer, map_, stage=1)
    for stage in range(2):
        if stage:
            builder.reorder(product, n, *steps, stage=1)
        builder.vectorize(product, n, lanes, stage)
        builder.unroll(product, n, stage=stage)
    builder.unroll(product, unrolled, factor, stage=1)
    if machine.cores > 1 and view.work >= machine.costs.parallel_work:
        tiles = OutputLoop("no", -(-columns // wide), tail is Tail.SHIFT_INWARDS)
        share_first(view, builder, machine, [tiles])
