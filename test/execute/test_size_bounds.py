"""Sizes that follow from computed integers which have a bound, against onnxruntime."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from counted_rows import results_of
from onnx import numpy_helper, parser

import autodeploy
from autodeploy.diagnostics import UnsupportedError, UserError

CONSTANTS = {
    "zero": 0, "one": 1, "two": 2, "minus": -1, "three": 3, "seven": 7, "first": [0], "last": [-1],
    "width": [3], "axis": [1], "big": [2**62],
}  # fmt: skip

BEFORE = """
  whole = ReduceSum<keepdims = 0>(n)
  t = Mul(whole, one)
  t_list = Reshape(t, flat)
  t_float = Cast<to = 1>(t)
  below = Sub(t, one)
  at_least_one = Clip(t, one)
  smallest = Min(t, seven)
  largest = Max(smallest, three)
  half = Div(largest, two)
  shape = Concat<axis = 0>(t_list, width)
  k = Range(zero, t, one)
  column = Unsqueeze(k, axis)
  rows = Cast<to = 1>(column)
  counted = Expand(rows, shape)
  as_text_of_shape = Reshape(counted, shape)
  short = Cast<to = 6>(t)
  wide = Cast<to = 7>(short)
  twice = Add(t, wide)
  both = Concat<axis = 0>(t_list, width)
  longest = ReduceMax<keepdims = 0>(both)
  mask = Less(column, t)
  minus_t = Sub(zero, t)
  minus_t_list = Reshape(minus_t, flat)
  end_one = Reshape(largest, flat)
  start_end = Sub(end_one, width)
"""

CASES = {
    "range": ("Range(zero, t, one)", "int64[A]"),
    "range_from_two": ("Range(two, t, one)", "int64[A]"),
    "range_by_two": ("Range(minus, t, two)", "int64[A]"),
    "range_down": ("Range(t, zero, minus)", "int64[A]"),
    "range_to_twice": ("Range(t, twice, one)", "int64[A]"),
    "range_of_floats": ("Range(zero_float, t_float, one_float)", "float[A]"),
    "range_of_floats_by_two": ("Range(two_float, t_float, two_float)", "float[A]"),
    "range_below": ("Range(zero, below, one)", "int64[A]"),
    "range_clipped": ("Range(zero, at_least_one, one)", "int64[A]"),
    "range_between": ("Range(half, largest, one)", "int64[A]"),
    "range_of_longest": ("Range(zero, longest, one)", "int64[A]"),
    "short_range": ("Cast<to = 1>(k)", "float[A]"),
    "path": ("MatMul(counted, m)", "float[A, B]"),
    "expanded": ("Expand(w, shape)", "float[A, B]"),
    "filled": ("ConstantOfShape<value = float[1] {2}>(shape)", "float[A, B]"),
    "reshaped": ("Neg(as_text_of_shape)", "float[A, B]"),
    "summed": ("ReduceSum<keepdims = 0>(counted, first)", "float[A]"),
    "first_rows": ("Slice(x, first, t_list)", "float[A, B]"),
    "last_rows": ("Slice(x, minus_t_list, big)", "float[A, B]"),
    "moved_rows": ("Slice(x, start_end, end_one)", "float[A, B]"),
    "masked": ("Where(mask, rows, minus_one)", "float[A, B]"),
}  # fmt: skip


def network(names):
    """Return a network whose outputs are the results of some cases."""
    outputs, nodes = results_of(CASES, names)
    model = parser.parse_model(
        f"""<ir_version: 8, opset_import: ["" : 18]>
        g (int64[2] n, float[6, 3] x) => ({outputs}) {{ {BEFORE} {nodes} }}"""
    )
    arrays = {name: np.array(value, np.int64) for name, value in CONSTANTS.items()}
    arrays["flat"] = arrays["last"]
    arrays["w"] = np.array([0.5, np.nan, 2], np.float32)
    arrays["m"] = np.linspace(-1, 1, 9, dtype=np.float32).reshape(3, 3)
    for number, name in enumerate(("zero_float", "one_float", "two_float")):
        arrays[name] = np.array(number, np.float32)
    arrays["minus_one"] = np.array(-1, np.float32)
    model.graph.initializer.extend(numpy_helper.from_array(v, k) for k, v in arrays.items())
    return model.SerializeToString()


@pytest.mark.parametrize(("level", "bounds"), [(0, {"t": 12}), (2, {"whole": 12}), (0, {"*": 12})])
def test_every_number(level, bounds):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    theirs = {name: onnxruntime.InferenceSession(network([name]), options) for name in CASES}
    random = np.random.default_rng(level)
    with autodeploy.compile(network(CASES), level=level, bounds=bounds) as session:
        for n in ((0, 0), (1, 0), (3, 4), (12, 0), (5, -3)):
            inputs = {"n": np.array(n), "x": random.standard_normal((6, 3), np.float32)}
            found = session.run(inputs)
            for name, reference in theirs.items():
                (right,) = reference.run(None, inputs)
                assert found[f"{name}_0"].shape == right.shape, (name, n)
                assert_close(found[f"{name}_0"], right)
        inputs["n"] = np.array([12, 1])
        with pytest.raises(UserError, match="is 13, its bound is 12"):
            session.run(inputs)


def _model(nodes, outputs="int64[A] y"):
    return parser.parse_model(
        f"""<ir_version: 8, opset_import: ["" : 18]> g (int64 n, float[2, 7] x) => ({outputs})
        <int64 zero = {{0}}, int64 one = {{1}}, int64[1] flat = {{-1}}> {{ {nodes} }}"""
    ).SerializeToString()


def test_negative_numbers():
    """A range of fewer than none is empty; no tensor has fewer elements than none."""
    nodes = "y = Range(zero, n, one) s = Reshape(n, flat) z = ConstantOfShape(s)"
    x = np.zeros((2, 7), np.float32)
    with autodeploy.compile(_model("y = Range(zero, n, one)"), level=0, bounds={"n": 5}) as session:
        assert session.run({"n": np.array(-3), "x": x})["y"].tolist() == []
        assert session.run({"n": np.array(2), "x": x})["y"].tolist() == [0, 1]
        with pytest.raises(UserError, match="value 'n' is -6, expected -5 at least"):
            session.run({"n": np.array(-6), "x": x})
    model = _model(nodes, "int64[A] y, float[B] z")
    with autodeploy.compile(model, level=0, bounds={"n": 5}) as session:
        assert session.run({"n": np.array(4), "x": x})["z"].tolist() == [0, 0, 0, 0]
        with pytest.raises(UserError, match="node 'z' is -1, expected 0 at least"):
            session.run({"n": np.array(-1), "x": x})


DURATIONS = """
  e = Exp(x) w = Ceil(e) f = ReduceSum<keepdims = 0>(w) t = Cast<to = 7>(f)
  y = Range(zero, t, one)
"""


@pytest.mark.parametrize(
    ("nodes", "hint"),
    [
        (DURATIONS, "such as --bound t=1000$"),
        (
            "y = Range(zero, n, one)",
            "such as --bound n=1000; give the values of inputs that are the same in all runs, "
            "such as --value n=1$",
        ),
        (
            "f = ReduceSum<keepdims = 0>(x) t = Cast<to = 7>(f) l = Reshape(t, flat) "
            "s = Concat<axis = 0>(l, flat) y = Expand(one, s)",
            "--bound t=1000",
        ),
    ],
)
def test_the_error_names_the_bound(nodes, hint):
    with pytest.raises(UnsupportedError, match=hint) as error:
        autodeploy.compile(_model(nodes), level=0)
    assert "--value x" not in str(error.value)


@pytest.mark.parametrize(
    ("bounds", "reason"),
    [
        ({"q": 5}, "a bound is given for 'q', which is no value of the model"),
        ({"n": -1}, "bounds are 0 to .*, found -1 for 'n'"),
        ({"x": 5}, "a bound is for integers of 32 or 64 bits, 64 at most, found tensor<2x7xf32>"),
        ({"n": 10**9}, "constant of 8000000000 bytes"),
    ],
)
def test_bounds_that_do_not_fit_are_refused(bounds, reason):
    with pytest.raises(UserError, match=reason):
        autodeploy.compile(_model("y = Range(zero, n, one)"), level=0, bounds=bounds)


def test_bounds_with_open_extents_are_refused():
    model = parser.parse_model(
        """<ir_version: 8, opset_import: ["" : 18]> g (float[b, 7] x) => (float[b, 7] y) {
          y = Relu(x)
        }"""
    ).SerializeToString()
    with pytest.raises(UserError, match="are not supported with open extents"):
        autodeploy.compile(model, level=0, bounds={"y": 5}, dynamic={"b": (1, 4)})
