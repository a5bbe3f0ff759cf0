"""Networks of well-known structure with random weights: ResNet-18, MobileNetV2, a MiniLM encoder.

``filled`` puts weights into a graph that has none. Each other function returns an ONNX model at
opset 13, node for node as PyTorch exports it, with BatchNormalization, LayerNorm and Gelu not yet
folded: that is the work of a compiler. Weights come from a seeded generator, scaled by the rule of
He, so activations stay finite and every call gives the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 13
_IR_VERSION = 8
_SEED = 20

Array = npt.NDArray[np.generic]


class _Graph:
    """A graph under construction: nodes in order, initializers, random numbers."""

    def __init__(self, name: str):
        self.name = name
        self.random = np.random.default_rng(_SEED)
        self.nodes: list[onnx.NodeProto] = []
        self.initializers: list[onnx.TensorProto] = []
        self._count = 0

    def add(self, op: str, *inputs: str, name: str = "", **attributes: object) -> str:
        """Append a node of one output; return the output's name."""
        self._count += 1
        label = name or f"{op}_{self._count}"
        output = f"{label}_output"
        self.nodes.append(helper.make_node(op, inputs, [output], name=label, **attributes))
        return output

    def constant(self, name: str, value: npt.ArrayLike) -> str:
        """Add an initializer; return its name."""
        self.initializers.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def normal(self, name: str, shape: Sequence[int], deviation: float) -> str:
        """Add an initializer of normally distributed numbers; return its name."""
        values = self.random.standard_normal(tuple(shape), np.float32) * np.float32(deviation)
        return self.constant(name, values)

    def uniform(self, name: str, count: int, low: float, high: float) -> str:
        """Add a vector of evenly distributed numbers; return its name."""
        return self.constant(name, self.random.uniform(low, high, count).astype(np.float32))

    def model(
        self, inputs: Mapping[str, Sequence[int]], output: str, shape: Sequence[int]
    ) -> onnx.ModelProto:
        """Return the model: float inputs of these shapes, one float output."""
        self.nodes[-1].output[0] = output
        graph = helper.make_graph(
            self.nodes,
            self.name,
            [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in inputs.items()],
            [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
            self.initializers,
        )
        return helper.make_model(
            graph,
            producer_name="autodeploy benchmarks",
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=_IR_VERSION,
        )


def _conv_norm(
    graph: _Graph,
    x: str,
    name: str,
    channels: tuple[int, int],
    kernel: int,
    stride: int = 1,
    group: int = 1,
) -> str:
    """Append Conv without bias and BatchNormalization; ``channels`` are those in and out."""
    source, target = channels
    fan_in = source // group * kernel * kernel
    shape = (target, source // group, kernel, kernel)
    weight = graph.normal(f"{name}.weight", shape, math.sqrt(2 / fan_in))
    conv = graph.add(
        "Conv",
        x,
        weight,
        name=f"{name}.conv",
        dilations=[1, 1],
        group=group,
        kernel_shape=[kernel, kernel],
        pads=[kernel // 2] * 4,
        strides=[stride, stride],
    )
    return graph.add(
        "BatchNormalization",
        conv,
        graph.uniform(f"{name}.norm.weight", target, 0.7, 1.1),
        graph.uniform(f"{name}.norm.bias", target, -0.2, 0.2),
        graph.uniform(f"{name}.norm.running_mean", target, -0.2, 0.2),
        graph.uniform(f"{name}.norm.running_var", target, 0.8, 1.3),
        name=f"{name}.norm",
        epsilon=1e-5,
        momentum=0.9,
    )


def _classifier(graph: _Graph, x: str, channels: int, classes: int = 1000) -> str:
    """Append global pooling and the fully connected layer."""
    flat = graph.add("Flatten", graph.add("GlobalAveragePool", x), axis=1)
    weight = graph.normal("fc.weight", (classes, channels), math.sqrt(1 / channels))
    bias = graph.uniform("fc.bias", classes, -0.1, 0.1)
    return graph.add("Gemm", flat, weight, bias, name="fc", alpha=1.0, beta=1.0, transB=1)


def resnet18() -> onnx.ModelProto:
    """Return torchvision's ResNet-18 for one picture of 3x224x224: 11.7 million weights."""
    graph = _Graph("resnet18")
    x = graph.add("Relu", _conv_norm(graph, "input", "conv1", (3, 64), 7, 2))
    x = graph.add("MaxPool", x, kernel_shape=[3, 3], pads=[1] * 4, strides=[2, 2], ceil_mode=0)
    before = 64
    for stage, channels in enumerate((64, 128, 256, 512)):
        for block in range(2):
            name = f"layer{stage + 1}.{block}"
            stride = 2 if stage and not block else 1
            y = _conv_norm(graph, x, f"{name}.conv1", (before, channels), 3, stride)
            y = graph.add("Relu", y)
            y = _conv_norm(graph, y, f"{name}.conv2", (channels, channels), 3)
            if before != channels:
                x = _conv_norm(graph, x, f"{name}.downsample", (before, channels), 1, stride)
            x = graph.add("Relu", graph.add("Add", y, x))
            before = channels
    _classifier(graph, x, before)
    return graph.model({"input": (1, 3, 224, 224)}, "output", (1, 1000))


_INVERTED_RESIDUALS = (
    # expansion, channels, blocks, stride of the first
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)


def mobilenetv2() -> onnx.ModelProto:
    """Return torchvision's MobileNetV2 for one picture of 3x224x224: 3.5 million weights."""
    graph = _Graph("mobilenetv2")
    low = graph.constant("relu6.min", np.float32(0))
    high = graph.constant("relu6.max", np.float32(6))

    def relu6(x: str) -> str:
        return graph.add("Clip", x, low, high)

    x = relu6(_conv_norm(graph, "input", "features.0", (3, 32), 3, 2))
    before, index = 32, 1
    for expansion, channels, blocks, first_stride in _INVERTED_RESIDUALS:
        for block in range(blocks):
            name, stride, hidden = f"features.{index}", 1 if block else first_stride, before
            y = x
            if expansion != 1:
                hidden = before * expansion
                y = relu6(_conv_norm(graph, y, f"{name}.expand", (before, hidden), 1))
            y = _conv_norm(graph, y, f"{name}.depthwise", (hidden, hidden), 3, stride, hidden)
            y = _conv_norm(graph, relu6(y), f"{name}.project", (hidden, channels), 1)
            x = graph.add("Add", x, y) if stride == 1 and before == channels else y
            before, index = channels, index + 1
    x = relu6(_conv_norm(graph, x, f"features.{index}", (before, 1280), 1))
    _classifier(graph, x, 1280)
    return graph.model({"input": (1, 3, 224, 224)}, "output", (1, 1000))


_TOKENS, _WIDTH, _HEADS, _LAYERS, _HIDDEN = 128, 384, 12, 6, 1536


def _linear(graph: _Graph, x: str, name: str, source: int, target: int) -> str:
    weight = graph.normal(f"{name}.weight", (source, target), math.sqrt(1 / source))
    product = graph.add("MatMul", x, weight, name=f"{name}.matmul")
    bias = graph.uniform(f"{name}.bias", target, -0.1, 0.1)
    return graph.add("Add", bias, product, name=f"{name}.add")


def _layer_norm(graph: _Graph, x: str, name: str) -> str:
    mean = graph.add("ReduceMean", x, axes=[-1])
    centred = graph.add("Sub", x, mean)
    variance = graph.add("ReduceMean", graph.add("Pow", centred, "two"), axes=[-1])
    deviation = graph.add("Sqrt", graph.add("Add", variance, "epsilon"))
    scaled = graph.add("Mul", graph.add("Div", centred, deviation), _norm_weight(graph, name))
    return graph.add("Add", scaled, graph.uniform(f"{name}.bias", _WIDTH, -0.1, 0.1))


def _norm_weight(graph: _Graph, name: str) -> str:
    return graph.uniform(f"{name}.weight", _WIDTH, 0.8, 1.2)


def _gelu(graph: _Graph, x: str) -> str:
    """Append x / sqrt(2), Erf, + 1, * x, * 0.5."""
    error = graph.add("Erf", graph.add("Div", x, "sqrt_two"))
    return graph.add("Mul", graph.add("Mul", x, graph.add("Add", error, "one")), "half")


def _heads(graph: _Graph, x: str, name: str, order: Sequence[int]) -> str:
    """Append the projection ``name`` of the tokens, cut into heads, with its axes in ``order``."""
    projected = _linear(graph, x, name, _WIDTH, _WIDTH)
    cut = graph.add("Reshape", projected, "heads_shape")
    return graph.add("Transpose", cut, perm=list(order))


def _attention(graph: _Graph, x: str, mask: str, name: str) -> str:
    query = _heads(graph, x, f"{name}.query", (0, 2, 1, 3))
    key = _heads(graph, x, f"{name}.key", (0, 2, 3, 1))
    value = _heads(graph, x, f"{name}.value", (0, 2, 1, 3))
    scores = graph.add("Div", graph.add("MatMul", query, key), "sqrt_head")
    weights = graph.add("Softmax", graph.add("Add", scores, mask), axis=-1)
    mixed = graph.add("Transpose", graph.add("MatMul", weights, value), perm=[0, 2, 1, 3])
    joined = graph.add("Reshape", mixed, "tokens_shape")
    return _linear(graph, joined, f"{name}.output", _WIDTH, _WIDTH)


def minilm() -> onnx.ModelProto:
    """Return an encoder of the shape of MiniLM-L6: 128 embedded tokens of 384, 12 heads.

    Inputs are the embedded tokens, 1x128x384, and a float mask, 1x128: 1 for a token, 0 for none.
    """
    graph = _Graph("minilm")
    for name, number in (
        ("one", 1.0),
        ("two", 2.0),
        ("half", 0.5),
        ("sqrt_two", math.sqrt(2)),
        ("epsilon", 1e-12),
        ("sqrt_head", math.sqrt(_WIDTH // _HEADS)),
        ("far_below", -10000.0),
    ):
        graph.constant(name, np.float32(number))
    graph.constant("heads_shape", np.array([1, _TOKENS, _HEADS, _WIDTH // _HEADS], np.int64))
    graph.constant("tokens_shape", np.array([1, _TOKENS, _WIDTH], np.int64))
    graph.constant("mask_axes", np.array([1, 2], np.int64))
    mask = graph.add("Unsqueeze", "attention_mask", "mask_axes")
    mask = graph.add("Mul", graph.add("Sub", "one", mask), "far_below")
    x = "embeddings"
    for layer in range(_LAYERS):
        name = f"layer.{layer}"
        attended = _attention(graph, x, mask, f"{name}.attention")
        x = _layer_norm(graph, graph.add("Add", attended, x), f"{name}.attention.norm")
        inner = _gelu(graph, _linear(graph, x, f"{name}.inner", _WIDTH, _HIDDEN))
        outer = _linear(graph, inner, f"{name}.outer", _HIDDEN, _WIDTH)
        x = _layer_norm(graph, graph.add("Add", outer, x), f"{name}.norm")
    shapes = {"embeddings": (1, _TOKENS, _WIDTH), "attention_mask": (1, _TOKENS)}
    return graph.model(shapes, "last_hidden_state", shapes["embeddings"])


def filled(path: Path) -> onnx.ModelProto:
    """Return a network whose file has names and shapes of weights, with random numbers for them.

    Filters and matrices are normal, with a deviation that keeps activations finite; vectors are
    uniform in 0.5 to 1.5, as normalisations need. Weights that have data keep it.
    """
    model, random = onnx.load(path), np.random.default_rng(_SEED)
    for tensor in model.graph.initializer:
        shape = tuple(tensor.dims)
        if tensor.HasField("raw_data") or tensor.float_data or tensor.int64_data or 0 in shape:
            continue
        if len(shape) == 1:
            values = random.uniform(0.5, 1.5, shape)
        else:
            fan_in = math.prod(shape[1:]) if len(shape) > 2 else max(shape)
            values = random.standard_normal(shape) / math.sqrt(fan_in)
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float32), tensor.name))
    return model


MAKERS: dict[str, Callable[[], onnx.ModelProto]] = {
    maker.__name__: maker for maker in (resnet18, mobilenetv2, minilm)
}
"""What ``make`` in models.toml may name."""
