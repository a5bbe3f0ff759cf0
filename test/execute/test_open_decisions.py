"""Networks that decide by their open extent at an end of the range, or for few of its numbers."""

from __future__ import annotations

import re

import numpy as np
import pytest
from open_decisions import (
    DECISIONS,
    negated_once,
    places_of_pixels,
    squeezed_anywhere,
    wrapped,
)
from open_runs import check_range, compiled, expected

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import UnsupportedError
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import load_bundle


@pytest.mark.parametrize(("make", "given", "hint"), DECISIONS)
def test_a_decision_is_refused_with_the_way_out(make, given, hint, tmp_path):
    spec = OpenSpec(("n",), *given)
    text = f"split the range, such as --dynamic {hint}"
    with pytest.raises(UnsupportedError, match=re.escape(text)):
        compiled(make, spec, tmp_path / "b", level=0)


def test_data_of_each_size_is_refused_with_parts_of_single_sizes(tmp_path):
    spec = [OpenSpec((name,), 16, 48, 16) for name in "nm"]
    with pytest.raises(UnsupportedError, match=r"part, such as --dynamic n,m=16,32,48$"):
        compiled(places_of_pixels, spec, tmp_path / "b", level=0)


def test_a_part_for_the_number_is_right(tmp_path):
    model = negated_once()
    spec = OpenSpec.of({"n": [1, (2, 9)]})
    compile_model(model.SerializeToString(), tmp_path / "b", CompileOptions(dynamic=spec, level=0))
    with load_bundle(tmp_path / "b") as session:
        for n in (1, 2, 9):
            values = {"x": np.arange(4 * n, dtype=np.float32).reshape(n, 4)}
            (found,) = session.run(values).values()
            np.testing.assert_array_equal(found, expected(model, values)[0])


def test_axes_of_one_element_are_taken_away_where_the_open_one_has_several(tmp_path):
    spec = OpenSpec(("n",), 2, 9)
    check_range(squeezed_anywhere, spec, tmp_path / "b", range(2, 10), level=0)


def test_a_run_counts_places_from_the_end_for_the_numbers_that_do(tmp_path):
    check_range(wrapped, OpenSpec(("n",), 1, 12), tmp_path / "b", range(1, 13), level=0)
