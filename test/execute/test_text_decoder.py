"""A decoder that says one token after the other: a loop with a condition that carries its cache."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from onnx import numpy_helper, parser
from sanitized_program import check_sanitized

import autodeploy

MOST, WIDTH, WORDS, END = 12, 16, 30, 7

TEXT = f"""<ir_version: 8, opset_import: ["" : 17]>
decoder (int64 first, int64 limit)
    => (int64[{MOST}] said, int64 count, float[{MOST}, {WIDTH}] keys) {{
  last, said, keys, values, count = Loop(limit, yes, first, silence, empty, empty, zero) <
    body = step (int64 i, bool go, int64 token, int64[N] before, float[N, M] k, float[N, M] v,
                 int64 n)
        => (bool on, int64 next, int64[N] after, float[N, M] k2, float[N, M] v2, int64 n2) {{
      word = Gather(embedding, token)
      place = Gather(positions, i)
      x = Add(word, place)
      row = Unsqueeze(x, zeros)
      q = MatMul(row, wq)
      new_key = MatMul(row, wk)
      new_value = MatMul(row, wv)
      here = Equal(numbers, i)
      column = Unsqueeze(here, ones)
      k2 = Where(column, new_key, k)
      index = Reshape(i, corner)
      v2 = ScatterND(v, index, new_value)
      turned = Transpose(k2)
      product = MatMul(q, turned)
      scaled = Mul(product, scale)
      past = LessOrEqual(numbers, i)
      masked = Where(past, scaled, low)
      weights = Softmax(masked)
      read = MatMul(weights, v2)
      both = Add(read, row)
      normal = LayerNormalization(both, gain)
      logits = MatMul(normal, head)
      best = ArgMax<axis = 1, keepdims = 0>(logits)
      next = Squeeze(best, zeros)
      after = Where(here, next, before)
      ended = Equal(next, end)
      on = Not(ended)
      n2 = Add(n, one)
    }}
  >
}}"""


def decoder():
    """Return the model; its weights are random."""
    random = np.random.default_rng(3)
    model = parser.parse_model(TEXT)
    floats = {
        "embedding": random.standard_normal((WORDS, WIDTH)),
        "positions": random.standard_normal((MOST, WIDTH)),
        **{name: random.standard_normal((WIDTH, WIDTH)) / 4 for name in ("wq", "wk", "wv")},
        "head": random.standard_normal((WIDTH, WORDS)),
        "gain": np.ones(WIDTH),
        "scale": np.array(0.25),
        "low": np.array(-1e9),
        "empty": np.zeros((MOST, WIDTH)),
    }
    integers = {
        "numbers": np.arange(MOST), "zeros": [0], "ones": [1], "corner": [1, 1], "zero": 0,
        "one": 1, "end": END, "silence": np.full(MOST, -1),
    }  # fmt: skip
    tensors = {
        **{name: value.astype(np.float32) for name, value in floats.items()},
        **{name: np.array(value, np.int64) for name, value in integers.items()},
        "yes": np.array(True),
    }
    model.graph.initializer.extend(numpy_helper.from_array(v, k) for k, v in tensors.items())
    return model.SerializeToString()


def runs(model):
    """Yield inputs and what is expected: texts that end by themselves, by the limit, and none."""
    theirs = onnxruntime.InferenceSession(model)
    counts = set()
    for first in range(0, WORDS, 4):
        for limit in (MOST, 3, 0):
            inputs = {"first": np.array(first), "limit": np.array(limit)}
            expected = theirs.run(None, inputs)
            counts.add((limit, int(expected[1])))
            yield inputs, expected
    assert {(MOST, MOST), (3, 3), (0, 0)} < counts
    assert any(0 < count < limit == MOST for limit, count in counts)


def check(found, expected):
    for ours, right in zip(found[:2], expected[:2], strict=True):
        np.testing.assert_array_equal(ours, right)
    np.testing.assert_allclose(found[2], expected[2], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("level", [0, 2, 3])
def test_texts(level):
    model = decoder()
    with autodeploy.compile(model, level=level) as session:
        for inputs, expected in runs(model):
            check(list(session.run(inputs).values()), expected)


@pytest.mark.exhaustive
def test_sanitizers_find_nothing(tmp_path):
    model = decoder()
    check_sanitized(model, tmp_path, runs(model), check)
