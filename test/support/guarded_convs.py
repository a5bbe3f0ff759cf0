"""Convolutions as kernels on guarded memory: ends with a fault, or with 0."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from closeness import assert_close
from guarded_run import check_all, run_guarded

MACHINE = "host:cores=1:l1=8K:l2=32K"
"""Whatever this machine has, filters do not stay in the caches."""

SHAPES = (
    (16, 64, 3, 1, 9, 14),
    (128, 64, 3, 2, 7, 7),
    (100, 64, 3, 1, 7, 7),
    (64, 160, 1, 2, 8, 14),
    (32, 96, 3, 1, 5, 28),
    (18, 96, 3, 1, 7, 14),
    (16, 100, 3, 1, 7, 17),
    (300, 48, 3, 1, 4, 9),
    (1297, 32, 1, 1, 3, 5),
)
"""Input channels, output channels, window, stride, height and width of the result."""


def module_text(
    inputs: int, outputs: int, window: int, stride: int, height: int, width: int
) -> str:
    """A convolution of a constant filter, as one kernel; nothing is padded."""
    rows, columns = ((n - 1) * stride + window for n in (height, width))
    x = f"tensor<1x{rows}x{columns}x{inputs}xf32>"
    w = f"tensor<{window}x{window}x{inputs}x{outputs}xf32>"
    y = f"tensor<1x{height}x{width}x{outputs}xf32>"
    return f"""
    func.func @main(%x: {x}) -> {y} {{
      %w = nn.constant #nn.dense<0.5 : {w}>
      %y = nn.kernel(%x, %w) {{config = #nn.config<direct_conv>}} : ({x}, {w}) -> {y} {{
      ^bb0(%k: {x}, %l: {w}):
        %v = nn.conv %k, %l {{strides = array<i64: {stride}, {stride}>,
          pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>,
          layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>}}
          : ({x}, {w}) -> {y}
        nn.yield %v : {y}
      }}
      func.return %y : {y}
    }}"""


def check(folder: Path, *shape: int) -> None:
    """Compile a convolution and call it on guarded memory."""
    inputs, outputs, window, stride, height, width = shape[:6]
    image, packed, result = run_guarded(module_text(*shape), MACHINE, folder)
    # Tiles of channels, window, inputs, channels of a tile, and some that fill it up.
    filter_ = packed
    if packed.ndim > 4:
        used = packed[..., : outputs // packed.shape[0]]
        filter_ = np.moveaxis(used, 0, 3).reshape(window, window, inputs, -1)
    expected = np.zeros((1, height, width, outputs))
    for ky in range(window):
        for kx in range(window):
            part = image[:, ky:, kx:][:, ::stride, ::stride][:, :height, :width]
            expected += part.astype(np.float64) @ filter_[ky, kx]
    assert_close(result, expected.astype(np.float32))


def main(arguments: Sequence[str]) -> int:
    """Check all shapes in a folder."""
    (folder,) = arguments
    check_all(SHAPES, check, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
