"""Cases of sequences and optionals within a model; onnxruntime says what comes out."""

from __future__ import annotations

import numpy as np
from onnx_case import f32
from onnx_cases_control_flow import control_flow

BUILT = """
g (float[2, 3] x, float[1, 3] y, float[3, 3] z) => (float[N, M] a, float[K, L] c, int64 n)
    <int64 one = {1}, int64 last = {-1}> {
  empty = SequenceEmpty()
  first = SequenceInsert(empty, x)
  second = SequenceInsert(first, y)
  third = SequenceInsert(second, z, one)
  fourth = SequenceErase(third, last)
  a = SequenceAt(third, last)
  c = ConcatFromSequence<axis = 0>(fourth)
  n = SequenceLength(third)
}
"""

SPLIT = """
g (float[2, 7] x, int64 place) => (float[N, M, K] a, float[L, 2] b, float[P] c, float[Q] d)
    <int64 size = {3}, int64[3] sizes = {4, 0, 3}, int64 two = {2}> {
  parts = SplitToSequence<axis = 1>(x, size)
  others = SplitToSequence<axis = -1>(x, sizes)
  rows = SplitToSequence<axis = 1, keepdims = 0>(x)
  a = ConcatFromSequence<axis = 1, new_axis = 1>(rows)
  s = SequenceAt(parts, two)
  b = Transpose(s)
  t = SequenceAt(others, two)
  c = ReduceSum<keepdims = 0>(t)
  d = SequenceAt(rows, place)
}
"""

GROWN = """
g (float[4] x, float[4] y) => (float[N, M] a, int64 n) <int64 trips = {3}, bool go = {1}> {
  given = SequenceConstruct(x, y)
  made = Loop(trips, go, given) <
    body = b (int64 i, bool on, seq(float[K]) p) => (bool off, seq(float[K]) q) {
      off = Identity(on)
      r = SequenceAt(p, i)
      f = Cast<to = 1>(i)
      s = Mul(r, f)
      q = SequenceInsert(p, s)
    }
  >
  a = ConcatFromSequence<axis = 0, new_axis = 1>(made)
  n = SequenceLength(made)
}
"""

UNTIL = """
g (float[4] x, int64 k) => (float[N, M] a) <int64 zero = {0}, int64 one = {1}, int64 three = {3},
    bool go = {1}> {
  empty = SequenceEmpty()
  last, made = Loop(, go, zero, empty) <
    body = b (int64 i, bool on, int64 n, seq(float[K]) p) => (bool off, int64 o, seq(float[K]) q) {
      f = Cast<to = 1>(n)
      is = Equal(n, k)
      r = If(is) <then_branch = t () => (float[K] s) { s = Neg(x) },
                  else_branch = e () => (float[K] s) { s = Mul(x, f) }>
      q = SequenceInsert(p, r)
      o = Add(n, one)
      off = Less(o, three)
    }
  >
  a = ConcatFromSequence<axis = 0, new_axis = 1>(made)
}
"""

CHOSEN = """
g (bool c, float[4] x, float[4] y) => (float[N] a, float[M] b) <int64 zero = {0}, int64 one = {1}> {
  both = SequenceConstruct(x, y)
  z = Add(x, y)
  taken = If(c) <
    then_branch = t () => (seq(float[N]) p) { q = Neg(z) p = SequenceInsert(both, q, zero) },
    else_branch = e () => (seq(float[N]) r) { r = SequenceConstruct(z, y, x) }
  >
  a = SequenceAt(taken, zero)
  b = SequenceAt(taken, one)
}
"""

EACH = """
g (float[2, 3] x, float[3] y) => (float[N, 3] a, int64[M] b) {
  rows = SplitToSequence<axis = 0, keepdims = 0>(x)
  sums, shapes = SequenceMap(rows, y) <
    body = b (float[3] p, float[3] q) => (float[3] r, int64[1] s) { r = Add(p, q) s = Shape(r) }
  >
  a = ConcatFromSequence<axis = 0, new_axis = 1>(sums)
  b = ConcatFromSequence<axis = 0>(shapes)
}
"""

HELD = """
g (float[3] x) => (float[3] y, bool h, bool m) {
  some = Optional(x)
  none = Optional<type = float[3]>()
  h = OptionalHasElement(some)
  m = OptionalHasElement(none)
  y = OptionalGetElement(some)
}
"""

SEQUENCE_CASES = (
    control_flow("sequence_built", BUILT, x=f32(2, 3), y=f32(1, 3), z=f32(3, 3)),
    control_flow("sequence_split", SPLIT, x=f32(2, 7), place=np.array(-2)),
    control_flow("sequence_grown", GROWN, x=f32(4), y=f32(4)),
    control_flow("sequence_until", UNTIL, x=f32(4), k=np.array(1)),
    control_flow("sequence_chosen", CHOSEN, c=np.array(True), x=f32(4), y=f32(4)),
    control_flow("sequence_not_chosen", CHOSEN, c=np.array(False), x=f32(4), y=f32(4)),
    control_flow("sequence_mapped", EACH, x=f32(2, 3), y=f32(3)),
    control_flow("optional_held", HELD, x=f32(3)),
)
