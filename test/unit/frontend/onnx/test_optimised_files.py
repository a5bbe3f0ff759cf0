"""Files that onnxruntime's own optimiser writes: the numbers are those of the file before."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from imported_models import import_model_proto
from nn_numpy import evaluate

from autodeploy.diagnostics import ModelError, ModelWarning
from autodeploy.dialects.registry import new_context
from autodeploy.frontend.onnx.importer import import_model
from autodeploy.lowering.onnx_to_nn.context import converted_operators
from autodeploy.lowering.onnx_to_nn.convert_onnx_to_nn import ConvertOnnxToNnPass
from autodeploy.passes.onnx.inline_onnx_functions import InlineOnnxFunctionsPass

NCHWC = "com.microsoft.nchwc"
LEVELS = {
    "extended": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED,
    "all": onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL,
}

GRAPHS = {
    "convolutions": (
        """(float[1,3,6,6] x, float[4,3,3,3] w, float[4] b, float[4,4,3,3] v)
            => (float[n,c,h,w] y) {
            c = Conv <pads = [1, 1, 1, 1]> (x, w, b)
            r = Relu (c)
            d = Conv <pads = [1, 1, 1, 1]> (r, v, b)
            s = Add (d, r)
            t = Relu (s)
            e = Conv (t, v, b)
            y = LeakyRelu <alpha = 0.1> (e)
        }""",
        {"FusedConv"},
    ),
    "blocks": (
        """(float[1,3,9,8] x, float[24,3,3,3] w, float[24] b, float[24,1,3,3] d, float[16,24,1,1] v,
            float[24,16,3,3] u) => (float[n,c,h,w] y) {
            c = Conv <pads = [1, 1, 1, 1], strides = [2, 2]> (x, w, b)
            r = Relu (c)
            e = Conv <group = 24, pads = [1, 1, 1, 1]> (r, d)
            s = Sigmoid (e)
            p = Conv (s, v)
            f = Constant <value_floats = [1.0, 1.0, 2.0, 2.0]> ()
            i = Resize <mode = "nearest", nearest_mode = "floor",
                        coordinate_transformation_mode = "asymmetric"> (p, , f)
            m = MaxPool <kernel_shape = [3, 3], pads = [1, 1, 1, 1], strides = [2, 2]> (i)
            k = Conv <pads = [1, 1, 1, 1]> (m, u)
            t = Add (k, r)
            y = AveragePool <kernel_shape = [2, 2]> (t)
        }""",
        {"ReorderOutput", "Upsample"},
    ),
    "products": (
        """(float[3,4] x, float[4,5] w, float[5] b, float[6,5] v) => (float[n,m] y) {
            g = Gemm (x, w, b)
            t = Sigmoid (g)
            k = Transpose <perm = [1, 0]> (v)
            p = MatMul (t, k)
            f = Constant <value_float = 0.5> ()
            y = Mul (p, f)
        }""",
        {"FusedGemm", "FusedMatMul"},
    ),
    "gelu": (
        """(float[2,3,8] x, float[8] w, float[8] b) => (float[n,m,k] y) {
            two = Constant <value_float = 1.4142135> ()
            one = Constant <value_float = 1.0> ()
            half = Constant <value_float = 0.5> ()
            s = Add (x, b)
            d = Div (s, two)
            e = Erf (d)
            a = Add (e, one)
            m = Mul (s, a)
            g = Mul (m, half)
            u = Add (g, x)
            y = LayerNormalization <axis = -1> (u, w, b)
        }""",
        {"BiasGelu", "SkipLayerNormalization"},
    ),
    "quick_gelu": (
        """(float[2,8] x) => (float[n,m] y) {
            f = Constant <value_float = 1.702> ()
            m = Mul (x, f)
            s = Sigmoid (m)
            y = Mul (x, s)
        }""",
        {"QuickGelu"},
    ),
    "quantised": (
        """(float[2,8] x, float[8,4] w) => (float[n,m] y) {
            s = Constant <value_float = 0.0371> ()
            z = Constant <value = uint8 {128}> ()
            q = QuantizeLinear (x, s, z)
            d = DequantizeLinear (q, s, z)
            a = Add (d, d)
            r = QuantizeLinear (a, s, z)
            e = DequantizeLinear (r, s, z)
            t = Sigmoid (e)
            f = QuantizeLinear (t, s, z)
            y = DequantizeLinear (f, s, z)
        }""",
        {"QLinearAdd", "QLinearSigmoid"},
    ),
    "channels_last": (
        """(float[1,4,6,6] x, float[4,4,3,3] w, float[4,8,1,1] v) => (float[n,c,h,k] y) {
            s = Constant <value_float = 0.0371> ()
            z = Constant <value = uint8 {128}> ()
            i = Constant <value = int8 {0}> ()
            wq = QuantizeLinear (w, s, i)
            vq = QuantizeLinear (v, s, i)
            wd = DequantizeLinear (wq, s, i)
            vd = DequantizeLinear (vq, s, i)
            xq = QuantizeLinear (x, s, z)
            xd = DequantizeLinear (xq, s, z)
            a = Conv <pads = [1, 1, 1, 1]> (xd, wd)
            aq = QuantizeLinear (a, s, z)
            ad = DequantizeLinear (aq, s, z)
            m = MaxPool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (ad)
            mq = QuantizeLinear (m, s, z)
            md = DequantizeLinear (mq, s, z)
            c = Concat <axis = 1> (md, ad)
            cq = QuantizeLinear (c, s, z)
            cd = DequantizeLinear (cq, s, z)
            b = Conv (cd, vd)
            bq = QuantizeLinear (b, s, z)
            y = DequantizeLinear (bq, s, z)
        }""",
        {"QLinearConv", "QLinearConcat"},
    ),
    "rows": (
        """(float[2,8] x, float[8] w) => (float[n,m] y) {
            two = Constant <value_float = 2.0> ()
            axes = Constant <value_ints = [-1]> ()
            small = Constant <value_float = 0.00001> ()
            p = Pow (x, two)
            m = ReduceMean <keepdims = 1> (p, axes)
            a = Add (m, small)
            r = Sqrt (a)
            d = Div (x, r)
            y = Mul (d, w)
        }""",
        {"SimplifiedLayerNormalization"},
    ),
}
"""Graphs, whose first input stays one, and operators that the optimiser makes of them."""


def written(name: str, level: str, folder: Path) -> tuple[Path, np.ndarray, list[np.ndarray]]:
    """Return the optimised file of a graph, an input, and the results before."""
    rng = np.random.default_rng(3)
    model = onnx.parser.parse_model(
        f'<ir_version: 9, opset_import: ["": 18]> {name} {GRAPHS[name][0]}'
    )
    x, *weights = model.graph.input
    for info in weights:
        shape = [dim.dim_value for dim in info.type.tensor_type.shape.dim]
        array = rng.standard_normal(shape).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, info.name))
    del model.graph.input[1:]
    shape = [dim.dim_value for dim in x.type.tensor_type.shape.dim]
    value = rng.standard_normal(shape).astype(np.float32)
    plain = onnxruntime.SessionOptions()
    plain.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    expected = onnxruntime.InferenceSession(model.SerializeToString(), plain).run(
        None, {"x": value}
    )
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = LEVELS[level]
    options.optimized_model_filepath = str(folder / "optimised.onnx")
    disabled = None if name == "blocks" else ["NchwcTransformer"]
    onnxruntime.InferenceSession(model.SerializeToString(), options, disabled_optimizers=disabled)
    return folder / "optimised.onnx", value, expected


def _blocked(image: list[int], *filters: list[int], used: int) -> onnx.ModelProto:
    """Return convolutions one after another, in blocks of channels of which some are used."""
    nodes = [
        onnx.helper.make_node("Conv", [f"x{i}", f"w{i}"], [f"x{i + 1}"], domain=NCHWC)
        for i in range(len(filters))
    ]
    last = [f"x{len(filters)}"]
    nodes.append(onnx.helper.make_node("ReorderOutput", last, ["y"], domain=NCHWC, channels=used))
    types = [
        onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
        for name, shape in (("x0", image), ("y", None))
    ]
    weights = [
        onnx.numpy_helper.from_array(np.ones(shape, np.float32), f"w{i}")
        for i, shape in enumerate(filters)
    ]
    graph = onnx.helper.make_graph(nodes, "g", types[:1], types[1:], weights)
    imports = [onnx.helper.make_opsetid(name, 1 if name else 18) for name in ("", NCHWC)]
    return onnx.helper.make_model(graph, opset_imports=imports, ir_version=8)


@pytest.mark.parametrize(
    ("image", "filters", "used", "size"),
    [
        ([1, 3, 4, 4], [[24, 3, 1, 1]], 24, 8),  # filters
        ([1, 24, 4, 4], [[32, 24, 1, 1]], 32, 8),  # channels that a filter reads
        ([1, 3, 4, 4], [[16, 3, 1, 1], [32, 16, 1, 1]], 24, 16),  # channels that no one reads
    ],
)
def test_numbers_of_channels_decide_the_size_of_a_block(image, filters, used, size):
    with warnings.catch_warnings(action="error"):
        module = import_model_proto(new_context(), _blocked(image, *filters, used=used))
    convs = [op for op in module.walk() if op.name == f"onnx.{NCHWC}.Conv"]
    assert [op.properties["block"].value.data for op in convs] == [size] * len(filters)


def test_channels_that_count_are_followed_through_operators_on_blocks():
    model = _blocked([1, 3, 4, 4], [16, 3, 1, 1], used=24)
    convs = [onnx.helper.make_node("Concat", ["x1", "r"], ["c"], axis=1)]
    convs.insert(0, onnx.helper.make_node("Relu", ["x1"], ["r"]))
    model.graph.node[1].input[0] = "c"
    out = model.graph.node.pop()
    model.graph.node.extend([*convs, out])
    with warnings.catch_warnings(action="error"):
        import_model_proto(new_context(), model)


def test_blocks_of_a_size_that_the_file_leaves_open_are_a_warning():
    with pytest.warns(ModelWarning, match=r"read in blocks of 16, .* ORT_ENABLE_EXTENDED"):
        import_model_proto(new_context(), _blocked([1, 3, 4, 4], [32, 3, 1, 1], used=32))


@pytest.mark.parametrize(
    ("image", "filters", "used"),
    [
        ([1, 3, 4, 4], [12, 3, 1, 1], 12),
        ([1, 3, 4, 4], [32, 3, 1, 1], 16),
        ([1, 3, 4, 4], [24, 3, 1, 1], 32),
    ],
)
def test_channels_in_blocks_of_another_size_are_refused_with_the_way_out(image, filters, used):
    with pytest.raises(ModelError, match=r"not in blocks of 8 or 16; .* ORT_ENABLE_EXTENDED"):
        import_model_proto(new_context(), _blocked(image, filters, used=used))


@pytest.mark.parametrize(
    ("name", "level"),
    [
        (name, level)
        for name in GRAPHS
        for level in LEVELS
        if (name, level) != ("blocks", "extended")
    ],
)
def test_numbers_are_those_of_the_file_before(tmp_path, name, level):
    path, value, expected = written(name, level, tmp_path)
    assert {node.op_type for node in onnx.load(path).graph.node} >= GRAPHS[name][1]
    ctx = new_context()
    module = import_model(ctx, path)
    InlineOnnxFunctionsPass(keep=converted_operators()).apply(ctx, module)
    ConvertOnnxToNnPass().apply(ctx, module)
    for ours, theirs in zip(evaluate(ctx, module, [value]), expected, strict=True):
        np.testing.assert_allclose(ours, theirs, 2e-5, 2e-5)
