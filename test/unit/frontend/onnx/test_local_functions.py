"""Calls of a model's own functions become nodes: their attributes, their names, their limits."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import onnx
import pytest
from imported_models import import_model_proto
from onnx import AttributeProto, FunctionProto, ModelProto, NodeProto, TensorProto, helper
from onnx.reference import ReferenceEvaluator

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.onnx import OnnxOp, python_value
from autodeploy.frontend.onnx import local_functions
from autodeploy.frontend.onnx.local_functions import inline_local_functions

from .onnx_models import context, floats, graph, model, ops_of, reparsed

IMPORTS = [helper.make_opsetid("", 17), helper.make_opsetid("my", 1)]


def call(name: str, inputs: str, outputs: str, domain: str = "my", **settings: Any) -> NodeProto:
    return helper.make_node(name, inputs.split(), outputs.split(), domain=domain, **settings)


def refers(node: NodeProto, **references: tuple[str, int]) -> NodeProto:
    """Let attributes of a node be those of the function around it, of a type each."""
    for name, (to, kind) in references.items():
        node.attribute.add(
            name=name, ref_attr_name=to, type=cast("AttributeProto.AttributeType", kind)
        )
    return node


def function(
    name: str,
    inputs: str,
    outputs: str,
    nodes: Sequence[NodeProto],
    attributes: Sequence[str] = (),
    overload: str = "",
    **defaults: Any,
) -> FunctionProto:
    defaulted = [helper.make_attribute(name, value) for name, value in defaults.items()]
    return helper.make_function(
        "my",
        name,
        inputs.split(),
        outputs.split(),
        nodes,
        IMPORTS,
        attributes,
        defaulted,
        overload=overload,
    )


def with_functions(nodes: Sequence[NodeProto], *functions: FunctionProto) -> ModelProto:
    proto = model(nodes, [floats("x", [3, 4])], [floats("y", None)], domains=["my"])
    proto.functions.extend(functions)
    proto.ir_version = 10
    return proto


def settings_of(proto: ModelProto) -> list[tuple[str, dict[str, object]]]:
    """The operators of an imported model, with the attributes that stand in the text."""
    ctx = context()
    ops = ops_of(reparsed(ctx, import_model_proto(ctx, proto)))
    return [
        (op.op_type, {name: python_value(value) for name, value in op.properties.items() if value})
        for op in ops
        if isinstance(op, OnnxOp)
    ]


LEAK = function(
    "Leak", "a", "b",
    [refers(call("LeakyRelu", "a", "b", ""), alpha=("slope", AttributeProto.FLOAT))],
    slope=0.25,
)  # fmt: skip


@pytest.mark.parametrize(("given", "alpha"), [({}, 0.25), ({"slope": 0.5}, 0.5)])
def test_a_default_counts_where_a_call_leaves_the_attribute_out(
    given: dict[str, Any], alpha: float
):
    proto = with_functions([call("Leak", "x", "y", **given)], LEAK)
    assert settings_of(proto) == [("LeakyRelu", {"alpha": alpha})]


@pytest.mark.parametrize(
    ("declared", "given", "alpha"),
    [
        ({"attributes": ["s"]}, {}, 0.25),
        ({"attributes": ["s"]}, {"s": 0.5}, 0.5),
        ({"s": 0.125}, {}, 0.125),
        ({"s": 0.125}, {"s": 0.5}, 0.5),
    ],
)
def test_a_nested_call_gets_the_outer_arguments(
    declared: dict[str, Any], given: dict[str, Any], alpha: float
):
    inner = refers(call("Leak", "a", "b"), slope=("s", AttributeProto.FLOAT))
    attributes = cast("Sequence[str]", declared.pop("attributes", ()))
    outer = function("Outer", "a", "b", [inner], attributes, **declared)
    proto = with_functions([call("Outer", "x", "y", **given)], outer, LEAK)
    assert settings_of(proto) == [("LeakyRelu", {"alpha": alpha})]


def test_defaults_of_all_types():
    kinds = AttributeProto
    nodes = [
        refers(call("Concat", "a a", "c", ""), axis=("axis", kinds.INT)),
        refers(call("ReduceMax", "c", "r", ""), axes=("axes", kinds.INTS)),
        refers(call("BitShift", "i i", "s", ""), direction=("way", kinds.STRING)),
        refers(call("Constant", "", "v", ""), value=("tensor", kinds.TENSOR)),
        refers(call("Constant", "", "f", ""), value_floats=("list", kinds.FLOATS)),
        refers(call("Constant", "", "t", ""), value_strings=("texts", kinds.STRINGS)),
    ]
    tensor = helper.make_tensor("t", TensorProto.FLOAT, [2], [1.5, 2.5])
    made = function(
        "All", "a i", "b c r s v f t", [*nodes, call("Neg", "a", "b", "")], axis=1, axes=[0, 1],
        way="LEFT", tensor=tensor, list=[0.5, 1.0], texts=["one", "two"],
    )  # fmt: skip
    proto = with_functions([call("All", "x k", "y c r s v f t")], made)
    bits = helper.make_tensor_value_info("k", TensorProto.UINT8, [3])
    proto.graph.input.append(bits)
    proto.graph.output.extend(onnx.ValueInfoProto(name=name) for name in "crsvft")
    inline_local_functions(proto)
    assert [
        [helper.get_attribute_value(attribute) for attribute in node.attribute]
        for node in proto.graph.node[:-1]
    ] == [[1], [[0, 1]], [b"LEFT"], [tensor], [[0.5, 1.0]], [[b"one", b"two"]]]
    names = [attribute.name for node in proto.graph.node for attribute in node.attribute]
    assert names == ["axis", "axes", "direction", "value", "value_floats", "value_strings"]


def test_a_graph_is_an_attribute_whose_values_are_those_around_the_call():
    """The branch reads ``x`` of the caller; the function's own ``t`` is another one than its."""
    kind = AttributeProto.GRAPH
    branch = graph(
        [call("Neg", "x", "t", ""), call("Abs", "t", "u", "")], [], [floats("u", [3, 4])]
    )
    choice = refers(call("If", "c", "b", ""), then_branch=("one", kind), else_branch=("one", kind))
    nodes = [call("ReduceSum", "a", "t", "", keepdims=0), call("Cast", "t", "c", "", to=9), choice]
    made = function("Choose", "a", "b", nodes, ["one"])
    proto = with_functions([call("Choose", "x", "y", one=branch)], made)
    ctx = context()
    op = ops_of(reparsed(ctx, import_model_proto(ctx, proto)))[-1]
    assert [[inner.name for inner in region.block.ops][:2] for region in op.regions] == [
        ["onnx.Neg", "onnx.Abs"]
    ] * 2


def test_names_of_two_calls_do_not_meet():
    """Nor do they meet those of the graph, such as ``t`` and ``t_1``."""
    inner = graph([call("Add", "a t", "u", "")], [], [floats("u", None)])
    made = function(
        "F", "a", "b",
        [call("Exp", "a", "t", ""), call("Cast", "t", "c", "", to=9),
         helper.make_node("If", ["c"], ["b"], then_branch=inner, else_branch=inner)],
    )  # fmt: skip
    nodes = [call("Neg", "x", "t", ""), call("F", "t", "t_1"), call("F", "t_1", "y")]
    proto = with_functions(nodes, made)
    inline_local_functions(proto)
    found = [name for node in proto.graph.node for name in node.output]
    assert len(set(found)) == len(found) == 7
    reads = [
        [list(inner.input) for inner in helper.get_attribute_value(node.attribute[0]).node]
        for node in proto.graph.node
        if node.op_type == "If"
    ]
    assert reads == [[["t", found[1]]], [["t_1", found[4]]]]


def test_overloads_and_domains():
    second = function("Leak", "a", "b", [call("Relu", "a", "b", "")], overload="two")
    third = function("Leak", "a", "b", [call("Neg", "a", "b", "")])
    third.domain = "other"
    chosen = call("Leak", "t", "u")
    chosen.overload = "two"
    nodes = [call("Leak", "x", "t"), chosen, call("Leak", "u", "y", "other")]
    proto = with_functions(nodes, LEAK, second, third)
    proto.opset_import.append(helper.make_opsetid("other", 1))
    assert [name for name, _ in settings_of(proto)] == ["LeakyRelu", "Relu", "Neg"]


def test_the_model_imports_the_opsets_of_its_functions():
    proto = with_functions([call("Leak", "x", "y")], LEAK)
    del proto.opset_import[0]
    assert settings_of(proto) == [("LeakyRelu", {"alpha": 0.25})]


def test_an_operator_of_onnx_is_no_call():
    made = function("Relu", "a", "b", [call("Neg", "a", "b", "")])
    made.domain = ""
    proto = with_functions([call("Relu", "x", "y", "")], made)
    assert [name for name, _ in settings_of(proto)] == ["Relu"]


def test_inputs_and_outputs_that_a_call_leaves_out():
    made = function(
        "F", "a low", "n b", [call("Clip", "a low", "b", ""), call("Neg", "a", "n", "")]
    )
    node = helper.make_node("F", ["x"], ["", "y"], domain="my")
    proto = with_functions([node], made)
    inline_local_functions(proto)
    assert [(list(n.input), list(n.output)) for n in proto.graph.node] == [
        (["x", ""], ["y"]), (["x"], ["n"])
    ]  # fmt: skip


def test_an_output_that_is_an_input():
    made = function("F", "a", "a b", [call("Relu", "a", "b", "")])
    proto = with_functions([call("F", "x", "z y")], made)
    proto.graph.output.append(floats("z", None))
    inline_local_functions(proto)
    assert [(n.op_type, list(n.input), list(n.output)) for n in proto.graph.node] == [
        ("Relu", ["x"], ["y"]), ("Identity", ["x"], ["z"])
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("inputs", "outputs", "message"),
    [("x x", "y", "has 2 inputs, its function 1"), ("x", "y z", "has 2 outputs, its function 1")],
)
def test_a_call_of_more_than_there_is(inputs: str, outputs: str, message: str):
    with pytest.raises(ModelError, match=rf"node '' \(Leak\) {message}"):
        inline_local_functions(with_functions([call("Leak", inputs, outputs)], LEAK))


def test_calls_that_become_too_many_nodes(monkeypatch: pytest.MonkeyPatch):
    """Each function calls the next one twice."""
    monkeypatch.setattr(local_functions, "MOST_NODES", 500)
    chain = [
        function(f"F{i}", "a", "b", [call(f"F{i + 1}", "a", "t"), call(f"F{i + 1}", "t", "b")])
        for i in range(40)
    ]
    chain.append(function("F40", "a", "b", [call("Relu", "a", "b", "")]))
    with pytest.raises(ModelError, match="calls of the model's functions are over 500 nodes"):
        inline_local_functions(with_functions([call("F0", "x", "y")], *chain))


def test_calls_that_are_nested_too_deep():
    chain = [function(f"F{i}", "a", "b", [call(f"F{i + 1}", "a", "b")]) for i in range(101)]
    chain.append(function("F101", "a", "b", [call("Relu", "a", "b", "")]))
    with pytest.raises(ModelError, match="calls of the model's functions are over 100 deep"):
        inline_local_functions(with_functions([call("F0", "x", "y")], *chain))


def test_numbers_are_those_of_the_reference():
    """A default, a given attribute, and a nested call, through ONNX's reference."""
    inner = refers(call("Leak", "a", "b"), slope=("s", AttributeProto.FLOAT))
    outer = function("Outer", "a", "b", [inner], ["s"])
    nodes = [call("Leak", "x", "t"), call("Outer", "t", "u", s=0.5), call("Outer", "u", "y")]
    proto = with_functions(nodes, LEAK, outer)
    x = np.array([[-64, 1, 2, -3]] * 3, np.float32)
    inline_local_functions(proto)
    (y,) = ReferenceEvaluator(proto).run(None, {"x": x})  # pyright: ignore[reportUnknownMemberType]
    assert np.array_equal(y, np.where(x < 0, x * np.float32(0.25 * 0.5 * 0.25), x))
