"""The template of direct convolution, channels last.

A tile of channels by pixels of a row is summed in registers over window and channels, then goes
through the epilogue straight to memory. The padded image, where there is one, is made as a whole
where it is small, or where the filter is so large that the loop over tiles of channels has to be
the outermost one, in which each tile of the filter is fetched once. Otherwise it is made a band of
rows at a time.
"""

from __future__ import annotations

from math import prod

from autodeploy.analysis.least_shapes import result_shapes
from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp
from autodeploy.dialects.halide.types import Tail, buffer_type
from autodeploy.dialects.nn.base import AnchorOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import CHANNELS_LAST, result_layout
from autodeploy.dialects.nn.transposed import ConvTransposeOp
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.fetch import fetch_filter
from autodeploy.templates.direct_conv.image import filter_load, image_load, rows_read
from autodeploy.templates.direct_conv.knobs import conv_conflict, conv_knobs, conv_space
from autodeploy.templates.direct_conv.pack import packed_channels
from autodeploy.templates.direct_conv.reduction import order_reduction, unroll_reduction
from autodeploy.templates.direct_conv.sums import ConvSums, conv_dot, is_channels_last, tile_of
from autodeploy.templates.direct_conv.tile import ConvTile
from autodeploy.templates.dots import split_dots, vectorize_dots
from autodeploy.templates.narrow import place_weights
from autodeploy.templates.open_tiles import leaves_pixels
from autodeploy.templates.packing import Packing
from autodeploy.templates.runs import RUN, place_runs, summing
from autodeploy.templates.space import Knobs, Space
from autodeploy.templates.template import Template
from autodeploy.templates.view import (
    PipelineView,
    ScheduledPipeline,
    arguments_of,
    element_bytes,
    loop_extents,
    tail_of,
    vector_lanes,
)


class DirectConvTemplate(Template):
    """Convolution by its sum over window and channels."""

    in_runs = True

    def applies(self, kernel: KernelOp) -> bool:
        anchor = kernel.anchor
        direct = isinstance(anchor, ConvTransposeOp) or (
            isinstance(anchor, ConvOp) and anchor.groups.value.data == 1
        )
        return direct and sums_channels_last(kernel)

    def takes_open(self, kernel: KernelOp) -> bool:
        """Tiles of pixels have no more of them than each run."""
        return leaves_pixels(kernel)

    def default(self, kernel: KernelOp, machine: Machine, given: ConfigAttr) -> Knobs:
        """Return the knobs of ``direct_conv/knobs.py``."""
        return conv_knobs(machine, self._sums(kernel, machine), given)

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        return conv_space(machine, self._sums(kernel, machine))

    def conflict(self, kernel: KernelOp, machine: Machine, config: ConfigAttr) -> str | None:
        return conv_conflict(machine, self._sums(kernel, machine), config)

    def _sums(self, kernel: KernelOp, machine: Machine) -> ConvSums:
        conv = kernel.anchor
        assert isinstance(conv, ConvOp | ConvTransposeOp)
        shape = bounds_of(kernel.outputs[0].type)
        dot = conv_dot(machine, kernel, conv)
        return ConvSums.of(kernel, conv, shape, result_shapes(kernel), dot)

    def pack(self, anchor: AnchorOp, config: ConfigAttr) -> Packing | None:
        """Return how the filter is laid out."""
        return packed_channels(anchor, config) if isinstance(anchor, ConvOp) else None

    def schedule(self, pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
        out, total, conv = pipeline.output, pipeline.funcs["conv"], summing(pipeline, "conv")
        tile = tile_of(config, machine, element_bytes(conv))
        ends_early = _ends_early(pipeline, config)
        tiles = split_tiles(pipeline, tile, total, ends_early=ends_early)
        _place_rows(pipeline, config, machine, tiles)
        is_outermost = is_channels_last(config) and not config.values("rows")
        place_weights(pipeline, machine, tiles[-1] if is_outermost else None)
        unroll_tile(pipeline, tile)
        pipeline.compute_at(total, out, "xo")
        place_runs(pipeline, total, tile.lanes, ("c", "x"))
        pipeline.unroll(conv, "x")
        sum_tile(pipeline, conv, tile, config)
        if config.values("fetch"):
            fetch_filter(pipeline, machine, conv, tile, config.number("unroll") or 1)
        loops = {
            "c": tiles[-1],
            "x": "xo",
            "y": "yo" if config.values("rows") else out.var_names[2],
        }
        for shared in config.values("parallel"):
            loop, group = loops[str(shared)], config.number("group")
            pipeline.parallel(out, loop if group < 2 else pipeline.group(out, loop, group))


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
        and len(bounds_of(kernel.outputs[0].type)) == len(bounds_of(conv.result.type))
        and (isinstance(conv, ConvTransposeOp) or channels * prod(window) > 1)
    )


def split_tiles(
    pipeline: ScheduledPipeline, tile: ConvTile, conv: FuncOp, *, ends_early: bool = False
) -> tuple[str, ...]:
    """Split channels and pixels of the output; return the loops over tiles of channels.

    The last tile of a row that tiles do not divide moves inwards over the one before, or
    ``ends_early``: Halide makes a loop of its own for it, which sums the pixels that are left.
    """
    out, width = pipeline.output, pipeline.extents[1]
    tiles = _split_channels(pipeline, tile, conv)
    if ends_early and width % tile.columns:
        pipeline.split(out, "x", "xo", "xt", tile.columns, Tail.GUARD_WITH_IF)
        for sums in dict.fromkeys((conv, summing(pipeline, "conv"))):
            pipeline.bound_storage(sums, "x", tile.columns)
    else:
        pipeline.split(out, "x", "xo", "xt", tile.columns, tail_of(width, tile.columns))
    return tiles


def _ends_early(view: PipelineView, config: ConfigAttr) -> bool:
    """Tell whether the last tile of a row may end early.

    Where only a run knows the width, no loop is made for the pixels that are left. Cores that share
    the tiles of a row have a way of their own.
    """
    return not (view.open_axes[1] or "x" in config.values("parallel"))


def unroll_tile(pipeline: ScheduledPipeline, tile: ConvTile) -> None:
    """Take all of a tile of the output at once."""
    pipeline.vectorize(pipeline.output, "ct", tile.lanes)
    pipeline.unroll(pipeline.output, "ct")
    pipeline.unroll(pipeline.output, "xt")


def sum_tile(pipeline: ScheduledPipeline, conv: FuncOp, tile: ConvTile, config: ConfigAttr) -> None:
    """Sum a tile up in registers."""
    dot = config.number("dot") or 1
    pipeline.vectorize(conv, "c", tile.lanes)
    pipeline.unroll(conv, "c")
    inner = split_dots(pipeline, conv, "ci", dot)
    order_reduction(pipeline, conv, inner)
    vectorize_dots(pipeline, conv, dot)
    pipeline.vectorize(conv, "c", tile.lanes, stage=1)
    pipeline.unroll(conv, "c", stage=1)
    pipeline.unroll(conv, "x", stage=1)
    unroll_reduction(pipeline, conv, config.ints("unroll"))


def _split_channels(pipeline: ScheduledPipeline, tile: ConvTile, conv: FuncOp) -> tuple[str, ...]:
    """Split the channels of the output; return the loops over tiles and groups.

    Where the channels are packed in parts the sum has a dimension of its own for the part, and the
    tile is whole: the output stores of it what is there. Otherwise tiles overlap where they do not
    divide the channels of a group.
    """
    out, channels = pipeline.output, pipeline.extents[0]
    if "p" in conv.var_names:
        extents = dict(zip(conv.var_names, conv.known_extents, strict=True))
        pipeline.bound(conv, "c", tile.channels)
        if channels == extents["p"] * tile.channels:
            pipeline.split(out, "c", "co", "ct", tile.channels)
            return ("co",)
        pipeline.split(out, "c", "co", "cp", channels // extents["p"])
        pipeline.split(out, "cp", "cq", "ct", tile.channels, Tail.GUARD_WITH_IF)
        return ("cq", "co")
    groups = _groups(pipeline, summing(pipeline, "conv")) if _is_grouped(pipeline) else 1
    tail = tail_of(channels // groups, tile.channels)
    if groups == 1:
        pipeline.split(out, "c", "co", "ct", tile.channels, tail)
        return ("co",)
    pipeline.split(out, "c", "g", "cg", channels // groups)
    pipeline.split(out, "cg", "co", "ct", tile.channels, tail)
    return ("co", "g")


def _is_grouped(view: PipelineView) -> bool:
    config = view.op.config
    return config is not None and config.template_name == "grouped_conv"


def _groups(view: PipelineView, conv: FuncOp) -> int:
    """Return the number of groups: the channels of the image, by those of the filter."""
    (update,), load = view.updates[conv], image_load(view, conv)
    names = [*update.var_names, *loop_extents(update)]
    channels = {number for number, name in enumerate(names) if name in ("ci", f"ci{RUN}")}

    def extent(load: LoadOp) -> int:
        (axis,) = (i for i, index in enumerate(load.indices) if channels & arguments_of(index))
        source = load.source.owner
        if isinstance(source, FuncOp):
            return source.known_extents[axis]
        return buffer_type(load.source).extents[axis]

    return extent(load) // extent(filter_load(view, conv))


def _place_rows(
    pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine, tiles: tuple[str, ...]
) -> None:
    """Order the outer loops, place the padded image."""
    out, padded, band = pipeline.output, pipeline.funcs.get("padded"), config.number("rows")
    rows, shared = out.var_names[2:], bool(config.values("parallel"))
    if padded is not None and not band:
        vectorize_padded(pipeline, machine, padded, config.number("dot"))
        pipeline.compute_root(padded)
    if band:
        _split_rows(pipeline, band, shared=shared)
        inner = {"x": ("xo",), "y": ("yt",), "c": tiles}
        order = config.values("order")
        if order == ("x", "c", "y"):
            # All rows of a band are computed for each tile.
            order = "x", "y", "c"
        loops = [loop for name in order for loop in inner[str(name)]]
        pipeline.reorder(out, "ct", "xt", *loops, "yo", *rows[1:])
        if padded is not None:
            vectorize_padded(pipeline, machine, padded, config.number("dot"))
            pipeline.compute_at(padded, out, "yo")
    else:
        inner = {"x": ("xo",), "y": rows, "c": tiles}
        loops = [loop for name in config.values("order") for loop in inner[str(name)]]
        pipeline.reorder(out, "ct", "xt", *loops)


def _split_rows(pipeline: ScheduledPipeline, band: int, *, shared: bool) -> None:
    """Split the rows of the output into bands.

    Where cores share them, the last band ends early: moved inwards, it would write rows that
    another thread writes.
    """
    out = pipeline.output
    row, height = out.var_names[2], pipeline.extents[2]
    if not shared or (height % band == 0 and not pipeline.open_axes[2]):
        pipeline.split(out, row, "yo", "yt", band, tail_of(height, band))
        return
    pipeline.split(out, row, "yo", "yt", band, Tail.GUARD_WITH_IF)
    rows = rows_read(pipeline, summing(pipeline, "conv"), band)
    if (padded := pipeline.funcs.get("padded")) is not None and rows is not None:
        # Below the end it has further rows, which nobody reads.
        pipeline.bound_extent(padded, row, rows)
    # No second copy of the body is made for the last band.
    for loop in ("yt", "yo"):
        pipeline.partition_never(out, loop)


def vectorize_padded(
    pipeline: ScheduledPipeline, machine: Machine, padded: FuncOp, dot: int = 0
) -> None:
    """Copy vectors of channels, or of a row where there is one channel; else single elements.

    Where the channels of some groups lie apart, all channels of a pixel are copied one after the
    other, as they are read. The few channels of a dot come from planes, a vector of pixels each.
    """
    extents, lanes = padded.known_extents, machine.lanes(element_bytes(padded))
    if extents[0] == dot > 1:
        channel, column, *rows = padded.var_names
        pipeline.split(padded, column, column, "xv", vector_lanes(extents[1], lanes // dot))
        pipeline.reorder(padded, channel, "xv", column, *rows)
        pipeline.unroll(padded, channel)
        pipeline.vectorize(padded, "xv")
        return
    if padded.var_names[:3] == ("c", "x", "p"):
        pipeline.reorder(padded, "c", "p", "x", *padded.var_names[3:])
    dimension = 1 if extents[0] == 1 else 0
    lanes = vector_lanes(extents[dimension], lanes)
    pipeline.vectorize(padded, padded.var_names[dimension], lanes)
