"""Networks that join an open axis with one around it, and take both apart again."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto
from open_inner import Inner

WIDTH, HEADS, WORDS = 24, 4, 40


def matrices() -> ModelProto:
    """A transformer whose layers compute with a matrix of all tokens of a batch."""
    net = Inner()
    ids = net.takes("ids", "batch", "length", element=TensorProto.INT64)
    mask = net.takes("mask", "batch", "length")
    shape = net.add("Shape", ids)
    length = net.add("Slice", shape, net.integers(1), net.integers(2))
    flat = net.add("Reshape", ids, net.integers(-1))
    words = net.add("Gather", net.weight(WORDS, WIDTH), flat)
    words = net.add("Reshape", words, net.add("Concat", shape, net.integers(WIDTH), axis=0))
    places = net.add("Slice", net.weight(16, WIDTH), net.integers(0), length, net.integers(0))
    x = net.add("Add", words, places)
    x = net.add("LayerNormalization", x, net.weight(WIDTH), net.weight(WIDTH), axis=-1)
    x = net.add("Reshape", x, net.integers(-1, WIDTH))
    split = net.add("Concat", shape, net.integers(HEADS, WIDTH // HEADS), axis=0)
    q, k, v = (
        net.add("Transpose", net.add("Reshape", net.linear(x, WIDTH, WIDTH), split), perm=order)
        for order in ((0, 2, 1, 3), (0, 2, 3, 1), (0, 2, 1, 3))
    )
    hidden = net.add("Unsqueeze", net.add("Mul", mask, net.constant(-10000.0, "f4")),
                     net.integers(1, 2))  # fmt: skip
    scores = net.add("Softmax", net.add("Add", net.add("MatMul", q, k), hidden), axis=-1)
    seen = net.add("Transpose", net.add("MatMul", scores, v), perm=[0, 2, 1, 3])
    seen = net.add("Reshape", seen, net.integers(-1, WIDTH))
    x = net.add("Add", net.linear(seen, WIDTH, WIDTH), x)
    x = net.add("LayerNormalization", x, net.weight(WIDTH), net.weight(WIDTH), axis=-1)
    y = net.add("HardSwish", net.add("Gemm", x, net.weight(WIDTH, 50), net.weight(50)))
    x = net.add("Add", net.linear(y, 50, WIDTH), x)
    whole = net.add("Reshape", x, net.add("Concat", shape, net.integers(WIDTH), axis=0))
    net.gives(whole, "batch", "length", WIDTH)
    first = net.add("Squeeze", net.add("Slice", whole, net.integers(0), net.integers(1),
                                       net.integers(1)), net.integers(1))  # fmt: skip
    net.gives(net.add("Tanh", net.linear(first, WIDTH, 7)), "batch", 7)
    last = net.add("Gather", whole, net.constant(-1, np.int64), axis=1)
    net.gives(last, "batch", WIDTH)
    net.gives(net.add("ArgMax", x, axis=1, keepdims=0), None, element=TensorProto.INT64)
    net.gives(net.add("ReduceMean", x, net.integers(0), keepdims=0), WIDTH)
    return net.model("matrices")


def rows() -> ModelProto:
    """Rows of three sentences together, and the sentences again."""
    net = Inner()
    x = net.takes("x", 3, "length", 20)
    y = net.add("Gemm", net.add("Reshape", x, net.integers(-1, 20)), net.weight(20, 30))
    net.gives(net.add("Reshape", y, net.integers(3, -1, 30)), 3, "length", 30)
    net.gives(net.add("Softmax", y, axis=0), None, 30)
    net.gives(net.add("Reshape", net.add("Neg", y), net.integers(-1)), None)
    turned = net.add("Transpose", x, perm=[2, 0, 1])
    net.gives(net.add("Reshape", turned, net.integers(5, -1)), 5, None)
    return net.model("rows")


def tokens() -> ModelProto:
    """Groups of channels of an image are normalised, and its pixels are tokens of attention."""
    net = Inner()
    x = net.takes("x", 2, 8, "height", "width")
    y = net.add("Conv", x, net.weight(12, 8, 3, 3), net.weight(12), pads=[1] * 4, strides=[1, 2])
    groups = net.add("Reshape", y, net.integers(0, 3, -1))
    ones, zeros = (net.constant(np.full(3, value, np.float32)) for value in (1, 0))
    normal = net.add("InstanceNormalization", groups, ones, zeros)
    y = net.add("Mul", net.add("Reshape", normal, net.add("Shape", y)), net.weight(12, 1, 1))
    net.gives(y, 2, 12, "height", None)
    pixels = net.add("Transpose", net.add("Reshape", y, net.integers(0, 12, -1)), perm=[0, 2, 1])
    scores = net.add("MatMul", net.linear(pixels, 12, 12), net.add("Transpose", pixels,
                                                                     perm=[0, 2, 1]))  # fmt: skip
    seen = net.add("MatMul", net.add("Softmax", scores, axis=-1), pixels)
    net.gives(seen, 2, None, 12)
    image = net.add("Reshape", net.add("Transpose", seen, perm=[0, 2, 1]), net.add("Shape", y))
    net.gives(net.add("Conv", image, net.weight(5, 12, 3, 3), pads=[1] * 4), 2, 5, "height", None)
    net.gives(net.add("Flatten", net.add("Transpose", y, perm=[0, 2, 3, 1])), 2, None)
    return net.model("tokens")
