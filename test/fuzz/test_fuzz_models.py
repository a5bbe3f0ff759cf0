"""A sample of random models; `make fuzz` draws many more, with all numbers and in all forms."""

from __future__ import annotations

from fuzz_campaign import OBJECTS, run_cases
from fuzz_numbers import QUIET

COUNT = 150
SEED = 8


def test_no_sampled_model_is_wrong():
    results = dict(
        run_cases(SEED, range(COUNT), lambda batch: [OBJECTS[batch % len(OBJECTS)]], moods=QUIET)
    )
    assert len(results) == COUNT
    wrong = {name: result.failures for name, result in results.items() if result.failures}
    assert wrong == {}
    assert sum(bool(result.refused) for result in results.values()) < COUNT / 10
    assert sum(result.open_share for result in results.values()) < COUNT / 4
