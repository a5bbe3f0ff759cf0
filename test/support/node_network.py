"""Small networks for tests, written down one line a node."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper
from own_numbers import OwnNumbers

RANDOM = OwnNumbers(5)


class Network:
    """Nodes, constants and inputs, written down one line each."""

    def __init__(self, **inputs: tuple[int, ...]) -> None:
        self.inputs = {
            name: RANDOM.standard_normal(shape).astype(np.float32) for name, shape in inputs.items()
        }
        self.nodes: list = []
        self.constants: list = []
        self.outputs: list[str] = []

    def constant(self, array: np.ndarray) -> str:
        name = f"k{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def add(self, kind: str, *inputs: str, **attributes: object) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def conv(
        self,
        x: str,
        channels: int,
        outputs: int,
        window: int = 1,
        group: int = 1,
        pad: int | None = None,
        stride: int = 1,
    ) -> str:
        """Add a convolution and a ReLU; an odd window keeps rows and columns, by default."""
        shape = (outputs, channels // group, window, window)
        weights = self.constant(RANDOM.standard_normal(shape).astype(np.float32) / channels)
        bias = self.constant(RANDOM.standard_normal(outputs).astype(np.float32))
        pads = [window // 2 if pad is None else pad] * 4
        strides = [stride] * 2
        y = self.add("Conv", x, weights, bias, pads=pads, strides=strides, group=group)
        return self.add("Relu", y)

    def shuffle(self, x: str, shape: tuple[int, ...], factors: tuple[int, ...], *order: int) -> str:
        """Take the channels of ``x`` apart and bring them into another order."""
        batch, channels, *places = shape
        apart = self.add("Reshape", x, self.shape(batch, *factors, *places))
        axes = range(1 + len(factors), 1 + len(factors) + len(places))
        turned = self.add("Transpose", apart, perm=[0, *(1 + i for i in order), *axes])
        return self.add("Reshape", turned, self.shape(batch, channels, *places))

    def shape(self, *extents: int) -> str:
        return self.constant(np.array(extents, np.int64))

    def slice(self, x: str, start: int, end: int, axis: int, step: int = 1) -> str:
        return self.add("Slice", x, *(self.shape(n) for n in (start, end, axis, step)))

    def model(self) -> bytes:
        graph = helper.make_graph(
            self.nodes,
            "movements",
            [
                helper.make_tensor_value_info(name, TensorProto.FLOAT, array.shape)
                for name, array in self.inputs.items()
            ],
            [helper.make_empty_tensor_value_info(name) for name in self.outputs],
            self.constants,
        )
        imports = [helper.make_opsetid("", 17)]
        return helper.make_model(graph, opset_imports=imports, ir_version=8).SerializeToString()


def with_shapes(model: bytes, outputs: list[np.ndarray]) -> bytes:
    """Return a model that states the types of its outputs."""
    proto = ModelProto.FromString(model)
    for value, array in zip(proto.graph.output, outputs, strict=True):
        value.CopyFrom(helper.make_tensor_value_info(value.name, TensorProto.FLOAT, array.shape))
    return proto.SerializeToString()
