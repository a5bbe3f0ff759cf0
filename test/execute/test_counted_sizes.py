"""Sizes that a model computes from an extent that depends on values, and choices of such values.

Detectors do this. They take the best boxes, up to a limit; they pool a region for each box that is
left; and a branch of its own handles the case of no boxes.
"""

from __future__ import annotations

import numpy as np
import pytest
from counted_rows import ROWS, check_conditions, conditions, results_of
from onnx import numpy_helper, parser

CONDITIONS = conditions("101100101", "000000000", "111111111", "000000010", "011111111")
CONSTANTS = {
    "zero": [0], "one": [1], "two": [2], "three": [3], "minus": [-1], "pair": [0, 1],
    "start": 0, "step": 1, "big": [2**63 - 1], "nine": [9], "image_shape": [-1, 1, 2, 2],
    "steps_back": [-2],
    "around": [0, 0, 1, 0, 0, 0, 0, 1],
}  # fmt: skip

VECTOR, MATRIX, BLOCK = "float[A]", "float[A, B]", "float[A, B, C]"
IMAGES = "float[A, B, C, D]"
PLACES, TABLE = "int64[A]", "int64[A, B]"

BEFORE = """
  r = Compress<axis = 0>(x, c)
  s = Compress<axis = 0>(x, e)
  k = Shape(r)
  rows = Gather(k, zero)
  row = Squeeze(rows, zero)
  wide = Cast<to = 6>(row)
  count = Cast<to = 7>(wide)
  columns = Slice(k, one, two, zero)
  columns_number = Squeeze(columns, zero)
  twice = Mul(rows, two)
  least = Min(rows, three)
  both = Concat<axis = 0>(three, rows)
  least_of_both = ReduceMin<keepdims = 0>(both)
  least_again = Reshape(least_of_both, one)
  more = Add(rows, two)
  rows_and_rest = Concat<axis = 0>(rows, minus)
  twice_and_two = Concat<axis = 0>(twice, two)
  rows_by_two = Concat<axis = 0>(rows, two)
  as_two_blocks = Concat<axis = 0>(two, k)
  as_blocks = Concat<axis = 0>(rows, two, two)
  from_start = Add(zero, rows)
  number = Size(r)
  all_numbers = Reshape(number, one)
  first_column = Slice(r, zero, one, one)
  v = Reshape(first_column, minus)
  u = Cast<to = 7>(v)
  none_left = Equal(number, start)
  set = NonZero(c)
  places = Transpose(set)
  set_again = NonZero(c)
  again = Transpose(set_again)
  one_look = GatherND(x, places)
  other_look = GatherND(x, again)
  whole_cut = Slice(r, zero, big, zero, one)
  boxes = Abs(r)
  zero_rows = Concat<axis = 0>(rows, one)
  zeros_of_rows = ConstantOfShape<value = int64[1] {0}>(zero_rows)
  images = ConstantOfShape<value = int64[1] {0}>(rows)
  wide_rows = Concat<axis = 0>(rows, two)
  known = ConstantOfShape<value = int64[1] {1}>(two)
  open_ = Mul(known, minus)
  is_open = Equal(wide_rows, open_)
  wide_shape = Where(is_open, known, wide_rows)
  listed = Squeeze(places, one)
  below = Sub(listed, nine)
  place_rows = Unsqueeze(below, one)
  spread = Expand(place_rows, wide_shape)
  left_half = Slice(r, zero, two, one)
  as_images = Reshape(r, image_shape)
  own = NonZero(v)
  own_places = Transpose(own)
  from_pair = Concat<axis = 0>(least, one)
  to_pair = Concat<axis = 0>(rows, three)
  low_places = Sub(own_places, rows)
  order = Range(start, count, step)
  turned = Sub(count, order)
  turned_places = Sub(turned, step)
  back = Unsqueeze(turned_places, one)
  spread_back = Expand(back, wide_shape)
  some = Cast<to = 9>(rows)
  end_by_condition = Where(some, rows, two)
  byte = Cast<to = 2>(rows)
  end_by_byte = Cast<to = 7>(byte)
  three_and_rows = Concat<axis = 0>(rows, three)
  table_column = Unsqueeze(three_and_rows, one)
  table = Concat<axis = 1>(table_column, table_column)
  table_list = Reshape(table, minus)
  end_of_table = Slice(table_list, one, two, zero)
  from_last = Sub(zero, rows)
  backward_end = Sub(rows, nine)
  ones_of_rows = ConstantOfShape<value = float[1] {1}>(rows)
"""

CASES = {
    "zeros": ("ConstantOfShape(k)", MATRIX),
    "ones": ("ConstantOfShape<value = int64[1] {1}>(rows_by_two)", TABLE),
    "repeated": ("Expand(w, k)", MATRIX),
    "repeated_rows": ("Expand(r, as_two_blocks)", BLOCK),
    "reshaped": ("Reshape(r, rows_and_rest)", MATRIX),
    "reshaped_twice": ("Reshape(r, twice_and_two)", MATRIX),
    "reshaped_blocks": ("Reshape(r, as_blocks)", BLOCK),
    "reshaped_flat": ("Reshape(r, all_numbers)", VECTOR),
    "range": ("Range(start, count, step)", PLACES),
    "constant_range": ("Range(start, columns_number, step)", PLACES),
    "cut": ("Slice(r, zero, from_start, zero)", MATRIX),
    "cut_of_all": ("Slice(r, zero, big, zero, one)", MATRIX),
    "sum_of_cuts": ("Add(r, whole_cut)", MATRIX),
    "cut_of_another": ("Slice(x, zero, rows, zero)", MATRIX),
    "cut_of_more": ("Slice(x, zero, more, zero)", MATRIX),
    "cut_of_least": ("Slice(x, zero, least, zero)", MATRIX),
    "cut_by_condition": ("Slice(x, zero, end_by_condition, zero)", MATRIX),
    "cut_by_byte": ("Slice(r, zero, end_by_byte, zero)", MATRIX),
    "cut_by_table": ("Slice(x, zero, end_of_table, zero)", MATRIX),
    "cut_from_last": ("Slice(x, from_last, big, zero)", MATRIX),
    "cut_backwards": ("Slice(x, rows, backward_end, zero, steps_back)", MATRIX),
    "cut_of_what_counts": ("Slice(r, least, rows, zero)", MATRIX),
    "cut_of_columns": ("Slice(x, from_pair, to_pair)", MATRIX),
    "best": ("TopK<axis = 0>(v, least)", VECTOR, PLACES),
    "least_ones": ("TopK<axis = 0, largest = 0>(u, least_again)", PLACES, PLACES),
    "best_of_another": ("TopK<axis = 0>(x, least)", MATRIX, TABLE),
    "first_best": ("TopK<axis = 0>(v, one)", VECTOR, PLACES),
    "looked_up_twice": ("Add(one_look, other_look)", MATRIX),
    "regions": (
        "RoiAlign<output_height = 2, output_width = 2, sampling_ratio = 2>(image, boxes, images)",
        IMAGES,
    ),
    "scattered": ("ScatterElements(zeros_9, spread, left_half)", MATRIX),
    "added": ("ScatterElements<reduction = \"add\">(ones_9, spread, left_half)", MATRIX),
    "scattered_along": ("ScatterElements(left_half, spread_back, left_half)", MATRIX),
    "scattered_beside": ("ScatterElements<axis = 1>(r, zeros_of_rows, first_column)", MATRIX),
    "looked_up_in_what_counts": ("GatherND(r, low_places)", MATRIX),
    "transposed_conv": ("ConvTranspose<strides = [2, 2]>(as_images, filter)", IMAGES),
    "resized": ("Resize<mode = \"linear\">(as_images, , scales)", IMAGES),
    "padded": ("Pad(as_images, around)", IMAGES),
    "instance_norm": ("InstanceNormalization(as_images, unit, unit)", IMAGES),
    "branch": ("""If(none_left) <
        then_branch = t () => (float[N, M] p) { p = Identity(few) },
        else_branch = f () => (float[N, M] p) {
          h = Shape(r) i = Gather(h, zero) j = Slice(r, zero, i, zero) p = Neg(j)
        }>""", MATRIX),
    "branch_of_two": ("""If(none_left) <
        then_branch = t () => (float[N, M] p, int64[N] q) { p = Neg(s) q = Identity(two) },
        else_branch = f () => (float[N, M] p, int64[N] q) {
          p = Add(r, r) z = ReduceMax(p) m = Size(r) g = Greater(p, z)
          d = Not(g) n = NonZero(d) l = Transpose(n) q = Reshape(l, minus)
        }>""", MATRIX, PLACES),
    "branch_of_ones": ("""If(none_left) <
        then_branch = t () => (float p) { p = Constant<value = float {5.0}>() },
        else_branch = f () => (float p) { p = ReduceSum<keepdims = 0>(ones_of_rows) }>""", "float"),
    "branch_of_a_number": ("""If(none_left) <
        then_branch = t () => (float p) { p = Constant<value = float {5.0}>() },
        else_branch = f () => (float p) { p = ReduceMax<keepdims = 0>(r) }>""", "float"),
}  # fmt: skip
"""What makes results of the rows ``r`` and ``s``, and their types."""

FROM_NONE = {"first_best", "scattered_along", "reshaped", "reshaped_blocks", "reshaped_twice"}
"""What ONNX does not define, or onnxruntime refuses, where there are no rows."""


def network(names):
    """Return a network whose outputs are the results of some cases."""
    outputs, nodes = results_of(CASES, names)
    model = parser.parse_model(
        f"""<ir_version: 8, opset_import: ["" : 17]>
        g (float[{ROWS}, 4] x, bool[{ROWS}] c, bool[{ROWS}] e, float[1, 2, 6, 6] image)
          => ({outputs}) {{ {BEFORE} {nodes} }}"""
    )
    arrays = {name: np.array(value, np.int64) for name, value in CONSTANTS.items()}
    arrays["w"] = np.array([0.5, -1, 2, 0.25], np.float32)
    arrays["filter"] = np.arange(9, dtype=np.float32).reshape(1, 1, 3, 3)
    arrays["scales"] = np.array([1, 1, 2, 1.5], np.float32)
    arrays["unit"] = np.ones(1, np.float32)
    arrays["zeros_9"] = np.zeros((ROWS, 2), np.float32)
    arrays["ones_9"] = np.ones((ROWS, 2), np.float32)
    arrays["few"] = np.ones((2, 4), np.float32)
    model.graph.initializer.extend(numpy_helper.from_array(v, k) for k, v in arrays.items())
    return model.SerializeToString()


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", [0, 3])
def test_every_number_of_rows(level):
    def image(random):
        return {"image": random.standard_normal((1, 2, 6, 6), np.float32)}

    check_conditions(network, CASES, CONDITIONS, FROM_NONE, level, image)
