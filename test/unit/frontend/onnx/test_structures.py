"""Sequences and optionals among the inputs of a model."""

import pytest
from onnx import parser

from autodeploy.diagnostics import ModelError
from autodeploy.frontend.onnx.structures import ABSENT, split_inputs


def graph(inputs: str):
    text = f'<ir_version: 8, opset_import: ["" : 18]> g ({inputs}) => (int64 n) {{ n = Size(x) }}'
    return parser.parse_model(text).graph


def test_elements_of_a_sequence_become_inputs():
    made = graph("seq(float[N, 2]) x, float[3] y")
    left = split_inputs(made, {"x": (2,), "x_1": (4, 2), "y": (3,)})
    assert left == {"x_1": (4, 2), "y": (3,)}
    assert [info.name for info in made.input] == ["x_0", "x_1", "y"]
    first = made.input[0].type.tensor_type
    assert [dim.dim_param for dim in first.shape.dim] == ["", ""]
    assert first.shape.dim[1].dim_value == 2
    node = made.node[0]
    assert (node.op_type, [*node.input], [*node.output]) == (
        "SequenceConstruct", ["x_0", "x_1"], ["x"],
    )  # fmt: skip
    assert made.node[1].op_type == "Size"


def test_a_sequence_without_elements_is_made_in_the_model():
    made = graph("seq(double[2]) x")
    assert split_inputs(made, {"x": (0,)}) == {}
    assert not made.input
    node = made.node[0]
    assert (node.op_type, node.attribute[0].i) == ("SequenceEmpty", 11)


def test_other_settings_stay():
    made = graph("seq(float[2]) x, float[3] y")
    assert split_inputs(made, {"y": (3,)}) == {"y": (3,)}
    assert [info.name for info in made.input] == ["x", "y"]
    assert len(made.node) == 1


def test_an_optional_is_its_value_or_is_made_in_the_model():
    made = graph("optional(float[2]) x, optional(seq(float[2])) y")
    assert split_inputs(made, {"x": ABSENT, "y": (1,)}) == {}
    assert [info.name for info in made.input] == ["y_0"]
    assert [node.op_type for node in made.node] == ["Optional", "SequenceConstruct", "Size"]
    held = graph("optional(float[2]) x")
    split_inputs(held, {})
    assert held.input[0].type.HasField("tensor_type")


@pytest.mark.parametrize(
    ("inputs", "shapes", "reason"),
    [
        ("seq(float[2]) x", {"x": (2, 3)}, "is a sequence: its shape is the number"),
        ("seq(float[2]) x", {"x": (-2,)}, "is a sequence: its shape is the number"),
        ("seq(seq(float[2])) x", {"x": (2,)}, "a sequence of other types than tensors"),
        ("seq(float[2]) x, float[3] x_1", {"x": (2,)}, "'x_1' of sequence 'x' has the name of"),
    ],
)
def test_values_that_do_not_fit_are_an_error(inputs, shapes, reason):
    with pytest.raises(ModelError, match=reason):
        split_inputs(graph(inputs), shapes)
