"""What keeps a model from being converted, as one text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from autodeploy.compiler import compile_model
from autodeploy.diagnostics import ModelError, UnsupportedError
from autodeploy.frontend.problems import Problem, report


def model_of(
    nodes: list[NodeProto],
    inputs: dict[str, list[int | str]],
    outputs: dict[str, list[int | str] | None],
    constants: tuple[TensorProto, ...] = (),
) -> ModelProto:
    infos = [
        [helper.make_tensor_value_info(name, 1, shape) for name, shape in named.items()]
        for named in (inputs, outputs)
    ]
    graph = helper.make_graph(nodes, "g", *infos, list(constants))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def problem(
    operator: str = "Det-11",
    node: str = "'n'",
    element: str = "f32",
    reason: str = "not supported",
) -> Problem:
    return Problem(operator, node, element, reason)


def test_many_nodes_of_an_operator_are_one_line():
    nodes = [problem(node=f"'n{i}'", element=("f32", "f16")[i % 2]) for i in range(175)]
    assert report([*nodes, problem("Conv-11"), problem("Conv-1")]) == [
        "the model has 177 nodes that cannot be converted",
        "  Conv-1 node 'n' on f32: not supported",
        "  Conv-11 node 'n' on f32: not supported",
        "  Det-11 175 nodes ('n0', 'n1', 'n2', …) on f32, f16: not supported",
    ]


def test_many_reasons_of_an_operator_are_cut():
    problems = [problem(node=f"'n{i}'", reason=f"axis {i // 2} is wrong") for i in range(12)]
    assert report([*problems, problem(node="'m'", reason="axis 3 is wrong")]) == [
        "the model has 13 nodes that cannot be converted",
        "  Det-11 3 nodes ('n6', 'n7', 'm') on f32: axis 3 is wrong",
        "  Det-11 2 nodes ('n0', 'n1') on f32: axis 0 is wrong",
        "  Det-11 2 nodes ('n2', 'n3') on f32: axis 1 is wrong",
        "  Det-11 6 nodes ('n4', 'n5', 'n8', …) on f32: 3 other reasons",
    ]


def test_advice_follows_once_unless_a_reason_has_an_option():
    open_ = [replace(problem(node=f"'n{i}'"), advice="  a part of one number") for i in range(2)]
    assert report([*open_, problem("Conv-1")])[-2:] == [
        "  Det-11 2 nodes ('n0', 'n1') on f32: not supported",
        "  a part of one number",
    ]
    split = problem("Conv-1", reason="differs; split the range, such as --dynamic n=1,2..8")
    assert "  a part of one number" not in report([*open_, split])


def test_an_operator_that_onnx_defines_by_others_is_named_itself(tmp_path: Path):
    node = helper.make_node("HannWindow", ["x"], ["y"], name="q")
    model = model_of([node], {"x": []}, {"y": ["n"]})
    with pytest.raises(UnsupportedError) as caught:
        compile_model(model.SerializeToString(), tmp_path / "out")
    assert str(caught.value).splitlines() == [
        "the model has 1 node that cannot be converted",
        "  HannWindow-17 node 'q' on f32: Range-11, which is a part of it: "
        "input 'limit' must be a constant, found an argument; give the values of inputs that are "
        "the same in all runs, such as --value x=1",
    ]


def test_open_inputs_and_missing_operators_are_reported_together(tmp_path: Path):
    nodes = [
        helper.make_node("Bend", ["x"], ["d"], name="volume", domain="com.example"),
        helper.make_node("Shape", ["x"], ["s"]),
        # Constants, once the extents of x are known.
        helper.make_node("NonZero", ["s"], ["i"], name="places"),
        helper.make_node("HardSwish", ["x"], ["h"]),
        helper.make_node("Fold", ["h"], ["y"], name="fold", domain="com.example"),
    ]
    model = model_of(nodes, {"x": ["N", 3, 3]}, {"d": ["N"], "y": ["N", 3, 3]})
    model.opset_import.add(domain="com.example", version=1)
    with pytest.raises(UnsupportedError) as caught:
        compile_model(model.SerializeToString(), tmp_path / "out")
    assert str(caught.value).splitlines() == [
        "the model leaves extents of its inputs open: 'x' [N, 3, 3]; give them numbers, such as "
        "--shape x=1,3,3",
        "with any numbers, the model has 2 nodes that cannot be converted",
        "  com.example.Bend node 'volume' on f32: this operator is not supported",
        "  com.example.Fold node 'fold' on f32: this operator is not supported",
    ]


def test_a_branch_that_may_not_be_taken_is_not_reported(tmp_path: Path):
    branches = {
        f"{name}_branch": helper.make_graph(
            [helper.make_node(kind, ["x"], [name], domain=domain)], name, [],
            [helper.make_tensor_value_info(name, 1, None)],
        )
        for name, kind, domain in (("then", "Fold", "com.example"), ("else", "Identity", ""))
    }  # fmt: skip
    nodes = [
        helper.make_node("Size", ["x"], ["n"]),
        helper.make_node("Equal", ["n", "zero"], ["c"]),
        helper.make_node("If", ["c"], ["y"], **branches),
    ]
    zero = numpy_helper.from_array(np.array(0), "zero")
    model = model_of(nodes, {"x": ["N", 3, 3]}, {"y": None}, (zero,))
    model.opset_import.add(domain="com.example", version=1)
    with pytest.raises(ModelError, match=r"such as --shape x=1,3,3$"):
        compile_model(model.SerializeToString(), tmp_path / "out")
