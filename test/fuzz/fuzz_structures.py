"""What operators on sequences and optionals compute: lists and tuples of Python."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from fuzz_case import Value
from fuzz_numbers import Array
from onnx import NodeProto, helper

STRUCTURES = frozenset((
    "SequenceEmpty", "SequenceConstruct", "SequenceInsert", "SequenceErase", "SequenceAt",
    "SequenceLength", "SplitToSequence", "ConcatFromSequence", "Optional", "OptionalHasElement",
    "OptionalGetElement",
))  # fmt: skip
"""Operators that only choose among tensors."""


def run_structure(node: NodeProto, inputs: Sequence[Value | None]) -> Sequence[Value]:
    """Return the result of an operator on sequences or optionals."""
    given = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    first = inputs[0] if inputs else None
    match node.op_type:
        case "SequenceEmpty":
            return [[]]
        case "SequenceConstruct":
            return [list(inputs)]
        case "SequenceInsert":
            made = list(first)
            made.insert(_place(inputs, 2, len(made)), inputs[1])
            return [made]
        case "SequenceErase":
            made = list(first)
            del made[_place(inputs, 1, -1)]
            return [made]
        case "SequenceAt":
            return [first[_place(inputs, 1, -1)]]
        case "SequenceLength":
            return [np.array(len(first), np.int64)]
        case "SplitToSequence":
            axis, keeps = given.get("axis", 0), given.get("keepdims", 1)
            return [_split(first, inputs[1] if len(inputs) > 1 else None, axis, bool(keeps))]
        case "ConcatFromSequence":
            join = np.stack if given.get("new_axis", 0) else np.concatenate
            return [join(first, axis=given["axis"])]
        case "Optional":
            return [() if first is None else (first,)]
        case "OptionalHasElement":
            return [np.array(first is not None and first != ())]
        case _:
            return [first[0] if isinstance(first, tuple) else first]


def _place(inputs: Sequence[Value | None], number: int, otherwise: int) -> int:
    given = inputs[number] if len(inputs) > number else None
    return otherwise if given is None else int(np.asarray(given))


def _split(x: Array, sizes: Array | None, axis: int, keepdims: bool) -> list[Array]:
    if sizes is None:
        parts = np.split(x, x.shape[axis], axis)
        return parts if keepdims else [part.squeeze(axis) for part in parts]
    ends = np.cumsum(sizes)[:-1] if sizes.ndim else np.arange(sizes, x.shape[axis], int(sizes))
    return np.split(x, ends, axis)
