"""Extents that are numbers of a run: where a diagonal lies, how often a loop runs."""

from __future__ import annotations

import pytest
from open_counts import (
    collected,
    diagonals,
    half_collected,
    half_numbered,
    numbered,
    trips,
)
from open_runs import check_range, check_sanitized_range

from autodeploy.frontend.open_sizes import OpenSpec

SPEC = OpenSpec(("n",), 1, 17)
NETWORKS = (diagonals, trips, collected, numbered, half_numbered)


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("make", NETWORKS)
def test_numbers_of_the_range_are_right(make, level, tmp_path):
    check_range(make, SPEC, tmp_path / "b", (17, *range(1, 18)), level=level)


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", NETWORKS)
def test_sanitizers_find_nothing_in_the_c_program(make, tmp_path):
    check_sanitized_range(make, SPEC, tmp_path, (1, 2, 17))


@pytest.mark.parametrize("level", [0, 3])
def test_a_loop_collects_half_as_many_rows_as_there_are(level, tmp_path):
    spec = OpenSpec(("n",), 2, 17)
    check_range(half_collected, spec, tmp_path / "b", (17, *range(2, 18)), level=level)
