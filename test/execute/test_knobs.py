"""Points of the spaces of templates compute right numbers, and touch nothing beyond operands."""

from __future__ import annotations

import guarded_knobs
import pytest
from guarded_run import lines_of


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", guarded_knobs.KERNELS)
def test_all_points_compute_the_same(name, tmp_path):
    configs = list(guarded_knobs.points(name))
    assert len(configs) > guarded_knobs.DRAWN // 2
    assert lines_of(guarded_knobs.__file__, str(tmp_path), name) == configs
