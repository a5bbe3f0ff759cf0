"""Loops and choices of the nn dialect through the generated C, at every level."""

from __future__ import annotations

import numpy as np
import pytest
from text_program import compile_text

LEVELS = (0, 1, 2, 3)


def run(session, *inputs):
    return session.run({f"input{i}": value for i, value in enumerate(inputs)})


RECURRENCE = """
func.func @main(%x: tensor<5x16xf32>, %h: tensor<16xf32>)
    -> (tensor<5x16xf32>, tensor<16xf32>, tensor<5xi64>) {
  %last, %rows, %numbers = nn.for steps 5 from (%h) over (%x) with (%h)
      {backwards = array<i64: 0, 1, 0>} : (tensor<16xf32>), (tensor<5x16xf32>), (tensor<16xf32>)
      -> (tensor<16xf32>, tensor<5x16xf32>, tensor<5xi64>) {
  ^bb0(%i: tensor<i64>, %state: tensor<16xf32>, %row: tensor<16xf32>, %first: tensor<16xf32>):
    %w = nn.constant #nn.dense<0.0625 : tensor<16x16xf32>>
    %flat = nn.reshape %state : (tensor<16xf32>) -> tensor<1x16xf32>
    %p = nn.matmul %flat, %w : (tensor<1x16xf32>, tensor<16x16xf32>) -> tensor<1x16xf32>
    %q = nn.reshape %p : (tensor<1x16xf32>) -> tensor<16xf32>
    %f = nn.cast %i : (tensor<i64>) -> tensor<f32>
    %z = nn.add %f, %row : (tensor<f32>, tensor<16xf32>) -> tensor<16xf32>
    %sum = nn.add %q, %z : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %y = nn.mul %sum, %first : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    nn.yield %y, %y, %i : tensor<16xf32>, tensor<16xf32>, tensor<i64>
  }
  func.return %rows, %last, %numbers : tensor<5x16xf32>, tensor<16xf32>, tensor<5xi64>
}
"""


@pytest.mark.parametrize("level", LEVELS)
def test_rows_and_carried_values(tmp_path, level):
    generator = np.random.default_rng(0)
    x = generator.standard_normal((5, 16), np.float32)
    h = generator.standard_normal(16, np.float32)
    rows, state = np.zeros_like(x), h
    for step in range(5):
        state = (np.full(16, state.sum() * 0.0625) + step + x[step]) * h
        rows[4 - step] = state
    with compile_text(RECURRENCE, tmp_path, level) as session:
        for _ in range(2):  # what a run exchanges, the next one finds
            found = list(run(session, x, h).values())
            np.testing.assert_allclose(found[0], rows, rtol=1e-5, atol=1e-5)
            np.testing.assert_allclose(found[1], state, rtol=1e-5, atol=1e-5)
            np.testing.assert_array_equal(found[2], np.arange(5))


SWAPS = """
func.func @main(%n: tensor<i64>, %x: tensor<4xf32>, %y: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a, %b, %c = nn.for trips %n : tensor<i64> from (%x, %y, %x) over () with (%y)
      {backwards = array<i64>} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>), (), (tensor<4xf32>)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%i: tensor<i64>, %p: tensor<4xf32>, %q: tensor<4xf32>, %r: tensor<4xf32>, %s: tensor<4xf32>):
    %t = nn.add %p, %s : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    nn.yield %q, %t, %r : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  func.return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
"""


@pytest.mark.parametrize("level", LEVELS)
def test_carried_values_that_change_places(tmp_path, level):
    x, y = np.arange(4, dtype=np.float32), np.full(4, 10, np.float32)
    with compile_text(SWAPS, tmp_path, level) as session:
        for trips in (3, 0, 2, 5, -1):
            a, b = x, y
            for _ in range(trips):
                a, b = b, a + y
            found = list(run(session, np.array(trips), x, y).values())
            for ours, theirs in zip(found, (a, b, x), strict=True):
                np.testing.assert_array_equal(ours, theirs)


COLLATZ = """
func.func @main(%x: tensor<i64>) -> (tensor<i64>, tensor<i64>) {
  %zero = nn.constant #nn.dense<0 : tensor<i64>>
  %one = nn.constant #nn.dense<1 : tensor<i64>>
  %start = nn.less %one, %x : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %go, %n, %count = nn.for while from (%start, %x, %zero) over () with ()
      {backwards = array<i64>} : (tensor<i1>, tensor<i64>, tensor<i64>), (), ()
      -> (tensor<i1>, tensor<i64>, tensor<i64>) {
  ^bb0(%i: tensor<i64>, %g: tensor<i1>, %m: tensor<i64>, %c: tensor<i64>):
    %two = nn.constant #nn.dense<2 : tensor<i64>>
    %three = nn.constant #nn.dense<3 : tensor<i64>>
    %first = nn.constant #nn.dense<1 : tensor<i64>>
    %half = nn.div %m, %two : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %whole = nn.mul %half, %two : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %even = nn.equal %whole, %m : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %next = nn.if %even with (%m, %half, %three, %first) : tensor<i1>,
        (tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<i64> {
    ^bb0(%p: tensor<i64>, %h: tensor<i64>, %t: tensor<i64>, %o: tensor<i64>):
      nn.yield %h : tensor<i64>
    } else {
    ^bb0(%p: tensor<i64>, %h: tensor<i64>, %t: tensor<i64>, %o: tensor<i64>):
      %triple = nn.mul %p, %t : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %more = nn.add %triple, %o : (tensor<i64>, tensor<i64>) -> tensor<i64>
      nn.yield %more : tensor<i64>
    }
    %counted = nn.add %c, %first : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %on = nn.less %first, %next : (tensor<i64>, tensor<i64>) -> tensor<i1>
    nn.yield %on, %next, %counted : tensor<i1>, tensor<i64>, tensor<i64>
  }
  func.return %n, %count : tensor<i64>, tensor<i64>
}
"""


@pytest.mark.parametrize("level", LEVELS)
def test_a_loop_until_a_condition_fails(tmp_path, level):
    with compile_text(COLLATZ, tmp_path, level) as session:
        for start, steps in ((27, 111), (1, 0), (7, 16), (-3, 0)):
            end, count = run(session, np.array(start)).values()
            assert (int(end), int(count)) == (1 if steps else start, steps)
