"""A sample of random models, each in one form; `make fuzz` draws many more, in all forms."""

from __future__ import annotations

import pytest
from fuzz_campaign import one_form, run_cases

COUNT = 120
SEED = 8


@pytest.mark.exhaustive
def test_no_sampled_model_is_wrong():
    results = dict(run_cases(SEED, range(COUNT), one_form))
    assert len(results) == COUNT
    wrong = {name: result.failures for name, result in results.items() if result.failures}
    assert wrong == {}
    assert sum(bool(result.refused) for result in results.values()) < COUNT / 10
    assert sum(result.open_share for result in results.values()) < COUNT / 4
