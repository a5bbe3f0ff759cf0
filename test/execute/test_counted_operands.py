"""Ops on values whose extent depends on values, against onnxruntime.

A condition says which rows there are, so that each run has another number of them, none and all
among these.
"""

from __future__ import annotations

import numpy as np
import pytest
from closeness import assert_close
from counted_rows import ROWS, check_conditions, conditions, results_of
from onnx import numpy_helper, parser
from onnx.reference import ReferenceEvaluator

import autodeploy
from autodeploy.diagnostics import UnsupportedError

CONDITIONS = conditions(
    "101100101", "000000000", "111111111", "000000010", "100000000", "011111111"
)
CONSTANTS = {
    "three": [3], "minus": [-1], "one": [1], "zero": [0], "big": [2**62], "low": [-(2**62)],
    "two": [2], "minus_two": [-2], "minus_four": [-4], "five": [5], "pair": [0, 1], "four": [4],
    "flat": [-1], "keep": [0, 2, -1], "join": [-1, 2], "apart": [-1, 2, 2], "behind": [1, -1, 2],
    "halves": [1, 3], "few": [[0, -1], [-1, 0]], "low_and_three": [-(2**62), 3],
    "columns_pads": [0, 1, 0, -2], "minus_and_two": [-1, 2], "last_and_first": [-1, 0],
    "ends": [[-1, 0, -1]],
}  # fmt: skip

VECTOR, MATRIX, BLOCK = "float[A]", "float[A, B]", "float[A, B, C]"
PLACES, TABLE = "int64[A]", "int64[A, B]"

CASES = {
    # How many there are
    "shape": ("Shape(r)", PLACES),
    "shape_part": ("Shape<start = -1>(t)", PLACES),
    "size": ("Size(r)", "int64"),
    # Along other axes
    "sum_of_rows": ("ReduceSum<keepdims = 0>(r, one)", VECTOR),
    "max_of_rows": ("ReduceMax<axes = [-1]>(r)", MATRIX),
    "mean_of_columns": ("ReduceMean<axes = [0], keepdims = 0>(t)", VECTOR),
    "arg_max_of_rows": ("ArgMax<axis = 1, keepdims = 0>(r)", PLACES),
    "arg_min_before": ("ArgMin<axis = 0, keepdims = 0, select_last_index = 1>(t)", PLACES),
    "softmax_of_rows": ("Softmax<axis = 1>(r)", MATRIX),
    "layer_norm": ("LayerNormalization(r, w)", MATRIX),
    "product": ("MatMul(r, m)", MATRIX),
    "vector": ("MatMul(r, w)", VECTOR),
    "gemm": ("Gemm<alpha = 0.5>(r, m, w)", MATRIX),
    "top": ("TopK(r, two)", MATRIX, TABLE),
    "padded": ("Pad(r, columns_pads)", MATRIX),
    "split": ("Split<axis = 1>(r, halves)", MATRIX, MATRIX),
    "pointwise": ("Max(r, w, s1)", MATRIX),
    "where": ("Where(p, r, half)", MATRIX),
    "slopes": ("PRelu(r, w)", MATRIX),
    "slope_of_each": ("PRelu(t, s1_of_columns)", MATRIX),
    "hard_swish": ("HardSwish(r)", MATRIX),
    "shift": ("Shrink<lambd = 0.3>(r)", MATRIX),
    "hardmax": ("Hardmax<axis = 1>(r)", MATRIX),
    "unit_rows": ("LpNormalization<axis = 1>(r)", MATRIX),
    "normalised": ("BatchNormalization(r, w, w, w, squares)", MATRIX),
    "einsum": ('Einsum<equation = "ij,kj->ik">(r, m)', MATRIX),
    "einsum_of_columns": ('Einsum<equation = "ji,kj->ki">(t, m)', MATRIX),
    "one_hot": ("OneHot<axis = 1>(found, four, pair)", TABLE),
    "quantised": ("QuantizeLinear<axis = 1>(r, squares, bytes)", "uint8[A, B]"),
    # Along the extent
    "sum": ("ReduceSum<keepdims = 0>(r, zero)", VECTOR),
    "sum_of_all": ("ReduceSum<keepdims = 0>(r)", "float"),
    "sum_of_integers": ("ReduceSum(i, zero)", TABLE),
    "mean": ("ReduceMean<axes = [0]>(r)", MATRIX),
    "mean_of_all": ("ReduceMean<keepdims = 0>(r)", "float"),
    "mean_along_the_last": ("ReduceMean<axes = [1], keepdims = 0>(t)", VECTOR),
    "max": ("ReduceMax<axes = [0], keepdims = 0>(r)", VECTOR),
    "min": ("ReduceMin<axes = [0], keepdims = 0>(r)", VECTOR),
    "max_of_integers": ("ReduceMax<axes = [0], keepdims = 0>(i)", PLACES),
    "product_of_all": ("ReduceProd<keepdims = 0>(r)", "float"),
    "norms": ("ReduceL2<axes = [0], keepdims = 0>(r)", VECTOR),
    "log_sum_exp": ("ReduceLogSumExp<axes = [0], keepdims = 0>(r)", VECTOR),
    "arg_max": ("ArgMax<axis = 0, keepdims = 0>(r)", PLACES),
    "arg_min": ("ArgMin<axis = 1>(t)", TABLE),
    "softmax": ("Softmax<axis = 0>(r)", MATRIX),
    "log_softmax": ("LogSoftmax<axis = -1>(t)", MATRIX),
    "running": ("CumSum<exclusive = 1>(r, zero)", MATRIX),
    "running_back": ("CumSum<reverse = 1>(r, one)", MATRIX),
    "non_zero": ("NonZero(p)", TABLE),
    "compress": ("Compress<axis = 0>(r, large)", MATRIX),
    "compress_columns": ("Compress<axis = -1>(t, large)", MATRIX),
    "compress_a_list": ("Compress(found, large)", PLACES),
    "compress_by_what_counts": ("Compress<axis = 0>(x, large)", MATRIX),
    # Shapes
    "flat": ("Reshape(r, flat)", VECTOR),
    "kept": ("Reshape(r, keep)", BLOCK),
    "joined": ("Reshape(r, join)", MATRIX),
    "apart": ("Reshape(r, apart)", BLOCK),
    "behind": ("Reshape(d, behind)", BLOCK),
    "flatten": ("Flatten<axis = 2>(d)", MATRIX),
    "flatten_behind": ("Flatten<axis = 0>(r)", MATRIX),
    # Places
    "first": ("Slice(r, zero, three, zero)", MATRIX),
    "all_but_the_last": ("Slice(r, zero, minus, zero)", MATRIX),
    "last": ("Slice(r, minus_two, big, zero)", MATRIX),
    "middle": ("Slice(r, one, minus, zero)", MATRIX),
    "crossing": ("Slice(r, minus_four, three, zero)", MATRIX),
    "every_second": ("Slice(r, one, big, zero, two)", MATRIX),
    "backwards": ("Slice(r, minus, low, zero, minus)", MATRIX),
    "backwards_by_two": ("Slice(r, five, one, zero, minus_two)", MATRIX),
    "both_axes": ("Slice(r, last_and_first, low_and_three, pair, minus_and_two)", MATRIX),
    "concat": ("Concat<axis = 0>(r, s)", MATRIX),
    "concat_of_constants": ("Concat<axis = 0>(m, r, x, s, m)", MATRIX),
    "concat_beside": ("Concat<axis = 1>(r, n, r)", MATRIX),
    "concat_along_the_last": ("Concat<axis = -1>(t, u)", MATRIX),
    "sum_of_concats": ("Add(rs, qs)", MATRIX),
    "gather_the_last": ("Gather<axis = 0>(r, minus)", MATRIX),
    "gather_a_few": ("Gather<axis = 1>(t, few)", BLOCK),
    "gather_by_what_counts": ("Gather<axis = 0>(r, found)", MATRIX),
    "gather_nd": ("GatherND(x, corners)", MATRIX),
    "elements_of_rows": ("GatherElements<axis = 1>(r, order)", MATRIX),
    "elements_of_columns": ("GatherElements<axis = 0>(t, order_of_columns)", MATRIX),
    "elements_of_the_last": ("GatherElements<axis = 0>(r, ends)", MATRIX),
    "elements_by_what_counts": ("GatherElements<axis = 0>(r, last_row)", MATRIX),
    "elements_of_all": ("GatherElements<axis = 0>(x, order)", MATRIX),
}
"""What makes results of the rows ``r`` and of what is made of them before, and their types."""

FROM_NONE = {
    "max", "min", "max_of_integers", "arg_max", "arg_min", "gather_the_last", "gather_a_few",
    "elements_of_the_last",
    "mean", "mean_of_all", "mean_along_the_last", "log_sum_exp", "kept",
}  # fmt: skip
"""What ONNX does not define, or onnxruntime refuses, where there are no rows."""

BEFORE = """
  r = Compress<axis = 0>(x, c)
  s = Compress<axis = 0>(x, e)
  t = Transpose(r)
  u = Transpose(s)
  i = Cast<to = 7>(r)
  n = Neg(r)
  d = Unsqueeze(r, zero)
  half = Constant<value = float {0.5}>()
  p = Greater(r, half)
  s1 = ReduceSum(r, one)
  s1_of_columns = Transpose(s1)
  squares = Mul(w, w)
  sums = ReduceSum<keepdims = 0>(r, one)
  large = Greater(sums, half)
  rs = Concat<axis = 0>(r, s)
  qs = Concat<axis = 0>(n, s)
  positions = NonZero(c)
  places = Squeeze(positions, zero)
  found = Sub(places, places)
  corners = Transpose(positions)
  best, order = TopK(r, two)
  order_of_columns = Transpose(order)
  first_row = Sub(order, order)
  last_row = Add(first_row, minus)
"""


def network(names):
    """Return a network whose outputs are the results of some cases."""
    outputs, nodes = results_of(CASES, names)
    model = parser.parse_model(
        f"""<ir_version: 8, opset_import: ["" : 17]>
        g (float[{ROWS}, 4] x, bool[{ROWS}] c, bool[{ROWS}] e) => ({outputs}) {{
          {BEFORE} {nodes}
        }}"""
    )
    numbers = {
        **{name: np.array(value, np.int64) for name, value in CONSTANTS.items()},
        "bytes": np.array([3, 0, 128, 255], np.uint8),
        "w": np.array([0.5, -1, 2, 0.25], np.float32),
        "m": np.linspace(-1, 1, 16, dtype=np.float32).reshape(4, 4),
    }
    model.graph.initializer.extend(numpy_helper.from_array(v, k) for k, v in numbers.items())
    return model.SerializeToString()


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", [0, 2])
def test_every_number_of_rows(level):
    check_conditions(network, CASES, CONDITIONS, FROM_NONE, level)


NEWEST = [
    "Swish<alpha = 1.702>(r)",
    "Swish(t)",
    "Mish(r)",
    'Gelu<approximate = "tanh">(r)',
    "CastLike(r, w)",
    "RMSNormalization<axis = -1>(r, w)",
]
"""Operators of opset 24, which onnxruntime lacks."""


def newest(call):
    """Return a network of opset 24 with one call on the rows, or on columns, that are counted."""
    model = parser.parse_model(
        f"""<ir_version: 10, opset_import: ["" : 24]>
        g (float[{ROWS}, 4] x, bool[{ROWS}] c) => (float[A, B] y) {{
          r = Compress<axis = 0>(x, c) t = Transpose(r) y = {call}
        }}"""
    )
    w = np.array([0.5, -1, 2, 0.25], np.float32)
    model.graph.initializer.append(numpy_helper.from_array(w, "w"))
    return model


def test_operators_that_onnxruntime_lacks():
    for call in NEWEST:
        model = newest(call)
        right = ReferenceEvaluator(model)
        random = np.random.default_rng(3)
        with autodeploy.compile(model.SerializeToString(), level=0) as session:
            for c in CONDITIONS[:3]:
                inputs = {"x": random.standard_normal((ROWS, 4), np.float32), "c": c}
                found, (wanted,) = session.run(inputs)["y"], right.run(None, inputs)
                assert found.shape == wanted.shape, call
                assert_close(found, wanted)


@pytest.mark.parametrize(
    "call",
    [
        "Hardmax<axis = 0>(r)",
        "LpNormalization<axis = 0>(r)",
        "BatchNormalization(t, v, v, v, v)",
        'Einsum<equation = "ij,ij->j">(r, x)',
        "Trilu(r)",
        "GatherElements<axis = 1>(r, few)",
        "MeanVarianceNormalization<axes = [0, 1]>(r)",
    ],
)
def test_ops_that_join_or_number_rows_are_refused(call):
    model = newest(call)
    v, few = np.ones(ROWS, np.float32), np.zeros((2, 2), np.int64)
    model.graph.initializer.append(numpy_helper.from_array(v, "v"))
    model.graph.initializer.append(numpy_helper.from_array(few, "few"))
    with pytest.raises(UnsupportedError, match="depends on values, which is not supported there"):
        autodeploy.compile(model.SerializeToString(), level=0)
