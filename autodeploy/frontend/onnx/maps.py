"""Inputs that are maps, which become a row of the values of all keys that count.

C has no maps. If the reader of a map knows its keys, the input is a tensor with a number for each
of them, 0 for a key that the map lacks. The keys are stored with the name of the input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper

from autodeploy.frontend.onnx.file import graphs_of

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
