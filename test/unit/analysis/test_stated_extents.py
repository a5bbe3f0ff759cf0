"""Extents that a function states, read at some of the numbers and compared at all of them."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import f32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region

from autodeploy.analysis.stated_extents import StatedExtents
from autodeploy.dialects.extent_attr import encoded_type, extent_array
from autodeploy.dialects.extents import Numbers
from autodeploy.dialects.nn.growth import CONSTANT, Growth
from autodeploy.dialects.nn.movement import SliceOp
from autodeploy.dialects.open_range import OpenRange

SHORT = Numbers((OpenRange("n", 3, 8),))
LONG = Numbers((OpenRange("h", 1, 300), OpenRange("w", 2, 300)))


def stated(numbers: Numbers, shape: tuple[int, ...]) -> tuple[StatedExtents, FuncOp]:
    """Return the extents of a function of one argument, which it returns without its first row."""
    block = Block(arg_types=[encoded_type(f32, shape)])
    starts = extent_array([shape[0] - 2, *[0] * (len(shape) - 1)])
    sizes = extent_array([2, *shape[1:]])
    steps = extent_array([1] * len(shape))
    sliced = SliceOp.create(
        operands=list(block.args),
        properties={"starts": starts, "sizes": sizes, "steps": steps},
        result_types=[encoded_type(f32, (2, *shape[1:]))],
    )
    block.add_ops([sliced, ReturnOp(sliced.result)])
    func = FuncOp("main", ([block.args[0].type], [sliced.result.type]), Region(block))
    return StatedExtents(numbers, func), func


def test_all_numbers_of_a_short_range_are_samples():
    found, _ = stated(SHORT, (SHORT.extent(0), 6))
    assert list(found.samples) == [(n,) for n in range(3, 9)]


def test_of_a_long_range_the_corners_are_samples_and_few_others():
    found, _ = stated(LONG, (LONG.extent(0), 6))
    assert {(1, 2), (1, 300), (300, 2), (300, 300)} <= set(found.samples)
    assert 64 <= len(found.samples) == len(set(found.samples)) <= 68
    assert all(1 <= h <= 300 and 2 <= w <= 300 for h, w in found.samples)


def test_shapes_and_places_are_those_for_each_sample():
    found, func = stated(SHORT, (SHORT.extent(0), 6))
    (x,) = func.body.block.args
    op = func.body.block.first_op
    assert isinstance(op, SliceOp)
    assert found.shapes(x) == {(n,): (n, 6) for n in range(3, 9)}
    assert found.shapes(op.result) == {(n,): (2, 6) for n in range(3, 9)}
    assert found.shape(op.result) == (2, 6)
    assert {n: (cut.starts, cut.sizes) for n, cut in found.cuts[op].items()} == {
        (n,): ((n - 2, 0), (2, 6)) for n in range(3, 9)
    }


@pytest.mark.parametrize(
    ("axes", "differs"),
    [
        ((Growth.of(1, 1, 2), CONSTANT), None),
        ((Growth.of(1, 0, 2), CONSTANT), 0),
        ((CONSTANT, CONSTANT), 0),
        ((Growth.of(1, 1, 2), Growth.of(1)), 1),
    ],
)
def test_growths_are_compared_for_all_numbers(axes: tuple[Growth, ...], differs: int | None):
    # n / 2 differs for odd numbers, not for the ends of the range alone.
    found, func = stated(LONG, ((LONG.extent(0) + 1) // 2 + 2 - 2, 6))
    assert found.differs(func.body.block.args[0], axes) == differs
    assert found.axes[func.body.block.args[0]] == (Growth.of(1, 1, 2), CONSTANT)


def test_an_extent_without_a_form_has_none():
    squares = SHORT.extent(0) * SHORT.extent(0) % 5 + 9
    found, func = stated(SHORT, (squares, 6))
    assert found.growth(squares) is None
    assert found.axes[func.body.block.args[0]] == (CONSTANT, CONSTANT)
    assert found.differs(func.body.block.args[0], (CONSTANT, CONSTANT)) == 0
