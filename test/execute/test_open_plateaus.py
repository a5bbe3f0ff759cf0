"""What few numbers do not show: programs are right for all numbers of their range, or refused."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from closeness import assert_close
from open_plateaus import (
    CONSTANTS,
    IMAGES,
    MOVED,
    SCALARS,
    beyond,
    bounded,
    coupled,
    looped,
    once,
    padded_window,
    rounded,
    same_pads,
    seldom,
    stepped,
    two_paths,
)
from open_runs import check_range, expected

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import load_bundle

RANGES = ((8, 36), (9, 41))
LONG = (8, 200)


def named(make, *given):
    def model():
        return make(*given)

    model.__name__ = make.__name__
    return model


def check(make, least: int, most: int, folder, **options) -> None:
    spec = OpenSpec(("n",), least, most)
    check_range(make, spec, folder / "b", range(least, most + 1), level=0, **options)


@pytest.mark.parametrize("scalar", (seldom, once, bounded, rounded))
@pytest.mark.parametrize("make", CONSTANTS)
def test_a_run_is_right_or_refused(make, scalar, tmp_path):
    check(named(make, scalar), *RANGES[0], tmp_path)


@pytest.mark.parametrize("scalar", (seldom, once, beyond))
def test_long_ranges_are_looked_at_from_end_to_end(scalar, tmp_path):
    check(named(looped, scalar), *LONG, tmp_path)


@pytest.mark.parametrize("scalar", SCALARS)
@pytest.mark.parametrize("make", MOVED)
def test_shapes_and_places_that_bend_are_right_or_refused(make, scalar, tmp_path):
    try:
        check(named(make, scalar), *RANGES[0], tmp_path)
    except UserError as error:
        assert "node '" in str(error)


@pytest.mark.parametrize("scalar", (seldom, rounded))
@pytest.mark.parametrize("make", MOVED)
def test_a_range_without_breakpoints_is_right(make, scalar, tmp_path):
    """The range ends before the first bend behind its least number."""
    check(named(make, scalar), 17, 20, tmp_path)


def test_a_step_may_take_the_numbers_away_that_differ(tmp_path):
    """All multiples of 8 leave nothing, so that no padding is needed."""
    spec = OpenSpec(("n",), 8, 64, 8)
    make = named(padded_window, seldom)
    check_range(make, spec, tmp_path / "b", range(8, 65, 8), level=0)


@pytest.mark.parametrize("start, step", [(0, 3), (1, 4), (0, 5), (-1, -3), (-2, -4), (2, 7)])
@pytest.mark.parametrize("least, most", RANGES)
def test_elements_a_step_apart_end_where_a_run_does(least, most, start, step, tmp_path):
    check(named(stepped, start, step), least, most, tmp_path)


@pytest.mark.parametrize("window, stride", [(2, 4), (2, 3), (3, 2), (1, 4), (3, 5), (4, 2)])
@pytest.mark.parametrize("least, most", [RANGES[1], (8, 100)])
def test_pads_that_nodes_compute_are_right(least, most, window, stride, tmp_path):
    check(named(same_pads, window, stride), least, most, tmp_path)


@pytest.mark.parametrize("pads", [(0, 1), (1, 2), (2, 0), (1, 1)])
@pytest.mark.parametrize("use", ("resized", "multiplied", "cut", "unread"))
def test_extents_that_are_equal_for_few_numbers_differ(use, pads, tmp_path):
    make = named(two_paths, *pads, use)
    try:
        check(make, *RANGES[0], tmp_path)
    except UserError as error:
        assert "'n' cannot be open" in str(error)


@pytest.mark.parametrize("make", (*IMAGES, coupled))
def test_pairs_of_numbers_are_looked_at(make, tmp_path):
    model = make()
    spec = (OpenSpec(("h",), 8, 20), OpenSpec(("w",), 8, 23))
    options = CompileOptions(dynamic=spec, level=0)
    compile_model(model.SerializeToString(), tmp_path / "b", options)
    random = np.random.default_rng(0)
    with load_bundle(tmp_path / "b") as session:
        for shape in product(range(8, 21), range(8, 24)):
            values = {"x": random.standard_normal((1, 2, *shape)).astype(np.float32)}
            (found,) = session.run(values).values()
            assert_close(found, expected(model, values)[0])
