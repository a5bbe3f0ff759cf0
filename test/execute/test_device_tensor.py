"""Programs whose products run on tensor cores: their numbers, through the simulator of PTX."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fake_cuda import fake_cuda, needs_linux
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from own_numbers import OwnNumbers

from autodeploy import CompileOptions, compile_model
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.toolchain.session import load_bundle
from autodeploy.tools.compared import error_between, tolerance_of

pytestmark = [needs_linux, pytest.mark.xdist_group("device-cuda")]

RNG = OwnNumbers(23)
LEAST = {"tf32": 1e-5, "f16": 1e-5, "bf16": 1e-4}
"""Errors are above, as factors are rounded."""


def network() -> tuple[bytes, dict[str, np.ndarray]]:
    """Return a network of convolutions, dense layers and attention, and its inputs.

    Some have a bias, a function or a residual, others read an image with padding.
    """
    weights = {
        "w0": RNG.standard_normal((24, 16, 3, 3), np.float32) / 12,
        "b0": RNG.standard_normal((24,), np.float32),
        "w1": RNG.standard_normal((24, 24, 1, 1), np.float32) / 5,
        "w2": RNG.standard_normal((32, 24, 3, 2), np.float32) / 12,
        "w3": RNG.standard_normal((32, 48), np.float32) / 6,
        "b3": RNG.standard_normal((48,), np.float32),
    }
    nodes = [
        helper.make_node("Conv", ["x", "w0", "b0"], ["c0"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c0"], ["r0"]),
        helper.make_node("Conv", ["r0", "w1"], ["c1"]),
        helper.make_node("Add", ["c1", "r0"], ["a1"]),
        helper.make_node("Conv", ["a1", "w2"], ["c2"], strides=[2, 1], pads=[0, 1, 2, 0]),
        helper.make_node("Tanh", ["c2"], ["image"]),
        helper.make_node("MatMul", ["t", "w3"], ["m3"]),
        helper.make_node("Add", ["m3", "b3"], ["d3"]),
        helper.make_node("Transpose", ["d3"], ["k3"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["d3", "k3"], ["s3"]),
        helper.make_node("Softmax", ["s3"], ["p3"]),
        helper.make_node("MatMul", ["p3", "d3"], ["rows"]),
    ]
    inputs = {
        "x": RNG.standard_normal((1, 16, 11, 9), np.float32),
        "t": RNG.standard_normal((2, 21, 32), np.float32),
    }
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "net",
        [value(name, TensorProto.FLOAT, x.shape) for name, x in inputs.items()],
        [value(name, TensorProto.FLOAT, None) for name in ("image", "rows")],
        [numpy_helper.from_array(x, name) for name, x in weights.items()],
    )
    opsets = [helper.make_opsetid("", 17)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9)
    return model.SerializeToString(), inputs


@pytest.mark.parametrize(("element", "level"), [("tf32", 3), ("f16", 2), ("bf16", 3), ("tf32", 0)])
def test_a_network_agrees_to_the_tolerance_of_its_precision(
    tmp_path: Path, element: str, level: int
):
    device = fake_cuda()
    model, inputs = network()
    options = CompileOptions(
        machine="host:device=cuda-sm_80", precision=f"products={element}", level=level, jobs=1
    )
    compile_model(model, tmp_path / "b", options)
    manifest = Manifest.load(tmp_path / "b")
    units = [kernel for kernel in manifest.kernels if kernel.algorithm == "device_tensor"]
    # Images have their channels first below level 2.
    assert len(units) == (6 if level >= 2 else 3)
    with load_bundle(tmp_path / "b") as session:
        found = session.run(inputs)
    assert (device.left, device.faults) == (0, [])
    right = ReferenceEvaluator(model).run(None, inputs)
    for entry, expected in zip(manifest.outputs, right, strict=True):
        assert isinstance(expected, np.ndarray)
        error = error_between(found[entry.name], expected)
        assert LEAST[element] < error < tolerance_of(entry, manifest) or (
            entry.name == "image" and level < 2 and error < 1e-5
        )
