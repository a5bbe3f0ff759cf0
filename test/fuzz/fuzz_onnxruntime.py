"""What onnxruntime computes: the second opinion on a model, and the only one on some operators.

It is known to compute something else than ONNX says for some models, and is not asked about these
(``may_differ``):

* with 16-bit floats, which it does not round behind each operator;
* with infinities and nans: its pools and largest numbers leave nans out, its Clip has an end;
* with Gather of rows of strings: it takes the first string of each row alone;
* with StringSplit of an empty string: it counts no pieces, where ONNX's reference counts one;
* with StringSplit of a tab, which is no white space to it;
* with a Scan whose body hands out one value twice: it leaves the first one as it was;
* with products by signed numbers of 8 bits: on a processor without instructions for them (VNNI) it
  adds two products in 16 bits, and what is more than these hold is the largest that they hold;
* with Where, where it chooses a -0: its result is 0;
* with Resize to sizes of nearest elements: it rounds a scale such as 8/14 to 32 bits and divides by
  it, so that the exact place 7 becomes one just before 7, whose floor is 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from fuzz_case import FuzzCase, Value, every_node, subgraphs
from fuzz_numbers import Array, is_float
from fuzz_rules import ULP
from onnx import ModelProto, NodeProto, helper

WEIGHTS = {"MatMulInteger": 1, "ConvInteger": 1, "QLinearMatMul": 3, "QLinearConv": 3}
"""Which input of an operator that multiplies numbers of 8 bits is the second factor."""


def run_node(node: NodeProto, opset: int, inputs: Sequence[Array | None]) -> tuple[Array, ...]:
    """Return the results of a node; numbers of 64 bits are computed in 32."""
    named = {n: x for n, x in zip(node.input, inputs, strict=True) if x is not None and n}
    narrow = {n: x.astype(np.float32) if x.dtype == np.float64 else x for n, x in named.items()}
    graph = helper.make_graph(
        [node],
        "node",
        [
            helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
            for n, x in narrow.items()
        ],
        [helper.make_empty_tensor_value_info(n) for n in node.output],
    )
    imports = [helper.make_opsetid("", opset)]
    return tuple(_run(helper.make_model(graph, opset_imports=imports, ir_version=8), narrow))


def may_differ(case: FuzzCase, values: Mapping[str, Value]) -> bool:
    """Tell whether a case, whose values are given, is one that it computes in its own way."""
    floats = [a for a in values.values() if isinstance(a, np.ndarray) and is_float(a.dtype)]
    if any(a.dtype in ULP or not np.isfinite(a).all() for a in floats):
        return True
    for node in every_node(case.nodes):
        # What a subgraph computes has no one value.
        value = values.get(node.input[0]) if node.input else None
        if node.op_type == "StringSplit":
            texts = value.reshape(-1).tolist() if isinstance(value, np.ndarray) else [""]
            if any(text == "" or "\t" in text for text in texts):
                return True
        if node.op_type == "Gather" and isinstance(value, np.ndarray) and value.dtype == object:
            return True
        if node.op_type == "Where" and any(
            _may_hold_negative_zero(values.get(name)) for name in node.input[1:]
        ):
            return True
        by_sizes = node.op_type == "Resize" and len(node.input) == 4
        if by_sizes and not _has_exact_places(value, values.get(node.input[3])):
            return True
        if node.op_type in WEIGHTS:
            weight = values.get(node.input[WEIGHTS[node.op_type]])
            if not isinstance(weight, np.ndarray) or weight.dtype == np.int8:
                return True
        if node.op_type == "Scan":
            (body,) = subgraphs(node)
            names = [value.name for value in body.output]
            if len(set(names)) < len(names):
                return True
    return False


def _may_hold_negative_zero(value: Value | None) -> bool:
    """Tell whether a value holds a zero with a sign, or is not known, as in a subgraph."""
    if not isinstance(value, np.ndarray):
        return True
    return is_float(value.dtype) and bool(((value == 0) & np.signbit(value)).any())


def _has_exact_places(image: Value | None, sizes: Value | None) -> bool:
    """Tell whether floats of 32 bits find the element at or before each place of a resized image.

    The place of element k of a result of m elements, from an axis of n, is k n / m.
    """
    if not isinstance(image, np.ndarray) or not isinstance(sizes, np.ndarray):
        return False
    for n, m in zip(image.shape, sizes.tolist(), strict=True):
        k = np.arange(m)
        if (k.astype(np.float32) / np.float32(m / n) // 1 != k * n // m).any():
            return False
    return True


def run_model(case: FuzzCase) -> Sequence[Array]:
    """Return the outputs of a case; raises where onnxruntime does not take the model."""
    return _run(case.model, case.inputs)


def _run(model: ModelProto, inputs: Mapping[str, Array]) -> Sequence[Array]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    return [np.asarray(y) for y in session.run(None, dict(inputs))]
