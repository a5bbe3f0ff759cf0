"""Numbers on both operands of a product: one on its result, through the generated C."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
from closeness import assert_close
from onnx import TensorProto, helper, numpy_helper
from own_numbers import OwnNumbers

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle

RANDOM = OwnNumbers(5)


def test_scores_with_roots_of_a_scale(tmp_path: Path) -> None:
    """Neither queries nor keys are multiplied by a kernel of their own."""
    inputs = {
        "q": RANDOM.standard_normal((2, 13, 8), np.float32),
        "k": RANDOM.standard_normal((2, 8, 21), np.float32),
    }
    weights = {
        "a": np.array([0.5946], np.float32),
        "b": np.array([[0.25]], np.float32),
    }
    nodes = [
        helper.make_node("Mul", ["q", "a"], ["r"]),
        helper.make_node("Mul", ["b", "k"], ["l"]),
        helper.make_node("MatMul", ["r", "l"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "scores",
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, v.shape) for n, v in inputs.items()],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (2, 13, 21))],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    imports = [helper.make_opsetid("", 17)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=8).SerializeToString()
    compile_model(model, tmp_path / "bundle", CompileOptions(level=2))
    assert [kernel.algorithm for kernel in Manifest.load(tmp_path / "bundle").kernels] == ["gemm"]
    (expected,) = onnxruntime.InferenceSession(model).run(None, inputs)
    with load_bundle(tmp_path / "bundle") as program:
        assert_close(program.run(inputs)["y"], expected)
