"""The loops of a Winograd convolution over bands of rows and blocks of channels, and what is in
which.

All output channels of a group read the same inputs, so these are transformed once for a band. Where
there are several groups, blocks of channels are whole groups, which read inputs of their own. Then
blocks are the outermost loop, unless cores have a band each.
"""

from __future__ import annotations

from dataclasses import dataclass

from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.machine import Machine
from autodeploy.templates.view import PipelineView, element_bytes, loop_extents


@dataclass(frozen=True)
class WinogradLoops:
    """The loops ``cb`` over blocks of output channels and ``yb`` over bands of tile rows."""

    order: tuple[str, str]
    """Both, innermost first."""
    inputs: int
    """The input channels that are transformed at a time."""
    inputs_loop: str
    """The loop in which they are."""
    image_loop: str
    """The loop in which the image is padded or computed, as far as it is read there."""
    image_bands: int
    """The bands that are read there."""
    fetching: int
    """The image tiles that fetch one panel of the filter ahead."""
    next_channels: int
    """How many channels further on that panel is; 0 where it is that of the next point."""

    @staticmethod
    def of(view: PipelineView, config: ConfigAttr, machine: Machine) -> WinogradLoops:
        """Return the loops of a pipeline."""
        data, (update,) = view.funcs["input_tiles"], view.updates[view.funcs["sums"]]
        (inner,) = loop_extents(update).values()
        groups = data.known_extents[0] // inner
        outputs, width, height, _ = view.extents
        m, points = (view.funcs[name].known_extents[2] for name in ("output_tiles", "input_tiles"))
        rows, channels = config.number("rows"), config.number("channels")
        bands, columns = -(-height // (m * rows)), -(-width // m)
        tiles = rows * columns
        if groups == 1:
            return WinogradLoops(("cb", "yb"), inner, "yb", "yb", 1, tiles, 0)
        inputs = inner * groups * channels // outputs
        if config.values("parallel") == ("y",):
            return WinogradLoops(("cb", "yb"), inputs, "cb", "cb", 1, tiles, channels)
        beyond = points - m
        pixels = (bands * rows * m + beyond) * (columns * m + beyond)
        if pixels * inputs * element_bytes(data) > machine.resident_bytes:
            return WinogradLoops(("yb", "cb"), inputs, "yb", "yb", 1, tiles * bands, channels)
        # Bands of a block that stays near read some rows twice, which are padded once.
        return WinogradLoops(("yb", "cb"), inputs, "yb", "cb", bands, tiles * bands, channels)

    @property
    def of_groups(self) -> bool:
        """Return whether blocks are whole groups of several."""
        return self.next_channels > 0
