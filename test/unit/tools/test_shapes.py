"""The texts of the options that say what the inputs of a model are."""

from __future__ import annotations

import math

import pytest

from autodeploy.diagnostics import UserError
from autodeploy.tools.shapes import parse_values


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
def test_what_is_no_value_is_refused(text):
    with pytest.raises(UserError, match=f"malformed value '{text}', expected 'name=224,224'"):
        parse_values([text])
