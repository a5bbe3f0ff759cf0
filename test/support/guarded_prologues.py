"""Kernels with a prologue on guarded memory: a program that ends with a fault, or with 0."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from closeness import assert_close
from guarded_run import check_all, run_guarded

PRODUCTS = (
    (7, 3, 10),
    (13, 17, 33),
    (29, 9, 70),
    (49, 33, 144),
    (15, 64, 24),
    (196, 128, 200),
    (169, 288, 96),
    (130, 1024, 40),
    (75, 256, 520),
    (64, 31, 16),
)
"""Rows, inner extent and columns."""

CONVS = (
    (16, 40, 3, 1, 1, 14, 15),
    (5, 24, 3, 2, 1, 13, 9),
    (32, 17, 3, 1, 0, 23, 20),
    (12, 32, 1, 2, 0, 19, 18),
    (20, 48, 5, 1, 0, 40, 9),
    (64, 64, 3, 1, 1, 30, 30),
)
"""Channels read and made, window, stride and pads; rows and columns of the image."""

MACHINE = "host:cores=1:l1=32K:l2=128K"
"""Whatever this machine has, large images are computed in several blocks or bands."""


def product_text(rows: int, inner: int, columns: int, constant: bool) -> str:
    """A product of the positive part of a sum with a number for each row."""
    shapes = [f"{rows}x{inner}", f"{rows}x1", f"{inner}x{columns}", f"{rows}x{columns}"]
    a, z, b, d = (f"tensor<{shape}xf32>" for shape in shapes)
    weights = f"%b = nn.constant #nn.dense<0.5 : {b}>" if constant else ""
    return f"""
    func.func @main(%a: {a}, %z: {z}{"" if constant else f", %b: {b}"}) -> {d} {{
      {weights}
      %y = nn.kernel(%a, %z, %b) {{config = #nn.config<gemm>}} : ({a}, {z}, {b}) -> {d} {{
      ^bb0(%k: {a}, %l: {z}, %m: {b}):
        %s = nn.add %k, %l : ({a}, {z}) -> {a}
        %r = nn.relu %s : ({a}) -> {a}
        %p = nn.matmul %r, %m : ({a}, {b}) -> {d}
        nn.yield %p : {d}
      }}
      func.return %y : {d}
    }}"""


def check_product(folder: Path, rows: int, inner: int, columns: int, constant: bool) -> None:
    """Compile a product and call it on guarded memory."""
    text = product_text(rows, inner, columns, constant)
    a, z, b, result = run_guarded(text, MACHINE, folder)
    plain = b if b.ndim == 2 else b.transpose(1, 0, 2).reshape(inner, -1)[:, :columns]
    assert_close(result, np.maximum(a + z, 0) @ plain)


def conv_text(
    inputs: int, outputs: int, window: int, stride: int, pad: int, rows: int, columns: int
) -> str:
    """A convolution of the positive part of an image."""
    height, width = ((n + 2 * pad - window) // stride + 1 for n in (rows, columns))
    x = f"tensor<1x{rows}x{columns}x{inputs}xf32>"
    w = f"tensor<{window}x{window}x{inputs}x{outputs}xf32>"
    y = f"tensor<1x{height}x{width}x{outputs}xf32>"
    return f"""
    func.func @main(%x: {x}) -> {y} {{
      %w = nn.constant #nn.dense<0.5 : {w}>
      %y = nn.kernel(%x, %w) {{config = #nn.config<direct_conv>}} : ({x}, {w}) -> {y} {{
      ^bb0(%k: {x}, %l: {w}):
        %r = nn.relu %k : ({x}) -> {x}
        %v = nn.conv %r, %l {{strides = array<i64: {stride}, {stride}>,
          pads = array<i64: {pad}, {pad}, {pad}, {pad}>, dilations = array<i64: 1, 1>,
          layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>}}
          : ({x}, {w}) -> {y}
        nn.yield %v : {y}
      }}
      func.return %y : {y}
    }}"""


def check_conv(folder: Path, *shape: int) -> None:
    """Compile a convolution and call it on guarded memory."""
    _, outputs, window, stride, pad, _, _ = shape
    image, packed, result = run_guarded(conv_text(*shape), MACHINE, folder)
    # Tiles of channels, window, inputs, channels of a tile, and some that fill it up.
    used = packed[..., : outputs // packed.shape[0]]
    filter_ = np.moveaxis(used, 0, 3).reshape(window, window, image.shape[-1], -1)
    sides = ((0, 0), (pad, pad), (pad, pad), (0, 0))
    padded = np.pad(np.maximum(image, 0), sides).astype(np.float64)
    expected = np.zeros(result.shape)
    height, width = result.shape[1:3]
    for ky in range(window):
        for kx in range(window):
            part = padded[:, ky:, kx:][:, ::stride, ::stride][:, :height, :width]
            expected += part @ filter_[ky, kx]
    assert_close(result, expected.astype(np.float32))


def main(arguments: Sequence[str]) -> int:
    """Check all shapes in a folder: products with a right-hand side that is packed, or plain."""
    (folder,) = arguments
    path = Path(folder)
    check_all(PRODUCTS, partial(check_product, constant=True), path / "packed")
    check_all(PRODUCTS, partial(check_product, constant=False), path / "plain")
    check_all(CONVS, check_conv, path / "conv")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
