"""Which lines of its filter a direct convolution fetches before it needs them: the rule.

Where the loop over tiles of channels is outermost, all pixels are summed with one tile of the
filter. The weights of other layers have replaced it in the second-level cache. Without prefetches,
the first pixels wait for it, and the others read nothing new. So each iteration of the loop over
inputs fetches a line of the next tile, which is one run of memory.

Only dots are faster than a filter comes by itself: floats gained nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir.affine import AffineExpr, AffineMap

from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.halide.types import buffer_type
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.image import filter_load
from autodeploy.templates.direct_conv.sums import ConvSums, is_channels_last
from autodeploy.templates.direct_conv.tile import ConvTile, are_tiles_outermost
from autodeploy.templates.fetch_plan import steps_to_fetch
from autodeploy.templates.view import ScheduledPipeline, element_bytes, loop_extents


def may_fetch(machine: Machine, sums: ConvSums) -> bool:
    """Tell whether there is a filter that is fetched ahead with some tile."""
    return (
        machine.fetches_ahead
        and (sums.packable or sums.packed > 0)
        and are_tiles_outermost(machine, sums.sum_bytes, sums.channels, sums.inner)
        and sums.inputs > 1 < sums.dot
        and not sums.open_pixels
    )


def filter_fetch(machine: Machine, sums: ConvSums, tile: ConvTile, config: ConfigAttr) -> int:
    """Return after how many steps a line of the filter is fetched; 0 for never.

    ``sums`` are packed as ``config`` says.
    """
    if not may_fetch(machine, sums) or fetch_conflict(sums, tile, config) is not None:
        return 0
    vectors = tile.channels // tile.lanes
    tiles = sums.rows * -(-sums.width // tile.columns)
    # The loop over inputs remains, with two iterations or more.
    loop = sums.inputs // 2 if sums.inputs % 2 == 0 else sums.inputs
    return steps_to_fetch(machine, vectors, vectors * tile.columns, loop, sums.steps, tiles)


def fetch_conflict(sums: ConvSums, tile: ConvTile, config: ConfigAttr) -> str | None:
    """Return why no line is fetched with the other knobs; ``None`` where some are."""
    if not is_channels_last(config) or config.values("rows"):
        return "a filter is fetched where all pixels are computed for a tile of it"
    if sums.packed != tile.channels:
        return f"a filter is fetched that is packed by the {tile.channels} channels of a tile"
    return None


def fetch_filter(
    pipeline: ScheduledPipeline, machine: Machine, conv: FuncOp, tile: ConvTile, unrolled: int
) -> None:
    """Let each iteration of the loop over inputs, of ``unrolled`` steps, fetch a line."""
    filter_, (update,) = filter_load(pipeline, conv).source, pipeline.updates[conv]
    packed, line = buffer_type(filter_).extents, machine.line_bytes // element_bytes(conv)
    taps, pixels = loop_extents(update), pipeline.extents[1:]
    map_ = filter_map(conv.var_names, taps, pixels, packed, tile, unrolled, line)
    pipeline.prefetch_line(conv, next(iter(taps)), filter_, map_)


def filter_map(
    variables: Sequence[str],
    taps: Mapping[str, int],
    pixels: Sequence[int],
    packed: Sequence[int],
    tile: ConvTile,
    unrolled: int,
    line: int,
) -> AffineMap:
    """Return which element of a filter is fetched, by the variables of the sum.

    ``packed`` are the extents of the filter: neighbours of a dot, channels of a tile, inputs,
    window and tiles. A ``line`` has that many elements; neighbours count as one. ``pixels`` are the
    extents of ``x`` and of the variables after it.
    """
    names = [*variables, *taps]
    dims = dict(zip(names, map(AffineExpr.dimension, range(len(names))), strict=True))
    (inputs, extent), *window = taps.items()
    step, steps = dims[inputs] // packed[0], extent // packed[0]
    for name, extent in window:
        step, steps = step + dims[name] * steps, steps * extent
    pixel, count = dims["x"] // tile.columns, -(-pixels[0] // tile.columns)
    rows = variables[list(variables).index("x") + 1 :]
    for name, extent in zip(rows, pixels[1:], strict=True):
        pixel, count = pixel + dims[name] * count, count * extent
    # In memory the next tap follows the inputs of one, and the next tile follows the last tap.
    element = (pixel * (steps // unrolled) + step // unrolled) * line
    step, zero = element // tile.channels, AffineExpr.constant(0)
    first = zero, element - step * tile.channels, step
    point = *first, *(zero for _ in packed[3:-1]), dims["p"] + 1
    return AffineMap(len(names), 0, point)
