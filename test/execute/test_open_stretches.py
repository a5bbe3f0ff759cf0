"""Images of any size that resizes stretch to places in no form, or to as many pixels as in none."""

from __future__ import annotations

import pytest
from open_inner import Inner
from open_runs import check_range

from autodeploy.frontend.open_sizes import OpenSpec


def resized(*scales: float, **given: str):
    net = Inner()
    x = net.takes("x", 1, 2, 5, "n")
    y = net.add("MaxPool", x, kernel_shape=[1, 2], strides=[1, 2])
    for scale in scales:
        y = net.add("Resize", y, "", net.constant([1, 1, 1, scale], "f4"), **given)
    net.gives(y, 1, 2, 5, None)
    return net.model("resized")


def corners_of_a_scale():
    """Corners are those of 1.5 times the extent, which is not rounded for them."""
    return resized(1.5, mode="linear", coordinate_transformation_mode="align_corners")


def half_of_thrice():
    """Of 3 * (n / 2) elements the half, rounded down."""
    return resized(3.0, 0.5, mode="nearest")


@pytest.mark.parametrize("make", [corners_of_a_scale, half_of_thrice])
def test_places_are_looked_up(make, tmp_path):
    check_range(make, OpenSpec(("n",), 8, 33), tmp_path / "b", range(8, 34))
