"""Nodes in an order in which each reads only values that are there.

ONNX asks for such an order. Files that graph tools have edited may lack it, and onnxruntime sorts
their nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

from google.protobuf.internal.containers import RepeatedCompositeFieldContainer
from onnx import GraphProto, ModelProto, NodeProto

from autodeploy.diagnostics import ModelError
from autodeploy.frontend.onnx.file import graphs_of, subgraphs_of


def sort_nodes(model: ModelProto) -> None:
    """Sort the nodes of all graphs and functions of a model that are not in order.

    Raises ``ModelError`` if nodes need each other's results.
    """
    for graph in graphs_of(model.graph):
        _sort(graph.node)
    for function in model.functions:
        _sort(function.node)
        for node in function.node:
            for inner in subgraphs_of(node):
                for graph in graphs_of(inner):
                    _sort(graph.node)


def _sort(nodes: RepeatedCompositeFieldContainer[NodeProto]) -> None:
    makers = {name: i for i, node in enumerate(nodes) for name in node.output if name}
    needs = [{makers[name] for name in _reads(node) if name in makers} for node in nodes]
    if all(max(own, default=-1) < i for i, own in enumerate(needs)):
        return
    try:
        order = list(TopologicalSorter(dict(enumerate(needs))).static_order())
    except CycleError as error:
        circle: Sequence[int] = error.args[1]
        told = " -> ".join(f"'{nodes[i].name}' ({nodes[i].op_type})" for i in circle)
        raise ModelError(f"nodes of the model need each other's results: {told}") from None
    ordered = [nodes[i] for i in order]
    del nodes[:]
    nodes.extend(ordered)


def _reads(node: NodeProto) -> set[str]:
    """Return the values that a node reads, in its subgraphs those of the graphs around it."""
    names = set(node.input)
    for graph in subgraphs_of(node):
        names |= _outer(graph)
    return names - {""}


def _outer(graph: GraphProto) -> set[str]:
    """Return the values of the graphs around a subgraph that it reads."""
    own = {value.name for values in (graph.input, graph.initializer) for value in values}
    own |= {sparse.values.name for sparse in graph.sparse_initializer}
    own |= {name for node in graph.node for name in node.output}
    read = {value.name for value in graph.output}
    for node in graph.node:
        read |= _reads(node)
    return read - own
