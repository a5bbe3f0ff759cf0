"""Extents, and places of elements, in no form which a program evaluates: a run looks them up."""

from __future__ import annotations

import pytest
from open_formless import padded_to_forms, windows_of_padded
from open_runs import check_range

from autodeploy.frontend.open_sizes import OpenSpec

SPEC = OpenSpec(("n",), 2, 13)


@pytest.mark.parametrize("make", (padded_to_forms, windows_of_padded))
def test_lookups_are_fused(make, tmp_path):
    check_range(make, SPEC, tmp_path / "b", range(2, 14))
