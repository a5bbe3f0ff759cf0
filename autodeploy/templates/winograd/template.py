"""The template of Winograd convolution.

The image is worked on in bands of tile rows. For a band, the transformed inputs of all channels are
made once; then, for each block of output channels, the products, a matrix product for every point
of the transformed tile with its sums in registers, and the output transform with the epilogue. How
large bands and blocks are is the rule of ``blocks``, what is fetched ahead of the filter that of
``fetch``, for how many tiles there is memory that of ``storage``. Several cores take a band each,
or share the transform of a band and then its blocks of channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.ir import BlockArgument

from autodeploy.analysis.least_shapes import result_shapes
from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.halide.types import Tail
from autodeploy.dialects.nn.base import AnchorOp, ints
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import CHANNELS_LAST
from autodeploy.dialects.nn.types import ELEMENT_BYTES, bounds_of, element_of, is_float
from autodeploy.dialects.nn.winograd import WINOGRAD
from autodeploy.machine import Machine
from autodeploy.templates.conv_costs import ConvShape, best_winograd
from autodeploy.templates.dots import neighbours, packed_bytes, split_dots, vectorize_dots
from autodeploy.templates.open_tiles import leaves_pixels
from autodeploy.templates.packing import Packing
from autodeploy.templates.space import Knobs, Space
from autodeploy.templates.template import Template
from autodeploy.templates.tiles import Tile, accumulator_tile
from autodeploy.templates.view import (
    ScheduledPipeline,
    element_bytes,
    loop_extents,
    tail_of,
    vector_lanes,
)
from autodeploy.templates.winograd.fetch import filter_fetch, open_filter_fetches
from autodeploy.templates.winograd.knobs import winograd_conflict, winograd_knobs, winograd_space
from autodeploy.templates.winograd.pack import transformed_filter
from autodeploy.templates.winograd.products import WinogradProducts
from autodeploy.templates.winograd.storage import stored_tiles
from autodeploy.templates.winograd.whole import whole_forms


class WinogradTemplate(Template):
    """3x3 convolution by Winograd's minimal filtering: ``transform`` is m of F(m x m, 3 x 3)."""

    exact = False
    rank = 1

    def error(self, config: ConfigAttr) -> float:
        """Return the error of the transform; integers have none."""
        return 0.0 if "dot" in config else WINOGRAD[config.number("transform")].error

    def applies(self, kernel: KernelOp) -> bool:
        return isinstance(kernel.anchor, ConvOp) and _is_filtered(kernel, kernel.anchor)

    def takes_open(self, kernel: KernelOp) -> bool:
        """Tiles reach beyond the end of each run."""
        return leaves_pixels(kernel)

    def pays(self, kernel: KernelOp, machine: Machine) -> bool:
        """Tell whether a form costs less than the direct sum."""
        return winograd_form(kernel, machine) is not None

    def default(self, kernel: KernelOp, machine: Machine, given: ConfigAttr) -> Knobs:
        """Return the knobs of ``winograd/knobs.py``."""
        m = given.number("transform") or winograd_form(kernel, machine) or 4
        products = WinogradProducts.of(kernel, m, conv_dot(kernel, machine))
        return {"transform": (m,), **winograd_knobs(machine, products, given)}

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        """Return the transforms that there are, and the other knobs."""
        assert isinstance(kernel.anchor, ConvOp)
        done = kernel.anchor.winograd
        forms = _forms(kernel, kernel.anchor) if done is None else [done.value.data]
        dot = conv_dot(kernel, machine)
        space = winograd_space(machine, WinogradProducts.of(kernel, min(forms), dot))
        return {"transform": [(m,) for m in forms], **space}

    def conflict(self, kernel: KernelOp, machine: Machine, config: ConfigAttr) -> str | None:
        dot = conv_dot(kernel, machine)
        products = WinogradProducts.of(kernel, config.number("transform"), dot)
        return winograd_conflict(machine, products, config)

    def pack(self, anchor: AnchorOp, config: ConfigAttr) -> Packing | None:
        """Return the filter in Winograd's domain."""
        return transformed_filter(anchor, config) if isinstance(anchor, ConvOp) else None

    def schedule(self, pipeline: ScheduledPipeline, config: ConfigAttr, machine: Machine) -> None:
        out, sums, data = pipeline.output, pipeline.funcs["sums"], pipeline.funcs["input_tiles"]
        m, width, height = pipeline.funcs["output_tiles"].known_extents[2], *pipeline.extents[1:3]
        tile_columns, tile_rows = -(-width // m), -(-height // m)
        (block,) = config.ints("tile", 1)
        tile = Tile(block, 1, min(machine.lanes(element_bytes(sums)), block))
        (rows,), (channels,), (group,) = (config.ints(n, 1) for n in ("rows", "channels", "group"))
        tiles, shared = rows * tile_columns, config.values("parallel")
        (inputs,) = loop_extents(pipeline.updates[sums][0]).values()

        pipeline.split(out, "c", "cb", "cc", channels)
        # The transform of one vector of channels of F(4 x 4) already fills the registers.
        pipeline.split(out, "cc", "co", "ct", tile.lanes)
        pipeline.split(out, "y", "yt", "j", m, Tail.GUARD_WITH_IF)
        if is_open := any(pipeline.open_axes[1:3]):
            held = _split_open_bands(pipeline, rows, group)
        else:
            held = _split_bands(pipeline, tile_rows, rows, tiles)
        pipeline.split(out, "x", "xo", "i", m, Tail.GUARD_WITH_IF)
        pipeline.reorder(out, "ct", "i", "j", "co", "xo", "yo", "cb", "yb", "n")
        pipeline.vectorize(out, "ct", tile.lanes)
        for loop in ("i", "j"):
            pipeline.unroll(out, loop)

        for func, width in ((data, inputs), (pipeline.funcs["products"], channels)):
            _store_tiles(pipeline, machine, func, held, width, is_open=is_open)
        _transform_inputs(pipeline, machine, inputs)
        if shared == ("c",):
            pipeline.split(data, "t", "tb", "t", -(-tiles // machine.cores), Tail.GUARD_WITH_IF)
            pipeline.parallel(data, "tb")
        _multiply(pipeline, machine, tile, config, tiles, is_open=is_open)
        for name in ("output_rows", "output_tiles"):
            func = pipeline.funcs[name]
            pipeline.compute_at(func, out, "co")
            pipeline.reorder(func, "c", "i", "j", "t")
            pipeline.vectorize(func, "c", tile.lanes)
            for loop in ("i", "j"):
                pipeline.unroll(func, loop)
        for loop in shared:
            pipeline.parallel(out, "cb" if loop == "c" else "yb")


def winograd_form(kernel: KernelOp, machine: Machine) -> int | None:
    """Return m of the form F(m x m, 3 x 3) that a kernel is worth; ``None`` for none."""
    conv = kernel.anchor
    if not isinstance(conv, ConvOp) or not _is_filtered(kernel, conv):
        return None
    if conv.winograd is not None:
        return conv.winograd.value.data
    bytes_ = packed_bytes(conv)
    outputs, inputs, _ = conv.filter_shape
    dot = conv_dot(kernel, machine)
    if dot == 1 and conv.accumulator is not None:
        return None  # a filter of bytes becomes four times as large
    inputs //= dot
    width = bounds_of(conv.result.type)[2]
    shapes = [
        ConvShape(batch, height, width, inputs, outputs, bytes_)
        for batch, height, width, _ in result_shapes(kernel)
    ]
    tile = accumulator_tile(machine, bytes_, outputs, width)
    if outputs % tile.channels:
        return None
    return best_winograd(shapes, machine, _forms(kernel, conv))


def conv_dot(kernel: KernelOp, machine: Machine) -> int:
    """Return how many neighbours of the input channels of a convolution one instruction sums."""
    conv = kernel.anchor
    assert isinstance(conv, ConvOp)
    if conv.winograd is not None:
        return 1 if conv.filter_layout is None else conv.filter_layout.dot
    count = neighbours(machine, conv)
    _, channels, _ = conv.filter_shape
    return 1 if channels % count else count


def _forms(kernel: KernelOp, conv: ConvOp) -> Sequence[int]:
    """Return each m of the forms F(m x m, 3 x 3) that compute a convolution."""
    if not is_float(element_of(conv.x.type)):
        return whole_forms(kernel, conv)
    # What is transformed has the type of the image: 16 bits lose digits that sums need.
    return list(WINOGRAD) if ELEMENT_BYTES[element_of(conv.x.type)] >= 4 else []


def _is_filtered(kernel: KernelOp, conv: ConvOp) -> bool:
    """Tell whether a convolution can be one by Winograd's filtering, or is already."""
    if len(kernel.anchors) > 1 or len(kernel.outputs) > 1 or conv.groups.value.data > 1:
        return False
    if conv.winograd is not None:
        return True
    _, _, window = conv.filter_shape
    return (
        conv.layout == CHANNELS_LAST
        and conv.is_kernel_in_out
        and window == (3, 3)
        and {*ints(conv.strides), *ints(conv.dilations)} == {1}
        and bool(_forms(kernel, conv))
        and isinstance(conv.filter, BlockArgument)
        and isinstance(kernel.inputs[conv.filter.index].owner, ConstantOp)
    )


def _split_bands(pipeline: ScheduledPipeline, tile_rows: int, rows: int, tiles: int) -> int:
    """Split the ``tile_rows`` rows of tiles into bands of ``rows``, which have ``tiles`` tiles.

    Where bands do not divide the rows, all tiles of the last one are transformed and multiplied,
    also those below the end. But they are not written: moved inwards, the last band would write
    rows that another thread writes. Returns how many tiles of a band are computed.
    """
    if tile_rows % rows == 0:
        pipeline.split(pipeline.output, "yt", "yb", "yo", rows)
        return tiles
    pipeline.split(pipeline.output, "yt", "yb", "yo", rows, Tail.GUARD_WITH_IF)
    for loop in ("yo", "yb"):
        pipeline.partition_never(pipeline.output, loop)
    for name, count in (
        ("input_tiles", tiles),
        ("products", tiles),
        ("output_rows", 1),
        ("output_tiles", 1),
    ):
        pipeline.bound_extent(pipeline.funcs[name], "t", count)
    if (padded := pipeline.funcs.get("padded")) is not None:
        m, points = (
            pipeline.funcs[name].known_extents[2] for name in ("output_tiles", "input_tiles")
        )
        pipeline.bound_extent(padded, "y", (rows - 1) * m + points)
    return tiles


def _split_open_bands(pipeline: ScheduledPipeline, rows: int, group: int) -> int:
    """Split rows of tiles, of which only a run knows the number or the length, into bands.

    The last ``group`` of each band is filled up with the tiles behind it. What they read below the
    end of the image is padding. Returns how many tiles of a band are computed at most.
    """
    out, padded = pipeline.output, pipeline.funcs.get("padded")
    m, points = (pipeline.funcs[name].known_extents[2] for name in ("output_tiles", "input_tiles"))
    widths = range(-(-pipeline.least_extents[1] // m), -(-pipeline.extents[1] // m) + 1)
    filled = [-(-rows * width // group) * group for width in widths]
    pipeline.split(out, "yt", "yb", "yo", rows, Tail.GUARD_WITH_IF)
    for loop in ("yo", "yb"):
        pipeline.partition_never(out, loop)
    for name in ("output_rows", "output_tiles"):
        pipeline.bound_extent(pipeline.funcs[name], "t", 1)
    assert padded is not None  # the last tiles may reach beyond the image
    read = max(-(-tiles // width) for tiles, width in zip(filled, widths, strict=True))
    pipeline.bound_storage(padded, "y", (read - 1) * m + points)
    return filled[-1]


def _store_tiles(
    pipeline: ScheduledPipeline,
    machine: Machine,
    func: FuncOp,
    tiles: int,
    channels: int,
    *,
    is_open: bool,
) -> None:
    """Take memory for ``tiles`` tiles of ``channels`` channels, so that their points lie apart."""
    points, tile_bytes = prod(func.known_extents[2:4]), channels * element_bytes(func)
    stored = stored_tiles(machine, tiles, points, tile_bytes)
    if is_open or stored > tiles:
        pipeline.bound_storage(func, "t", stored)


def _transform_inputs(pipeline: ScheduledPipeline, machine: Machine, inputs: int) -> None:
    """Pad and transform the inputs of a band."""
    out, data, rows = pipeline.output, pipeline.funcs["input_tiles"], pipeline.funcs["input_rows"]
    if (padded := pipeline.funcs.get("padded")) is not None:
        pipeline.compute_at(padded, out, "yb")
        lanes = vector_lanes(inputs, machine.lanes(element_bytes(padded)))
        pipeline.vectorize(padded, padded.var_names[0], lanes)
    _transform(pipeline, machine, data, inputs)
    pipeline.compute_at(data, out, "yb")
    _transform(pipeline, machine, rows, inputs)
    pipeline.compute_at(rows, data, "co")


def _transform(pipeline: ScheduledPipeline, machine: Machine, func: FuncOp, channels: int) -> None:
    """One vector of channels at a time, all points of the tile unrolled."""
    lanes = vector_lanes(channels, machine.lanes(element_bytes(func)))
    pipeline.split(func, "c", "co", "ct", lanes, tail_of(channels, lanes))
    pipeline.reorder(func, "ct", "i", "j", "co", "t", "n")
    pipeline.vectorize(func, "ct")
    pipeline.unroll(func, "i")
    pipeline.unroll(func, "j")


def _multiply(
    pipeline: ScheduledPipeline,
    machine: Machine,
    tile: Tile,
    config: ConfigAttr,
    tiles: int,
    *,
    is_open: bool,
) -> None:
    """Sum the products of a group of tiles in registers.

    The last group moves inwards over the one before, which costs no more than to fill it up. Where
    there may be fewer tiles than a group, it is filled up.
    """
    products, sums = pipeline.funcs["products"], pipeline.funcs["sums"]
    pipeline.compute_at(products, pipeline.output, "cb")
    pipeline.split(products, "c", "co", "ct", tile.channels)
    (group,) = config.ints("group", 1)
    tail = Tail.ROUND_UP if is_open else tail_of(tiles, group)
    pipeline.split(products, "t", "to", "tt", group, tail)
    # The tiles of inputs of one point serve all channels before the next point's are fetched.
    pipeline.reorder(products, "ct", "tt", "to", "co", "i", "j", "n")
    pipeline.vectorize(products, "ct", tile.lanes)
    pipeline.unroll(products, "ct")
    pipeline.unroll(products, "tt")
    pipeline.compute_at(sums, products, "to")
    _order_steps(pipeline, machine, tile, config)
    for stage in range(2):
        pipeline.vectorize(sums, "c", tile.lanes, stage)
        pipeline.unroll(sums, "c", stage=stage)
        pipeline.unroll(sums, "t", stage=stage)


def _order_steps(
    pipeline: ScheduledPipeline, machine: Machine, tile: Tile, config: ConfigAttr
) -> None:
    """Take the steps of the reduction one after another, fetching ahead."""
    sums, steps = pipeline.funcs["sums"], config.number("fetch")
    dot = config.number("dot") or 1
    inner = split_dots(pipeline, sums, "ci", dot)
    if steps:
        group = config.number("group")
        update = pipeline.updates[sums][0]
        if any(pipeline.open_axes[1:3]):
            fetches = open_filter_fetches(machine, update, tile, steps)
        else:
            fetches = [filter_fetch(machine, update, tile, group, steps)]
        pipeline.split(sums, "ci", "cio", "cii", steps, stage=1)
        for source, map_ in fetches:
            pipeline.prefetch_line(sums, "cio", source, map_)
        pipeline.reorder(sums, "c", "t", "cii", "cio", stage=1)
        pipeline.unroll(sums, "cii", stage=1)
    else:
        pipeline.reorder(sums, *inner, "c", "t", "ci", stage=1)
        vectorize_dots(pipeline, sums, dot)
