"""The rule by which an image is computed in the kernel that reads it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autodeploy.machine import Machine
from autodeploy.passes.kernels.prologues import (
    ComputedImage,
    ConvImage,
    ProductShape,
    conv_gain,
    product_gain,
)

MACHINE = replace(Machine.named("x86-64-avx512"), l2_bytes=1 << 20)
PRODUCT = ProductShape(rows=3136, inner=128, columns=128, stack=(), element_bytes=4)
LEFT = ComputedImage(3136 * 128 * 4, 3136 * 128 * 4, cycles=50_000)
CONV = ConvImage(
    height=56,
    rows=56,
    reach=3,
    stride=1,
    padded=True,
    tiles_first=False,
    grouped=False,
    work=1 << 24,
)
IMAGE = ComputedImage(56 * 56 * 128 * 4, 56 * 56 * 128 * 4, cycles=50_000)


def product_scratch(machine: Machine, image: ComputedImage, shape: ProductShape) -> int | None:
    """Return the bytes of blocks where they gain."""
    gain, bytes_ = product_gain(machine, image, shape) or (-1, 0)
    return bytes_ if gain >= 0 else None


def conv_scratch(machine: Machine, image: ComputedImage, conv: ConvImage) -> int | None:
    """Return the bytes of rows where they gain."""
    gain, bytes_ = conv_gain(machine, image, conv) or (-1, 0)
    return bytes_ if gain >= 0 else None


def test_a_product_has_some_rows_at_a_time() -> None:
    found = product_scratch(MACHINE, LEFT, PRODUCT)
    assert found is not None
    assert 0 < found <= MACHINE.l2_bytes // 4
    assert not found % (PRODUCT.inner * 4)


def test_each_core_has_rows_of_its_own() -> None:
    found = product_scratch(replace(MACHINE, cores=2), LEFT, PRODUCT)
    assert found is not None
    assert not found % (2 * PRODUCT.inner * 4)


def test_an_image_that_stays_in_the_cache_is_left_there() -> None:
    assert product_scratch(replace(MACHINE, l2_bytes=2 * LEFT.bytes), LEFT, PRODUCT) is None
    small = replace(LEFT, read_bytes=0)
    assert product_scratch(replace(MACHINE, l2_bytes=LEFT.bytes), small, PRODUCT) is None


def test_weights_leave_room_for_rows() -> None:
    wide = replace(PRODUCT, columns=256)
    assert product_scratch(MACHINE, LEFT, wide) is not None
    assert product_scratch(MACHINE, LEFT, replace(PRODUCT, columns=1024)) is None


def test_a_single_row_is_left_alone() -> None:
    vector = replace(PRODUCT, rows=1, inner=3136 * 128)
    assert product_scratch(MACHINE, LEFT, vector) is None


def test_an_image_that_is_padded_anyway_takes_no_more_memory() -> None:
    assert conv_scratch(MACHINE, IMAGE, CONV) == 0


def test_a_convolution_without_padding_takes_bands() -> None:
    valid = replace(CONV, padded=False)
    row = IMAGE.bytes // 56
    found = conv_scratch(MACHINE, IMAGE, valid)
    assert found is not None
    assert found % row == 0
    assert CONV.reach * row <= found < IMAGE.bytes // 2
    twice = conv_scratch(replace(MACHINE, cores=2), IMAGE, valid)
    assert twice is not None
    assert twice % (2 * row) == 0


def test_a_copy_within_the_cache_gains_nothing() -> None:
    large = replace(MACHINE, l2_bytes=2 * IMAGE.bytes)
    assert conv_scratch(large, IMAGE, CONV) == 0
    assert conv_scratch(large, IMAGE, replace(CONV, padded=False)) is None


@pytest.mark.parametrize("more", [{"tiles_first": True}, {"height": 4}])
def test_a_copy_of_the_whole_image_gains_nothing(more: dict[str, int]) -> None:
    assert conv_scratch(MACHINE, IMAGE, replace(CONV, **more)) == 0
    assert conv_scratch(MACHINE, IMAGE, replace(CONV, padded=False, **more)) is None


def test_rows_that_are_costly_are_not_computed_twice() -> None:
    costly = replace(IMAGE, cycles=5_000_000)
    assert conv_scratch(MACHINE, costly, CONV) is None
    # Windows that do not overlap share no rows; nor is there another band for the whole image.
    assert conv_scratch(MACHINE, costly, replace(CONV, reach=1)) == 0
    assert conv_scratch(MACHINE, costly, replace(CONV, tiles_first=True)) == 0


def test_cores_do_not_wait_for_one_that_computes_much() -> None:
    whole = replace(CONV, tiles_first=True)
    costly = replace(IMAGE, cycles=500_000)
    assert conv_scratch(MACHINE, costly, whole) == 0
    assert conv_scratch(replace(MACHINE, cores=4), costly, whole) is None
    assert conv_scratch(replace(MACHINE, cores=4), replace(IMAGE, cycles=10_000), whole) == 0
