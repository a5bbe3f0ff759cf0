"""Random sizes that follow from open extents: the nn ops of a graph are right at every number."""

from __future__ import annotations

import pytest
from fuzz_campaign import Drawn
from fuzz_converted import converted, wrong_numbers
from xdsl.utils.exceptions import DiagnosticException

from autodeploy.dialects.registry import new_context

SEED = 5
COUNT = 100
PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_sizes_are_right_at_every_number(part):
    ctx, wrong, refused = new_context(), {}, 0
    for number in range(part, COUNT, PARTS):
        case = Drawn(SEED, number, (), family="sizes").case()
        try:
            module = converted(ctx, case)
        except DiagnosticException:
            refused += 1
            continue
        if found := list(wrong_numbers(ctx, case, module)):
            wrong[case.name] = found
    assert wrong == {}
    assert refused <= COUNT / PARTS / 4
