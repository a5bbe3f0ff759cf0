"""Random numbers of a module of tests that begin anew in each test.

A generator that the tests of a module share gives a test other numbers when another test is added,
left out or run by another worker.
"""

from __future__ import annotations

import os

import numpy as np


class OwnNumbers:
    """A generator of NumPy that begins anew while a test is set up, and when it is called."""

    def __init__(self, seed: int):
        self._seed = seed
        self._test = ""
        self._generator = np.random.default_rng(seed)

    def __getattr__(self, name: str) -> object:
        """Return a method of the generator of the test that pytest runs now, if any."""
        test = os.environ.get("PYTEST_CURRENT_TEST", "")
        if test != self._test:
            self._test = test
            # Inputs that a test draws differ from weights that its fixtures have drawn.
            self._generator = np.random.default_rng([self._seed, test.endswith("(call)")])
        return getattr(self._generator, name)
