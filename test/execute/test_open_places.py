"""Operators that name their axes, or put elements at places, along open axes."""

from __future__ import annotations

import itertools

import numpy as np
import onnx.parser
import pytest
from onnx.reference import ReferenceEvaluator
from open_inner import Inner
from open_runs import check_range, check_sanitized_range

import autodeploy
from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import OpenSpec


def sums() -> onnx.ModelProto:
    """Products, diagonals and sums; an axis of one element, which is repeated."""
    net = Inner()
    x, y = net.takes("x", 2, "n", 4, 5), net.takes("y", 2, "n", 4, 5)
    square, row = net.takes("square", "n", 2, "n"), net.takes("row", 1, 5)
    for equation, operands, shape in (
        ("bqhd,bkhd->bhqk", (x, y), (2, 4, "n", "n")),
        ("bqhd,bkhd->", (x, y), ()),
        ("bqhd,qd->bqhd", (x, row), (2, "n", 4, 5)),
        ("...d,...d->...", (x, y), (2, "n", 4)),
        ("ibi->bi", (square,), (2, "n")),
        ("ibi,biq...->q...", (square, x), (4, 5)),
    ):
        net.gives(net.add("Einsum", *operands, equation=equation), *shape)
    return net.model("sums")


def scattered() -> onnx.ModelProto:
    """Rows, columns and single elements at places below 7, and at places from the end."""
    net = Inner()
    table, new = net.takes("table", 7, "n", 2), net.takes("new", "n", "n", 2)
    wide, ids = net.takes("wide", "n", 9), net.takes("ids", "n", element=onnx.TensorProto.INT64)
    column = net.add("Unsqueeze", ids, net.integers(1))
    added = net.add("ScatterND", table, column, new, reduction="add")
    largest = net.add("ScatterND", wide, net.add("Sub", column, net.integers(7)), wide,
                      reduction="max")  # fmt: skip
    count = net.add("Shape", new)
    places = net.add("Expand", net.add("Unsqueeze", ids, net.integers(0, 2)), count)
    moved = net.add("ScatterElements", table, places, new, axis=0, reduction="mul")
    ends = net.add("ScatterElements", wide, net.constant([[-1, 3], [0, -2]]), net.weight(2, 2))
    net.gives(added, 7, "n", 2)
    net.gives(largest, "n", 9)
    net.gives(moved, 7, "n", 2)
    net.gives(ends, "n", 9)
    return net.model("scattered")


@pytest.mark.every_case
@pytest.mark.parametrize("level", [2, 0])
@pytest.mark.parametrize("network", [sums, scattered])
def test_elements_of_a_run_alone_are_read(network, level, tmp_path):
    check_range(network, OpenSpec(("n",), 7, 10), tmp_path / "b", range(7, 11), level=level)


def test_no_element_beyond_a_run_is_touched(tmp_path):
    check_sanitized_range(scattered, OpenSpec(("n",), 7, 10), tmp_path, (7, 10))


def _parsed(graph: str) -> onnx.ModelProto:
    header = '<ir_version: 9, opset_import: ["": 19, "ai.onnx.ml": 4]>'
    return onnx.parser.parse_model(f"{header} g {graph}")


def test_a_place_beyond_a_run_is_an_error():
    model = _parsed("""(float[n] x, int64[1,1] i, float[1] u) => (float[n] y)
                    { y = ScatterND(x, i, u) }""")
    with autodeploy.compile(model, dynamic={"n": (1, 4)}) as session:
        values = {"x": np.ones(3, np.float32), "u": np.zeros(1, np.float32)}
        assert session.run({**values, "i": np.array([[-3]])})["y"].tolist() == [0, 1, 1]
        for place in (3, -4):
            with pytest.raises(UserError, match="outside"):
                session.run({**values, "i": np.array([[place]])})


def test_as_many_places_as_a_run_finds():
    model = _parsed("""(float[n,2] x, bool[n] m, float[1,2] u) => (float[n,2] y)
                    { z = NonZero(m)  i = Transpose(z)  s = Shape<end = 1>(i)
                      t = Constant<value_ints = [2]>()  k = Concat<axis = 0>(s, t)
                      v = Expand(u, k)  y = ScatterND(x, i, v) }""")
    x, u = np.arange(12, dtype=np.float32).reshape(6, 2), np.float32([[-1, -2]])
    with autodeploy.compile(model, dynamic={"n": (1, 6)}) as session:
        for n in range(1, 7):
            mask = np.arange(n) % 3 != 1
            found = session.run({"x": x[:n], "m": mask, "u": u})["y"]
            np.testing.assert_array_equal(found, np.where(mask[:, None], u, x[:n]))


@pytest.mark.parametrize(
    ("mode", "padding", "aligned"),
    [
        ("linear", "zeros", 0),
        ("linear", "border", 1),
        ("cubic", "reflection", 0),
        ("nearest", "reflection", 1),
    ],
)
def test_images_of_any_size_are_read_at_places(mode, padding, aligned):
    model = _parsed(f"""(float[1,2,h,w] x, float[1,k,3,2] g) => (float[1,2,k,3] y)
                    {{ y = GridSample<mode = "{mode}", padding_mode = "{padding}",
                                      align_corners = {aligned}>(x, g) }}""")
    random, reference = np.random.default_rng(0), ReferenceEvaluator(model)
    ranges = {"h": (2, 5), "w": (2, 4), "k": (1, 2)}
    with autodeploy.compile(model, dynamic=ranges, level=2) as session:
        for h, w, k in itertools.product(range(2, 6), range(2, 5), (1, 2)):
            x = random.standard_normal((1, 2, h, w)).astype(np.float32)
            grid = random.uniform(-1.5, 1.5, (1, k, 3, 2)).astype(np.float32)
            inputs = {"x": x, "g": grid}
            (right,) = reference.run(None, inputs)
            np.testing.assert_allclose(session.run(inputs)["y"], right, rtol=1e-5, atol=1e-5)


def test_a_reflection_between_the_ends_of_one_place_is_refused():
    model = _parsed("""(float[1,2,h,3] x, float[1,2,3,2] g) => (float[1,2,2,3] y)
                    { y = GridSample<padding_mode = "reflection", align_corners = 1>(x, g) }""")
    with pytest.raises(UserError, match=r"1\.\.4 == 1 holds for 1, not for 2; .* h=1,2\.\.4"):
        autodeploy.compile(model, dynamic={"h": (1, 4)}, level=0)


@pytest.mark.parametrize("level", [3, 0])
def test_the_first_places_of_a_list(level):
    model = _parsed("""(float[n,3] x) => (float[n,3] y, float[3,n] z)
                    { t = Constant<value_ints = [-1, 1, -3, 2, -5, 0, -7, 7]>()
                      zero = Constant<value_ints = [0]>()  s = Shape<end = 1>(x)
                      i = Slice(t, zero, s)  y = Gather(x, i)
                      xt = Transpose(x)  z = Gather<axis = 1>(xt, i) }""")
    x, reference = np.arange(24, dtype=np.float32).reshape(8, 3), ReferenceEvaluator(model)
    with autodeploy.compile(model, dynamic={"n": (1, 8)}, level=level) as session:
        for n in (8, *range(1, 9)):
            found = session.run({"x": x[:n]}).values()
            for ours, right in zip(found, reference.run(None, {"x": x[:n]}), strict=True):
                np.testing.assert_array_equal(ours, right)


@pytest.mark.parametrize("level", [2, 0])
def test_labels_of_as_many_elements_as_a_run_has(level):
    model = _parsed("""(string[n,2] s, int64[2,n] i) => (int64[n,2] a, string[2,n] b,
                    float[N,M,O] c, float[N,M,O] d, string[n,2] e, string[2,n] f,
                    string[M] g)
                    { a = ai.onnx.ml.LabelEncoder<keys_strings = ["b", "", "é"],
                                                  values_int64s = [5, 7, 9]>(s)
                      b = ai.onnx.ml.LabelEncoder<keys_int64s = [3, -1],
                                                  values_strings = ["three", "none"]>(i)
                      c = ai.onnx.ml.OneHotEncoder<cats_strings = ["x", "b"]>(s)
                      d = ai.onnx.ml.OneHotEncoder<cats_int64s = [2, 3]>(i)
                      e = Identity(s)
                      f = Transpose(s)
                      all = Constant<value_ints = [-1]>()
                      g = Reshape(b, all) }""")
    random, words = np.random.default_rng(0), np.array(["b", "", "é", "x", "bb"], object)
    reference = ReferenceEvaluator(model)
    with autodeploy.compile(model, dynamic={"n": (1, 6)}, level=level) as session:
        for n in (6, *range(1, 7)):
            values = {"s": random.choice(words, (n, 2)), "i": random.integers(-2, 5, (2, n))}
            found = session.run(values).values()
            for ours, right in zip(found, reference.run(None, values), strict=True):
                assert ours.tolist() == np.asarray(right).tolist()
