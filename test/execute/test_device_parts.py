"""Sums in parts, of kernels that have too few tiles for a device: starts, numbers, registers.

Kernels for CUDA are simulated.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from pathlib import Path

import numpy as np
import pytest
from fake_cuda import fake_cuda, needs_linux
from onnx import TensorProto, helper
from opencl import needs_opencl
from own_numbers import OwnNumbers

from autodeploy import CompileOptions, compile_model
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.machine.devices import DEVICES
from autodeploy.templates.device_tile.template import SPLIT
from autodeploy.toolchain.session import load_bundle

pytestmark = [needs_linux, pytest.mark.xdist_group("device-cuda")]

Model = tuple[bytes, dict[str, np.ndarray]]


def layer(operator: str, x: list[int | str], w: list[int], **attributes: object) -> Model:
    """Return a layer whose sums start from a bias, with a clamp after them, and its input."""
    rng = OwnNumbers(7)
    extents = [3 if isinstance(extent, str) else extent for extent in x]
    weights = rng.standard_normal(w, np.float32)
    channels = w[0] if operator == "Conv" else w[1]
    bias = rng.standard_normal([channels], np.float32)
    constants = [
        helper.make_tensor(name, TensorProto.FLOAT, value.shape, value)
        for name, value in (("w", weights), ("b", bias))
    ]
    nodes = [
        helper.make_node(operator, ["x", "w", "b"], ["s"], **attributes),
        helper.make_node("Relu", ["s"], ["y"]),
    ]
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, x)]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph(nodes, "layer", inputs, outputs, constants)
    opset = [helper.make_opsetid("", 22)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=10)
    return model.SerializeToString(), {"x": rng.standard_normal(extents, np.float32)}


IN_PARTS = {
    "conv 3x3": layer("Conv", [1, 64, 7, 7], [20, 64, 3, 3], pads=[1, 0, 2, 1]),
    "conv 1x1": layer("Conv", [2, 96, 5, 4], [13, 96, 1, 1]),
    "steps": layer("Conv", [1, 40, 9], [6, 40, 5], strides=[2], dilations=[2]),
    "product": layer("Gemm", [6, 512], [512, 12]),
    "transposed": layer("Gemm", [1, 200], [200, 4], alpha=0.5),
}


def compiled(model: bytes, folder: Path, machine: str, **options: object) -> list[int]:
    """Compile a model; return the parts of each of its sums, 0 of those that are whole."""
    report = compile_model(model, folder, CompileOptions(machine=machine, jobs=1, **options))
    ((_, module),) = report.programs
    pipelines = (op for op in module.ops if isinstance(op, PipelineOp))
    configs = (op.config for op in pipelines if op.config is not None)
    return [c.number(SPLIT) for c in configs if c.template_name == "device_tile"]


def check(case: str, folder: Path, machine: str) -> None:
    """Compare a layer whose sums are in parts with the processor's."""
    model, values = IN_PARTS[case]
    (parts,) = compiled(model, folder / "device", machine)
    assert parts > 1
    compile_model(model, folder / "host", CompileOptions(jobs=1))
    found: list[np.ndarray] = []
    for name in ("device", "host"):
        with load_bundle(folder / name) as session:
            found += session.run(values).values()
    np.testing.assert_allclose(*found, rtol=1e-5, atol=1e-5 * np.abs(found[1]).max())


@pytest.mark.parametrize("case", IN_PARTS)
def test_simulated_sums_are_right(case: str, tmp_path: Path):
    device = fake_cuda()
    check(case, tmp_path, "x86-64:device=cuda")
    assert (device.left, device.faults) == (0, [])


@needs_opencl
@pytest.mark.parametrize("case", IN_PARTS)
def test_sums_are_right(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    described = replace(DEVICES["opencl"], multiprocessors=20)
    monkeypatch.setitem(DEVICES, "opencl", described)
    check(case, tmp_path, "host:device=opencl")


def test_the_first_start_has_as_many_threads_as_the_device_wants(tmp_path: Path):
    model, _ = layer("Conv", [1, 512, 14, 14], [128, 512, 3, 3], pads=[1, 1, 1, 1])
    report = compile_model(model, tmp_path, CompileOptions(machine="x86-64:device=cuda", jobs=1))
    ((_, module),) = report.programs
    first, _ = next(
        op.launches.data
        for op in module.ops
        if isinstance(op, PipelineOp) and op.launches and len(op.launches.data) == 2
    )
    threads = prod(map(int, first.blocks)) * prod(map(int, first.threads))
    assert 5120 <= threads < 2 * 5120  # the least number of parts that is enough


@pytest.mark.parametrize(
    ("case", "dynamic"),
    [
        (layer("Conv", [1, 16, 112, 112], [64, 16, 3, 3]), {}),
        (layer("Conv", [1, 4, 5, 5], [8, 4, 3, 3]), {}),
        (layer("Conv", [1, 64, 7, 7], [64, 1, 3, 3], group=64), {}),
        (layer("Gemm", [1, 77], [77, 8]), {}),
        (layer("Gemm", ["n", 512], [512, 8]), {"n": "1..9"}),
    ],
    ids=["many tiles", "few steps", "depthwise", "no divisor", "open"],
)
def test_sums_are_whole(case: Model, dynamic: dict[str, str], tmp_path: Path):
    specs = OpenSpec.of(dynamic)
    assert compiled(case[0], tmp_path, "x86-64:device=cuda", dynamic=specs) == [0]


@pytest.mark.parametrize(
    "device", [pytest.param("opencl", marks=needs_opencl), pytest.param("cuda")]
)
@pytest.mark.parametrize("rows", [16, 17, 70])
def test_means_of_rows_that_are_added_up_one_by_one(rows: int, device: str, tmp_path: Path):
    x = OwnNumbers(rows).standard_normal((2, rows, 70, 8), np.float32)
    value = helper.make_tensor_value_info
    node = helper.make_node("ReduceMean", ["x"], ["y"], axes=[1, 2], keepdims=0)
    graph = helper.make_graph(
        [node],
        "means",
        [value("x", TensorProto.FLOAT, x.shape)],
        [value("y", TensorProto.FLOAT, None)],
    )
    opset = [helper.make_opsetid("", 17)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=10).SerializeToString()
    fake_cuda()
    compile_model(model, tmp_path, CompileOptions(machine=f"host:device={device}", jobs=1))
    with load_bundle(tmp_path) as session:
        (y,) = session.run({"x": x}).values()
    np.testing.assert_allclose(y, x.mean((1, 2), np.float64), rtol=1e-5, atol=1e-6)
