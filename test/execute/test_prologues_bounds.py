"""Kernels with a prologue, with operands that end at a page that may not be touched."""

from __future__ import annotations

import guarded_prologues
import pytest
from guarded_run import lines_of


@pytest.mark.exhaustive
def test_nothing_beyond_the_operands_is_touched(tmp_path):
    lines = lines_of(guarded_prologues.__file__, str(tmp_path))
    assert len(lines) == 2 * len(guarded_prologues.PRODUCTS) + len(guarded_prologues.CONVS)
