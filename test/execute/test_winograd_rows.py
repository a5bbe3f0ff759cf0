"""A Winograd convolution that computes its image: rows are kept from band to band."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from configured import compile_rewritten
from merged import with_prologues
from onnx import TensorProto, helper, numpy_helper, shape_inference
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from autodeploy.compiler import CompileOptions
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.toolchain.session import load_bundle


@pytest.mark.parametrize(("form", "rows"), [(4, 1), (2, 1), (2, 3)])
@pytest.mark.parametrize(
    ("shape", "pads"),
    [
        ((2, 16, 29, 30), (1, 1, 1, 1)),
        ((1, 32, 32, 32), (1, 1, 1, 1)),
        ((2, 16, 26, 28), (0, 0, 0, 0)),
        ((1, 16, 27, 25), (2, 0, 0, 3)),
        ((3, 24, 17, 19), (0, 1, 2, 1)),
    ],
)
def test_results(tmp_path, shape, pads, form, rows):
    random = np.random.default_rng(sum(shape))
    channels = shape[1]
    weights = {
        "scale": random.standard_normal((1, channels, 1, 1), np.float32),
        "w": random.standard_normal((32, channels, 3, 3), np.float32) / channels,
    }
    graph = helper.make_graph(
        [
            helper.make_node("MaxPool", ["x"], ["pooled"], kernel_shape=[2, 2], pads=[0, 0, 1, 1]),
            helper.make_node("Mul", ["pooled", "scale"], ["scaled"]),
            helper.make_node("Tanh", ["scaled"], ["image"]),
            helper.make_node("Conv", ["image", "w"], ["y"], pads=pads),
        ],
        "rows",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_empty_tensor_value_info(name) for name in ("pooled", "y")],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    imports = [helper.make_opsetid("", 20)]
    model = shape_inference.infer_shapes(
        helper.make_model(graph, opset_imports=imports, ir_version=9)
    )
    x = random.standard_normal(shape, np.float32)
    reference = onnxruntime.InferenceSession(model.SerializeToString())
    (expected,) = reference.run(["y"], {"x": x})

    def configure(ctx: Context, module: ModuleOp) -> None:
        kernels = [op for op in module.walk() if isinstance(op, KernelOp)]
        (kernel,) = [kernel for kernel in kernels if isinstance(kernel.anchor, ConvOp)]
        knobs = f"transform = [{form}], rows = [{rows}]"
        kernel.config = Parser(ctx, f"#nn.config<winograd, {knobs}>").parse_attribute()

    options = CompileOptions(level=3)
    rewrites = {"fuse-kernels": with_prologues, "configure-kernels": configure}
    compile_rewritten(model.SerializeToString(), tmp_path / "bundle", options, rewrites)
    (text,) = (path.read_text() for path in (tmp_path / "bundle").glob("*.mlir"))
    assert "config<winograd" in text
    assert "halide.fold_storage" in text
    with load_bundle(tmp_path / "bundle") as session:
        found = session.run({"x": x})["y"]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * np.abs(expected).max())
