"""Floats of 16 bits on a device: the bits of results are those of the processor.

Kernels hold them as integers and compute in 32 bits, so a device needs no extension. Kernels for
CUDA are simulated.
"""

from __future__ import annotations

import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from closeness import assert_close
from fake_cuda import fake_cuda, needs_linux
from onnx import helper, numpy_helper
from opencl import needs_opencl
from own_numbers import OwnNumbers

import autodeploy

MACHINES = [
    pytest.param("host:device=cuda", marks=[needs_linux, pytest.mark.xdist_group("device-cuda")]),
    pytest.param("host:device=opencl", marks=[needs_opencl, pytest.mark.exhaustive]),
]


@pytest.fixture(autouse=True, scope="module")
def driver() -> None:
    """Let programs that ask for CUDA's driver find the simulator."""
    if sys.platform == "linux":
        fake_cuda()


def network(dtype: type) -> bytes:
    """Return a convolution, a pool, a normalisation and a product, and functions of their sums."""
    draws, type_ = OwnNumbers(5), helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    shapes = {"w": (8, 8, 3, 3), "b": (8,), "v": (6, 5)}
    weights = [
        numpy_helper.from_array((0.3 * draws.standard_normal(s, np.float32)).astype(dtype), name)
        for name, s in shapes.items()
    ]
    node = helper.make_node
    nodes = [
        node("Conv", ["x", "w", "b"], ["c"], pads=[1, 1, 1, 1]),
        node("Relu", ["c"], ["r"]),
        node("MaxPool", ["r"], ["m"], kernel_shape=[2, 2], strides=[2, 2]),
        node("Exp", ["m"], ["e"]),
        node("Softmax", ["m"], ["s"], axis=-1),
        node("MatMul", ["s", "v"], ["t"]),
        node("Tanh", ["t"], ["y"]),
    ]
    value = helper.make_tensor_value_info
    outputs = [value(name, type_, None) for name in "ery"]
    graph = helper.make_graph(nodes, "halves", [value("x", type_, X.shape)], outputs, weights)
    opset = [helper.make_opsetid("", 22)]
    return helper.make_model(graph, opset_imports=opset, ir_version=10).SerializeToString()


X = OwnNumbers(6).standard_normal((2, 8, 10, 12), np.float32)


def results(
    dtype: type, x: np.ndarray, folder: Path, **options: object
) -> tuple[int, dict[str, np.ndarray]]:
    """Return the bytes of the weights and the results; kernels are on the device of a machine."""
    manifest = autodeploy.compile_model(
        network(dtype), folder, autodeploy.CompileOptions(jobs=1, **options)
    ).manifest
    assert {kernel.on_device for kernel in manifest.kernels} == {"machine" in options}
    (weights,) = folder.glob("*.weights")
    with autodeploy.load(folder) as session:
        found = session.run({"x": x})
    return weights.stat().st_size, {n: y.astype(np.float32) for n, y in found.items()}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize(("precision", "level"), [("model", 2), ("f32", 2), ("model", 0)])
def test_results_are_those_of_the_processor(machine, dtype, precision, level, tmp_path: Path):
    x = X.astype(dtype)
    # The second sample has numbers that overflow, and such that are none.
    x[1, 0, 0, :4] = np.inf, np.nan, 6e-8, 60000
    options = {"precision": precision, "level": level}
    _, found = results(dtype, x, tmp_path / "device", machine=machine, **options)
    _, expected = results(dtype, x, tmp_path / "host", **options)
    # Sums of another order may be rounded to the next number.
    step = 2 * float(ml_dtypes.finfo(dtype).eps)
    for name, value in found.items():
        assert not np.isfinite(value[1]).all()
        np.testing.assert_allclose(value, expected[name], rtol=step, atol=step / 100)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("element", ["f16", "bf16"])
def test_weights_are_stored_in_16_bits(machine, element, tmp_path: Path):
    wide, exact = results(np.float32, X, tmp_path / "wide", machine=machine)
    options = {"precision": f"weights={element}", "winograd": "off"}
    narrow, found = results(np.float32, X, tmp_path / "narrow", machine=machine, **options)
    _, expected = results(np.float32, X, tmp_path / "host", **options)
    assert narrow < 0.7 * wide
    for name, value in found.items():
        assert_close(value, expected[name])
        assert not np.array_equal(value, exact[name])
