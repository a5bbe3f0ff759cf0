"""Inputs that are sequences or optionals, whose elements become inputs of their own.

The elements of sequence ``x`` are the inputs ``x_0``, ``x_1``, …; what an optional holds is the
input itself. How many elements there are is said as the shape of the sequence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onnx import GraphProto, NodeProto, TypeProto, ValueInfoProto, helper

from autodeploy.diagnostics import ModelError

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
