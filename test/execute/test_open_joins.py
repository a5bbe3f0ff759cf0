"""What is joined of open pieces by whole rows: the driver copies it, and kernels read it there."""

from __future__ import annotations

import pytest
from open_joins import grids, kept, pieces, stacked
from open_runs import check_range, check_sanitized_range

from autodeploy.dialects.nn.parts import Part
from autodeploy.frontend.open_sizes import OpenSpec

SPEC = OpenSpec(("n",), 1, 21)
NUMBERS = (21, 1, 2, 3, 8, 13, 20)


@pytest.mark.exhaustive
@pytest.mark.parametrize("least", [0, 1])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("most", [63, 64, 70])
def test_scores_of_a_token_are_vectors(most, threads, least, tmp_path):
    """Tiles of 32 columns may divide the largest number; a run fills the last one in part."""
    options = {"threads": threads, "machine": "host:parallel_work=1"}
    numbers = (most, least, 1, 6, 7, 8, 31, 32, 33, 40, 62, most - 1)
    check_range(kept, OpenSpec(("n",), least, most), tmp_path / "b", numbers, **options)


@pytest.mark.exhaustive
@pytest.mark.parametrize("most", [31, 32])
def test_sanitizers_find_nothing_where_a_tile_is_not_full(most, tmp_path):
    check_sanitized_range(kept, OpenSpec(("n",), 1, most), tmp_path, (1, 2, 8, 30, most))


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", [kept, stacked, pieces])
def test_a_range_may_begin_with_none(make, tmp_path):
    check_range(make, OpenSpec(("n",), 0, 9), tmp_path / "b", (9, 0, 1, 0, 4))


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", [kept, pieces, grids])
def test_kernels_for_a_machine_without_vectors_read_the_same(make, tmp_path):
    check_range(make, SPEC, tmp_path / "b", (21, 1, 6), emit="c", machine="scalar")


@pytest.mark.exhaustive
def test_parts_have_strides_of_their_own(tmp_path):
    spec = OpenSpec.of_parts(("n",), [Part(1, 1), Part(2, 8), Part(9, 21)])
    check_range(kept, spec, tmp_path / "b", (21, 1, 9, 8, 2, 1, 20))
