"""The knobs of a convolution's sum: the rule, the space, and what goes together.

- ``tile``: channels and pixels of a row whose sums are in registers at a time
- ``pack``: channels that lie side by side in the filter; nothing where it stays as it is. Those of
  whole groups of a padded image, or of several groups, make the kernel copy their image
- ``parts``: the equal parts of the channels that are filled up with zeros to ``pack`` each
- ``order``: the loops over tiles of pixels ``x``, rows ``y``, and tiles and groups of channels
  ``c``, innermost first
- ``unroll``: the steps of each loop of the sum that are unrolled, innermost first
- ``rows``: the rows of the result for which the image is padded or computed at a time; nothing for
  all of it
- ``parallel``: which of the loops cores share
- ``group``: the tiles to an iteration that cores share
- ``widen``: 1 where a filter of one group is widened before tiles are summed with it; nothing where
  each step widens what it reads, or where it is as wide as the sums
- ``dot``: the neighbours among the inputs that one instruction sums; nothing for one
- ``fetch``: 1 where each iteration of the loop over inputs, of the steps that are unrolled, fetches
  a line of the filter ahead; nothing where none does
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from math import prod

from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.machine import Machine
from autodeploy.templates.cache_sets import lines_that_stay
from autodeploy.templates.direct_conv.fetch import fetch_conflict, filter_fetch, may_fetch
from autodeploy.templates.direct_conv.reduction import unrolled_steps
from autodeploy.templates.direct_conv.sums import ConvSums, is_channels_last, tile_of
from autodeploy.templates.direct_conv.tile import (
    ConvTile,
    are_tiles_outermost,
    conv_tile,
    filled_tiles,
    group_channels,
    most_columns,
    overlapping_tile,
    possible_tiles,
    tile_cycles,
    transposed_tile,
    whole_parts,
    whole_tile,
)
from autodeploy.templates.narrow import LEAST_TILES
from autodeploy.templates.sharing import tile_group
from autodeploy.templates.space import Knobs, Numbers, Space, divisors

MOST_UNROLLED = 16
"""Steps of a sum that may be unrolled."""


def sum_knobs(machine: Machine, sums: ConvSums, given: ConfigAttr) -> dict[str, Sequence[Knob]]:
    """Choose tile, packing, order and unrolled steps: what a part of several anchors has."""
    tile, pack, parts = _tile(machine, sums, given)
    packed = sums.packed_as(pack, parts)
    if packed.tile_groups and "tile" not in given:
        tile = _copied_tile(machine, packed)
    knobs: dict[str, Sequence[Knob]] = {"tile": (tile.channels, tile.columns)}
    if sums.packable:
        knobs["pack"] = (pack,) if pack else ()
    if sums.packable and filled_tiles(machine, sums.stored_bytes, sums.channels):
        knobs["parts"] = (parts,) if parts else ()
    knobs |= {"order": _order(machine, packed), "unroll": unrolled_steps(machine, packed)}
    if sums.narrow and sums.groups == 1:
        knobs["widen"] = (1,) if _widens(machine, packed, tile, knobs["order"]) else ()
    if sums.dot > 1:
        knobs["dot"] = (sums.dot,) if pack else ()
    return knobs


def _widens(machine: Machine, sums: ConvSums, tile: ConvTile, order: Sequence[Knob]) -> bool:
    """Tell whether there are tiles enough of the same weights, which stay in the L2 cache."""
    tiles = sums.fewest_rows * -(-sums.width // tile.columns)
    near = sums.channels * sums.steps * sums.sum_bytes <= machine.resident_bytes
    return sums.packed > 0 and tiles >= LEAST_TILES and (near or order[-1] == "c")


def conv_knobs(machine: Machine, sums: ConvSums, given: ConfigAttr) -> Knobs:
    """Choose the knobs that are not given."""
    knobs = sum_knobs(machine, sums, given)
    config = ConfigAttr(given.template_name, {**knobs, **given.as_dict()})
    sums, shared = sums.packed_by(config), _is_shared(machine, sums)
    rows = 0
    # How many rows of a transposed image a band reads depends on where it begins.
    in_bands = not (sums.transposed and sums.open_pixels)
    of_groups = sums.groups > 1 and (sums.tile_groups > 0 or (shared and _has_rows(machine, sums)))
    # All pixels are computed for one tile of channels, then for the next.
    in_bands &= of_groups or not is_channels_last(config)
    if in_bands and (sums.kept_bytes or of_groups):
        rows = image_rows(
            machine,
            sums.height,
            sums.image_row_bytes,
            step=sums.row_step,
            read=sums.rows_read,
            shared=shared,
            whole=sums.transposed,
        )
    if sums.kept_bytes or sums.groups > 1:
        knobs["rows"] = (rows,) if rows else ()
    if may_fetch(machine, sums):
        knobs |= _fetch(machine, sums, given, config)
    if machine.cores > 1:
        in_bands = bool(given.values("rows") if "rows" in given else rows)
        knobs["parallel"], knobs["group"] = (), (1,)
        if shared:
            knobs |= _shared_loop(machine, sums, config, in_bands=in_bands)
    return knobs


def image_rows(
    machine: Machine,
    height: int,
    row_bytes: int,
    *,
    step: int,
    read: int,
    shared: bool,
    whole: bool = False,
) -> int:
    """Return for how many of ``height`` rows of the result an image is made at a time; 0 for all.

    As a whole it is made by one thread, before all else; in bands by all of them, and rows between
    two bands twice.

    The rows of a band stay in the L2 cache. ``row_bytes`` are those of a row of the image; a row of
    the result reads ``read`` of these, the next one begins ``step`` further on. Bands are even, and
    a multiple of the cores where these share the kernel (``shared``). With ``whole``, bands divide
    the rows.
    """
    cores = machine.cores if shared and height >= machine.cores else 1
    if cores == 1 and shared:
        return 0
    most = max((machine.resident_bytes // max(row_bytes, 1) - read) // step + 1, 1)
    bands = -(-height // (most * cores)) * cores
    rows = -(-height // bands)
    while whole and height % rows:
        rows -= 1
    return 0 if rows == height else rows


def _fetch(machine: Machine, sums: ConvSums, given: ConfigAttr, config: ConfigAttr) -> Knobs:
    """Choose whether lines are fetched, and then how many steps are unrolled to one."""
    tile = tile_of(config, machine, sums.sum_bytes)
    steps = filter_fetch(machine, sums, tile, config)
    if not steps or ("unroll" in given and config.values("unroll") != (steps,)):
        return {"fetch": ()}
    return {"fetch": (1,), "unroll": (steps,)}


def _tile(machine: Machine, sums: ConvSums, given: ConfigAttr) -> tuple[ConvTile, int, int]:
    """Choose the tile, the channels that are packed side by side, and in how many parts.

    The filter of one of several groups stays in the first-level cache for all of its pixels. (That
    of groups whose channels are no whole vectors counts as if it did not.)
    """
    channels, bytes_ = sums.channels, sums.sum_bytes
    if sums.groups > 1 and channels % machine.lanes(bytes_) == 0:
        machine = replace(machine, costs=replace(machine.costs, l2_vector_cycles=0))
    limit = lines_that_stay(machine, sums.pixel_bytes)
    stored = conv_tile(
        machine, sums.stored_bytes, channels, sums.widths, grouped=sums.groups > 1, limit=limit
    )
    if sums.dot > 1:
        stored = whole_parts(machine, bytes_, channels, sums.widths, limit, sums.least_vectors)
    pack, parts = sums.packed, sums.parts
    chosen = tile_of(given, machine, bytes_) if "tile" in given else None
    if (of_groups := _group_tile(machine, sums, stored, given, chosen)) is not None:
        return of_groups, of_groups.channels, 0
    if "parts" in given:
        parts = given.number("parts")
        pack = given.number("pack") or (chosen or stored).channels if parts else pack
    elif sums.packable and chosen is None and stored.filled_up and sums.steps * sums.dot > 1:
        pack, parts = stored.channels, channels * sums.groups // stored.used
    if parts:
        return chosen or whole_tile(machine, bytes_, pack, sums.widths), pack, parts
    if sums.packable and not stored.filled_up and channels % stored.lanes == 0:
        width = (chosen or stored).channels
        # Tiles that do not divide the channels overlap, and by whole vectors.
        pack = stored.lanes if channels % width else width
    if chosen is None and sums.spread > 1:
        chosen = transposed_tile(machine, bytes_, channels, sums.widths, sums.spread)
    if chosen is None and sums.dot > 1:
        chosen = stored
    return chosen or overlapping_tile(machine, bytes_, channels, sums.widths, limit), pack, parts


def _group_tile(
    machine: Machine, sums: ConvSums, other: ConvTile, given: ConfigAttr, chosen: ConvTile | None
) -> ConvTile | None:
    """Return the tile of several groups, where it costs less than ``other`` or is given.

    It has no empty lanes.
    """
    channels = _tile_of_groups(machine, sums)
    if channels <= sums.channels or (given.values("parts") if "parts" in given else False):
        return None
    wide = _copied_tile(machine, sums.packed_as(channels, 0))
    if chosen is not None and chosen.channels == channels:
        return chosen
    if "pack" in given:
        return wide if chosen is None and given.number("pack") == channels else None
    if chosen is not None:
        return None
    steps, rows = sums.steps, sums.rows
    total = sums.channels * sums.groups
    apart = tile_cycles(machine, other, sums.channels, sums.widths) * sums.groups * steps * rows
    together = tile_cycles(machine, wide, total, sums.widths) * steps * rows
    return wide if together < apart else None


def _copied_tile(machine: Machine, sums: ConvSums) -> ConvTile:
    """Return the tile of a filter that is packed by the channels of a tile of groups."""
    unrolled = unrolled_steps(machine, sums)[:1]
    along_row = sums.row_taps > 1 and [*unrolled] == [*sums.taps[:1]] == [sums.row_taps]
    sizes = sums.sum_bytes, sums.packed, sums.widths
    return whole_tile(machine, *sizes, shares_inputs=along_row)


def _tile_of_groups(machine: Machine, sums: ConvSums) -> int:
    """Return the channels of a tile of several groups, or those of a group; 0 for none."""
    if not _has_packing(sums) or sums.groups == 1 or sums.inputs == 1:
        return 0
    return group_channels(machine, sums.sum_bytes, sums.channels, sums.groups)


def _has_packing(sums: ConvSums) -> bool:
    """Tell whether a filter may be packed, or is."""
    return sums.packable or sums.packed > 0


def _order(machine: Machine, sums: ConvSums) -> Sequence[Knob]:
    """Choose the loops over tiles, innermost first.

    A filter that does not stay in the L2 cache is read once, for all pixels.

    Each of several groups reads its own channels of the image, which stay in the cache for all of
    its pixels.
    """
    channels, bytes_ = sums.channels, sums.sum_bytes
    if sums.groups > 1 or are_tiles_outermost(machine, bytes_, channels, sums.inner):
        return "x", "y", "c"
    return "x", "c", "y"


def _is_shared(machine: Machine, sums: ConvSums) -> bool:
    return machine.cores > 1 and sums.work >= machine.costs.parallel_work


def _has_rows(machine: Machine, sums: ConvSums) -> bool:
    """Tell whether there are rows for all cores."""
    return sums.height >= machine.cores


def _shared_loop(machine: Machine, sums: ConvSums, config: ConfigAttr, *, in_bands: bool) -> Knobs:
    """Choose the first loop that cores can share: that over rows, unless channels are outermost."""
    found = [("y", 2, False)] if in_bands else [("y", sums.height, False)]
    if not in_bands:
        found.insert(0 if is_channels_last(config) else 1, ("c", *_channel_loop(sums, config)))
        if not sums.open_pixels:
            found.append(("x", *_pixel_loop(sums, config)))
    for name, extent, overlaps in found:
        group = tile_group(extent, machine.cores) if overlaps else 1
        if extent > 1 and group is not None:
            return {"parallel": (name,), "group": (group,)}
    return {}


def _channel_loop(sums: ConvSums, config: ConfigAttr) -> tuple[int, bool]:
    """Return the iterations of the outermost loop over channels, and whether they overlap."""
    tile = config.ints("tile", 2)[0]
    if sums.parts or sums.groups > 1:
        return sums.parts or sums.groups // max(1, sums.tile_groups), False
    return -(-sums.channels // tile), sums.channels % tile != 0


def _pixel_loop(sums: ConvSums, config: ConfigAttr) -> tuple[int, bool]:
    columns = config.ints("tile", 2)[1]
    return -(-sums.width // columns), sums.width % columns != 0


def sum_space(machine: Machine, sums: ConvSums) -> Space:
    """Return the values of the knobs of ``sum_knobs``."""
    channels, lanes = sums.channels, machine.lanes(sums.sum_bytes)
    filled = filled_tiles(machine, sums.stored_bytes, channels) if _has_packing(sums) else []
    tiles = possible_tiles(machine, sums.sum_bytes, channels, sums.width)
    sizes = [(tile.channels, tile.columns) for tile in tiles]
    of_parts = {tile.channels for tile in filled} | {sums.packed for _ in range(bool(sums.parts))}
    for size in sorted(of_parts):
        most = most_columns(machine, -(-size // lanes), sums.width)
        sizes += [(size, columns + 1) for columns in range(most)]
    if (of_groups := _tile_of_groups(machine, sums)) > channels:
        of_parts.add(of_groups)
        most = most_columns(machine, of_groups // min(lanes, of_groups), sums.width)
        sizes += [(of_groups, columns + 1) for columns in range(most)]
    space: dict[str, Sequence[Sequence[Knob]]] = {"tile": list(dict.fromkeys(sizes))}
    if sums.packable:
        widths = {n for n in (lanes, *(tile.channels for tile in tiles)) if channels % n == 0}
        space["pack"] = [(), *((n,) for n in sorted(widths | of_parts))]
    elif sums.packed:
        space["pack"] = [(sums.packed,)]
    if filled and sums.packed and not sums.packable:
        space["parts"] = [(sums.parts,) if sums.parts else ()]
    elif filled:
        parts = sorted({channels * sums.groups // tile.used for tile in filled})
        space["parts"] = [(), *((n,) for n in parts)]
    space["order"] = [("x", "y", "c"), ("x", "c", "y")]
    space["unroll"] = list(
        dict.fromkeys(
            steps
            for taps in dict.fromkeys((sums.taps, sums.taps_of_groups if of_groups else sums.taps))
            for steps in _unrolled(taps)
        )
    )
    if sums.narrow and sums.groups == 1:
        space["widen"] = [(), (1,)]
    if sums.dot > 1:
        space["dot"] = [(), (sums.dot,)]
    return space


def _unrolled(taps: Sequence[int]) -> list[Sequence[Knob]]:
    """Return how many steps of each loop may be unrolled."""
    prefixes = (tuple(taps[: n + 1]) for n in range(len(taps)))
    whole = [prefix for prefix in prefixes if prod(prefix) <= MOST_UNROLLED]
    ones = list(takewhile(lambda extent: extent == 1, taps))
    parts_of_first = divisors(next((extent for extent in taps if extent > 1), 1))
    first = [(*ones, n) for n in parts_of_first if 1 < n <= MOST_UNROLLED]
    return [(), *first, *whole]


def conv_space(machine: Machine, sums: ConvSums) -> Space:
    """Return the values that the knobs may have."""
    space = dict(sum_space(machine, sums))
    if sums.kept_bytes or sums.groups > 1:
        space["rows"] = Numbers(1, sums.height, or_nothing=True)
    if may_fetch(machine, sums):
        space["fetch"] = [(), (1,)]
    if machine.cores > 1:
        space["parallel"] = [(), ("c",), ("y",), ("x",)]
        space["group"] = Numbers(1, max(sums.channels, sums.width))
    return space


def sum_conflict(sums: ConvSums, config: ConfigAttr) -> str | None:
    """Return why knobs of ``sum_knobs`` do not go together; ``None`` where they do."""
    sums, (tile, _) = sums.packed_by(config), config.ints("tile", 2)
    unrolled = config.ints("unroll")
    if any(extent % steps for extent, steps in zip(sums.taps, unrolled, strict=False)):
        return f"steps of {list(unrolled)} divide the loops of {list(sums.taps)}"
    if sums.dot > 1 and bool(config.values("dot")) != bool(sums.packed):
        return "neighbours are summed of a packed filter"
    if sums.dot > 1 and sums.packed and sums.packed != tile:
        return f"a tile of {tile} channels is as wide as the {sums.packed} that are packed"
    if sums.tile_groups:
        if tile != sums.packed:
            return f"a tile of {tile} channels is as wide as the {sums.packed} that are packed"
    elif sums.parts:
        used = sums.channels * sums.groups // sums.parts
        if sums.packed != tile or sums.channels % used or used >= tile:
            return f"{sums.parts} parts are tiles that are filled up and packed"
    elif tile > sums.channels:
        return f"a tile of {tile} channels exceeds the {sums.channels} of a group"
    elif sums.packable and sums.packed and sums.channels % sums.packed:
        return f"packed channels divide the {sums.channels} of a group"
    return None


def conv_conflict(machine: Machine, sums: ConvSums, config: ConfigAttr) -> str | None:
    """Return why knobs that each are in the space do not go together; ``None`` where they do."""
    if (found := sum_conflict(sums, config)) is not None:
        return found
    sums = sums.packed_by(config)
    if config.values("fetch"):
        tile = tile_of(config, machine, sums.sum_bytes)
        if (found := fetch_conflict(sums, tile, config)) is not None:
            return found
        if config.ints("unroll")[:1] == (sums.inputs,):
            return f"of {sums.inputs} steps over inputs, fewer are unrolled where lines are fetched"
    parallel, group = config.values("parallel"), config.number("group")
    in_bands = config.values("rows")
    if in_bands and not sums.kept_bytes and not (parallel and sums.groups > 1):
        return "rows are of an image that is padded or computed, or of groups that cores share"
    if in_bands and sums.transposed and sums.open_pixels:
        return "a transposed image is whole where only a run knows how many pixels there are"
    if in_bands and sums.groups == 1 and is_channels_last(config):
        return "rows are padded or computed at a time where channels are not outermost"
    if in_bands and parallel not in ((), ("y",)):
        return "cores share the bands of rows"
    if parallel == ("x",) and sums.open_pixels:
        return "cores do not share the pixels of a row that only a run knows"
    loops: dict[Knob, tuple[int, bool]] = {
        "c": _channel_loop(sums, config),
        "x": _pixel_loop(sums, config),
    }
    extent, overlaps = next((loops[loop] for loop in parallel if loop in loops), (1, False))
    if overlaps and (group < 2 or extent % group == 1):
        return "two tiles that overlap are in one group"
    if group > 1 and not overlaps:
        return "groups are of tiles that overlap, and that cores share"
    return None
