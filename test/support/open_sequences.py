"""Networks whose length of a sequence may stay open: what they are, and what they compute."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto, helper
from onnx.reference import ReferenceEvaluator
from open_networks import Network

WIDTH, HEADS = 24, 4


class Tokens(Network):
    """A graph of ``x``, 1 x sequence x 24, and ``mask``, 1 x sequence of ones and zeros."""

    def __init__(self) -> None:
        super().__init__()
        self.inputs = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, "sequence", *shape])
            for name, shape in (("x", (WIDTH,)), ("mask", ()))
        ]

    def integers(self, *values: int) -> str:
        return self.constant(values, np.int64)

    def gives(self, name: str, *shape: int | str, element: int = TensorProto.FLOAT) -> None:
        self.outputs.append(helper.make_tensor_value_info(name, element, shape))

    def heads(self, x: str, *order: int) -> str:
        split = self.integers(1, -1, HEADS, WIDTH // HEADS)
        return self.add("Transpose", self.add("Reshape", x, split), perm=order)


def transformer() -> ModelProto:
    """Two layers with a mask, the positions of tokens, and three ways to make one of all tokens."""
    net = Tokens()
    length = net.add("Gather", net.add("Shape", "x"), net.integers(1))
    zero, one = net.integers(0), net.integers(1)
    places = net.add("Slice", net.weight(1, 40, WIDTH), zero, length, one)
    x = net.add("Add", "x", places)
    shown = net.add("Unsqueeze", "mask", net.integers(1, 2))
    hidden = net.add("Mul", net.add("Sub", net.constant(1.0, np.float32), shown),
                     net.constant(-10000.0, np.float32))  # fmt: skip
    for _ in range(2):
        q = net.heads(net.linear(x, WIDTH, WIDTH), 0, 2, 1, 3)
        k = net.heads(net.linear(x, WIDTH, WIDTH), 0, 2, 3, 1)
        v = net.heads(net.linear(x, WIDTH, WIDTH), 0, 2, 1, 3)
        scores = net.add("Div", net.add("MatMul", q, k), net.constant(2.45, np.float32))
        weights = net.add("Softmax", net.add("Add", scores, hidden), axis=-1)
        seen = net.add("Transpose", net.add("MatMul", weights, v), perm=[0, 2, 1, 3])
        joined = net.add("Reshape", seen, net.integers(1, -1, WIDTH))
        x = _normed(net, net.add("Add", net.linear(joined, WIDTH, WIDTH), x))
        inner = net.add("Relu", net.linear(x, WIDTH, 2 * WIDTH))
        x = _normed(net, net.add("Add", net.linear(inner, 2 * WIDTH, WIDTH), x))
    shown = net.add("Unsqueeze", "mask", net.integers(2))
    total = net.add("ReduceSum", net.add("Mul", x, shown), one, keepdims=0)
    count = net.add("Max", net.add("ReduceSum", shown, one, keepdims=0), net.constant(1, "f4"))
    net.gives(x, 1, "sequence", WIDTH)
    net.gives(net.add("Div", total, count), 1, WIDTH)
    net.gives(net.add("ReduceMean", x, one, keepdims=0), 1, WIDTH)
    net.gives(net.add("ReduceMax", x, one, keepdims=0), 1, WIDTH)
    return net.model("transformer")


def _normed(net: Tokens, x: str) -> str:
    return net.add("LayerNormalization", x, net.weight(WIDTH), net.weight(WIDTH), axis=-1)


def folds() -> ModelProto:
    """Sums, extremes and softmaxes along the sequence in any place, of several types."""
    net = Tokens()
    turned = net.add("Transpose", "x", perm=[0, 2, 1])
    pairs = net.add("MatMul", "x", turned)
    heads = net.heads("x", 0, 2, 1, 3)
    counts = net.add("Cast", net.add("Floor", "x"), to=TensorProto.INT64)
    made = [
        net.add("ReduceMin", "x", net.integers(1)),
        net.add("ReduceProd", "mask", net.integers(0, 1)),
        net.add("ReduceSum", pairs, net.integers(1, 2)),
        net.add("ReduceMean", pairs, net.integers(2)),
        net.add("ReduceL2", heads, net.integers(1, 2)),
        net.add("ReduceSum", counts, net.integers(1)),
        net.add("ReduceLogSumExp", turned, net.integers(2)),
        net.add("Softmax", "x", axis=1),
        net.add("Transpose", net.add("Softmax", turned, axis=2), perm=[0, 2, 1]),
        net.add("MatMul", net.add("Softmax", pairs, axis=1), "x"),
        net.add("MatMul", net.add("LogSoftmax", pairs, axis=2), "x"),
        net.add("Add", net.add("ReduceMax", "x", net.integers(1, 2)), "mask"),
    ]
    shapes = [(1, 1, WIDTH), (1, 1), (1, 1, 1), (1, "sequence", 1), (1, 1, 1, WIDTH // HEADS),
              (1, 1, WIDTH), (1, WIDTH, 1), *[(1, "sequence", WIDTH)] * 4,
              (1, 1, "sequence")]  # fmt: skip
    for name, shape in zip(made, shapes, strict=True):
        integers = name == made[5]
        net.gives(name, *shape, element=TensorProto.INT64 if integers else TensorProto.FLOAT)
    return net.model("folds")


def products() -> ModelProto:
    """Products that add up along the sequence, have it as columns, and as rows within a stack."""
    net = Tokens()
    turned = net.add("Transpose", "x", perm=[0, 2, 1])
    squares = net.add("MatMul", turned, "x")
    flat = net.add("Reshape", "x", net.integers(-1, WIDTH))
    gram = net.add("Gemm", flat, flat, net.weight(WIDTH), transA=1)
    row = net.add("MatMul", "mask", "x")
    two = net.add("Concat", net.add("Reshape", "x", net.integers(1, 1, -1, WIDTH)),
                  net.add("Reshape", net.add("Neg", "x"), net.integers(1, 1, -1, WIDTH)),
                  axis=1)  # fmt: skip
    stack = net.add("Relu", net.linear(two, WIDTH, 9))
    columns = net.add("Relu", net.add("MatMul", net.weight(5, WIDTH), turned))
    net.gives(net.add("MatMul", "x", squares), 1, "sequence", WIDTH)
    net.gives(gram, WIDTH, WIDTH)
    net.gives(row, 1, 1, WIDTH)
    net.gives(net.add("ReduceSum", stack, net.integers(1), keepdims=0), 1, "sequence", 9)
    net.gives(net.add("Transpose", columns, perm=[0, 2, 1]), 1, "sequence", 5)
    net.gives(net.add("MatMul", columns, "x"), 1, 5, WIDTH)
    return net.model("products")


def pooled() -> ModelProto:
    """The first token of what attention makes, as encoders pool it."""
    net = Tokens()
    first = net.add("Gather", _attended(net), net.constant(0, np.int64), axis=1)
    net.gives(net.add("Tanh", net.linear(first, WIDTH, WIDTH)), 1, WIDTH)
    net.gives(net.add("Slice", "mask", *map(net.integers, (0, 1, 1))), 1, 1)
    return net.model("pooled")


def firsts() -> ModelProto:
    """Parts of the first three tokens, in all places of the graph."""
    net, whole = Tokens(), [1, "sequence"]
    y = net.linear("x", WIDTH, WIDTH)
    scores = net.add("MatMul", y, net.add("Transpose", y, perm=[0, 2, 1]))
    seen = _attended(net)
    rows = net.add("Slice", scores, *map(net.integers, (0, 3, 1)))
    columns = net.add("Slice", scores, *map(net.integers, (1, 3, 2)))
    turned = net.add("Slice", net.add("Transpose", "x", perm=[0, 2, 1]),
                     *map(net.integers, (2, 0, 2, -1)))  # fmt: skip
    third = net.add("Gather", "x", net.constant(2, np.int64), axis=1)
    second = net.add("Slice", seen, *map(net.integers, (1, 2, 1)))
    spread = net.add("Expand", second, net.add("Shape", "x"))
    net.gives(net.add("Transpose", rows, perm=[0, 2, 1]), *whole, 3)
    net.gives(net.add("ReduceMax", columns, net.integers(1)), 1, 1, 2)
    net.gives(net.add("Relu", columns), *whole, 2)
    net.gives(net.add("Relu", turned), 1, WIDTH, 2)
    net.gives(net.add("Add", third, net.linear(third, WIDTH, WIDTH)), 1, WIDTH)
    net.gives(net.add("Gather", "mask", net.integers(2, 0), axis=1), 1, 2)
    net.gives(net.add("Add", "x", spread), *whole, WIDTH)
    net.gives(net.add("MatMul", seen, net.add("Transpose", second, perm=[0, 2, 1])), *whole, 1)
    return net.model("firsts")


def _attended(net: Tokens) -> str:
    y = net.linear("x", WIDTH, WIDTH)
    scores = net.add("MatMul", y, net.add("Transpose", y, perm=[0, 2, 1]))
    return _normed(net, net.add("MatMul", net.add("Softmax", scores, axis=-1), y))


NETWORKS = (transformer, folds, products, pooled)


def drawn(number: int, seed: int = 0) -> dict[str, np.ndarray]:
    """Return inputs for a number."""
    random = np.random.default_rng(seed)
    return {
        "x": random.standard_normal((1, number, WIDTH)).astype(np.float32),
        "mask": (random.random((1, number)) < 0.7).astype(np.float32),
    }


def poison(number: int) -> dict[str, np.ndarray]:
    """Return inputs that leave nan in all memory that a run for the number writes."""
    return {name: np.full_like(value, np.nan) for name, value in drawn(number).items()}


def expected(model: ModelProto, values: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Return what ONNX's reference computes."""
    return [np.asarray(r) for r in ReferenceEvaluator(model).run(None, values)]
