"""What If, Loop, Scan and SequenceMap compute, by what computes their subgraphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from fuzz_case import Value
from fuzz_numbers import Array
from onnx import GraphProto, NodeProto, helper

REGIONS = frozenset(("If", "Loop", "Scan", "SequenceMap"))
"""Operators with subgraphs."""

Body: TypeAlias = Callable[[GraphProto, Sequence[Value]], Sequence[Value]]
"""Computes what a subgraph hands out from what it is given."""


def run_region(node: NodeProto, inputs: Sequence[Value | None], body: Body) -> Sequence[Value]:
    """Return the results of an operator with subgraphs."""
    given = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    match node.op_type:
        case "If":
            branch = "then_branch" if np.asarray(inputs[0]).all() else "else_branch"
            return body(given[branch], [])
        case "Loop":
            return _loop(given["body"], inputs, body)
        case "Scan":
            return _scan(given, inputs, body)
        case _:
            return _map(given["body"], inputs, body)


def _loop(graph: GraphProto, inputs: Sequence[Value | None], body: Body) -> Sequence[Value]:
    """Run the body until a number of trips are made, or it says that it is the last one.

    As in onnxruntime, what the body says counts also where no first condition is given.
    """
    trips, condition, *carried = [*inputs, None][: max(2, len(inputs))]
    on = condition is None or bool(np.asarray(condition).all())
    rows: list[list[Array]] = [[] for _ in graph.output[1 + len(carried) :]]
    step = 0
    while on and (trips is None or step < int(np.asarray(trips).reshape(()))):
        holds, *values = body(graph, [np.array(step, np.int64), np.array(on), *carried])
        on = bool(np.asarray(holds).all())
        carried = values[: len(carried)]
        for row, value in zip(rows, values[len(carried) :], strict=True):
            row.append(np.asarray(value))
        step += 1
    outputs = graph.output[1 + len(carried) :]
    return [*carried, *(_stacked(row, info) for row, info in zip(rows, outputs, strict=True))]


def _scan(
    given: Mapping[str, object], inputs: Sequence[Value | None], body: Body
) -> Sequence[Value]:
    graph, count = given["body"], int(given["num_scan_inputs"])
    assert isinstance(graph, GraphProto)
    states, tensors = list(inputs[:-count]), [np.asarray(x) for x in inputs[-count:]]
    stacks = len(graph.output) - len(states)

    def entries(name: str, number: int) -> Sequence[int]:
        return given.get(name, [0] * number)

    axes, backwards = entries("scan_input_axes", count), entries("scan_input_directions", count)
    places = [np.moveaxis(x, axis, 0) for x, axis in zip(tensors, axes, strict=True)]
    places = [x[::-1] if back else x for x, back in zip(places, backwards, strict=True)]
    rows: list[list[Array]] = [[] for _ in range(stacks)]
    for step in range(len(places[0])):
        values = body(graph, [*states, *(x[step] for x in places)])
        states = list(values[: len(states)])
        for row, value in zip(rows, values[len(states) :], strict=True):
            row.append(np.asarray(value))
    outputs = graph.output[len(states) :]
    made = [_stacked(row, info) for row, info in zip(rows, outputs, strict=True)]
    backwards = entries("scan_output_directions", stacks)
    made = [y[::-1] if back else y for y, back in zip(made, backwards, strict=True)]
    axes = entries("scan_output_axes", stacks)
    return [*states, *(np.moveaxis(y, 0, axis) for y, axis in zip(made, axes, strict=True))]


def _map(graph: GraphProto, inputs: Sequence[Value | None], body: Body) -> Sequence[Value]:
    """Run the body for each element of the first sequence, and of others at the same place."""
    first = inputs[0]
    assert isinstance(first, list)
    rows = [
        body(graph, [x[place] if isinstance(x, list) else x for x in inputs])
        for place in range(len(first))
    ]
    return [[np.asarray(row[i]) for row in rows] for i in range(len(graph.output))]


def _stacked(rows: Sequence[Array], info: object) -> Array:
    """Return rows as a tensor; without any, one of the shape that the subgraph states."""
    if rows:
        return np.stack(rows)
    tensor = info.type.tensor_type
    dtype = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
    return np.zeros((0, *(dim.dim_value for dim in tensor.shape.dim)), dtype)
