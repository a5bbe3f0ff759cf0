"""Cases of one operator: those of ``test/support/onnx_cases.py`` with other numbers and types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from functools import partial

import numpy as np
from fuzz_case import FuzzCase, Oracle, build_model
from fuzz_numbers import FLOATS, MOODS, QUIET, Array, draw, draw_integers, is_float
from fuzz_onnxruntime import run_node
from fuzz_reference import sample
from fuzz_rules import NORMS
from onnx import NodeProto, defs, helper, numpy_helper
from onnx_case import OnnxCase
from onnx_cases import CASES

PARAMETERS: Mapping[str, frozenset[int]] = {
    "Resize": frozenset({1, 2}),
    "Upsample": frozenset({1}),
    "OneHot": frozenset({1}),
    "Dropout": frozenset({1, 2}),
    "Tile": frozenset({1, 2}),
    "Split": frozenset({1}),
    "Clip": frozenset({1, 2}),
    "BatchNormalization": frozenset({3, 4}),
    "MelWeightMatrix": frozenset({3, 4}),
    "RoiAlign": frozenset({1}),
    "MaxRoiPool": frozenset({1}),
}
"""Floats that say what an operator does, by the number of the input; the rest is data."""

WHOLE = frozenset(
    (
        "Add",
        "Sub",
        "Mul",
        "Div",
        "Mod",
        "Max",
        "Min",
        "Equal",
        "Less",
        "LessOrEqual",
        "Greater",
        "GreaterOrEqual",
    )
)
"""Operators whose integers may be any."""


ORDINARY = frozenset(("QuantizeLinear", "DynamicQuantizeLinear", "QLinearConv", "QLinearMatMul"))
"""Operators whose reference converts numbers to i32 that do not fit."""


def vary_operator(
    name: str, number: int, random: np.random.Generator, moods: Sequence[str] = MOODS
) -> FuzzCase | None:
    """Return a case of the table with numbers that are drawn, or ``None`` where none is known.

    The type is another one of ONNX's for this operator in every second case.
    """
    example = CASES[number % len(CASES)]
    graph = example.build(None).graph
    if len(graph.node) != 1:
        return None
    (node,) = graph.node
    if node.domain:
        return None  # the models that are made hold operators of ONNX's own domain
    constants = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    arrays = {**constants, **example.inputs}
    data = {name: array for name, array in arrays.items() if _is_data(node, name)}
    old = next((a.dtype for a in data.values() if is_float(a.dtype)), None)
    opset = example.build(None).opset_import[0].version
    new = _other_type(node, opset, old, random) if example.oracle == "reference" else old
    quiet = node.op_type in NORMS - {"Softmax"} or example.oracle == "onnxruntime"
    if (
        example.oracle == "onnxruntime"
        or node.op_type in ORDINARY
        or (quiet and random.random() < 0.8)
    ):
        moods = QUIET
    for key, array in data.items():
        if is_float(array.dtype):
            dtype = new if array.dtype == old and new is not None else array.dtype
            arrays[key] = draw(random, array.shape, dtype, moods)
        elif node.op_type in WHOLE and array.dtype.kind in "iu":
            arrays[key] = draw_integers(
                random, array.shape, array.dtype, zeros=node.op_type not in ("Div", "Mod")
            )
    if new is not None:
        arrays.update(_retyped(node, opset, arrays.keys() - data.keys(), arrays, new))
    if node.op_type in ("Div", "Mod"):
        _avoid_overflow(node, arrays)
    fed = {key: array for key, array in arrays.items() if key in example.inputs}
    held = {key: array for key, array in arrays.items() if key in constants}
    for key in data:
        if is_float(arrays[key].dtype) and random.random() < 0.25:
            there, here = (held, fed) if key in fed and len(fed) > 1 else (fed, held)
            if key in here:
                there[key] = here.pop(key)
    oracle = _oracle(example, node, opset)
    return _finished(name, node, opset, fed, held, {} if oracle is None else {0: oracle})


def with_oracles(case: FuzzCase) -> FuzzCase:
    """Return a case that was read from a file with what the table computes its nodes by."""
    table = {example.name: example for example in CASES}
    found = {
        index: _oracle(table[node.name], node, case.opset())
        for index, node in enumerate(case.nodes)
        if node.name in table
    }
    known = {index: oracle for index, oracle in found.items() if oracle is not None}
    return replace(case, oracles={**known, **case.oracles})


def _finished(
    name: str,
    node: NodeProto,
    opset: int,
    fed: Mapping[str, Array],
    held: Mapping[str, Array],
    oracles: Mapping[int, Oracle],
) -> FuzzCase | None:
    draft = FuzzCase(name, build_model(name, [node], fed, held, {}, opset), fed, oracles)
    try:
        tensors = sample(draft)
    except Exception:  # what computes the expected numbers has no such type
        return None
    results = {key: tensors[key] for key in node.output if key}
    return FuzzCase(name, build_model(name, [node], fed, held, results, opset), fed, oracles)


def _is_data(node: NodeProto, name: str) -> bool:
    if name not in node.input:
        return False  # a body reads it
    index = list(node.input).index(name)
    return index not in PARAMETERS.get(node.op_type, ())


def _other_type(
    node: NodeProto, opset: int, old: np.dtype | None, random: np.random.Generator
) -> np.dtype | None:
    """Return a float type that ONNX's schema allows for the first input."""
    if old is None or random.random() < 0.5:
        return old
    schema = defs.get_schema(node.op_type, opset)
    typed = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
    allowed = typed.get(schema.inputs[0].type_str, ()) if schema.inputs else ()
    known = [dtype for dtype in FLOATS if _type_string(dtype) in allowed]
    return known[random.integers(len(known))] if known else old


def _retyped(
    node: NodeProto, opset: int, names: Set[str], arrays: Mapping[str, Array], new: np.dtype
) -> Mapping[str, Array]:
    """Return the parameters that have the type of the first input, in its new type."""
    inputs = defs.get_schema(node.op_type, opset).inputs
    same = [i for i, value in enumerate(inputs) if value.type_str == inputs[0].type_str]
    told = {node.input[i] for i in same if i < len(node.input)} & names
    return {name: arrays[name].astype(new) for name in told if is_float(arrays[name].dtype)}


def _type_string(dtype: np.dtype) -> str:
    names = {"float32": "float", "float64": "double"}
    return f"tensor({names.get(dtype.name, dtype.name)})"


def _avoid_overflow(node: NodeProto, arrays: dict[str, Array]) -> None:
    """Replace the lowest integers, whose quotient by -1 ONNX does not define."""
    x = arrays[node.input[0]]
    if x.dtype.kind == "i":
        lowest = np.iinfo(x.dtype).min
        arrays[node.input[0]] = np.where(x == lowest, x.dtype.type(lowest + 1), x)


def _typed(oracle: Oracle, types: Sequence[np.dtype], *inputs: Array | None) -> tuple[Array, ...]:
    """Return what a function of NumPy computes, integers in the types of the outputs."""
    found = oracle(*inputs)
    results = found if isinstance(found, tuple) else (found,)
    pairs = zip(map(np.asarray, results), types, strict=True)
    wide = [x.dtype for x in inputs if x is not None and is_float(x.dtype)]
    return tuple(y.astype(wide[0] if is_float(t) and wide else t) for y, t in pairs)


def _oracle(example: OnnxCase, node: NodeProto, opset: int) -> Oracle | None:
    if callable(example.oracle):
        declared = [v.type.tensor_type.elem_type for v in example.build(None).graph.output]
        types = [np.dtype(helper.tensor_dtype_to_np_dtype(number)) for number in declared]
        return partial(_typed, example.oracle, types)
    if example.oracle == "reference":
        return None

    return lambda *inputs: run_node(node, opset, inputs)
