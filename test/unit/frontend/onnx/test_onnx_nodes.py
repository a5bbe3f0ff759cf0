"""Ops of the onnx dialect back to ONNX nodes."""

import pytest
from imported_models import import_model_proto
from onnx import NodeProto, TensorProto, helper
from xdsl.dialects.builtin import IntegerAttr, StringAttr, TensorType, f32, i64
from xdsl.dialects.test import TestOp as SourceOp
from xdsl.ir import SSAValue

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.onnx import OnnxOp, UnknownType, op_class
from autodeploy.frontend.onnx.attributes import attribute_of, attribute_proto
from autodeploy.frontend.onnx.file import OnnxFile
from autodeploy.frontend.onnx.nodes import location_name, node_proto

from .onnx_models import context, floats, main_of, model, ops_of, relu


def name_of(value: SSAValue) -> str:
    return value.name_hint or ""


def there_and_back(node: NodeProto, inputs: list[str]) -> NodeProto | None:
    ctx = context()
    outputs = [floats(next(name for name in node.output if name), None)]
    module = import_model_proto(ctx, model([node], [floats(i, [2]) for i in inputs], outputs))
    (op,) = ops_of(module)
    assert isinstance(op, OnnxOp)
    return node_proto(ctx, op, name_of)


@pytest.mark.parametrize(
    "node",
    [
        helper.make_node("Relu", ["x"], ["y"], name="a/relu"),
        helper.make_node("Clip", ["x", "", "z"], ["y"], name="n"),
        helper.make_node("LSTM", ["x", "z", "x"], ["", "", "c"], name="n", hidden_size=2,
                         activation_alpha=[0.5, 1.0], activations=["Tanh"] * 3, clip=0.5),
        helper.make_node("ConstantOfShape", ["x"], ["y"], name="n",
                         value=helper.make_tensor("", TensorProto.FLOAT, [1], bytes(4), raw=True)),
        helper.make_node("Optional", [], ["y"], name="n",
                         type=helper.make_tensor_type_proto(TensorProto.FLOAT, [2])),
        helper.make_node("AveragePool", ["x"], ["y"], name="n", auto_pad="VALID", kernel_shape=[2]),
    ],
    ids=lambda node: node.op_type,
)  # fmt: skip
def test_nodes_come_back_as_they_were(node: NodeProto):
    assert there_and_back(node, ["x", "z"]) == node


def test_domain_comes_back():
    ctx = context()
    scaler = op_class("Scaler", 1, "ai.onnx.ml")
    assert scaler is not None
    source = SourceOp(result_types=[TensorType(f32, [2])])
    op = scaler.from_positions(source.results, [TensorType(f32, [2])])
    node = node_proto(ctx, op, lambda value: "v")
    assert node == NodeProto(op_type="Scaler", domain="ai.onnx.ml", input=["v"], output=["v"])


def test_an_op_with_subgraphs_has_no_node():
    body = helper.make_graph([helper.make_node("Neg", ["x"], ["t"])], "b", [], [floats("t", [2])])
    node = helper.make_node("If", ["c"], ["y"], then_branch=body, else_branch=body)
    condition = helper.make_tensor_value_info("c", TensorProto.BOOL, [])
    ctx = context()
    module = import_model_proto(
        ctx, model([node], [floats("x", [2]), condition], [floats("y", None)])
    )
    (op,) = ops_of(module)
    assert isinstance(op, OnnxOp)
    assert node_proto(ctx, op, name_of) is None


def test_a_property_that_onnx_has_no_form_for():
    ctx = context()
    (op,) = ops_of(import_model_proto(ctx, relu()))
    assert isinstance(op, OnnxOp)
    leaky = op_class("LeakyRelu", 17)
    assert leaky is not None
    bad = leaky.from_positions(op.operands, [op.results[0].type], {"alpha": StringAttr("much")})
    assert node_proto(ctx, bad, name_of) is None


def test_names_of_locations():
    proto = relu()
    proto.graph.node[0].name = "the relu"
    module = import_model_proto(context(), proto)
    assert location_name(ops_of(module)[0]) == "the relu"
    assert location_name(main_of(module)) == ""


@pytest.mark.parametrize(
    "kind", ["INT", "INTS", "FLOAT", "FLOATS", "STRINGS", "TENSOR", "TYPE_PROTO", "GRAPH"]
)
def test_a_value_of_another_kind(kind: str):
    assert attribute_proto(context(), "a", kind, StringAttr("text")) is None


def test_a_number_for_a_string():
    assert attribute_proto(context(), "a", "STRING", IntegerAttr(1, i64)) is None


def test_a_type_that_onnx_lacks():
    assert attribute_proto(context(), "a", "TYPE_PROTO", UnknownType()) is None


def test_an_attribute_that_only_refers_to_one_of_a_function():
    proto = helper.make_attribute("a", 1)
    proto.ref_attr_name, proto.type = "b", 0
    with pytest.raises(ModelError, match="attribute 'a' has no value of a known kind"):
        attribute_of(context(), OnnxFile(model([], [], []), None), proto)
