"""Padding that follows from an open extent, against onnxruntime."""

from __future__ import annotations

import pytest
from open_runs import check_range, check_sanitized_range
from open_same import (
    computed_pads,
    mobile_lower,
    mobile_upper,
    same_behind,
    same_kinds,
    wider_pads,
)

from autodeploy.frontend.open_sizes import OpenSpec

RANGES = (
    (mobile_upper, OpenSpec(("n",), 1, 40)),
    (mobile_lower, OpenSpec(("n",), 9, 41)),
    (same_kinds, OpenSpec(("n",), 1, 30)),
    (same_behind, OpenSpec(("n",), 16, 64)),
    (computed_pads, OpenSpec(("n",), 8, 37)),
    (wider_pads, OpenSpec(("n",), 8, 37)),
)


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize(("make", "spec"), RANGES)
def test_all_numbers_of_the_range_are_right(make, spec, level, tmp_path):
    numbers = range(spec.least, spec.most + 1)
    check_range(make, spec, tmp_path / "b", numbers, level=level)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("make", "spec"), RANGES)
def test_threads_share_what_there_is(make, spec, tmp_path):
    options = {"threads": 2, "machine": "host:parallel_work=1"}
    check_range(make, spec, tmp_path / "b", range(spec.least, spec.most + 1), **options)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("make", "number"), [(mobile_upper, 17), (same_kinds, 10)])
def test_sanitizers_find_nothing_in_the_c_program(make, number, tmp_path):
    (spec,) = (spec for found, spec in RANGES if found is make)
    check_sanitized_range(make, spec, tmp_path, (spec.least, number, spec.most))
