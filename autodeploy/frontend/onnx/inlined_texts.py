"""Operators of a user's texts, replaced in a model file for implementations that lack them."""

from __future__ import annotations

from collections.abc import Iterable

from onnx import (
    AttributeProto,
    ModelProto,
    NodeProto,
    OperatorSetIdProto,
    TypeProto,
    helper,
    shape_inference,
    version_converter,
)
from xdsl.context import Context

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.onnx import op_class
from autodeploy.dialects.onnx.texts import Node, OperatorText, RefusedError, given_texts
from autodeploy.frontend.onnx.file import nodes_within
from autodeploy.frontend.onnx.foreign_operators import import_domains
from autodeploy.frontend.onnx.local_functions import inline_local_functions


def inline_texts(ctx: Context, model: ModelProto) -> None:
    """Replace nodes whose operators the texts given to a context define by those of the bodies.

    The model gets the newest opset of these. Raises ``ModelError`` if an operator of a body has
    changed until the model's opset, and where a text refuses a node.
    """
    inline_local_functions(model)
    import_domains(ctx, model)
    while found := [(n, t) for n in nodes_within(model.graph.node) if (t := _text(ctx, model, n))]:
        newest = max(_opset(text.function.opset_import) for _, text in found)
        opset = _opset(model.opset_import)
        if newest > opset:
            model.CopyFrom(version_converter.convert_version(model, newest))
            continue
        types, refused = _types(model), ""
        for number, (node, text) in enumerate(found):
            label = f"node '{node.name}' ({node.op_type})"
            try:
                function = text.body(_asked(node, text, types))
            except RefusedError as error:  # ranks may be known once others are replaced
                refused = f"{label}: {error}"
                continue
            own = _opset(function.opset_import)
            for name in sorted({inner.op_type for inner in function.node if not inner.domain}):
                if op_class(name, own) != op_class(name, opset):
                    raise ModelError(f"{label}: {name} of opset {own} is not that of {opset}")
            function.attribute_proto.extend(filter(_value, text.function.attribute_proto))
            function.domain, function.name = node.domain, f"{node.op_type}_{number}"
            node.op_type = function.name
            model.functions.append(function)
        if not model.functions:
            raise ModelError(refused)
        inline_local_functions(model)
        import_domains(ctx, model)


def _text(ctx: Context, model: ModelProto, node: NodeProto) -> OperatorText | None:
    """Return the text of a node's operator, if a context was given it."""
    made = op_class(node.op_type, _opset(model.opset_import, node.domain), node.domain, ctx)
    text = None if made is None else made.text
    return text if text in given_texts(ctx).values() else None


def _opset(imports: Iterable[OperatorSetIdProto], domain: str = "") -> int:
    return next((entry.version for entry in imports if entry.domain == domain), 0)


def _types(model: ModelProto) -> dict[str, TypeProto.Tensor]:
    """Return the types of a model's values, as far as ONNX infers them."""
    graph = shape_inference.infer_shapes(model).graph
    weights = [
        helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)
        for tensor in graph.initializer
    ]
    infos = (*graph.input, *graph.output, *graph.value_info, *weights)
    return {info.name: info.type.tensor_type for info in infos}


def _asked(node: NodeProto, text: OperatorText, types: dict[str, TypeProto.Tensor]) -> Node:
    """Return what the conditions of a text may ask of a node."""
    function = text.function
    names = {
        name: value
        for names, values in ((function.input, node.input), (function.output, node.output))
        for name, value in zip(names, values, strict=False)
        if value
    }

    def rank(name: str) -> int:
        type_ = types.get(names.get(name, ""))
        if type_ is None or not type_.HasField("shape"):
            raise RefusedError(f"the number of axes of input '{name}' is not known")
        return len(type_.shape.dim)

    def element(name: str) -> str:
        type_ = types.get(names.get(name, ""))
        if type_ is None or not type_.elem_type:
            raise RefusedError(f"the element type of input '{name}' is not known")
        return helper.tensor_dtype_to_np_dtype(type_.elem_type).name

    attributes = (*filter(_value, function.attribute_proto), *node.attribute)
    return Node({a.name: _value(a) for a in attributes}, frozenset(names), rank, element)


def _value(attribute: AttributeProto) -> object:
    """Return the value of an attribute, ``None`` if it has none."""
    has_one = attribute.ListFields()[2:] if attribute.type else ()
    value = helper.get_attribute_value(attribute) if has_one else None
    return value.decode() if isinstance(value, bytes) else value
