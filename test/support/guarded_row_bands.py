"""Chains in bands of rows as kernels on guarded memory: ends with a fault, or with 0."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from configured import Write
from guarded_run import call_guarded, check_all, fused
from merged import row_bands

SHAPES = (
    (16, 40, 24, 31, 37, 1, 0, 3),
    (3, 32, 16, 30, 29, 2, 1, 4),
    (8, 24, 7, 23, 42, 2, 1, 1),
    (5, 17, 33, 36, 19, 1, 1, 5),
    (4, 96, 40, 9, 15, 1, 1, 100),
)
"""Channels read, between and of the result; rows, columns, stride and pads; rows of a band."""

MACHINE = "host:cores=1"


def module_text(
    inputs: int, wide: int, outputs: int, height: int, width: int, stride: int, pad: int
) -> str:
    """A 1x1, a depthwise 3x3 and a 1x1 convolution."""
    below, across = ((n + 2 * pad - 3) // stride + 1 for n in (height, width))
    x, e = (f"tensor<1x{height}x{width}x{n}xf32>" for n in (inputs, wide))
    d, y = (f"tensor<1x{below}x{across}x{n}xf32>" for n in (wide, outputs))
    filters = (f"tensor<1x1x{inputs}x{wide}xf32>", f"tensor<3x3x1x{wide}xf32>")
    filters += (f"tensor<1x1x{wide}x{outputs}xf32>",)
    attributes = """dilations = array<i64: 1, 1>,
      layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>"""
    single = f"{{strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, {attributes}}}"
    pads = f"pads = array<i64: {pad}, {pad}, {pad}, {pad}>, groups = {wide} : i64"
    window = f"{{strides = array<i64: {stride}, {stride}>, {pads}, {attributes}}}"
    constants = "\n".join(
        f"%w{i} = nn.constant #nn.dense<0.5 : {w}>" for i, w in enumerate(filters)
    )
    return f"""
    func.func @main(%x: {x}) -> {y} {{
      {constants}
      %e = nn.conv %x, %w0 {single} : ({x}, {filters[0]}) -> {e}
      %d = nn.conv %e, %w1 {window} : ({e}, {filters[1]}) -> {d}
      %y = nn.conv %d, %w2 {single} : ({d}, {filters[2]}) -> {y}
      func.return %y : {y}
    }}"""


def check(folder: Path, *shape: int) -> None:
    """Compile a chain and call it on guarded memory."""
    *extents, rows = shape
    step = Write(row_bands(rows))
    module = fused(module_text(*extents), step, MACHINE)
    result = call_guarded(module, MACHINE, folder, np.ones)[-1]
    wide, height, width, stride, pad = extents[1], *extents[3:]
    taps = [
        [sum(0 <= at * stride + k - pad < n for k in range(3)) for at in range(found)]
        for n, found in zip((height, width), result.shape[1:3], strict=True)
    ]
    # All is 1, the filters' zeros that fill up tiles too.
    expected = np.multiply.outer(*map(np.array, taps)) * float(extents[0] * wide)
    np.testing.assert_array_equal(result, np.broadcast_to(expected[None, :, :, None], result.shape))


def main(arguments: Sequence[str]) -> int:
    """Check all shapes in a folder."""
    (folder,) = arguments
    check_all(SHAPES, check, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
