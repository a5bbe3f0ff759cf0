"""A detector: convolutions, boxes decoded from what they find, suppression, what is left."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from onnx import numpy_helper, parser
from sanitized_program import check_sanitized

import autodeploy

CLASSES, CELLS, PIXELS = 3, 8, 32

TEXT = f"""<ir_version: 8, opset_import: ["" : 17]>
detector (float[1, 3, {PIXELS}, {PIXELS}] image, float[1] least)
    => (float[N, 6] found, int64[1] number, float[4] around, float[A] best, float[M, 4] few) {{
  a = Conv<pads = [1, 1, 1, 1], strides = [2, 2]>(image, w1, b1)
  b = Relu(a)
  e = Conv<pads = [1, 1, 1, 1], strides = [2, 2]>(b, w2, b2)
  f = Relu(e)
  g = Conv(f, w3, b3)
  rows = Transpose<perm = [0, 2, 3, 1]>(g)
  cells = Reshape(rows, by_cell)
  offsets, sizes, classes = Split<axis = 2>(cells, parts)
  inside = Sigmoid(offsets)
  moved = Add(inside, grid)
  centres = Mul(moved, stride)
  wide = Exp(sizes)
  extents = Mul(wide, stride)
  halves = Mul(extents, half)
  low = Sub(centres, halves)
  high = Add(centres, halves)
  boxes = Concat<axis = 2>(low, high)
  likely = Sigmoid(classes)
  scores = Transpose<perm = [0, 2, 1]>(likely)
  kept = NonMaxSuppression(boxes, scores, most, overlap, least)
  numbers = Gather<axis = 1>(kept, two)
  places = Squeeze(numbers, ones)
  flat = Squeeze(boxes, zeros)
  corners = Gather<axis = 0>(flat, places)
  sure = GatherND(scores, kept)
  column = Unsqueeze(sure, ones)
  class_column = Slice(kept, ones, twos, ones)
  class_numbers = Cast<to = 1>(class_column)
  found = Concat<axis = 1>(corners, column, class_numbers)
  sizes_found = Shape(found)
  number = Slice(sizes_found, zeros, ones)
  around = ReduceMax<axes = [0], keepdims = 0>(corners)
  all_sure = Concat<axis = 0>(sure, floor)
  best = ReduceMax<keepdims = 1>(all_sure)
  few = Slice(corners, zeros, fours, zeros)
}}"""


def detector():
    """Return the model; its weights are random."""
    random = np.random.default_rng(7)
    model = parser.parse_model(TEXT)
    grid = np.stack(np.meshgrid(np.arange(CELLS), np.arange(CELLS)), -1).reshape(1, -1, 2)
    numbers = {
        "w1": random.standard_normal((8, 3, 3, 3)) / 4,
        "b1": random.standard_normal(8),
        "w2": random.standard_normal((12, 8, 3, 3)) / 6,
        "b2": random.standard_normal(12),
        "w3": random.standard_normal((4 + CLASSES, 12, 1, 1)) / 2,
        "b3": random.standard_normal(4 + CLASSES),
        "grid": grid,
        "stride": np.array(PIXELS / CELLS),
        "half": np.array(0.5),
        "overlap": np.array([0.4]),
        "floor": np.array([-1.0]),
    }
    integers = {
        "by_cell": [1, -1, 4 + CLASSES],
        "parts": [2, 2, CLASSES],
        "most": [10],
        "zeros": [0],
        "ones": [1],
        "two": [2],
        "twos": [2],
        "fours": [4],
    }
    tensors = {
        **{name: value.astype(np.float32) for name, value in numbers.items()},
        **{name: np.array(value) for name, value in integers.items()},
    }
    model.graph.initializer.extend(numpy_helper.from_array(v, k) for k, v in tensors.items())
    return model.SerializeToString()


def runs(model):
    """Yield inputs and what is expected of them: many boxes, few, one, none."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    theirs = onnxruntime.InferenceSession(model, options)
    scores = {}
    for seed, least in ((0, 0.0), (1, 0.58), (2, 0.6), (3, 0.9)):
        image = np.random.default_rng(seed).random((1, 3, PIXELS, PIXELS), np.float32)
        inputs = {"image": image, "least": np.array([least], np.float32)}
        expected = theirs.run(None, inputs)
        scores[least] = len(expected[0])
        yield inputs, expected
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
    assert scores[0.0] == 10 * CLASSES > scores[0.6] > scores[0.9] == 0


def check(found, expected):
    for name, ours, right in zip(
        ("found", "number", "around", "best", "few"), found, expected, strict=True
    ):
        if name == "around" and not len(expected[0]):
            continue  # ONNX says nothing of the largest of no boxes
        assert_close(ours, right)


@pytest.mark.parametrize("level", [0, 2, 3])
def test_boxes(level):
    model = detector()
    with autodeploy.compile(model, level=level) as session:
        for inputs, expected in runs(model):
            check(list(session.run(inputs).values()), expected)


@pytest.mark.exhaustive
def test_sanitizers_find_nothing(tmp_path):
    model = detector()
    check_sanitized(model, tmp_path, runs(model), check)
