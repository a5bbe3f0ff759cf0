"""Networks whose inputs and outputs have the open extent inside of other axes."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto, helper
from onnx.reference import ReferenceEvaluator
from open_networks import Network

SENTENCES, WIDTH, HEADS = 3, 24, 4


class Inner(Network):
    """A graph whose inputs and outputs say all their extents."""

    def __init__(self) -> None:
        super().__init__()
        self.inputs = []

    def takes(self, name: str, *shape: int | str, element: int = TensorProto.FLOAT) -> str:
        self.inputs.append(helper.make_tensor_value_info(name, element, shape))
        return name

    def gives(self, name: str, *shape: int | str, element: int = TensorProto.FLOAT) -> None:
        self.outputs.append(helper.make_tensor_value_info(name, element, shape))

    def integers(self, *values: int) -> str:
        return self.constant(values, np.int64)


def sentences() -> ModelProto:
    """A layer of a transformer for several sentences of one length; inputs moved about."""
    net, whole = Inner(), (SENTENCES, "n")
    x = net.takes("x", *whole, WIDTH)
    mask = net.takes("mask", *whole)
    ids = net.takes("ids", *whole, element=TensorProto.INT64)
    x = net.add("Add", x, net.add("Gather", net.weight(7, WIDTH), ids))
    hidden = net.add("Unsqueeze", net.add("Mul", mask, net.constant(-10000.0, "f4")),
                     net.integers(1, 2))  # fmt: skip
    split = net.integers(SENTENCES, -1, HEADS, WIDTH // HEADS)
    q, k, v = (
        net.add("Transpose", net.add("Reshape", net.linear(x, WIDTH, WIDTH), split), perm=order)
        for order in ((0, 2, 1, 3), (0, 2, 3, 1), (0, 2, 1, 3))
    )
    scores = net.add("Add", net.add("MatMul", q, k), hidden)
    seen = net.add("MatMul", net.add("Softmax", scores, axis=-1), v)
    joined = net.add("Reshape", net.add("Transpose", seen, perm=[0, 2, 1, 3]),
                     net.integers(SENTENCES, -1, WIDTH))  # fmt: skip
    y = net.add("Add", net.linear(joined, WIDTH, WIDTH), x)
    y = net.add("LayerNormalization", y, net.weight(WIDTH), net.weight(WIDTH), axis=-1)
    first = net.add("Gather", y, net.constant(0, np.int64), axis=1)
    net.gives(y, *whole, WIDTH)
    net.gives(net.linear(first, WIDTH, 5), SENTENCES, 5)
    net.gives(net.add("Concat", mask, net.add("Neg", mask), axis=0), 2 * SENTENCES, "n")
    net.gives(net.add("Identity", ids), *whole, element=TensorProto.INT64)
    net.gives(net.add("Transpose", "x", perm=[0, 2, 1]), SENTENCES, WIDTH, "n")
    net.gives(net.add("ArgMax", y, axis=-1, keepdims=0), *whole, element=TensorProto.INT64)
    return net.model("sentences")


def planes() -> ModelProto:
    """Images of an open width: what computes each column by itself, and what folds the columns."""
    net, shape = Inner(), (2, 16, 6, "n")
    y = net.add("HardSwish", net.add("Mul", net.takes("x", *shape), net.weight(16, 1, 1)))
    ones = net.constant(np.ones(16, np.float32))
    y = net.add("BatchNormalization", y, net.weight(16), net.weight(16), net.weight(16), ones)
    pooled = net.add("GlobalAveragePool", y)
    gate = net.add("Sigmoid", net.add("Conv", pooled, net.weight(16, 16, 1, 1)))
    y = net.add("Mul", y, gate)
    columns = net.add("Transpose", y, perm=[0, 3, 1, 2])
    tokens = net.add("Reshape", columns, net.integers(2, -1, 16 * 6))
    net.gives(y, *shape)
    net.gives(net.add("Flatten", gate), 2, 16)
    net.gives(net.add("Softmax", y, axis=1), *shape)
    net.gives(net.add("Softmax", y, axis=3), *shape)
    net.gives(net.add("ReduceMax", y, net.integers(3), keepdims=0), 2, 16, 6)
    net.gives(net.add("CumSum", y, net.constant(2, np.int64)), *shape)
    net.gives(net.add("Concat", y, y, axis=2), 2, 16, 12, "n")
    net.gives(net.add("Pad", y, net.integers(0, 0, 1, 0, 0, 0, 2, 0)), 2, 16, 9, "n")
    net.gives(net.linear(tokens, 16 * 6, 9), 2, "n", 9)
    net.gives(net.add("Transpose", y, perm=[3, 2, 1, 0]), "n", 6, 16, 2)
    return net.model("planes")


def places() -> ModelProto:
    """Places of extremes, and running sums from both ends, along the open extent."""
    net = Inner()
    x, w = net.takes("x", 1, "n", 7), net.add("Tanh", net.takes("w", 3, 4, "n"))
    ids, one = net.takes("ids", 2, "n", element=TensorProto.INT64), net.constant(1, np.int64)
    last = {"keepdims": 1, "select_last_index": 1}
    for name, axis, shape in ((x, 1, (1, 7)), (ids, 1, (2,)), (w, 2, (3, 4))):
        kept = (*shape[:axis], 1, *shape[axis:])
        net.gives(net.add("ArgMax", name, axis=axis, keepdims=0), *shape, element=7)
        net.gives(net.add("ArgMin", name, axis=axis, **last), *kept, element=7)
    for flags in ({}, {"reverse": 1}, {"exclusive": 1}, {"exclusive": 1, "reverse": 1}):
        net.gives(net.add("CumSum", x, one, **flags), 1, "n", 7)
        net.gives(net.add("CumSum", ids, one, **flags), 2, "n", element=7)
        sums = net.add("CumSum", w, net.constant(2, np.int64), **flags)
        net.gives(net.add("Sigmoid", sums), 3, 4, "n")
    return net.model("places")


NETWORKS = (sentences, planes, places)


def drawn(model: ModelProto, number: int, seed: int = 0) -> dict[str, np.ndarray]:
    """Return inputs for a number."""
    random, found = np.random.default_rng(seed), {}
    for value in model.graph.input:
        tensor = value.type.tensor_type
        shape = [dim.dim_value or number for dim in tensor.shape.dim]
        if tensor.elem_type == TensorProto.INT64:
            found[value.name] = random.integers(0, 7, shape)
        elif tensor.elem_type == TensorProto.INT32:
            found[value.name] = random.integers(0, number + 1, shape, np.int32)
        elif value.name == "mask":
            found[value.name] = (random.random(shape) < 0.3).astype(np.float32)
        else:
            found[value.name] = random.standard_normal(shape).astype(np.float32)
    return found


def poison(model: ModelProto, number: int) -> dict[str, np.ndarray]:
    """Return inputs that leave nan in all memory that a run for the number writes."""
    return {
        name: np.full_like(value, np.nan) if value.dtype == np.float32 else value
        for name, value in drawn(model, number).items()
    }


def expected(model: ModelProto, values: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Return what ONNX's reference computes."""
    return [np.asarray(r) for r in ReferenceEvaluator(model).run(None, values)]
