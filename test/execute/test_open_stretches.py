"""Images of any size that transposed convolutions and resizes make larger or smaller."""

from __future__ import annotations

import pytest
from open_images import enlarged, shrunk
from open_inner import Inner
from open_runs import check_range, check_sanitized_range, compiled

from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import OpenSpec

RANGES = (
    (enlarged, OpenSpec(("n",), 2, 44, 2)),
    (enlarged, OpenSpec(("n",), 16, 64, 16)),
    (shrunk, OpenSpec(("n",), 8, 51)),
    (shrunk, OpenSpec(("n",), 16, 64, 8)),
)


def numbers(spec: OpenSpec) -> list[int]:
    """Return the ends of a range, and some next to each other."""
    all_ = range(spec.least, spec.most + 1, spec.step)
    middle = len(all_) // 2
    return sorted({*all_[:2], *all_[middle : middle + 4], *all_[-2:]})


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize(("make", "spec"), RANGES)
def test_numbers_of_the_range_are_right(make, spec, level, tmp_path):
    check_range(make, spec, tmp_path / "b", numbers(spec), level=level)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("make", "spec"), RANGES[::2])
def test_threads_share_what_there_is(make, spec, tmp_path):
    options = {"level": 2, "threads": 2, "machine": "host:parallel_work=1"}
    check_range(make, spec, tmp_path / "b", numbers(spec), **options)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("make", "number"), [(enlarged, 18), (shrunk, 23)])
def test_sanitizers_find_nothing_in_the_c_program(make, number, tmp_path):
    spec = next(spec for found, spec in RANGES if found is make)
    check_sanitized_range(make, spec, tmp_path, (spec.least, number, spec.most), level=2)


def resized(given: dict, *, scale: float = 2.0):
    net = Inner()
    x = net.takes("x", 1, 2, 5, "n")
    y = net.add("MaxPool", x, kernel_shape=[1, 2], strides=[1, 2])
    net.gives(
        net.add("Resize", y, "", net.constant([1, 1, 1, scale], "f4"), **given), 1, 2, 5, None
    )
    return net.model("resized")


def test_places_that_do_not_follow_from_the_extents_are_refused(tmp_path):
    """The corners are those of 1.5 times the extent, which is not rounded for them."""
    given = {"mode": "linear", "coordinate_transformation_mode": "align_corners"}
    with pytest.raises(UserError, match="extent 'n' cannot be open"):
        compiled(lambda: resized(given, scale=1.5), OpenSpec(("n",), 8, 32), tmp_path / "b")


def test_a_part_of_what_was_rounded_and_repeated_is_refused(tmp_path):
    """Of 3 * (n / 2) elements the half, rounded down."""
    net = Inner()
    x = net.takes("x", 1, 2, 5, "n")
    y = net.add("MaxPool", x, kernel_shape=[1, 2], strides=[1, 2])
    for scale in (3.0, 0.5):
        y = net.add("Resize", y, "", net.constant([1, 1, 1, scale], "f4"), mode="nearest")
    net.gives(y, 1, 2, 5, None)
    model = net.model("parts")
    text = "node 't2': its extent of 6..24 grows in no way that kernels know"
    with pytest.raises(UserError, match=text):
        compiled(lambda: model, OpenSpec(("n",), 8, 33), tmp_path / "b")
