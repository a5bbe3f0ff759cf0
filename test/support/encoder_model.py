"""A transformer encoder of the shape of MiniLM-L6, with random weights."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

LAYERS, WIDTH, HEADS, INNER, VOCABULARY = 6, 384, 12, 1536, 500
TOKENS = 128


class _Encoder:
    """Nodes and weights under construction; with ``in_parts`` as exporters write old opsets."""

    def __init__(self, in_parts: bool):
        self.in_parts = in_parts
        self.random = np.random.default_rng(0)
        self.nodes = []
        self.weights = []

    def constant(self, array: object) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def number(self, value: float) -> str:
        return self.constant(np.float32(value))

    def weight(self, *shape: int) -> str:
        return self.constant((self.random.standard_normal(shape) * 0.05).astype(np.float32))

    def add(self, op_type: str, *inputs: str, **attributes: object) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(op_type, inputs, [name], name, **attributes))
        return name

    def linear(self, x: str, inputs: int, outputs: int) -> str:
        return self.add("Add", self.add("MatMul", x, self.weight(inputs, outputs)),
                        self.weight(outputs))  # fmt: skip

    def layer_norm(self, x: str) -> str:
        scale, shift = self.weight(WIDTH), self.weight(WIDTH)
        if not self.in_parts:
            return self.add("LayerNormalization", x, scale, shift, epsilon=1e-12)
        centred = self.add("Sub", x, self.add("ReduceMean", x, axes=[-1]))
        square = self.add("Pow", centred, self.number(2))
        variance = self.add("ReduceMean", square, axes=[-1])
        deviation = self.add("Sqrt", self.add("Add", variance, self.number(1e-12)))
        normal = self.add("Div", centred, deviation)
        return self.add("Add", self.add("Mul", normal, scale), shift)

    def gelu(self, x: str) -> str:
        if not self.in_parts:
            return self.add("Gelu", x)
        erf = self.add("Erf", self.add("Div", x, self.number(np.sqrt(2))))
        term = self.add("Add", erf, self.number(1))
        return self.add("Mul", self.add("Mul", x, term), self.number(0.5))

    def heads(self, x: str, order: list[int]) -> str:
        apart = self.constant(np.array([1, TOKENS, HEADS, WIDTH // HEADS]))
        return self.add("Transpose", self.add("Reshape", x, apart), perm=order)

    def attention(self, x: str) -> str:
        query, key, value = (
            self.heads(self.linear(x, WIDTH, WIDTH), order)
            for order in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])
        )
        scores = self.add("MatMul", query, key)
        scaled = self.add("Div", scores, self.number(np.sqrt(WIDTH // HEADS)))
        mixed = self.add("MatMul", self.add("Softmax", scaled, axis=-1), value)
        together = self.constant(np.array([1, TOKENS, WIDTH]))
        return self.add("Reshape", self.add("Transpose", mixed, perm=[0, 2, 1, 3]), together)

    def layer(self, x: str) -> str:
        x = self.layer_norm(self.add("Add", self.linear(self.attention(x), WIDTH, WIDTH), x))
        inner = self.gelu(self.linear(x, WIDTH, INNER))
        return self.layer_norm(self.add("Add", self.linear(inner, INNER, WIDTH), x))


def encoder(in_parts: bool) -> ModelProto:
    """Return the encoder, from ``ids`` (i64, 1x128) to 1x128x384.

    LayerNormalization and Gelu are nodes of their own, or ``in_parts`` what they are made of.
    """
    e = _Encoder(in_parts)
    tokens = e.add("Gather", e.weight(VOCABULARY, WIDTH), "ids")
    x = e.layer_norm(e.add("Add", tokens, e.weight(1, TOKENS, WIDTH)))
    for _ in range(LAYERS):
        x = e.layer(x)
    graph = helper.make_graph(
        e.nodes,
        "encoder",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, [1, TOKENS])],
        [helper.make_tensor_value_info(x, TensorProto.FLOAT, [1, TOKENS, WIDTH])],
        e.weights,
    )
    imports = [helper.make_opsetid("", 14 if in_parts else 20)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8)
