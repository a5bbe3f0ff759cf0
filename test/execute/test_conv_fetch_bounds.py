"""Convolutions that fetch ahead, with operands that end at a page that may not be touched.

A prefetch beyond the end of a filter is no fault; the load that stands for it would be one.
"""

from __future__ import annotations

import os
import subprocess
import sys

import guarded_convs


def test_nothing_beyond_the_operands_is_touched(tmp_path):
    done = subprocess.run(
        [sys.executable, guarded_convs.__file__, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"status {done.returncode} after {done.stdout}{done.stderr}"
    assert len(done.stdout.splitlines()) == len(guarded_convs.SHAPES)
