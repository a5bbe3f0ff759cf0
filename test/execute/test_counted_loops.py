"""Loops that collect as many rows as a run makes steps, and what they read of counted values.

onnxruntime says what is right.
"""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from counted_rows import results_of
from onnx import numpy_helper, parser

import autodeploy
from autodeploy.diagnostics import UnsupportedError, UserError

CONSTANTS = {"ten": 10, "zero": 0, "axis": [0], "bags": 3, "end": [6], "big": [2**62], "one": [1]}

BEFORE = """
  rows_end, rows = Loop(ten, start, x) <body = b (int64 i, bool c, float[3] a)
      => (bool go, float[3] s, float[3] row) {
    s = Add(a, step) total = ReduceSum<keepdims = 0>(s) go = Less(total, limit) row = Neg(s)
  }>
  by_number_end, by_number = Loop(n, yes, x) <body = b (int64 i, bool c, float[3] a)
      => (bool go, float[3] s, float[3] row) {
    go = Identity(c) s = Add(a, step) row = Identity(s)
  }>
  by_both_end, by_both, turns = Loop(n, start, x) <body = b (int64 i, bool c, float[3] a)
      => (bool go, float[3] s, float[3] row, int64 turn) {
    s = Add(a, step) total = ReduceSum<keepdims = 0>(s) go = Less(total, limit)
    row = Neg(s) turn = Identity(i)
  }>
  kept = Compress<axis = 0>(table, mask)
  positions = NonZero(mask)
  tail = Slice(offsets, one, big)
  ends = Concat<axis = 0>(tail, end)
"""

CASES = {
    "ends": ("Identity(rows_end)", "float[A]"),
    "rows": ("Identity(rows)", "float[A, B]"),
    "number_of_rows": ("Shape(rows)", "int64[A]"),
    "sum_of_rows": ("ReduceSum<keepdims = 0>(rows, axis)", "float[A]"),
    "by_number": ("Add(by_number, step)", "float[A, B]"),
    "by_number_ends": ("Neg(by_number_end)", "float[A]"),
    "by_both": ("Concat<axis = 0>(by_both, rows)", "float[A, B]"),
    "turns": ("Identity(turns)", "int64[A]"),
    "over_counted": ("""Loop(bags, yes, x) <body = b (int64 i, bool c, float[3] a)
        => (bool go, float[3] s, float[3] t) {
      go = Identity(c) p = Identity(kept) u = ReduceSum<keepdims = 0>(p, axis) s = Add(a, u)
      t = Neg(s)
    }>""", "float[A]", "float[A, B]"),
    "scanned": ("""Scan<num_scan_inputs = 1, body = b (float[3] row) => (float v) {
      w = Mul(kept, row) v = ReduceSum<keepdims = 0>(w)
    }>(table)""", "float[A]"),
    "bags": ("""Loop(bags, yes) <body = b (int64 i, bool c) => (bool go, float[3] row) {
      go = Identity(c) f = Gather(offsets, i) l = Gather(ends, i)
      s = Unsqueeze(f, axis) e = Unsqueeze(l, axis)
      part = Slice(picked, s, e, axis) taken = Gather(table, part)
      row = ReduceSum<keepdims = 0>(taken, axis)
    }>""", "float[A, B]"),
}  # fmt: skip


def network(names):
    """Return a network whose outputs are the results of some cases."""
    outputs, nodes = results_of(CASES, names)
    model = parser.parse_model(
        f"""<ir_version: 8, opset_import: ["" : 18]>
        g (float[3] x, float limit, bool start, int64 n, bool[8] mask, int64[6] picked,
           int64[3] offsets) => ({outputs}) {{ {BEFORE} {nodes} }}"""
    )
    arrays = {name: np.array(value, np.int64) for name, value in CONSTANTS.items()}
    arrays["yes"], arrays["step"] = np.array(True), np.array([1, 0.5, 0], np.float32)
    arrays["table"] = np.linspace(-1, 1, 24, dtype=np.float32).reshape(8, 3)
    model.graph.initializer.extend(numpy_helper.from_array(v, k) for k, v in arrays.items())
    return model.SerializeToString()


@pytest.mark.parametrize("level", [0, 2])
def test_every_number_of_steps(level):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    theirs = {name: onnxruntime.InferenceSession(network([name]), options) for name in CASES}
    runs = (  # the limit, the first condition, the trips, what counts, where bags begin
        (7.0, True, 5, 0b10110001, (0, 2, 4)),
        (1e9, True, 6, 0b11111111, (0, 0, 6)),
        (-1e9, True, 1, 0b00000001, (1, 5, 5)),
        (3.0, False, 0, 0b00000000, (6, 3, 0)),
        (np.nan, True, -2, 0b01000000, (-6, -2, -1)),
    )
    with autodeploy.compile(network(CASES), level=level, bounds={"n": 6}) as session:
        for limit, start, n, mask, offsets in runs:
            inputs = {
                "x": np.array([0.5, -1, 2], np.float32),
                "limit": np.array(limit, np.float32),
                "start": np.array(start),
                "n": np.array(n),
                "mask": np.array([mask >> bit & 1 == 1 for bit in range(8)]),
                "picked": np.array([1, 2, 4, 5, 4, 7]),
                "offsets": np.array(offsets),
            }
            found = session.run(inputs)
            for name, reference in theirs.items():
                for number, right in enumerate(reference.run(None, inputs)):
                    ours = found[f"{name}_{number}"]
                    assert ours.shape == right.shape, (name, n)
                    assert_close(ours, right)
        with pytest.raises(UserError, match="value 'n' is 7, its bound is 6"):
            session.run({**inputs, "n": np.array(7)})


@pytest.mark.parametrize(
    ("trips", "reason"),
    [
        ("", "that takes a trip count that is a constant or has a bound"),
        ("n", "input 'M' must be a constant, .* such as --bound n=1000"),
    ],
)
def test_rows_without_a_bound_are_refused(trips, reason):
    model = parser.parse_model(
        f"""<ir_version: 8, opset_import: ["" : 18]>
        g (float[3] x, int64 n) => (float[3] y, float[A, 3] r)
        <bool yes = {{1}}, float limit = {{1.0}}> {{
          y, r = Loop({trips}, yes, x) <body = b (int64 i, bool c, float[3] a)
              => (bool go, float[3] s, float[3] row) {{
            s = Neg(a) t = ReduceSum<keepdims = 0>(s) go = Less(t, limit) row = Abs(s)
          }}>
        }}"""
    )
    with pytest.raises(UnsupportedError, match=reason):
        autodeploy.compile(model.SerializeToString(), level=0)
