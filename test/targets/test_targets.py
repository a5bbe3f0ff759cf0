"""Programs for other machines: built by a cross compiler, run in an emulator."""

from __future__ import annotations

from pathlib import Path

import pytest
from cross import MODELS, SAMPLE, TARGETS, NotHereError, build_and_run

TOLERANCE = 1e-5


@pytest.mark.parametrize("name", TARGETS)
def test_programs_compute_there_what_onnxruntime_does_here(name: str, tmp_path: Path) -> None:
    model = MODELS[SAMPLE](tmp_path)
    assert model is not None
    try:
        outcome = build_and_run(TARGETS[name], model, tmp_path)
    except NotHereError as missing:
        pytest.skip(str(missing))
    assert outcome.error is None or outcome.error < TOLERANCE
