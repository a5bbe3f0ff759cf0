"""Whether results of a quantised graph are those of onnxruntime, or as many steps off as may be.

onnxruntime sums codes in integers where it finds the layers that it knows. It does not take each
graph with these; then it computes all layers in floats, or ONNX's reference does, if it knows them.
Floats also decide if a bias of integers has another scale than the sums, which ignore that scale.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from fuzz_case import FuzzCase
from fuzz_compare import Difference
from fuzz_numbers import Array
from onnx import GraphProto, numpy_helper
from onnx.reference import ReferenceEvaluator

_CHANGES_NUMBERS = ["DoubleQDQPairsRemover"]
"""Optimisers of onnxruntime that take the second rounding of a pair away."""


class CodesExpectation:
    """The results of a graph, each with the largest error at a level: 0 has no sums of integers."""

    def __init__(self, case: FuzzCase, level: int):
        assert case.slack is not None
        self._names = case.outputs
        self._wanted, exact = _computed(case) or ((), False)
        self._errors = [case.slack[name][0 if exact and level else 1] for name in self._names]

    def differences(self, found: Sequence[Array]) -> list[Difference]:
        """Return the results with an element that is further off."""
        if not self._wanted:
            return []
        result: list[Difference] = []
        for name, ours, theirs, error in zip(
            self._names, found, self._wanted, self._errors, strict=True
        ):
            text, wanted = f"{ours.dtype} {ours.shape}", f"{theirs.dtype} {theirs.shape}"
            if text != wanted:
                result.append(Difference(name, (), text, wanted, ours.size, ours.size))
                continue
            one, other = ours.astype(np.float64), theirs.astype(np.float64)
            rounding = 1e-6 * np.abs(other) if ours.dtype.kind == "f" else 0
            with np.errstate(all="ignore"):
                near = (np.abs(one - other) <= error + rounding) | (one == other)
            wrong = ~(near | (np.isnan(one) & np.isnan(other)))
            if wrong.any():
                place = tuple(int(i) for i in np.argwhere(wrong)[0])
                far = f"{other[place]:g}, or at most {error:g} off"
                count = int(wrong.sum())
                result.append(Difference(name, place, f"{one[place]:g}", far, count, ours.size))
        return result

    def open_share(self) -> float:
        """Return the share of elements of which nothing is known."""
        return 0.0 if self._wanted else 1.0


def _computed(case: FuzzCase) -> tuple[Sequence[Array], bool] | None:
    """Return the results, and whether layers were summed in integers, if the model runs at all."""
    import onnxruntime

    model, inputs = case.model.SerializeToString(), dict(case.inputs)
    levels = onnxruntime.GraphOptimizationLevel
    first = () if _scales_a_bias(case.model.graph) else (levels.ORT_ENABLE_ALL,)
    for level in (*first, levels.ORT_DISABLE_ALL):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.log_severity_level = 1, 4
        options.graph_optimization_level = level
        try:
            session = onnxruntime.InferenceSession(
                model, options, disabled_optimizers=_CHANGES_NUMBERS
            )
            results = [np.asarray(y) for y in session.run(None, inputs)]
        except Exception:  # what it lacks, or scales that it does not take
            continue
        return results, level == levels.ORT_ENABLE_ALL
    if any(node.domain for node in case.nodes):
        return None
    return [np.asarray(y) for y in ReferenceEvaluator(case.model).run(None, inputs)], False


def _scales_a_bias(graph: GraphProto) -> bool:
    """Tell whether a layer's bias of integers has another scale than its sums."""
    known = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    made = {name: node for node in graph.node for name in node.output}
    for node in graph.node:
        parts = [made.get(name) for name in node.input]
        if node.op_type in ("Conv", "Gemm") and len(parts) == 3 and all(parts):
            x, weights, bias = (known[part.input[1]] for part in parts if part is not None)
            if not np.allclose(x * weights, bias, rtol=1e-3, atol=0):
                return True
    return False
