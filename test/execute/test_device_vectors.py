"""Vectors of kernels on a device: what neighbours of a vector read, at all levels.

Along a padded row the neighbours at the borders read fewer elements than a vector has. Vectors of
three elements have four places in the memory of a device, and so such a row has no vectors.
"""

from __future__ import annotations

import numpy as np
import pytest
from closeness import assert_close
from onnx import TensorProto, helper, numpy_helper
from opencl import needs_opencl
from own_numbers import OwnNumbers
from program_batch import run_once

from autodeploy.compiler import CompileOptions

pytestmark = needs_opencl


def image_model(operator: str, shape: list[int], filters: list[int] | None, **attributes) -> bytes:
    """Return a network of one operator on an image, channels first."""
    value = helper.make_tensor_value_info
    names = ["x"] if filters is None else ["x", "w"]
    shapes = [shape] if filters is None else [shape, filters]
    inputs = [value(n, TensorProto.FLOAT, s) for n, s in zip(names, shapes, strict=True)]
    node = helper.make_node(operator, names, ["y"], **attributes)
    graph = helper.make_graph([node], "image", inputs, [value("y", TensorProto.FLOAT, None)])
    opset = [helper.make_opsetid("", 22)]
    return helper.make_model(graph, opset_imports=opset, ir_version=10).SerializeToString()


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize(
    ("operator", "shape", "filters", "attributes"),
    [
        ("Conv", [3, 16, 9, 4], [4, 16, 1, 2], {"pads": [0, 1, 1, 0]}),
        ("Conv", [1, 4, 8, 8], [8, 4, 3, 3], {"pads": [1, 1, 1, 1]}),
        ("Conv", [1, 8, 6, 8], [8, 1, 3, 3], {"pads": [1, 1, 1, 1], "group": 8}),
        ("Conv", [2, 3, 5, 12], [4, 3, 2, 5], {"pads": [2, 3, 1, 4], "strides": [1, 3]}),
        ("MaxPool", [1, 4, 6, 8], None, {"pads": [1, 1, 1, 1], "kernel_shape": [3, 3]}),
        ("AveragePool", [1, 3, 6, 8], None, {"pads": [1, 2, 0, 1], "kernel_shape": [2, 3]}),
    ],
)
def test_padded_rows_are_those_of_the_processor(operator, shape, filters, attributes, level):
    draws = OwnNumbers(level)
    inputs = {"x": draws.standard_normal(tuple(shape), np.float32)}
    if filters is not None:
        inputs["w"] = draws.standard_normal(tuple(filters), np.float32)
    model = image_model(operator, shape, filters, **attributes)
    found, expected = (
        run_once(model, inputs, CompileOptions(level=level, machine=machine, jobs=1))
        for machine in ("host:device=opencl", "host")
    )
    assert_close(found["y"], expected["y"])


@pytest.mark.parametrize("operator", ["Sin", "Cos"])
def test_small_angles_in_a_vector_with_large_ones(operator):
    x = np.full((1, 4, 6, 8), 1e30, np.float32)
    x[0, 0].flat = np.ldexp(np.resize(np.float32([1.0, -1.4]), 48), range(-140, 4, 3))
    value = helper.make_tensor_value_info
    unchanged = numpy_helper.from_array(np.eye(4, dtype=np.float32).reshape(4, 4, 1, 1), "w")
    nodes = [helper.make_node("Conv", ["x", "w"], ["t"]), helper.make_node(operator, ["t"], ["y"])]
    graph = helper.make_graph(
        nodes,
        "angles",
        [value("x", TensorProto.FLOAT, x.shape)],
        [value("y", TensorProto.FLOAT, None)],
        [unchanged],
    )
    opset = [helper.make_opsetid("", 22)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=10).SerializeToString()
    options = CompileOptions(machine="host:device=opencl", jobs=1)
    found = run_once(model, {"x": x}, options)["y"][0, 0]
    exact = {"Sin": np.sin, "Cos": np.cos}[operator](x[0, 0].astype(np.float64))
    np.testing.assert_allclose(found, exact, rtol=5e-7)
