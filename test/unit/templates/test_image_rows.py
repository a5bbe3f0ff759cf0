"""For how many rows of a grouped convolution its image is copied at a time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.image_rows import CopiedRows, group_rows


def machine(cores: int) -> Machine:
    return Machine.parse(f"x86-64-avx512:l2=1M:cores={cores}")


def image(size: int, channels: int, inputs: int, stride: int = 1) -> CopiedRows:
    """Return what the rows of a padded image cost of a convolution by 3x3, in vectors of 16."""
    height = size // stride
    steps = height * channels * inputs * 9 / 16 / 1.7
    row = (size + 2) * channels * 4
    return CopiedRows(height, row, stride, 3, steps, 100.0, 32.0, channels * inputs * 9 * 4)


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize(("size", "stride"), [(14, 1), (28, 1), (28, 2), (56, 1), (56, 2)])
def test_cores_have_as_much(cores: int, size: int, stride: int) -> None:
    """A last band of one core moves inwards; two cores have as many rows."""
    shape = image(size, 7168 // size, 16, stride)
    rows = group_rows(machine(cores), shape, shared=cores > 1) or shape.height
    assert shape.height % (rows * cores) == 0
    assert (rows * stride + 3 - stride) * shape.row_bytes < machine(cores).l2_bytes / 3


def test_all_rows_are_copied_where_the_filter_does_not_stay() -> None:
    assert group_rows(machine(1), image(7, 1024, 32), shared=False) == 0
    assert group_rows(machine(1), image(7, 1024, 4), shared=False) != 0


def test_bands_are_as_high_as_it_takes_to_fetch_the_filter() -> None:
    """Lower bands would wait for a filter that does not stay."""
    shape = image(28, 256, 8)
    assert group_rows(machine(1), shape, shared=False) == 4
    assert group_rows(machine(1), replace(shape, fetched_rows=5), shared=False) == 7


def test_fewer_rows_than_cores_are_not_shared() -> None:
    assert group_rows(machine(8), image(7, 1024, 32), shared=True) == 0
