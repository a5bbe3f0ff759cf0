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


def collected() -> ModelProto:
    """A loop that collects what each trip makes: a row for each, of no open axis."""
    net = Inner()
    x, z = net.takes("x", "n", 4), net.takes("z", 2, 4)
    n, goes = _extent(net, x, 0), net.constant(True, bool)
    old = helper.make_tensor_value_info("old", TensorProto.FLOAT, [2, 4])
    row = helper.make_tensor_value_info("row", TensorProto.FLOAT, [2, 4])
    nodes = [helper.make_node("Sin", ["old"], ["new"]), helper.make_node("Neg", ["new"], ["row"])]
    body = _body(nodes, [old], [row])
    net.nodes.append(helper.make_node("Loop", [n, goes, z], ["last", "rows"], "collect", body=body))
    net.gives("last", 2, 4)
    net.gives("rows", None, 2, 4)
    net.gives(net.add("Neg", x), "n", 4)
    return net.model("collected")
