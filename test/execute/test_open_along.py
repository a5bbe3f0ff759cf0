"""What looks along an open axis: orders, places that data says, normalisations."""

from __future__ import annotations

import onnx
import pytest
from open_inner import Inner
from open_runs import check_range, compiled

from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import OpenSpec


def largest(k: int) -> onnx.ModelProto:
    """Return a network that takes the largest elements of an open axis."""
    net = Inner()
    x = net.takes("x", 2, "n")
    names = ["values", "places"]
    net.nodes.append(onnx.helper.make_node("TopK", [x, net.integers(k)], names, "top", axis=1))
    net.gives("values", 2, k)
    return net.model("largest")


def at_constants() -> onnx.ModelProto:
    """Return a network that takes elements at constant places that are no slice."""
    net = Inner()
    x = net.takes("x", 2, "n")
    net.gives(net.add("Gather", x, net.integers(0, 4, 1), axis=1), 2, 3)
    return net.model("constants")


def scaled() -> onnx.ModelProto:
    """Return a network that normalises an open axis, each element with a scale of its own."""
    net = Inner()
    x, scale = net.takes("x", 2, "n"), net.takes("scale", "n")
    net.gives(net.add("LayerNormalization", x, scale, axis=1), 2, "n")
    return net.model("scaled")


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (largest(4), "holds for 4, not for 3; split the range, such as --dynamic n=3,4..12"),
        (at_constants(), "holds for 5, not for 3; split the range, such as --dynamic n=3..4,5..12"),
        (scaled(), "it joins or reads several places along it"),
    ],
)
def test_reads_of_further_places_are_refused(model, text, tmp_path):
    with pytest.raises(UserError, match=text):
        compiled(lambda: model, OpenSpec(("n",), 3, 12), tmp_path / "b")
    assert not (tmp_path / "b").exists()


def integers() -> onnx.ModelProto:
    """Return a network of sums and means of integers along an open axis, and beside it."""
    net = Inner()
    x = net.takes("x", "n", 3, element=onnx.TensorProto.INT32)
    is_set = net.add("Cast", net.add("Greater", x, net.constant(2, "i4")), to=7)
    net.gives(net.add("ReduceSum", is_set, net.integers(1), keepdims=0), "n", element=7)
    net.gives(net.add("ReduceSum", x, net.integers(1)), "n", 1, element=6)
    net.gives(net.add("ReduceMean", x, net.integers(0), keepdims=0), 3, element=6)
    return net.model("integers")


def shares() -> onnx.ModelProto:
    """Return a network whose Softmax is one of all axes from its own on, as before opset 13."""
    net = Inner()
    net.gives(net.add("Softmax", net.takes("x", 2, 3, "n"), axis=1), 2, 3, "n")
    model = net.model("shares")
    model.opset_import[0].version = 12
    return model


@pytest.mark.parametrize("network", [integers, shares])
def test_an_extent_that_may_be_one_is_like_others(network, tmp_path):
    check_range(network, OpenSpec(("n",), 1, 5), tmp_path / "b", range(1, 6))
