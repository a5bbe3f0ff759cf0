"""Padding that follows from what an extent leaves over the stride."""

from __future__ import annotations

import pytest

from autodeploy.dialects.nn.window_steps import (
    check_pads_by_remainder,
    pads_at,
    pads_before,
    pads_by_remainder_attr,
    same_pads_before,
)
from autodeploy.frontend.nn.functions import same_pads


@pytest.mark.parametrize("upper", [True, False])
@pytest.mark.parametrize("stride", range(1, 6))
@pytest.mark.parametrize("reach", range(1, 8))
def test_windows_of_auto_pad_begin_as_onnx_defines(reach, stride, upper):
    """The most that stand before and behind make as many windows for all extents."""
    table = same_pads_before(reach, stride, upper=upper)
    assert len(table) == stride
    most = same_pads([1], [reach], [stride], [1], upper=upper)
    for extent in range(1, 25):
        before, _ = same_pads([extent], [reach], [stride], [1], upper=upper)
        assert table[extent % stride] == before
        assert (extent + sum(most) - reach) // stride + 1 == -(-extent // stride)
    assert max(table) == most[0]


def test_lists_give_the_padding_before_an_extent():
    rests = pads_by_remainder_attr([(0, 1), (), (2, 3, 1)])
    check_pads_by_remainder(rests, (1, 4, 3, 0, 0, 0), (2, 5, 3))
    assert pads_at(rests, (1, 4, 3, 0, 0, 0), (2, 5, 3), (6, 6, 8)) == (0, 4, 1)
    assert pads_at(rests, (1, 4, 3, 0, 0, 0), (2, 5, 3), (7, 6, 7)) == (1, 4, 3)
    assert pads_before(rests, 1) == ()


def test_without_lists_pads_apply():
    assert pads_by_remainder_attr([(), ()]) is None
    assert pads_at(None, (1, 2, 3, 4), (2, 2), (5, 6)) == (1, 2)
