"""Sums of many elements, in parts, are as exact as single precision lets them be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper, shape_inference

import autodeploy
from autodeploy import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle

TOLERANCE = 1e-6


def run(nodes: list, x: np.ndarray, level: int, constants: dict[str, np.ndarray]) -> np.ndarray:
    graph = helper.make_graph(
        nodes,
        "sums",
        [helper.make_tensor_value_info("x", 1, x.shape)],
        [helper.make_empty_tensor_value_info("y")],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    imports = [helper.make_opsetid("", 18)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=8)
    inferred = shape_inference.infer_shapes(model).SerializeToString()
    return autodeploy.compile(inferred, level=level).run({"x": x})["y"]


def positive(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).random(shape, np.float32)


def assert_exact(found: np.ndarray, expected: np.ndarray) -> None:
    np.testing.assert_allclose(found, expected, 0, TOLERANCE * np.abs(expected).max())


@pytest.mark.parametrize("level", (0, 2))
@pytest.mark.parametrize(
    ("shape", "axes"),
    (
        ((1, 3, 320, 320), (2, 3)),
        ((3, 70, 81, 2, 1), (1, 2)),
        ((1, 33, 37, 5), (1, 2)),
        ((100003, 7), (0,)),
        ((3, 200003), (1,)),
        ((2, 1025, 3), (1,)),
    ),
)
def test_mean(shape: tuple[int, ...], axes: tuple[int, ...], level: int) -> None:
    x = positive(*shape)
    node = helper.make_node("ReduceMean", ["x", "axes"], ["y"])
    found = run([node], x, level, {"axes": np.array(axes)})
    assert_exact(found, x.mean(axes, np.float64, keepdims=True))


def test_mean_of_a_channels_last_image() -> None:
    x, w = positive(1, 4, 150, 150), np.eye(4, dtype=np.float32).reshape(4, 4, 1, 1)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("GlobalAveragePool", ["r"], ["y"]),
    ]
    assert_exact(run(nodes, x, 2, {"w": w}), x.mean((2, 3), np.float64, keepdims=True))


@pytest.mark.parametrize("level", (0, 2))
@pytest.mark.parametrize("window", ((100, 50), (1, 1100), (33, 32)))
def test_average_pool(window: tuple[int, int], level: int) -> None:
    x = positive(1, 3, 120, 1200)
    strides = [9, 40]
    node = helper.make_node("AveragePool", ["x"], ["y"], kernel_shape=window, strides=strides)
    views = np.lib.stride_tricks.sliding_window_view(x, window, (2, 3))[:, :, ::9, ::40]
    assert_exact(run([node], x, level, {}), views.mean((4, 5), np.float64))


def test_layer_norm_of_a_long_row() -> None:
    x = positive(2, 100000)
    node = helper.make_node("LayerNormalization", ["x", "ones"], ["y"], axis=1)
    wide = x.astype(np.float64)
    expected = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5)
    assert_exact(run([node], x, 2, {"ones": np.ones(100000, np.float32)}), expected)


EQUAL = 1e-5
"""The largest relative error of a sum of equal numbers, which are rounded in one direction."""

PRODUCTS = {
    "a row": ("MatMul", (1, 25088), (25088, 8), {}),
    "rows": ("MatMul", (5, 9216), (9216, 40), {}),
    "rows, cut": ("MatMul", (5, 4 * 1297), (4 * 1297, 8), {}),
    "conv": ("Conv", (1, 512, 5, 5), (24, 512, 3, 3), {"pads": [1, 1, 1, 1]}),
    "one channel": ("Conv", (1, 1, 3000), (8, 1, 2000), {"strides": [40]}),
    "groups": ("Conv", (1, 512, 3, 4), (8, 256, 3, 3), {"group": 2}),
    "transposed": ("ConvTranspose", (1, 2048, 3, 3), (2048, 4, 4, 4), {"strides": [2, 2]}),
}


@pytest.mark.parametrize("level", (0, 2))
@pytest.mark.parametrize("case", PRODUCTS)
def test_products_of_equal_numbers(case: str, level: int) -> None:
    operator, shape, weights, attributes = PRODUCTS[case]
    x, w = np.full(shape, 0.7, np.float32), np.full(weights, 0.3, np.float32)
    node = helper.make_node(operator, ["x", "w"], ["y"], **attributes)
    wide = helper.make_node("Cast", ["x"], ["d"], to=TensorProto.DOUBLE)
    in_double = helper.make_node(operator, ["d", "w"], ["y"], **attributes)
    found = run([node], x, level, {"w": w})
    expected = run([wide, in_double], x, 0, {"w": w.astype(np.float64)})
    np.testing.assert_allclose(found, expected, EQUAL)


def test_attention_to_equal_numbers() -> None:
    """Each of 4,000 keys has the same weight: those are summed, and then the values."""
    x, v = np.zeros((2, 30, 16), np.float32), np.full((4000, 16), 0.7, np.float32)
    nodes = [
        helper.make_node("MatMul", ["x", "k"], ["s"]),
        helper.make_node("Softmax", ["s"], ["w"], axis=-1),
        helper.make_node("MatMul", ["w", "v"], ["y"]),
    ]
    keys = np.zeros((16, 4000), np.float32)
    found = run(nodes, x, 2, {"k": keys, "v": v})
    np.testing.assert_allclose(found, np.full((2, 30, 16), 0.7), EQUAL)


def test_rows_of_bands_that_cores_share(tmp_path: Path) -> None:
    """A band of the padded image has the rows that all runs of its sums read."""
    x, w = positive(1, 128, 61, 60), positive(40, 128, 3, 3) - np.float32(0.5)
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w"], ["y"], pads=[1, 1, 1, 1])],
        "bands",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, x.shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(w, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    data = model.SerializeToString()
    options = CompileOptions(machine="host:cores=2:l1=32K:l2=1M", level=2, threads=2, jobs=1)
    compile_model(data, tmp_path, options)
    (text,) = (path.read_text() for path in tmp_path.glob("*.mlir"))
    assert "parallel = [y]" in text
    assert "halide.bound_extent %padded" in text
    assert "%run" in text
    with load_bundle(tmp_path, threads=2) as session:
        (found,) = session.run({"x": x}).values()
    (expected,) = onnxruntime.InferenceSession(data).run(None, {"x": x})
    np.testing.assert_allclose(found, expected, 0, 1e-5 * np.abs(expected).max())
