"""Every operator through the generated C: the numbers are those of the oracle.

At level 2 ops are fused and laid out, and schedules are tuned; at level 0 each op is a kernel, and
a sample of the cases is taken (``make operators``: all).
"""

from __future__ import annotations

import pytest
from closeness import assert_close
from compiled_cases import cases_and_levels, compiled


@pytest.mark.parametrize(("example", "level"), cases_and_levels())
def test_numbers_are_those_of_the_oracle(example, level):
    with compiled(example, level).session() as session:
        found = session.run(example.inputs)
    assert len(found) == len(example.expected)
    for ours, theirs in zip(found.values(), example.expected, strict=True):
        assert_close(ours, theirs)
