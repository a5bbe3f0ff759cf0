"""Shapes of a model's inputs, and from them the types of all its values.

ONNX's inference takes each tensor of one axis for a shape as soon as an operator that computes
shapes reads it, and keeps 144 bytes for each of its elements. If such a tensor may be very long,
inference follows no values, and shapes that depend on numbers are left to constant folding.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from onnx import (
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    TensorShapeProto,
    TypeProto,
    ValueInfoProto,
    defs,
    helper,
)
from onnx.shape_inference import infer_shapes
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    TensorType,
)
from xdsl.ir import Attribute

from autodeploy.diagnostics import ModelError, ModelWarning, did_you_mean
from autodeploy.dialects.extents import Extent, are_same, largest_of
from autodeploy.dialects.onnx import UnknownType
from autodeploy.dialects.onnx.families import POINTWISE, RENUMBERINGS
from autodeploy.frontend.extent_expressions import parse_extent
from autodeploy.frontend.module import Axes, check_inputs, with_axes
from autodeploy.frontend.names import ascii_text
from autodeploy.frontend.onnx.file import LARGE_BYTES, OnnxFile, graphs_of, tensors_of
from autodeploy.frontend.onnx.tensors import raw_bytes
from autodeploy.frontend.onnx.types import extent_of, type_attr

DIMS_ATTRIBUTE = "onnx.dims"
"""Argument attribute: the extents of an input as the model names them, where some are open."""


def graph_inputs(graph: GraphProto) -> list[ValueInfoProto]:
    """Return the inputs of a graph that are not weights."""
    weights = {tensor.name for tensor in graph.initializer}
    weights |= {sparse.values.name for sparse in graph.sparse_initializer}
    return [info for info in graph.input if info.name not in weights]


class FixedInputs(NamedTuple):
    """Whether the type of an input changed, and the shapes of inputs with extents that vary."""

    changed: bool
    varying: Mapping[str, Sequence[int]]


def fix_inputs(
    graph: GraphProto,
    shapes: Mapping[str, Sequence[int]],
    dims: Mapping[str, int],
    axes: Axes | None = None,
) -> FixedInputs:
    """Write the given shapes into the types of the graph's inputs, of extents the largest.

    An input may be named as messages have it, in ASCII. ``dims`` gives values to symbols, in all
    inputs; so does a shape. ``axes`` are extents of single axes. Extents in terms of these, such as
    ``past + 1``, follow. If a fixed extent is replaced, the declared types of other values are
    dropped. Raises ``ModelError`` if a name is not that of an input or a symbol, a shape has
    another rank than the model's or contradicts a symbol's value, or has a negative extent."""
    inputs = {info.name: info for info in graph_inputs(graph)}
    escaped = {ascii_text(name): name for name in inputs}
    shapes = {name if name in inputs else escaped.get(name, name): shapes[name] for name in shapes}
    axes = {n if n in inputs else escaped.get(n, n): own for n, own in (axes or {}).items()}
    check_inputs(shapes, inputs)
    for name, shape in shapes.items():
        if any(n < 0 for n in shape):
            raise ModelError(f"shape {listed_shape(shape)} of input '{name}' has a negative extent")
    shapes = {
        **shapes,
        **with_axes(
            {name: shapes.get(name, _known_extents(info)) for name, info in inputs.items()}, axes
        ),
    }
    symbols = {name: (n, "as given") for name, n in _given_symbols(inputs.values(), dims).items()}
    changed = bool(symbols)
    replaced = False
    found: dict[str, Sequence[int]] = {}
    for name, shape in shapes.items():
        tensor = inputs[name].type.tensor_type
        if not inputs[name].type.HasField("tensor_type"):
            raise ModelError(f"shape given for input '{name}', which is no tensor")
        if not tensor.HasField("shape"):
            for extent in shape:
                tensor.shape.dim.add(dim_value=largest_of(extent))
            found[name] = shape
            tensor.shape.SetInParent()
            changed = True
            continue
        if len(shape) != len(tensor.shape.dim):
            raise ModelError(
                f"shape {listed_shape(shape)} of input '{name}' has {len(shape)} extents, the "
                f"model's {listed_shape(dims_of(tensor.shape))} has {len(tensor.shape.dim)}"
            )
        pairs = zip(tensor.shape.dim, shape, strict=True)
        given = [(dim, extent) for dim, extent in pairs if extent >= 0]  # others stay as they are
        for dim, extent in given:
            if symbol := _symbol(dim):
                by = f"by the shape of input '{name}'"
                value, before = symbols.setdefault(symbol, (extent, by))
                if not are_same([value], [extent]):
                    most, other = largest_of(value), largest_of(extent)
                    raise ModelError(f"extent '{symbol}' is {most} {before} and {other} {by}")
            fixed, most = extent_of(dim), largest_of(extent)
            changed |= fixed != most
            replaced |= fixed >= 0 and (fixed != most or isinstance(extent, Extent))
        for dim, extent in given:
            dim.dim_value = largest_of(extent)
        found[name] = shape
    changed |= _follow(inputs.values(), symbols)
    for name, info in inputs.items():
        own = list(found.get(name, map(extent_of, info.type.tensor_type.shape.dim)))
        for axis, dim in enumerate(info.type.tensor_type.shape.dim):
            if (symbol := _symbol(dim)) in symbols:
                own[axis] = symbols[symbol][0]
                dim.dim_value = largest_of(own[axis])
        found[name] = own
    if replaced:
        _forget_declared(graph)
    varying = {n: own for n, own in found.items() if any(isinstance(e, Extent) for e in own)}
    return FixedInputs(changed, varying)


def _known_extents(info: ValueInfoProto) -> Sequence[int] | None:
    """Return the extents of an input, negative where they are open; ``None`` of no rank."""
    type_ = info.type.tensor_type
    return [extent_of(dim) for dim in type_.shape.dim] if type_.HasField("shape") else None


def _follow(inputs: Iterable[ValueInfoProto], symbols: dict[str, tuple[int, str]]) -> bool:
    """Give those extents numbers that the model says by others, and tell whether there are any.

    Such as ``past + 1``, where it is known what ``past`` is.
    """
    numbers = {symbol: number for symbol, (number, _) in symbols.items()}
    listed = [_symbol(dim) for info in inputs for dim in info.type.tensor_type.shape.dim]
    for symbol in dict.fromkeys((*symbols, *listed)):
        expression = parse_extent(symbol)
        extent = None if expression is None else expression.at(numbers)
        if expression is None or extent is None:
            continue
        told = ", ".join(f"{name} {numbers[name]}" for name in expression.names)
        value, before = symbols.setdefault(symbol, (extent, f"for {told}"))
        if not are_same([value], [extent]):
            raise ModelError(f"extent '{symbol}' is {value} {before} and {extent} for {told}")
        if extent < 0:
            raise ModelError(f"extent '{symbol}' is {extent} for {told}, expected 0 or more")
    return len(symbols) > len(numbers)


def _given_symbols(inputs: Iterable[ValueInfoProto], dims: Mapping[str, int]) -> dict[str, int]:
    """Return ``dims`` by the names that the model has for its symbols."""
    shapes = [info.type.tensor_type.shape for info in inputs]
    listed = [symbol for shape in shapes for dim in shape.dim if (symbol := _symbol(dim))]
    expressions = filter(None, map(parse_extent, listed))
    known = {name: name for name in (*listed, *(n for e in expressions for n in e.names))}
    names = {ascii_text(symbol): symbol for symbol in known} | known
    for name, extent in dims.items():
        if name not in names:
            listed = ", ".join(f"'{symbol}'" for symbol in known)
            has = f"the names of open extents are {listed}" if known else "no extent has a name"
            raise ModelError(
                f"a number is given for extent '{name}', which no input has; {has}"
                f"{did_you_mean(name, known)}"
            )
        if extent < 0:
            raise ModelError(f"extent '{name}' is given as {extent}, expected 0 or more")
    return {names[name]: extent for name, extent in dims.items()}


def _forget_declared(graph: GraphProto) -> None:
    """Take away the shapes that a graph declares, which are those for inputs of other extents."""
    for inner in graphs_of(graph):
        del inner.value_info[:]
    for info in graph.output:
        info.type.tensor_type.ClearField("shape")


def dims_of(shape: TensorShapeProto) -> list[int | str]:
    """Return the extents of a shape, one that is not known by its name in the model, else ``?``."""
    return [
        extent if (extent := extent_of(dim)) >= 0 else dim.dim_param or "?" for dim in shape.dim
    ]


def listed_shape(dims: Sequence[int | str]) -> str:
    """Return a shape as messages have it: ``[1, 3, H, W]``."""
    return f"[{', '.join(map(str, dims))}]"


def infer_types(file: OnnxFile, resized: bool) -> None:
    """Put the type of every value of the model and its subgraphs into ``file.proto``.

    Facts that the inputs imply come first. Declared types of inner values are used only if that
    leaves something open, and only for foreign operators if the inputs are ``resized``. An output
    that is declared with another shape than it is computed with is a ``ModelWarning``. Raises
    ``ModelError`` if it is declared with other elements, and where the types contradict each
    other beyond repair."""
    _inline_small(file)
    _open_negative(file.proto)
    bare = ModelProto()
    bare.CopyFrom(file.proto)
    for graph in graphs_of(bare.graph):
        _drop_declared(graph)
    inferred = _infer(bare)
    _check_outputs(file.proto.graph, inferred.graph)
    if not resized and _restore_declared(file.proto, bare, inferred):
        inferred = _infer(bare)
    for declared, graph in _side_by_side(file.proto, inferred):
        types = graph_types(graph)
        for info in (*declared.value_info, *declared.output):
            if isinstance(types.get(info.name, UnknownType()), UnknownType):
                graph.value_info.append(info)
    file.proto = inferred


def _check_outputs(declared: GraphProto, inferred: GraphProto) -> None:
    """Compare the declared outputs of a model with the computed ones.

    After a loop that carries a sequence, inference does not know the shapes of elements.
    """
    is_known = not any(_carries_structures(node) for g in graphs_of(declared) for node in g.node)
    computed = {info.name: info.type for info in inferred.output}
    for info in declared.output:
        if not all(t.HasField("tensor_type") for t in (info.type, computed[info.name])):
            continue
        said, found = info.type.tensor_type, computed[info.name].tensor_type
        if said.elem_type != found.elem_type and said.elem_type and found.elem_type:
            raise ModelError(
                f"output '{info.name}' is declared with elements of type "
                f"{_element_name(said.elem_type)}, but the model computes "
                f"{_element_name(found.elem_type)}"
            )
        if is_known and _contradict(said, found):
            # Inference gives names of its own to extents that it does not know.
            computes = ["?" if extent < 0 else extent for extent in map(extent_of, found.shape.dim)]
            warnings.warn(
                f"output '{info.name}' is declared as {listed_shape(dims_of(said.shape))}, but the "
                f"model computes {listed_shape(computes)}, which it is compiled for",
                ModelWarning,
                stacklevel=2,
            )


def _carries_structures(node: NodeProto) -> bool:
    """Return whether a node is a loop that hands on a sequence or an optional."""
    return node.op_type == "Loop" and any(
        info.type.WhichOneof("value") in ("sequence_type", "optional_type")
        for attribute in node.attribute
        for info in attribute.g.input
    )


def _element_name(number: int) -> str:
    known = TensorProto.DataType.values()
    return TensorProto.DataType.Name(number).lower() if number in known else str(number)


def _contradict(one: TypeProto.Tensor, other: TypeProto.Tensor) -> bool:
    """Return whether no shape fits both types."""
    if not (one.HasField("shape") and other.HasField("shape")):
        return False
    shapes = [[extent_of(dim) for dim in t.shape.dim] for t in (one, other)]
    return len(shapes[0]) != len(shapes[1]) or any(
        n != m and n >= 0 and m >= 0 for n, m in zip(*shapes, strict=True)
    )


def graph_types(graph: GraphProto) -> dict[str, Attribute]:
    """Return the types of a graph's inputs, outputs and values within by their names.

    An input may be an output, too: then it has the type of the input.
    """
    infos = (*graph.output, *graph.value_info, *graph.input)
    return {info.name: type_attr(info.type) for info in infos}


def one_line(error: Exception) -> str:
    """Return the first line of an error's text that says something, without its full stop."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0].rstrip(".") if lines else type(error).__name__


def _symbol(dim: TensorShapeProto.Dimension) -> str:
    """Return the name that extents share, if it has one."""
    name = dim.dim_param.strip()
    return name if extent_of(dim) < 0 and is_symbol(name) else ""


def is_symbol(name: str) -> bool:
    """Tell a name that extents share from the placeholders that exporters write for any."""
    return (name[:1].isalpha() and name != "None") or parse_extent(name) is not None


def _is_static(type_: Attribute | None) -> bool:
    return isinstance(type_, TensorType) and DYNAMIC_INDEX not in type_.get_shape()


def _inline_small(file: OnnxFile) -> None:
    """Put small external tensors into the model: shapes may depend on their numbers."""
    for tensor in tensors_of(file.proto):
        if tensor.data_location != TensorProto.EXTERNAL:
            continue
        size = raw_bytes(tensor)
        if size is not None and size < LARGE_BYTES and (raw := file.raw(tensor, size)) is not None:
            tensor.raw_data = bytes(raw)
            tensor.ClearField("external_data")
            tensor.ClearField("data_location")


def _open_negative(model: ModelProto) -> None:
    """Take away the extents below 0 that some exporters write for open ones.

    ONNX's inference takes them for numbers, and some of it ends the process.
    """
    for graph in graphs_of(model.graph):
        for info in (*graph.input, *graph.output, *graph.value_info):
            _open_extents(info.type)


def _open_extents(type_: TypeProto) -> None:
    kind = type_.WhichOneof("value")
    if kind in ("tensor_type", "sparse_tensor_type"):
        for dim in getattr(type_, kind).shape.dim:
            if dim.dim_value < 0:
                dim.ClearField("dim_value")
    elif kind in ("sequence_type", "optional_type"):
        _open_extents(getattr(type_, kind).elem_type)
    elif kind == "map_type":
        _open_extents(type_.map_type.value_type)


def _drop_declared(graph: GraphProto) -> None:
    """Take away what the model declares of values that inference knows of.

    The declared type of a weight, or of an output that no node computes, is replaced by the
    type of the weight or the input of that name.
    """
    inferable = {
        name for node in graph.node if defs.has(node.op_type, node.domain) for name in node.output
    }
    kept = [info for info in graph.value_info if info.name not in inferable]
    del graph.value_info[:]
    graph.value_info.extend(kept)
    for info in graph.output:
        if info.name in inferable:
            info.ClearField("type")
    given = _given_types(graph)
    for info in (*graph.input, *graph.output):
        if info.name in given:
            info.type.CopyFrom(given[info.name])


def _given_types(graph: GraphProto) -> dict[str, TypeProto]:
    """Return the types of a graph's inputs and weights, which no node computes."""
    types = {info.name: info.type for info in graph_inputs(graph)}
    tensors = [(tensor.name, tensor.data_type, tensor.dims) for tensor in graph.initializer]
    tensors += [(s.values.name, s.values.data_type, s.dims) for s in graph.sparse_initializer]
    for name, number, dims in tensors:
        types[name] = helper.make_tensor_type_proto(number, list(dims))
    return types


def _restore_declared(declared: ModelProto, bare: ModelProto, inferred: ModelProto) -> bool:
    """Give back static types to values that inference left open, and tell whether there are any."""
    restored = False
    for (original, graph), (_, found) in zip(
        _side_by_side(declared, bare), _side_by_side(declared, inferred), strict=True
    ):
        types = graph_types(found)
        outputs = {info.name: info for info in graph.output}
        given = _given_types(graph)
        for info in (*original.value_info, *original.output):
            if (
                info.name not in given
                and _is_static(type_attr(info.type))
                and not _is_static(types.get(info.name))
            ):
                if info.name in outputs:
                    outputs[info.name].type.CopyFrom(info.type)
                else:
                    graph.value_info.append(info)
                restored = True
    return restored


def _side_by_side(one: ModelProto, other: ModelProto) -> Iterator[tuple[GraphProto, GraphProto]]:
    return zip(graphs_of(one.graph), graphs_of(other.graph), strict=True)


def _infer(model: ModelProto) -> ModelProto:
    try:
        inferred = infer_shapes(model)
        return infer_shapes(model, data_prop=True) if may_follow_numbers(inferred) else inferred
    except Exception as error:  # what the C++ side raises is not documented
        raise ModelError(f"types of the model cannot be inferred: {one_line(error)}") from None


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
        extents.update(_known_places(graph))
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


def _known_places(graph: GraphProto) -> dict[str, list[int]]:
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
