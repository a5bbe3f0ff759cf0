"""Calls of functions that a model brings itself, replaced by the nodes of these functions.

A function stands for an operator that ONNX does not know. Attributes that a call leaves out have
the function's defaults, and without one the node that refers to such an attribute lacks it, so that
a default of a nested function counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from onnx import AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, helper

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.onnx import op_class
from autodeploy.frontend.onnx.file import graphs_of, subgraphs_of

MOST_NODES = 100_000
"""Nodes that a model may become; functions that call others twice double them at each depth."""

MOST_NESTED = 100
"""Calls and subgraphs that may be within each other."""

_Key: TypeAlias = tuple[str, str, str]
"""Domain, name and overload of a function."""


def inline_local_functions(model: ModelProto) -> None:
    """Replace the calls in a model's graph, and forget its functions.

    The model has passed ONNX's checker: functions do not call themselves, and their operators mean
    the same in the model's opsets. Raises ``ModelError`` if calls are nested too deep or become
    too many nodes, or if a call has more inputs or outputs than its function.
    """
    if not model.functions:
        return
    opsets = {entry.domain: entry.version for entry in model.opset_import}
    functions = {
        (function.domain, function.name, function.overload): function
        for function in model.functions
        if not _is_of_onnx(function, opsets)
    }
    used = dict.fromkeys((name for graph in graphs_of(model.graph) for name in _names(graph)), 0)
    inliner = _Inliner(functions, opsets, used)
    inliner.expand(model.graph)
    del model.functions[:], model.opset_import[:]
    model.opset_import.extend(helper.make_opsetid(*entry) for entry in opsets.items())


def _is_of_onnx(function: FunctionProto, opsets: Mapping[str, int]) -> bool:
    """Return whether ONNX has the operator of a function; the model's own overrides a text."""
    known = op_class(function.name, opsets.get(function.domain, 0), function.domain)
    return known is not None and known.text is None


def _names(graph: GraphProto) -> Iterator[str]:
    for values in (graph.input, graph.output, graph.initializer):
        yield from (value.name for value in values)
    for node in graph.node:
        yield from (*node.input, *node.output)


@dataclass
class _Inliner:
    """One model: its functions, its opsets, and the names of its values."""

    functions: Mapping[_Key, FunctionProto]
    opsets: dict[str, int]
    used: dict[str, int]
    """Names of values, and how often a value of a function was named after each."""
    count: int = 0
    nested: int = 0

    def expand(self, graph: GraphProto) -> None:
        """Replace the calls among the nodes of a graph and of its subgraphs."""
        nodes = list(self.nodes(graph.node))
        del graph.node[:]
        graph.node.extend(nodes)

    def nodes(self, nodes: Iterable[NodeProto]) -> Iterator[NodeProto]:
        """Yield nodes, and in place of a call the nodes of its function."""
        self.nested += 1
        if self.nested > MOST_NESTED:
            raise ModelError(f"calls of the model's functions are over {MOST_NESTED} deep")
        for node in nodes:
            key = (node.domain, node.op_type, node.overload)
            if key in self.functions:
                yield from self.body(node, key)
                continue
            self.count += 1
            if self.count > MOST_NODES:
                raise ModelError(f"calls of the model's functions are over {MOST_NODES} nodes")
            for graph in subgraphs_of(node):
                self.expand(graph)
            yield node
        self.nested -= 1

    def body(self, call: NodeProto, key: _Key) -> Iterator[NodeProto]:
        """Yield the nodes of a function for a call."""
        label = f"node '{call.name}' ({call.op_type})"
        function = FunctionProto()
        function.CopyFrom(self.functions[key])
        for kind, has, takes in (
            ("inputs", call.input, function.input),
            ("outputs", call.output, function.output),
        ):
            if len(has) > len(takes):
                raise ModelError(f"{label} has {len(has)} {kind}, its function {len(takes)}")
        for entry in function.opset_import:  # ONNX's checker has compared those of both
            self.opsets.setdefault(entry.domain, entry.version)
        results = dict(zip(function.output, call.output, strict=False))
        operands = {
            **dict.fromkeys(function.input, ""),
            **dict(zip(function.input, call.input, strict=False)),
        }
        names = {"": "", **{name: result for name, result in results.items() if result}, **operands}
        given = {setting.name: setting for setting in (*function.attribute_proto, *call.attribute)}
        for node in function.node:
            self.rename(node, names)
            _bind(node, given)
        yield from self.nodes(function.node)
        for name, result in results.items():
            if name in operands and result:
                yield helper.make_node("Identity", [operands[name]], [result])

    def rename(self, node: NodeProto, names: dict[str, str]) -> None:
        """Give the values of a node the names that they have in the model's graph."""

        def name(local: str) -> str:
            if local not in names:
                names[local] = self.fresh(local)
            return names[local]

        for values in (node.input, node.output):
            values[:] = list(map(name, values))
        for graph in subgraphs_of(node):
            for info in (*graph.input, *graph.output, *graph.value_info, *graph.initializer):
                info.name = name(info.name)
            for sparse in graph.sparse_initializer:
                sparse.values.name = name(sparse.values.name)
            for inner in graph.node:
                self.rename(inner, names)

    def fresh(self, name: str) -> str:
        """Return a name that no value has, after that of a value in a function."""
        made = name
        while made in self.used:
            self.used[name] += 1
            made = f"{name}_{self.used[name]}"
        self.used[made] = 0
        return made


def _bind(node: NodeProto, given: Mapping[str, AttributeProto]) -> None:
    """Replace the attributes of a node that refer to those of its function."""
    for graph in subgraphs_of(node):
        for inner in graph.node:
            _bind(inner, given)
    bound: list[AttributeProto] = []
    for attribute in node.attribute:
        value = given.get(attribute.ref_attr_name) if attribute.ref_attr_name else attribute
        if value is not None:
            bound.append(AttributeProto())
            bound[-1].CopyFrom(value)
            bound[-1].name = attribute.name
    del node.attribute[:]
    node.attribute.extend(bound)
