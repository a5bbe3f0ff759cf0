"""Inputs that are sequences, optionals or maps, which become tensors.

The elements of sequence ``x`` are the inputs ``x_0``, ``x_1``, …; what an optional holds is the
input itself. How many elements there are is said as the shape of the sequence. A map becomes a row
of the values of all keys that count: C has no maps. If the reader of a map knows its keys, the
input is a tensor with a number for each of them, 0 for a key that the map lacks. The keys are
stored with the name of the input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onnx import GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto, helper

from autodeploy.diagnostics import ModelError
from autodeploy.frontend.onnx.file import graphs_of

ABSENT = (-1,)
"""The shape of an optional that holds nothing."""

MOST_ELEMENTS = 65536
"""How many elements a sequence may have: each is an input of the program."""


def element_names(name: str, count: int) -> list[str]:
    """Return the names of the elements of a sequence."""
    return [f"{name}_{i}" for i in range(count)]


def split_inputs(
    graph: GraphProto, shapes: Mapping[str, Sequence[int]]
) -> Mapping[str, Sequence[int]]:
    """Replace sequences and optionals among the inputs of a graph; return the other shapes.

    A sequence whose number of elements is not given stays as it is. Raises ``ModelError`` if
    what is given for one is no such number, and where an element is no tensor.
    """
    left = dict(shapes)
    inputs: list[ValueInfoProto] = []
    nodes: list[NodeProto] = []
    taken = {info.name for info in graph.input}
    for info in graph.input:
        name, type_ = info.name, info.type
        if type_.HasField("optional_type"):
            type_ = type_.optional_type.elem_type
            if tuple(left.get(name, ())) == ABSENT:
                nodes.append(helper.make_node("Optional", [], [name], type=type_))
                del left[name]
                continue
        if not type_.HasField("sequence_type") or name not in left:
            inputs.append(helper.make_value_info(name, type_))
            continue
        names = element_names(name, _count(name, left.pop(name)))
        element = _element(name, type_)
        for own in names:
            if own in taken:
                raise ModelError(f"element '{own}' of sequence '{name}' has the name of an input")
            inputs.append(helper.make_value_info(own, element))
        taken.update(names)
        if names:
            nodes.append(helper.make_node("SequenceConstruct", names, [name]))
        else:
            number = element.tensor_type.elem_type
            nodes.append(helper.make_node("SequenceEmpty", [], [name], dtype=number))
    if nodes or any(info.type.HasField("optional_type") for info in graph.input):
        nodes += graph.node
        del graph.input[:], graph.node[:]
        graph.input.extend(inputs)
        graph.node.extend(nodes)
    return left


def _count(name: str, shape: Sequence[int]) -> int:
    if len(shape) != 1 or not 0 <= shape[0] <= MOST_ELEMENTS:
        raise ModelError(
            f"input '{name}' is a sequence: its shape is the number of its elements, up to "
            f"{MOST_ELEMENTS}, found {list(shape)}"
        )
    return shape[0]


def _element(name: str, type_: TypeProto) -> TypeProto:
    """Return the type of the elements, whose extents may differ where they have a name."""
    element = TypeProto()
    element.CopyFrom(type_.sequence_type.elem_type)
    if not element.HasField("tensor_type"):
        raise ModelError(f"input '{name}' is a sequence of other types than tensors")
    for dim in element.tensor_type.shape.dim:
        dim.ClearField("dim_param")
    return element


_DOMAIN = "ai.onnx.ml"
_OPSET = 13
"""An opset of ai.onnx with Flatten and Identity."""

_NUMBERS = (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT64)
_MOST_KEYS = 65536

Keys = tuple[str | int, ...]


def take_maps(model: ModelProto) -> Mapping[str, Keys]:
    """Replace maps among the inputs of a model whose keys are known; return the keys by name.

    They are where each reader is a DictVectorizer, all with one vocabulary, or a CastMap that makes
    a sparse row of floats. Other maps stay what they are.
    """
    graph = model.graph
    found: dict[str, Keys] = {}
    for info in graph.input:
        if not info.type.HasField("map_type"):
            continue
        readers = [node for node in graph.node if info.name in node.input]
        everywhere = [node for inner in graphs_of(graph) for node in inner.node]
        all_readers = [node for node in everywhere if info.name in node.input]
        value = info.type.map_type.value_type.tensor_type.elem_type
        keys = {_keys(node, info.type.map_type.key_type, value) for node in readers}
        is_given_out = any(output.name == info.name for output in graph.output)
        known = keys.pop() if len(keys) == 1 else ()
        if not known or keys or is_given_out or len(all_readers) > len(readers):
            continue
        found[info.name] = known
        info.type.CopyFrom(helper.make_tensor_type_proto(value, [len(known)]))
        for node in readers:
            _become_row(graph, node)
    if found:
        import_default_domain(model)
    return found


def import_default_domain(model: ModelProto) -> None:
    """Let a model that has operators of other domains alone have some of ai.onnx."""
    if all(opset.domain for opset in model.opset_import):
        model.opset_import.append(helper.make_opsetid("", _OPSET))


def _keys(node: NodeProto, key: int, value: int) -> Keys:
    """Return the keys that a reader of a map knows; none where it knows no such keys."""
    given = {entry.name: helper.get_attribute_value(entry) for entry in node.attribute}
    kind = node.op_type if node.domain == _DOMAIN else ""
    if kind == "DictVectorizer" and value in _NUMBERS:
        strings: Sequence[bytes] = given.get("string_vocabulary", ())
        integers: Sequence[int] = given.get("int64_vocabulary", ())
        if key == TensorProto.STRING and not integers:
            found: Keys = tuple(text.decode(errors="replace") for text in strings)
        else:
            found = tuple(integers) if key == TensorProto.INT64 and not strings else ()
        return found if len(set(found)) == len(found) else ()
    forms = given.get("map_form", b"DENSE"), given.get("cast_to", b"TO_FLOAT")
    most = int(given.get("max_map", 1))
    if kind != "CastMap" or forms != (b"SPARSE", b"TO_FLOAT") or value != TensorProto.FLOAT:
        return ()
    return tuple(range(most)) if key == TensorProto.INT64 and most <= _MOST_KEYS else ()


def _become_row(graph: GraphProto, node: NodeProto) -> None:
    """Let a node hand its operand on: as one row of a table, or as a list where that is declared.

    onnxruntime makes a row, where ONNX speaks of a list.
    """
    shapes = {
        info.name: info.type.tensor_type.shape
        for info in (*graph.output, *graph.value_info)
        if info.type.tensor_type.HasField("shape")
    }
    declared = shapes.get(node.output[0]) if node.output else None
    is_list = declared is not None and len(declared.dim) == 1
    node.op_type, node.domain = "Identity" if is_list else "Flatten", ""
    del node.attribute[:]
    if not is_list:
        node.attribute.append(helper.make_attribute("axis", 0))
