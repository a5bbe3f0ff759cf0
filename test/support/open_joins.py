"""Networks that join open pieces by whole rows, which are copied where the caller has them."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto, helper
from open_inner import Inner

WIDTH = 16
"""Elements of a row: 64 bytes."""

HEADS = 3


class _Cache(Inner):
    """A token that looks at those before it, whose keys and values are kept, and at itself."""

    def __init__(self) -> None:
        super().__init__()
        wide = HEADS * WIDTH
        past = [self.takes(name, 2, HEADS, "n", WIDTH) for name in ("keys", "values")]
        x = self.takes("x", 2, 1, wide)
        split = self.integers(2, 1, HEADS, WIDTH)
        q, k, v = (
            self.add("Transpose", self.add("Reshape", self.linear(x, wide, wide), split),
                     perm=[0, 2, 1, 3])
            for _ in range(3)
        )  # fmt: skip
        self.keys = self.add("Concat", past[0], k, axis=2)
        self.values = self.add("Concat", past[1], v, axis=2)
        scores = self.add("MatMul", q, self.add("Transpose", self.keys, perm=[0, 1, 3, 2]))
        seen = self.add("MatMul", self.add("Softmax", scores, axis=-1), self.values)
        seen = self.add("Reshape", self.add("Transpose", seen, perm=[0, 2, 1, 3]),
                        self.integers(2, 1, wide))  # fmt: skip
        self.gives(self.linear(seen, wide, 10), 2, 1, 10)


def kept() -> ModelProto:
    """What is present are outputs of their own."""
    net = _Cache()
    for name in (net.keys, net.values):
        net.gives(name, 2, HEADS, None, WIDTH)
    return net.model("kept")


def stacked() -> ModelProto:
    """What is present is one output, in which keys and values have their places."""
    net, first = _Cache(), {"axis": 0}
    pieces = [net.add("Unsqueeze", name, net.integers(0)) for name in (net.keys, net.values)]
    net.gives(net.add("Concat", *pieces, **first), 2, 2, HEADS, None, WIDTH)
    return net.model("stacked")


def pieces() -> ModelProto:
    """Constants, open pieces and tokens behind each other, of several types, read in many ways."""
    net = Inner()
    x, z = net.takes("x", 2, "n", WIDTH), net.takes("z", 2, "n", WIDTH)
    token = net.takes("token", 2, 1, WIDTH)
    ids = net.takes("ids", 3, "n", 8, element=TensorProto.INT64)
    both = net.add("Concat", token, x, net.weight(2, 2, WIDTH), z, token, axis=1)
    columns = net.add("Transpose", both, perm=[0, 2, 1])
    net.gives(both, 2, None, WIDTH)
    net.gives(net.add("MatMul", both, columns), 2, None, None)
    net.gives(net.add("Slice", net.add("Exp", both), *map(net.integers, (1, 2**31 - 1, 1))),
              2, None, WIDTH)  # fmt: skip
    # The same elements are a part of this output, and an output twice.
    more = net.add("Concat", both, x, axis=1)
    net.gives(more, 2, None, WIDTH)
    net.gives(net.add("Identity", more), 2, None, WIDTH)
    # A reshape brings the rows of all parts together, so they are joined in a buffer.
    twice = net.add("Concat", z, x, axis=1)
    net.gives(twice, 2, None, WIDTH)
    net.gives(net.add("Reshape", twice, net.integers(-1, WIDTH)), None, WIDTH)
    first = net.constant(np.arange(24).reshape(3, 1, 8), np.int64)
    net.gives(net.add("Concat", ids, first, ids, axis=1), 3, None, 8, element=TensorProto.INT64)
    return net.model("pieces")


def grids() -> ModelProto:
    """Joins within axes that are open, too: strides are products of extents."""
    net = Inner()
    x = net.takes("x", 2, "n", "n", WIDTH)
    column = net.takes("column", 2, "n", 1, WIDTH)
    wide = net.add("Concat", column, x, axis=2)
    net.gives(wide, 2, "n", None, WIDTH)
    net.gives(net.add("MatMul", wide, net.weight(WIDTH, 5)), 2, "n", None, 5)
    net.gives(net.add("ReduceMax", wide, net.integers(2), keepdims=0), 2, "n", WIDTH)
    high = net.add("Concat", wide, wide, axis=1)
    net.gives(high, 2, None, None, WIDTH)
    rows = net.takes("rows", "n", WIDTH)
    net.gives(net.add("Concat", rows, net.weight(3, WIDTH), rows, axis=0), None, WIDTH)
    return net.model("grids")


def within(op_type: str = "Loop") -> ModelProto:
    """A loop whose body joins what it captures with what it carries."""
    net = Inner()
    x, z = net.takes("x", 2, "n", WIDTH), net.takes("z", 2, 1, WIDTH)
    known = [helper.make_tensor_value_info("cond", TensorProto.BOOL, [])]
    known += [helper.make_tensor_value_info("i", TensorProto.INT64, [])]
    carried = helper.make_tensor_value_info("old", TensorProto.FLOAT, [2, 1, WIDTH])
    nodes = [
        helper.make_node("Concat", ["x", "old"], ["all"], axis=1),
        helper.make_node("ReduceMean", ["all", "axes"], ["new"], keepdims=1),
        helper.make_node("Identity", ["cond"], ["goes"]),
    ]
    body = helper.make_graph(
        nodes, "body", [known[1], known[0], carried],
        [helper.make_tensor_value_info("goes", TensorProto.BOOL, []),
         helper.make_tensor_value_info("new", TensorProto.FLOAT, [2, 1, WIDTH])],
        [helper.make_tensor("axes", TensorProto.INT64, [1], [1])],
    )  # fmt: skip
    trips = net.constant(3, np.int64)
    net.gives(net.add(op_type, trips, net.constant(True, bool), z, body=body), 2, 1, WIDTH)
    net.gives(net.add("Concat", x, z, axis=1), 2, None, WIDTH)
    return net.model("within")


NETWORKS = (kept, stacked, pieces, grids, within)
