"""An input that decides shapes has the value that the shapes say, or the program ends."""

from __future__ import annotations

import numpy as np
import pytest
from onnx_case import case, f32, i64s

import autodeploy
from autodeploy.diagnostics import UserError


def test_another_value_than_the_shapes_imply_is_an_error():
    example = case("r", "ReduceSum", f32(2, 3), np.array([0]), keepdims=0)
    x = example.inputs["x0"]
    with autodeploy.compile(example.model().SerializeToString()) as session:
        (found,) = session.run(example.inputs).values()
        np.testing.assert_allclose(found, x.sum(0), 1e-6)
        for wrong in (1, -1, 2):
            with pytest.raises(UserError, match="an input has another value than the shapes"):
                session.run({"x0": x, "x1": np.array([wrong])})


@pytest.mark.parametrize("index", [4, -5, 2**33, -(2**40)])
def test_an_index_outside_of_the_written_part_is_an_error(index):
    example = case("s", "ScatterElements", f32(4, 3), np.array([[3, -4]]), f32(1, 2))
    inputs = dict(example.inputs)
    with autodeploy.compile(example.model().SerializeToString()) as session:
        (found,) = session.run(inputs).values()
        np.testing.assert_array_equal(found[3, 0], inputs["x2"][0, 0])
        inputs["x1"] = np.array([[1, index]])
        with pytest.raises(UserError, match="an index is outside of what it points into"):
            session.run(inputs)


def test_a_range_of_another_extent_is_an_error():
    example = case("r", "Range", np.array(2), np.array(9), np.array(3))
    with autodeploy.compile(example.model().SerializeToString()) as session:

        def run(limit, delta):
            numbers = {"x0": 2, "x1": limit, "x2": delta}
            return session.run({name: np.array(number) for name, number in numbers.items()})

        for limit, delta in ((9, 3), (11, 3), (-7, -3)):
            (found,) = run(limit, delta).values()
            np.testing.assert_array_equal(found, np.arange(2, limit, delta))
        for limit, delta in ((12, 3), (8, 3), (9, -3), (9, 2)):
            with pytest.raises(UserError, match="an input has another value than the shapes"):
                run(limit, delta)


OTHER = "an input has another value than the shapes of the model say"
LAST = 2**63 - 1


@pytest.mark.parametrize(
    ("example", "name", "taken", "refused"),
    [
        (
            case("s", "Slice", f32(7), np.array([2]), i64s(LAST), None, i64s(2)),
            "x1",
            {1: slice(1, 7, 2), -5: slice(-5, 7, 2)},
            {0: OTHER, 3: OTHER, LAST: OTHER, -LAST - 1: OTHER},
        ),
        (
            case("s", "Slice", f32(7), i64s(-1), i64s(-4), None, np.array([-1])),
            "x4",
            {},
            {0: "a step of a slice is 0", 1: OTHER, -2: OTHER, -LAST - 1: OTHER},
        ),
        (
            case("s", "Slice", f32(3), i64s(1), i64s(2), np.array([0])),
            "x3",
            {-1: slice(1, 2)},
            {1: "an axis is outside of the rank", -2: "an axis is outside of the rank"},
        ),
    ],
)
def test_a_slice_of_another_extent_is_an_error(example, name, taken, refused):
    inputs = dict(example.inputs)
    with autodeploy.compile(example.model().SerializeToString()) as session:
        for value, expected in taken.items():
            (found,) = session.run({**inputs, name: np.array([value])}).values()
            np.testing.assert_array_equal(found, inputs["x0"][expected])
        for value, message in refused.items():
            with pytest.raises(UserError, match=message):
                session.run({**inputs, name: np.array([value])})


def test_pads_of_another_extent_are_an_error():
    example = case("p", "Pad", f32(3), np.array([2, 1]), mode="reflect")
    x = example.inputs["x0"]
    with autodeploy.compile(example.model().SerializeToString()) as session:
        for pads in ([2, 1], [0, 3], [-1, 4], [-2, 5]):
            (found,) = session.run({"x0": x, "x1": np.array(pads)}).values()
            kept = x[max(-pads[0], 0) :]
            expected = np.pad(
                kept, np.maximum(pads, 0), mode="reflect" if len(kept) > 1 else "edge"
            )
            np.testing.assert_array_equal(found, expected)
        for pads, message in (
            ([1, 1], OTHER),
            ([LAST, -LAST], OTHER),
            ([-4, 7], "a pad takes away more"),
            ([-3, 6], "there are no elements to pad with"),
        ):
            with pytest.raises(UserError, match=message):
                session.run({"x0": x, "x1": np.array(pads)})


def test_scales_of_another_extent_are_an_error():
    scales = np.array([2.0], np.float32)
    example = case("r", "Resize", f32(3), None, scales, mode="linear")
    x = example.inputs["x0"]
    with autodeploy.compile(example.model().SerializeToString()) as session:
        for scale in (2.0, 2.3):
            session.run({"x0": x, "x2": np.array([scale], np.float32)})
        for scale in (1.9, 2.4, 0.0, -2.0, np.nan, np.inf):
            with pytest.raises(UserError, match=OTHER):
                session.run({"x0": x, "x2": np.array([scale], np.float32)})
