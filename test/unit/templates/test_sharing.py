"""How tiles that overlap are grouped for threads, and which dimensions threads share evenly."""

from __future__ import annotations

import pytest

from autodeploy.templates.sharing import band_group, even_band, even_dimension, tile_group


@pytest.mark.parametrize("cores", [2, 3, 4, 8])
@pytest.mark.parametrize("wanted", [None, 1, 2, 5])
def test_the_last_tile_and_the_one_before_are_in_one_group(cores: int, wanted: int | None) -> None:
    for tiles in range(4, 300):
        size = tile_group(tiles, cores, wanted)
        assert size is not None, tiles
        assert 1 < size < tiles
        assert (tiles - 1) // size == (tiles - 2) // size, (tiles, size)


@pytest.mark.parametrize("tiles", [1, 2, 3])
def test_few_tiles_have_no_groups(tiles: int) -> None:
    assert tile_group(tiles, 2) is None
    assert tile_group(tiles, 2, 2) is None


@pytest.mark.parametrize(("tiles", "cores"), [(13, 2), (94, 2), (1251, 2), (1251, 8), (37, 4)])
def test_cores_have_about_as_much_to_do(tiles: int, cores: int) -> None:
    size = tile_group(tiles, cores)
    assert size is not None
    groups = -(-tiles // size)
    assert -(-groups // cores) * size <= 1.25 * tiles / cores


def test_no_more_tiles_than_wanted_where_that_may_be() -> None:
    assert tile_group(20, 2, 4) == 4
    assert tile_group(21, 2, 4) == 3  # the last group of four would have one tile
    assert tile_group(13, 2, 3) == 7  # groups of two and of three, too


def test_bands_that_divide_the_rows_need_no_groups() -> None:
    assert band_group(2, 40, 4) == 1
    assert band_group(2, 39, 4) == 2


@pytest.mark.parametrize(
    ("tiles", "cores", "most", "size"),
    [
        (98, 2, 13, 7),  # 49 tiles to a core, and 52 in bands of 13
        (96, 2, 13, 12),
        (33, 2, 4, 4),  # the last band has one: 16 and 17
        (100, 4, 25, 25),
        (5, 2, 1, 1),
    ],
)
def test_bands_that_give_the_cores_as_much(tiles: int, cores: int, most: int, size: int) -> None:
    assert even_band(tiles, cores, most) == size


def test_the_outermost_even_dimension() -> None:
    assert even_dimension((12, 4), 2) == 1
    assert even_dimension((12, 3), 2) == 0
    assert even_dimension((3,), 2) is None
