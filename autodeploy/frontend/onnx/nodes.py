"""ONNX nodes: those of ops of the onnx dialect, and those of a graph in the order of reading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from graphlib import CycleError, TopologicalSorter

from google.protobuf.internal.containers import RepeatedCompositeFieldContainer
from onnx import GraphProto, ModelProto, NodeProto
from xdsl.context import Context
from xdsl.dialects.builtin import LocationAttr, NameLoc, NoneAttr, StringAttr
from xdsl.ir import Operation, SSAValue

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.dialects.onnx.op import enum_name
from autodeploy.frontend.onnx.attributes import attribute_proto
from autodeploy.frontend.onnx.file import graphs_of, subgraphs_of


def node_proto(ctx: Context, op: OnnxOp, name_of: Callable[[SSAValue], str]) -> NodeProto | None:
    """Return an op as an ONNX node, its inputs and outputs by the names that ``name_of`` gives.

    An input or output that is left out has an empty name. ``None`` for an op with subgraphs, and
    for one with a property that ONNX has no form for.
    """
    if op.regions:
        return None
    node = NodeProto(op_type=op.op_type, domain=op.domain or None, name=location_name(op) or None)
    for values, names in (
        (op.inputs_by_position(), node.input),
        (op.outputs_by_position(), node.output),
    ):
        names.extend("" if value is None else name_of(value) for value in values)
    schema = op.schema.attributes
    for name, value in op.properties.items():
        if name not in schema:  # the segment sizes
            continue
        attribute = attribute_proto(ctx, name, enum_name(schema[name].type), value)
        if attribute is None:
            return None
        node.attribute.append(attribute)
    return node


def location_name(op: Operation) -> str:
    """Return the name of the ONNX node that an op comes from; empty where it has none."""
    location = op.location
    return location.desc.data if isinstance(location, NameLoc) else ""


def operator_name(op: OnnxOp) -> str:
    """Return an operator with the opset that its version came with, ``com.example.Fold-1``."""
    return f"{op.domain}.{op.op_type}-{op.version}" if op.domain else f"{op.op_type}-{op.version}"


def part_location(op: OnnxOp) -> LocationAttr:
    """Return the location of the ops that an operator consists of: its node, and the operator.

    A part of a part is one of the whole. A node without a name stays without one.
    """
    if function_name(op) or not location_name(op):
        return op.location
    whole = NameLoc(StringAttr(operator_name(op)), NoneAttr())
    return NameLoc(StringAttr(location_name(op)), whole)


def function_name(op: Operation) -> str:
    """Return the operator of the model that an op is a part of; empty where it is none."""
    location = op.location
    whole = location.location if isinstance(location, NameLoc) else None
    return whole.desc.data if isinstance(whole, NameLoc) else ""


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
