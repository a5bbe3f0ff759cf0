"""Resizes whose places follow from open extents, against onnxruntime."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from open_inner import Inner
from open_runs import check_range

from autodeploy.frontend.open_sizes import OpenSpec


def to_a_third() -> onnx.ModelProto:
    """Return a network that resizes to a size that no other value has, rounded down."""
    net = Inner()
    x = net.takes("x", 1, 2, "n")
    size = net.add("Div", net.add("Slice", net.add("Shape", x), net.integers(2), net.integers(3)),
                   net.integers(3))  # fmt: skip
    size = net.add("Concat", net.integers(1, 2), size, axis=0)
    net.gives(net.add("Resize", x, "", "", size, mode="linear"), 1, 2, None)
    return net.model("third")


def scaled() -> onnx.ModelProto:
    """Return a network that scales corner to corner by a number that is no whole one."""
    net = Inner()
    x = net.takes("x", 1, 2, "n")
    scales = net.constant(np.array([1, 1, 1.5], np.float32))
    y = net.add("Resize", x, "", scales, mode="linear",
                coordinate_transformation_mode="align_corners")  # fmt: skip
    net.gives(y, 1, 2, None)
    return net.model("scaled")


@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize("make", [to_a_third, scaled])
def test_sizes_that_no_other_value_has_are_right(make, level, tmp_path):
    check_range(make, OpenSpec(("n",), 7, 30), tmp_path / "b", range(7, 31), level=level)
