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
