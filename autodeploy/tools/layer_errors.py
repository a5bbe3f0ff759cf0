"""The error that each layer of a quantised model adds by itself, measured in one program.

The program computes the network in floats, and next to each quantised convolution or product the
same layer of codes, from the same floats. Two sums of squares leave it for each: those of the
differences and of the floats.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from onnx import ModelProto, NodeProto, TensorProto, helper

_CODES = ("QuantizeLinear", "DequantizeLinear")
_LAYERS = ("Conv", "MatMul", "Gemm")


def measured_model(floats: ModelProto, quantised: ModelProto) -> tuple[ModelProto, dict[str, int]]:
    """Return a model with the two sums of each layer after the outputs.

    The layers come with their multiply-adds. Both models have the names of nodes and values in
    common; ``floats`` has all shapes.
    """
    made = ModelProto()
    made.CopyFrom(floats)
    graph, shapes = made.graph, _shapes(floats)
    sources = {node.name: node for node in floats.graph.node if node.op_type in _LAYERS}
    renamed = {tensor.name: f"codes/{tensor.name}" for tensor in quantised.graph.initializer}
    for tensor in quantised.graph.initializer:
        graph.initializer.add().CopyFrom(tensor)
        graph.initializer[-1].name = renamed[tensor.name]
    known = {name for node in graph.node for name in node.output}
    known |= {"", *(info.name for info in graph.input)}
    makers = {name: node.op_type for node in quantised.graph.node for name in node.output}
    layers: dict[str, int] = {}
    for node in quantised.graph.node:
        is_layer = node.name in sources and {makers.get(n) for n in node.input[:2]} == {_CODES[1]}
        reads = [renamed.get(name, name) for name in node.input]
        if not (is_layer or node.op_type in _CODES) or not known.issuperset(
            name for name in reads if not name.startswith("codes/")
        ):
            continue
        copy = graph.node.add()
        copy.CopyFrom(node)
        copy.name = copy.output[0] = f"codes/{node.output[0]}"
        copy.input[:] = reads
        if is_layer:
            layers[node.name] = _multiply_adds(sources[node.name], shapes)
            _add_squares(made, sources[node.name].output[0], copy.output[0])
        else:  # another layer reads the floats of this one
            renamed[node.output[0]] = copy.output[0]
    return made, layers


def _add_squares(model: ModelProto, right: str, found: str) -> None:
    """Add the sum of the squares of differences, and that of the right numbers, as outputs."""
    difference, error, size = (f"{found}/{part}" for part in ("difference", "error", "size"))
    model.graph.node.extend(
        [
            helper.make_node("Sub", [found, right], [difference]),
            helper.make_node("ReduceSumSquare", [difference], [error], keepdims=0),
            helper.make_node("ReduceSumSquare", [right], [size], keepdims=0),
        ]
    )
    for name in (error, size):
        model.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, []))


def _shapes(model: ModelProto) -> Mapping[str, list[int]]:
    shapes = {tensor.name: list(tensor.dims) for tensor in model.graph.initializer}
    for info in (*model.graph.input, *model.graph.value_info, *model.graph.output):
        shapes[info.name] = [max(dim.dim_value, 1) for dim in info.type.tensor_type.shape.dim]
    return shapes


def _multiply_adds(layer: NodeProto, shapes: Mapping[str, list[int]]) -> int:
    result, weights = shapes.get(layer.output[0], [1, 1]), shapes.get(layer.input[1], [1])
    return prod(result) * prod(weights) // result[1 if layer.op_type == "Conv" else -1]
