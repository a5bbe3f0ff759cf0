"""The products of a Winograd convolution, as the rules see them."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from autodeploy.analysis.least_shapes import result_shapes
from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.extent_attr import axes_of_type
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.types import ELEMENT_BYTES, bounds_of
from autodeploy.dialects.nn.winograd import WINOGRAD
from autodeploy.templates.dots import packed_bytes
from autodeploy.templates.view import STORED_WORK
from autodeploy.templates.winograd.blocks import WinogradShape


@dataclass(frozen=True)
class WinogradProducts:
    """Rows and columns of tiles of one image, and the products of each point."""

    tile_rows: int
    tile_columns: int
    width: int
    points: int
    """Points of a transformed tile, of both axes together."""
    inputs: int
    outputs: int
    stored_bytes: int
    sum_bytes: int
    kept: bool
    """Whether the kernel pads the image."""
    packed: int
    """Output channels that lie side by side in a transformed filter; 0 of another one."""
    is_open: bool
    """Whether only a run knows how many tiles there are."""
    runs: tuple[tuple[int, int], ...]
    """Rows and columns of tiles that runs have, from the least to the largest."""
    dot: int
    """Neighbours of the input channels that an instruction sums; ``inputs`` counts dots."""
    work: int
    """Updates of the kernel, those that store results included (``PipelineView.work``)."""

    def shape(self, tile_channels: int) -> WinogradShape:
        """Return the sizes of the convolution, with as many channels to a tile."""
        return WinogradShape(
            self.tile_rows,
            self.tile_columns,
            self.points,
            self.inputs,
            self.outputs,
            tile_channels,
            self.sum_bytes,
        )

    @staticmethod
    def of(kernel: KernelOp, m: int, dot: int = 1) -> WinogradProducts:
        """Return the products of a convolution by F(m x m, 3 x 3), which sums dots."""
        conv = kernel.anchor
        assert isinstance(conv, ConvOp)
        batch, height, width, outputs = bounds_of(conv.result.type)
        _, *extents, channels = bounds_of(conv.x.type)
        inputs = channels // dot
        rows, columns = -(-height // m), -(-width // m)
        points = WINOGRAD[m].points ** 2
        # The last tiles reach beyond the end.
        needed = (rows * m + 2, columns * m + 2)
        beyond = any(
            need > pad + extent
            for need, pad, extent in zip(needed, ints(conv.pads), extents, strict=False)
        )
        is_open = has_open_pixels(kernel)
        tiling = None if conv.filter_layout is None else conv.filter_layout.tiling
        return WinogradProducts(
            rows,
            columns,
            width,
            points,
            inputs,
            outputs,
            packed_bytes(conv),
            ELEMENT_BYTES[conv.sum_element],
            beyond or is_open or any(ints(conv.pads)[:2]),
            tiling.size if conv.winograd is not None and tiling is not None else 0,
            is_open,
            tuple((-(-run[1] // m), -(-run[2] // m)) for run in result_shapes(kernel)),
            dot,
            batch * points * rows * columns * outputs * inputs
            + prod((batch, height, width, outputs)) * STORED_WORK,
        )


def has_open_pixels(kernel: KernelOp) -> bool:
    """Tell whether only a run knows how many rows or columns the result has."""
    axes = [axes_of_type(value.type) for value in kernel.outputs]
    return bool(axes) and any(axes[0][1:3])
