"""The knobs of the window template: the tile, the taps that are unrolled, the order of tiles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import prod

from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.nn.base import AnchorOp, ints
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.layout import CHANNELS_LAST, result_layout
from autodeploy.dialects.nn.types import MAX_RUN, bounds_of, element_of, sum_bytes
from autodeploy.dialects.nn.window import AveragePoolOp, PoolOp
from autodeploy.machine import Machine
from autodeploy.templates.space import Knobs, Space, powers
from autodeploy.templates.tiles import best_divisor
from autodeploy.templates.view import vector_lanes

MAX_PIXELS = 8
"""Pixels of a row in the rule's tile: more share no more taps."""

MAX_UNROLLED_TAPS = 50
"""The rule makes loops over the rows of larger windows, and tiles of several rows of smaller ones:
pixels share what unrolled windows load, but the code grows with the taps of all rows."""

MAX_UNROLLED_SCALAR_TAPS = 9
"""The same on machines without vectors, where code is to be small."""

MOST_PIXELS = 16
MOST_ROWS = 4
MOST_VECTORS = 4
"""The longest sides of a tile that may be."""

MOST_TAPS = 64
"""Taps that may be unrolled."""

AXES = ("c", "x", "y")
"""The axes of tiles."""


@dataclass(frozen=True)
class Windows:
    """Windows that are folded one by one, channels last."""

    shape: tuple[int, ...]
    """Extents of the result, innermost first: channels, pixels of a row, rows, … Of an open extent
    it is the least that a run may have."""
    spatial: int
    """How many of the axes behind the channels tiles may have."""
    taps: tuple[int, ...]
    """Extents of the loops over a window, innermost first."""
    sum_bytes: int
    """Bytes of what is folded in a register."""
    weighted: bool = False
    """Whether each tap has a weight, which the pixels of a tile share."""
    widened: bool = False
    """Whether the weights are narrower than what is folded."""

    @staticmethod
    def of(anchor: AnchorOp, shape: Sequence[int]) -> Windows | None:
        """Return the windows of a pool or a depthwise convolution whose kernel makes a shape.

        ``None`` where tiles of channels and pixels are not for them: for another layout, for
        windows of one tap, and for sums that are split as they would lose too much by rounding.
        """
        assert isinstance(anchor, ConvOp | PoolOp)
        folded = bounds_of(anchor.result.type)
        if result_layout(anchor.layout) != CHANNELS_LAST or len(shape) != len(folded):
            return None
        if isinstance(anchor, ConvOp):
            taps = tuple(n for n in reversed(anchor.filter_shape[2]) if n > 1)
        else:
            taps = tuple(reversed(ints(anchor.window)))
        split = isinstance(anchor, AveragePoolOp) and prod(taps) > MAX_RUN
        if not taps or split or len(shape) < 3:
            return None
        folds = sum_bytes(anchor.sum_element)
        sizes = tuple(reversed(shape)), len(shape) - 2, taps, folds
        if not isinstance(anchor, ConvOp):
            return Windows(*sizes)
        return Windows(*sizes, True, sum_bytes(element_of(anchor.operands[1].type)) < folds)

    @property
    def axes(self) -> Sequence[str]:
        """Return the axes of a tile."""
        return AXES[: 1 + self.spatial]

    def lanes(self, machine: Machine) -> int:
        """Return the elements of a vector of channels."""
        return vector_lanes(self.shape[0], machine.lanes(self.sum_bytes))


def window_knobs(machine: Machine, windows: Windows) -> Knobs:
    """Return the knobs that the rule chooses.

    - ``tile``: channels, pixels of a row and rows that are folded at a time
    - ``order``: the order of the loops over tiles, innermost first
    - ``unroll``: how many of the loops over a window are unrolled, from the innermost one

    Sums take a third of the registers. Those of products take half: products wait longer for each
    other than maxima and plain sums, and more pixels share a weight that is loaded. If the
    pixels leave room, several rows that divide the height share the elements that they read.
    Weights that are widened stay in registers along a row.
    """
    room = machine.vector_registers // (2 if windows.weighted else 3)
    pixels = best_divisor(windows.shape[1], min(MAX_PIXELS, room))
    most = MAX_UNROLLED_TAPS if machine.has_vectors else MAX_UNROLLED_SCALAR_TAPS
    taps, height = prod(windows.taps), windows.shape[2] if windows.spatial > 1 else 1
    several = range(2, min(MOST_ROWS, room // pixels) + 1)
    rows = max((n for n in several if height % n == 0 and taps * n <= most), default=1)
    wide = windows.lanes(machine)
    x, *others = windows.axes[1:]
    return {
        "tile": (wide, pixels, rows)[: len(windows.axes)],
        "order": (x, "c", *others) if windows.widened else tuple(windows.axes),
        "unroll": (len(windows.taps) if taps <= most else 1,),
    }


def window_space(machine: Machine, windows: Windows) -> Space:
    """Return the values of the knobs; a tile fits in the registers twice at the most."""
    lanes, (channels, width) = windows.lanes(machine), windows.shape[:2]
    height = windows.shape[2] if windows.spatial > 1 else 1
    tiles = [
        (wide, pixels, rows)
        for wide in powers(vector_lanes(channels, MOST_VECTORS * lanes))
        for pixels in range(1, max(1, min(width, MOST_PIXELS)) + 1)
        for rows in range(1, max(1, min(height, MOST_ROWS)) + 1)
        if -(-wide // lanes) * pixels * rows <= machine.vector_registers
    ]
    orders = [("c", "x", "y"), ("x", "c", "y"), ("x", "y", "c")]
    if windows.spatial == 1:
        tiles = [(wide, pixels) for wide, pixels, _ in tiles]
        orders = [("c", "x"), ("x", "c")]
    unrolled = range(len(windows.taps) + 1)
    space: Space = {
        "tile": tiles,
        "order": orders,
        "unroll": [(n,) for n in unrolled if n == 1 or prod(windows.taps[:n]) <= MOST_TAPS],
    }
    return space


def tile_of(config: ConfigAttr) -> dict[str, int]:
    """Return how long a tile is along each axis; raises ``VerifyException`` for wrong knobs."""
    axes, order = AXES[: len(config.values("tile"))], config.values("order")
    if len(axes) < 2 or sorted(map(str, order)) != sorted(axes):
        raise VerifyException(f"tile and order of windows have the same axes, found {config}")
    return dict(zip(axes, config.ints("tile", len(axes)), strict=True))


def unrolled_taps(taps: Mapping[str, int], config: ConfigAttr) -> Iterator[str]:
    """Return the loops over a window that are unrolled."""
    return islice(taps, config.number("unroll"))
