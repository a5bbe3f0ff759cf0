"""Networks whose kernels threads share, of shapes that no tile divides: one a family of kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from onnx import ModelProto, NodeProto, helper, numpy_helper

from autodeploy.toolchain.session import Array

Shape = Sequence[int]


@dataclass
class ThreadedModel:
    """Nodes that read inputs and weights; what no other node reads is an output."""

    level: int
    nodes: list[NodeProto] = field(default_factory=list)
    inputs: dict[str, Array] = field(default_factory=dict)
    weights: dict[str, Array] = field(default_factory=dict)

    def input(self, *shape: int) -> str:
        """Add an input of random numbers."""
        return self._add(self.inputs, f"x{len(self.inputs)}", _random(len(self.inputs), shape))

    def weight(self, *shape: int) -> str:
        """Add a weight of random numbers."""
        name = f"w{len(self.weights)}"
        return self._add(self.weights, name, _random(len(self.weights) + 100, shape))

    def constant(self, *values: float, integer: bool = False) -> str:
        """Add a vector of numbers."""
        array = np.array(values, np.int64 if integer else np.float32)
        return self._add(self.weights, f"w{len(self.weights)}", array)

    def node(self, operator: str, *operands: str, **attributes: object) -> str:
        """Add a node."""
        name = f"{operator.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(operands), [name], **attributes))
        return name

    def conv(self, shape: Shape, filter: Shape, **attributes: object) -> str:
        """Add a convolution of an input of its own."""
        return self.node("Conv", self.input(*shape), self.weight(*filter), **attributes)

    @property
    def outputs(self) -> list[str]:
        """Return the values that no node reads."""
        read = {name for node in self.nodes for name in node.input}
        return [name for node in self.nodes for name in node.output if name not in read]

    def proto(self) -> ModelProto:
        """Return the model."""
        graph = helper.make_graph(
            self.nodes,
            "threads",
            [helper.make_tensor_value_info(name, 1, x.shape) for name, x in self.inputs.items()],
            [helper.make_tensor_value_info(name, 1, None) for name in self.outputs],
            [numpy_helper.from_array(value, name) for name, value in self.weights.items()],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)

    @staticmethod
    def _add(values: dict[str, Array], name: str, value: Array) -> str:
        values[name] = value
        return name


def _random(seed: int, shape: Shape) -> Array:
    return np.random.default_rng(seed).standard_normal(shape, np.float32) / 4


def _winograd() -> ThreadedModel:
    """Tile rows that bands do not divide, images that tiles do not, padding on two sides only."""
    model = ThreadedModel(3)
    model.conv((1, 48, 13, 13), (96, 48, 3, 3), pads=[1] * 4)
    model.conv((2, 17, 17, 31), (8, 17, 3, 3), pads=[1] * 4)
    model.conv((1, 32, 28, 28), (32, 32, 3, 3), pads=[1] * 4)
    model.conv((1, 64, 30, 28), (32, 64, 3, 3), pads=[0, 1, 0, 1])
    model.conv((1, 64, 30, 30), (32, 64, 3, 3))
    image = model.input(1, 64, 21, 21)
    sums = model.node("Conv", image, model.weight(64, 64, 3, 3), pads=[1] * 4)
    model.node("Relu", model.node("Add", sums, model.node("Tanh", image)))
    return model


def _convolutions() -> ThreadedModel:
    """Rows that bands do not divide, channels and pixels that tiles do not."""
    model = ThreadedModel(2)
    model.conv((1, 33, 29, 31), (47, 33, 3, 3), pads=[1] * 4)
    model.conv((1, 64, 55, 55), (40, 64, 3, 3), pads=[1] * 4)
    model.conv((1, 3, 109, 113), (32, 3, 3, 3), pads=[1] * 4, strides=[2, 2])
    model.conv((1, 96, 57, 57), (24, 96, 1, 7), pads=[0, 3, 0, 3])
    model.conv((1, 17, 37, 41), (19, 17, 5, 5), pads=[2] * 4, strides=[2, 2])
    model.conv((1, 65, 27, 27), (63, 65, 1, 1))
    model.conv((1, 64, 23, 23), (80, 16, 3, 3), pads=[1] * 4, group=4)
    model.conv((1, 256, 1, 1), (1000, 256, 1, 1))
    model.conv((2, 33, 117), (24, 33, 5), pads=[2, 2])
    model.node("ConvTranspose", model.input(1, 33, 23, 25), model.weight(33, 17, 3, 3))
    model.node(
        "ConvTranspose", model.input(1, 32, 29, 29), model.weight(32, 24, 2, 2), strides=[2, 2]
    )
    model.node("Conv", model.node("Relu", model.conv((1, 16, 117, 113), (32, 16, 3, 3))),
               model.weight(32, 1, 3, 3), pads=[1] * 4, group=32)  # fmt: skip
    return model


def _windows() -> ThreadedModel:
    """Pixels and channels that tiles do not divide."""
    model = ThreadedModel(2)
    model.conv((1, 65, 57, 57), (65, 1, 3, 3), pads=[1] * 4, group=65)
    model.conv((1, 211, 3, 47), (211, 1, 3, 3), pads=[1] * 4, group=211)
    model.node("MaxPool", model.input(1, 65, 57, 57), kernel_shape=[3, 3], strides=[2, 2])
    model.node("GlobalAveragePool", model.input(1, 1500, 7, 7))
    model.node("LRN", model.input(1, 65, 1, 571), size=5)
    scales = model.constant(1, 1, 1.7, 1.7)
    model.node("Resize", model.input(1, 33, 61, 61), "", scales, mode="linear")
    return model


def _products() -> ThreadedModel:
    """Rows and columns that tiles do not divide, of weights and of matrices that are computed."""
    model = ThreadedModel(2)
    model.node("MatMul", model.input(1, 1003), model.weight(1003, 1999))
    model.node("MatMul", model.input(77, 333), model.weight(333, 513))
    model.node("MatMul", model.input(29, 64), model.weight(64, 165))
    model.node("MatMul", model.input(29, 65), model.input(65, 329))
    model.node("MatMul", model.input(211, 65), model.input(65, 37))
    model.node("MatMul", model.input(1, 333), model.input(333, 1003))
    model.node("MatMul", model.input(5, 33, 47), model.input(5, 47, 61))
    model.node("MatMul", model.node("Sigmoid", model.input(513, 259)), model.weight(259, 131))
    rows = model.input(1, 1031, 65)
    turned = model.node("Transpose", rows, perm=[0, 2, 1])
    weights = model.node("Softmax", model.node("MatMul", rows, turned))
    model.node("MatMul", weights, rows)
    return model


def _rows() -> ThreadedModel:
    """Rows, and loops over single elements, that vectors do not divide."""
    model = ThreadedModel(2)
    model.node("ReduceMean", model.input(1001, 777), model.constant(0, integer=True))
    model.node("ReduceMean", model.input(3000, 20), model.constant(0, integer=True))
    axes = model.constant(2, 3, integer=True)
    model.node("ReduceMean", model.conv((1, 3, 77, 81), (19, 3, 1, 1)), axes)
    model.node("Softmax", model.input(513, 1001))
    model.node("Softmax", model.input(1, 101, 779), axis=1)
    model.node("LayerNormalization", model.input(513, 771), model.weight(771))
    model.node("Tanh", model.input(20003))
    model.node("Exp", model.input(3, 20003))
    model.node("Transpose", model.input(97, 101, 103), perm=[2, 1, 0])
    model.node("Transpose", model.input(1, 3, 40003), perm=[0, 2, 1])
    return model


def _copies() -> ThreadedModel:
    """Rows that become columns in blocks; the last block overlaps the one before.

    The rows lie a multiple of 512 bytes apart and share sets of the first-level cache. With one
    matrix cores share its blocks, with three the matrices and blocks.
    """
    model = ThreadedModel(2)
    axis = model.constant(1, integer=True)
    for begin, end in ((3, 384), (0, 380)):
        bounds = [model.constant(n, integer=True) for n in (begin, end)]
        columns = model.node("Slice", model.input(197, 1152), *bounds, axis)
        model.node("Transpose", columns, perm=[1, 0])
    model.node("Transpose", model.input(3, 197, 1152), perm=[0, 2, 1])
    return model


def _sample() -> ThreadedModel:
    """A kernel of each kind that once wrote elements in two threads."""
    model = ThreadedModel(3)
    model.conv((1, 48, 13, 13), (96, 48, 3, 3), pads=[1] * 4)
    model.conv((1, 65, 57, 57), (65, 1, 3, 3), pads=[1] * 4, group=65)
    model.node("ReduceMean", model.input(1001, 777), model.constant(0, integer=True))
    model.node("MatMul", model.input(29, 65), model.input(65, 329))
    return model


SAMPLE: Mapping[str, ThreadedModel] = {
    "sample": _sample(),
    "copies": _copies(),
}
"""What takes little time to build."""

MODELS: Mapping[str, ThreadedModel] = {
    "winograd": _winograd(),
    "convolutions": _convolutions(),
    "windows": _windows(),
    "products": _products(),
    "rows": _rows(),
    "copies": _copies(),
}
