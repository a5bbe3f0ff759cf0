"""What the fuzz expects of subgraphs and sequences, against onnxruntime, and how it cuts them."""

from __future__ import annotations

import numpy as np
import onnx.parser
import pytest
from fuzz_case import FuzzCase, build_model, load_case, reads
from fuzz_compare import Expectation
from fuzz_reference import sample
from onnx import helper
from onnx_cases_control_flow import CONTROL_FLOW_CASES, TRIPS, control_flow
from onnx_cases_sequences import SEQUENCE_CASES


def _case(example):
    return FuzzCase(example.name, example.model(), example.inputs)


@pytest.mark.parametrize("example", [*CONTROL_FLOW_CASES, *SEQUENCE_CASES], ids=lambda e: e.name)
def test_subgraphs_agree_with_onnxruntime(example):
    expectation = Expectation(_case(example), 2)
    assert not expectation.differences(example.expected)
    wrong = [np.asarray(y) for y in example.expected]
    wrong[0] = ~wrong[0] if wrong[0].dtype == bool else wrong[0] + 1
    assert expectation.differences(wrong)


def test_an_error_grows_with_the_trips():
    """What is added to a number before each of four products with 3 is worth 120 times as much."""
    text = """g (float x) => (float y) <int64 n = {4}> {
      y = Loop(n, , x) <body = b (int64 i, bool c, float p) => (bool d, float q) {
        d = Identity(c) three = Constant<value = float {3.0}>() e = Exp(p) l = Log(e)
        q = Mul(l, three) }> }"""
    case = _case(control_flow("case", text, x=np.array(1, np.float32)))
    found = [float(sample(case, 2, number)["y"]) for number in range(1, 40)]
    assert 1e-4 < max(found) - min(found) < 1e-1


def test_a_condition_close_to_its_limit_is_open():
    text = """g (float x, float limit) => (int64 y)
        <int64 n = {5}, int64 zero = {0}, int64 one = {1}> {
      y = Loop(n, , zero) <body = b (int64 i, bool c, int64 p) => (bool d, int64 q) {
        e = Exp(x) d = Less(e, limit) q = Add(p, one) }> }"""

    def expectation(limit):
        x, limit = np.array(0, np.float32), np.array(limit, np.float32)
        return Expectation(_case(control_flow("case", text, x=x, limit=limit)), 2)

    assert not expectation(1.1).differences([np.array(5)])
    assert expectation(1.1).differences([np.array(4)])
    assert not expectation(0.9).differences([np.array(1)])
    assert not expectation(1).differences([np.array(1)])
    assert expectation(1).open_share() == 1


def test_a_part_has_the_values_that_its_subgraphs_read():
    case = _case(control_flow("case", TRIPS, n=np.array(2), x=np.ones((3, 4), np.float32)))
    (loop,) = (i for i, node in enumerate(case.nodes) if node.op_type == "Loop")
    part = case.part(loop, loop, [sample(case)])
    assert set(part.inputs) >= {"n", "x", "two"}
    assert not Expectation(part, 2).differences([sample(case)[name] for name in part.outputs])


def test_reads_leaves_out_results_of_a_subgraph():
    text = """g (bool c, float[2] x, float[2] y) => (float[2] z) {
      z = If(c) <
        then_branch = t () => (float[2] p) { q = Add(x, y) p = Neg(q) },
        else_branch = e () => (float[2] r) <float[2] w = {1, 2}> { r = Mul(w, y) }> }"""
    model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17]> {text}')
    assert set(reads(model.graph.node[0])) == {"c", "x", "y"}


def test_a_part_with_a_sequence_is_none():
    example = SEQUENCE_CASES[0]
    case = _case(example)
    values = [sample(case)]
    assert case.part(1, 1, values) is None
    assert case.part(0, len(case.nodes) - 1, values) is not None


def test_a_case_with_an_open_extent_is_saved_and_read(tmp_path):
    runs = [{"x": np.ones((n, 2), np.float32), "y": np.zeros(2, np.float32)} for n in (5, 1, 3)]
    node = helper.make_node("Add", ["x", "y"], ["z"])
    results = [{"z": fed["x"]} for fed in runs]
    further = [{**fed, **found} for fed, found in zip(runs[1:], results[1:], strict=True)]
    model = build_model("case", [node], runs[0], {}, results[0], further=further)
    dims = [value.type.tensor_type.shape.dim for value in (*model.graph.input, *model.graph.output)]
    assert [[d.dim_param or d.dim_value for d in dim] for dim in dims] == [
        ["batch", 2],
        [2],
        ["batch", 2],
    ]
    case = FuzzCase("case", model, runs[0], further=runs[1:])
    (spec,) = case.settings["dynamic"]
    assert (spec.least, spec.most) == (1, 5)
    case.save(tmp_path / "case")
    read = load_case(tmp_path / "case")
    assert read.settings == case.settings
    assert [run.inputs["x"].shape for run in read.runs] == [(5, 2), (1, 2), (3, 2)]
