"""What a model becomes: signature, ops, constants, names, subgraphs and functions."""

import re
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from imported_models import import_model_proto
from onnx import ModelProto, TensorProto, helper, numpy_helper
from xdsl.dialects.builtin import ModuleOp, NameLoc, StringAttr
from xdsl.ir import Operation

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.onnx import CustomOp, OnnxOp, python_value
from autodeploy.frontend.names import (
    ascii_text,
    model_identifier,
    original_text,
    value_hint,
)
from autodeploy.frontend.onnx.importer import import_model
from autodeploy.weights import constant_array

from .onnx_models import (
    context,
    floats,
    graph,
    main_of,
    model,
    ops_of,
    relu,
    reparsed,
    weight,
    written,
)

ONES = np.ones(4, np.float32)


def imported(proto: ModelProto) -> ModuleOp:
    """Import, check that the text comes back, and return the module."""
    ctx = context()
    module = import_model_proto(ctx, proto)
    reparsed(ctx, module)
    return module


def node_name(op: Operation) -> str:
    assert isinstance(op.location, NameLoc)
    return op.location.desc.data


def test_module(tmp_path: Path):
    proto = relu()
    proto.producer_name, proto.producer_version = "pytorch", "2.1"
    proto.opset_import.append(helper.make_opsetid("ai.onnx.ml", 3))
    ctx = context()
    module = import_model(ctx, str(written(tmp_path, proto, "mnist-8.onnx")))
    assert str(reparsed(ctx, module)) == (
        'builtin.module attributes {nn.model = "mnist_8", onnx.ir_version = 8 : i64, '
        "onnx.opset = {ai.onnx = 17 : i64, ai.onnx.ml = 3 : i64}, "
        'onnx.producer = "pytorch 2.1"} {\n'
        '  func.func @main(%x: tensor<1x4xf32> {nn.name = "x"}) -> '
        '(tensor<1x4xf32> {nn.name = "y"}) {\n'
        '    %y = "onnx.Relu"(%x) : (tensor<1x4xf32>) -> tensor<1x4xf32>\n'
        "    func.return %y : tensor<1x4xf32>\n"
        "  }\n"
        "}"
    )


def test_model_from_bytes_is_called_as_its_graph():
    module = import_model(context(), relu().SerializeToString())
    assert module.attributes["nn.model"] == StringAttr("test")


def test_operators_keep_the_version_of_the_opset():
    conv = helper.make_node("Conv", ["x", "w"], ["y"])
    inputs = [floats("x", [1, 1, 4, 4]), floats("w", [1, 1, 3, 3])]
    for opset, name in ((8, "onnx.Conv.v1"), (17, "onnx.Conv.v11"), (22, "onnx.Conv")):
        module = imported(model([conv], inputs, [floats("y", None)], opset=opset))
        assert [op.name for op in ops_of(module)] == [name]


def test_attributes_that_the_model_leaves_out_stay_out():
    node = helper.make_node("Gemm", ["x", "w"], ["y"], alpha=0.5)
    inputs = [floats("x", [2, 3]), floats("w", [3, 4])]
    (op,) = ops_of(imported(model([node], inputs, [floats("y", None)])))
    assert isinstance(op, OnnxOp)
    assert [*op.properties] == ["alpha"]
    assert (op.setting("alpha"), op.setting("beta"), op.setting("transA")) == (0.5, 1.0, 0)


def test_weights_become_constants_and_leave_the_signature():
    node = helper.make_node("Add", ["x", "w"], ["y"])
    inputs = [floats("w", [4]), floats("x", [4])]
    proto = model([node], inputs, [floats("y", [4])], [weight("w", ONES)])
    proto.ir_version = 3
    module = imported(proto)
    constant, add = ops_of(module)
    assert str(constant) == "%w = nn.constant #nn.dense<1.0 : tensor<4xf32>>"
    assert node_name(constant) == "w"
    assert len(main_of(module).args) == 1
    assert [*add.operands] == [main_of(module).args[0], constant.results[0]]


def test_weights_that_nothing_uses_are_left_out():
    proto = relu()
    proto.graph.initializer.append(weight("unused", ONES))
    assert [op.name for op in ops_of(imported(proto))] == ["onnx.Relu"]


def test_sparse_weights():
    for indices in ([1, 5], [[0, 1], [1, 2]]):
        values = numpy_helper.from_array(np.array([2, 3], np.float32), "w")
        sparse = helper.make_sparse_tensor(
            values, numpy_helper.from_array(np.array(indices), "w_index"), [2, 3]
        )
        proto = model(
            [helper.make_node("Add", ["x", "w"], ["y"])], [floats("x", [2, 3])], [floats("y", None)]
        )
        proto.graph.sparse_initializer.append(sparse)
        module = imported(proto)
        found = constant_array(context(), ops_of(module)[0].results[0])
        np.testing.assert_array_equal(found, [[0, 2, 0], [0, 0, 3]])


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"value_float": 0.5}, "nn.constant #nn.dense<0.5 : tensor<f32>>"),
        ({"value_floats": [0.5, 1.0]}, "nn.constant #nn.dense<[0.5, 1.0] : tensor<2xf32>>"),
        ({"value_int": -3}, "nn.constant #nn.dense<-3 : tensor<i64>>"),
        ({"value_ints": [1, 2]}, "nn.constant #nn.dense<[1, 2] : tensor<2xi64>>"),
        ({"value": weight("", np.int8([3, 4]))}, "nn.constant #nn.dense<[3, 4] : tensor<2xi8>>"),
        (
            {"value_string": "é"},
            '"onnx.Constant.v13"() <{value = #onnx.strings<["\\C3\\A9"] : '
            "tensor<!onnx.string>>}> : () -> tensor<!onnx.string>",
        ),
        (
            {"value_strings": ["a", "b"]},
            '"onnx.Constant.v13"() <{value = #onnx.strings<["a", "b"] : '
            "tensor<2x!onnx.string>>}> : () -> tensor<2x!onnx.string>",
        ),
        (
            {
                "sparse_value": helper.make_sparse_tensor(
                    weight("v", np.float32([7])), weight("i", np.int64([1])), [2]
                )
            },
            "nn.constant #nn.dense<[0.0, 7.0] : tensor<2xf32>>",
        ),
    ],
)
def test_constant_nodes(settings: dict[str, object], text: str):
    node = helper.make_node("Constant", [], ["c"], name="the constant", **settings)
    output = helper.make_empty_tensor_value_info("c")
    output.type.tensor_type.elem_type = {
        "value": TensorProto.INT8,
        "value_int": TensorProto.INT64,
        "value_ints": TensorProto.INT64,
        "value_string": TensorProto.STRING,
        "value_strings": TensorProto.STRING,
    }.get(next(iter(settings)), TensorProto.FLOAT)
    (op,) = ops_of(imported(model([node], [], [output])))
    assert str(op) == f"%c = {text}"
    assert node_name(op) == "the constant"


def test_constant_node_with_a_malformed_tensor():
    tensor = TensorProto(data_type=TensorProto.FLOAT, dims=[4096], raw_data=bytes(8192))
    node = helper.make_node("Constant", [], ["c"], name="k", value=tensor)
    with pytest.raises(ModelError, match=re.escape("node 'k' (Constant): tensor '' takes 16384")):
        imported(model([node], [], [floats("c", [4096])]))


def test_optional_inputs_at_any_position():
    node = helper.make_node("Clip", ["x", "", "top"], ["y"])
    inputs = [floats("x", [4]), floats("top", [])]
    (op,) = ops_of(imported(model([node], inputs, [floats("y", None)])))
    assert isinstance(op, OnnxOp)
    assert [value and value.name_hint for value in op.inputs_by_position()] == ["x", None, "top"]
    assert op.input_named("min") is None


def test_trailing_empty_inputs():
    node = helper.make_node("Clip", ["x", "", ""], ["y"])
    (op,) = ops_of(imported(model([node], [floats("x", [4])], [floats("y", None)])))
    assert isinstance(op, OnnxOp)
    assert len(op.inputs_by_position()) == 1


def test_optional_outputs_at_any_position():
    node = helper.make_node("LSTM", ["x", "w", "r"], ["", "", "cell"], hidden_size=2)
    inputs = [floats("x", [3, 1, 2]), floats("w", [1, 8, 2]), floats("r", [1, 8, 2])]
    (op,) = ops_of(imported(model([node], inputs, [floats("cell", None)])))
    assert isinstance(op, OnnxOp)
    assert [v and str(v.type) for v in op.outputs_by_position()] == [
        None,
        None,
        "tensor<1x1x2xf32>",
    ]


def test_an_unnamed_output_of_a_list_exists():
    node = helper.make_node("Split", ["x"], ["", "y"], axis=0)
    (op,) = ops_of(imported(model([node], [floats("x", [4])], [floats("y", None)], opset=11)))
    assert [str(result.type) for result in op.results] == ["!onnx.unknown", "tensor<2xf32>"]


def test_an_empty_name_in_a_list_of_inputs():
    node = helper.make_node("Concat", ["x", ""], ["y"], axis=0, name="c")
    with pytest.raises(ModelError, match=r"node 'c' \(Concat\): .* 'inputs' has an empty name"):
        imported(model([node], [floats("x", [4])], [floats("y", [4])]))


def test_a_required_input_with_an_empty_name():
    node = helper.make_node("Add", ["x", ""], ["y"], name="a")
    with pytest.raises(ModelError, match=r"Node \(a\)'s input 1 is marked single but has an empty"):
        imported(model([node], [floats("x", [4])], [floats("y", [4])]))


@pytest.mark.parametrize("name", ["", "a/b:0", 'say "x"', "two\nlines", "π", "a\0b", "%x"])
def test_names_of_nodes(name: str):
    proto = relu()
    proto.graph.node[0].name = name
    (op,) = ops_of(imported(proto))
    assert node_name(op) == (ascii_text(name) or "y")


def test_nodes_of_one_name():
    nodes = [helper.make_node("Relu", [x], [y], name="n") for x, y in (("x", "h"), ("h", "y"))]
    ops = ops_of(imported(model(nodes, [floats("x", [4])], [floats("y", [4])])))
    assert [node_name(op) for op in ops] == ["n", "n"]


def test_names_of_values():
    names = ["1", "1_1", "a_0_1", "a_0", "a/b", "a:b", "", "π", "v1", "_2", "%"]
    nodes = [helper.make_node("Relu", ["in:0"], [name or "last"]) for name in names]
    proto = model(nodes, [floats("in:0", [4])], [floats(names[0], [4])])
    module = imported(proto)
    attributes = main_of(module).arg_attrs
    assert attributes is not None
    assert attributes.data[0].data["nn.name"] == StringAttr("in:0")
    assert main_of(module).args[0].name_hint == "in0"


@pytest.mark.parametrize(
    ("name", "hint", "identifier"),
    [
        ("conv", "conv", "conv"),
        ("Conv_12", "Conv12", "Conv_12"),
        ("a_1_2", "a12", "a_1_2"),
        ("12", "v12", "model_12"),
        ("/layer/Add:0", "_layer_Add0", "layer_Add_0"),
        ("mnist-8", "mnist8", "mnist_8"),
        ("π", "_", "model"),
        ("", None, "model"),
    ],
)
def test_sanitised_names(name: str, hint: str | None, identifier: str):
    assert value_hint(name) == hint
    assert model_identifier(name) == identifier


@given(st.text() | st.text(alphabet="\\\\xuU5cde0é"))
def test_names_in_ascii_are_unique(name: str):
    text = ascii_text(name)
    assert text.isascii() and original_text(text) == name


@pytest.mark.parametrize("text", ["a", r"\ud800", r"\U00110000", r"\xE9", "\\"])
def test_text_that_stands_for_no_other_name(text: str):
    assert original_text(text) == text


def test_an_output_that_is_an_input():
    proto = model([], [floats("x", [4])], [floats("x", [4])])
    main = main_of(imported(proto))
    assert str(main.function_type) == "(tensor<4xf32>) -> tensor<4xf32>"


def test_an_output_that_is_a_weight():
    (op,) = ops_of(imported(model([], [], [floats("w", [4])], [weight("w", ONES)])))
    assert isinstance(op, ConstantOp)


def test_a_value_that_is_an_output_twice():
    proto = relu()
    proto.graph.output.append(proto.graph.output[0])
    main = main_of(imported(proto))
    assert len(main.function_type.outputs) == 2


def test_a_domain_under_its_other_name():
    proto = relu()
    proto.opset_import[0].domain = proto.graph.node[0].domain = "ai.onnx"
    assert [op.name for op in ops_of(imported(proto))] == ["onnx.Relu"]


def test_a_foreign_operator():
    node = helper.make_node(
        "Magic\u00e9", ["x", "", "x"], ["", "y"], domain="com.example",
        i=1, f=0.5, s="text", ints=[1, 2], floats=[1.5], strings=["a"], t=weight("", ONES),
        g=graph([helper.make_node("Neg", ["x"], ["n"])], [], [floats("n", [4])]),
        tensors=[weight("", ONES)],
    )  # fmt: skip
    proto = model([node], [floats("x", [4])], [floats("y", [4])], domains=["com.example"])
    (op,) = ops_of(imported(proto))
    assert isinstance(op, CustomOp)
    assert [value is not None for value in op.inputs_by_position()] == [True, False, True]
    assert [value is not None for value in op.outputs_by_position()] == [False, True]
    assert python_value(op.op_type) == "Magic\u00e9"
    assert sorted(op.settings.data) == ["f", "floats", "i", "ints", "s", "strings", "t", "tensors"]
    assert python_value(op.settings.data["ints"]) == (1, 2)
    assert op.subgraph_names is not None
    assert python_value(op.subgraph_names) == ("g",)
    assert [inner.name for inner in op.subgraphs[0].block.ops] == ["onnx.Neg", "onnx.yield"]


@pytest.mark.parametrize("odd", ["a b", 'a"b', "é", "1x", "a=b", ""])
def test_odd_names_of_domains_and_attributes(odd: str):
    node = helper.make_node(
        "Magic", ["x"], ["y"], domain=f"d{odd}", **{f"k{odd}": 1, odd or "z": 2}
    )
    proto = model([node], [floats("x", [4])], [floats("y", [4])], domains=[f"d{odd}"])
    (op,) = ops_of(imported(proto))
    assert isinstance(op, CustomOp)
    assert {*op.settings.data} == {ascii_text(f"k{odd}"), ascii_text(odd or "z")}


def branch(value: str, node: onnx.NodeProto) -> onnx.GraphProto:
    return graph([node], [], [floats(value, [4])], [weight(f"{value}_w", ONES)])


def test_subgraphs():
    then = branch("t", helper.make_node("Add", ["x", "t_w"], ["t"]))
    other = branch("t", helper.make_node("Mul", ["h", "t_w"], ["t"]))
    nodes = [
        helper.make_node("Neg", ["x"], ["h"]),
        helper.make_node("If", ["c"], ["y"], then_branch=then, else_branch=other, name="choice"),
    ]
    condition = helper.make_tensor_value_info("c", TensorProto.BOOL, [])
    module = imported(model(nodes, [floats("x", [4]), condition], [floats("y", [4])]))
    neg, choice = ops_of(module)
    assert isinstance(choice, OnnxOp)
    bodies = [choice.subgraph_named(name) for name in ("then_branch", "else_branch")]
    names = [[op.name for op in body.block.ops] for body in bodies if body is not None]
    assert names == [
        ["nn.constant", "onnx.Add", "onnx.yield"],
        ["nn.constant", "onnx.Mul", "onnx.yield"],
    ]
    assert bodies[1] is not None
    assert [*bodies[1].block.ops][1].operands[0] is neg.results[0]


def test_a_loop_with_carried_values():
    body = graph(
        [
            helper.make_node("Identity", ["go"], ["go_on"]),
            helper.make_node("Add", ["sum", "x"], ["next"]),
        ],
        [
            helper.make_tensor_value_info("i", TensorProto.INT64, []),
            helper.make_tensor_value_info("go", TensorProto.BOOL, []),
            floats("sum", [4]),
        ],
        [helper.make_tensor_value_info("go_on", TensorProto.BOOL, []), floats("next", [4])],
    )
    loop = helper.make_node("Loop", ["trips", "", "x"], ["y"], body=body)
    trips = helper.make_tensor_value_info("trips", TensorProto.INT64, [])
    (op,) = ops_of(imported(model([loop], [floats("x", [4]), trips], [floats("y", [4])])))
    assert [str(a.type) for a in op.regions[0].block.args] == [
        "tensor<i64>", "tensor<i1>", "tensor<4xf32>"
    ]  # fmt: skip
    assert isinstance(op, OnnxOp)
    assert [value is not None for value in op.inputs_by_position()] == [True, False, True]


def test_functions_of_the_model_are_inlined():
    function = helper.make_function(
        "local", "Twice", ["a"], ["b"], [helper.make_node("Add", ["a", "a"], ["b"])],
        [helper.make_opsetid("", 17)],
    )  # fmt: skip
    node = helper.make_node("Twice", ["x"], ["y"], domain="local")
    proto = model([node], [floats("x", [4])], [floats("y", None)], domains=["local"])
    proto.functions.append(function)
    assert [op.name for op in ops_of(imported(proto))] == ["onnx.Add"]


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (helper.make_node("Relu", ["x"], ["y"], slope=1), "Unrecognized attribute: slope"),
        (
            helper.make_node("Relu", ["z"], ["y"], name="gate"),
            "input 'z' of node: name: gate OpType: Relu is not output of any previous nodes$",
        ),
        (
            helper.make_node("Nope", ["x"], ["y"], name="what"),
            r"No Op registered for Nope .*Name: what OpType: Nope\)$",
        ),
        (helper.make_node("Relu", ["x", "x"], ["y"]), "has input size 2"),
    ],
)
def test_an_error_of_the_checker_is_one_line(node: onnx.NodeProto, message: str):
    with pytest.raises(ModelError, match=f"the model is not valid ONNX: .*{message}") as error:
        imported(model([node], [floats("x", [4])], [floats("y", [4])]))
    assert "\n" not in str(error.value)


def test_an_opset_that_onnx_does_not_know():
    proto = model([helper.make_node("Relu", ["x"], ["y"])], [floats("x", [4])], [floats("y", [4])])
    latest = onnx.defs.onnx_opset_version()
    proto.opset_import[0].version = latest
    assert [op.name for op in ops_of(imported(proto))] == ["onnx.Relu"]
    proto.opset_import[0].version = latest + 1
    with pytest.raises(ModelError, match=rf"opset {latest + 1} of ai\.onnx, .* up to {latest}$"):
        imported(proto)


def test_an_unknown_opset_of_a_domain_matters_where_a_node_uses_it():
    proto = model(
        [helper.make_node("Relu", ["x"], ["y"])],
        [floats("x", [4])],
        [floats("y", [4])],
        domains=["ai.onnx.ml"],
    )
    proto.opset_import[1].version = 99
    assert [op.name for op in ops_of(imported(proto))] == ["onnx.Relu"]
    proto.graph.node[0].CopyFrom(
        helper.make_node("Binarizer", ["x"], ["y"], domain="ai.onnx.ml", threshold=1.0)
    )
    with pytest.raises(ModelError, match=r"opset 99 of ai\.onnx\.ml, "):
        imported(proto)


LIGHT = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", sorted(LIGHT.glob("*.onnx")), ids=lambda path: path.stem)
def test_models_of_the_onnx_package(path: Path):
    ctx = context()
    module = import_model(ctx, path)
    proto = onnx.load(path, load_external_data=False)
    ops = [op.op_type for op in reparsed(ctx, module).walk() if isinstance(op, OnnxOp)]
    assert ops == [node.op_type for node in proto.graph.node if node.op_type != "Constant"]
