"""Nodes that are not in order are sorted, within subgraphs and functions too."""

import pytest
from imported_models import import_model_proto
from onnx import GraphProto, NodeProto, TensorProto, helper

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.frontend.onnx.nodes import sort_nodes

from .onnx_models import context, floats, graph, model, ops_of, reparsed


def node(kind: str, inputs: str, outputs: str, **settings: object) -> NodeProto:
    return helper.make_node(kind, inputs.split(), outputs.split(), name=f"to_{outputs}", **settings)


def sorted_outputs(nodes: list[NodeProto]) -> list[str]:
    proto = model(nodes, [floats("x", [4])], [floats("y", [4])])
    proto.graph.input.append(helper.make_tensor_value_info("c", TensorProto.BOOL, []))
    sort_nodes(proto)
    return [name for one in proto.graph.node for name in one.output]


def branch(*nodes: NodeProto) -> GraphProto:
    return graph(nodes, [], [floats(nodes[0].output[0], [4])])


def test_nodes_are_sorted():
    proto = model(
        [node("Add", "t u", "y"), node("Neg", "x", "t"), node("Exp", "t", "u")],
        [floats("x", [4])],
        [floats("y", [4])],
    )
    ctx = context()
    ops = ops_of(reparsed(ctx, import_model_proto(ctx, proto)))
    assert [op.op_type for op in ops if isinstance(op, OnnxOp)] == ["Neg", "Exp", "Add"]


def test_an_order_that_will_do_stays():
    nodes = [node("Neg", "x", "t"), node("Exp", "x", "u"), node("Add", "u t", "y")]
    assert sorted_outputs(nodes) == ["t", "u", "y"]


def test_a_long_chain_backwards():
    """No recursion: as many nodes as Python would not nest."""
    chain = [node("Relu", f"v{i}", f"v{i + 1}") for i in range(3000)]
    names = sorted_outputs([*reversed(chain), node("Neg", "x", "v0"), node("Abs", "v3000", "y")])
    assert names == [*(f"v{i}" for i in range(3001)), "y"]


def test_values_that_a_subgraph_reads_come_first():
    chosen = branch(node("Neg", "t", "b"))
    choice = node("If", "c", "y", then_branch=chosen, else_branch=chosen)
    assert sorted_outputs([choice, node("Exp", "x", "t")]) == ["t", "y"]


def test_a_value_of_a_subgraph_that_is_called_as_one_outside():
    """It is another one, so that there is no circle."""
    chosen = branch(node("Neg", "t", "b"), node("Exp", "x", "t"))
    choice = node("If", "c", "u", then_branch=chosen, else_branch=chosen)
    assert sorted_outputs([node("Neg", "t", "y"), node("Abs", "u", "t"), choice]) == ["u", "t", "y"]


def test_nodes_of_subgraphs_and_functions_are_sorted():
    chosen = branch(node("Neg", "t", "b"), node("Exp", "x", "t"))
    choice = node("If", "c", "y", then_branch=chosen, else_branch=chosen)
    proto = model([choice], [floats("x", [4])], [floats("y", [4])])
    made = helper.make_function("my", "F", ["x", "c"], ["y"], [choice], proto.opset_import)
    proto.functions.append(made)
    sort_nodes(proto)
    found = [
        [one.op_type for one in helper.get_attribute_value(attribute).node]
        for outer in (proto.graph.node[0], proto.functions[0].node[0])
        for attribute in outer.attribute
    ]
    assert found == [["Exp", "Neg"]] * 4


def test_a_circle():
    nodes = [node("Add", "x u", "t"), node("Neg", "t", "u"), node("Abs", "u", "y")]
    with pytest.raises(
        ModelError, match=r"nodes of the model need each other's results: '"
    ) as error:
        sorted_outputs(nodes)
    assert "'to_t' (Add)" in str(error.value) and "'to_u' (Neg)" in str(error.value)


def test_a_node_that_reads_itself():
    with pytest.raises(ModelError, match=r"results: 'to_y' \(Add\) -> 'to_y' \(Add\)"):
        sorted_outputs([node("Add", "x y", "y")])
