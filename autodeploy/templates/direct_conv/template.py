"""The template of direct convolution, channels last.

A tile of channels by pixels of a row is summed in registers over window and channels, then goes
through the epilogue straight to memory. The padded image, where there is one, is made as a whole
where it is small, or where the filter is so large that the loop over tiles of channels has to be
the outermost one, in which each tile of the filter is fetched once. Otherwise it is made a band of
rows at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.halide.schedule_attributes import Tail
from autodeploy.dialects.halide.types import BufferType
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import CHANNELS_LAST, result_layout
from autodeploy.dialects.nn.transposed import ConvTransposeOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.fetch import ConvFetchPlan, conv_fetch_plan
from autodeploy.templates.direct_conv.image import image_load, rows_read, shuffle_factors
from autodeploy.templates.direct_conv.image_rows import image_rows
from autodeploy.templates.direct_conv.reduction import order_reduction, unroll_reduction
from autodeploy.templates.direct_conv.sums import (
    is_channels_first,
    is_channels_last,
    sum_knobs,
    sum_space,
    tile_of,
)
from autodeploy.templates.direct_conv.tile import (
    ConvTile,
)
from autodeploy.templates.plain.template import (
    OutputLoop,
    share_first,
)
from autodeploy.templates.space import Space
from autodeploy.templates.template import Template
from autodeploy.templates.view import (
    PipelineView,
    ScheduleBuilder,
    element_bytes,
    loop_extents,
    tail_of,
    vector_lanes,
)


class DirectConvTemplate(Template):
    """Convolution by its sum over window and channels."""

    def applies(self, kernel: KernelOp) -> bool:
        """Tell whether a kernel can be computed this way."""
        anchor = kernel.anchor
        direct = isinstance(anchor, ConvTransposeOp) or (
            isinstance(anchor, ConvOp) and anchor.groups.value.data == 1
        )
        return direct and sums_channels_last(kernel)

    def default(
        self, kernel: KernelOp, machine: Machine, given: ConfigAttr
    ) -> Mapping[str, Sequence[Knob]]:
        """Return the tile, and how the filter is packed."""
        conv = kernel.anchor
        assert isinstance(conv, ConvOp | ConvTransposeOp)
        return sum_knobs(kernel, conv, shape_of(kernel.outputs[0].type), machine, given)

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        """Return the values of the knobs."""
        conv = kernel.anchor
        assert isinstance(conv, ConvOp | ConvTransposeOp)
        return sum_space(conv, shape_of(kernel.outputs[0].type), machine)

    def schedule(
        self, view: PipelineView, builder: ScheduleBuilder, config: ConfigAttr, machine: Machine
    ) -> None:
        """Write the schedule."""
        schedule_direct_conv(view, builder, config, machine)


def sums_channels_last(kernel: KernelOp) -> bool:
    """Tell whether a kernel is one convolution with a reduction whose result is channels last."""
    conv = kernel.anchor
    if not isinstance(conv, ConvOp | ConvTransposeOp) or len(kernel.anchors) > 1:
        return False
    _, channels, window = conv.filter_shape
    return (
        len(kernel.outputs) == 1
        and conv.winograd is None
        and result_layout(conv.layout) == CHANNELS_LAST
        and len(shape_of(kernel.outputs[0].type)) == len(shape_of(conv.result.type))
        and (isinstance(conv, ConvTransposeOp) or channels * prod(window) > 1)
    )


def schedule_direct_conv(
    view: PipelineView, builder: ScheduleBuilder, config: ConfigAttr, machine: Machine
) -> None:
    """Write the schedule."""
    out, conv = view.output, view.funcs["conv"]
    tile = tile_of(config, machine, element_bytes(conv))
    tiles = split_tiles(view, builder, tile, conv)
    shared_loops = _place_rows(view, builder, config, machine, tile, tiles)
    unroll_tile(view, builder, tile)
    plan = conv_fetch_plan(view, machine, conv, tile) if is_channels_last(config) else None
    if plan is not None and plan.block:
        builder.compute_at(conv, out, tiles[-1])
    else:
        builder.compute_at(conv, out, tiles[0] if is_channels_first(config) else "xo")
        builder.unroll(conv, "x")
    sum_tile(view, builder, machine, conv, tile, plan)
    if machine.cores > 1 and view.work >= machine.costs.parallel_work:
        share_first(view, builder, machine, shared_loops)


def split_tiles(
    view: PipelineView, builder: ScheduleBuilder, tile: ConvTile, conv: FuncOp
) -> tuple[str, ...]:
    """Split channels and pixels of the output; return the loops over tiles of channels."""
    out, width = view.output, view.extents[1]
    tiles = _split_channels(view, builder, tile, conv)
    builder.split(out, "x", "xo", "xt", tile.columns, tail_of(width, tile.columns))
    return tiles


def unroll_tile(view: PipelineView, builder: ScheduleBuilder, tile: ConvTile) -> None:
    """Take all of a tile of the output at once."""
    builder.vectorize(view.output, "ct", tile.lanes)
    builder.unroll(view.output, "ct")
    builder.unroll(view.output, "xt")


def sum_tile(
    view: PipelineView,
    builder: ScheduleBuilder,
    machine: Machine,
    conv: FuncOp,
    tile: ConvTile,
    plan: ConvFetchPlan | None = None,
) -> None:
    """Sum a tile up in registers."""
    builder.vectorize(conv, "c", tile.lanes)
    builder.unroll(conv, "c")
    pixels = order_reduction(view, builder, conv, tile, plan)
    builder.vectorize(conv, "c", tile.lanes, stage=1)
    builder.unroll(conv, "c", stage=1)
    builder.unroll(conv, pixels, stage=1)
    unroll_reduction(view, builder, machine, conv, plan)


def _split_channels(
    view: PipelineView, builder: ScheduleBuilder, tile: ConvTile, conv: FuncOp
) -> tuple[str, ...]:
    """Split the channels of the output; return the loops over tiles and groups.

    Where the channels are packed in parts the sum has a dimension of its own for the part, and the
    tile is whole: the output stores of it what is there. Otherwise tiles overlap where they do not
    divide the channels of a group.
    """
    out, channels = view.output, view.extents[0]
    if "p" in conv.var_names:
        extents = dict(zip(conv.var_names, conv.known_extents, strict=True))
        builder.bound(conv, "c", tile.channels)
        builder.split(out, "c", "co", "cp", channels // extents["p"])
        builder.split(out, "cp", "cq", "ct", tile.channels, Tail.GUARD_WITH_IF)
        return ("cq", "co")
    groups = _groups(view, conv) if _is_grouped(view) else 1
    tail = tail_of(channels // groups, tile.channels)
    if groups == 1:
        builder.split(out, "c", "co", "ct", tile.channels, tail)
        return ("co",)
    builder.split(out, "c", "g", "cg", channels // groups)
    builder.split(out, "cg", "co", "ct", tile.channels, tail)
    return ("co", "g")


def _is_grouped(view: PipelineView) -> bool:
    config = view.pipeline.config
    return config is not None and config.template_name == "grouped_conv"


def _groups(view: PipelineView, conv: FuncOp) -> int:
    """Return the number of groups: the channels of the image, by those that a sum takes."""
    image = image_load(view, conv).source
    channels = loop_extents(view.updates[conv][0]).get("ci", 1)
    extents = (
        image.owner.known_extents
        if isinstance(image.owner, FuncOp)
        else image.type.extents
        if isinstance(image.type, BufferType)
        else (channels,)
    )
    groups = extents[0] // channels
    return groups if groups and view.extents[0] % groups == 0 else 1


def _are_groups_outermost(view: PipelineView, machine: Machine) -> bool:
    """Tell whether the loop over groups is outermost, around that over all pixels.

    Each group reads its own channels of the image, which stay in the cache for all of its pixels.
    Shuffled channels of a group are distributed over each pixel. Then all groups of a row are
    computed while the row is in the cache, unless the filter exceeds the second-level cache.
    """
    conv = view.funcs["conv"]
    if not _is_grouped(view):
        return False
    filter_bytes = view.extents[0] * _inner(view) * element_bytes(conv)
    near = filter_bytes <= machine.resident_bytes and _height(view) >= machine.cores
    return not near or not shuffle_factors(view, conv)


def _place_rows(
    view: PipelineView,
    builder: ScheduleBuilder,
    config: ConfigAttr,
    machine: Machine,
    tile: ConvTile,
    tiles: tuple[str, ...],
) -> list[OutputLoop]:
    """Order the outer loops, place the padded image; return loops to share, the best one first."""
    out, padded = view.output, view.kept_image
    first_row, *more = rows = out.var_names[2:]
    height = _height(view)
    row, outermost = OutputLoop(first_row, height), _outermost(view, tile, tiles)
    pixels = OutputLoop.tiles("xo", view.extents[1], tile.columns)
    shared = machine.cores > 1 and view.work >= machine.costs.parallel_work
    near = is_channels_first(config)
    tiles_first = is_channels_last(config) or _are_groups_outermost(view, machine)
    band = image_rows(
        machine,
        height,
        0 if padded is None else prod(padded.known_extents) * element_bytes(padded),
        tiles_first=tiles_first,
        grouped=_is_grouped(view),
        shared=shared,
        whole=shared and padded is not None and rows_read(view, view.funcs["conv"], 1) is None,
    )
    if _is_grouped(view) and shared and height >= machine.cores:
        bands = _split_rows(view, builder, band, shared=shared)
        order = ("yt", *tiles) if _are_groups_outermost(view, machine) else (*tiles, "yt")
        builder.reorder(out, "ct", "xt", "xo", *order, "yo", *more)
        if padded is not None:
            vectorize_padded(builder, machine, padded)
            builder.compute_at(padded, out, "yo")
        return [bands]
    if padded is None or not band:
        if padded is not None:
            vectorize_padded(builder, machine, padded)
            builder.compute_root(padded)
        if tiles_first:
            builder.reorder(out, "ct", "xt", "xo", *rows, *tiles)
            return [outermost, row, pixels]
        order = (*tiles, "xo") if near else ("xo", *tiles)
        builder.reorder(out, "ct", "xt", *order, *rows)
        return [row, outermost, pixels]
    bands = _split_rows(view, builder, band, shared=shared)
    order = (*tiles, "xo", "yt") if near else ("xo", "yt", *tiles)
    builder.reorder(out, "ct", "xt", *order, "yo", *more)
    vectorize_padded(builder, machine, padded)
    builder.compute_at(padded, out, "yo")
    return [bands]


def _outermost(view: PipelineView, tile: ConvTile, tiles: tuple[str, ...]) -> OutputLoop:
    """Return the outermost of the loops over tiles and groups of channels."""
    conv, channels, name = view.funcs["conv"], view.extents[0], tiles[-1]
    if "p" in conv.var_names:
        extents = dict(zip(conv.var_names, conv.known_extents, strict=True))
        return OutputLoop(name, extents["p"])
    if len(tiles) > 1:
        return OutputLoop(name, _groups(view, conv))
    return OutputLoop.tiles(name, channels, tile.channels)


def _split_rows(
    view: PipelineView, builder: ScheduleBuilder, band: int, *, shared: bool
) -> OutputLoop:
    """Split the rows of the output into bands; return the loop over these.

    Where cores share them, the last band ends early: moved inwards, it would write rows that
    another thread writes.
    """
    out, height = view.output, _height(view)
    bands = OutputLoop("yo", -(-height // band))
    if not shared or height % band == 0:
        builder.split(out, out.var_names[2], bands.name, "yt", band, tail_of(height, band))
        return bands
    builder.split(out, out.var_names[2], bands.name, "yt", band, Tail.GUARD_WITH_IF)
    rows = rows_read(view, view.funcs["conv"], band)
    if view.kept_image is not None and rows is not None:
        # Below the end it has further rows, which nobody reads.
        builder.bound_extent(view.kept_image, out.var_names[2], rows)
    # No second copy of the body is made for the last band.
    for loop in ("yt", bands.name):
        builder.partition_never(out, loop)
    return bands


def _height(view: PipelineView) -> int:
    return view.extents[2] if len(view.extents) > 3 else 1


def _inner(view: PipelineView) -> int:
    """Return the steps of the reduction."""
    return prod(loop_extents(view.updates[view.funcs["conv"]][0]).values())


def vectorize_padded(builder: ScheduleBuilder, machine: Machine, padded: FuncOp) -> None:
    """Copy vectors of channels, or of a row where there is one channel; else single elements."""
    extents = padded.known_extents
    dimension = 1 if extents[0] == 1 else 0
    lanes = vector_lanes(extents[dimension], machine.lanes(element_bytes(padded)))
    builder.vectorize(padded, padded.var_names[dimension], lanes)
