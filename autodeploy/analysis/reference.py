"""One ONNX operator run by ONNX's reference implementation."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from onnx import NodeProto, TensorProto, helper

from autodeploy.weights import Array

_SAME_SINCE = {"DequantizeLinear": 19}
"""Operators whose older versions the reference lacks: this one computes the same numbers."""


@dataclass(frozen=True)
class Reference:
    """A node as ONNX's reference implementation runs it, which is prepared once."""

    evaluator: Any

    @classmethod
    def of(cls, node: NodeProto, names: Sequence[str], opset: int) -> Reference | None:
        """Return a node with inputs of these names; ``None`` if the reference has none of it.

        The operator is the one of ``opset`` in the node's domain.
        """
        # Its modules are loaded where there is something to compute.
        from onnx.reference import ReferenceEvaluator

        inputs, outputs = (
            [helper.make_tensor_value_info(name, TensorProto.UNDEFINED, None) for name in side]
            for side in (names, filter(None, node.output))
        )
        opset = max(opset, 0 if node.domain else _SAME_SINCE.get(node.op_type, 0))
        graph = helper.make_graph([node], "node", inputs, outputs)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid(node.domain, opset)])
        try:
            return cls(ReferenceEvaluator(model))
        except Exception:  # the reference has no common base of errors
            return None

    def __call__(self, inputs: Mapping[str, Array]) -> list[Array] | None:
        """Return the tensors that the node computes from ``inputs``, one a named output.

        ``None`` if the reference fails or yields anything but tensors.
        """
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                results = self.evaluator.run(None, dict(inputs))
        except Exception:  # the reference has no common base of errors
            return None
        if not all(isinstance(result, np.ndarray | np.generic) for result in results):
            return None
        return [np.asarray(result) for result in results]
