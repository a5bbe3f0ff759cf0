"""Chains of 16-bit floats are rounded after each operator, or keep 32 bits."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from onnx import helper, shape_inference

import autodeploy

TYPES = (np.float16, ml_dtypes.bfloat16)


def product_and_sum(dtype: type) -> tuple[bytes, dict[str, np.ndarray]]:
    """Return (x * y) + z as a model, and inputs whose product has many digits."""
    random = np.random.default_rng(0)
    inputs = {name: random.standard_normal((7, 33)).astype(dtype) for name in "xyz"}
    type_ = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    graph = helper.make_graph(
        [
            helper.make_node("Mul", ["x", "y"], ["p"]),
            helper.make_node("Add", ["p", "z"], ["s"]),
        ],
        "chain",
        [helper.make_tensor_value_info(name, type_, x.shape) for name, x in inputs.items()],
        [helper.make_empty_tensor_value_info("s")],
    )
    imports = [helper.make_opsetid("", 18)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=8)
    return shape_inference.infer_shapes(model).SerializeToString(), inputs


@pytest.mark.parametrize("level", range(4))
@pytest.mark.parametrize("dtype", TYPES)
def test_each_operator_rounds(dtype: type, level: int) -> None:
    model, inputs = product_and_sum(dtype)
    x, y, z = inputs.values()
    found = autodeploy.compile(model, level=level, precision="model").run(inputs)["s"]
    np.testing.assert_array_equal(found.astype(np.float32), (x * y + z).astype(np.float32))


@pytest.mark.parametrize("dtype", TYPES)
def test_option_keeps_32_bits(dtype: type) -> None:
    model, inputs = product_and_sum(dtype)
    x, y, z = (array.astype(np.float32) for array in inputs.values())
    found = autodeploy.compile(model, precision="f32").run(inputs)["s"]
    exact = (x * y + z).astype(dtype).astype(np.float32)
    np.testing.assert_array_equal(found.astype(np.float32), exact)
    a, b, c = inputs.values()
    assert (exact != (a * b + c).astype(np.float32)).any()


@pytest.mark.parametrize("dtype", TYPES)
def test_concatenation_of_computed_and_given(dtype: type) -> None:
    """One operand has 32 bits within the kernel then, the other one 16."""
    type_ = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    x = np.linspace(-2, 2, 15).reshape(3, 5).astype(dtype)
    graph = helper.make_graph(
        [
            helper.make_node("Relu", ["x"], ["r"]),
            helper.make_node("Concat", ["r", "x"], ["c"], axis=1),
            helper.make_node("Neg", ["c"], ["y"]),
        ],
        "concat",
        [helper.make_tensor_value_info("x", type_, x.shape)],
        [helper.make_empty_tensor_value_info("y")],
    )
    imports = [helper.make_opsetid("", 18)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=8)
    inferred = shape_inference.infer_shapes(model).SerializeToString()
    found = autodeploy.compile(inferred, precision="f32").run({"x": x})["y"]
    wide = x.astype(np.float32)
    expected = -np.concatenate([np.maximum(wide, 0), wide], 1)
    np.testing.assert_array_equal(found.astype(np.float32), expected)
