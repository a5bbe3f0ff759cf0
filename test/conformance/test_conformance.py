"""A sample of ONNX's own suite; `make conformance` runs it all."""

from __future__ import annotations

import unittest
from collections import Counter

import numpy as np
import pytest
from fake_cuda import needs_linux
from onnx import TensorProto, helper, parser
from onnx.backend.test import BackendTest
from opencl import needs_opencl
from page_program import MACHINE
from refusals import explanations, given_values, refusals, unexpected
from suite import Kind, operators_tested, run_tests, sample, suite_tests
from webgpu import needs_webgpu

from autodeploy import onnx_backend
from autodeploy.diagnostics import UserError

REFUSED = "image_decoder_decode_png_rgb"


@pytest.mark.exhaustive
@pytest.mark.xdist_group("conformance")
def test_sampled_tests_agree_with_the_table():
    tests = sample(refusals())
    found = dict(run_tests(tests, level=2))
    assert set(found) == {test.name for test in tests}
    assert unexpected(found, refusals(), given_values()) == {}


@pytest.mark.exhaustive
@pytest.mark.xdist_group("conformance-device")
@pytest.mark.parametrize(
    "device", [pytest.param("opencl", marks=needs_opencl), pytest.param("cuda", marks=needs_linux)]
)
def test_sampled_tests_pass_on_a_device(device: str):
    tests = sample(refusals())[::3]
    found = dict(run_tests(tests, level=2, machine=f"host:device={device}"))
    assert set(found) == {test.name for test in tests}
    assert unexpected(found, refusals(), given_values()) == {}


@pytest.mark.exhaustive
@pytest.mark.xdist_group("conformance-device")
@needs_webgpu
def test_sampled_tests_pass_in_a_page():
    tests = [test for test in sample(refusals()) if test.name not in refusals()][::3]
    found = dict(run_tests(tests, level=2, machine=MACHINE))
    assert set(found) == {test.name for test in tests}
    assert unexpected(found, refusals(), given_values()) == {}
    assert Counter(outcome.kind for outcome in found.values())[Kind.PASS] > len(tests) / 4


def test_a_test_without_a_page_is_no_refusal():
    tests = [suite_tests()[name] for name in ("test_add_uint8", f"test_{REFUSED}")]
    found = dict(run_tests(tests, level=0, machine=MACHINE))
    assert [outcome.kind for outcome in found.values()] == [Kind.NO_PAGE, Kind.REFUSED]
    assert unexpected(found, refusals(), given_values()) == {}


@pytest.mark.exhaustive
@pytest.mark.xdist_group("conformance")
def test_the_sample_has_every_operator_that_passes_a_test():
    passing = [test for name, test in suite_tests().items() if name not in refusals()]
    sampled = [test for test in sample(refusals()) if test.name not in refusals()]
    assert _operators(sampled) == _operators(passing)


def _operators(tests):
    return frozenset().union(*map(operators_tested, tests))


@pytest.mark.exhaustive
@pytest.mark.xdist_group("conformance")
def test_differences_from_the_table_are_found(monkeypatch):
    named = suite_tests()
    names = [f"test_{name}" for name in ("abs", "add", REFUSED, "center_crop_pad_crop_expanded")]
    compare = BackendTest.assert_similar_outputs.__func__

    def wrong_for_abs(cls, expected, outputs, *rest):
        changed = [x + (names[0] in running) for x in outputs]
        compare(cls, expected, changed, *rest)

    running: list[str] = []
    monkeypatch.setattr(BackendTest, "assert_similar_outputs", classmethod(wrong_for_abs))
    running.append(names[0])
    found = dict(run_tests([named[names[0]]], level=0))
    running.clear()
    found |= dict(run_tests([named[name] for name in names[1:]], level=0))
    assert [found[name].kind for name in names] == [
        Kind.WRONG, Kind.PASS, Kind.REFUSED, Kind.GIVEN,
    ]  # fmt: skip
    table, given = {names[2]: refusals()[names[2]]}, {names[3]: given_values()[names[3]]}
    assert list(unexpected(found, table, given)) == names[:1]
    assert list(unexpected(found, {**table, names[1]: ""}, given)) == names[:2]
    assert list(unexpected(found, {**table, names[3]: ""}, given)) == [names[0], names[3]]
    assert list(unexpected(found, {}, given)) == [names[0], names[2]]
    assert list(unexpected(found, {names[2]: "another"}, given)) == [names[0], names[2]]
    assert list(unexpected(found, table, {})) == [names[0], names[3]]
    assert list(unexpected(found, table, {**given, names[1]: "x"})) == names[:2]


@pytest.mark.exhaustive
def test_the_adapter_passes_tests_of_the_suite():
    suite = BackendTest(onnx_backend, __name__)
    case = suite.test_cases["OnnxBackendNodeModelTest"]
    tests = unittest.TestSuite(
        case(f"test_{name}") for name in ("abs_cpu", "abs_cuda", f"{REFUSED}_cpu")
    )
    result = unittest.TestResult()
    tests.run(result)
    assert (result.testsRun, len(result.skipped)) == (3, 1)
    ((_, error),) = result.errors
    assert "UnsupportedError: the model has 1 node that cannot be converted" in error


def _doubling(shape):
    value = helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)
    graph = helper.make_graph([helper.make_node("Add", ["x", "x"], ["y"])], "g", [value], [result])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])


def test_open_extents_are_those_of_the_inputs():
    prepared = onnx_backend.prepare(_doubling(["n", 2]), level=0)
    for count in (3, 1, 3):
        x = np.arange(2 * count, dtype=np.float32).reshape(count, 2)
        (y,) = prepared.run([x])
        np.testing.assert_array_equal(y, 2 * x)


def test_inputs_go_by_position_by_name_and_alone():
    x = np.ones(2, np.float32)
    prepared = onnx_backend.prepare(_doubling([2]), level=0)
    for inputs in ([x], {"x": x}, x):
        np.testing.assert_array_equal(prepared.run(inputs), [2 * x])
    with pytest.raises(UserError, match="takes 1 inputs, found 2"):
        prepared.run([x, x])


def test_sequences_are_lists_and_optionals_may_be_none():
    text = """<ir_version: 8, opset_import: ["" : 18]>
        g (seq(float[N]) x, optional(float[2]) o)
            => (seq(float[M]) y, optional(float[2]) p, bool h) {
          y = SequenceMap(x) <body = b (float[N] a) => (float[N] r) { r = Neg(a) }>
          p = Identity(o)
          h = OptionalHasElement(o)
        }"""
    prepared = onnx_backend.prepare(parser.parse_model(text), level=0)
    one, two = np.ones(3, np.float32), np.arange(2, dtype=np.float32)
    for given, held in (([one, two], None), ([two], two)):
        found, optional, has = prepared.run([given, held])
        assert [value.tolist() for value in found] == [(-value).tolist() for value in given]
        assert has == (held is not None)
        np.testing.assert_array_equal(optional, held)


def test_sizes_are_computed_from_the_values_that_a_run_is_given():
    text = """<ir_version: 8, opset_import: ["" : 18]>
        g (float[4] x, int64[2] size, int64 end) => (float[N, M] y, float[K] z) {
          y = Expand(x, size)
          zero = Constant<value_ints = [0]>()
          form = Constant<value_ints = [1]>()
          ends = Reshape(end, form)
          part = Slice(x, zero, ends)
          z = Neg(part)
        }"""
    model = parser.parse_model(text)
    model.graph.input[1].name = model.graph.node[0].input[1] = "größe"
    prepared = onnx_backend.prepare(model, level=0)
    x = np.arange(4, dtype=np.float32)
    for rows, end in ((2, 3), (5, 3), (2, 3), (2, 1)):
        y, z = prepared.run([x, np.array([rows, 1]), np.array(end)])
        np.testing.assert_array_equal(y, [x] * rows)
        np.testing.assert_array_equal(z, -x[:end])
    with pytest.raises(UserError, match="takes 3 inputs"):
        prepared.run([x])


def test_another_device_is_refused():
    assert not onnx_backend.supports_device("CUDA")
    with pytest.raises(UserError, match="found 'CUDA:1'"):
        onnx_backend.prepare(_doubling([2]), "CUDA:1")


def test_each_refusal_is_explained() -> None:
    assert [reason for reason, why in explanations().items() if not why] == []
