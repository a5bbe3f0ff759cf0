"""One ONNX operator run by ONNX's reference implementation."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from onnx import NodeProto, TensorProto, helper
from onnx.reference import ReferenceEvaluator

from autodeploy.weights import Array


def run_node(node: NodeProto, inputs: Mapping[str, Array], opset: int) -> list[Array] | None:
    """Return the tensors that a node computes from ``inputs``, one a named output.

    The operator is the one of ``opset`` in the node's domain. ``None`` where the reference fails or
    yields anything but tensors.
    """
    outputs = [name for name in node.output if name]
    graph = helper.make_graph(
        [node],
        "node",
        [helper.make_tensor_value_info(name, TensorProto.UNDEFINED, None) for name in inputs],
        [helper.make_tensor_value_info(name, TensorProto.UNDEFINED, None) for name in outputs],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid(node.domain, opset)])
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            evaluator: Any = ReferenceEvaluator(model)
            results = evaluator.run(None, dict(inputs))
    except Exception:  # the reference has no common base of errors; an op that fails stays as it is
        return None
    if not all(isinstance(result, np.ndarray | np.generic) for result in results):
        return None
    return [np.asarray(result) for result in results]
