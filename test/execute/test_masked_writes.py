"""Elements written where a condition holds, in the forms of both of PyTorch's exporters.

``m`` is a condition on elements and ``c`` one on rows, so that each run writes another number of
them, none and all among these. onnxruntime says what is right.
"""

from __future__ import annotations

import numpy as np
import pytest
from counted_rows import ROWS, check_conditions, conditions, results_of
from onnx import numpy_helper, parser

import autodeploy
from autodeploy.diagnostics import UnsupportedError, UserError

CONDITIONS = conditions("101100101", "000000000", "111111111", "000000010", "011111111")
CONSTANTS = {
    "zero": [0], "one": [1], "minus": [-1], "width": [4], "shape": [ROWS, 4], "first": 0,
}  # fmt: skip

BEFORE = """
  column = Unsqueeze(c, minus)
  above = GreaterOrEqual(x, half)
  m = And(above, column)
  set = NonZero(m)
  places = Transpose<perm = [1, 0]>(set)
  of_y = GatherND(y, places)
  of_x = GatherND(x, places)
  m_again = Expand(m, shape)
  set_again = NonZero(m_again)
  places_again = Transpose<perm = [1, 0]>(set_again)
  y_again = Reshape(of_y, minus)
  k = Shape(places_again)
  k_first = Gather<axis = 0>(k, first)
  k_end = Unsqueeze(k_first, zero)
  y_cut = Slice(y_again, zero, k_end, zero)
  flat_y = Reshape(y, minus)
  y_begin = Slice(flat_y, zero, k_end, zero)
  twice = Mul(of_x, two)
  flat_m = Reshape(m, minus)
  as_numbers = Cast<to = 7>(flat_m)
  number = ReduceSum<keepdims = 1>(as_numbers)
  twice_wide = Expand(twice, number)
  twice_again = Reshape(twice_wide, minus)
  nines = Expand(nine, number)
  nines_again = Reshape(nines, minus)
  as_short_numbers = Cast<to = 6>(m)
  short_number = ReduceSum<keepdims = 0>(as_short_numbers)
  long_number = Cast<to = 7>(short_number)
  number_list = Reshape(long_number, one)
  elevens = ConstantOfShape<value = float[1] {11}>(number_list)
  row_set = NonZero(c)
  row_places = Transpose(row_set)
  y_rows = GatherND(y, row_places)
  x_rows = GatherND(x, row_places)
  x_rows_3 = Mul(x_rows, two)
  wide_c = Expand(column, shape)
  wide_set = NonZero(wide_c)
  wide_places = Transpose(wide_set)
  flat_y_rows = Reshape(y_rows, minus)
  c_numbers = Cast<to = 7>(c)
  row_number = ReduceSum<keepdims = 1>(c_numbers)
  rows_shape = Concat<axis = 0>(row_number, width)
  vector_rows = Expand(vector, rows_shape)
  flat_vector_rows = Reshape(vector_rows, minus)
  from_end = Sub(row_places, nine_places)
  rows_of_y = Compress<axis = 0>(y, c)
  e_set = NonZero(e)
  e_rows = Compress<axis = 0>(x, e)
  e_places = Transpose(e_set)
  mask_of_numbers = Cast<to = 6>(c)
  number_set = NonZero(mask_of_numbers)
  number_places = Transpose(number_set)
  not_none = Or(c, first_row)
  kept = Compress<axis = 0>(y, not_none)
  first_kept = ScatterND(kept, last_place, vector_row)
"""

MATRIX = "float[A, B]"
CASES = {
    "assigned": ("ScatterND(x, places, of_y)", MATRIX),
    "assigned_torchscript": ("ScatterND(x, places_again, y_cut)", MATRIX),
    "masked_scatter": ("ScatterND(x, places_again, y_begin)", MATRIX),
    "scaled": ("ScatterND(x, places, twice_again)", MATRIX),
    "number": ("ScatterND(x, places, nines_again)", MATRIX),
    "number_of_shape": ("ScatterND(x, places, elevens)", MATRIX),
    "rows": ("ScatterND(x, row_places, y_rows)", MATRIX),
    "rows_scaled": ("ScatterND(x, row_places, x_rows_3)", MATRIX),
    "rows_by_elements": ("ScatterND(x, wide_places, flat_y_rows)", MATRIX),
    "vector_in_rows": ("ScatterND(x, wide_places, flat_vector_rows)", MATRIX),
    "rows_of_compress": ("ScatterND(x, number_places, rows_of_y)", MATRIX),
    "from_the_end": ("ScatterND(x, from_end, y_rows)", MATRIX),
    "added": ('ScatterND<reduction = "add">(x, row_places, y_rows)', MATRIX),
    "largest": ('ScatterND<reduction = "max">(x, places, of_y)', MATRIX),
    "other_rows": ("ScatterND(x, e_places, e_rows)", MATRIX),
    "into_counted_rows": ("Identity(first_kept)", MATRIX),
}  # fmt: skip
"""What is written, and its type."""


def network(names):
    """Return a network whose outputs are the results of some cases."""
    outputs, nodes = results_of(CASES, names)
    model = parser.parse_model(
        f"""<ir_version: 8, opset_import: ["" : 18]>
        g (float[{ROWS}, 4] x, bool[{ROWS}] c, bool[{ROWS}] e, float[{ROWS}, 4] y)
          => ({outputs}) {{ {BEFORE} {nodes} }}"""
    )
    arrays = {name: np.array(value, np.int64) for name, value in CONSTANTS.items()}
    arrays["half"], arrays["two"] = np.array(-0.5, np.float32), np.array(2, np.float32)
    arrays["nine"] = np.array([9], np.float32)
    arrays["first_row"] = np.arange(ROWS) == 0
    arrays["nine_places"] = np.array(ROWS)
    arrays["vector"] = np.array([0.5, -1, np.nan, 0.25], np.float32)
    arrays["vector_row"], arrays["last_place"] = arrays["vector"][None], np.array([[-1]])
    model.graph.initializer.extend(numpy_helper.from_array(v, k) for k, v in arrays.items())
    return model.SerializeToString()


@pytest.mark.parametrize("level", [0, 2])
def test_every_number_of_elements(level):
    def others(random):
        y = random.standard_normal((ROWS, 4), np.float32)
        y[2] = [np.nan, np.inf, -np.inf, 0]
        return {"y": y}

    check_conditions(network, CASES, CONDITIONS, (), level, others)


@pytest.mark.exhaustive
def test_other_numbers_of_elements_end_the_run():
    """Two masks, a mask and as many updates as a constant: ONNX takes the same number of each."""
    model = parser.parse_model(
        f"""<ir_version: 8, opset_import: ["" : 18]>
        g (float[{ROWS}] x, bool[{ROWS}] c, bool[{ROWS}] e) => (float[{ROWS}] y, float[{ROWS}] z)
        <float[3] three = {{1, 2, 3}}> {{
          n = NonZero(c) i = Transpose(n) u = Compress<axis = 0>(x, e) y = ScatterND(x, i, u)
          z = ScatterND(x, i, three)
        }}"""
    )
    x = np.arange(ROWS, dtype=np.float32)
    three, other, two, one = conditions("010010001", "000001110", "000000011", "100000000")
    with autodeploy.compile(model.SerializeToString(), level=0) as session:
        found = session.run({"x": x, "c": three, "e": other})
        assert found["y"].tolist() == [0, 5, 2, 3, 6, 5, 6, 7, 7]
        assert found["z"].tolist() == [0, 1, 2, 3, 2, 5, 6, 7, 3]
        for c, e in ((three, two), (two, two), (one, three)):
            with pytest.raises(UserError, match="another value than the shapes"):
                session.run({"x": x, "c": c, "e": e})


def test_more_updates_than_places_are_refused():
    model = parser.parse_model(
        """<ir_version: 8, opset_import: ["" : 18]>
        g (float[2] x, bool[2] c) => (float[2] y) <float[3] three = {1, 2, 3}> {
          n = NonZero(c) i = Transpose(n) y = ScatterND(x, i, three)
        }"""
    )
    with pytest.raises(UnsupportedError, match="operands have 2 elements at most, not 3"):
        autodeploy.compile(model.SerializeToString(), level=0)
