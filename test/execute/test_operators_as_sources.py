"""Operators through kernels as source, C++ and C99: a sample of those in test_operators.

`make unit EMIT=c` and `make unit EMIT=c99` run all of this folder so.
"""

from __future__ import annotations

import shutil

import pytest
from closeness import assert_close
from compiled_cases import SAMPLE, compiled_to_source

WITHOUT_CXX = pytest.mark.skipif(
    not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="there is no C++ compiler"
)
MARKS = {"host": [WITHOUT_CXX], "scalar": []}

QUICK = (("host", 2), ("scalar", 0))
"""Machines and levels of the quick run."""


@pytest.mark.parametrize(
    ("machine", "level"),
    [
        pytest.param(
            machine,
            level,
            marks=[
                *marks,
                *(() if (machine, level) in QUICK else [pytest.mark.exhaustive]),
                pytest.mark.xdist_group(f"{machine}-O{level}"),
            ],
        )
        for machine, marks in MARKS.items()
        for level in (0, 2)
    ],
)
@pytest.mark.every_case
@pytest.mark.parametrize("example", SAMPLE, ids=lambda example: example.name)
def test_numbers_are_those_of_the_oracle(example, machine, level):
    with compiled_to_source(example, level, machine).session() as session:
        found = session.run(example.inputs)
    assert len(found) == len(example.expected)
    for ours, theirs in zip(found.values(), example.expected, strict=True):
        assert_close(ours, theirs)
