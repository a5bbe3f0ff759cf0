"""Cases of If, Loop and Scan, as the text of models; onnxruntime says what comes out."""

from __future__ import annotations

import numpy as np
from onnx import helper, parser
from onnx_case import OnnxCase, f32


def control_flow(name: str, text: str, **inputs: np.ndarray) -> OnnxCase:
    """Make a case of the text of a graph, in opset 17."""

    def build(shapes):
        model = parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17]> {text}')
        model.graph.name = name
        for output, shape in zip(model.graph.output, shapes or (), strict=False):
            element = output.type.tensor_type.elem_type
            output.CopyFrom(helper.make_tensor_value_info(output.name, element, shape))
        return model

    return OnnxCase(name, build, inputs, "onnxruntime", list(inputs.values()))


CHOICE = """
g (bool c, float[3, 4] x, float[4] z) => (float[N, M] y, float[N] s)
    <float[4] w = {1, 2, 3, 4}> {
  a = Relu(x)
  y, s = If(c) <
    then_branch = t () => (float[N, M] p, float[N] q) {
      p = Add(a, w) r = ReduceSum(z) q = Mul(z, r)
    },
    else_branch = e () => (float[N, M] p, float[N] q) { p = Identity(a) q = Neg(z) }
  >
}
"""

TRIPS = """
g (int64 n, float[3, 4] x) => (float[3, 4] y, float[3, 4] z) <bool t = {1}> {
  two = Constant<value = float {2.0}>()
  y, z = Loop(n, t, x, x) <
    body = b (int64 i, bool go, float[N, M] p, float[N, M] q)
        => (bool on, float[N, M] r, float[N, M] s) {
      on = Identity(go)
      f = Cast<to = 1>(i)
      g = Add(f, two)
      s = Mul(p, g)
      r = Add(q, x)
    }
  >
}
"""

WHILE = """
g (bool c, float[4] x, float limit) => (float[4] y, int64 n) <int64 zero = {0}, int64 one = {1}> {
  y, n = Loop(, c, x, zero) <
    body = b (int64 i, bool go, float[N] p, int64 k) => (bool on, float[N] r, int64 m) {
      r = Add(p, p)
      peak = ReduceMax<keepdims = 0>(r)
      on = Less(peak, limit)
      m = Add(k, one)
    }
  >
}
"""

NEVER = """
g (float[3, 4] x) => (float[3, 4] y, float[N, M] z)
    <int64 n = {2}, bool no = {0}, float[2, 2] w = {1, 2, 3, 4}> {
  y, z = Loop(n, no, x, w) <
    body = b (int64 i, bool go, float[N, M] p, float[N, M] q)
        => (bool on, float[N, M] r, float[N, M] s) {
      on = Identity(go)
      r = Neg(p)
      s = Neg(q)
    }
  >
}
"""

NOTHING = """
g (float[3, 4] x, bool c) => (float[3, 4] y, float[N, M, K] rows) <int64 n = {0}> {
  y, rows = Loop(n, c, x) <
    body = b (int64 i, bool go, float[N, M] p) => (bool on, float[N, M] r, float[3, 4] row) {
      on = Identity(go)
      r = Neg(p)
      row = Identity(p)
    }
  >
}
"""

COLLECT = """
g (float[4] x) => (float[4] y, float[N, M] rows, int64[N] steps) <int64 n = {6}> {
  y, rows, steps = Loop(n, , x) <
    body = b (int64 i, bool go, float[N] p) => (bool on, float[N] r, float[N] row, int64 step) {
      on = Constant<value = bool {1}>()
      r = Sin(p)
      row = Add(r, x)
      step = Add(i, i)
    }
  >
}
"""

NESTED = """
g (float[5, 4] x, float[4] h, bool c) => (float[4] y, float[N, M] rows) {
  y, rows = Scan(h, x) <num_scan_inputs = 1,
    body = b (float[N] p, float[N] row) => (float[N] r, float[N] out) {
      sum = ReduceSum<keepdims = 0>(row)
      zero = Constant<value = float {0.0}>()
      positive = Less(zero, sum)
      both = And(positive, c)
      mixed = If(both) <
        then_branch = t () => (float[N] m) { m = Add(p, row) },
        else_branch = e () => (float[N] m) {
          three = Constant<value = int64 {3}>()
          true = Constant<value = bool {1}>()
          m = Loop(three, true, p) <
            body = l (int64 i, bool go, float[N] v) => (bool on, float[N] w) {
              on = Identity(go) d = Mul(v, row) w = Sub(d, h)
            }
          >
        }
      >
      r = Tanh(mixed)
      out = Add(r, h)
    }
  >
}
"""

SCAN = """
g (float[2, 5, 3] x, float[5, 2] k, float[2, 3] h)
    => (float[2, 3] y, float[A, B, C] z, float[A, B] s) {
  y, z, s = Scan(h, x, k) <num_scan_inputs = 2, scan_input_axes = [1, 0],
      scan_input_directions = [1, 0], scan_output_axes = [-1, 0], scan_output_directions = [0, 1],
    body = b (float[N, M] p, float[N, M] row, float[N] f)
        => (float[N, M] r, float[N, M] o, float[N] q) {
      axis = Constant<value = int64[1] {1}>()
      g = Unsqueeze(f, axis)
      scaled = Mul(row, g)
      r = Add(p, scaled)
      o = Relu(r)
      q = ReduceMax<axes = [1], keepdims = 0>(o)
    }
  >
}
"""

SHAPES = """
g (bool c, float[2, 6] x) => (float[N, M] y) {
  y = If(c) <
    then_branch = t () => (float[N, M] p) {
      s = Shape(x)
      i = Constant<value = int64[1] {1}>()
      n = Gather(s, i)
      m = Constant<value = int64[1] {-1}>()
      k = Concat<axis = 0>(n, m)
      p = Reshape(x, k)
    },
    else_branch = e () => (float[N, M] p) { p = Transpose(x) }
  >
}
"""

RANKS = """
g (bool c, float[1, 3, 4] x, float[4] w) => (float[2, 6] y, float[N] z)
    <int64[1] zero = {0}, int64[2] of_y = {2, 6}> {
  v = Neg(w)
  a, b, d = If(c) <
    then_branch = t () => (float[N, M] p, float[N, M, K] q, float[N] o) {
      p = Squeeze(x, zero)
      q = Transpose<perm = [0, 2, 1]>(x)
      o = Neg(v)
    },
    else_branch = e () => (float[N, M, K] p, float[N, M, K] q, float[N] o) {
      p = Neg(x) q = Abs(x) o = Abs(v)
    }
  >
  r = Relu(a)
  s = Add(r, v)
  m = Mul(s, s)
  y = Reshape(m, of_y)
  rest = Constant<value_ints = [-1]>()
  f = Reshape(b, rest)
  both = ReduceSum<keepdims = 1>(f)
  z = Add(both, d)
}
"""

_X, _H = f32(5, 4), f32(4)
STATED = """
g (int64 n, bool c, float[6, 2] x) => (float[N, M] y, float[K, L, P] z) <int64[1] one = {1}> {
  start = Constant<value_floats = [0.0, 0.0]>()
  y2, z = Loop(n, c, start) <
    body = b (int64 i, bool go, float[2] p) => (bool on, float[2] r, float[N, 2] s) {
      on = Identity(go)
      zero = Constant<value_ints = [0]>()
      low = Unsqueeze(i, zero)
      high = Add(low, one)
      s = Slice(x, low, high, zero)
      t = ReduceSum<keepdims = 0>(s, zero)
      r = Add(p, t)
    }
  >
  y = Unsqueeze(y2, one)
}
"""

SEVERAL_READERS = """
g (bool c, float[3, 4] x) => (float[12] y, float z, int64 n) <int64[1] flat = {-1}> {
  a, b = If(c) <
    then_branch = t () => (float[N, M] p, float[N, M] q) { p = Neg(x) q = Abs(x) },
    else_branch = e () => (float[N] p, float[N] q) { p = Reshape(x, flat) q = Neg(p) }
  >
  k = Exp(a)
  s = Sigmoid(a)
  r = Relu(s)
  m = Mul(k, r)
  o = Add(m, a)
  y = Reshape(o, flat)
  u = Sub(b, a)
  z = ReduceSum <keepdims = 0> (u)
  n = Size(b)
}
"""

GROWS = """
g (int64[1] start, float[5, 4] w, float[6] x) => (int64[N] y, float[M] z, float[K, L] rows)
    <bool t = {1}, int64 n = {3}, int64[1] zero = {0}, int64[1] one = {1}, int64[1] most = {9}> {
  y, z, rows = Loop(n, t, start, x) <
    body = b (int64 i, bool go, int64[P] p, float[Q] q)
        => (bool on, int64[R] s, float[S] r, float[T] row) {
      on = Identity(go)
      v = Gather<axis = 0>(w, p)
      row = ReduceMean<axes = [0], keepdims = 0>(v)
      found = ArgMax<axis = 0>(row)
      s = Concat<axis = 0>(p, found)
      r = Slice(q, one, most, zero)
    }
  >
}
"""

CONTROL_FLOW_CASES = [
    *(
        control_flow(f"if_{value}".lower(), CHOICE, c=np.array(value), x=f32(3, 4), z=f32(4))
        for value in (True, False)
    ),
    *(
        control_flow(f"loop_{n}_trips".replace("-", "no_"), TRIPS, n=np.array(n), x=f32(3, 4))
        for n in (0, 1, 4, -1)
    ),
    *(
        control_flow(
            f"loop_while_{c}".lower(),
            WHILE,
            c=np.array(c),
            x=np.abs(f32(4)) + np.float32(0.1),
            limit=np.array(50, np.float32),
        )
        for c in (True, False)
    ),
    control_flow("loop_that_grows", GROWS, start=np.array([2]), w=f32(5, 4), x=f32(6)),
    control_flow("loop_never", NEVER, x=f32(3, 4)),
    control_flow("loop_collect_nothing", NOTHING, x=f32(3, 4), c=np.array(True)),
    control_flow("loop_collect", COLLECT, x=f32(4)),
    control_flow("loop_stated", STATED, n=np.array(4), c=np.array(True), x=f32(6, 2)),
    *(
        control_flow(f"scan_with_if_and_loop_{c}".lower(), NESTED, x=_X, h=_H, c=np.array(c))
        for c in (True, False)
    ),
    control_flow("scan_axes_and_directions", SCAN, x=f32(2, 5, 3), k=f32(5, 2), h=f32(2, 3)),
    *(
        control_flow(f"if_shapes_{c}".lower(), SHAPES, c=np.array(c), x=f32(2, 6))
        for c in (True, False)
    ),
    *(
        control_flow(f"if_readers_{c}".lower(), SEVERAL_READERS, c=np.array(c), x=f32(3, 4))
        for c in (True, False)
    ),
    *(
        control_flow(f"if_ranks_{c}".lower(), RANKS, c=np.array(c), x=f32(1, 3, 4), w=f32(4))
        for c in (True, False)
    ),
]
