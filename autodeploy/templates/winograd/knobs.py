"""The knobs of a Winograd convolution: the rule, the space, and what goes together.

- ``transform``: m of F(m x m, 3 x 3)
- ``tile``: output channels whose sums are in registers at a time, as they lie in the filter
- ``rows``: rows of tiles of a band, whose inputs are transformed at a time
- ``channels``: output channels that are computed at a time for a band
- ``group``: tiles of the image that are multiplied at a time
- ``dot``: the neighbours among the input channels that one instruction sums; nothing for one
- ``fetch``: the steps of the sum to a prefetch of the filter; nothing where none is fetched
- ``parallel``: what cores share: bands ``y``, or blocks of channels ``c``
"""

from __future__ import annotations

from collections.abc import Sequence

from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.machine import Machine
from autodeploy.templates.space import Knobs, Numbers, Space, divisors
from autodeploy.templates.tiles import MAX_COLUMNS, Tile, accumulator_tile, best_divisor
from autodeploy.templates.winograd.blocks import choose_blocks, most_tiles
from autodeploy.templates.winograd.fetch import MAX_STEPS, fetch_knobs, group_cost, open_fetch_steps
from autodeploy.templates.winograd.products import WinogradProducts


def winograd_knobs(machine: Machine, products: WinogradProducts, given: ConfigAttr) -> Knobs:
    """Choose the knobs that are not given."""
    channels, bytes_ = given.number("tile") or _channels(machine, products), products.sum_bytes
    tile = Tile(channels, 1, min(machine.lanes(bytes_), channels))
    shape = products.shape(channels)
    blocks = choose_blocks(machine, shape, whole=not products.kept)
    rows = given.number("rows") or blocks.rows
    room = most_tiles(machine, channels, bytes_)
    if products.is_open:
        group = _group_of_runs(products, rows, room)
        fetch = open_fetch_steps(machine, products, tile, rows, group)
    elif products.packed in (0, channels) and products.dot == 1:
        group, fetch = fetch_knobs(machine, shape, rows)
    else:
        group = fetch = 0
    if "fetch" in given:
        fetch = given.number("fetch")
    tiles = rows * products.tile_columns
    if products.is_open:
        pass
    elif not fetch:
        group = best_divisor(tiles, room)
    elif not group:
        group = max(n for n in divisors(tiles) if n <= room)
    knobs: dict[str, Sequence[Knob]] = {
        "tile": (channels,),
        "rows": (rows,),
        # What is fetched is needed next.
        "channels": (channels if fetch else blocks.channels,),
        "group": (group,),
    }
    if products.dot > 1:
        knobs["dot"] = (products.dot,)
    elif machine.fetches_ahead:
        knobs["fetch"] = (fetch,) if fetch else ()
    if machine.cores > 1:
        shared = products.work >= machine.costs.parallel_work
        knobs["parallel"] = ("y" if blocks.shares_bands else "c",) if shared else ()
    return knobs


def _channels(machine: Machine, products: WinogradProducts) -> int:
    """Return the output channels whose sums are in registers at a time, by the rule."""
    outputs = products.outputs
    tile = accumulator_tile(machine, products.stored_bytes, outputs, products.width)
    channels = tile.channels
    while outputs % channels:
        channels //= 2
    return channels


def _group_of_runs(products: WinogradProducts, rows: int, room: int) -> int:
    """Return how many tiles make a group, ``room`` at most, for the runs that there may be.

    In each band the last group is filled up.
    """

    def cost(group: int) -> float:
        total = 0.0
        for height, width in products.runs:
            whole, rest = divmod(height, rows)
            groups = whole * group_cost(rows * width, group) + group_cost(rest * width, group)
            total += groups / (height * width)
        return total

    most = min(room, rows * products.tile_columns)
    return min(range(1, most + 1), key=lambda group: (cost(group), -group))


def winograd_space(machine: Machine, products: WinogradProducts) -> Space:
    """Return the values of the knobs but for the transform, ``products`` being those of the least.

    With a larger transform there are fewer tiles.
    """
    channels, outputs = _channels(machine, products), products.outputs
    sizes = {max(channels // 2, 1), channels}
    space: dict[str, Sequence[Sequence[Knob]]] = {
        "tile": [(n,) for n in sorted(sizes) if outputs % n == 0],
        "rows": Numbers(1, products.tile_rows),
        "channels": [(n,) for n in divisors(outputs)],
        "group": Numbers(1, MAX_COLUMNS),
    }
    if products.dot > 1:
        space["dot"] = [(products.dot,)]
    elif machine.fetches_ahead:
        steps = [n for n in divisors(products.inputs) if n <= MAX_STEPS]
        space["fetch"] = [(), *((n,) for n in steps)]
    if machine.cores > 1:
        space["parallel"] = [(), ("y",), ("c",)]
    return space


def winograd_conflict(
    machine: Machine, products: WinogradProducts, config: ConfigAttr
) -> str | None:
    """Return why knobs that each are in the space do not go together; ``None`` where they do."""
    (channels,), (rows,), (group,) = (config.ints(name, 1) for name in ("tile", "rows", "group"))
    tiles, parallel = rows * products.tile_columns, config.values("parallel")
    if rows > products.tile_rows:
        return f"a band of {rows} rows of tiles exceeds {products.tile_rows}"
    if config.number("channels") % channels:
        return f"channels of a block are whole tiles of {channels}"
    if group > min(most_tiles(machine, channels, products.sum_bytes), tiles):
        return f"a group of {group} tiles exceeds the registers, or a band of {tiles}"
    if products.tile_rows % rows and not products.kept:
        return "bands divide the rows of tiles of an image that is read as it lies"
    if parallel == ("c",) and rows != products.tile_rows:
        return "cores share the channels of a single band"
    overhangs = tiles % group and not products.is_open
    if config.values("fetch") and overhangs:
        return "a filter is fetched in bands of whole groups"
    if config.values("fetch") and products.packed not in (0, channels):
        return f"a filter that is fetched is packed by {channels}"
    return None
