"""Operators that ONNX defines by others, replaced by those.

ONNX gives many operators a body: a function of other operators, fixed or made for a node's types
and attributes. The body's nodes become onnx ops of the opset that the body states, so they mean
what the operator meant, whatever the model's own opset is. What the body computes of shapes alone
is folded at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from onnx import (
    AttributeProto,
    FunctionProto,
    GraphProto,
    ModelProto,
    NodeProto,
    helper,
)
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.dead_code_elimination import is_trivially_dead
from xdsl.utils.exceptions import VerifyException

from autodeploy.analysis.folding_budget import FoldingBudget
from autodeploy.diagnostics import ModelError
from autodeploy.dialects.onnx import OnnxOp, UnknownType, op_class
from autodeploy.frontend.onnx.attributes import attribute_of
from autodeploy.frontend.onnx.file import OnnxFile, graphs_of, subgraphs_of
from autodeploy.frontend.onnx.importer import import_nodes
from autodeploy.frontend.onnx.nodes import node_proto, part_location, type_proto
from autodeploy.passes.onnx.fold_onnx_constants import infer_and_fold
from autodeploy.passes.onnx.infer_onnx_shapes import (
    ValueNames,
    nested_onnx_ops,
    opset_of,
    refine,
    set_type,
    update_function_types,
)
from autodeploy.passes.onnx.kept_extents import KeptExtents


def function_body(ctx: Context, op: OnnxOp, opset: int) -> FunctionProto | None:
    """Return the body that ONNX gives an operator, ``None`` where it has none.

    Of several bodies that is the newest one of ``opset``, else the oldest. A body that is made for
    a node needs the types of its operands.
    """
    schema: Any = op.schema  # whose stub lacks the functions by opset
    if versions := schema.function_opset_versions:
        data = schema.get_function_with_opset_version(_nearest(versions, opset))
        return FunctionProto.FromString(data)
    versions = schema.context_dependent_function_opset_versions
    node = node_proto(ctx, op, ValueNames())
    if not versions or node is None:
        return None
    types: list[bytes] = []
    for operand in op.inputs_by_position():
        type_ = None if operand is None else type_proto(operand.type)
        if operand is not None and type_ is None:
            return None
        types.append(b"" if type_ is None else type_.SerializeToString())
    try:
        data = schema.get_context_dependent_function_with_opset_version(
            _nearest(versions, opset), node.SerializeToString(), types
        )
    except RuntimeError:  # the body's maker does not accept the node
        return None
    return FunctionProto.FromString(data) if data else None


def inline_op(
    ctx: Context,
    op: OnnxOp,
    opsets: dict[str, int],
    keep: Sequence[str],
    budget: FoldingBudget,
    kept: KeptExtents | None = None,
) -> bool:
    """Replace an op, and what its body brings, by bodies; tell whether the op was replaced.

    An op whose name stands in ``keep`` stays, as does one whose body cannot be expressed: the op
    has subgraphs, or the body needs an input that is left out.
    """
    name = f"{op.domain}.{op.op_type}" if op.domain else op.op_type
    if name in keep or op.regions:
        return False
    body = function_body(ctx, op, opsets.get(op.domain, op.version))
    if body is None:
        return False
    has_subgraphs = any(True for node in body.node for _ in subgraphs_of(node))
    made = _imported_ops(ctx, op, body) if has_subgraphs else _body_ops(ctx, op, body)
    if made is None:
        return False
    ops, outputs = made
    Rewriter.insert_op(ops, InsertPoint.before(op))
    Rewriter.replace_op(op, [], outputs)
    for inner in ops:
        if isinstance(inner, OnnxOp) and not infer_and_fold(ctx, inner, opsets, budget, kept):
            inline_op(ctx, inner, opsets, keep, budget, kept)
    for inner in reversed(ops):
        if inner.parent is not None and is_trivially_dead(inner):
            Rewriter.erase_op(inner)
    return True


def _nearest(versions: Sequence[int], opset: int) -> int:
    return max((version for version in versions if version <= opset), default=min(versions))


def _body_ops(
    ctx: Context, op: OnnxOp, body: FunctionProto
) -> tuple[Sequence[Operation], list[SSAValue]] | None:
    """Return the ops of a body for an op's operands, and the values of its results.

    The ops are in no block yet. ``None`` where one of them cannot be made.
    """
    imports = {opset.domain: opset.version for opset in body.opset_import}
    settings = _settings(ctx, op, body)
    results = op.outputs_by_position()
    if settings is None or len(results) > len(body.output):
        return None
    values: dict[str, SSAValue | None] = {"": None, **dict.fromkeys(body.input)}
    values.update(zip(body.input, op.inputs_by_position(), strict=False))
    types = {
        name: result.type
        for name, result in zip(body.output, results, strict=False)
        if result is not None
    }
    ops: list[OnnxOp] = []
    location = part_location(op)
    for node in body.node:
        made = _node_op(ctx, node, imports, settings, values, types)
        if made is None:
            for unused in reversed(ops):
                unused.erase()
            return None
        made.location = location
        ops.append(made)
        values.update(zip(node.output, made.outputs_by_position(), strict=False))
    outputs = [values.get(name) for name in types]
    known = [output for output in outputs if output is not None]
    return (ops, known) if len(known) == len(op.results) else None


def _imported_ops(
    ctx: Context, op: OnnxOp, body: FunctionProto
) -> tuple[list[Operation], list[SSAValue]] | None:
    """Return the ops of a body with subgraphs for an op's operands, and the values of its results.

    The ops are in no block yet. ``None`` where the body does not fit the operands.
    """
    settings = _settings(ctx, op, body)
    if settings is None or len(op.outputs_by_position()) > len(body.output):
        return None
    graph = GraphProto(name=op.op_type, node=body.node)
    values: dict[str, SSAValue] = {}
    for name, operand in zip(body.input, op.inputs_by_position(), strict=False):
        if operand is not None:
            values[name] = operand
            graph.input.add(name=name, type=type_proto(operand.type))
    for name, result in zip(body.output, op.outputs_by_position(), strict=False):
        if result is not None:
            graph.output.add(name=name)
    for node in (node for inner in graphs_of(graph) for node in inner.node):
        for attribute in [a for a in node.attribute if a.ref_attr_name]:
            name, found = attribute.name, settings.get(attribute.ref_attr_name)
            node.attribute.remove(attribute)
            if found is not None:
                node.attribute.add().CopyFrom(found)
                node.attribute[-1].name = name
    model = helper.make_model(graph, opset_imports=body.opset_import)
    try:
        block, outputs = import_nodes(ctx, model, values)
    except ModelError:
        return None
    ops = list(block.ops)
    for inner in ops:
        inner.detach()
        for part in inner.walk():
            part.location = part_location(op)
    for number, (value, result) in enumerate(zip(outputs, op.results, strict=True)):
        if isinstance(value, OpResult):
            place = value.index
            set_type(value, refine(result.type, value.type))
            outputs[number] = value.op.results[place]
    return ops, outputs


def _settings(ctx: Context, op: OnnxOp, body: FunctionProto) -> dict[str, AttributeProto] | None:
    """Return the attributes that a body may refer to: the op's own, else their defaults."""
    node = node_proto(ctx, op, ValueNames())
    if node is None:
        return None
    declared = op.schema.attributes.values()
    defaults = [attribute.default_value for attribute in declared]
    given = (*defaults, *body.attribute_proto, *node.attribute)
    return {attribute.name: attribute for attribute in given if attribute.type}


def _node_op(
    ctx: Context,
    node: NodeProto,
    imports: Mapping[str, int],
    settings: Mapping[str, AttributeProto],
    values: Mapping[str, SSAValue | None],
    types: Mapping[str, Attribute],
) -> OnnxOp | None:
    """Return the op for a node of a body, without attributes that refer to absent ones."""
    kind = op_class(node.op_type, imports.get(node.domain, 0), node.domain)
    if kind is None:
        return None
    properties: dict[str, Attribute] = {}
    for attribute in node.attribute:
        reference = attribute.ref_attr_name
        proto = settings.get(reference) if reference else attribute
        if proto is None:
            continue
        value = attribute_of(ctx, OnnxFile(ModelProto(), None, [], ""), proto)
        if value is None:
            return None
        properties[attribute.name] = value
    try:
        return kind.from_positions(
            [values.get(name) for name in node.input],
            [types.get(name, UnknownType()) if name else None for name in node.output],
            properties,
        )
    except VerifyException:  # an input that the body needs is left out
        return None


@dataclass(frozen=True)
class InlineOnnxFunctionsPass(ModulePass):
    """Replace onnx ops that ONNX defines by other operators with those."""

    name = "inline-onnx-functions"

    keep: tuple[str, ...] = ()
    """Operators that stay, such as ``Relu``; those outside ai.onnx with their domain before."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Inline until no op is left that has a body and is not kept."""
        opsets, budget = opset_of(op), FoldingBudget.of(ctx)
        kept = KeptExtents.of(ctx, op)
        for inner in nested_onnx_ops(op.body.block):
            inline_op(ctx, inner, opsets, self.keep, budget, kept)
        if kept is not None:
            kept.return_from(op)
        update_function_types(op)
