"""Numbers of a test do not depend on other tests."""

from __future__ import annotations

import numpy as np
from own_numbers import OwnNumbers


def test_numbers_begin_anew_in_each_test(monkeypatch):
    numbers = OwnNumbers(3)
    found = {}
    for test, draws in (("a (setup)", 2), ("a (call)", 3), ("b (setup)", 1), ("b (call)", 2)):
        monkeypatch.setenv("PYTEST_CURRENT_TEST", test)
        found[test] = [float(numbers.random()) for _ in range(draws)]
    assert found["a (setup)"][:1] == found["b (setup)"]
    assert found["a (call)"][:2] == found["b (call)"]
    assert len({*found["a (setup)"], *found["a (call)"]}) == 5


def test_numbers_outside_of_a_test_are_those_of_the_seed(monkeypatch):
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    np.testing.assert_array_equal(
        OwnNumbers(3).standard_normal(4), np.random.default_rng(3).standard_normal(4)
    )
