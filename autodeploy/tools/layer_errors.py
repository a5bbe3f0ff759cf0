"""The error that each layer of a quantised model adds by itself, measured in one program.

The program computes the network in floats, and next to each quantised convolution or product the
same layer of codes, from the same floats. Two sums of squares leave it for each: those of the
differences and of the floats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod

from onnx import ModelProto, NodeProto, TensorProto, helper

_KINDS = ("Conv", "MatMul", "Gemm")


@dataclass(frozen=True)
class Layer:
    """A quantised convolution or product; its error is relative, in the Euclidean norm."""

    name: str
    multiply_adds: int
    error: float = 0.0

    def with_error(self, error: float) -> Layer:
        """Return the layer with a measured error."""
        return replace(self, error=error)


def measured_model(floats: ModelProto, quantised: ModelProto) -> tuple[ModelProto, list[Layer]]:
    """Return a model with the two sums of each layer after the outputs, and the layers.

    Both models have the names of nodes in common; ``floats`` has all shapes.
    """
    made = ModelProto()
    made.CopyFrom(floats)
    graph, branches = made.graph, _Branches(quantised)
    known = {name for node in graph.node for name in node.output}
    known |= {info.name for info in (*graph.input, *graph.initializer)}
    shapes = _shapes(floats)
    layers: list[Layer] = []
    for node in floats.graph.node:
        branch = branches.of(node, known)
        if branch is None:
            continue
        result = f"{node.name}/codes"
        nodes = [*branch, *_squares(node.output[0], branch[-1].output[0], result)]
        graph.node.extend(nodes)
        graph.output.extend(
            helper.make_tensor_value_info(f"{result}/{part}", TensorProto.FLOAT, [])
            for part in ("error", "size")
        )
        layers.append(Layer(node.name, _multiply_adds(node, shapes)))
    graph.initializer.extend(branches.constants.values())
    return made, layers


class _Branches:
    """The layers of a quantised model, each with the ops that make and dequantise its codes."""

    def __init__(self, model: ModelProto):
        self._nodes = {node.name: node for node in model.graph.node if node.op_type in _KINDS}
        self._makers = {name: node for node in model.graph.node for name in node.output}
        self._stored = {tensor.name: tensor for tensor in model.graph.initializer}
        self.constants: dict[str, TensorProto] = {}

    def of(self, layer: NodeProto, known: set[str]) -> list[NodeProto] | None:
        """Return the nodes of a layer of codes, of other names; ``None`` if it has no codes."""
        node = self._nodes.get(layer.name)
        if node is None or node.op_type not in _KINDS:
            return None
        if not all(self._is_dequantised(name) for name in node.input[:2]):
            return None
        found: list[NodeProto] = []
        for name in node.input:
            if not self._collect(name, layer.name, known, found):
                return None
        found.append(self._renamed(node, layer.name))
        return found

    def _is_dequantised(self, name: str) -> bool:
        return name in self._makers and self._makers[name].op_type == "DequantizeLinear"

    def _collect(self, name: str, prefix: str, known: set[str], found: list[NodeProto]) -> bool:
        """Append the quantising nodes before a value; tell whether they begin at known values."""
        if name in self._stored:
            copy = TensorProto()
            copy.CopyFrom(self._stored[name])
            copy.name = f"codes/{name}"
            self.constants[name] = copy
            return True
        maker = self._makers.get(name)
        if maker is None or maker.op_type not in ("QuantizeLinear", "DequantizeLinear"):
            return not name or name in known
        if not all(self._collect(source, prefix, known, found) for source in maker.input):
            return False
        copy = self._renamed(maker, prefix)
        if all(copy.output[0] != other.output[0] for other in found):
            found.append(copy)
        return True

    def _renamed(self, node: NodeProto, prefix: str) -> NodeProto:
        copy = NodeProto()
        copy.CopyFrom(node)
        copy.name = ""
        copy.input[:] = [self._name(name, prefix) for name in node.input]
        copy.output[:] = [f"{prefix}/codes/{name}" for name in node.output]
        return copy

    def _name(self, name: str, prefix: str) -> str:
        if name in self._stored:
            return f"codes/{name}"
        maker = self._makers.get(name)
        is_codes = maker is not None and maker.op_type in ("QuantizeLinear", "DequantizeLinear")
        return f"{prefix}/codes/{name}" if is_codes else name


def _squares(right: str, found: str, result: str) -> list[NodeProto]:
    """Return the nodes that sum the squares of differences, and of the right numbers."""
    difference = f"{result}/difference"
    return [
        helper.make_node("Sub", [found, right], [difference]),
        helper.make_node("ReduceSumSquare", [difference], [f"{result}/error"], keepdims=0),
        helper.make_node("ReduceSumSquare", [right], [f"{result}/size"], keepdims=0),
    ]


def _shapes(model: ModelProto) -> Mapping[str, list[int]]:
    graph = model.graph
    shapes = {tensor.name: list(tensor.dims) for tensor in graph.initializer}
    for info in (*graph.input, *graph.value_info, *graph.output):
        shapes[info.name] = [dim.dim_value for dim in info.type.tensor_type.shape.dim]
    return shapes


def _multiply_adds(node: NodeProto, shapes: Mapping[str, list[int]]) -> int:
    """Return the multiply-adds of a layer; an extent that is not known counts as 1."""
    results = shapes.get(node.output[0], [1, 1])
    outputs = results[1 if node.op_type == "Conv" else -1]
    weights = shapes.get(node.input[1], [1])
    count, each = (prod(max(n, 1) for n in shape) for shape in (results, weights))
    return count * each // max(outputs, 1)
