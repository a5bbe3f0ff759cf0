"""The sums of a convolution: what its rules take of an ``nn.conv`` or an ``nn.conv_transpose``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir import BlockArgument

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.transposed import ConvTransposeOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, element_of, shape_of, sum_bytes
from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.tile import (
    ConvTile,
    are_tiles_outermost,
    conv_tile,
    overlapping_tile,
    possible_tiles,
    whole_tile,
)
from autodeploy.templates.space import Space

NEAR_SHARE = 4
"""The filter counts as near where it takes at most 1/n of the first-level cache."""


@dataclass(frozen=True)
class ConvSums:
    """The sums of a convolution whose result is channels last."""

    channels: int
    """Output channels of a group."""
    width: int
    """Pixels of a row."""
    rows: int
    inner: int
    """Steps of a sum; 0 where there are several groups, which are computed one after the other."""
    groups: int
    stored_bytes: int
    """Bytes of an element of the filter."""
    sum_bytes: int
    """Bytes of a sum in a register."""

    @staticmethod
    def of(conv: ConvOp | ConvTransposeOp, shape: Sequence[int]) -> ConvSums:
        """Return the sums of a convolution in a kernel whose result has a shape."""
        *rows, width, outputs = shape
        _, channels, window = conv.filter_shape
        groups = 1 if isinstance(conv, ConvTransposeOp) else conv.groups.value.data
        if isinstance(conv, ConvTransposeOp):
            axes = zip(window, ints(conv.strides), ints(conv.dilations), strict=True)
            window = tuple(n if dilation > 1 else -(-n // stride) for n, stride, dilation in axes)
        element = element_of(conv.x.type)
        inner = channels * prod(window) if groups == 1 else 0
        return ConvSums(
            outputs // groups,
            width,
            prod(rows),
            inner,
            groups,
            ELEMENT_BYTES[element],
            sum_bytes(element),
        )

    def tile(self, machine: Machine) -> ConvTile:
        """Return the tile of a filter that is not filled up, by the rule."""
        return overlapping_tile(
            machine, self.sum_bytes, self.channels, self.width, self.rows, self.inner
        )

    def order(self, machine: Machine, height: int) -> tuple[str, ...]:
        """Return the loops over tiles, innermost first, by the rule.

        A filter that does not stay near is read once, for all pixels. Of one that stays in the
        first-level cache, beside the pixels, all channels of some pixels are computed in turn: they
        lie side by side, and memory takes whole pixels in a row faster than parts of them now and
        the others later.
        """
        channels, bytes_ = self.channels, self.sum_bytes
        if are_tiles_outermost(machine, bytes_, channels, self.width, self.rows, self.inner):
            return "x", "y", "c"
        near = channels * self.inner * bytes_ * NEAR_SHARE <= machine.l1_bytes
        return ("c", "x", "y") if near and height > 1 else ("x", "c", "y")

    def stored_tile(self, machine: Machine) -> ConvTile:
        """Return the tile by which a filter is packed, by the rule."""
        return conv_tile(
            machine,
            self.stored_bytes,
            self.channels,
            self.width,
            self.rows,
            self.inner,
            grouped=self.groups > 1,
        )


def is_channels_first(config: ConfigAttr) -> bool:
    """Tell whether all channels of some pixels are computed in turn."""
    return config.values("order")[:1] == ("c",)


def is_channels_last(config: ConfigAttr) -> bool:
    """Tell whether the loop over tiles of channels is outermost, around that over all pixels."""
    return config.values("order")[-1:] == ("c",)


def tile_of(config: ConfigAttr, machine: Machine, element_bytes: int) -> ConvTile:
    """Return the tile that a config says."""
    channels, columns = config.ints("tile", 2)
    return ConvTile(channels, columns, min(machine.lanes(element_bytes), channels), channels)


def sum_knobs(
    kernel: KernelOp,
    conv: ConvOp | ConvTransposeOp,
    shape: Sequence[int],
    machine: Machine,
    given: ConfigAttr,
) -> Mapping[str, Sequence[Knob]]:
    """Choose tile, packing, and order of the loops.

    - ``tile``: channels and pixels of a row whose sums are in registers at a time
    - ``pack``: channels that lie side by side in the filter; without it the filter stays as it is
    - ``parts``: the equal parts of the channels that are filled up with zeros to ``pack`` each
    - ``order``: the loops over tiles of pixels ``x``, rows ``y`` and tiles of channels ``c``,
      innermost first; not of a convolution of several groups
    """
    sums = ConvSums.of(conv, shape)
    knobs: dict[str, Sequence[Knob]] = {"tile": given.values("tile")}
    if sums.groups == 1:
        knobs["order"] = sums.order(machine, shape[-3] if len(shape) > 3 else 1)
    parts, packed = _filled_up(conv)
    if not given.values("tile") and _is_packable(kernel, conv):
        stored = sums.stored_tile(machine)
        if stored.filled_up and prod(shape_of(conv.filter.type)[:-1]) > 1:
            parts, packed = sums.channels * sums.groups // stored.used, stored.channels
            knobs |= {"pack": (packed,), "parts": (parts,)}
    if parts:
        tile = whole_tile(machine, sums.sum_bytes, packed, sums.width)
        knobs["tile"] = tile.channels, tile.columns
        return knobs
    if not given.values("tile"):
        tile = sums.tile(machine)
        knobs["tile"] = tile.channels, tile.columns
    if _is_packable(kernel, conv) and not sums.stored_tile(machine).filled_up:
        stored = sums.stored_tile(machine)
        channels = stored.channels
        if given.values("tile"):
            channels = given.ints("tile")[0]
        if sums.channels % stored.lanes == 0:
            # Tiles that do not divide the channels overlap, and by whole vectors.
            knobs["pack"] = (stored.lanes if sums.channels % channels else channels,)
    return knobs


def sum_space(conv: ConvOp | ConvTransposeOp, shape: Sequence[int], machine: Machine) -> Space:
    """Return the values that the knobs of ``sum_knobs`` may have."""
    sums = ConvSums.of(conv, shape)
    tiles = possible_tiles(machine, sums.sum_bytes, sums.channels, sums.width)
    channels = sorted({tile.channels for tile in tiles if sums.channels % tile.channels == 0})
    space: dict[str, Sequence[Sequence[Knob]]] = {
        "tile": [(tile.channels, tile.columns) for tile in tiles],
        "pack": [(), *((number,) for number in channels)],
    }
    if sums.groups == 1:
        space["order"] = [("x", "y", "c"), ("c", "x", "y"), ("x", "c", "y")]
    return space


def _filled_up(conv: ConvOp | ConvTransposeOp) -> tuple[int, int]:
    """Return the parts of a filter that is filled up already, and the channels of each."""
    if not conv.filled_up:
        return 0, 0
    parts, *_, packed = shape_of(conv.filter.type)
    return parts, packed


def _is_packable(kernel: KernelOp, conv: ConvOp | ConvTransposeOp) -> bool:
    """Tell whether a filter is a constant that the kernel reads once, and not packed yet."""
    return (
        isinstance(conv, ConvOp)
        and conv.is_kernel_in_out
        and isinstance(conv.filter, BlockArgument)
        and conv.filter.has_one_use()
        and isinstance(kernel.inputs[conv.filter.index].owner, ConstantOp)
    )
