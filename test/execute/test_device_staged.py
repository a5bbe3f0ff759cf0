"""Sums on a device that read their left-hand side in vectors: numbers, and loads for each product.

Kernels for CUDA are simulated. By OpenCL, tiles have up to eight vectors, or four.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from device_programs import device_text
from fake_cuda import fake_cuda, needs_linux
from onnx import TensorProto, helper
from opencl import needs_opencl

from autodeploy import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle

pytestmark = [needs_linux, pytest.mark.xdist_group("device-cuda")]

RNG = np.random.default_rng(5)
OPTIONS = CompileOptions(machine="x86-64:device=cuda", jobs=1)


def conv(x: list[int], w: list[int], **attributes: object) -> tuple[bytes, list[np.ndarray]]:
    """Return a convolution, and values of its operands."""
    return _model("Conv", x, w, **attributes)


def product(x: list[int], w: list[int]) -> tuple[bytes, list[np.ndarray]]:
    """Return a matrix product, and values of its operands."""
    return _model("MatMul", x, w)


def _model(
    operator: str, x: list[int], w: list[int], **attributes: object
) -> tuple[bytes, list[np.ndarray]]:
    values = [RNG.standard_normal(shape, np.float32) for shape in (x, w)]
    node = helper.make_node(operator, ["x", "w"], ["y"], **attributes)
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, value.shape)
        for name, value in zip("xw", values, strict=True)
    ]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph([node], "staged", inputs, outputs)
    opset = [helper.make_opsetid("", 22)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=10)
    return model.SerializeToString(), values


@pytest.mark.parametrize(
    "case",
    [
        conv([1, 16, 56, 56], [64, 16, 3, 3], pads=[1, 1, 1, 1]),
        conv([1, 64, 16, 16], [64, 64, 1, 1]),
        product([64, 96], [96, 128]),
    ],
    ids=["conv 3x3", "conv 1x1", "product"],
)
def test_sums_have_nine_products_a_load(case, tmp_path: Path):
    model, _ = case
    compile_model(model, tmp_path, OPTIONS)
    (sums,) = [text for text in device_text(tmp_path).split(".entry ") if "fma.rn.f32" in text]
    assert sums.count("fma.rn.f32") >= 9 * len(re.findall(r"\bld\.global\b", sums))


@pytest.mark.parametrize(
    "case",
    [
        conv([2, 8, 9, 7], [12, 8, 3, 3], pads=[2, 1, 0, 3], strides=[2, 1]),
        conv([1, 6, 11, 8], [8, 6, 3, 2], dilations=[2, 3], pads=[0, 2, 3, 0]),
        conv([1, 4, 5, 6, 7], [4, 4, 2, 3, 1], strides=[1, 2, 3]),
        conv([3, 4, 33], [8, 4, 5], pads=[2, 2]),
        conv([1, 8, 6, 6], [8, 4, 3, 3], group=2),
        conv([1, 5, 6, 6], [8, 5, 3, 3]),
        product([7, 12], [12, 8]),
        product([3, 1, 6, 20], [5, 20, 4]),
        product([1, 8], [8, 4]),
    ],
    ids=[
        *("strides", "two steps", "volumes", "rows", "groups", "no steps"),
        *("product", "stacks", "one row"),
    ],
)
@pytest.mark.parametrize(
    "device",
    ["cuda", *(pytest.param(f"opencl-{n}", marks=needs_opencl) for n in ("adreno", "mali"))],
)
def test_numbers_are_right(device: str, case, tmp_path: Path):
    model, values = case
    x, w = values
    x.flat[3], x.flat[-1] = np.inf, np.float32(1e-40)
    simulated = fake_cuda()
    options = CompileOptions(machine=f"host:device={device}", jobs=1)
    compile_model(model, tmp_path / "device", options)
    compile_model(model, tmp_path / "host", CompileOptions(jobs=1))
    found = []
    for folder in ("device", "host"):
        with load_bundle(tmp_path / folder) as session:
            (y,) = session.run({"x": x, "w": w}).values()
            found.append(y)
    assert simulated.faults == []
    np.testing.assert_allclose(found[0], found[1], rtol=1e-5, atol=1e-5)


def test_rows_of_channels_first_are_read_as_a_tile_needs_them(tmp_path: Path):
    model, values = conv([1, 2, 6, 8], [3, 2, 3, 3], pads=[1, 1, 1, 1])
    device = fake_cuda()
    compile_model(model, tmp_path, CompileOptions(machine=OPTIONS.machine, jobs=1, level=0))
    compile_model(model, tmp_path / "host", CompileOptions(jobs=1))
    with load_bundle(tmp_path) as found, load_bundle(tmp_path / "host") as expected:
        inputs = dict(zip("xw", values, strict=True))
        (y,), (z,) = found.run(inputs).values(), expected.run(inputs).values()
    assert device.faults == []
    np.testing.assert_allclose(y, z, rtol=1e-5, atol=1e-5)
