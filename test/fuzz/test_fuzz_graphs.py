"""A sample of random graphs of each family, each in one form; `make fuzz` draws many more."""

from __future__ import annotations

import numpy as np
import pytest
from fuzz_campaign import Drawn, one_form, run_cases
from fuzz_case import FuzzCase, build_model
from fuzz_compare import Expectation
from fuzz_families import FAMILIES
from fuzz_onnxruntime import may_differ, run_model
from fuzz_reference import sample
from onnx import helper
from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented

COUNT = 60
SEED = 3
GRAPHS = tuple(family for family in FAMILIES if family != "sizes")
SIZES = 24
"""Graphs of sizes, which are run with 40 numbers each, and of which many are refused."""


@pytest.mark.exhaustive
def test_no_sampled_graph_is_wrong():
    results = dict(run_cases(SEED, range(COUNT), one_form, families=GRAPHS))
    assert len(results) == COUNT
    wrong = {name: result.failures for name, result in results.items() if result.failures}
    assert wrong == {}
    assert {name: result.other for name, result in results.items() if result.other} == {}
    assert sum(bool(result.refused) for result in results.values()) < COUNT / 8
    assert sum(result.open_share for result in results.values()) < COUNT / 4


def test_no_sampled_graph_of_codes_is_wrong():
    results = dict(run_cases(SEED, range(6), one_form, families=("codes",)))
    assert len(results) == 6
    assert {name: result.failures for name, result in results.items() if result.failures} == {}
    assert {name: result.refused for name, result in results.items() if result.refused} == {}


@pytest.mark.exhaustive
def test_no_sampled_size_is_wrong():
    results = dict(run_cases(SEED, range(SIZES), one_form, families=("sizes",)))
    assert {name: result.failures for name, result in results.items() if result.failures} == {}
    assert {name: result.other for name, result in results.items() if result.other} == {}
    assert sum(not result.refused for result in results.values()) > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_a_number_draws_one_graph(family):
    def drawn(number):
        return Drawn(SEED, number, (), family=family).case()

    first, again, other = drawn(1), drawn(1), drawn(2)
    assert first.model == again.model != other.model
    for name, array in first.inputs.items():
        assert array.dtype == object or array.tobytes() == again.inputs[name].tobytes()


def test_graphs_with_an_open_extent_run_with_several_numbers():
    compared = 0
    for number in range(6):
        case = Drawn(SEED, number, (), family="open").case()
        (spec,) = case.settings["dynamic"]
        assert len(case.runs) == 4 and spec.least < spec.most
        run = case.runs[0]
        if may_differ(run, run.inputs):
            continue
        try:
            found = run_model(run)
        except NotImplemented:  # a type that onnxruntime lacks for an operator
            continue
        assert not Expectation(run, 2).differences(found)
        compared += 1
    assert compared


def test_unsorted_nodes_keep_their_order():
    x = np.array(["b", "a", "b"], object)
    node = helper.make_node("Unique", ["x"], ["y"], sorted=0)
    case = FuzzCase("case", build_model("case", [node], {"x": x}, {}, {"y": x[:2]}), {"x": x})
    assert not Expectation(case, 2).differences([x[:2]])
    assert Expectation(case, 2).differences([x[1:]])


def test_another_string_is_wrong():
    x = np.array(["a", "ß"], object)
    node = helper.make_node("Identity", ["x"], ["y"])
    case = FuzzCase("case", build_model("case", [node], {"x": x}, {}, {"y": x}), {"x": x})
    assert not Expectation(case, 2).differences([x])
    assert Expectation(case, 2).differences([np.array(["a", "s"], object)])


@pytest.mark.parametrize(("zero", "differs"), [(-0.0, True), (0.0, False)])
def test_onnxruntime_is_not_asked_for_a_zero_with_a_sign(zero, differs):
    x, choice = np.array([zero, 1], np.float32), np.array([True, False])
    node = helper.make_node("Where", ["choice", "x", "x"], ["y"])
    inputs = {"choice": choice, "x": x}
    case = FuzzCase("case", build_model("case", [node], inputs, {}, {"y": x}), inputs)
    assert may_differ(case, inputs) is differs


@pytest.mark.parametrize(("weight", "differs"), [(np.int8, True), (np.uint8, False)])
def test_onnxruntime_is_not_asked_for_products_by_signed_bytes(weight, differs):
    inputs = {"x": np.ones((2, 3), np.uint8), "w": np.ones((3, 2), weight)}
    node = helper.make_node("MatMulInteger", ["x", "w"], ["y"])
    model = build_model("case", [node], inputs, {}, {"y": np.ones((2, 2), np.int32)})
    assert may_differ(FuzzCase("case", model, inputs), inputs) is differs


@pytest.mark.parametrize(("size", "differs"), [(8, True), (7, False)])
def test_onnxruntime_is_not_asked_for_places_that_32_bits_miss(size, differs):
    given = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    node = helper.make_node("Resize", ["x", "", "", "sizes"], ["y"], mode="nearest", **given)
    inputs, sizes = {"x": np.arange(14, dtype=np.float32)}, {"sizes": np.array([size])}
    places = np.arange(size) * 14 // size
    model = build_model("case", [node], inputs, sizes, {"y": inputs["x"][places]})
    case = FuzzCase("case", model, inputs)
    assert may_differ(case, sample(case)) is differs
    (found,) = run_model(case)
    assert (found != places).any() == differs
    assert not Expectation(case, 2).differences([inputs["x"][places]])
