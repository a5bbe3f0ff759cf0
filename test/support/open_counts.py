"""Networks that compute with an extent: where a diagonal lies, how often a loop runs."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper
from open_inner import Inner


def _extent(net: Inner, name: str, axis: int) -> str:
    return net.add("Gather", net.add("Shape", name), net.constant(axis, np.int64), axis=0)


def diagonals() -> ModelProto:
    """Triangles that begin behind as many columns as there are, of rows that are open or not."""
    net = Inner()
    x, square = net.takes("x", 5, "n"), net.takes("square", 2, "n", "n")
    past = net.takes("past", "n", 3)
    n, one = _extent(net, past, 0), net.constant(1, np.int64)
    half = net.add("Div", n, net.constant(2, np.int64))
    for k, upper in ((net.add("Sub", n, one), 1), (net.add("Neg", half), 0), (half, 1)):
        net.gives(net.add("Trilu", x, k, upper=upper), 5, "n")
        net.gives(net.add("Softmax", net.add("Trilu", square, k, upper=upper)), 2, "n", "n")
    # A mask of constants, as exporters write it: rows behind the past see what is before them.
    shape = net.add("Concat", net.integers(4), net.add("Unsqueeze", n, net.integers(0)), axis=0)
    value = helper.make_tensor("value", TensorProto.FLOAT, [1], [-1e9])
    mask = net.add("Trilu", net.add("ConstantOfShape", shape, value=value),
                   net.add("Add", half, one), upper=1)  # fmt: skip
    net.gives(net.add("Softmax", net.add("Add", net.takes("scores", 4, "n"), mask)), 4, "n")
    net.gives(net.add("Neg", past), "n", 3)
    return net.model("diagonals")


def _body(nodes: list[NodeProto], carried: list[ValueInfoProto], more=()):
    """Return the body of a loop whose condition stays; it makes ``new`` of ``old``."""
    scalars = [helper.make_tensor_value_info(*entry, []) for entry in (("i", 7), ("c", 9))]
    made = [helper.make_tensor_value_info("g", TensorProto.BOOL, [])]
    for value in carried:
        made.append(ValueInfoProto())
        made[-1].CopyFrom(value)
        made[-1].name = value.name.replace("old", "new")
    nodes = [*nodes, helper.make_node("Identity", ["c"], ["g"])]
    return helper.make_graph(nodes, "body", [*scalars, *carried], [*made, *more])


def trips() -> ModelProto:
    """Loops with a trip for each row; one reads no row, another reads all rows in each trip."""
    net = Inner()
    x, z = net.takes("x", "n", 4), net.takes("z", 2, 4)
    n, goes = _extent(net, x, 0), net.constant(True, bool)
    old = helper.make_tensor_value_info("old", TensorProto.FLOAT, [2, 4])
    grows = [
        helper.make_node("Sub", ["old", "half"], ["a"]),
        helper.make_node("Sin", ["a"], ["new"]),
    ]
    net.weights.append(helper.make_tensor("half", TensorProto.FLOAT, [1], [0.5]))
    net.gives(net.add("Loop", n, goes, z, body=_body(grows, [old])), 2, 4)
    twice = net.add("Mul", n, net.constant(2, np.int64))
    net.gives(net.add("Loop", twice, "", z, body=_body(grows, [old])), 2, 4)
    reads = [
        helper.make_node("ReduceMean", ["x", "rows"], ["mean"], keepdims=1),
        helper.make_node("Cast", ["i"], ["place"], to=1),
        helper.make_node("Add", ["mean", "place"], ["b"]),
        helper.make_node("Add", ["old", "b"], ["a"]),
        helper.make_node("Sin", ["a"], ["new"]),
    ]
    net.weights.append(helper.make_tensor("rows", TensorProto.INT64, [1], [0]))
    net.gives(net.add("Loop", n, goes, z, body=_body(reads, [old])), 2, 4)
    net.gives(net.add("Tanh", x), "n", 4)
    return net.model("trips")


def _collecting(net: Inner, trips: str, row: list[NodeProto], *shape: int | str) -> str:
    """Add a loop that makes a row in each trip; return its rows."""
    old = helper.make_tensor_value_info("old", TensorProto.FLOAT, [2, 4])
    made = helper.make_tensor_value_info("row", TensorProto.FLOAT, shape)
    nodes = [
        helper.make_node("Sin", ["old"], ["new"]),
        helper.make_node("Cast", ["i"], ["place"], to=1),
        *row,
    ]
    names = [f"{trips}_{len(net.nodes)}_{kind}" for kind in ("last", "rows")]
    body = _body(nodes, [old], [made])
    net.nodes.append(
        helper.make_node("Loop", [trips, net.constant(True, bool), "z"], names, names[1], body=body)
    )
    net.gives(names[0], 2, 4)
    return names[1]


def collected() -> ModelProto:
    """Loops that collect a row in each trip, of no tensor by whose rows they would go."""
    net = Inner()
    x, _ = net.takes("x", "n", 4), net.takes("z", 2, 4)
    n = _extent(net, x, 0)
    turned = [helper.make_node("Mul", ["new", "place"], ["row"])]
    whole = [helper.make_node("Add", ["x", "place"], ["row"])]
    net.gives(_collecting(net, n, turned, 2, 4), None, 2, 4)
    twice = net.add("Mul", n, net.constant(2, np.int64))
    net.gives(net.add("ReduceMean", _collecting(net, twice, whole, "n", 4), keepdims=0))
    more = net.add("Add", n, net.constant(3, np.int64))
    rows = _collecting(net, more, turned, 2, 4)
    net.gives(net.add("Transpose", net.add("Neg", rows), perm=[1, 2, 0]), 2, 4, None)
    net.gives(net.add("Neg", x), "n", 4)
    return net.model("collected")


def half_collected() -> ModelProto:
    """A loop that collects half as many rows as there are."""
    net = Inner()
    x, _ = net.takes("x", "n", 4), net.takes("z", 2, 4)
    half = net.add("Div", _extent(net, x, 0), net.constant(2, np.int64))
    row = [helper.make_node("Mul", ["new", "place"], ["row"])]
    net.gives(_collecting(net, half, row, 2, 4), None, 2, 4)
    net.gives(net.add("Neg", x), "n", 4)
    return net.model("half_collected")


def numbered() -> ModelProto:
    """Results that are computed from the extent alone: numbers from it on, rows of a table."""
    net = Inner()
    x = net.takes("x", "n", 4)
    n, one, two = _extent(net, x, 0), *(net.constant(value, np.int64) for value in (1, 2))
    twice = net.add("Mul", n, two)
    places = net.add("Range", n, twice, one)
    floats = net.add("Cast", places, to=1)
    net.gives(net.add("Identity", places), None, element=TensorProto.INT64)
    net.gives(net.add("Sin", floats), None)
    net.gives(net.add("Gather", net.weight(40, 4), places), None, 4)
    net.gives(net.add("ReduceSum", floats, keepdims=0))
    five = net.add("Range", n, net.add("Add", n, net.constant(5, np.int64)), one)
    net.gives(net.add("Cast", five, to=1), 5)
    down = net.add("Range", twice, n, net.constant(-1, np.int64))
    net.gives(net.add("Add", x, net.add("Unsqueeze", net.add("Cast", down, to=1),
                                        net.integers(1))), "n", 4)  # fmt: skip
    net.gives(net.add("Shape", x), 2, element=TensorProto.INT64)
    net.gives(net.add("Neg", x), "n", 4)
    return net.model("numbered")


def half_numbered() -> ModelProto:
    """Numbers from a half of the extent on, as many as are left."""
    net = Inner()
    x = net.takes("x", "n", 4)
    n = _extent(net, x, 0)
    half = net.add("Div", n, net.constant(2, np.int64))
    places = net.add("Range", half, n, net.constant(1, np.int64))
    net.gives(net.add("Cast", places, to=1), None)
    net.gives(net.add("Neg", x), "n", 4)
    return net.model("half_numbered")
