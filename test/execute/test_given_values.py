"""Programs that are compiled for the values of inputs, and refuse others."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import parser
from onnx.reference import ReferenceEvaluator
from program_batch import run_once

import autodeploy
from autodeploy.compiler import CompileOptions
from autodeploy.diagnostics import UserError

OTHER = "an input has another value than the program was compiled for"


def parsed(text):
    return parser.parse_model(f'<ir_version: 8, opset_import: ["" : 18]> {text}')


CROP = """g (float[5,7] x, int64[2] size) => (float[H,W] y, float[H,W] z) {
    have = Shape(x)
    two = Constant<value_int = 2>()
    left = Sub(have, size)
    start = Div(left, two)
    end = Add(start, size)
    y = Slice(x, start, end)
    number = CastLike(two, x)
    z = Expand(number, size)
}"""


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("size", [(3, 4), (1, 7), (5, 1)])
def test_sizes_are_computed_from_a_value(level, size):
    model = parsed(CROP)
    x = np.random.default_rng(0).standard_normal((5, 7)).astype(np.float32)
    inputs = {"x": x, "size": np.array(size)}
    expected = ReferenceEvaluator(model).run(None, inputs)
    with autodeploy.compile(
        model.SerializeToString(), level=level, values={"size": size}
    ) as session:
        assert [entry.name for entry in session.inputs] == ["x", "size"]
        for _ in range(2):
            found = session.run(inputs)
            for own, right in zip(found.values(), expected, strict=True):
                np.testing.assert_array_equal(own, right)
            for wrong in ((size[0], size[1] - 1), (size[1] + 1, size[0]), (-1, -1)):
                with pytest.raises(UserError, match=OTHER):
                    session.run({"x": x, "size": np.array(wrong)})


def test_the_inputs_of_all_types_are_compared_bit_by_bit():
    model = parsed("""g (bool a, uint8[2] b, int32[1,2] c, float16[2] d, bfloat16 e, float[3] f,
                         double g, float[1] x) => (float[1] y) { y = Neg(x) }""")
    values = {
        "a": True, "b": [7, 255], "c": [[-1, 2]], "d": [0.5, -2], "e": 1.5,
        "f": [0.0, np.nan, np.inf], "g": 1e300,
    }  # fmt: skip
    with autodeploy.compile(model.SerializeToString(), level=1, values=values) as session:
        types = {entry.name: entry.dtype for entry in session.inputs}
        shapes = {entry.name: entry.shape for entry in session.inputs}
        given = {
            name: np.array(value).astype(types[name]).reshape(shapes[name])
            for name, value in {**values, "x": [2]}.items()
        }
        assert session.run(given)["y"].tolist() == [-2]
        for name in values:
            changed = given[name].copy().reshape(-1)
            changed[-1] = changed[-1] == 0
            with pytest.raises(UserError, match=OTHER):
                session.run({**given, name: changed.reshape(shapes[name])})
        minus_zero = given["f"].copy()
        minus_zero[0] = -0.0
        with pytest.raises(UserError, match=OTHER):
            session.run({**given, "f": minus_zero})


def test_an_output_may_be_an_input_with_a_value():
    model = parsed("""g (int64[2] n, float[1] x) => (int64[2] n, float[A,B] y) {
        y = Expand(x, n)
    }""")
    options = CompileOptions(level=2, values={"n": [2, 3]})
    inputs = {"n": np.array([2, 3]), "x": np.ones(1, np.float32)}
    found = run_once(model.SerializeToString(), inputs, options)
    assert found["n"].tolist() == [2, 3]
    assert found["y"].tolist() == [[1] * 3] * 2


def test_a_branch_is_taken_and_a_loop_unrolled_by_values():
    model = parsed("""g (int64 steps, bool go, bool flip, float[2] x) => (seq(float[N]) y) {
        start = SequenceEmpty<dtype = 1>()
        all = Loop(steps, go, start) <body = b (int64 i, bool c, seq(float[N]) s)
            => (bool d, seq(float[N]) t) {
          d = Identity(c)
          f = CastLike(i, x)
          e = Mul(x, f)
          n = SequenceLength(s)
          m = CastLike(n, x)
          h = Add(e, m)
          t = SequenceInsert(s, h)
        }>
        y = If(flip) <then_branch = p () => (seq(float[N]) q) {
          zero = Constant<value_int = 0>()
          q = SequenceErase(all, zero)
        }, else_branch = o () => (seq(float[N]) r) { r = Identity(all) }>
    }""")
    x = np.array([1, -2], np.float32)
    for steps, flip in ((3, True), (2, False)):
        values = {"steps": steps, "go": True, "flip": flip}
        given = {name: np.array(value) for name, value in values.items()}
        found = run_once(
            model.SerializeToString(), {**given, "x": x}, CompileOptions(level=2, values=values)
        )
        expected = [x * i + i for i in range(steps)][flip:]
        np.testing.assert_array_equal(list(found.values()), expected)


def test_a_value_with_an_open_extent():
    model = parsed("""g (float[batch, 3] x, int64[1] part) => (float[batch, K] y) {
        zero = Constant<value_ints = [0]>()
        one = Constant<value_ints = [1]>()
        y = Slice(x, zero, part, one)
    }""")
    with autodeploy.compile(
        model.SerializeToString(), values={"part": [2]}, dynamic={"batch": (1, 4)}
    ) as session:
        for rows in (1, 3, 4):
            x = np.arange(3 * rows, dtype=np.float32).reshape(rows, 3)
            (found,) = session.run({"x": x, "part": np.array([2])}).values()
            np.testing.assert_array_equal(found, x[:, :2])
        with pytest.raises(UserError, match=OTHER):
            session.run({"x": x, "part": np.array([3])})


@pytest.mark.parametrize(
    ("element", "start", "limit", "delta"),
    [
        ("int64", 2, 9, 3), ("int64", 2, 8, 3), ("int64", 9, 2, -3), ("int64", 1, 5, 9),
        ("int32", -1, -8, -7), ("float", 0, 1, 0.3), ("float", 1, 0, -0.25), ("double", 0, 1, 0.1),
    ],
)  # fmt: skip
def test_the_numbers_of_a_range_may_be_lists_of_one(element, start, limit, delta):
    model = parsed(f"""g ({element}[1] a, {element}[1] b, {element}[1] c) => ({element}[N] y) {{
        y = Range(a, b, c)
    }}""")
    values = {"a": [start], "b": [limit], "c": [delta]}
    dtype = {"float": np.float32, "double": np.float64}.get(element, element)
    given = {name: np.array(value, dtype) for name, value in values.items()}
    (found,) = run_once(
        model.SerializeToString(), given, CompileOptions(level=0, values=values)
    ).values()
    np.testing.assert_allclose(found, np.arange(start, limit, delta), 1e-6)


@pytest.mark.parametrize("numbers", [(0, 4, 0), (0, 2**62, 1)])
def test_a_range_that_no_run_can_make_is_refused(numbers):
    model = parsed("g (int64 a, int64 b, int64 c) => (int64[N] y) { y = Range(a, b, c) }")
    options = CompileOptions(level=0, values=dict(zip("abc", numbers, strict=True)))
    with pytest.raises(UserError, match=r"no range goes from|but constants have"):
        run_once(model.SerializeToString(), {}, options)
