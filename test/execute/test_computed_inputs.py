"""An input that decides shapes has the value that the shapes say, or the program ends."""

from __future__ import annotations

import numpy as np
import pytest
from onnx_case import case, f32

import autodeploy
from autodeploy.diagnostics import UserError


def test_another_value_than_the_shapes_say_is_an_error():
    example = case("r", "ReduceSum", f32(2, 3), np.array([0]), keepdims=0)
    x = example.inputs["x0"]
    with autodeploy.compile(example.model().SerializeToString()) as session:
        (found,) = session.run(example.inputs).values()
        np.testing.assert_allclose(found, x.sum(0), 1e-6)
        for wrong in (1, -1, 2):
            with pytest.raises(UserError, match="an input has another value than the shapes"):
                session.run({"x0": x, "x1": np.array([wrong])})


@pytest.mark.parametrize("index", [4, -5, 2**33, -(2**40)])
def test_an_index_outside_of_what_is_written_is_an_error(index):
    example = case("s", "ScatterElements", f32(4, 3), np.array([[3, -4]]), f32(1, 2))
    inputs = dict(example.inputs)
    with autodeploy.compile(example.model().SerializeToString()) as session:
        (found,) = session.run(inputs).values()
        np.testing.assert_array_equal(found[3, 0], inputs["x2"][0, 0])
        inputs["x1"] = np.array([[1, index]])
        with pytest.raises(UserError, match="an index is outside of what it points into"):
            session.run(inputs)


def test_a_range_of_another_extent_is_an_error():
    example = case("r", "Range", np.array(2), np.array(9), np.array(3))
    with autodeploy.compile(example.model().SerializeToString()) as session:

        def run(limit, delta):
            numbers = {"x0": 2, "x1": limit, "x2": delta}
            return session.run({name: np.array(number) for name, number in numbers.items()})

        for limit, delta in ((9, 3), (11, 3), (-7, -3)):
            (found,) = run(limit, delta).values()
            np.testing.assert_array_equal(found, np.arange(2, limit, delta))
        for limit, delta in ((12, 3), (8, 3), (9, -3), (9, 2)):
            with pytest.raises(UserError, match="an input has another value than the shapes"):
                run(limit, delta)
