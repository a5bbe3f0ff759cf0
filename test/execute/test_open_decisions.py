"""Networks that decide by their open extent at an end of the range, or for few of its numbers."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest
from open_decisions import (
    CHOICES,
    DECISIONS,
    least_step,
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


@pytest.mark.parametrize(("make", "given", "question", "hint"), DECISIONS)
def test_a_decision_is_refused_with_the_way_out(make, given, question, hint, tmp_path):
    text = f"{re.escape(question)}.*--dynamic {re.escape(hint)}"
    with pytest.raises(UnsupportedError, match=re.compile(text, re.DOTALL)):
        compiled(make, OpenSpec(("n",), *given), tmp_path / "b", level=0)


@pytest.mark.parametrize(("make", "given"), CHOICES)
def test_a_run_makes_a_choice(make, given, tmp_path):
    numbers = range(given[0], given[1] + 1)
    check_range(make, OpenSpec(("n",), *given), tmp_path / "b", numbers, level=0)


def test_a_run_computes_the_places_of_pixels_of_its_size(tmp_path):
    specs = [OpenSpec((name,), 16, 48, 16) for name in "nm"]
    model = compiled(places_of_pixels, specs, tmp_path / "b", level=0)
    with load_bundle(tmp_path / "b") as session:
        for n, m in product((48, 16, 32), repeat=2):
            values = {"x": np.arange(n * m, dtype=np.float32).reshape(1, 1, n, m)}
            (found,) = session.run(values).values()
            np.testing.assert_array_equal(found, expected(model, values)[0])


def test_an_image_is_padded_for_the_least_step(tmp_path):
    spec = OpenSpec(("n",), 64, 256, 64)
    check_range(least_step, spec, tmp_path / "b", range(64, 257, 64), level=0)


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
