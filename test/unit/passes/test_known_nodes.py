"""ONNX is asked once about ops that are alike, and again about any that differ."""

import numpy as np
import pytest
from imported_models import import_model_proto
from onnx import TensorProto, helper, numpy_helper
from xdsl.context import Context

from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.passes.onnx.fold_onnx_constants import FoldOnnxConstantsPass
from autodeploy.passes.onnx.known_nodes import KnownNode
from autodeploy.weights import WeightStore

F32, I64 = np.float32, np.int64


def module_of(ctx, nodes, constants, shape=(2, 6)):
    """Import nodes that read ``x`` and constants; each has one result."""
    outputs = [name for node in nodes for name in node.output]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(name, TensorProto.UNDEFINED, None) for name in outputs],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    opsets = [helper.make_opsetid("", 21)]
    return import_model_proto(ctx, helper.make_model(graph, opset_imports=opsets, ir_version=10))


def ops_of(module):
    return [op for op in module.walk() if isinstance(op, OnnxOp)]


def folded(ctx, nodes, constants):
    module = module_of(ctx, nodes, constants)
    FoldOnnxConstantsPass().apply(ctx, module)
    store = WeightStore.of(ctx)
    return [store.array(op.value) for op in module.walk() if isinstance(op, ConstantOp)]


@pytest.fixture
def runs(monkeypatch):
    """The operators that the reference runs."""
    found, run = [], KnownNode.run

    def noted(node, operands):
        found.append(node.proto.op_type)
        return run(node, operands)

    monkeypatch.setattr(KnownNode, "run", noted)
    return found


A, B = np.array([1, 2], F32), np.array([3, 5], F32)


def test_ops_that_are_alike_are_run_once(runs):
    nodes = [helper.make_node("Add", ["a", "b"], [name]) for name in "pqr"]
    assert [array.tolist() for array in folded(Context(), nodes, {"a": A, "b": B})] == [[4, 7]] * 3
    assert runs == ["Add"]


@pytest.mark.parametrize(
    ("op_type", "first", "second"),
    [
        ("Add", ({"a": A, "b": A}, {}), ({"a": A, "b": B}, {})),
        ("Sub", ({"a": A, "b": B}, {}), ({"b": B, "a": A}, {})),
        ("Mul", ({"a": A, "b": A * 0}, {}), ({"a": A, "b": A * -0.0}, {})),
        ("LeakyRelu", ({"a": -A}, {"alpha": 0.5}), ({"a": -A}, {"alpha": 0.25})),
        ("Cast", ({"a": A}, {"to": TensorProto.INT64}), ({"a": A}, {"to": TensorProto.INT32})),
        ("Neg", ({"a": A}, {}), ({"a": A.astype(np.float64)}, {})),
        ("Concat", ({"a": A, "b": B}, {"axis": 0}), ({"a": A}, {"axis": 0})),
        ("Clip", ({"a": A, "b": B[1:].reshape(())}, {}), ({"a": A, "": B, "b": A[0]}, {})),
    ],
    ids=["constant", "order", "signed_zero", "attribute", "type", "operand", "count", "left_out"],
)
def test_another_attribute_or_constant_has_another_result(op_type, first, second):
    alone = [folded(Context(), [node_of(op_type, case)], named(case)) for case in (first, second)]
    ctx = Context()
    both = [folded(ctx, [node_of(op_type, case)], named(case)) for case in (first, second)]
    assert [bits(found) for found in both] == [bits(found) for found in alone]
    assert bits(alone[0]) != bits(alone[1])


def node_of(op_type, case):
    return helper.make_node(op_type, list(case[0]), ["y"], **case[1])


def named(case):
    return {name: np.asarray(array) for name, array in case[0].items() if name}


def bits(arrays):
    return [(array.dtype, array.shape, array.tobytes()) for array in arrays]


def test_types_follow_from_those_of_operands_and_from_shown_constants():
    ctx = Context()
    shapes = {"s": np.array([3, 4], I64), "t": np.array([4, 3], I64)}
    nodes = [helper.make_node("Reshape", ["x", name], [f"y{name}"]) for name in shapes]
    module = module_of(ctx, nodes, shapes)
    FoldOnnxConstantsPass().apply(ctx, module)
    first, second = ops_of(module)
    assert KnownNode.of(ctx, first) is KnownNode.of(ctx, second)
    assert [op.results[0].type.get_shape() for op in (first, second)] == [(3, 4), (4, 3)]
    (other,) = ops_of(module_of(ctx, [helper.make_node("Relu", ["x"], ["y"])], {}, (5,)))
    (same,) = ops_of(module_of(ctx, [helper.make_node("Relu", ["x"], ["y"])], {}, (7,)))
    assert KnownNode.of(ctx, other) is KnownNode.of(ctx, same)
    assert other.results[0].type != same.results[0].type


def test_contexts_share_no_nodes():
    node = helper.make_node("Relu", ["x"], ["y"])
    found = [
        KnownNode.of(ctx, ops_of(module_of(ctx, [node], {}))[0]) for ctx in (Context(), Context())
    ]
    assert found[0] is not found[1]
