"""Networks with an open extent that select as many elements as their values say."""

from __future__ import annotations

import numpy as np
from onnx import GraphProto, ModelProto, TensorProto, helper
from open_decisions import Rows

INT64, FLOAT, BOOL = TensorProto.INT64, TensorProto.FLOAT, TensorProto.BOOL


def selected() -> ModelProto:
    """Rows and columns by a condition, their places, and what is computed of them."""
    net = Rows()
    above = net.add("Greater", net.x, net.constant(0.5, np.float32))
    net.gives(net.add("NonZero", above), 2, None, element=INT64)
    total = net.add("ReduceSum", net.x, net.integers(1), keepdims=0)
    rows = net.add(
        "Compress", net.x, net.add("Greater", total, net.constant(0, np.float32)), axis=0
    )
    net.gives(rows, None, 4)
    net.gives(net.add("MatMul", rows, net.weight(4, 3)), None, 3)
    joined = net.add("Concat", rows, net.weight(1, 4), axis=0)
    net.gives(net.add("ReduceMax", joined, net.integers(0)), 1, 4)
    chosen = net.add("Greater", net.takes("b", 6), net.constant(0, np.float32))
    wide = net.add("MatMul", net.x, net.weight(4, 6))
    net.gives(net.add("Compress", wide, chosen, axis=1), "n", None)
    tall = net.add("MatMul", net.weight(6, 4), net.add("Transpose", net.x, perm=[1, 0]))
    net.gives(net.add("Compress", tall, chosen, axis=0), None, "n")
    net.gives(net.add("Neg", net.x), "n", 4)
    return net.model("selected")


def suppressed() -> ModelProto:
    """Boxes that overlap others less, and the rows that they are of."""
    net = Rows()
    x = net.add("Abs", net.x)
    first = net.add("Slice", x, net.integers(0), net.integers(2), net.integers(1))
    rest = net.add("Slice", x, net.integers(2), net.integers(4), net.integers(1))
    boxes = net.add("Concat", first, net.add("Add", first, rest), axis=1)
    scores = net.add("Unsqueeze", net.add("Transpose", first, perm=[1, 0]), net.integers(0))
    limits = [net.constant([limit], np.float32) for limit in (0.3, 0.1)]
    boxes = net.add("Unsqueeze", boxes, net.integers(0))
    kept = net.add("NonMaxSuppression", boxes, scores, net.integers(3), *limits)
    net.gives(kept, None, 3, element=INT64)
    numbers = net.add("Gather", kept, net.constant(2, np.int64), axis=1)
    net.gives(net.add("Gather", net.x, numbers), None, 4)
    return net.model("suppressed")


def collected() -> ModelProto:
    """Rows of a loop that ends by its values, after five steps at most, or as many as rows."""
    net = Rows()
    net.takes("least")
    trips = net.add("Squeeze", net.count(), net.integers(0))
    for name, most in (("few", net.constant(5, np.int64)), ("many", trips)):
        last, rows = f"{name}_last", f"{name}_rows"
        body = _sine(name)
        net.nodes.append(helper.make_node("Loop", [most, "", net.x], [last, rows], name, body=body))
        net.gives(last, "n", 4)
        net.gives(rows, None, "n", 4)
    return net.model("collected")


def _sine(name: str) -> GraphProto:
    names = {
        "step": INT64,
        "more": BOOL,
        "value": FLOAT,
        "again": BOOL,
        "next": FLOAT,
        "row": FLOAT,
    }
    info = [
        helper.make_tensor_value_info(f"{name}_{own}", element, [] if place < 2 else None)
        for place, (own, element) in enumerate(names.items())
    ]
    nodes = [
        helper.make_node("Sin", [f"{name}_value"], [f"{name}_next"]),
        helper.make_node("ReduceSum", [f"{name}_next"], [f"{name}_total"], keepdims=0),
        helper.make_node("Greater", [f"{name}_total", "least"], [f"{name}_again"]),
        helper.make_node("Identity", [f"{name}_next"], [f"{name}_row"]),
    ]
    return helper.make_graph(nodes, name, info[:3], info[3:])


SELECTIONS = (selected, suppressed, collected)


def selected_inside() -> ModelProto:
    """Channels of images by a condition, where the open extent follows."""
    net = Rows(2, 3, "n")
    chosen = net.add("Greater", net.takes("b", 3), net.constant(0, np.float32))
    net.gives(net.add("Compress", net.x, chosen, axis=1), 2, None, "n")
    return net.model("selected_inside")


def different() -> ModelProto:
    """The different elements of all rows."""
    net = Rows()
    net.gives(net.add("Unique", net.x), None)
    return net.model("different")
