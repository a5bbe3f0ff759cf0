"""Sizes that follow from lists whose lengths differ between the numbers of a run."""

from __future__ import annotations

import pytest
from open_lists import beyond_list
from open_runs import check_range, compiled

from autodeploy.diagnostics import UnsupportedError
from autodeploy.frontend.open_sizes import OpenSpec


def test_an_element_beyond_a_list_is_refused_with_its_node_and_number(tmp_path):
    with pytest.raises(UnsupportedError, match="cannot be computed for 1, such as for an index"):
        compiled(beyond_list, OpenSpec(("n",), 1, 9), tmp_path / "b", level=0)
    check_range(beyond_list, OpenSpec(("n",), 3, 9), tmp_path / "b", range(3, 10), level=0)
