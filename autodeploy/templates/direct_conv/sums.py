"""The sums of a convolution: what its rules take of an ``nn.conv`` or an ``nn.conv_transpose``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.layout import input_layout, spatial_axes
from autodeploy.dialects.nn.transposed import ConvTransposeOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, bounds_of, element_of
from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.tile import ConvTile, Widths
from autodeploy.templates.dots import least_vectors, neighbours, packed_bytes
from autodeploy.templates.packing import is_own_constant
from autodeploy.templates.view import STORED_WORK


@dataclass(frozen=True)
class ConvSums:
    """The sums of a convolution whose result is channels last."""

    channels: int
    """Output channels of a group."""
    widths: Widths
    """Pixels of a row in some runs, the fewest first."""
    height: int
    """Rows of an image, the fewest that a run may have."""
    rows: int
    """Rows of all images."""
    fewest_rows: int
    """Rows of all images, the fewest that a run may have: with these the filter is waited for the
    longest."""
    taps: tuple[int, ...]
    """Extents of the loops over a sum, innermost first; the first one is over inputs, unless the
    image is copied by ``tile_groups``."""
    row_taps: int
    """Taps of the window along a row."""
    inputs: int
    """Input channels of a group."""
    groups: int
    stored_bytes: int
    """Bytes of an element of the filter."""
    sum_bytes: int
    """Bytes of a sum in a register."""
    image_bytes: int
    """Bytes of the padded image."""
    image_row_bytes: int
    """Bytes of a row of it."""
    row_step: int
    """Rows of the image from what a row of the result reads to what the next one does."""
    rows_read: int
    """Rows of the image that a row of the result reads, with those that it leaves out."""
    pixel_bytes: int
    """Bytes of the image from what a pixel reads to what the next one does."""
    kept_bytes: int
    """Bytes of the image that the kernel pads or copies; 0 where it is read in place."""
    padded: bool
    """Whether the image is padded."""
    transposed: bool
    spread: int
    """Pixels of a row that read the same inputs, each with weights of its own: the stride of a
    transposed convolution, else 1."""
    packable: bool
    """Whether the filter is a constant that the kernel reads once, and not packed yet."""
    packed: int
    """Channels that lie side by side in a packed filter; 0 of another one."""
    parts: int
    """The parts of the channels of a filter that is filled up; 0 of another one."""
    interleaved: int
    """The groups of a tile of a packed filter that are interleaved; 1 of another one."""
    open_pixels: bool
    """Whether only a run knows how many pixels an image has."""
    work: int
    """Updates of the kernel, those that store results included (``PipelineView.work``)."""
    narrow: bool = False
    """Whether the filter has a narrower type than the sums."""
    dot: int = 1
    """Neighbours among the inputs that one instruction sums; ``taps`` and ``inputs`` count them as
    one."""
    least_vectors: int = 1
    """Vectors of channels that a tile of dots should have at least."""

    @staticmethod
    def of(
        kernel: KernelOp,
        conv: ConvOp | ConvTransposeOp,
        shape: Sequence[int],
        of_runs: Sequence[Sequence[int]] = (),
        dot: int = 1,
    ) -> ConvSums:
        """Return the sums of a convolution in a kernel whose result has a shape.

        ``of_runs`` are the shapes in some runs, the least first, where an extent is open. ``dot``
        neighbours among the inputs are summed at once.
        """
        runs = of_runs or (shape,)
        *rows, width, outputs = shape
        *_, fewest_rows, _, _ = (1, *runs[0])
        _, inputs, window = conv.filter_shape
        transposed = isinstance(conv, ConvTransposeOp)
        groups = 1 if transposed else conv.groups.value.data
        steps = -(-inputs // dot)
        taps = (steps, *reversed(conv.taps if transposed else window))
        if not transposed:
            first = taps[:1] if taps[0] > 1 or dot > 1 else ()
            taps = (*first, *(n for n in taps[1:] if n > 1))
        layout, stored = conv.filter_layout, bounds_of(conv.filter.type)
        tiling = None if layout is None else layout.tiling
        packed = 0 if layout is None else layout.width(stored)
        summed = stored[0] * packed if conv.filled_up else outputs
        return ConvSums(
            outputs // groups,
            tuple(run[-2] for run in runs),
            fewest_rows if len(shape) > 3 else 1,
            prod(rows),
            prod(runs[0][:-2]),
            taps
            if transposed
            else tuple(n for i, n in enumerate(taps) if n > 1 or i == 0 < dot - 1),
            window[-1],
            steps,
            groups,
            packed_bytes(conv),
            ELEMENT_BYTES[conv.sum_element],
            prod(_padded_shape(conv)) * ELEMENT_BYTES[conv.sum_element],
            prod(_padded_shape(conv)[-2:]) * ELEMENT_BYTES[conv.sum_element],
            *_rows_read(conv),
            _pixel_bytes(conv),
            _kept_bytes(conv, dot),
            any(_pads(conv)),
            transposed,
            ints(conv.strides)[-1] if transposed and ints(conv.dilations)[-1] == 1 else 1,
            isinstance(conv, ConvOp) and is_packable(kernel, conv),
            packed,
            stored[0] if conv.filled_up else 0,
            1 if tiling is None else tiling.groups,
            tuple(runs[0][1:]) != tuple(shape[1:]),
            prod(rows) * width * (summed * prod(taps) + outputs * STORED_WORK),
            conv.has_narrow_weights,
            dot,
            least_vectors(conv) if dot > 1 else 1,
        )

    @property
    def width(self) -> int:
        """The pixels of a row, the fewest that a run may have."""
        return self.widths[0]

    @property
    def steps(self) -> int:
        """The steps of a sum."""
        return prod(self.taps)

    @property
    def inner(self) -> int:
        """The steps of a sum; 0 where there are several groups, computed one after the other."""
        return self.steps if self.groups == 1 else 0

    @property
    def tile_groups(self) -> int:
        """The groups of a packed tile, where its part of the image is copied; else 0.

        That is a tile of several groups, or one of a padded image.
        """
        whole = self.packed == self.channels * self.interleaved and not self.parts
        if self.groups == 1 or self.inputs == 1 or not whole:
            return 0
        return self.interleaved if self.interleaved > 1 or self.padded else 0

    def packed_by(self, config: ConfigAttr) -> ConvSums:
        """Return the sums as the filter will be packed."""
        return self.packed_as(config.number("pack"), config.number("parts"))

    def packed_as(self, pack: int, parts: int) -> ConvSums:
        """Return the sums as with a filter packed by the values of these knobs, if it may be."""
        packed = self
        if self.packable:
            groups = pack // self.channels if pack % self.channels == 0 and not parts else 1
            packed = replace(self, packed=pack, parts=parts, interleaved=max(groups, 1))
        if not packed.tile_groups:
            return packed
        return replace(packed, taps=self.taps_of_groups, kept_bytes=self.image_bytes)

    @property
    def taps_of_groups(self) -> tuple[int, ...]:
        """The loops over a sum where the image is copied by ``tile_groups``."""
        if self.inputs == 1 or self.row_taps == 1:
            return self.taps
        inputs, columns, *rows = self.taps
        return (columns, inputs, *rows)


def conv_dot(machine: Machine, kernel: KernelOp, conv: ConvOp | ConvTransposeOp) -> int:
    """Return how many neighbours among the inputs a step sums: those of a packed filter.

    There are none of filters of several groups.
    """
    if not isinstance(conv, ConvOp) or conv.groups.value.data > 1:
        return 1
    if not is_packable(kernel, conv):
        return 1 if conv.filter_layout is None else conv.filter_layout.dot
    dot = neighbours(machine, conv)
    # Zeros fill up the inputs to whole dots.
    few = conv.filter_shape[1] * 2 <= dot
    return 1 if few and not machine.has_vectors else dot


def tile_of(config: ConfigAttr, machine: Machine, element_bytes: int) -> ConvTile:
    """Return the tile that a config says."""
    channels, columns = config.ints("tile", 2)
    return ConvTile(channels, columns, min(machine.lanes(element_bytes), channels), channels)


def is_channels_last(config: ConfigAttr) -> bool:
    """Tell whether the loop over tiles of channels is outermost, around that over all pixels."""
    return config.values("order")[-1:] == ("c",)


def _pads(conv: ConvOp | ConvTransposeOp) -> Sequence[int]:
    return conv.reach if isinstance(conv, ConvTransposeOp) else ints(conv.pads)


def _padded_shape(conv: ConvOp | ConvTransposeOp) -> list[int]:
    pads, shape = _pads(conv), list(bounds_of(conv.x.type))
    for i, axis in enumerate(spatial_axes(input_layout(conv.layout), len(shape))):
        shape[axis] += pads[i] + pads[len(shape) - 2 + i]
    return shape


def _rows_read(conv: ConvOp | ConvTransposeOp) -> tuple[int, int]:
    """Return the rows of the image from a row of the result to the next, and those that one reads.

    A transposed convolution reads fewer than it steps; it counts as if it read each row once.
    """
    _, _, window = conv.filter_shape
    if isinstance(conv, ConvTransposeOp) or len(window) < 2:
        return 1, 1
    step, apart = ints(conv.strides)[-2], ints(conv.dilations)[-2]
    return step, (window[-2] - 1) * apart + 1


def _pixel_bytes(conv: ConvOp | ConvTransposeOp) -> int:
    """Return the bytes of the image from what a pixel reads to what the next one does."""
    step = 1 if isinstance(conv, ConvTransposeOp) else ints(conv.strides)[-1]
    return step * bounds_of(conv.x.type)[-1] * ELEMENT_BYTES[element_of(conv.x.type)]


def _kept_bytes(conv: ConvOp | ConvTransposeOp, dot: int) -> int:
    """Return the bytes of the image that the kernel pads, in whole dots."""
    pads = any(_pads(conv)) or conv.filter_shape[1] % dot
    return prod(_padded_shape(conv)) * ELEMENT_BYTES[conv.sum_element] if pads else 0


def is_packable(kernel: KernelOp, conv: ConvOp) -> bool:
    """Return whether a filter K… I O is a constant that nothing else reads."""
    return conv.is_kernel_in_out and is_own_constant(kernel, conv.filter)
