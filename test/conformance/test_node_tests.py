"""A sample of ONNX's node tests; `make conformance` runs them all."""

from __future__ import annotations

import copy

import pytest
from node_tests import Kind, node_tests, run_tests

STEP = 17
"""Of so many tests, which stand in order of their names, the sample has one."""

SAMPLE = node_tests()[::STEP]


@pytest.mark.xdist_group("node_tests")
def test_no_sampled_test_is_wrong():
    found = dict(run_tests(SAMPLE, level=2))
    assert set(found) == {test.name for test in SAMPLE}
    assert {name: outcome for name, outcome in found.items() if outcome.is_defect} == {}
    passed = [o for o in found.values() if o.kind in (Kind.PASS, Kind.FROZEN)]
    assert len(passed) > len(found) / 2


@pytest.mark.xdist_group("node_tests")
def test_a_wrong_result_is_found():
    named = {test.name: test for test in node_tests()}
    names = ("abs", "add", "image_decoder_decode_png_rgb", "slice")
    tests = [copy.deepcopy(named[f"test_{name}"]) for name in names]
    tests[0].data_sets[0][1][0][0] += 1
    found = dict(run_tests(tests, level=0))
    kinds = [found[test.name].kind for test in tests]
    assert kinds == [Kind.WRONG, Kind.PASS, Kind.REFUSED, Kind.FROZEN]
