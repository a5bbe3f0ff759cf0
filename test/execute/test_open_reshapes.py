"""Reshapes that join an open axis with one around it, and take both apart, by onnxruntime."""

from __future__ import annotations

import onnx
import pytest
from open_inner import Inner
from open_reshapes import matrices
from open_runs import compiled
from open_several import check

from autodeploy.dialects.nn.parts import Part
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import load_bundle


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "batch", [(Part(1, 1), Part(2, 4)), (Part(2, 3), Part(4, 4))], ids=["one", "last"]
)
def test_parts_have_products_of_their_own_numbers(batch, tmp_path):
    length = Part(1, 4), Part(5, 5), Part(6, 9)
    specs = OpenSpec.of_parts(("batch",), batch), OpenSpec.of_parts(("length",), length)
    model = compiled(matrices, specs, tmp_path / "b")
    with load_bundle(tmp_path / "b") as session:
        check(model, session, specs)


def halved_rows() -> onnx.ModelProto:
    """Return a network that halves all rows of a batch, which has no form for odd numbers."""
    net = Inner()
    x = net.takes("x", "batch", "length", 6)
    flat = net.add("Reshape", x, net.integers(-1, 6))
    net.gives(net.add("Slice", flat, net.integers(1), net.integers(2**62), net.integers(0),
                      net.integers(2)), None, 6)  # fmt: skip
    return net.model("halved")


def along_pixels() -> onnx.ModelProto:
    """Return a network whose windows move along the pixels of an image as one axis."""
    net = Inner()
    x = net.takes("x", 1, 3, "batch", "length")
    flat = net.add("Reshape", x, net.integers(1, 3, -1))
    net.gives(net.add("MaxPool", flat, kernel_shape=[3], strides=[1]), 1, 3, None)
    return net.model("pixels")


@pytest.mark.parametrize("make", [halved_rows, along_pixels])
def test_extents_without_a_form_are_looked_up(make, tmp_path):
    specs = OpenSpec(("batch",), 2, 5), OpenSpec(("length",), 2, 7)
    model = compiled(make, specs, tmp_path / "b")
    with load_bundle(tmp_path / "b") as session:
        check(model, session, specs)
