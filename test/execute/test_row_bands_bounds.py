"""Chains in bands of rows, with operands that end at a page that may not be touched."""

from __future__ import annotations

import os
import subprocess
import sys

import guarded_row_bands


def test_nothing_beyond_the_operands_is_touched(tmp_path):
    done = subprocess.run(
        [sys.executable, guarded_row_bands.__file__, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"status {done.returncode} after {done.stdout}{done.stderr}"
    assert len(done.stdout.splitlines()) == len(guarded_row_bands.SHAPES)
