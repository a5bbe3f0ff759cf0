"""Which tests run in one worker, one after the other."""

from __future__ import annotations

import pytest


def test_tests_of_a_file_are_a_group(request):
    mark = request.node.get_closest_marker("xdist_group")
    assert mark.args == ("test/unit/support/test_groups.py",)


@pytest.mark.xdist_group("another")
def test_the_tolerance_of_a_test_holds(request):
    groups = [mark.args for mark in request.node.iter_markers("xdist_group")]
    assert groups == [("another",)]
