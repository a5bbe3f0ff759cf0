"""Extents, and places of elements, in no form which a program evaluates: a run looks them up."""

from __future__ import annotations

import pytest
from open_derived import detector
from open_formless import padded_to_forms, windows_of_padded
from open_runs import assert_all_close, check_range, compiled, expected
from open_several import drawn
from sanitized_program import make_sanitized, run_sanitized

from autodeploy.frontend.open_sizes import OpenSpec

SPEC = OpenSpec(("n",), 2, 13)


@pytest.mark.parametrize("make", (padded_to_forms, windows_of_padded))
def test_lookups_are_fused(make, tmp_path):
    check_range(make, SPEC, tmp_path / "b", range(2, 14))


def test_a_program_that_looks_up_numbers_is_clean(tmp_path):
    specs = OpenSpec(("h",), 6, 13), OpenSpec(("w",), 6, 15)
    model = compiled(detector, specs, tmp_path / "b", emit="c")
    make_sanitized(tmp_path / "b")
    for h, w in ((6, 15), (13, 6), (13, 15)):
        values = drawn(model, {"h": h, "w": w}, seed=h)
        assert_all_close(run_sanitized(tmp_path / "b", values), expected(model, values))
