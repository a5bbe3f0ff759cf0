"""The texts of the options that say what the inputs of a model are."""

from __future__ import annotations

import math
import re

import pytest

from autodeploy.diagnostics import UserError
from autodeploy.tools.named_options import parse_bounds, parse_values


def test_a_value_is_a_list_of_elements():
    assert parse_values([]) == {}
    found = parse_values(["a=3, -4", "b:0=true,false", "c=", "d=x=0.5,1e-3,-inf,NaN"])
    assert list(map(type, found["a"] + found["b:0"])) == [int, int, bool, bool]
    assert found["a"] == [3, -4]
    assert found["b:0"] == [True, False]
    assert found["c"] == []
    assert found["d=x"][:3] == [0.5, 1e-3, -math.inf]
    assert math.isnan(found["d=x"][3])


@pytest.mark.parametrize("text", ["a", "=1", "a=1,", "a=True", "a=0x1", "a=1_0", "a=.", "a=1;2"])
def test_wrong_values_are_refused(text):
    with pytest.raises(UserError, match=f"malformed value '{text}', expected 'name=224,224'"):
        parse_values([text])


def test_bounds_are_read():
    assert parse_bounds(["a=3", "*=2000", "b=c=0"]) == {"a": 3, "*": 2000, "b=c": 0}


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (["a"], "malformed bound 'a', expected 'name=2000'"),
        (["=3"], "malformed bound '=3'"),
        (["a=-1"], "malformed bound 'a=-1'"),
        (["a=1", "a=2"], "gives the bound of 'a' twice"),
    ],
)
def test_malformed_bounds_are_refused(texts, reason):
    with pytest.raises(UserError, match=re.escape(reason)):
        parse_bounds(texts)
