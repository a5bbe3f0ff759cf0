"""Functions after sums in registers, against onnxruntime.

Tiles divide the result, or overlap, or the last one of a row ends early. An element of the data
behind the first run is large, so that exponentials reach both of their bounds.
"""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from onnx import ModelProto, TensorProto, helper, numpy_helper

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle


def network(shape: list[int], nodes: list, weights: dict[str, np.ndarray]) -> ModelProto:
    """Return a network of nodes from ``x`` to ``s``, with a Swish behind it."""
    behind = [
        helper.make_node("Sigmoid", ["s"], ["t"]),
        helper.make_node("Mul", ["s", "t"], ["y"]),
    ]
    graph = helper.make_graph(
        [*nodes, *behind],
        "network",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def normal(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def product(rows: int, inner: int, columns: int) -> ModelProto:
    weights = {"w": normal(inner, columns), "b": normal(columns)}
    nodes = [helper.make_node("MatMul", ["x", "w"], ["m"]), helper.make_node("Add", "mb", ["s"])]
    return network([rows, inner], nodes, weights)


def conv(size: int, channels: int, outputs: int, groups: int = 1, **attributes) -> ModelProto:
    filter_ = normal(outputs, channels // groups, 3, 3)
    attributes = {"pads": [1, 1, 1, 1], "group": groups, **attributes}
    nodes = [helper.make_node("Conv", ["x", "w", "b"], ["s"], **attributes)]
    return network([1, channels, size, size], nodes, {"w": filter_, "b": normal(outputs)})


CASES = {
    "product": (product(52, 24, 144), "gemm"),
    "product of a tail": (product(49, 40, 240), "gemm"),
    "product that is filled up": (product(52, 24, 136), "gemm"),
    "convolution": (conv(16, 8, 48, strides=[2, 2]), "direct_conv"),
    "convolution of a tail": (conv(13, 8, 48, strides=[2, 2]), "direct_conv"),
    "convolution that is filled up": (conv(13, 8, 20, strides=[2, 2]), "direct_conv"),
    "groups": (conv(14, 48, 48, 3, strides=[2, 2]), "grouped_conv"),
    "depthwise": (conv(12, 48, 48, 48), "depthwise"),
    "depthwise of an odd width": (conv(14, 48, 48, 48), "depthwise"),
}
"""Networks, and what computes them."""


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_function_after_sums(tmp_path, name: str, threads: int):
    model, template = CASES[name]
    path = tmp_path / "network.onnx"
    path.write_bytes(model.SerializeToString())
    options = CompileOptions(machine="x86-64-avx2", threads=threads)
    compile_model(path, tmp_path / "bundle", options)
    text = (tmp_path / "bundle" / "network.mlir").read_text()
    assert f"config<{template}, " in text
    session = onnxruntime.InferenceSession(path)
    data = normal(*session.get_inputs()[0].shape)
    with load_bundle(tmp_path / "bundle") as loaded:
        for large in (1.0, 1e3):
            data.flat[5] = large
            (expected,) = session.run(None, {"x": data})
            assert_close(loaded.run({"x": data})["y"], expected)
