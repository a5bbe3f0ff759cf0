"""The shapes of runs that rules look at, by extents that grow with derived numbers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from autodeploy.analysis.least_shapes import least_result_shape, result_shapes
from autodeploy.dialects.extents import Numbers, extent_of
from autodeploy.dialects.nn.types import f32, tensor
from autodeploy.dialects.open_range import Derived, OpenRange


def test_the_least_shape_is_not_always_that_of_the_least_numbers():
    numbers = Numbers((OpenRange("n", 1, 4),), (Derived.of((4,), (6, 2, 9, 5)),))
    extent = extent_of(numbers, numbers.derived[0].table)
    shape = (numbers.extent(0), extent, 3)
    kernel: Any = SimpleNamespace(outputs=[SimpleNamespace(type=tensor(f32, shape))])
    assert least_result_shape(kernel) == (1, 2, 3)
    assert result_shapes(kernel)[1:] == ((2, 2, 3), (3, 9, 3), (4, 5, 3))
