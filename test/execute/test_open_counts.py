"""Extents that are numbers of a run: where a diagonal lies, how often a loop runs."""

from __future__ import annotations

import pytest
from open_counts import collected, diagonals, trips
from open_runs import check_range, check_sanitized_range, compiled

from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import OpenSpec

SPEC = OpenSpec(("n",), 1, 17)
NUMBERS = (17, 1, 2, 3, 8, 16)


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("make", [diagonals, trips])
def test_numbers_of_the_range_are_right(make, level, tmp_path):
    check_range(make, SPEC, tmp_path / "b", NUMBERS, level=level)


@pytest.mark.parametrize("make", [diagonals, trips])
def test_sanitizers_find_nothing_in_the_c_program(make, tmp_path):
    check_sanitized_range(make, SPEC, tmp_path, (1, 2, 17))


def test_a_loop_that_collects_a_row_for_each_trip_is_refused(tmp_path):
    with pytest.raises(UserError, match="its steps follow from the number, and it reads no rows"):
        compiled(collected, SPEC, tmp_path / "b")
