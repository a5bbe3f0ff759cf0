"""The text of the option that leaves an extent open."""

from __future__ import annotations

import pytest

from autodeploy.diagnostics import ModelError, UserError
from autodeploy.dialects.nn.parts import Part
from autodeploy.frontend.extent_expressions import FollowingExtent
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.tools.named_options import parse_dynamic


def test_a_range_has_names_and_may_have_a_step():
    assert parse_dynamic(None) == ()
    assert parse_dynamic(["batch=1..32"]) == (OpenSpec(("batch",), 1, 32),)
    assert parse_dynamic(["ids:0,mask:0=2 .. 8"]) == (OpenSpec(("ids:0", "mask:0"), 2, 8),)
    assert parse_dynamic(["x:3=64..1280:8"]) == (OpenSpec(("x:3",), 64, 1280, 8),)
    several = OpenSpec(("h",), 1, 8), OpenSpec(("w", "v"), 2, 6, 2)
    assert parse_dynamic(["h=1..8", "w,v=2..6:2"]) == several
    assert OpenSpec.of({"h": (1, 8), "w,v": (2, 6, 2)}) == several


def test_an_extent_may_follow_from_others():
    given = ["past=0..7", "mask:1,total=past+1", "all = past + 2*length"]
    past, mask, all_ = parse_dynamic(given)
    assert past == OpenSpec(("past",), 0, 7)
    assert mask == FollowingExtent(("mask:1", "total"), "past+1")
    assert OpenSpec.of({"past": (0, 7), "mask:1,total": "past+1"}) == (past, mask)
    assert mask.number({"past": 4}) == 5
    assert all_.number({"past": 4, "length": 3}) == 10
    with pytest.raises(
        ModelError, match="extent 'mask:1' is 'past\\+1', but 'past' is neither open"
    ):
        mask.number({"pas": 4})
    with pytest.raises(ModelError, match="extent 'n' is -1 for past 0"):
        FollowingExtent(("n",), "past - 1").number({"past": 0})
    for names, text in (((), "past+1"), (("n",), "past"), (("n",), "1+2"), (("",), "past+1")):
        with pytest.raises(UserError, match="follows from others by an expression"):
            FollowingExtent(names, text)


def test_a_range_may_have_parts_of_one_step():
    batch = OpenSpec(("batch",), 1, 32, parts=(Part(1, 1), Part(2, 32)))
    assert parse_dynamic(["batch=1,2..32"]) == (batch,)
    assert OpenSpec.of({"batch": [1, (2, 32)]}) == OpenSpec.of({"batch": ((1, 1), (2, 32))})
    assert OpenSpec.of({"batch": [1, (2, 32)]}) == (batch,)
    size = OpenSpec(("h", "w"), 160, 512, 32, (Part(256, 512), Part(160, 224)))
    assert parse_dynamic(["h,w=256..512,160..224:32"]) == (size,)
    assert parse_dynamic(["h,w=256..512:32, 160 .. 224 :32"]) == (size,)
    assert OpenSpec.of({"h,w": [(256, 512, 32), (160, 224)]}) == (size,)
    assert OpenSpec.of({"n": [(1, 8)]}) == parse_dynamic(["n=1..8"])
    assert OpenSpec.of({"n": "1..8", "m": "n+1"}) == parse_dynamic(["n=1..8", "m=n+1"])
    assert [str((r.least, r.most, r.step)) for r in size.ranges] == [
        "(256, 512, 32)",
        "(160, 224, 32)",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "batch", "=1..2", "batch=1", "batch=1..", "n=1..2:", "n=1..2:0", "n=4..8:-4", "n=1..2..3",
        "n=1,", "n=,1..2", "n=1:1", "n=8..16:8,24", "n=8..16:8,20..24:4", "n=4,6..10:4",
    ],
)  # fmt: skip
def test_wrong_ranges_are_refused(text):
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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("n=1..32,8", "part 8 of extent 'n' is never chosen: parts before it have its numbers"),
        ("n=4,5,4", "part 4 of extent 'n' is never chosen"),
        ("n=4,9..6", "a part of extent 'n' begins with its least number, found 9..6"),
        (
            "n=1,2..65537",
            "the range of extent 'n' is of several numbers from 0 to 65536, found 1 to",
        ),
        ("n=8,16..20:8", "found 8 to 8, 16 to 20 in steps of 8"),
    ],
)
def test_parts_that_do_not_go_together_are_refused(text, said):
    with pytest.raises(UserError, match=said):
        parse_dynamic([text])


@pytest.mark.parametrize("given", [["n"], [("n", (1, 8))], "n=1..8", 8])
def test_open_extents_in_python_have_names(given):
    with pytest.raises(UserError, match="a dictionary from names to ranges, such as"):
        OpenSpec.of(given)


@pytest.mark.parametrize(
    "given",
    [[], [(1,)], [(1, 2, 1), (3, 4, 2)], [(1, 2, 1, 1)], (4,), 4, None, [1, 2.5], (1, 8.0)],
)
def test_parts_in_python_that_are_malformed_are_refused(given):
    with pytest.raises(UserError, match="the range of extent 'n' is its least number, its largest"):
        OpenSpec.of({"n": given})
