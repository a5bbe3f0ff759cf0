"""Padding that follows from what an extent leaves over the stride."""

from __future__ import annotations

import pytest

from autodeploy.dialects.nn.padding_by_rest import (
    befores,
    check_by_rest,
    pads_at,
    rests_attr,
    same_befores,
)
from autodeploy.frontend.nn.functions import same_pads


@pytest.mark.parametrize("upper", [True, False])
@pytest.mark.parametrize("stride", range(1, 6))
@pytest.mark.parametrize("reach", range(1, 8))
def test_windows_that_are_as_many_as_strides_begin_where_onnx_says(reach, stride, upper):
    """The most that stand before and behind make as many windows for all extents."""
    table = same_befores(reach, stride, upper=upper)
    assert len(table) == stride
    most = same_pads([1], [reach], [stride], [1], upper=upper)
    for extent in range(1, 25):
        before, _ = same_pads([extent], [reach], [stride], [1], upper=upper)
        assert table[extent % stride] == before
        assert (extent + sum(most) - reach) // stride + 1 == -(-extent // stride)
    assert max(table) == most[0]


def test_lists_say_what_stands_before_an_extent():
    rests = rests_attr([(0, 1), (), (2, 3, 1)])
    check_by_rest(rests, (1, 4, 3, 0, 0, 0), (2, 5, 3))
    assert pads_at(rests, (1, 4, 3, 0, 0, 0), (2, 5, 3), (6, 6, 8)) == (0, 4, 1)
    assert pads_at(rests, (1, 4, 3, 0, 0, 0), (2, 5, 3), (7, 6, 7)) == (1, 4, 3)
    assert befores(rests, 1) == ()


def test_without_lists_pads_say_it():
    assert rests_attr([(), ()]) is None
    assert pads_at(None, (1, 2, 3, 4), (2, 2), (5, 6)) == (1, 2)
