"""Contractions that sum in a wider type than that of their operands, and keep it in the result."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from text_program import compile_text

DTYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32}

TYPES = [  # of operands, sums and result
    ("f16", "", "f32"),
    ("f16", "f32", "f32"),
    ("f16", "f64", "f16"),
    ("f32", "f64", "f64"),
    ("f32", "f64", "f32"),
    ("i8", "i32", "i32"),
]

CONV = "strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: "
KINDS = {  # op, its properties, extents of its operands and its result
    "conv": ("conv", CONV + "1, 1, 1, 1>", (1, 16, 9, 10), (24, 16, 3, 3), 1, (1, 24, 9, 10)),
    "flat": ("conv", CONV + "0, 0, 0, 0>", (1, 40, 6, 7), (24, 40, 1, 1), 1, (1, 24, 6, 7)),
    "gemm": ("matmul", "", (7, 100), (100, 40), 1, (7, 40)),
    "gemv": ("matmul", "", (1, 100), (100, 40), 1, (1, 40)),
}


def text(kind: str, operands: str, sums: str, result: str, arrays: list[np.ndarray]) -> str:
    """Return a function of x, with constant weights and bias, and a relu behind."""
    op, properties, *_, extents = KINDS[kind]
    properties += f"{', ' * bool(properties and sums)}accumulator = {sums}" if sums else ""
    x, w = (f"tensor<{'x'.join(map(str, a.shape))}x{operands}>" for a in arrays[:2])
    b = f"tensor<{arrays[2].size}x{result}>"
    y = f"tensor<{'x'.join(map(str, extents))}x{result}>"
    numbers = [f'"0x{array.tobytes().hex()}"' for array in arrays]
    return f"""
    func.func @main(%x: {x}) -> {y} {{
      %w = nn.constant #nn.dense<{numbers[1]} : {w}>
      %b = nn.constant #nn.dense<{numbers[2]} : {b}>
      %v = nn.{op} %x, %w, %b {{{properties}}} : ({x}, {w}, {b}) -> {y}
      %y = nn.relu %v : ({y}) -> {y}
      func.return %y : {y}
    }}"""


def random(shape: tuple[int, ...], element: str, seed: int) -> np.ndarray:
    draw = np.random.default_rng(seed)
    if element.startswith("i"):
        return draw.integers(-128, 128, shape).astype(DTYPES[element])
    return draw.normal(size=shape).astype(DTYPES[element])


def reference(kind: str, x: np.ndarray, w: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Sum in double precision, or in 64-bit integers."""
    wide = np.int64 if x.dtype.kind == "i" else np.float64
    x, w, bias = (array.astype(wide) for array in (x, w, bias))
    if w.ndim == 2:
        return np.maximum(x @ w + bias, 0)
    pad = w.shape[-1] // 2
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], (2, 3))
    sums = np.einsum("nchwij,ocij->nohw", windows, w)
    return np.maximum(sums + bias[:, None, None], 0)


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize(("operands", "sums", "result"), TYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_sums_have_the_digits_of_their_own_type(
    tmp_path: Path, kind: str, operands: str, sums: str, result: str, level: int
):
    _, _, x, w, _, extents = KINDS[kind]
    outputs = extents[1]
    arrays = [random(x, operands, 0), random(w, operands, 1), random((outputs,), result, 2)]
    with compile_text(text(kind, operands, sums, result, arrays), tmp_path, level) as session:
        (found,) = session.run(arrays[0]).values()
    expected = reference(kind, *arrays)
    assert found.dtype == DTYPES[result]
    if result.startswith("i"):
        np.testing.assert_array_equal(found, expected)
        return
    # As many digits as the sums have, or the result, where that has fewer.
    narrower = min((sums or "f32", result), key=lambda name: int(name[1:]))
    tolerance = 64 * float(np.finfo(DTYPES[narrower]).eps)
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * expected.max())
