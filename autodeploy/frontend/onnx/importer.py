"""ONNX models to the onnx dialect.

The module holds one ``func.func @main`` with an op for each node, in the version of the model's
opset. Weights and constants are ``nn.constant`` from the start, the names of inputs and outputs
are kept in ``nn.name``, the names of nodes as locations. Whatever is wrong with a model is a
``ModelError``.
"""

from __future__ import annotations

import copy
from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias, cast

import numpy as np
from onnx import (
    AttributeProto,
    GraphProto,
    ModelProto,
    NodeProto,
    ValueInfoProto,
    checker,
)
from onnx import __version__ as onnx_version
from onnx.defs import get_all_schemas_with_history, onnx_opset_version
from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.extent_growths import check_input
from autodeploy.dialects.nn.constant import ConstantOp, DenseAttr, WeightAttr
from autodeploy.dialects.nn.extent_attr import encoded_type
from autodeploy.dialects.nn.marks import BOUND_ATTRIBUTE, DEFAULT_ATTRIBUTE, KEYS_ATTRIBUTE
from autodeploy.dialects.onnx import (
    CustomOp,
    OnnxOp,
    StringsAttr,
    TensorValue,
    UnknownType,
    YieldOp,
    op_class,
    text_attr,
)
from autodeploy.frontend.module import Axes, model_module, place
from autodeploy.frontend.names import ascii_text, value_hint
from autodeploy.frontend.nn.functions import expect
from autodeploy.frontend.onnx.attributes import attribute_of
from autodeploy.frontend.onnx.bounds import EACH, bounded_identity, fit_bounds
from autodeploy.frontend.onnx.defaults import take_defaults
from autodeploy.frontend.onnx.description import describe
from autodeploy.frontend.onnx.file import OnnxFile, graphs_of, open_model, parse_model, tensors_of
from autodeploy.frontend.onnx.foreign_operators import hide_foreign, import_domains, state_blocks
from autodeploy.frontend.onnx.local_functions import inline_local_functions
from autodeploy.frontend.onnx.nodes import sort_nodes
from autodeploy.frontend.onnx.shapes import (
    DIMS_ATTRIBUTE,
    dims_of,
    fix_inputs,
    graph_inputs,
    graph_types,
    infer_types,
    one_line,
)
from autodeploy.frontend.onnx.structures import Keys, split_inputs, take_maps
from autodeploy.frontend.onnx.tensors import sparse_array, tensor_value
from autodeploy.frontend.onnx.types import type_attr
from autodeploy.frontend.onnx.values import Values, fit_values, take_values
from autodeploy.weights import Array, WeightStore

Shapes: TypeAlias = Mapping[str, Sequence[int]]


def import_model(
    ctx: Context,
    source: Path | str | bytes,
    *,
    shapes: Shapes | None = None,
    dims: Mapping[str, int] | None = None,
    values: Values | None = None,
    bounds: Mapping[str, int] | None = None,
    axes: Axes | None = None,
) -> ModuleOp:
    """Import an ONNX model from a file, or from the bytes of one.

    ``shapes`` gives extents to inputs by their names, in place of those that the model has, and
    ``dims`` to extents that the model names in its inputs; all others that are open stay ``?``
    (``open_inputs``). ``axes`` are extents of single axes. ``take_defaults`` says which inputs
    that are initializers, too, are constants. ``values`` are those of inputs that the program is
    compiled for, as it refuses others. ``bounds`` are the largest that the integers of values can
    be, by the names of these, and of all from which a size is computed by ``*``. Weights become
    views of the file, which must not change while the context lives. Raises ``ModelError`` if
    the file is missing, malformed, invalid by ONNX's checker, or names data outside of its folder,
    and where ``shapes``, ``dims``, ``values`` or ``bounds`` do not fit.
    """
    given = _Given(shapes or {}, dims or {}, values or {}, bounds or {}, axes or {})
    if isinstance(source, bytes):
        file = parse_model(source, None, "the model")
        return _import(ctx, file, file.proto.graph.name, given)
    path = Path(source)
    return _import(ctx, open_model(path), path.stem, given)


def import_nodes(
    ctx: Context, model: ModelProto, inputs: Mapping[str, SSAValue]
) -> tuple[Block, list[SSAValue]]:
    """Import the nodes of a model that is in memory, on values for its inputs.

    Returns a block of their ops, and the values of the outputs. Raises as ``import_model`` does.
    """
    file = OnnxFile(model, None, [], "")
    infer_types(file, resized=False)
    scope: ChainMap[str, SSAValue] = ChainMap(dict(inputs))
    block, graph = Block(), file.proto.graph
    return block, _Importer(ctx, file).graph(graph, graph_types(graph), scope, block)


@dataclass(frozen=True)
class _Given:
    """The options of a user about the inputs and values of a model."""

    shapes: Shapes
    dims: Mapping[str, int]
    values: Values
    bounds: Mapping[str, int]
    axes: Axes


def _import(ctx: Context, file: OnnxFile, name: str, given: _Given) -> ModuleOp:
    import_domains(ctx, file.proto)
    sort_nodes(file.proto)
    state_blocks(file.proto)
    _check(ctx, file)
    inline_local_functions(file.proto)
    _check_opsets(file.proto)
    keys = take_maps(file.proto)
    graph = file.proto.graph
    defaults = take_defaults(ctx, file, given.shapes)
    shapes = split_inputs(graph, given.shapes)
    values = fit_values(graph, given.values, shapes)
    shapes = {**shapes, **{name: array.shape for name, array in values.items()}}
    resized, varying = fix_inputs(graph, shapes, given.dims, given.axes)
    inputs = copy.deepcopy(graph_inputs(graph))
    take_values(graph, values)
    infer_types(file, resized)
    bounds = fit_bounds(graph, given.bounds)
    try:
        module = _Importer(ctx, file, bounds).module(name, inputs, keys, values, varying, defaults)
    except VerifyException as error:
        raise ModelError(f"the model is not valid: {one_line(error)}") from None
    if EACH in given.bounds:
        module.attributes[BOUND_ATTRIBUTE] = IntegerAttr(given.bounds[EACH], i64)
    return module


def _check(ctx: Context, file: OnnxFile) -> None:
    """Run ONNX's checker on the skeleton, tensors whose bytes are elsewhere standing empty.

    The checker wants a shape of each input and output, which ONNX itself does not.
    """
    skeleton = ModelProto()
    skeleton.CopyFrom(file.proto)
    hide_foreign(ctx, skeleton)
    for tensor in tensors_of(skeleton):
        if tensor.external_data:
            tensor.dims[:] = [0]
            tensor.raw_data = b""
            tensor.ClearField("external_data")
            tensor.ClearField("data_location")
    for info in (*skeleton.graph.input, *skeleton.graph.output):
        if info.type.HasField("tensor_type"):
            info.type.tensor_type.shape.SetInParent()
    try:
        checker.check_model(skeleton)  # pyright: ignore[reportUnknownMemberType]
    except Exception as error:  # besides its own errors the checker raises those of C++
        raise ModelError(f"the model is not valid ONNX: {_checker_text(error)}") from None


def _checker_text(error: Exception) -> str:
    """Return on one line what the checker says, with the node that it says it of."""
    what, _, context = " ".join(str(error).split()).partition(" ==> Context: ")
    what = what.rstrip(".") or type(error).__name__
    return f"{what} ({context.replace(' ==> Context: ', '; ')})" if context else what


def _check_opsets(model: ModelProto) -> None:
    """Check that ONNX knows the opsets that the model is written in.

    For a later one the checker takes the latest that it knows, whose operators may mean something
    else. A domain that no node uses does not matter.
    """
    used = {node.domain for graph in graphs_of(model.graph) for node in graph.node}
    for entry in model.opset_import:
        latest = _latest_opsets().get(entry.domain)
        if entry.domain in used and latest is not None and entry.version > latest:
            raise ModelError(
                f"the model is written in opset {entry.version} of "
                f"{entry.domain or 'ai.onnx'}, but the installed onnx {onnx_version} knows "
                f"opsets up to {latest}"
            )


@cache
def _latest_opsets() -> dict[str, int]:
    """Return the latest opset of each domain that ONNX has operators of."""
    latest = {"": onnx_opset_version()}
    for schema in get_all_schemas_with_history():
        latest[schema.domain] = max(latest.get(schema.domain, 0), schema.since_version)
    return latest


def _input_type(info: ValueInfoProto, shape: Sequence[int] | None) -> Attribute:
    """Return the type of an input, with the extents of its ``shape`` that differ between runs."""
    type_ = type_attr(info.type)
    if shape is None or not isa(type_, TensorType[Attribute]):
        return type_
    check_input(info.name, shape)
    return encoded_type(type_.element_type, shape)


class _Importer:
    """One import: the context, the file, the opset of each domain, and bounds of values."""

    def __init__(self, ctx: Context, file: OnnxFile, bounds: Mapping[str, int] | None = None):
        self.ctx, self.file, self.bounds = ctx, file, bounds or {}
        self.opsets = {entry.domain: entry.version for entry in file.proto.opset_import}

    def module(
        self,
        name: str,
        inputs: Sequence[ValueInfoProto],
        keys: Mapping[str, Keys],
        values: Mapping[str, Array],
        varying: Mapping[str, Sequence[int]],
        defaults: Mapping[str, DenseAttr],
    ) -> ModuleOp:
        """Build the module around the model's graph; inputs that are maps have ``keys``.

        Shapes of inputs that are ``varying`` have extents that differ between runs. A run may leave
        out inputs with ``defaults``.

        Those with ``values`` are weights of the graph, and are only compared with these.
        """
        model, graph = self.file.proto, self.file.proto.graph
        types = graph_types(graph)
        block = Block(arg_types=[_input_type(info, varying.get(info.name)) for info in inputs])
        scope: ChainMap[str, SSAValue] = ChainMap()
        for info, argument in zip(inputs, block.args, strict=True):
            _bind(scope, info.name, argument)
            self.bound(scope, info.name, block)
            if info.name in values:
                expected = ConstantOp(WeightStore.of(self.ctx).attribute(values[info.name]))
                place(block, expected, info.name)
                place(block, expect(argument, expected.result), info.name)
        results = self.graph(graph, types, scope, block)
        arguments = [_named(info.name) for info in inputs]
        for info, attributes in zip(inputs, arguments, strict=True):
            dims = dims_of(info.type.tensor_type.shape)
            if any(isinstance(dim, str) for dim in dims):
                attributes[DIMS_ATTRIBUTE] = ArrayAttr(map(_dim, dims))
            if info.name in keys:
                attributes[KEYS_ATTRIBUTE] = ArrayAttr(map(_dim, keys[info.name]))
            if info.name in defaults and info.name not in values:
                attributes[DEFAULT_ATTRIBUTE] = defaults[info.name]
        outputs = [_named(info.name) for info in graph.output]
        module = model_module(name, block, results, arguments, outputs)
        describe(module, model, self.opsets)
        return module

    def graph(
        self,
        graph: GraphProto,
        types: Mapping[str, Attribute],
        scope: ChainMap[str, SSAValue],
        block: Block,
    ) -> list[SSAValue]:
        """Append the weights that are used and the nodes; return the values of the outputs."""
        used = {
            name
            for inner in graphs_of(graph)
            for names in (*(node.input for node in inner.node), (o.name for o in inner.output))
            for name in names
        }
        for tensor in graph.initializer:
            if tensor.name in used:
                op = self.constant(tensor_value(self.ctx, self.file, tensor))
                place(block, op, tensor.name)
                _bind(scope, tensor.name, op.results[0])
        for sparse in graph.sparse_initializer:
            if (name := sparse.values.name) in used:
                dense = WeightStore.of(self.ctx).attribute(sparse_array(self.file, sparse))
                op = self.constant(dense)
                place(block, op, name)
                _bind(scope, name, op.results[0])
        for node in graph.node:
            self.node(node, types, scope, block)
        return [_value(scope, info.name, "the outputs of a graph") for info in graph.output]

    def constant(self, value: TensorValue) -> Operation:
        """Return an ``nn.constant``, or an ``onnx.Constant`` for elements that nn lacks."""
        if isinstance(value, DenseAttr | WeightAttr):
            return ConstantOp(value)
        made = cast(type[OnnxOp], op_class("Constant", max(1, self.opsets.get("", 1))))
        return made.from_positions([], [value.type], {"value": value})

    def node(
        self,
        node: NodeProto,
        types: Mapping[str, Attribute],
        scope: ChainMap[str, SSAValue],
        block: Block,
    ) -> None:
        """Append the op of a node and bind its results to the names of its outputs."""
        label = f"node '{node.name}' ({node.op_type})"
        made = op_class(node.op_type, self.opsets.get(node.domain, 0), node.domain, self.ctx)
        if made is not None and made.domain == "" and made.op_type == "Constant":
            op = self.constant(self.constant_value(node, label))
            outputs: Sequence[SSAValue | None] = op.results
        else:
            properties, regions = self.attributes(node, label, scope)
            inputs = [_value(scope, name, label) if name else None for name in node.input]
            outputs_of = [types.get(name, UnknownType()) if name else None for name in node.output]
            if made is None:
                domain, op_type = text_attr(node.domain), text_attr(node.op_type)
                op = CustomOp(domain, op_type, properties, inputs, outputs_of, regions)
            else:
                op = _typed_op(made, label, inputs, outputs_of, properties, dict(regions))
            outputs = op.outputs_by_position()
        first = next((name for name in node.output if name), "")
        place(block, op, node.name or first)
        for name, value in zip(node.output, outputs, strict=False):
            if name and value is not None:
                _bind(scope, name, value)
                self.bound(scope, name, block)

    def bound(self, scope: ChainMap[str, SSAValue], name: str, block: Block) -> None:
        """Let what reads a value that has a bound read it through an op that says so."""
        if name in self.bounds:
            op = bounded_identity(scope[name], name, self.bounds[name], self.opsets.get("", 1))
            place(block, op, name)
            _bind(scope, name, op.results[0])

    def attributes(
        self, node: NodeProto, label: str, scope: ChainMap[str, SSAValue]
    ) -> tuple[dict[str, Attribute], list[tuple[str, Region]]]:
        """Return a node's attributes as properties, and its subgraphs as regions."""
        properties: dict[str, Attribute] = {}
        regions: list[tuple[str, Region]] = []
        for attribute in node.attribute:
            name = ascii_text(attribute.name)
            if attribute.type in (AttributeProto.GRAPH, AttributeProto.GRAPHS):
                graphs = [attribute.g] if attribute.HasField("g") else attribute.graphs
                regions.extend((name, self.region(graph, scope)) for graph in graphs)
                continue
            try:
                value = attribute_of(self.ctx, self.file, attribute)
            except ModelError as error:
                raise ModelError(f"{label}: {error}") from None
            if value is not None:
                properties[name] = value
        return properties, regions

    def region(self, graph: GraphProto, scope: ChainMap[str, SSAValue]) -> Region:
        """Return a subgraph as a region; it sees the values of the graphs around it."""
        types = graph_types(graph)
        inner = scope.new_child()
        inputs = graph_inputs(graph)
        block = Block(arg_types=[types[info.name] for info in inputs])
        for info, argument in zip(inputs, block.args, strict=True):
            _bind(inner, info.name, argument)
            self.bound(inner, info.name, block)
        block.add_op(YieldOp(self.graph(graph, types, inner, block)))
        return Region(block)

    def constant_value(self, node: NodeProto, label: str) -> TensorValue:
        """Return the value of a Constant node, whichever of its attributes holds it."""
        for attribute in node.attribute:
            store = WeightStore.of(self.ctx)
            try:
                match attribute.name:
                    case "value":
                        return tensor_value(self.ctx, self.file, attribute.t)
                    case "sparse_value":
                        return store.attribute(sparse_array(self.file, attribute.sparse_tensor))
                    case "value_float":
                        return store.attribute(np.float32(attribute.f))
                    case "value_floats":
                        return store.attribute(np.array(attribute.floats, np.float32))
                    case "value_int":
                        return store.attribute(np.int64(attribute.i))
                    case "value_ints":
                        return store.attribute(np.array(attribute.ints, np.int64))
                    case "value_string":
                        return StringsAttr([attribute.s], ())
                    case "value_strings":
                        return StringsAttr(attribute.strings, (len(attribute.strings),))
                    case _:
                        continue
            except ModelError as error:
                raise ModelError(f"{label}: {error}") from None
        raise ModelError(f"{label} has no value")


def _typed_op(
    made: type[OnnxOp],
    label: str,
    inputs: Sequence[SSAValue | None],
    types: Sequence[Attribute | None],
    properties: Mapping[str, Attribute],
    regions: Mapping[str, Region],
) -> OnnxOp:
    """Build the op; an output that a node has no name for exists unless it is optional."""
    if made.text is not None and (unknown := properties.keys() - made.schema.attributes.keys()):
        raise ModelError(f"{label}: attribute '{min(unknown)}' is not known")
    parameters = made.output_parameters
    count = max(len(types), sum(parameter.kind == "Single" for parameter in parameters))
    outputs = list(types) + [None] * (count - len(types))
    for index, type_ in enumerate(outputs):
        parameter = parameters[min(index, len(parameters) - 1)] if parameters else None
        if type_ is None and parameter is not None and parameter.kind != "Optional":
            outputs[index] = UnknownType()
    try:
        op = made.from_positions(inputs, outputs, properties, regions)
        if made.text is not None:
            op.verify()  # of other operators ONNX's checker has seen the attributes
        return op
    except VerifyException as error:
        raise ModelError(f"{label}: {one_line(error)}") from None


def _value(scope: ChainMap[str, SSAValue], name: str, user: str) -> SSAValue:
    value = scope.get(name)
    if value is None:
        raise ModelError(f"{user} use '{name}', which nothing makes")
    return value


def _bind(scope: ChainMap[str, SSAValue], name: str, value: SSAValue) -> None:
    scope[name] = value
    value.name_hint = value_hint(name)


def _named(name: str) -> dict[str, Attribute]:
    return {"nn.name": StringAttr(ascii_text(name))}


def _dim(dim: int | str) -> Attribute:
    return IntegerAttr(dim, i64) if isinstance(dim, int) else StringAttr(ascii_text(dim))
