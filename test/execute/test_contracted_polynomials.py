"""Swish, Gelu and others that end a kernel.

Their polynomials are contracted, for which the code generator assumes that they find no nan and no
infinity. What they are computed from is strict, and results come out right all the same.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from closeness import assert_close
from onnx import TensorProto, helper, numpy_helper, shape_inference
from onnx.reference import ReferenceEvaluator
from onnx_case import SPECIAL

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle

COLUMNS = 19
"""A vector of 16 lanes and three elements more."""

NODES = {
    "swish": [("Sigmoid", ["moved"], "gate"), ("Mul", ["moved", "gate"], "y")],
    "gelu": [("Gelu", ["moved"], "y")],
    "sigmoid": [("Sigmoid", ["moved"], "y")],
    "tanh": [("Tanh", ["moved"], "y")],
    "gate": [
        *[("Mul", ["moved", "scale"], "more"), ("Sigmoid", ["more"], "gate")],
        ("Mul", ["gate", "moved"], "y"),
    ],
    "sigmoid_of_sigmoid": [("Sigmoid", ["moved"], "inner"), ("Sigmoid", ["inner"], "y")],
}


@pytest.mark.parametrize("function", NODES)
def test_numbers_and_others(tmp_path, function):
    nodes = [("Mul", ["x", "scale"], "moved"), *NODES[function]]
    weights = {"scale": np.full(COLUMNS, 1.25, np.float32)}
    numbers = np.concatenate([SPECIAL, np.linspace(-95, 95, 191, dtype=np.float32)])
    x = np.repeat(numbers[:, np.newaxis], COLUMNS, axis=1)
    graph = helper.make_graph(
        [helper.make_node(op, operands, [result]) for op, operands, result in nodes],
        "polynomial",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, x.shape)],
        [helper.make_empty_tensor_value_info("y")],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    imports = [helper.make_opsetid("", 20)]
    model = shape_inference.infer_shapes(
        helper.make_model(graph, opset_imports=imports, ir_version=9)
    )
    with np.errstate(all="ignore"):
        (expected,) = ReferenceEvaluator(model).run(None, {"x": x})
    bundle = tmp_path / "bundle"
    compile_model(model.SerializeToString(), bundle, CompileOptions(level=2))
    with load_bundle(bundle) as session:
        (found,) = session.run({"x": x}).values()
    kernels = json.loads((bundle / "manifest.json").read_text())["kernels"]
    assert len(kernels) == 1
    assert_close(found, expected)
