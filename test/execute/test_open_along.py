"""What looks along an open axis: orders, places that data says, normalisations."""

from __future__ import annotations

import onnx
import pytest
from open_along import looked_up, masked, normalised, ordered
from open_inner import Inner
from open_runs import check_range, check_sanitized_range, compiled

from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import OpenSpec

RANGES = (
    (ordered, OpenSpec(("n",), 3, 37)),
    (looked_up, OpenSpec(("n",), 3, 21)),
    (masked, OpenSpec(("n",), 1, 20)),
    (normalised, OpenSpec(("n",), 3, 40)),
    (normalised, OpenSpec(("n",), 15, 300)),
)


def numbers(spec: OpenSpec) -> list[int]:
    """Return the ends of a range, and some between."""
    middle = (spec.least + spec.most) // 2
    return sorted({spec.least, spec.least + 1, middle, middle + 1, spec.most - 1, spec.most})


@pytest.mark.parametrize("level", [0, 2, 3])
@pytest.mark.parametrize(("make", "spec"), RANGES)
def test_numbers_of_the_range_are_right(make, spec, level, tmp_path):
    check_range(make, spec, tmp_path / "b", numbers(spec), level=level)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("make", "spec"), RANGES[:2])
def test_sanitizers_find_nothing_in_the_c_program(make, spec, tmp_path):
    check_sanitized_range(make, spec, tmp_path, numbers(spec)[:4])


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
def test_what_looks_further_is_refused(model, text, tmp_path):
    with pytest.raises(UserError, match=text):
        compiled(lambda: model, OpenSpec(("n",), 3, 12), tmp_path / "b")
    assert not (tmp_path / "b").exists()
