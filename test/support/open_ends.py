"""Networks that take, join and pad elements where a run has the end of an open axis."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, helper
from open_inner import Inner

WIDTH = 24
FAR = 2**31 - 1


def lasts() -> ModelProto:
    """The last token, and others that are counted from the end, in all places of the graph."""
    net = Inner()
    x = net.takes("x", 2, "n", WIDTH)
    y = net.linear(x, WIDTH, WIDTH)
    scores = net.add("MatMul", y, net.add("Transpose", y, perm=[0, 2, 1]))
    seen = net.add("MatMul", net.add("Softmax", scores, axis=-1), y)
    last = net.add("Gather", seen, net.constant(-1, np.int64), axis=1)
    before = net.add("Slice", x, *map(net.integers, (-3, -1, 1)))
    tail = net.add("Slice", y, *map(net.integers, (2, FAR, 1)))
    head = net.add("Slice", y, *map(net.integers, (0, -2, 1)))
    turned = net.add("Slice", x, *map(net.integers, (-1, -FAR, 1, -1)))
    every = net.add("Slice", x, *map(net.integers, (1, FAR, 1, 2)))
    column = net.add("Slice", scores, *map(net.integers, (-1, FAR, 2)))
    net.gives(net.linear(last, WIDTH, 5), 2, 5)
    net.gives(before, 2, 2, WIDTH)
    net.gives(net.add("Add", tail, net.add("Relu", head)), 2, None, WIDTH)
    net.gives(net.linear(tail, WIDTH, 7), 2, None, 7)
    net.gives(turned, 2, "n", WIDTH)
    net.gives(net.add("Tanh", every), 2, None, WIDTH)
    net.gives(net.add("Softmax", column, axis=1), 2, "n", 1)
    return net.model("lasts")


def rows() -> ModelProto:
    """The same along the outermost axis, whose elements lie together."""
    net = Inner()
    x = net.takes("x", "n", WIDTH)
    y = net.linear(x, WIDTH, WIDTH)
    last = net.add("Gather", y, net.constant(-1, np.int64), axis=0)
    joined = net.add("Concat", y, net.weight(3, WIDTH), x, axis=0)
    wide = net.add("Pad", y, net.integers(2, 0, 1, 0))
    net.gives(last, WIDTH)
    net.gives(net.linear(joined, WIDTH, 9), None, 9)
    net.gives(net.add("ReduceMax", joined, net.integers(0)), 1, WIDTH)
    net.gives(wide, None, WIDTH)
    net.gives(net.add("Slice", wide, *map(net.integers, (-2, FAR, 0))), 2, WIDTH)
    return net.model("rows")


def cached() -> ModelProto:
    """A token that looks at those before it, whose keys and values are kept, and at itself."""
    net, heads, width = Inner(), 3, 8
    past = [net.takes(name, 2, heads, "n", width) for name in ("keys", "values")]
    x = net.takes("x", 2, 1, WIDTH)
    q, k, v = (
        net.add("Transpose", net.add("Reshape", net.linear(x, WIDTH, WIDTH),
                                     net.integers(2, 1, heads, width)), perm=[0, 2, 1, 3])
        for _ in range(3)
    )  # fmt: skip
    keys = net.add("Concat", past[0], k, axis=2)
    values = net.add("Concat", past[1], v, axis=2)
    scores = net.add("MatMul", q, net.add("Transpose", keys, perm=[0, 1, 3, 2]))
    seen = net.add("MatMul", net.add("Softmax", scores, axis=-1), values)
    joined = net.add("Reshape", net.add("Transpose", seen, perm=[0, 2, 1, 3]),
                     net.integers(2, 1, WIDTH))  # fmt: skip
    net.gives(net.linear(joined, WIDTH, 10), 2, 1, 10)
    net.gives(keys, 2, heads, None, width)
    net.gives(values, 2, heads, None, width)
    return net.model("cached")


def joined() -> ModelProto:
    """A token in front of open ones, two open pieces, and pieces of them again."""
    net = Inner()
    x, z = net.takes("x", 2, "n", WIDTH), net.takes("z", 2, "n", WIDTH)
    token = net.add("Tanh", net.takes("token", 2, 1, WIDTH))
    tokens = net.add("Concat", token, x, axis=1)
    y = net.add("Relu", net.linear(tokens, WIDTH, WIDTH))
    both = net.add("Concat", x, net.add("Neg", z), token, axis=1)
    pairs = net.add("MatMul", y, net.add("Transpose", both, perm=[0, 2, 1]))
    columns = net.add("Concat", pairs, net.add("Abs", pairs), axis=2)
    net.gives(y, 2, None, WIDTH)
    net.gives(net.add("Gather", y, net.constant(0, np.int64), axis=1), 2, WIDTH)
    net.gives(net.add("Slice", y, *map(net.integers, (1, FAR, 1))), 2, "n", WIDTH)
    net.gives(both, 2, None, WIDTH)
    net.gives(net.add("ReduceMean", net.add("Sigmoid", both), net.integers(1)), 2, 1, WIDTH)
    net.gives(net.add("Softmax", columns, axis=2), 2, None, None)
    return net.model("joined")


def padded() -> ModelProto:
    """Constants, mirrored and repeated elements around open axes, before convolutions and alone."""
    net = Inner()
    x = net.takes("x", 1, 3, 5, "n")
    y = net.add("Pad", x, net.integers(0, 0, 1, 2, 0, 0, 0, 3), mode="reflect")
    y = net.add("Relu", net.add("Conv", y, net.weight(8, 3, 3, 3)))
    edge = net.add("Pad", y, net.integers(0, 0, 0, 1, 0, 0, 2, 4), mode="edge")
    halved = net.add("Conv", net.add("Pad", edge, net.integers(0, 0, 1, 1, 0, 0, 1, 1)),
                     net.weight(8, 8, 3, 3), strides=[2, 2])  # fmt: skip
    around = net.add("Pad", x, net.integers(0, 0, 0, 4, 0, 0, 0, 4), mode="wrap")
    ones = net.add("Pad", x, net.integers(0, 0, 0, 3, 0, 0, 0, 2), net.constant(-2.5, "f4"))
    cropped = net.add("Pad", ones, net.integers(0, 0, 0, -2, 0, 0, 0, 1))
    net.gives(edge, 1, 8, None, None)
    net.gives(halved, 1, 8, None, None)
    net.gives(around, 1, 3, 5, None)
    net.gives(net.add("Exp", ones), 1, 3, 5, None)
    net.gives(cropped, 1, 3, 5, None)
    net.gives(net.add("ReduceMin", ones, net.integers(3)), 1, 3, 5, 1)
    return net.model("padded")


def _halves(net: Inner, x: str) -> list[str]:
    names = [f"{x}_left", f"{x}_right"]
    net.nodes.append(helper.make_node("Split", [x], names, "split", axis=2, num_outputs=2))
    return names


def halves() -> ModelProto:
    """Both halves of an open axis, of images that windows have halved before."""
    net = Inner()
    x = net.takes("x", 1, 4, "n")
    left, right = _halves(net, x)
    y = net.add("MaxPool", x, kernel_shape=[3], strides=[2], pads=[1, 1])
    inner = net.add("Slice", y, *map(net.integers, (1, -1, 2)))
    net.gives(net.add("Mul", left, net.add("Sigmoid", right)), 1, 4, None)
    net.gives(net.add("Concat", right, left, axis=2), 1, 4, "n")
    net.gives(net.add("Slice", y, *map(net.integers, (-1, FAR, 2))), 1, 4, 1)
    net.gives(net.add("Relu", inner), 1, 4, None)
    net.gives(net.add("Conv", inner, net.weight(6, 4, 2)), 1, 6, None)
    return net.model("halves")
