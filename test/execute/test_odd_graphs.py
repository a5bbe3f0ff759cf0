"""Graphs that are valid and rare: tensors without elements, values that are several things."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import helper, numpy_helper

import autodeploy

FLOAT = 1


def floats(name, shape):
    return helper.make_tensor_value_info(name, FLOAT, shape)


def run(nodes, inputs, outputs, weights, values, level: int, folder: Path):
    graph = helper.make_graph(
        nodes, "odd", inputs, outputs, [numpy_helper.from_array(v, n) for n, v in weights.items()]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with autodeploy.compile(model.SerializeToString(), folder / "bundle", level=level) as session:
        return session.run(values)


@pytest.mark.parametrize("level", [0, 2])
def test_a_constant_without_elements_beside_others(level, tmp_path):
    a, c = np.array([3, 4, 5], np.float32), np.arange(3, dtype=np.float32) - 1
    empty = np.zeros((3, 0), np.float32)
    found = run(
        [
            helper.make_node("Max", ["x", "e"], ["y"]),
            helper.make_node("Mul", ["a", "c"], ["z"]),
        ],
        [floats("x", [3, 0]), floats("a", [3])],
        [floats("y", [3, 0]), floats("z", [3])],
        {"e": empty, "c": c},
        {"x": empty, "a": a},
        level,
        tmp_path,
    )
    assert found["y"].shape == (3, 0)
    np.testing.assert_array_equal(found["z"], a * c)


@pytest.mark.parametrize("level", [0, 2])
def test_an_input_and_a_weight_that_are_outputs(level, tmp_path):
    x, w = np.array([[-1, 2, -3]], np.float32), np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    found = run(
        [helper.make_node("Add", ["x", "w"], ["y"])],
        [floats("x", [1, 3])],
        [floats("y", None), floats("x", ["N", 3]), floats("w", None)],
        {"w": w},
        {"x": x},
        level,
        tmp_path,
    )
    np.testing.assert_array_equal(found["y"], x + w)
    np.testing.assert_array_equal(found["x"], x)
    np.testing.assert_array_equal(found["w"], w)
