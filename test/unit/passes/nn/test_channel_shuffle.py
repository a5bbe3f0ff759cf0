"""What is computed with shuffles is what NumPy moves."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import f32
from xdsl.utils.test_value import create_ssa_value

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.movement import ReshapeOp, TransposeOp
from autodeploy.dialects.nn.types import shape_of, tensor
from autodeploy.passes.nn.channel_shuffle import ChannelShuffle, channel_shuffle


def movements(shape: list[int], factors: list[int], order: list[int]) -> list:
    """Return the ops that shuffle axis 1 of a value."""
    apart = ReshapeOp(create_ssa_value(tensor(f32, shape)), [shape[0], *factors, *shape[2:]])
    turned = TransposeOp(apart.result, order)
    return [apart, turned, ReshapeOp(turned.result, shape)]


def test_the_same_channels_are_moved_along_the_last_axis():
    apart, turned, together = movements([3, 24, 7], [4, 2, 3], [0, 3, 1, 2, 4])
    found = channel_shuffle(together)
    assert found == ChannelShuffle(apart.x, (4, 2, 3), (2, 0, 1))
    split, order, _ = found.last(create_ssa_value(tensor(f32, [3, 7, 24])))
    array = np.arange(3 * 24 * 7).reshape(3, 24, 7)
    wanted = array.reshape(shape_of(apart.result.type)).transpose(ints(turned.permutation))
    moved = array.transpose(0, 2, 1).reshape(shape_of(split.result.type))
    moved = moved.transpose(ints(order.permutation)).reshape(3, 7, 24)
    np.testing.assert_array_equal(moved.transpose(0, 2, 1), wanted.reshape(3, 24, 7))


def test_transposes_that_are_no_shuffle():
    apart, turned, together = movements([1, 6, 4], [2, 3], [0, 2, 1, 3])
    assert channel_shuffle(together) is not None
    assert channel_shuffle(turned) is None
    assert channel_shuffle(apart) is None
    assert channel_shuffle(ReshapeOp(turned.result, [1, 4, 6])) is None
    assert channel_shuffle(movements([1, 6, 4], [2, 3], [3, 2, 1, 0])[-1]) is None
    assert channel_shuffle(movements([0, 6, 4], [2, 3], [0, 2, 1, 3])[-1]) is None
