"""What the onnx passes leave computes what the model computed, by ONNX's reference."""

import ml_dtypes
import numpy as np
import onnx
import pytest
from imported_models import import_model_proto
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from xdsl.context import Context
from xdsl.dialects.func import FuncOp, ReturnOp

from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.passes.onnx.fold_onnx_constants import FoldOnnxConstantsPass
from autodeploy.passes.onnx.inline_onnx_functions import InlineOnnxFunctionsPass
from autodeploy.passes.onnx.known_nodes import KnownNode
from autodeploy.weights import WeightStore

F32, BF16 = np.float32, ml_dtypes.bfloat16


def model_of(node, opset, inputs, constants):
    """Make a model of one node, and compute its outputs."""

    def info(name, array, shape):
        kind = helper.np_dtype_to_tensor_dtype(array.dtype)
        return helper.make_tensor_value_info(name, kind, shape)

    graph = helper.make_graph(
        [node],
        "model",
        [info(name, array, array.shape) for name, array in inputs.items()],
        [helper.make_value_info(name, onnx.TypeProto()) for name in node.output],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    results = ReferenceEvaluator(model).run(None, inputs)
    for output, result in zip(model.graph.output, results, strict=True):
        output.CopyFrom(info(output.name, result, None))
    return model, results


def imported(ctx, model):
    module = import_model_proto(ctx, model)
    (main,) = (op for op in module.ops if isinstance(op, FuncOp))
    return module, main


def run(ctx, main, inputs):
    """Compute a function of onnx ops and constants op by op."""
    values = dict(zip(main.body.block.args, inputs, strict=True))
    for op in main.body.block.ops:
        if isinstance(op, ConstantOp):
            values[op.result] = WeightStore.of(ctx).array(op.value)
        elif isinstance(op, OnnxOp):
            found = KnownNode.of(ctx, op).run([values[value] for value in op.operands])
            values.update(zip(op.results, found, strict=True))
        else:
            assert isinstance(op, ReturnOp)
            return [values[value] for value in op.operands]
    raise AssertionError("no return")


def random(*shape, dtype=F32, seed=0):
    return np.random.default_rng(seed).uniform(-3, 3, shape).astype(dtype)


X = random(2, 3, 4)
BACKWARDS = {
    "x": X, "start": np.array([-1]), "end": np.array([-9]), "axis": np.array([2]),
    "step": np.array([-2]),
}  # fmt: skip

FOLDED = {
    "add": ("Add", {"a": X, "b": random(4, seed=1)}, {}),
    "add_bf16": ("Add", {"a": random(5, dtype=BF16), "b": np.ones((), BF16)}, {}),
    "equal_elements": ("Mul", {"a": np.full((3, 4), 3, F32), "b": np.full(4, -0.5, F32)}, {}),
    "equal_elements_wide": ("Mul", {"a": np.full((3, 1), 3, F32), "b": np.full(2, 7, F32)}, {}),
    "nan": ("Sqrt", {"a": X}, {}),
    "div_int": ("Div", {"a": np.array([-7, 7, 5]), "b": np.array([2, -2, 5])}, {}),
    "cast_bool": ("Cast", {"a": np.array([0.0, -0.0, 0.5, np.nan], F32)}, {"to": TensorProto.BOOL}),
    "transpose": ("Transpose", {"a": X}, {"perm": [2, 0, 1]}),
    "transpose_equal": ("Transpose", {"a": np.full((2, 3), 4, np.int8)}, {}),
    "reshape": ("Reshape", {"a": X, "s": np.array([0, -1])}, {}),
    "slice_back": ("Slice", BACKWARDS, {}),
    "concat": ("Concat", {"a": X, "b": X}, {"axis": 1}),
    "gather": ("Gather", {"a": X, "i": np.array([[2, 0]])}, {"axis": -1}),
    "pad": ("Pad", {"a": X, "p": np.array([0, 1, 0, 1, 0, 2]), "v": np.array(9, F32)}, {}),
    "range": ("Range", {"a": np.array(1), "b": np.array(9), "d": np.array(3)}, {}),
    "expand_equal": ("Expand", {"a": np.full((3, 1), 2.5, F32), "s": np.array([2, 3, 4])}, {}),
    "matmul": ("MatMul", {"a": random(3, 4), "b": random(4, 2)}, {}),
    "reduce": ("ReduceMean", {"a": X, "x": np.array([1])}, {"keepdims": 0}),
    "unique": ("Unique", {"a": np.array([3, 1, 3])}, {}),
    "empty": ("Concat", {"a": np.zeros((0, 2), F32), "b": np.zeros((0, 2), F32)}, {"axis": 0}),
}  # fmt: skip


@pytest.mark.parametrize("case", FOLDED.values(), ids=FOLDED)
def test_folding_gives_the_bits_of_the_reference(case):
    op_type, constants, attributes = case
    node = helper.make_node(op_type, list(constants), ["y"], **attributes)
    model, (expected,) = model_of(node, 18, {}, constants)
    ctx = Context()
    module, main = imported(ctx, model)
    FoldOnnxConstantsPass().apply(ctx, module)
    module.verify()
    assert not [op for op in module.walk() if isinstance(op, OnnxOp)]
    (found,) = run(ctx, main, [])
    assert found.dtype == expected.dtype and found.shape == expected.shape
    assert found.tobytes() == expected.tobytes()


def test_size_is_checked_before_anything_is_computed(monkeypatch):
    def fail(*arguments):
        raise AssertionError("computed")

    monkeypatch.setattr(KnownNode, "run", fail)
    constants = {"a": random(40, 1), "b": random(30)}
    node = helper.make_node("Add", ["a", "b"], ["y"])
    ctx = Context()
    module, _ = imported(ctx, model_of(node, 18, {}, constants)[0])
    FoldOnnxConstantsPass(max_bytes=40 * 30 * 4 - 1).apply(ctx, module)
    assert [op for op in module.walk() if isinstance(op, OnnxOp)]
    with pytest.raises(AssertionError, match="computed"):
        FoldOnnxConstantsPass(max_bytes=40 * 30 * 4).apply(ctx, module)


FUNCTIONS = {
    "relu": ("Relu", [X], {}, 18),
    "relu_f64": ("Relu", [X.astype(np.float64)], {}, 18),
    "celu": ("Celu", [X], {"alpha": 2.0}, 18),
    "elu": ("Elu", [X], {"alpha": 0.5}, 18),
    "selu": ("Selu", [X], {}, 18),
    "softplus": ("Softplus", [X], {}, 18),
    "softsign": ("Softsign", [X], {}, 18),
    "mish": ("Mish", [X], {}, 18),
    "hard_swish": ("HardSwish", [X], {}, 18),
    "thresholded_relu": ("ThresholdedRelu", [X], {"alpha": 1.5}, 18),
    "shrink": ("Shrink", [X], {"lambd": 1.0, "bias": 0.25}, 18),
    "prelu": ("PRelu", [X, random(3, 1, seed=2)], {}, 18),
    "gelu": ("Gelu", [X], {"approximate": "tanh"}, 20),
    "softmax": ("Softmax", [X], {"axis": 1}, 18),
    "log_softmax": ("LogSoftmax", [X], {}, 13),
    "clip": ("Clip", [X, np.array(-1, F32), np.array(1, F32)], {}, 18),
    "clip_above": ("Clip", [X, None, np.array(1, F32)], {}, 18),
    "clip_nothing": ("Clip", [X], {}, 18),
    "layer_norm": ("LayerNormalization", [X, random(4), random(4, seed=3)], {}, 18),
    "layer_norm_no_bias": ("LayerNormalization", [X, random(3, 4)], {"axis": 1}, 17),
    "group_norm": ("GroupNormalization", [random(2, 4, 5), *random(2, 4)], {"num_groups": 2}, 21),
    "mvn": ("MeanVarianceNormalization", [random(2, 3, 4, 5)], {}, 18),
    "reduce_l2": ("ReduceL2", [X], {"keepdims": 0}, 18),
    "reduce_log_sum_exp": ("ReduceLogSumExp", [X], {}, 18),
    "cast_like": ("CastLike", [X, np.zeros((), np.float64)], {}, 18),
    "greater_or_equal": ("GreaterOrEqual", [X, random(4, seed=4)], {}, 18),
}  # fmt: skip


@pytest.mark.parametrize("case", FUNCTIONS.values(), ids=FUNCTIONS)
def test_a_body_agrees_with_its_operator(case):
    op_type, operands, attributes, opset = case
    inputs = {f"x{i}": array for i, array in enumerate(operands) if array is not None}
    names = [f"x{i}" if array is not None else "" for i, array in enumerate(operands)]
    node = helper.make_node(op_type, names, ["y"], **attributes)
    model, (expected,) = model_of(node, opset, inputs, {})
    ctx = Context()
    module, main = imported(ctx, model)
    InlineOnnxFunctionsPass().apply(ctx, module)
    module.verify()
    left = [op.op_type for op in module.walk() if isinstance(op, OnnxOp)]
    assert op_type not in left
    assert main.function_type.outputs.data[0].get_shape() == expected.shape
    (found,) = run(ctx, main, list(inputs.values()))
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-6)
    assert found.dtype == expected.dtype


def test_dynamic_quantization_has_several_results():
    node = helper.make_node("DynamicQuantizeLinear", ["x"], ["y", "scale", "zero"])
    model, expected = model_of(node, 18, {"x": X}, {})
    ctx = Context()
    module, main = imported(ctx, model)
    InlineOnnxFunctionsPass(keep=("Clip",)).apply(ctx, module)
    assert "onnx.DynamicQuantizeLinear" not in str(module)
    for found, wanted in zip(run(ctx, main, [X]), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-6)
