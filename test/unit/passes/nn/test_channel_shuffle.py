"""What is computed with shuffles is what NumPy moves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import prod

import numpy as np
import pytest
from xdsl.dialects.builtin import f32
from xdsl.utils.test_value import create_ssa_value

from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.movement import ReshapeOp
from autodeploy.dialects.nn.types import shape_of, tensor
from autodeploy.passes.nn.channel_shuffle import Shuffle, channel_shuffle


def factorings(extent: int) -> Iterator[tuple[int, ...]]:
    """Yield all lists of factors above 1."""
    if extent == 1:
        yield ()
    for first in range(2, extent + 1):
        if extent % first == 0:
            yield from ((first, *rest) for rest in factorings(extent // first))


def shuffles(extent: int) -> list[Shuffle]:
    """Return all shuffles of so many channels, and some with factors of 1."""
    found = [
        Shuffle(factors, order)
        for factors in factorings(extent)
        for order in permutations(range(len(factors)))
    ]
    return [*found, *(Shuffle((*s.factors, 1), (len(s.factors), *s.order)) for s in found)]


def moved(shuffle: Shuffle, array: np.ndarray) -> np.ndarray:
    return array.reshape(shuffle.factors).transpose(shuffle.order).reshape(-1)


ALL = shuffles(24)
NUMBERS = np.arange(24)


@pytest.mark.parametrize("shuffle", ALL)
def test_one(shuffle):
    result = moved(shuffle, NUMBERS)
    np.testing.assert_array_equal(moved(shuffle.inverse, result), NUMBERS)
    np.testing.assert_array_equal(moved(shuffle.plain(), NUMBERS), result)
    assert shuffle.is_idle == bool((result == NUMBERS).all())
    wider = Shuffle((*shuffle.factors, 5), (*shuffle.order, len(shuffle.factors)))
    many = np.arange(24 * 5)
    np.testing.assert_array_equal(moved(shuffle.widened(5), many), moved(wider, many))


def test_equal_shuffles_have_one_plain_form():
    plain: dict[tuple[int, ...], set[Shuffle]] = {}
    for shuffle in ALL:
        plain.setdefault(tuple(moved(shuffle, NUMBERS)), set()).add(shuffle.plain())
    assert {len(forms) for forms in plain.values()} == {1}


@pytest.mark.exhaustive
def test_one_after_another():
    merged = 0
    for first in ALL:
        for second in ALL:
            both = first.then(second)
            if both is not None:
                found = moved(both, NUMBERS)
                np.testing.assert_array_equal(found, moved(second, moved(first, NUMBERS)))
                merged += 1
    assert 0 < merged < len(ALL) ** 2


def test_common_factors():
    first = Shuffle((4, 6), (1, 0))
    assert first.then(Shuffle((6, 4), (1, 0))) == Shuffle((24,), (0,))
    assert first.then(Shuffle((3, 8), (1, 0))) is not None
    assert first.then(Shuffle((4, 6), (1, 0))) is None


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_movements(axis):
    shape = [3, 5, 7]
    shape[axis] = 24
    x = create_ssa_value(tensor(f32, shape))
    shuffle = Shuffle((4, 2, 3), (2, 0, 1))
    apart, turned, together = shuffle.of(x, axis)
    assert prod(shape_of(apart.result.type)) == prod(shape)
    assert together.result.type == x.type
    array = np.arange(prod(shape)).reshape(shape)
    found = array.reshape(shape_of(apart.result.type)).transpose(ints(turned.permutation))
    np.testing.assert_array_equal(
        found.reshape(shape), array.take(moved(shuffle, NUMBERS), axis=axis)
    )
    again = channel_shuffle(together, axis)
    assert again is not None
    assert (again.x, again.shuffle) == (x, shuffle)
    assert channel_shuffle(together, (axis + 1) % 3) is None


def test_transposes_that_are_no_shuffle():
    x = create_ssa_value(tensor(f32, [1, 6, 4]))
    apart, turned, together = Shuffle((2, 3), (1, 0)).of(x, 1)
    assert channel_shuffle(turned) is None
    assert channel_shuffle(apart) is None
    assert channel_shuffle(ReshapeOp(turned.result, [1, 4, 6])) is None
    empty = create_ssa_value(tensor(f32, [0, 6, 4]))
    assert channel_shuffle(Shuffle((2, 3), (1, 0)).of(empty, 1)[-1]) is None
    assert channel_shuffle(together) is not None
