"""Sums and products along an open axis that has no elements for some numbers."""

from __future__ import annotations

import numpy as np
import pytest
from open_inner import Inner
from open_runs import check_range, check_sanitized_range

from autodeploy.frontend.open_sizes import OpenSpec

SPEC = OpenSpec(("n",), 0, 19)


def rows():
    net = Inner()
    x = net.takes("x", "n", 5)
    net.gives(net.add("ReduceSum", x, net.integers(0), keepdims=0), 5)
    net.gives(net.add("ReduceSum", net.add("Relu", x), net.integers(0, 1), keepdims=0))
    net.gives(net.add("ReduceSumSquare", x, net.integers(0)), 1, 5)
    net.gives(net.add("ReduceProd", x, net.integers(0)), 1, 5)
    turned = net.add("Transpose", x, perm=[1, 0])
    total = net.add("ReduceSum", net.add("Mul", turned, turned), net.integers(1), keepdims=0)
    net.gives(total, 5)
    net.gives(net.add("Add", turned, net.add("ReduceL2", turned, net.integers(1))), 5, "n")
    return net.model("rows")


def inner():
    net = Inner()
    x, y = net.takes("x", 3, "n", 40), net.takes("y", 2, 7, "n")
    net.gives(net.add("ReduceSum", x, net.integers(1), keepdims=0), 3, 40)
    net.gives(net.add("ReduceSum", x, net.integers(0, 1), keepdims=0), 40)
    net.gives(net.add("ReduceSum", net.add("Exp", x), net.integers(1, 2), keepdims=0), 3)
    net.gives(net.add("Sigmoid", net.add("ReduceSum", y, net.integers(2))), 2, 7, 1)
    near = net.add(
        "Add", net.add("Mul", y, net.constant(0.01, np.float32)), net.constant(1, np.float32)
    )
    net.gives(net.add("ReduceProd", near, net.integers(1, 2), keepdims=0), 2)
    return net.model("inner")


@pytest.mark.parametrize("make", [rows, inner])
@pytest.mark.parametrize("level", range(4))
def test_a_sum_of_none_is_0(make, level, tmp_path):
    check_range(make, SPEC, tmp_path / "b", (19, 0, 1, 0, *range(2, 18)), level=level)


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", [rows, inner])
def test_it_reads_nothing_beyond(make, tmp_path):
    check_sanitized_range(make, SPEC, tmp_path, (19, 0, 1))
