"""Networks whose batch may stay open: what they are, and what they compute for a number."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator


class Network:
    """A graph under construction; ``x`` is a float input, or i64 ones below 7."""

    def __init__(self, *shape: int, element: int = TensorProto.FLOAT):
        self.random = np.random.default_rng(3)
        self.nodes, self.weights, self.outputs = [], [], []
        self.inputs = [helper.make_tensor_value_info("x", element, ["batch", *shape])]

    def weight(self, *shape: int) -> str:
        return self.constant(self.random.standard_normal(shape).astype(np.float32) * 0.3)

    def constant(self, value: object, dtype: object = None) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    def add(self, op_type: str, *inputs: str, **attributes: object) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(op_type, inputs, [name], name, **attributes))
        return name

    def conv(self, x: str, channels: int, outputs: int, size: int, **attributes: object) -> str:
        group = int(str(attributes.get("group", 1)))
        filter_ = self.weight(outputs, channels // group, size, size)
        pads = [size // 2] * 4
        return self.add("Conv", x, filter_, self.weight(outputs), pads=pads, **attributes)

    def linear(self, x: str, columns: int, outputs: int) -> str:
        return self.add("Add", self.add("MatMul", x, self.weight(columns, outputs)),
                        self.weight(outputs))  # fmt: skip

    def returns(self, name: str, *shape: int, element: int = TensorProto.FLOAT) -> None:
        self.outputs.append(helper.make_tensor_value_info(name, element, ["batch", *shape]))

    def model(self, name: str) -> ModelProto:
        graph = helper.make_graph(self.nodes, name, self.inputs, self.outputs, self.weights)
        return helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 19)])


def perceptron() -> ModelProto:
    """Products whose rows are the batch, a softmax, places of the largest."""
    net = Network(37)
    x = net.add("Relu", net.linear("x", 37, 50))
    y = net.add("Softmax", net.linear(x, 50, 10), axis=1)
    net.returns(y, 10)
    net.returns(net.add("ArgMax", y, axis=1, keepdims=0), element=TensorProto.INT64)
    return net.model("perceptron")


def convolutional() -> ModelProto:
    """Convolutions of all kinds, with a branch that is joined, and a classifier."""
    net = Network(3, 12, 12)
    x = net.add("Relu", net.conv("x", 3, 16, 3))
    x = net.add("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
    x = net.add("Relu", net.add("Add", net.conv(x, 16, 16, 3), net.conv(x, 16, 16, 1)))
    left = net.conv(x, 16, 16, 3, group=16)
    x = net.add("Concat", left, net.conv(x, 16, 5, 1), axis=1)
    x = net.add("Flatten", net.add("GlobalAveragePool", x))
    net.returns(net.linear(x, 21, 10), 10)
    return net.model("convolutional")


def encoder() -> ModelProto:
    """A layer of a transformer: heads, attention, normalisations; and a token for each of a batch.

    The token is repeated as often as the shape of the input says.
    """
    net, width, heads, length = Network(5, 24), 24, 4, 6
    batch = net.add("Gather", net.add("Shape", "x"), net.constant([0], np.int64))
    shape = net.add("Concat", batch, net.constant([1, width], np.int64), axis=0)
    token = net.add("Expand", net.weight(1, 1, width), shape)
    x = net.add("Add", net.add("Concat", token, "x", axis=1), net.weight(1, length, width))
    split = net.constant([0, length, heads, width // heads], np.int64)
    parts = [
        net.add("Transpose", net.add("Reshape", net.linear(x, width, width), split), perm=order)
        for order in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])
    ]
    scores = net.add("Softmax", net.add("MatMul", parts[0], parts[1]), axis=-1)
    seen = net.add("Transpose", net.add("MatMul", scores, parts[2]), perm=[0, 2, 1, 3])
    joined = net.add("Reshape", seen, net.constant([-1, length, width], np.int64))
    y = net.add("Add", net.linear(joined, width, width), x)
    y = net.add("LayerNormalization", y, net.weight(width), net.weight(width), axis=-1)
    net.returns(y, length, width)
    net.returns(net.add("ReduceMean", y, net.constant([1], np.int64), keepdims=0), width)
    return net.model("encoder")


def mixed() -> ModelProto:
    """Look-ups, sums along other axes, images that grow, single numbers of each, an input as is."""
    net = Network(4, element=TensorProto.INT64)
    e = net.add("Gather", net.weight(7, 9), "x")
    s = net.add("ReduceSum", e, net.constant([1], np.int64), keepdims=0)
    both = net.add("Concat", s, net.add("CumSum", s, net.constant(1, np.int64)), axis=1)
    starts = (net.constant([v], np.int64) for v in (2, 15, 1))
    image = net.add("Reshape", both, net.constant([-1, 2, 3, 3], np.int64))
    image = net.add("ConvTranspose", image, net.weight(2, 3, 3, 3), strides=[2, 2])
    sizes = net.constant([1, 1, 2, 2], np.float32)
    image = net.add("Resize", image, "", sizes, mode="linear")
    net.returns(net.add("Slice", both, *starts), 13)
    net.returns(net.add("ReduceMax", s, net.constant([1], np.int64), keepdims=0))
    net.returns(net.add("Transpose", image, perm=[0, 2, 3, 1]), 14, 14, 3)
    net.returns(net.add("Identity", "x"), 4, element=TensorProto.INT64)
    return net.model("mixed")


NETWORKS = (perceptron, convolutional, encoder, mixed)


def drawn(model: ModelProto, number: int, seed: int = 0) -> np.ndarray:
    """Return an input for a number."""
    tensor = model.graph.input[0].type.tensor_type
    shape = [number, *(dim.dim_value for dim in tensor.shape.dim[1:])]
    random = np.random.default_rng(seed)
    if tensor.elem_type == TensorProto.INT64:
        return random.integers(0, 7, shape)
    return random.standard_normal(shape).astype(np.float32)


def expected(model: ModelProto, value: np.ndarray) -> list[np.ndarray]:
    """Return what ONNX's reference computes."""
    return list(ReferenceEvaluator(model).run(None, {"x": value}))
