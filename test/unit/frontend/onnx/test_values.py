"""Values that are given for inputs before the run: what fits, and what they become."""

import ml_dtypes
import numpy as np
import pytest
from onnx import numpy_helper, parser

from autodeploy.diagnostics import ModelError
from autodeploy.frontend.onnx.values import fit_values, take_values


def graph(inputs: str):
    text = f'<ir_version: 8, opset_import: ["" : 18]> g ({inputs}) => (int64 n) {{ n = Size(x) }}'
    return parser.parse_model(text).graph


@pytest.mark.parametrize(
    ("input_", "value", "expected"),
    [
        ("int64[2] x", [3, 4], np.array([3, 4])),
        ("int64[2] x", np.array([3, 4], np.uint8), np.array([3, 4])),
        ("int64[N] x", [3, 4, 5], np.array([3, 4, 5])),
        ("int64 x", [3], np.array(3)),
        ("int64 x", 3, np.array(3)),
        ("int64[1,1] x", [3], np.array([[3]])),
        ("int64[0] x", [], np.zeros(0, np.int64)),
        ("uint8[2] x", [0, 255], np.array([0, 255], np.uint8)),
        ("bool x", [True], np.array(True)),
        ("float[2,2] x", [1, 2, 3, 0.1], np.array([[1, 2], [3, 0.1]], np.float32)),
        ("float[2] x", [np.inf, 1e39], np.array([np.inf, np.inf], np.float32)),
        ("double[1,M] x", [[1, 2]], np.array([[1.0, 2.0]])),
        ("float16[1] x", [0.1], np.array([0.1], np.float16)),
        ("bfloat16[2] x", [1, 2], np.array([1, 2], ml_dtypes.bfloat16)),
        ("bfloat16[1] x", np.ones(1, ml_dtypes.bfloat16), np.ones(1, ml_dtypes.bfloat16)),
    ],
)
def test_a_value_takes_the_type_of_its_input(input_, value, expected):
    found = fit_values(graph(input_), {"x": value}, {})["x"]
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(found, expected)


def test_a_given_shape_goes_before_that_of_the_model():
    made = graph("int64[N, 2] x")
    assert fit_values(made, {"x": [1, 2, 3, 4]}, {"x": (2, 2)})["x"].tolist() == [[1, 2], [3, 4]]
    with pytest.raises(ModelError, match=r"has shape \[4\], the input has \[N, 2\]"):
        fit_values(made, {"x": [1, 2, 3, 4]}, {})
    with pytest.raises(ModelError, match=r"has shape \[1, 2\], the input has \[2, 2\]"):
        fit_values(made, {"x": [[1, 2]]}, {"x": (2, 2)})


@pytest.mark.parametrize(
    ("input_", "value", "reason"),
    [
        ("int64[2] x", [3], r"has shape \[1\], the input has \[2\]"),
        ("int64[2] x", [[3, 4]], r"has shape \[1, 2\], the input has \[2\]"),
        ("int64[2] x", [3, 4.0], "has elements of float64, expected elements of type int64"),
        ("int64 x", True, "has elements of bool, expected elements of type int64"),
        ("bool x", 1, "has elements of int64, expected elements of type bool"),
        ("int8[2] x", [3, 128], "holds 128, expected elements of type int8"),
        ("uint64 x", -1, "holds -1, expected elements of type uint64"),
        ("int64 x", 2**63, "holds 9223372036854775808, expected elements of type int64"),
        ("int64 x", 2**70, "has elements of object, expected elements of type int64"),
        ("float x", "one", "has elements of <U3, expected elements of type float32"),
        ("int64[2] x", [[1], [1, 2]], "is no tensor, expected elements of type int64"),
        ("string[1] x", ["a"], "value given for input 'x', which is no tensor of plain numbers"),
        ("seq(int64[1]) x", [1], "value given for input 'x', which is no tensor of plain numbers"),
    ],
)
def test_a_value_that_does_not_fit(input_, value, reason):
    with pytest.raises(ModelError, match=reason):
        fit_values(graph(input_), {"x": value}, {})


def test_a_value_of_no_input():
    with pytest.raises(ModelError, match=r"value given for 'y', which is no input; .* are 'x'"):
        fit_values(graph("int64 x"), {"y": 1}, {})


def test_an_input_is_named_as_messages_have_it():
    made = graph("int64[1] n, float[2] x")
    made.input[0].name = "größe"
    (name,) = fit_values(made, {r"gr\xf6\xdfe": [1]}, {})
    assert name == "größe"


def test_inputs_with_values_become_weights():
    made = graph("int64[2] a, float[2] x, bool b")
    take_values(made, fit_values(made, {"b": True, "a": [1, 2]}, {}))
    assert [info.name for info in made.input] == ["x"]
    held = {tensor.name: numpy_helper.to_array(tensor) for tensor in made.initializer}
    assert held["b"].tolist() is True
    assert held["a"].tolist() == [1, 2]
