"""Every version of an operator whose shape ONNX's inference may misjudge goes through folding."""

import numpy as np
import pytest
from imported_models import import_model_proto
from onnx import TensorProto, helper, numpy_helper
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.func import Func

from autodeploy.dialects.nn import NN
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.passes.onnx.fold_onnx_constants import FoldOnnxConstantsPass
from autodeploy.passes.onnx.misjudged_shapes import is_misjudged


def misjudged(node, shapes, opset, weights=()):
    """Whether inference misjudges the only op of a model, after it was folded."""
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in shapes.items()
    ]
    graph = helper.make_graph(
        [node], "g", inputs, [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    )
    graph.initializer.extend(numpy_helper.from_array(a, name) for name, a in weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    ctx = Context()
    for dialect in (Builtin, Func, NN):
        ctx.load_dialect(dialect)
    module = import_model_proto(ctx, model)
    FoldOnnxConstantsPass().apply(ctx, module)
    (op,) = (op for op in module.walk() if isinstance(op, OnnxOp))
    return is_misjudged(ctx, op)


@pytest.mark.parametrize("opset", [10, 11, 13, 18, 19])
@pytest.mark.parametrize(("scale", "expected"), [(2.3, True), (2.5, False)])
def test_resize(opset, scale, expected):
    scales = ("s", np.array([1, scale], np.float32))
    region = ("r", np.array([], np.float32))
    inputs = {10: ["x", "s"], 11: ["x", "r", "s"]}.get(opset, ["x", "", "s"])
    node = helper.make_node("Resize", inputs, ["y"])
    assert misjudged(node, {"x": [3, 10]}, opset, [scales, region][: len(inputs) - 1]) is expected


@pytest.mark.parametrize(("given", "expected"), [({}, True), ({"onesided": 1}, False)])
def test_stft(given, expected):
    node = helper.make_node("STFT", ["x", "s", "", "n"], ["y"], **given)
    weights = [("s", np.array(4)), ("n", np.array(9))]
    assert misjudged(node, {"x": [2, 30, 1]}, 17, weights) is expected


@pytest.mark.parametrize("opset", [7, 9])
def test_upsample(opset):
    scales = np.array([1, 2.3], np.float32)
    if opset == 7:
        node = helper.make_node("Upsample", ["x"], ["y"], scales=scales.tolist())
        assert not misjudged(node, {"x": [3, 10]}, opset)
    else:
        node = helper.make_node("Upsample", ["x", "s"], ["y"])
        assert misjudged(node, {"x": [3, 10]}, opset, [("s", scales)])


@pytest.mark.parametrize(
    ("equation", "first", "second", "expected"),
    [
        ("ij,jk->ik", [2, 3], [3, 4], False),
        ("ij,jk->ik", [2, 1], [3, 4], True),
        ("...ij,...jk->...ik", [5, 2, 3], [5, 1, 4], True),
        ("...ij,...jk->...ik", [5, 2, 3], [1, 3, 4], False),
        ("bi...,b->i...", [1, 2, 3], [4], True),
    ],
)
def test_einsum(equation, first, second, expected):
    node = helper.make_node("Einsum", ["x", "z"], ["y"], equation=equation)
    assert misjudged(node, {"x": first, "z": second}, 12) is expected
