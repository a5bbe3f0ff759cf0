"""Matrix products whose operands end at a page that may not be touched.

Kernels check nothing, so a tail that reads or writes beyond its buffer shows nowhere else.
"""

from __future__ import annotations

import os
import subprocess
import sys

import guarded_products
import pytest


@pytest.mark.parametrize("kind", ["packed", "plain"])
def test_nothing_beyond_the_operands_is_touched(tmp_path, kind):
    done = subprocess.run(
        [sys.executable, guarded_products.__file__, str(tmp_path), kind],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"status {done.returncode} after {done.stdout}{done.stderr}"
    assert len(done.stdout.splitlines()) == len(guarded_products.SHAPES)
