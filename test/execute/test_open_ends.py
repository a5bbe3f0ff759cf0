"""What is taken, joined and padded where a run has the end of an open axis."""

from __future__ import annotations

from functools import partial

import onnx
import pytest
from open_ends import WIDTH
from open_inner import Inner
from open_runs import check_range, compiled
from open_several import check

from autodeploy.diagnostics import UserError
from autodeploy.dialects.nn.parts import Part
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import load_bundle


def taken(*bounds: int) -> onnx.ModelProto:
    """Return a network that takes elements of an open axis."""
    net = Inner()
    x = net.takes("x", 2, "n", WIDTH)
    net.gives(net.add("Slice", net.add("Relu", x), *map(net.integers, bounds)), 2, None, WIDTH)
    return net.model("taken")


def at_third() -> onnx.ModelProto:
    """Return a network that takes the element after a third of an open axis."""
    net = Inner()
    x = net.takes("x", 2, "n", WIDTH)
    length = net.add("Gather", net.add("Shape", x), net.integers(1))
    third = net.add("Div", length, net.integers(3))
    end = net.add("Add", third, net.integers(1))
    net.gives(net.add("Slice", x, third, end, net.integers(1)), 2, 1, WIDTH)
    return net.model("third")


def of_two_numbers() -> onnx.ModelProto:
    """Return a network that joins half as many elements as one number with those of another."""
    net = Inner()
    x, z = net.takes("x", 2, WIDTH, "n"), net.takes("z", 2, WIDTH, "m")
    half = net.add("MaxPool", x, kernel_shape=[2], strides=[2])
    net.gives(net.add("Concat", half, z, axis=2), 2, WIDTH, None)
    return net.model("two")


def behind_constants(op_type: str) -> onnx.ModelProto:
    """Return a network in which constants are repeated as often as the number says."""
    net = Inner()
    x = net.takes("x", 2, "n", WIDTH)
    more = net.add("Expand", net.weight(2, 1, WIDTH), net.add("Shape", x))
    if op_type == "Concat":
        more = net.add("Concat", more, x, axis=1)
    elif op_type == "Pad":
        more = net.add("Pad", more, net.integers(0, 1, 0, 0, 1, 0))
    elif op_type == "Conv":
        turned = net.add("Transpose", more, perm=[0, 2, 1])
        more = net.add("Conv", turned, net.weight(WIDTH, WIDTH, 3), pads=[1, 1])
        more = net.add("Transpose", more, perm=[0, 2, 1])
    net.gives(more, 2, None, WIDTH)
    net.gives(x, 2, "n", WIDTH)
    return net.model("behind")


N = OpenSpec(("n",), 2, 40)


@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize("op_type", ["Concat", "Conv", "Pad"])
def test_repeated_constants_end_with_the_run(op_type, level, tmp_path):
    make = partial(behind_constants, op_type)
    check_range(make, N, tmp_path / "b", (40, 2, 7, 39, 3), level=level)


def half_repeated() -> onnx.ModelProto:
    """Return a network that repeats constants half as often as the number says."""
    net = Inner()
    x = net.takes("x", "n", WIDTH)
    half = net.add("Div", net.add("Shape", x, end=1), net.integers(2))
    shape = net.add("Concat", half, net.integers(WIDTH), axis=0)
    net.gives(net.add("Relu", net.add("Expand", net.weight(1, WIDTH), shape)), None, WIDTH)
    net.gives(net.add("Neg", x), "n", WIDTH)
    return net.model("half")


def test_constants_that_are_never_repeated_are_refused(tmp_path):
    with pytest.raises(UserError, match="it has no elements for 1"):
        compiled(half_repeated, OpenSpec(("n",), 1, 9), tmp_path / "b")
    spec = OpenSpec(("n",), 2, 9)
    check_range(half_repeated, spec, tmp_path / "b", range(2, 10), level=0)


def shifted() -> onnx.ModelProto:
    """Return a network that moves an axis by one place, which leaves nothing of one element."""
    net = Inner()
    x = net.takes("x", "n", "m", WIDTH)
    rest = net.add("Slice", x, *map(net.integers, (1, 99, 1)))
    net.gives(net.add("Pad", rest, net.integers(0, 0, 0, 0, 1, 0)), "n", "m", WIDTH)
    return net.model("shifted")


@pytest.mark.parametrize("level", [0, 3])
def test_a_part_pads_what_has_no_elements(level, tmp_path):
    n = OpenSpec(("n",), 1, 3)
    advice = r"no elements for n 1, m 1; split the range, such as --dynamic m=1,2\.\.9$"
    with pytest.raises(UserError, match=f"(?m){advice}"):
        compiled(shifted, (n, OpenSpec(("m",), 1, 9)), tmp_path / "b", level=level)
    specs = (n, OpenSpec.of_parts(("m",), [Part(1, 1), Part(2, 9)]))
    model = compiled(shifted, specs, tmp_path / "b", level=level)
    with load_bundle(tmp_path / "b") as session:
        check(model, session, specs)


@pytest.mark.parametrize(
    ("model", "specs", "text"),
    [
        (taken(-2, -1, 1), [OpenSpec(("n",), 1, 40)], "node 't1': it has no elements for 1"),
    ],
)  # fmt: skip
def test_an_unknown_end_is_refused(model, specs, text, tmp_path):
    with pytest.raises(UserError, match=text):
        compiled(lambda: model, specs, tmp_path / "b")
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize("level", [0, 3])
def test_a_place_follows_from_a_part_of_the_number(level, tmp_path):
    check_range(at_third, N, tmp_path / "b", (40, 2, 3, 7, 39), level=level)


@pytest.mark.parametrize("level", [0, 3])
def test_a_part_begins_after_elements_that_are_rounded_down(level, tmp_path):
    specs = (N, OpenSpec(("m",), 1, 30))
    model = compiled(of_two_numbers, specs, tmp_path / "b", level=level)
    with load_bundle(tmp_path / "b") as session:
        check(model, session, specs)
