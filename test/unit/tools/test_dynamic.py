"""The text of the option that leaves an extent open."""

from __future__ import annotations

import pytest

from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.tools.dynamic import parse_dynamic


def test_a_range_has_names_and_may_have_a_step():
    assert parse_dynamic(None) == ()
    assert parse_dynamic(["batch=1..32"]) == (OpenSpec(("batch",), 1, 32),)
    assert parse_dynamic(["ids:0,mask:0=2 .. 8"]) == (OpenSpec(("ids:0", "mask:0"), 2, 8),)
    assert parse_dynamic(["x:3=64..1280:8"]) == (OpenSpec(("x:3",), 64, 1280, 8),)
    several = OpenSpec(("h",), 1, 8), OpenSpec(("w", "v"), 2, 6, 2)
    assert parse_dynamic(["h=1..8", "w,v=2..6:2"]) == several
    assert OpenSpec.of({"h": (1, 8), "w,v": (2, 6, 2)}) == several


@pytest.mark.parametrize(
    "text",
    ["batch", "=1..2", "batch=1", "batch=1..", "n=1..2:", "n=1..2:0", "n=4..8:-4", "n=1..2..3"],
)
def test_what_is_not_a_range_is_refused(text):
    with pytest.raises(UserError, match=r"malformed range|step"):
        parse_dynamic([text])


@pytest.mark.parametrize("numbers", [(10, 32, 8), (8, 30, 8), (8, 16, 0), (8, 16, -8)])
def test_a_range_begins_and_ends_with_multiples_of_its_step(numbers):
    with pytest.raises(UserError, match="begins and ends with multiples of its step"):
        OpenSpec(("n",), *numbers)


@pytest.mark.parametrize("numbers", [(8,), (8, 16, 8, 1)])
def test_a_range_in_python_has_two_or_three_numbers(numbers):
    with pytest.raises(UserError, match="its least number, its largest and its step"):
        OpenSpec.of({"n": numbers})
