"""Windows that leave a part of an open extent over, against onnxruntime."""

from __future__ import annotations

import onnx
import pytest
from open_inner import Inner
from open_runs import check_range, compiled
from open_windows import squeezed

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import OpenSpec


@pytest.mark.exhaustive
def test_the_header_and_the_manifest_state_the_growth_of_outputs(tmp_path):
    compiled(squeezed, OpenSpec(("n",), 32, 96, 16), tmp_path / "steps")
    header = (tmp_path / "steps" / "squeezed.h").read_text()
    size = "((SQUEEZED_EXTENT_N-16)/16)"
    assert f"float32 1x10x{size}x{size}\n" in header
    compiled(squeezed, OpenSpec(("n",), 31, 70), tmp_path / "b")
    size = "((SQUEEZED_EXTENT_N-11)/16)"
    manifest = Manifest.load(tmp_path / "b")
    assert f"float32 1x10x{size}x{size}\n" in (tmp_path / "b" / "squeezed.h").read_text()
    output = manifest.outputs[0]
    assert output.at(manifest.extents, [31]).shape == (1, 10, 1, 1)
    assert Manifest.from_json(manifest.to_json()) == manifest


def ways(first: dict, second: dict, join: str) -> onnx.ModelProto:
    """Return a network whose two ways have other windows."""
    net = Inner()
    x = net.takes("x", 1, 2, 5, "n")
    parts = [net.add("MaxPool", x, **given) for given in (first, second)]
    y = net.add(join, *parts, **({"axis": 1} if join == "Concat" else {}))
    net.gives(y, 1, None, None, None)
    return net.model("ways")


@pytest.mark.parametrize("join", ["Add", "Concat"])
def test_ways_of_other_extents_are_refused(join, tmp_path):
    """The extents are equal for some numbers, among them the ends of the range."""
    five, four = ({"kernel_shape": [1, n], "strides": [1, 5]} for n in (5, 4))
    model = ways(five, four, join)
    text = r"node 't2' on f32: 1..3 == 1..3 holds for 8, not for 9; split the range, such as"
    with pytest.raises(UserError, match=text):
        compiled(lambda: model, OpenSpec(("n",), 8, 16), tmp_path / "b")


def test_a_window_that_does_not_fit_is_refused(tmp_path):
    text = "holds for 14, not for 15; split the range, such as --dynamic n=14,15..70"
    with pytest.raises(UserError, match=text):
        compiled(squeezed, OpenSpec(("n",), 14, 70), tmp_path / "b")


def test_an_extent_that_does_not_follow_from_operands_is_right(tmp_path):
    """A constant is repeated as often as the shape of what windows have left says."""
    net = Inner()
    x = net.takes("x", 1, 2, 5, "n")
    half = net.add("MaxPool", x, kernel_shape=[1, 2], strides=[1, 2])
    sized = net.add("Expand", net.weight(1, 2, 5, 1), net.add("Shape", half))
    sized = net.add("Mul", sized, net.takes("w", 1, 2, 5, 1))
    net.gives(net.add("ReduceSum", sized, net.integers(3)), 1, 2, 5, 1)
    net.gives(half, 1, 2, 5, None)
    model = net.model("sized")
    check_range(lambda: model, OpenSpec(("n",), 8, 17), tmp_path / "b", range(8, 18), level=0)
