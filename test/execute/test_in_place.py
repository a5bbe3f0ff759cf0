"""Kernels that write their results over an operand, through the generated C."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from onnx import ModelProto, TensorProto, helper, numpy_helper
from own_numbers import OwnNumbers

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle

RANDOM = OwnNumbers(5)

PLACES = [(24, 24), (28, 30), (7, 9), (1, 1), (5, 5)]
"""Images whose pixels tiles of rows divide, and such as leave a tail."""


def normal(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape, np.float32)


def network(height: int, width: int, channels: int) -> ModelProto:
    """Residual blocks: each adds what a 1x1 and a 3x3 convolution make of it.

    The last sum but one is read again behind the last one, so it must outlive it.
    """
    weights = {
        "w1": normal(channels, channels, 1, 1) / np.float32(channels),
        "w3": normal(channels, channels, 3, 3) / np.float32(9 * channels),
        "b": normal(channels),
    }
    nodes, value, before = [], "x", "x"
    for block in range(4):
        names = [f"{name}{block}" for name in ("inner", "relu", "conv", "sum")]
        inner, relu, conv, total = names
        nodes += [
            helper.make_node("Conv", [value, "w3", "b"], [inner], pads=[1, 1, 1, 1]),
            helper.make_node("Relu", [inner], [relu]),
            helper.make_node("Conv", [relu, "w1", "b"], [conv]),
            helper.make_node("Add", [conv, value], [total]),
        ]
        value, before = total, value
    nodes.append(helper.make_node("Mul", [value, before], ["y"]))
    shape = (1, channels, height, width)
    graph = helper.make_graph(
        nodes,
        "residuals",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    imports = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8)


def calls_in_place(text: str) -> int:
    """Count the calls of a bundle's IR that fill one of their inputs."""
    found = 0
    for line in text.splitlines():
        if "driver.call" in line:
            inputs, outputs = line.split("(", 1)[1].split(") to (", 1)
            found += outputs.split(")")[0] in inputs.split(", ")
    return found


@pytest.mark.parametrize(("height", "width"), PLACES)
@pytest.mark.parametrize("channels", [32, 13])
def test_results_written_over_a_residual_are_right(tmp_path, height, width, channels):
    model = network(height, width, channels)
    path = tmp_path / "residuals.onnx"
    path.write_bytes(model.SerializeToString())
    compile_model(path, tmp_path / "bundle", CompileOptions())
    text = (tmp_path / "bundle" / "residuals.mlir").read_text()
    if (height, width, channels) == (24, 24, 32):
        assert calls_in_place(text)
    data = normal(1, channels, height, width)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    (expected,) = session.run(None, {"x": data})
    with load_bundle(tmp_path / "bundle") as loaded:
        for _ in range(2):  # what the first run leaves in the arena is nothing to the second
            assert_close(loaded.run({"x": data})["y"], expected)
