"""Oclgrind, an OpenCL that finds races, elements out of bounds and wrong calls, if it is here."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

WHERE_FROM = "there is no oclgrind here; Debian's package oclgrind has one"


@cache
def _prefix() -> Path | None:
    program = shutil.which("oclgrind")
    return None if program is None else Path(program).resolve().parents[1]


needs_oclgrind = pytest.mark.skipif(_prefix() is None, reason=WHERE_FROM)


def with_oclgrind(log: Path) -> Mapping[str, str]:
    """Return the variables of a program whose only OpenCL it is; the log has all reports.

    Nothing is installed in the list of OpenCL's drivers, so that no other program finds it.
    """
    prefix = _prefix()
    assert prefix is not None
    (headers,) = prefix.glob("lib/*/oclgrind/*")
    found = (str(headers.parents[1]), os.environ.get("LD_LIBRARY_PATH", ""))
    return {
        "LD_LIBRARY_PATH": os.pathsep.join(filter(None, found)),
        "OCL_ICD_VENDORS": str(prefix / "lib" / "oclgrind" / "liboclgrind-rt-icd.so"),
        "OCLGRIND_PCH_DIR": str(headers),
        "OCLGRIND_DATA_RACES": "1",
        "OCLGRIND_CHECK_API": "1",
        "OCLGRIND_NUM_THREADS": "1",
        "OCLGRIND_LOG": str(log),
    }
