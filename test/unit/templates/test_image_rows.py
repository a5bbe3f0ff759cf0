"""For how many rows of a grouped convolution its image is copied at a time."""

from __future__ import annotations

import pytest

from autodeploy.machine import Machine
from autodeploy.templates.direct_conv.knobs import image_rows


def machine(cores: int) -> Machine:
    return Machine.parse(f"x86-64-avx512:l2=1M:cores={cores}")


def rows_of(cores: int, height: int, row_bytes: int, step: int = 1) -> int:
    found = image_rows(machine(cores), height, row_bytes, step=step, read=3, shared=cores > 1)
    return found or height


@pytest.mark.parametrize("cores", [1, 2, 3])
@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("height", [7, 14, 28, 55, 112])
@pytest.mark.parametrize("row_bytes", [1000, 36864, 70000])
def test_a_copy_stays_in_the_cache(cores: int, step: int, height: int, row_bytes: int) -> None:
    """Bands are as even as they can be: with fewer, a copy would not stay, or a core would wait."""

    def fits(rows: int) -> bool:
        return ((rows - 1) * step + 3) * row_bytes <= machine(cores).resident_bytes

    rows = rows_of(cores, height, row_bytes, step)
    bands = -(-height // rows)
    assert fits(rows)
    assert bands >= cores
    assert bands == cores or not fits(-(-height // max(bands - cores, 1)))


def test_a_row_that_does_not_stay_is_a_band() -> None:
    assert rows_of(1, 28, 1 << 24) == 1


def test_fewer_rows_than_cores_are_not_shared() -> None:
    assert image_rows(machine(8), 7, 36864, step=1, read=3, shared=True) == 0


@pytest.mark.parametrize("cores", [1, 2, 3])
@pytest.mark.parametrize("height", [28, 29, 36, 57])
def test_bands_may_divide_the_rows(cores: int, height: int) -> None:
    """A transposed image cannot end early: where it begins says how many rows a band reads."""
    shared = cores > 1
    rows = image_rows(machine(cores), height, 70000, step=1, read=3, shared=shared, whole=True)
    assert rows and height % rows == 0
