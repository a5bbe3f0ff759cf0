"""Whether inference may follow the numbers in a model's tensors, from which shapes are computed.

ONNX's inference takes each tensor of one axis for a shape as soon as an operator that computes
shapes reads it, and keeps 144 bytes for each of its elements. If such a tensor may be very long,
inference follows no values, and shapes that depend on numbers are left to constant folding.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from onnx import GraphProto, ModelProto, NodeProto, defs

from autodeploy.dialects.onnx.families import POINTWISE, RENUMBERINGS
from autodeploy.frontend.onnx.file import graphs_of
from autodeploy.frontend.onnx.types import extent_of

MAX_SHAPE_ELEMENTS = 1 << 16
"""A tensor of one axis with more elements is no shape, nor anything that one is computed from."""

_REARRANGING = RENUMBERINGS | {"Slice"}
"""Operators whose result has at most as many elements as their first operand."""


def may_follow_numbers(model: ModelProto) -> bool:
    """Return whether no tensor can be too long of those that would be taken for shapes.

    ``model`` has the types that are known without following numbers. A tensor whose extents depend
    on numbers counts as the largest that it may be.
    """
    extents: dict[str, list[int]] = {}
    most: dict[str, float] = {}
    graphs = tuple(graphs_of(model.graph))
    for graph in graphs:
        extents.update(_known_extents(graph))
    for name, dims in extents.items():
        if min(dims, default=0) >= 0:
            most[name] = math.prod(dims)
            if len(dims) == 1 and dims[0] > MAX_SHAPE_ELEMENTS:
                return False

    def may_be_long(name: str) -> bool:
        is_vector = name not in extents or len(extents[name]) == 1
        return bool(name) and is_vector and most.get(name, math.inf) > MAX_SHAPE_ELEMENTS

    for graph in graphs:
        for node in graph.node:
            for output in node.output:
                most.setdefault(output, _most_elements(node, most, extents))
            if _is_followed(node) and any(map(may_be_long, (*node.input, *node.output))):
                return False
    return True


def _known_extents(graph: GraphProto) -> dict[str, list[int]]:
    """Return the extents, negative where open, of a graph's own tensors of known rank."""
    found = {
        info.name: [extent_of(dim) for dim in info.type.tensor_type.shape.dim]
        for info in (*graph.input, *graph.output, *graph.value_info)
        if info.type.tensor_type.HasField("shape")
    }
    return {**found, **{tensor.name: list(tensor.dims) for tensor in graph.initializer}}


def _is_followed(node: NodeProto) -> bool:
    """Return whether inference follows the numbers that a node computes."""
    if not defs.has(node.op_type, node.domain):
        return False
    return defs.get_schema(node.op_type, node.domain).has_data_propagation_function


def _most_elements(
    node: NodeProto, most: Mapping[str, float], extents: Mapping[str, Sequence[int]]
) -> float:
    """Return how many elements an output of a node has at most, where its type leaves that open."""
    operands = [most.get(name, math.inf) for name in node.input]
    if node.domain or not operands:
        return math.inf
    if node.op_type in _REARRANGING:
        return operands[0]
    if node.op_type in POINTWISE:
        are_vectors = all(len(extents.get(name, (0, 0))) < 2 for name in node.input)
        return max(operands) if are_vectors else math.prod(operands)
    if node.op_type == "Concat":
        return sum(operands)
    if node.op_type == "Gather":
        return math.prod(operands)
    return math.inf
