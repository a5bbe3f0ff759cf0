"""The template of Winograd convolution.

The image is worked on in bands of tile rows. For a band, the transformed inputs of all channels are
made once; then for each tile of output channels come the products, a matrix product for every
point of the transformed tile with its sums in registers, and the output transform with the
epilogue. The height of a band balances how often the transformed filter is read (once a band) and
the transformed inputs (once a tile of channels, from wherever a band of them fits).
"""

from __future__ import annotations

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.halide.schedule import Tail
from autodeploy.machine import Machine
from autodeploy.passes.schedule.plain import PARALLEL_WORK
from autodeploy.passes.schedule.tiles import MAX_COLUMNS, accumulator_tile, band_rows
from autodeploy.passes.schedule.view import (
    PipelineView,
    ScheduleBuilder,
    element_bytes,
    loop_extents,
    tail_of,
    vector_lanes,
)


def schedule_winograd(view: PipelineView, builder: ScheduleBuilder, machine: Machine) -> None:
    """Write the schedule."""
    out, products = view.output, view.funcs["products"]
    data, rows = view.funcs["input_tiles"], view.funcs["input_rows"]
    channels, width, height = view.extents[:3]
    m = view.funcs["output_tiles"].known_extents[2]
    points = data.known_extents[2]
    tile_columns, tile_rows = -(-width // m), -(-height // m)
    (inner,) = loop_extents(view.updates[products][0]).values()
    bytes_ = element_bytes(products)
    tile = accumulator_tile(machine, bytes_, channels, tile_columns)
    tile_bytes = points * points * inner * bytes_
    band = band_rows(
        machine,
        tile_rows,
        tile_columns,
        tile_bytes,
        channels // tile.channels,
        tile_bytes * channels,
    ).rows
    group = best_group(band * tile_columns, _room(machine, tile.channels // tile.lanes))

    builder.split(out, "c", "co", "ct", tile.channels, tail_of(channels, tile.channels))
    builder.split(out, "y", "yb", "yt", band * m, Tail.GUARD_WITH_IF)
    builder.split(out, "yt", "yo", "j", m)
    builder.split(out, "x", "xo", "i", m, Tail.GUARD_WITH_IF)
    builder.reorder(out, "ct", "i", "j", "xo", "yo", "co", "yb", "n")
    builder.vectorize(out, "ct", tile.lanes)
    for loop in ("ct", "i", "j"):
        builder.unroll(out, loop)

    if (padded := view.funcs.get("padded")) is not None:
        builder.compute_at(padded, out, "yb")
        lanes = vector_lanes(inner, machine.lanes(bytes_))
        builder.vectorize(padded, padded.var_names[0], lanes)
    _transform(builder, machine, data, inner)
    builder.compute_at(data, out, "yb")
    _transform(builder, machine, rows, inner)
    builder.compute_at(rows, data, "co")

    builder.compute_at(products, out, "co")
    builder.vectorize(products, "c", tile.lanes)
    builder.split(products, "t", "to", "tt", group, Tail.AUTO, stage=1)
    builder.reorder(products, "c", "tt", "ci", "to", "i", "j", stage=1)
    builder.vectorize(products, "c", tile.lanes, stage=1)
    builder.unroll(products, "c", stage=1)
    builder.unroll(products, "tt", stage=1)
    for name in ("output_rows", "output_tiles"):
        func = view.funcs[name]
        builder.compute_at(func, out, "xo")
        builder.reorder(func, "c", "i", "j", "t")
        builder.vectorize(func, "c", tile.lanes)
        for loop in ("c", "i", "j"):
            builder.unroll(func, loop)
    if machine.cores > 1 and view.work >= PARALLEL_WORK:
        builder.parallel(out, "co" if band == tile_rows else "yb")


def _transform(builder: ScheduleBuilder, machine: Machine, func: FuncOp, channels: int) -> None:
    """One vector of channels at a time, all points of the tile unrolled."""
    lanes = vector_lanes(channels, machine.lanes(element_bytes(func)))
    builder.split(func, "c", "co", "ct", lanes)
    builder.reorder(func, "ct", "i", "j", "co", "t", "n")
    builder.vectorize(func, "ct")
    builder.unroll(func, "i")
    builder.unroll(func, "j")


def _room(machine: Machine, vectors: int) -> int:
    return min((machine.vector_registers - vectors - 1) // vectors, MAX_COLUMNS)


def best_group(tiles: int, room: int) -> int:
    """Return the largest number of tiles up to ``room`` that divides those of a band."""
    return max(group for group in range(1, room + 1) if tiles % group == 0)
