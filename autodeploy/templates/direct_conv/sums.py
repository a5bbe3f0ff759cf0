"""The sums of a convolution: what its rules take of an ``nn.conv`` or an ``nn.conv_transpose``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from xdsl.ir import BlockArgument

from autodeploy.dialects.nn.base import MovementOp, ints
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import input_layout, spatial_axes
from autodeploy.dialects.nn.movement import ReshapeOp
from autodeploy.dialects.nn.transposed import ConvTransposeOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, element_of, shape_of
from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.tile import ConvTile
from autodeploy.templates.view import STORED_WORK


@dataclass(frozen=True)
class ConvSums:
    """The sums of a convolution whose result is channels last."""

    channels: int
    """Output channels of a group."""
    width: int
    """Pixels of a row."""
    height: int
    rows: int
    """Rows of all images."""
    taps: tuple[int, ...]
    """Extents of the loops over a sum, innermost first; the first one is over inputs."""
    inputs: int
    """Input channels of a group."""
    groups: int
    stored_bytes: int
    """Bytes of an element of the filter."""
    sum_bytes: int
    """Bytes of a sum in a register."""
    kept_bytes: int
    """Bytes of the image that the kernel pads or computes; 0 where it is read as it lies."""
    transposed: bool
    shuffles: frozenset[int]
    """What the places of shuffled channels are remainders by."""
    packable: bool
    """Whether the filter is a constant that the kernel reads once, and not packed yet."""
    packed: int
    """Channels that lie side by side in a packed filter; 0 of another one."""
    parts: int
    """The parts of the channels of a filter that is filled up; 0 of another one."""
    work: int
    """Updates of the kernel, those that store results included (``PipelineView.work``)."""

    @staticmethod
    def of(kernel: KernelOp, conv: ConvOp | ConvTransposeOp, shape: Sequence[int]) -> ConvSums:
        """Return the sums of a convolution in a kernel whose result has a shape."""
        *rows, width, outputs = shape
        _, inputs, window = conv.filter_shape
        transposed = isinstance(conv, ConvTransposeOp)
        groups = 1 if transposed else conv.groups.value.data
        taps = (inputs, *reversed(conv.taps if transposed else window))
        tiling = None if conv.filter_layout is None else conv.filter_layout.tiling
        stored = shape_of(conv.filter.type)
        summed = stored[0] * stored[-1] if conv.filled_up else outputs
        return ConvSums(
            outputs // groups,
            width,
            shape[-3] if len(shape) > 3 else 1,
            prod(rows),
            taps if transposed else tuple(n for n in taps if n > 1),
            inputs,
            groups,
            ELEMENT_BYTES[element_of(conv.x.type)],
            ELEMENT_BYTES[conv.sum_element],
            _kept_bytes(kernel, conv),
            transposed,
            _shuffles(conv),
            isinstance(conv, ConvOp) and _is_packable(kernel, conv),
            0 if tiling is None else stored[-1],
            stored[0] if conv.filled_up else 0,
            prod(rows) * width * (summed * prod(taps) + outputs * STORED_WORK),
        )

    @property
    def steps(self) -> int:
        """The steps of a sum."""
        return prod(self.taps)

    @property
    def inner(self) -> int:
        """The steps of a sum; 0 where there are several groups, computed one after the other."""
        return self.steps if self.groups == 1 else 0

    def packed_by(self, config: ConfigAttr) -> ConvSums:
        """Return the sums as the filter will be packed."""
        if not self.packable:
            return self
        return replace(self, packed=config.number("pack"), parts=config.number("parts"))


def tile_of(config: ConfigAttr, machine: Machine, element_bytes: int) -> ConvTile:
    """Return the tile that a config says."""
    channels, columns = config.ints("tile", 2)
    return ConvTile(channels, columns, min(machine.lanes(element_bytes), channels), channels)


def is_channels_first(config: ConfigAttr) -> bool:
    """Tell whether all channels of some pixels are computed in turn."""
    return config.values("order")[:1] == ("c",)


def is_channels_last(config: ConfigAttr) -> bool:
    """Tell whether the loop over tiles of channels is outermost, around that over all pixels."""
    return config.values("order")[-1:] == ("c",)


def _kept_bytes(kernel: KernelOp, conv: ConvOp | ConvTransposeOp) -> int:
    """Return the bytes of the image that the kernel pads or computes."""
    pads = conv.reach if isinstance(conv, ConvTransposeOp) else ints(conv.pads)
    shape = list(shape_of(conv.x.type))
    if any(pads):
        for i, axis in enumerate(spatial_axes(input_layout(conv.layout), len(shape))):
            shape[axis] += pads[i] + pads[len(shape) - 2 + i]
        return prod(shape) * ELEMENT_BYTES[conv.sum_element]
    computed = kernel.has_prologue and conv is kernel.anchor
    return prod(shape) * ELEMENT_BYTES[element_of(conv.x.type)] if computed else 0


def _shuffles(conv: ConvOp | ConvTransposeOp) -> frozenset[int]:
    """Return what the places of channels are remainders by; nothing where they are in order."""
    found: set[int] = set()
    value = conv.x
    while not isinstance(value, BlockArgument) and isinstance(value.owner, MovementOp):
        op, value = value.owner, value.owner.operands[0]
        if isinstance(op, ReshapeOp) and len(shape_of(value.type)) > len(shape_of(op.result.type)):
            found.add(shape_of(value.type)[-1])
    return frozenset(found)


def _is_packable(kernel: KernelOp, conv: ConvOp) -> bool:
    return (
        conv.is_kernel_in_out
        and isinstance(conv.filter, BlockArgument)
        and conv.filter.has_one_use()
        and isinstance(kernel.inputs[conv.filter.index].owner, ConstantOp)
    )
