"""Operators through kernels as C++ source: a sample of those in test_operators.

`make unit EMIT=c` runs all of this folder so.
"""

from __future__ import annotations

import shutil

import pytest
from closeness import assert_close
from compiled_cases import SAMPLE, compiled_to_source

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="there is no C++ compiler"
)


@pytest.mark.parametrize(
    "level", [pytest.param(n, marks=pytest.mark.xdist_group(f"cxx-O{n}")) for n in (0, 2)]
)
@pytest.mark.parametrize("example", SAMPLE, ids=lambda example: example.name)
def test_numbers_are_those_of_the_oracle(example, level):
    with compiled_to_source(example, level).session() as session:
        found = session.run(example.inputs)
    assert len(found) == len(example.expected)
    for ours, theirs in zip(found.values(), example.expected, strict=True):
        assert_close(ours, theirs)
