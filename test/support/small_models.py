"""Whole networks of a few nodes, with random weights."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, helper, numpy_helper


class _Builder:
    """Nodes and initializers of a graph under construction; names are numbered."""

    def __init__(self, seed: int):
        self.random = np.random.default_rng(seed)
        self.nodes = []
        self.weights = []

    def weight(self, *shape: int, positive: bool = False) -> str:
        values = self.random.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))
        values = np.abs(values) + 0.5 if positive else values
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(values.astype(np.float32), name))
        return name

    def add(self, op_type: str, *inputs: str, **attributes: object) -> str:
        name = f"t{len(self.nodes)}"
        node = helper.make_node(op_type, inputs, [name], f"{op_type}_{len(self.nodes)}")
        node.attribute.extend(helper.make_attribute(k, v) for k, v in attributes.items())
        self.nodes.append(node)
        return name

    def conv(self, x: str, channels: int, outputs: int, size: int = 3, stride: int = 1) -> str:
        pads = [size // 2] * 4
        filter_ = self.weight(outputs, channels, size, size)
        return self.add("Conv", x, filter_, strides=[stride] * 2, pads=pads)

    def constant(self, values: object, dtype: type) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(values, dtype), name))
        return name

    def codes(self, x: str, scale: float, zero: int = 0) -> str:
        """Add QuantizeLinear and DequantizeLinear to bytes."""
        parameters = self.constant(scale, np.float32), self.constant(zero, np.uint8)
        return self.add("DequantizeLinear", self.add("QuantizeLinear", x, *parameters), *parameters)

    def coded_weight(self, *shape: int) -> str:
        """Add a weight of 7 bits, with a scale for each output channel.

        Instructions that saturate sums of two products give the same sums with it.
        """
        weight = self.constant(self.random.integers(-64, 64, shape), np.int8)
        scales = self.constant(self.random.uniform(1e-3, 4e-3, shape[0]), np.float32)
        zeros = self.constant(np.zeros(shape[0]), np.int8)
        return self.add("DequantizeLinear", weight, scales, zeros, axis=0)

    def batch_norm(self, x: str, channels: int) -> str:
        scale, shift, mean = (self.weight(channels) for _ in range(3))
        variance = self.weight(channels, positive=True)
        return self.add("BatchNormalization", x, scale, shift, mean, variance)

    def model(
        self, name: str, shape: list[int], output: str, classes: int, *pixels: int
    ) -> ModelProto:
        graph = helper.make_graph(
            self.nodes,
            name,
            [helper.make_tensor_value_info("x", 1, shape)],
            [helper.make_tensor_value_info(output, 1, [shape[0], classes, *pixels])],
            self.weights,
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def residual_network() -> ModelProto:
    """Return a network from ``x`` (2x3x20x18) to ten probabilities, with two residual blocks.

    Conv, BatchNormalization, Relu; the sum of a branch with its input, once with a 1x1 convolution
    on the way; GlobalAveragePool, Gemm, Softmax.
    """
    b = _Builder(seed=1)
    stem = b.add("Relu", b.batch_norm(b.conv("x", 3, 16), 16))
    inner = b.add("Relu", b.batch_norm(b.conv(stem, 16, 16), 16))
    branch = b.batch_norm(b.conv(inner, 16, 16), 16)
    first = b.add("Relu", b.add("Add", branch, stem))
    inner = b.add("Relu", b.batch_norm(b.conv(first, 16, 24, stride=2), 24))
    branch = b.batch_norm(b.conv(inner, 24, 24), 24)
    shortcut = b.batch_norm(b.conv(first, 16, 24, size=1, stride=2), 24)
    second = b.add("Relu", b.add("Add", branch, shortcut))
    pooled = b.add("Flatten", b.add("GlobalAveragePool", second))
    logits = b.add("Gemm", pooled, b.weight(10, 24), b.weight(10), transB=1)
    return b.model("residual", [2, 3, 20, 18], b.add("Softmax", logits, axis=1), 10)


def quantised_network() -> ModelProto:
    """Return a network from ``x`` (1x3x18x20) to ten numbers that are computed in integers.

    Convolutions of few channels, of single ones and of pixels, MaxPool, Gemm, as QuantizeLinear and
    DequantizeLinear state them.
    """
    b = _Builder(seed=5)
    x = b.codes("x", 1 / 255)
    x = b.add("Conv", x, b.coded_weight(16, 3, 3, 3), strides=[2, 2], pads=[1, 1, 1, 1])
    x = b.codes(b.add("Relu", x), 0.004)
    x = b.add("Conv", x, b.coded_weight(16, 1, 3, 3), group=16, pads=[1, 1, 1, 1])
    x = b.codes(x, 0.006, 120)
    x = b.codes(b.add("Conv", x, b.coded_weight(24, 16, 1, 1)), 0.02, 131)
    x = b.add("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2])
    x = b.add("Gemm", b.add("Flatten", x), b.coded_weight(10, 24 * 4 * 4), transB=1)
    return b.model("quantised", [1, 3, 18, 20], b.codes(x, 0.001, 128), classes=10)


def recurrent_network() -> ModelProto:
    """Return a network from ``x`` (7x2x5) to three probabilities: an LSTM in both directions.

    Its last states in both directions are the operand of a Gemm; then Softmax.
    """
    b = _Builder(seed=6)
    gates = (b.weight(2, 24, 5), b.weight(2, 24, 6), b.weight(2, 48))
    node = helper.make_node(
        "LSTM", ["x", *gates], ["", "last"], "LSTM", hidden_size=6, direction="bidirectional"
    )
    b.nodes.append(node)
    rows = b.add("Flatten", b.add("Transpose", "last", perm=[1, 0, 2]))
    logits = b.add("Gemm", rows, b.weight(3, 12), b.weight(3), transB=1)
    model = b.model("recurrent", [7, 2, 5], b.add("Softmax", logits, axis=1), 3)
    model.graph.output[0].type.tensor_type.shape.dim[0].dim_value = 2
    return model


def upsampling_network() -> ModelProto:
    """Return a network from ``x`` (1x3x26x22) to four probabilities a pixel, in the form of a U.

    Two steps down by MaxPool, one up by ConvTranspose, one by a linear Resize; each of these is
    followed by a Concat with what has its size, whose channels a squeezed copy of it weighs.
    """
    b = _Builder(seed=4)

    def double(x: str, channels: int, outputs: int) -> str:
        inner = b.add("Relu", b.batch_norm(b.conv(x, channels, outputs), outputs))
        return b.add("Relu", b.conv(inner, outputs, outputs))

    def gated(x: str, channels: int) -> str:
        squeezed = b.add("GlobalAveragePool", x)
        gate = b.add("Sigmoid", b.conv(squeezed, channels, channels, size=1))
        return b.add("Mul", x, gate)

    half = {"kernel_shape": [2, 2], "strides": [2, 2]}
    high = double("x", 3, 12)
    middle = double(b.add("MaxPool", high, ceil_mode=1, **half), 12, 20)
    low = double(b.add("MaxPool", middle, ceil_mode=1, **half), 20, 40)
    up = b.add(
        "ConvTranspose", low, b.weight(40, 20, 3, 3), b.weight(20),
        strides=[2, 2], pads=[1, 1, 1, 1],
    )  # fmt: skip
    middle = double(b.add("Concat", gated(middle, 20), up, axis=1), 40, 20)
    scales = numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "scales")
    b.weights.append(scales)
    up = b.add("Resize", middle, "", "scales", mode="linear")
    high = double(b.add("Concat", gated(high, 12), up, axis=1), 32, 12)
    scores = b.conv(high, 12, 4, size=1)
    return b.model("up", [1, 3, 26, 22], b.add("Softmax", scores, axis=1), 4, 26, 22)


def residual_block() -> ModelProto:
    """Return relu(conv(x) + x) alone, on 1x8x6x6; its output is pooled to 1x8."""
    b = _Builder(seed=2)
    total = b.add("Relu", b.add("Add", b.conv("x", 8, 8), "x"))
    pooled = b.add("Flatten", b.add("GlobalAveragePool", total))
    return b.model("block", [1, 8, 6, 6], pooled, 8)


def small_classifier() -> ModelProto:
    """Return a network of one convolution, a pool and a product, on 1x1x12x12: quick to build."""
    b = _Builder(seed=3)
    x = b.add("Relu", b.conv("x", 1, 4))
    flat = b.add("Flatten", b.add("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2]))
    logits = b.add("Gemm", flat, b.weight(144, 5), b.weight(5))
    return b.model("small", [1, 1, 12, 12], logits, 5)
