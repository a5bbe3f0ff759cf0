"""0.0 and -0.0 in one kernel stay two numbers, though they compare equal."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import helper, numpy_helper
from program_batch import run_once

from autodeploy import CompileOptions

SHAPE = (3, 17)


@pytest.mark.parametrize("emit", ["object", "c"])
@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("element", ["float32", "float64", "float16", "bfloat16"])
def test_both_zeros_as_constants(element: str, level: int, emit: str) -> None:
    type_ = helper.np_dtype_to_tensor_dtype(_dtype(element))
    zeros = np.array([0.0, -0.0], np.float32).astype(_dtype(element))
    graph = helper.make_graph(
        [
            helper.make_node("LessOrEqual", ["x", "minus"], ["below"]),
            helper.make_node("Where", ["below", "plus", "minus"], ["chosen"]),
            helper.make_node("Where", ["below", "minus", "plus"], ["other"]),
        ],
        "zeros",
        [helper.make_tensor_value_info("x", type_, SHAPE)],
        [helper.make_tensor_value_info(name, type_, SHAPE) for name in ("chosen", "other")],
        [
            numpy_helper.from_array(zero, name)
            for zero, name in zip(zeros, ("plus", "minus"), strict=True)
        ],
    )
    imports = [helper.make_opsetid("", 18)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=9).SerializeToString()
    x = np.random.default_rng(0).standard_normal(SHAPE).astype(_dtype(element))
    x[0, :2] = zeros
    found = run_once(model, {"x": x}, CompileOptions(level=level, emit=emit))
    below = x.astype(np.float32) <= 0
    for name, where_below in (("chosen", False), ("other", True)):
        result = found[name].astype(np.float32)
        np.testing.assert_array_equal(result, 0)
        np.testing.assert_array_equal(np.signbit(result), below == where_below)


def _dtype(element: str) -> np.dtype:
    return helper.tensor_dtype_to_np_dtype(
        {"float32": 1, "float64": 11, "float16": 10, "bfloat16": 16}[element]
    )
