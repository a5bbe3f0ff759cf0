"""The comparison of the fuzz itself: it finds what is wrong, and nothing else."""

from __future__ import annotations

import numpy as np
import onnx.parser
import pytest
from fuzz_campaign import Drawn
from fuzz_case import FuzzCase, build_model, load_case
from fuzz_codes_compare import CodesExpectation
from fuzz_compare import Expectation, allowed
from fuzz_onnxruntime import run_model
from ml_dtypes import bfloat16
from onnx import TensorProto, helper

NAN, INF = np.nan, np.inf


def _case(kind, *arrays, dtype=np.float32, **attributes):
    inputs = {f"x{i}": np.array(a, dtype) for i, a in enumerate(arrays)}
    node = helper.make_node(kind, list(inputs), ["y"], **attributes)
    shape = inputs["x0"]
    return FuzzCase("case", build_model("case", [node], inputs, {}, {"y": shape}), inputs)


def _is_right(case, result, dtype=np.float32):
    return not Expectation(case, 2).differences([np.array(result, dtype)])


@pytest.mark.parametrize(
    ("case", "right", "wrong"),
    [
        (_case("Add", [1, 0, INF], [2, -0.0, -INF]), [3, 0.0, NAN], [3, -0.0, NAN]),
        (_case("Add", [1, 0, INF], [2, -0.0, -INF]), [3, 0.0, NAN], [3, 0.0, INF]),
        (_case("Mul", [1, -1], [1e-45, 0.0]), [1e-45, -0.0], [0.0, -0.0]),
        (_case("Exp", [1, -INF, NAN]), [2.7182817, 0, NAN], [2.7184, 0, NAN]),
        (_case("Relu", [-0.0, NAN]), [0.0, NAN], [0.0, 0.0]),
        (_case("Relu", [-0.0, NAN]), [-0.0, NAN], [-1e-30, NAN]),
        (_case("Tanh", [-0.0, 30.0]), [-0.0, 1.0], [0.0, 1.0]),
        (_case("Softmax", [-INF, 0.0, 0.0]), [0, 0.5, 0.5], [0, 0.5, 0.4999]),
        (_case("Pow", [-INF, 4], [0.5]), [INF, 2], [NAN, 2]),
        (_case("Det", [[1, 2], [3, 4]]), -2, -2.001),
        (_case("GridSample", [[[[1, 2], [3, 4]]]], [[[[0, 0]]]]), [[[[2.5]]]], [[[[2.501]]]]),
        (_case("CumSum", [1, INF, -INF]), [1, INF, NAN], [1, INF, INF]),
    ],
)
def test_single_operators(case, right, wrong):
    if case.nodes[0].op_type == "CumSum":
        case.inputs["axis"] = np.array(0)
        case.nodes[0].input.append("axis")
    assert _is_right(case, right)
    assert not _is_right(case, wrong)


@pytest.mark.parametrize(("level", "is_open"), [(2, False), (3, True)])
def test_a_float16_between_operators_may_exceed_its_range_at_level_3(level: int, is_open: bool):
    values = [np.array(x, np.float16) for x in ([6e4, 1], [6e4, 1], [-6e4, 1])]
    inputs = dict(zip("abc", values, strict=True))
    nodes = [
        helper.make_node("Add", ["a", "b"], ["s"]),
        helper.make_node("Add", ["s", "c"], ["y"]),
    ]
    case = FuzzCase("case", build_model("case", nodes, inputs, {}, {"y": values[0]}), inputs)
    expectation = Expectation(case, level)
    for result, is_right in (([INF, 3], True), ([6e4, 3], is_open), ([INF, 4], False)):
        assert bool(expectation.differences([np.array(result, np.float16)])) != is_right


def test_an_overflow_in_some_order_leaves_a_sum_open():
    case = _case("Sum", [3e38], [3e38], [-3e38])
    assert all(_is_right(case, [number]) for number in (3e38, INF, NAN))
    assert not _is_right(_case("Sum", [3e37], [3e37], [-3e37]), [INF])


def test_a_mean_may_overflow_where_the_sum_of_its_window_does():
    def pool(number):
        given = {"kernel_shape": [3], "pads": [1, 1], "count_include_pad": 1}
        return _case("AveragePool", [[[number, number, -number]]], **given)

    # As many means as numbers: the elements of a window are more than those of an image for each.
    assert _is_right(pool(3e38), [[[2e38, 1e38, 0]]])
    assert _is_right(pool(3e38), [[[INF, INF, NAN]]])
    assert not _is_right(pool(3e37), [[[INF, 1e37, 0]]])


def test_the_factors_of_a_product_may_overflow_where_their_sum_does_not():
    case = _case("Gemm", [[2]], [[2e38]], [[2e38]], beta=-2.0)
    assert all(_is_right(case, [[number]]) for number in (0, INF, NAN))
    assert not _is_right(_case("Gemm", [[2]], [[2e37]], [[2e37]], beta=-2.0), [[INF]])


def test_a_sum_that_may_be_either_infinity_may_be_nan():
    samples = np.array([[INF, INF], [-INF, INF]], np.float32)
    assert allowed(np.array([NAN, INF], np.float32), samples).all()
    assert not allowed(np.array([NAN, NAN], np.float32), samples).all()


def test_numbers_of_16_bits_are_rounded_by_each_operator():
    x = np.array([1.0, 3.0], np.float16)
    inputs = {"x": x, "y": np.array([0.0004, 0.001], np.float16)}
    nodes = [helper.make_node("Add", ["x", "y"], ["s"]), helper.make_node("Sub", ["s", "x"], ["d"])]
    case = FuzzCase("case", build_model("case", nodes, inputs, {}, {"d": x}), inputs)
    rounded = (x + inputs["y"]) - x
    assert _is_right(case, rounded, dtype=np.float16)
    assert not _is_right(case, inputs["y"], dtype=np.float16)


def test_a_softmax_of_16_bits_rounds_each_of_its_steps():
    case = _case("Softmax", [5.0, 0.078125], dtype=bfloat16)
    # 0.078125 - 5 is a number between two of 16 bits; its power is off by 1.5 %.
    assert _is_right(case, [0.9921875, np.exp(-4.9375)], bfloat16)
    assert _is_right(case, [0.9921875, np.exp(-4.921875)], bfloat16)
    assert not _is_right(case, [0.9921875, np.exp(-5.125)], bfloat16)


def test_an_error_grows_along_a_chain():
    x = np.array([0.25, 0.5], np.float32)
    nodes = [helper.make_node("Exp", ["x"], ["e"]), helper.make_node("Floor", ["e"], ["y"])]
    case = FuzzCase("case", build_model("case", nodes, {"x": x}, {}, {"y": x}), {"x": x})
    assert _is_right(case, [1, 1]) and not _is_right(case, [1, 2])
    close = {"x": np.array([np.log(2), 0.5], np.float32)}
    case = FuzzCase("case", case.model, close)
    assert _is_right(case, [1, 1]) and _is_right(case, [2, 1])


def test_the_scale_of_infinite_numbers_is_open():
    x = np.array([-INF, 1, INF], np.float32)
    nodes = [
        helper.make_node("DynamicQuantizeLinear", ["x"], ["q", "scale", "zero"]),
        helper.make_node("Mul", ["scale", "f"], ["y"]),
    ]
    inputs = {"x": x, "f": np.float32(0)}
    model = build_model("case", nodes, inputs, {}, {"y": np.float32(0)})
    assert _is_right(FuzzCase("case", model, inputs), NAN)
    finite = inputs | {"x": np.array([-1, 1, 2], np.float32)}
    assert not _is_right(FuzzCase("case", model, finite), NAN)


def test_a_boolean_is_the_byte_0_or_1():
    x = np.array([1, 2], np.float32)
    truth = np.array([False, True])
    node = helper.make_node("Less", ["x", "y"], ["z"])
    inputs = {"x": x, "y": np.array([1, 3], np.float32)}
    case = FuzzCase("case", build_model("case", [node], inputs, {}, {"z": truth}), inputs)
    expectation = Expectation(case, 0)
    assert not expectation.differences([truth])
    assert expectation.differences([np.array([0, 255], np.uint8).view(np.bool_)])


def test_a_case_is_saved_and_read(tmp_path):
    case = _case("Add", [1, NAN], [2, -0.0])
    case.save(tmp_path / "case", failure="wrong")
    read = load_case(tmp_path / "case")
    assert read.model == case.model
    for name, array in case.inputs.items():
        assert read.inputs[name].tobytes() == array.tobytes()


def test_results_of_the_nearest_integer_are_accepted():
    x = np.array([INF, 7.0], np.float32)
    nodes = [
        helper.make_node("Cast", ["x"], ["whole"], to=TensorProto.UINT16),
        helper.make_node("Cast", ["whole"], ["number"], to=TensorProto.FLOAT),
        helper.make_node("Sub", ["number", "most"], ["rest"]),
        helper.make_node("Reciprocal", ["rest"], ["y"]),
    ]
    model = build_model("case", nodes, {"x": x}, {"most": np.array(65535, np.float32)}, {"y": x})
    case = FuzzCase("case", model, {"x": x})
    assert _is_right(case, [INF, np.float32(1) / -65528])
    assert not _is_right(case, [-INF, np.float32(1) / -65528])
    assert not _is_right(case, [INF, np.float32(1) / -65527])


@pytest.mark.parametrize(("slack", "level", "most"), [(0, 2, 0), (2, 2, 2), (0, 0, 1)])
def test_codes_are_as_many_steps_off_as_may_be(slack, level, most):
    x = np.array([[3, 5, 7]], np.uint8)
    node = helper.make_node("Relu", ["x"], ["y"])
    model = build_model(
        "case", [node], {"x": x.astype(np.float32)}, {}, {"y": x.astype(np.float32)}
    )
    case = FuzzCase("case", model, {"x": x.astype(np.float32)}, slack={"y": (slack, 1)})
    expectation = CodesExpectation(case, level)
    for off in range(4):
        found = [(x + np.array([[0, off, 0]])).astype(np.float32)]
        assert bool(expectation.differences(found)) == (off > most)
    assert expectation.differences([x])


def test_a_saved_case_of_codes_keeps_its_errors(tmp_path):
    case = Drawn(0, 1, (), family="codes").case()
    case.save(tmp_path)
    found = load_case(tmp_path)
    assert {name: tuple(errors) for name, errors in found.slack.items()} == case.slack
    assert CodesExpectation(found, 0).differences(list(run_model(case))) == []


def test_a_bias_of_another_scale_is_summed_in_floats():
    """onnxruntime adds its codes to those of the sums, as if they had one scale."""
    model = onnx.parser.parse_model("""
        <ir_version: 8, opset_import: ["" : 17]>
        layer (float[1,4] x) => (uint8[1,2] y)
        <float s = {0.5}, uint8 z = {0}, float ws = {0.25}, int8 wz = {0}, float bs = {0.5},
         int32 bz = {0}, int32[2] b = {40, 80}, int8[4,2] w = {1, 2, 3, 4, 5, 6, 7, 8}>
        {
            q = QuantizeLinear(x, s, z) d = DequantizeLinear(q, s, z)
            dw = DequantizeLinear(w, ws, wz) db = DequantizeLinear(b, bs, bz)
            sum = Gemm(d, dw, db) y = QuantizeLinear(sum, s, z)
        }
    """)
    inputs = {"x": np.array([[1, 1, 1, 1]], np.float32)}
    case = FuzzCase("case", model, inputs, slack={"y": (0, 0)})
    assert not CodesExpectation(case, 2).differences([np.array([[48, 90]], np.uint8)])
