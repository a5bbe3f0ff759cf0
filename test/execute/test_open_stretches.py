"""Images of any size that transposed convolutions and resizes make larger or smaller."""

from __future__ import annotations

import pytest
from open_inner import Inner
from open_runs import compiled

from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import OpenSpec


def resized(given: dict, *, scale: float = 2.0):
    net = Inner()
    x = net.takes("x", 1, 2, 5, "n")
    y = net.add("MaxPool", x, kernel_shape=[1, 2], strides=[1, 2])
    net.gives(
        net.add("Resize", y, "", net.constant([1, 1, 1, scale], "f4"), **given), 1, 2, 5, None
    )
    return net.model("resized")


def test_places_that_do_not_follow_from_the_extents_are_refused(tmp_path):
    """The corners are those of 1.5 times the extent, which is not rounded for them."""
    given = {"mode": "linear", "coordinate_transformation_mode": "align_corners"}
    with pytest.raises(UserError, match="extent 'n' cannot be open"):
        compiled(lambda: resized(given, scale=1.5), OpenSpec(("n",), 8, 32), tmp_path / "b")


def test_a_part_of_a_rounded_and_repeated_extent_is_refused(tmp_path):
    """Of 3 * (n / 2) elements the half, rounded down."""
    net = Inner()
    x = net.takes("x", 1, 2, 5, "n")
    y = net.add("MaxPool", x, kernel_shape=[1, 2], strides=[1, 2])
    for scale in (3.0, 0.5):
        y = net.add("Resize", y, "", net.constant([1, 1, 1, scale], "f4"), mode="nearest")
    net.gives(y, 1, 2, 5, None)
    model = net.model("parts")
    text = "node 't2': its extent of 6..24 grows in no way that kernels know"
    with pytest.raises(UserError, match=text):
        compiled(lambda: model, OpenSpec(("n",), 8, 33), tmp_path / "b")
