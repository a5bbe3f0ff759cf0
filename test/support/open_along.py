"""Networks whose operators look along an open axis: orders, look-ups, normalisations."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto, helper
from open_inner import Inner

I64 = TensorProto.INT64


def _top(net: Inner, x: str, k: str, axis: int, **attributes: int) -> tuple[str, str]:
    names = f"v{len(net.nodes)}", f"i{len(net.nodes)}"
    net.nodes.append(helper.make_node("TopK", [x, k], names, names[0], axis=axis, **attributes))
    return names


def ordered() -> ModelProto:
    """The largest elements along an open axis and beside it, and all of them in order."""
    net = Inner()
    x, ids = net.takes("x", 2, "n", 5), net.takes("ids", 3, "n", element=I64)
    length = net.add("Gather", net.add("Shape", x), net.integers(1))
    for name, axis, k, shape, attributes in (
        (x, 1, net.integers(3), (2, 3, 5), {}),
        (x, 2, net.integers(4), (2, "n", 4), {"largest": 0}),
        (x, 1, length, (2, "n", 5), {}),
        (ids, -1, length, (3, "n"), {"largest": 0}),
    ):
        element = I64 if name == ids else TensorProto.FLOAT
        values, places = _top(net, name, k, axis, **attributes)
        net.gives(values, *shape, element=element)
        net.gives(places, *shape, element=I64)
    turned = net.add("Transpose", x, perm=[1, 0, 2])
    values, _ = _top(net, turned, net.integers(2), 2)
    net.gives(values, "n", 2, 2)
    return net.model("ordered")


def looked_up() -> ModelProto:
    """Elements at places along an open axis that inputs say, from its end, too."""
    net = Inner()
    x, ids = net.takes("x", 2, "n", 5), net.takes("ids", 2, "n", element=I64)
    places = net.add("Mod", ids, net.integers(3))
    back = net.add("Sub", net.integers(-1), places)
    net.gives(net.add("Gather", x, net.add("ReduceMax", places, net.integers(0, 1), keepdims=0),
                      axis=1), 2, 5)  # fmt: skip
    net.gives(net.add("Gather", x, net.add("ReduceMin", back, net.integers(1), keepdims=0),
                      axis=1), 2, 2, 5)  # fmt: skip
    wide = net.add("Expand", net.add("Unsqueeze", back, net.integers(2)), net.add("Shape", x))
    net.gives(net.add("GatherElements", x, wide, axis=1), 2, "n", 5)
    net.gives(net.add("Gather", net.add("Neg", x), places, axis=1), 2, 2, "n", 5)
    return net.model("looked_up")


def masked() -> ModelProto:
    """Elements of a mask at a grid of places, as exporters write it, and of it turned round."""
    net = Inner()
    x = net.takes("x", 3, "n")
    row = net.add("Gather", net.add("Shape", x), net.integers(1))
    row = net.add("Squeeze", row)
    zero, one = (net.constant(np.array(value, np.int64)) for value in (0, 1))
    rows = net.constant(np.arange(3).reshape(3, 1, 1))
    columns = net.add("Range", zero, row, one)
    for own, shape in (
        (net.add("Reshape", columns, net.integers(1, 1, -1)), (3, 1, "n")),
        (net.add("Reshape", columns, net.integers(1, -1, 1)), (3, "n", 1)),
    ):
        extents = net.add("Shape", net.add("Add", rows, own))
        parts = (
            net.add("Unsqueeze", net.add("Expand", part, extents), net.integers(-1))
            for part in (rows, own)
        )
        net.gives(net.add("GatherND", x, net.add("Concat", *parts, axis=-1)), *shape)
    return net.model("masked")


def normalised() -> ModelProto:
    """Normalisations along an open axis divide by what a run has."""
    net = Inner()
    x, w = net.takes("x", 2, 4, "n"), net.takes("w", 2, 6, 3, "n")
    net.gives(net.add("InstanceNormalization", x, net.weight(4), net.weight(4)), 2, 4, "n")
    net.gives(net.add("MeanVarianceNormalization", w), 2, 6, 3, "n")
    for p in (1, 2):
        net.gives(net.add("LpNormalization", x, axis=-1, p=p), 2, 4, "n")
    net.gives(net.add("LayerNormalization", x, net.weight(1), net.weight(1), axis=2), 2, 4, "n")
    ones = net.constant(np.ones(3, np.float32))
    grouped = net.add("Reshape", w, net.integers(0, 3, -1))
    grouped = net.add("InstanceNormalization", grouped, ones, net.weight(3))
    net.gives(net.add("Reshape", grouped, net.add("Shape", w)), 2, 6, 3, "n")
    for op_type in ("ReduceL1", "ReduceL2", "ReduceLogSumExp", "ReduceProd", "ReduceSumSquare"):
        net.gives(net.add(op_type, x, net.integers(2)), 2, 4, 1)
    net.gives(net.add("LogSoftmax", w, axis=3), 2, 6, 3, "n")
    centred = net.add("Sub", x, net.add("ReduceMean", x, net.integers(2)))
    variance = net.add("ReduceMean", net.add("Mul", centred, centred), net.integers(2))
    scale = net.add("Sqrt", net.add("Add", variance, net.constant(1e-5, "f4")))
    normal = net.add("Mul", net.add("Div", centred, scale), net.weight(1))
    net.gives(net.add("Add", normal, net.weight(1)), 2, 4, "n")
    return net.model("normalised")
