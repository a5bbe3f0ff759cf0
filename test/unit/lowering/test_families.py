"""The families of ONNX operators agree with the nn ops that the operators become."""

from __future__ import annotations

import pytest
from imported_models import import_model_proto
from onnx import defs, helper, shape_inference

from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.lookup import GatherOp
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.reduction import ReduceOp
from autodeploy.dialects.onnx.families import MOVEMENTS, POINTWISE, REDUCTIONS
from autodeploy.dialects.registry import new_context
from autodeploy.lowering.onnx_to_nn.context import converted_operators
from autodeploy.lowering.onnx_to_nn.convert_onnx_to_nn import ConvertOnnxToNnPass
from autodeploy.passes.onnx.infer_onnx_shapes import InferOnnxShapesPass

ELEMENTS = {"float": 1, "int64": 7, "bool": 9, "uint8": 2}
SETTINGS = {"Cast": {"to": 6}, "BitCast": {"to": 6}, "BitShift": {"direction": "LEFT"}}
OPERATORS = [name for name in converted_operators() if "." not in name]


def nn_ops(op_type: str) -> list[NNOp]:
    """Return what an operator on operands of shape 2x3 becomes, without its constants.

    Raises some error where it does not take such operands.
    """
    schema = defs.get_schema(op_type)
    optional = defs.OpSchema.FormalParameterOption.Optional
    types = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
    inputs = {}
    for number, parameter in enumerate(p for p in schema.inputs if p.option != optional):
        allowed = types.get(parameter.type_str, [parameter.type_str])
        element = next(n for name, n in ELEMENTS.items() if f"tensor({name})" in allowed)
        inputs[f"x{number}"] = helper.make_tensor_type_proto(element, [2, 3])
    node = helper.make_node(op_type, [*inputs], ["y"], **SETTINGS.get(op_type, {}))
    opsets = [helper.make_opsetid("", schema.since_version)]
    found = shape_inference.infer_node_outputs(schema, node, inputs, opset_imports=opsets)
    graph = helper.make_graph(
        [node],
        "one",
        [helper.make_value_info(name, type_) for name, type_ in inputs.items()],
        [helper.make_value_info("y", found["y"])],
    )
    ctx = new_context()
    module = import_model_proto(ctx, helper.make_model(graph, opset_imports=opsets, ir_version=10))
    InferOnnxShapesPass().apply(ctx, module)
    ConvertOnnxToNnPass().apply(ctx, module)
    return [op for op in module.walk() if isinstance(op, NNOp) and not isinstance(op, ConstantOp)]


def is_pointwise(op: NNOp) -> bool:
    """Tell whether an op computes at each place, or looks up what is there in a table."""
    table = isinstance(op, GatherOp) and isinstance(op.x.owner, ConstantOp)
    return table or isinstance(op, PointwiseOp)


@pytest.mark.parametrize("op_type", sorted(POINTWISE))
def test_a_pointwise_operator_becomes_pointwise_ops(op_type):
    assert all(map(is_pointwise, nn_ops(op_type)))


def test_no_pointwise_operator_is_missing():
    others = set()
    for op_type in {*OPERATORS} - POINTWISE - MOVEMENTS:
        try:
            ops = nn_ops(op_type)
        except Exception:
            continue
        if ops and all(map(is_pointwise, ops)):
            others.add(op_type)
    # Trilu asks at which place an element is; codes have scales of their own along an axis.
    assert others == {"Trilu", "QuantizeLinear", "DequantizeLinear"}


def test_reductions_become_one():
    assert {name for name in OPERATORS if name.startswith("Reduce")} == REDUCTIONS
    for op_type in REDUCTIONS:
        assert any(isinstance(op, ReduceOp) for op in nn_ops(op_type))
