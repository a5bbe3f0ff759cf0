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
    conv_tile,
    overlapping_tile,
    possible_tiles,
    whole_tile,
)


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
    """Choose tile and packing.

    - ``tile``: channels and pixels of a row whose sums are in registers at a time
    - ``pack``: channels that lie side by side in the filter; without it the filter stays as it is
    - ``parts``: the equal parts of the channels that are filled up with zeros to ``pack`` each
    """
    sums = ConvSums.of(conv, shape)
    knobs: dict[str, Sequence[Knob]] = {"tile": given.values("tile")}
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


def sum_space(
    conv: ConvOp | ConvTransposeOp, shape: Sequence[int], machine: Machine
) -> Mapping[str, Sequence[Sequence[Knob]]]:
    """Return the values that the knobs of ``sum_knobs`` may have."""
    sums = ConvSums.of(conv, shape)
    tiles = possible_tiles(machine, sums.sum_bytes, sums.channels, sums.width)
    channels = sorted({tile.channels for tile in tiles if sums.channels % tile.channels == 0})
    return {
        "tile": [(tile.channels, tile.columns) for tile in tiles],
        "pack": [(), *((number,) for number in channels)],
    }


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
