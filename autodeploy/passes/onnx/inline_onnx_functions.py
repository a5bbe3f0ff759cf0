"""Operators that are defined by others, replaced by those.

ONNX gives many operators a body: a function of other operators, fixed or made for a node's types
and attributes. Operators that ONNX lacks have one in a text of their own. The body's nodes become
onnx ops of the opset that the body states, so they have the meaning of the operator for any
opset of the model. Values that the body computes of shapes alone are folded at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from onnx import AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, helper
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.dead_code_elimination import is_trivially_dead
from xdsl.utils.exceptions import VerifyException

from autodeploy.analysis.folding_budget import FoldingBudget
from autodeploy.diagnostics import ModelError
from autodeploy.dialects.nn.open_extent import EXTENT_ATTRIBUTE
from autodeploy.dialects.nn.stored import INTERFACE_NAMES
from autodeploy.dialects.onnx import OnnxOp, UnknownType, op_class
from autodeploy.dialects.onnx.texts import Node, RefusedError
from autodeploy.frontend.onnx.attributes import attribute_of
from autodeploy.frontend.onnx.file import OnnxFile, graphs_of, subgraphs_of
from autodeploy.frontend.onnx.importer import import_nodes
from autodeploy.frontend.onnx.nodes import part_location
from autodeploy.frontend.onnx.types import type_proto
from autodeploy.passes.onnx.fold_onnx_constants import infer_and_fold
from autodeploy.passes.onnx.infer_onnx_shapes import (
    element_of,
    is_ranked,
    nested_onnx_ops,
    opset_of,
    refine,
    set_type,
    update_function_types,
)
from autodeploy.passes.onnx.known_nodes import KnownNode


def function_body(ctx: Context, op: OnnxOp, opset: int) -> FunctionProto | None:
    """Return the body that ONNX or a text gives an operator, ``None`` if it has none.

    With several bodies that is the newest one of ``opset``, else the oldest. A body that is made
    for a node needs the types of its operands. Raises ``RefusedError`` if a text refuses the
    node."""
    if op.text is not None:
        return op.text.body(_asked(op))
    schema: Any = op.schema  # whose stub lacks the functions by opset
    if versions := schema.function_opset_versions:
        data = schema.get_function_with_opset_version(_nearest(versions, opset))
        return FunctionProto.FromString(data)
    versions = schema.context_dependent_function_opset_versions
    node = KnownNode.of(ctx, op) if versions else None
    if node is None:
        return None
    types: list[bytes] = []
    for operand in op.inputs_by_position():
        type_ = None if operand is None else type_proto(operand.type)
        if operand is not None and type_ is None:
            return None
        types.append(b"" if type_ is None else type_.SerializeToString())
    try:
        data = schema.get_context_dependent_function_with_opset_version(
            _nearest(versions, opset), node.proto.SerializeToString(), types
        )
    except RuntimeError:  # the body's maker does not accept the node
        return None
    return FunctionProto.FromString(data) if data else None


def inline_op(
    ctx: Context, op: OnnxOp, opsets: dict[str, int], keep: Sequence[str], budget: FoldingBudget
) -> bool:
    """Replace an op, and the ops of its body, by bodies; return whether the op was replaced.

    An op whose name is in ``keep`` stays unless a text is its body, as does an op whose body cannot
    be expressed: the op has subgraphs, or the body needs an input that is left out.
    """
    name = f"{op.domain}.{op.op_type}" if op.domain else op.op_type
    is_kept = name in keep and (op.text is None or not op.text.has_body)
    if is_kept or op.regions:
        return False
    try:
        made = _made(ctx, op, opsets)
    except RefusedError:  # why_refused says so once more, where that matters
        return False
    if made is None:
        return False
    ops, outputs = made
    Rewriter.insert_op(ops, InsertPoint.before(op))
    Rewriter.replace_op(op, [], outputs)
    for inner in ops:
        for part in (p for region in inner.regions for p in nested_onnx_ops(region.block)):
            inline_op(ctx, part, opsets, keep, budget)
        if isinstance(inner, OnnxOp) and not infer_and_fold(ctx, inner, opsets, budget):
            inline_op(ctx, inner, opsets, keep, budget)
    for inner in reversed(ops):
        if inner.parent is not None and is_trivially_dead(inner):
            Rewriter.erase_op(inner)
    return True


def why_refused(ctx: Context, op: OnnxOp) -> str | None:
    """Return why the text that defines an op refuses it; ``None`` if there is no such text."""
    if op.text is None:
        return None
    try:
        made = _made(ctx, op, opset_of(op))
    except RefusedError as error:
        return str(error)
    for unused in reversed(made[0] if made else []):
        unused.erase()
    return None


def _made(
    ctx: Context, op: OnnxOp, opsets: dict[str, int]
) -> tuple[Sequence[Operation], list[SSAValue]] | None:
    """Return the ops of an op's body, in no block, and the values of its results.

    ``None`` if the op has no body; raises ``RefusedError`` if it cannot be expressed.
    """
    body = function_body(ctx, op, opsets.get(op.domain, op.version))
    if body is None:
        return None
    has_subgraphs = any(True for node in body.node for _ in subgraphs_of(node))
    return _imported_ops(ctx, op, body) if has_subgraphs else _body_ops(ctx, op, body)


def _asked(op: OnnxOp) -> Node:
    """Return what the conditions of a text may ask of an op."""
    given = {
        parameter.name: value
        for parameters, values in (
            (op.output_parameters, op.outputs_by_position()),
            (op.input_parameters, op.inputs_by_position()),
        )
        for parameter, value in zip(parameters, values, strict=False)
        if value is not None
    }

    def rank(name: str) -> int:
        if (value := given.get(name)) is None:
            raise RefusedError(f"input '{name}' is left out")
        if not is_ranked(value.type):
            raise RefusedError(f"the number of axes of input '{name}' is not known")
        return value.type.get_num_dims()

    def element(name: str) -> str:
        found = None if name not in given else element_of(given[name].type)
        if found not in INTERFACE_NAMES:
            raise RefusedError(f"the element type of input '{name}' is not known")
        return INTERFACE_NAMES[found]

    settings = {name: op.setting(name) for name in op.schema.attributes}
    return Node(settings, frozenset(given), rank, element)


def _nearest(versions: Sequence[int], opset: int) -> int:
    return max((version for version in versions if version <= opset), default=min(versions))


def _body_ops(
    ctx: Context, op: OnnxOp, body: FunctionProto
) -> tuple[Sequence[Operation], list[SSAValue]]:
    """Return the ops of a body for an op's operands, and the values of its results.

    The ops are in no block yet. Raises ``RefusedError`` if one of them cannot be made.
    """
    imports = {opset.domain: opset.version for opset in body.opset_import}
    settings = _settings(ctx, op, body)
    results = op.outputs_by_position()
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
        try:
            made = _node_op(ctx, node, imports, settings, values, types)
        except RefusedError:
            for unused in reversed(ops):
                unused.erase()
            raise
        made.location = location
        ops.append(made)
        values.update(zip(node.output, made.outputs_by_position(), strict=False))
    outputs = {name: values.get(name) for name in types}
    known = [output for output in outputs.values() if output is not None]
    if len(known) < len(op.results):
        for unused in reversed(ops):
            unused.erase()
        absent = [repr(name) for name, value in outputs.items() if value is None]
        raise RefusedError(f"output {', '.join(absent)} is not supported")
    return ops, known


def _imported_ops(
    ctx: Context, op: OnnxOp, body: FunctionProto
) -> tuple[list[Operation], list[SSAValue]]:
    """Return the ops of a body with subgraphs for an op's operands, and the values of its results.

    The ops are in no block yet. Raises ``RefusedError`` if the body does not fit the operands.
    """
    settings = _settings(ctx, op, body)
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
    except ModelError as error:
        raise RefusedError(str(error)) from None
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


def _settings(ctx: Context, op: OnnxOp, body: FunctionProto) -> dict[str, AttributeProto]:
    """Return the attributes that a body may refer to: the op's own, else their defaults.

    Raises ``RefusedError`` if ONNX has no form for one, or the body lacks an output of the op.
    """
    known = KnownNode.of(ctx, op)
    if known is None:
        raise RefusedError("an attribute has no value of a known kind")
    node = known.proto
    if len(node.output) > len(body.output):
        raise RefusedError(f"{len(node.output)} outputs are not supported")
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
) -> OnnxOp:
    """Return the op for a node of a body, without attributes that refer to absent ones.

    Raises ``RefusedError`` if there is none.
    """
    kind = op_class(node.op_type, imports.get(node.domain, 0), node.domain, ctx)
    if kind is None:
        raise RefusedError(f"its body has {node.op_type}, which is not known")
    properties: dict[str, Attribute] = {}
    for attribute in node.attribute:
        reference = attribute.ref_attr_name
        proto = settings.get(reference) if reference else attribute
        if proto is None:
            continue
        value = attribute_of(ctx, OnnxFile(ModelProto(), None, [], ""), proto)
        if value is None:
            raise RefusedError(f"its body has {node.op_type} with a subgraph")
        properties[attribute.name] = value
    try:
        return kind.from_positions(
            [values.get(name) for name in node.input],
            [types.get(name, UnknownType()) if name else None for name in node.output],
            properties,
        )
    except VerifyException as error:  # an input that the body needs is left out
        raise RefusedError(f"its body is not possible: {error}") from None


@dataclass(frozen=True)
class InlineOnnxFunctionsPass(ModulePass):
    """Replace onnx ops that ONNX defines by other operators with those."""

    name = "inline-onnx-functions"

    keep: tuple[str, ...] = ()
    """Operators that stay, such as ``Relu``; those outside ai.onnx with their domain before.

    An operator whose body is a text does not stay: of that name, ONNX's own is kept.
    """

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Inline until no op is left that has a body and is not kept."""
        opsets = opset_of(op)
        budget = FoldingBudget.of(ctx, is_open=EXTENT_ATTRIBUTE in op.attributes)
        for inner in nested_onnx_ops(op.body.block):
            inline_op(ctx, inner, opsets, self.keep, budget)
        update_function_types(op)
