"""A network that scales its image by its height and width, as torchvision's detectors do."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, numpy_helper, parser

_TEXT = """
<ir_version: 9, opset_import: ["": 18]>
detector (float[3, h, w] x) => (
    float[1, q, r, s] features, float[1, 4, t] scores, float[u, v] grid, int64[p] numbers,
    float[1, 2] sizes, float[1, 4] mean
)
<
  int64 height = {1}, int64 width = {2}, float shortest = {20}, float longest = {28},
  int64 zero = {0}, int64 one = {1}, int64 four = {4}, int64[1] ones = {1}, int64[1] threes = {3},
  int64[1] minus = {-1}, int64[1] fours = {4}, int64[1] first = {0}, int64[1] second = {1},
  int64[1] last = {2}, int64[2] both = {0, 1}, int64[6] none = {0, 0, 0, 0, 0, 0},
  float[1, 2] boxes = {8, 6}
>
{
  shape = Shape(x)
  h = Gather(shape, height)
  w = Gather(shape, width)
  hf = Cast<to = 1>(h)
  wf = Cast<to = 1>(w)
  least = Min(hf, wf)
  most = Max(hf, wf)
  enlarged = Div(shortest, least)
  reduced = Div(longest, most)
  scale = Min(enlarged, reduced)
  hs = Mul(hf, scale)
  ws = Mul(wf, scale)
  hr = Floor(hs)
  wr = Floor(ws)
  m = Cast<to = 7>(hr)
  n = Cast<to = 7>(wr)
  ms = Unsqueeze(m, first)
  ns = Unsqueeze(n, first)
  image = Unsqueeze(x, first)
  extents = Concat<axis = 0>(ones, threes, ms, ns)
  resized = Resize<mode = "linear", coordinate_transformation_mode = "pytorch_half_pixel">
      (image, , , extents)
  m_less = Sub(m, one)
  m_more = Add(m_less, four)
  m_four = Div(m_more, four)
  m_whole = Mul(m_four, four)
  m_rest = Sub(m_whole, m)
  n_less = Sub(n, one)
  n_more = Add(n_less, four)
  n_four = Div(n_more, four)
  n_whole = Mul(n_four, four)
  n_rest = Sub(n_whole, n)
  m_pad = Unsqueeze(m_rest, first)
  n_pad = Unsqueeze(n_rest, first)
  pads = Concat<axis = 0>(none, m_pad, n_pad)
  padded = Pad(resized, pads)
  sums = Conv<kernel_shape = [3, 3], pads = [1, 1, 1, 1], strides = [2, 2]>(padded, filter)
  features = Relu(sums)
  pooled = MaxPool<kernel_shape = [1, 1], strides = [2, 2]>(features)
  listed = Concat<axis = 0>(ones, fours, minus)
  large = Reshape(features, listed)
  small = Reshape(pooled, listed)
  joined = Concat<axis = 2>(large, small)
  scores = Softmax<axis = 2>(joined)
  mean = ReduceMean<keepdims = 0>(joined, last)
  count = Mul(m, n)
  line = Range(zero, count, one)
  numbers = Add(line, one)
  places = Cast<to = 1>(line)
  two = Concat<axis = 0>(ms, ns)
  table = Reshape(places, two)
  channel = ReduceMax<keepdims = 0>(resized, both)
  rows = Range(zero, m, one)
  rows_f = Cast<to = 1>(rows)
  column = Unsqueeze(rows_f, second)
  marked = Add(table, channel)
  grid = Add(marked, column)
  mf = Cast<to = 1>(m)
  nf = Cast<to = 1>(n)
  m_ratio = Div(hf, mf)
  n_ratio = Div(wf, nf)
  ratio_h = Unsqueeze(m_ratio, first)
  ratio_w = Unsqueeze(n_ratio, first)
  ratios = Concat<axis = 0>(ratio_h, ratio_w)
  sizes = Mul(boxes, ratios)
}
"""


def detector() -> ModelProto:
    """Features of a scaled and padded image, scores of two levels, and boxes scaled back."""
    model = parser.parse_model(_TEXT)
    weights = np.random.default_rng(0).standard_normal((4, 3, 3, 3)).astype(np.float32)
    model.graph.initializer.append(numpy_helper.from_array(weights, "filter"))
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    return model
