"""Products and convolutions whose operands end at a page that may not be touched.

Kernels check nothing, so a tail that reads or writes beyond its buffer shows nowhere else. Nor does
the load that stands for a prefetch, beyond the end of a buffer, where a prefetch is no fault.
"""

from __future__ import annotations

import guarded_convs
import guarded_products
import pytest
from guarded_run import lines_of


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", ["packed", "plain"])
def test_products_touch_nothing_beyond_their_operands(tmp_path, kind):
    lines = lines_of(guarded_products.__file__, str(tmp_path), kind)
    assert len(lines) == len(guarded_products.SHAPES)


@pytest.mark.exhaustive
def test_convolutions_touch_nothing_beyond_their_operands(tmp_path):
    lines = lines_of(guarded_convs.__file__, str(tmp_path))
    assert len(lines) == len(guarded_convs.SHAPES)
