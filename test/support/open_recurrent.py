"""Recurrent networks whose number of steps, or whose batch, may stay open."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto, helper
from open_inner import Inner

WIDTH, HIDDEN = 10, 12
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}


def _cell(net: Inner, kind: str, x: str, width: int, direction: str, *more: str, **given) -> list:
    """Add a recurrent layer; return the names of its results."""
    directions, gates = 1 + (direction == "bidirectional"), GATES[kind] * HIDDEN
    names = [f"{x}_{kind}{len(net.nodes)}_{i}" for i in range(3 if kind == "LSTM" else 2)]
    weights = [net.weight(directions, gates, n) for n in (width, HIDDEN)]
    bias = net.weight(directions, 2 * gates)
    net.nodes.append(
        helper.make_node(kind, [x, *weights, bias, *more], names, f"cell{len(net.nodes)}",
                         direction=direction, hidden_size=HIDDEN, **given)
    )  # fmt: skip
    return names


def reader() -> ModelProto:
    """A reader of lines, as of text: two layers in both directions over all columns."""
    net = Inner()
    x = net.takes("x", "n", 1, WIDTH)
    for width in (WIDTH, 2 * HIDDEN):
        y, *_ = _cell(net, "LSTM", x, width, "bidirectional")
        x = net.add("Reshape", net.add("Transpose", y, perm=[0, 2, 1, 3]),
                    net.integers(0, 0, 2 * HIDDEN))  # fmt: skip
    net.gives(net.add("Softmax", net.linear(x, 2 * HIDDEN, 7), axis=2), "n", 1, 7)
    return net.model("reader")


def cells() -> ModelProto:
    """All kinds of cells, in one direction and in both, for several sentences."""
    net = Inner()
    x = net.takes("x", 3, "n", WIDTH)
    turned = net.add("Transpose", x, perm=[1, 0, 2])
    state = net.takes("state", 1, 3, HIDDEN)
    y, last, cell = _cell(net, "LSTM", turned, WIDTH, "reverse", "", state)
    net.gives(net.add("Squeeze", y, net.integers(1)), "n", 3, HIDDEN)
    net.gives(last, 1, 3, HIDDEN)
    net.gives(cell, 1, 3, HIDDEN)
    for kind, flag in (("GRU", {"linear_before_reset": 1}), ("GRU", {}), ("RNN", {})):
        y, last = _cell(net, kind, turned, WIDTH, "bidirectional", **flag)
        net.gives(net.add("Transpose", y, perm=[2, 0, 1, 3]), 3, "n", 2, HIDDEN)
        net.gives(last, 2, 3, HIDDEN)
    return net.model("cells")


def sentences() -> ModelProto:
    """Sentences of several lengths, of which the longest is open."""
    net = Inner()
    x = net.takes("x", "n", 4, WIDTH)
    lengths = net.takes("lengths", 4, element=TensorProto.INT32)
    for kind in ("LSTM", "GRU"):
        y, last, *_ = _cell(net, kind, x, WIDTH, "bidirectional", lengths)
        net.gives(net.add("Reshape", y, net.integers(-1, 2 * 4 * HIDDEN)), "n", 2 * 4 * HIDDEN)
        net.gives(last, 2, 4, HIDDEN)
    return net.model("sentences")


def batches() -> ModelProto:
    """An open batch of as many steps for each."""
    net = Inner()
    x = net.takes("x", 5, "n", WIDTH)
    y, last, cell = _cell(net, "LSTM", x, WIDTH, "bidirectional")
    net.gives(y, 5, 2, "n", HIDDEN)
    net.gives(last, 2, "n", HIDDEN)
    net.gives(net.add("Neg", cell), 2, "n", HIDDEN)
    y, last = _cell(net, "GRU", net.add("Tanh", x), WIDTH, "reverse")
    net.gives(net.add("Transpose", y, perm=[2, 0, 1, 3]), "n", 5, 1, HIDDEN)
    net.gives(last, 1, "n", HIDDEN)
    return net.model("batches")


def both() -> ModelProto:
    """An open batch of an open number of steps, which are two numbers."""
    net = Inner()
    x = net.takes("x", "steps", "batch", WIDTH)
    y, last, _ = _cell(net, "LSTM", x, WIDTH, "bidirectional")
    net.gives(y, "steps", 2, "batch", HIDDEN)
    net.gives(last, 2, "batch", HIDDEN)
    return net.model("both")


def scanned() -> ModelProto:
    """A body of the model's own over the rows of an open axis, which it also carries."""
    net = Inner()
    x = net.takes("x", "n", 3, WIDTH)
    body = helper.make_graph(
        [helper.make_node("Add", ["sum", "row"], ["next"], "add"),
         helper.make_node("Tanh", ["next"], ["shown"], "tanh")],
        "body",
        [helper.make_tensor_value_info(n, 1, [3, WIDTH]) for n in ("sum", "row")],
        [helper.make_tensor_value_info(n, 1, [3, WIDTH]) for n in ("next", "shown")],
    )  # fmt: skip
    start = net.constant(np.zeros((3, WIDTH), np.float32))
    net.nodes.append(
        helper.make_node("Scan", [start, x], ["total", "rows"], "scan", body=body,
                         num_scan_inputs=1)
    )  # fmt: skip
    net.gives("total", 3, WIDTH)
    net.gives(net.add("Relu", "rows"), "n", 3, WIDTH)
    return net.model("scanned")
